//===- TemplateCatalog.h - The catalog of templates -------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The catalog contains, for each MPI function that may be rewritten, the table of Templates.def.
// Each cell names a template or the ordinary call. The templates are in templates/mpispec/.
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_SELECTION_TEMPLATECATALOG_H
#define MPISPEC_SELECTION_TEMPLATECATALOG_H

#include "Facts/Facts.h"

namespace mpispec {

/// Facts about a call as a whole.
struct CallFacts {
  SizeClass Size = SizeClass::Dynamic; ///< on every side; Long: see isLong()
  NodeClass Node = NodeClass::Dynamic; ///< on every side
  bool StatusIgnored = false;          ///< or never read
};

/// Where the code of a function's templates is put. With --mpispec-inline-all, no call is left
/// because it is seldom made or in no loop.
enum class Placement {
  AllCalls, ///< inline at all calls: the code is short, or calls a function out of line
  HotCalls, ///< inline at the hottest calls of a unit; other calls share functions
  Shared,   ///< in functions that calls share; calls that are seldom made are left
  Loops     ///< inline at calls in loops; other calls are left
};

/// An MPI function that has a table.
struct TemplateFunction {
  llvm::StringLiteral Name;   ///< "Sendrecv": the MPI function without `MPI_` and `_c`
  llvm::StringLiteral Header; ///< "sendrecv.h", in templates/mpispec/; empty: it has no template
  bool TakesWildcards;        ///< a call with a proven wildcard as source or tag has a fast path
  int64_t Longest; ///< in bytes; the SizeClass::Long cell is for messages proven to exceed it
  Placement Place;

  /// Is \p Known longer than Longest in every execution?
  bool isExceededBy(const TransferFacts &Known) const;
};

struct TemplateInfo {
  llvm::StringLiteral Name;     ///< "Sendrecv_remote", the name in reports
  llvm::StringLiteral Function; ///< "Sendrecv": the MPI function without `MPI_` and `_c`
  llvm::StringLiteral Body;     ///< "Sendrecv": `mpispec_Sendrecv` in the header of Function
  llvm::StringLiteral Word;     ///< the last argument of the body; empty: none

  /// Is it for long messages only? Then it passes the decoded arguments to the runtime.
  bool isLong() const;
};

/// The content of a cell without a template.
inline constexpr llvm::StringLiteral OrdinaryCell = "ordinary";

/// One row of a function's table.
struct TemplateRow {
  llvm::StringLiteral Function;
  NodeClass Node;               ///< the required class; Dynamic: none
  bool StatusIgnored;           ///< must the status be ignored?
  llvm::StringLiteral Cells[3]; ///< by SizeClass

  llvm::StringRef cell(SizeClass S) const { return Cells[static_cast<unsigned>(S)]; }
  bool isFulfilledBy(const CallFacts &Known) const;
};

llvm::ArrayRef<TemplateFunction> allTemplateFunctions();
llvm::ArrayRef<TemplateInfo> allTemplates();
llvm::ArrayRef<TemplateRow> allTemplateRows();

/// The entry of \p Function ("Send"), which must have a table.
const TemplateFunction &templateFunction(llvm::StringRef Function);

/// The template \p Name, which must exist.
const TemplateInfo &templateNamed(llvm::StringRef Name);

/// The rows of \p Function ("Send"), most special first. Empty: its calls are never rewritten.
llvm::ArrayRef<TemplateRow> templateRowsOf(llvm::StringRef Function);

/// The cell of \p Function for \p Known: a template's name, or OrdinaryCell. The function must have
/// rows.
llvm::StringRef templateCell(llvm::StringRef Function, const CallFacts &Known);

/// Does a row of \p Function require a class of peers? If not, no template of it depends on peers.
bool dependsOnNode(llvm::StringRef Function);
/// Does any row of \p Function require an ignored status?
bool dependsOnStatus(llvm::StringRef Function);

} // namespace mpispec
#endif
