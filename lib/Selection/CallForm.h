//===- CallForm.h - The form of a call --------------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The three forms that all reports distinguish. Selector.h decides the form of each call.
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_SELECTION_CALLFORM_H
#define MPISPEC_SELECTION_CALLFORM_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/ErrorHandling.h"

namespace mpispec {

enum class CallForm : uint8_t {
  Inline,   ///< its template has a fast path that some execution of the call may take
  Ordinary, ///< no template has a fast path for it: the rewritten text makes the ordinary call
  Left,     ///< not rewritten
};

/// The form in words: "inline", "ordinary" or "left".
inline llvm::StringRef text(CallForm F) {
  switch (F) {
  case CallForm::Inline:
    return "inline";
  case CallForm::Ordinary:
    return "ordinary";
  case CallForm::Left:
    return "left";
  }
  llvm_unreachable("unknown form of a call");
}

} // namespace mpispec
#endif
