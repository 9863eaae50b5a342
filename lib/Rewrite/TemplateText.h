//===- TemplateText.h - The template headers as text to paste ---------------------------------===//
//
// The headers of templates/mpispec/ are part of this program (cmake/EmbedFiles.cmake), so that a
// rewritten unit needs no include path. Preprocessed text takes no directive: include guards and
// includes are stripped, what is included comes first.
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_REWRITE_TEMPLATETEXT_H
#define MPISPEC_REWRITE_TEMPLATETEXT_H

#include "MPI/Interfaces.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace mpispec {

/// The header's text as it is in the source tree, or empty if there is none of that name.
llvm::StringRef templateHeader(llvm::StringRef Header);

/// The text of the headers for \p Functions ("Send", "Recv", ...: Templates.def names them) and of
/// all that they include, each once, no line of which is a directive.
/// \p Style: of the unit's handles. \p CheckFacts: what FactChecks.h needs as well. \p ForX86: for
/// x86-64, not in plain C.
std::string templateText(llvm::ArrayRef<llvm::StringRef> Functions,
                         HandleStyle Style = HandleStyle::MPICH, bool CheckFacts = false,
                         bool ForX86 = true);

} // namespace mpispec
#endif
