//===- HandleLives.h - Creation, commit and release of handles --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For the optimizer, a freed handle is a variable that an unknown function has changed. MPI defines
// more: the variable is then the null handle (MPI-4.0, sections 3.7.3, 5.1.9, 6.9.5, 7.4.3, ...). A
// derived datatype also changes its state by MPI_Type_commit. This file writes both rules into the
// IR, as stores after the calls. Later calls that use the handle then lead to warnings. The size of
// a derived datatype's element is written in the same way.
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_FACTS_HANDLELIVES_H
#define MPISPEC_FACTS_HANDLELIVES_H

#include "Frontend/CallSite.h"
#include "Frontend/HandleProbe.h"
#include "llvm/IR/IRBuilder.h"

namespace mpispec {

/// Writes the stores behind all calls of \p F, the function in the IR of calls of \p Info.
void modelHandleLives(llvm::Function &F, const FunctionInfo &Info, const Handles &Values);

/// Bytes of one element of \p Datatype, as 64 bits, if it was made or committed in sight; else
/// null.
/// \p Bytes: Model::sizeOf.
llvm::Value *elementBytes(const llvm::Value *Datatype, llvm::FunctionCallee Bytes,
                          llvm::IRBuilderBase &B);

/// Bytes behind the buffer's address that one element of \p Datatype occupies at least, likewise.
/// \p Span: Model::spanOf.
llvm::Value *elementSpan(const llvm::Value *Datatype, llvm::FunctionCallee Span,
                         llvm::IRBuilderBase &B);

/// Was \p Datatype made in sight, on every way?
bool isDerived(const llvm::Value *Datatype, unsigned Depth = 0);

/// Is \p Datatype a derived datatype that was just made, and does nothing in sight commit it?
bool isNeverCommitted(const llvm::Value *Datatype);

} // namespace mpispec
#endif
