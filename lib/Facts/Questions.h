//===- Questions.h - Questions about MPI calls, planted in the IR -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each question of Questions.def becomes an extra operand of the call that represents a site. The
// call is opaque, so that its operands survive the pipeline. The optimizer replaces an operand by a
// constant if it can prove the operand's value.
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_FACTS_QUESTIONS_H
#define MPISPEC_FACTS_QUESTIONS_H

#include "Facts/Facts.h"
#include "Frontend/CallSite.h"
#include "Frontend/HandleProbe.h"
#include "llvm/IR/InstrTypes.h"

namespace mpispec {

enum class TransferQuestion : uint8_t {
#define TRANSFER_QUESTION(NAME, NEEDS, EXPRESSION) NAME,
#include "Facts/Questions.def"
  Last,
};

/// Adds the questions to every call of a site. Functions with more parameters replace the functions
/// `mpispec.site.N` in \p M.
void plantQuestions(llvm::Module &M, llvm::ArrayRef<CallSite> Sites, const Handles &Values);

/// The operands of a planted call of \p F: its arguments and the answers.
struct PlantedCall {
  const FunctionInfo &F;
  const llvm::CallBase &Call;

  llvm::Value *argument(Role R) const; ///< null if \p F has no such argument
  llvm::Value *bytes(unsigned Transfer) const;
  llvm::Value *answer(unsigned Transfer, TransferQuestion Q) const;
};

} // namespace mpispec
#endif
