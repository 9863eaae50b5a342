//===- TemplateCatalog.h - Which templates there are ------------------------------------------===//
//
// The catalog: for each MPI function that has templates, the facts that each of them requires. The
// rows are in Templates.def, the templates in templates/mpispec/.
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_SELECTION_TEMPLATECATALOG_H
#define MPISPEC_SELECTION_TEMPLATECATALOG_H

#include "Facts/Facts.h"

namespace mpispec {

/// Facts about a call as a whole: what a template requires, and what a call offers.
struct CallFacts {
  SizeClass Size = SizeClass::Dynamic; ///< of every side
  NodeClass Node = NodeClass::Dynamic; ///< of every side
  bool PredefinedDatatype = false;     ///< every datatype is predefined and contiguous
  bool StatusIgnored = false;

  /// Is everything in \p Required known here?
  bool fulfil(const CallFacts &Required) const;
};

struct TemplateInfo {
  llvm::StringLiteral Function; ///< "Send": the MPI function without `MPI_` and `_c`
  llvm::StringLiteral Name; ///< "Send_short_remote": the template is `mpispec_Send_short_remote`
  CallFacts Requires;
};

llvm::ArrayRef<TemplateInfo> allTemplates();

/// The templates of \p Function ("Send"), most special first. Empty: the function has none.
llvm::ArrayRef<TemplateInfo> templatesOf(llvm::StringRef Function);

/// The first template of \p Function whose requirements \p Known fulfils, or null.
const TemplateInfo *mostSpecialTemplate(llvm::StringRef Function, const CallFacts &Known);

} // namespace mpispec
#endif
