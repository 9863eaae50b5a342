//===- TemplateText.h - The template headers as text to paste ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The analysis program contains the headers of templates/mpispec/ (cmake/EmbedFiles.cmake).
// Therefore a rewritten unit needs no include path. Preprocessed text cannot contain directives.
// Therefore include guards and includes are removed, and included text comes first.
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_REWRITE_TEMPLATETEXT_H
#define MPISPEC_REWRITE_TEMPLATETEXT_H

#include "MPI/Interfaces.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace mpispec {

/// The header's text as it is in the source tree. Empty if no header has that name.
llvm::StringRef templateHeader(llvm::StringRef Header);

/// The text of the headers for \p Functions ("Send", "Recv", ...; Templates.def names the headers)
/// and of all headers that they include, each once. No line is a directive.
/// \p Style: the style of the unit's handles. \p CheckFacts: with the header for FactChecks.h.
/// \p ForX86: for x86-64; otherwise in plain C.
std::string templateText(llvm::ArrayRef<llvm::StringRef> Functions,
                         HandleStyle Style = HandleStyle::MPICH, bool CheckFacts = false,
                         bool ForX86 = true);

} // namespace mpispec
#endif
