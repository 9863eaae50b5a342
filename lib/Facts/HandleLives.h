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

/// Writes the stores behind all calls of \p F, the function of the IR that stands for \p Info.
void modelHandleLives(llvm::Function &F, const FunctionInfo &Info, const Handles &Values);

/// Bytes of one element of \p Datatype, as 64 bits, if the IR shows how the datatype was made or
/// committed; else null. \p Bytes: Model::sizeOf.
llvm::Value *elementBytes(const llvm::Value *Datatype, llvm::FunctionCallee Bytes,
                          llvm::IRBuilderBase &B);

/// A lower bound of the bytes that one element of \p Datatype occupies from the buffer's address
/// on. Null if the IR does not show how the datatype was made or committed. \p Span: Model::spanOf.
llvm::Value *elementSpan(const llvm::Value *Datatype, llvm::FunctionCallee Span,
                         llvm::IRBuilderBase &B);

/// Does the IR show on every path to this value that \p Datatype was made by the program?
bool isDerived(const llvm::Value *Datatype, unsigned Depth = 0);

/// Is \p Datatype the result of a constructor, and does no code commit it? False if other code may
/// get the handle.
bool isNeverCommitted(const llvm::Value *Datatype);

} // namespace mpispec
#endif
