//===- TemplateCatalog.h - Which templates there are ------------------------------------------===//
//
// The catalog: for each MPI function that may be rewritten, the table of Templates.def, whose cells
// name a template or the ordinary call. The templates are in templates/mpispec/.
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_SELECTION_TEMPLATECATALOG_H
#define MPISPEC_SELECTION_TEMPLATECATALOG_H

#include "Facts/Facts.h"

namespace mpispec {

/// Facts about a call as a whole.
struct CallFacts {
  SizeClass Size = SizeClass::Dynamic; ///< of every side; of an exchange Long if what it sends is
  NodeClass Node = NodeClass::Dynamic; ///< of every side
  bool StatusIgnored = false;          ///< or never read
};

/// An MPI function that has a table.
struct TemplateFunction {
  llvm::StringLiteral Name;   ///< "Sendrecv": the MPI function without `MPI_` and `_c`
  llvm::StringLiteral Header; ///< "sendrecv.h", in templates/mpispec/; empty: it has no template
  bool TakesWildcards;        ///< has a source or tag that is proven to be a wildcard a fast path?
  int64_t Longest;            ///< bytes; what is proven to be more has the cell of SizeClass::Long

  /// Does \p Known have more than Longest bytes in every execution?
  bool isExceededBy(const TransferFacts &Known) const;
};

struct TemplateInfo {
  llvm::StringLiteral Name;     ///< "Sendrecv_remote", as reports have it
  llvm::StringLiteral Function; ///< "Sendrecv": the MPI function without `MPI_` and `_c`
  llvm::StringLiteral Body;     ///< "Sendrecv": `mpispec_Sendrecv` in the header of Function
  llvm::StringLiteral Word;     ///< the last argument of the body; empty: it takes none

  /// Is it for long messages alone? Then it hands the decoded arguments to the runtime.
  bool isLong() const;
};

/// In a cell: no template.
inline constexpr llvm::StringLiteral OrdinaryCell = "ordinary";

/// One row of a function's table.
struct TemplateRow {
  llvm::StringLiteral Function;
  NodeClass Node;               ///< what it requires; Dynamic: nothing
  bool StatusIgnored;           ///< does it require that?
  llvm::StringLiteral Cells[3]; ///< by SizeClass

  llvm::StringRef cell(SizeClass S) const { return Cells[static_cast<unsigned>(S)]; }
  bool isFulfilledBy(const CallFacts &Known) const;
};

llvm::ArrayRef<TemplateFunction> allTemplateFunctions();
llvm::ArrayRef<TemplateInfo> allTemplates();
llvm::ArrayRef<TemplateRow> allTemplateRows();

/// The row of \p Function ("Send"), which must have a table.
const TemplateFunction &templateFunction(llvm::StringRef Function);

/// The template \p Name, which must be one.
const TemplateInfo &templateNamed(llvm::StringRef Name);

/// The rows of \p Function ("Send"), most special first. Empty: its calls are never rewritten.
llvm::ArrayRef<TemplateRow> templateRowsOf(llvm::StringRef Function);

/// The cell of \p Function for \p Known: a template's name, or OrdinaryCell. The function must have
/// rows.
llvm::StringRef templateCell(llvm::StringRef Function, const CallFacts &Known);

/// Does any row of \p Function require a class of peers? If not, no template of it changes with
/// one.
bool dependsOnNode(llvm::StringRef Function);
/// The same for a status that is ignored.
bool dependsOnStatus(llvm::StringRef Function);

} // namespace mpispec
#endif
