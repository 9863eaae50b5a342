//===- CallForm.h - What becomes of a call ----------------------------------------------------===//
//
// The one distinction that all reports make. FastPath.h decides it.
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_SELECTION_CALLFORM_H
#define MPISPEC_SELECTION_CALLFORM_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/ErrorHandling.h"

namespace mpispec {

enum class CallForm : uint8_t {
  Inline,   ///< its template has a fast path at the call that some execution may take
  Ordinary, ///< carried to the call that it was: no template has a fast path for it
  Left,     ///< not rewritten
};

/// "inline", "ordinary", "left".
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
