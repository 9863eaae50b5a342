//===- Model.h - Guarantees of the MPI standard, written into the IR --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For the optimizer, an MPI function is an unknown call that may do anything. The MPI standard
// excludes some effects and guarantees others. The model writes the useful ones into the IR:
//
//   MPI_Comm_rank, MPI_Comm_size  depend on nothing but the communicator: 0 <= rank < size
//                                 (MPI-4.0, section 7.4.1). They become calls of pure functions
//                                 of the handle.
//   output arguments              are written only during the call.
//   blocking buffers              are not touched after the call; a send buffer is not written
//                                 (MPI-4.0, section 3.2).
//   handles                       that were freed are null (HandleLives.h).
//
// All other effects stay possible: MPI_Abort may return, and any call may run a callback of the
// program. The model also removes answers that gcc might not give: Clang's value of
// `__builtin_constant_p`, and the text of `__PRETTY_FUNCTION__`.
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_FACTS_MODEL_H
#define MPISPEC_FACTS_MODEL_H

#include "Frontend/CallSite.h"
#include "Frontend/HandleProbe.h"
#include "llvm/IR/Module.h"

namespace mpispec {

/// The pure functions by which the IR expresses facts about communicators and datatypes.
class Model {
public:
  explicit Model(llvm::Module &M) : M(M) {}

  /// No machine has more processes in one communicator: size <= LargestGroup, rank < LargestGroup.
  /// With these bounds, the optimizer can exclude an overflow in rank + size.
  static constexpr int64_t LargestGroup = int64_t(1) << 30;
  /// Does \p Bound follow from LargestGroup alone, as a bound of a rank, a size or a neighbour's
  /// rank? That bound is no fact about the program.
  static bool isOfLargestGroup(int64_t Bound);

  /// `i32 rank(handle)`: the caller's rank in the communicator.
  llvm::FunctionCallee rankOf(llvm::Type *Handle) { return rank(Handle, "mpispec.rank", 0); }
  /// `i32 size(handle)`: the size of the communicator's (local) group.
  llvm::FunctionCallee groupSizeOf(llvm::Type *Handle) { return rank(Handle, "mpispec.size", 1); }
  /// `i64 bytes(handle)`: the size of one element of a datatype.
  llvm::FunctionCallee sizeOf(llvm::Type *Handle) { return bytes(Handle, "mpispec.bytes"); }
  /// `i64 span(handle)`: a lower bound of the bytes that one element occupies from the buffer's
  /// address on.
  llvm::FunctionCallee spanOf(llvm::Type *Handle) { return bytes(Handle, "mpispec.span"); }
  /// `i32 code()`: the return value of an MPI function, which is unknown.
  llvm::FunctionCallee returnCode();
  /// `i1 opinion()`: an unknown value.
  llvm::FunctionCallee opinion();

private:
  llvm::FunctionCallee rank(llvm::Type *Handle, llvm::StringRef Name, unsigned Low);
  llvm::FunctionCallee bytes(llvm::Type *Handle, llvm::StringRef Name);
  llvm::Module &M;
};

/// Writes these guarantees into \p M, also for the functions that stand for \p Sites and \p Watched
/// calls. For each watched query of rank or size, adds a call of `mpispec.witness.N`. Its arguments
/// are the communicator, and a pointer that is null exactly if the result's address is null.
void modelMPI(llvm::Module &M, llvm::ArrayRef<CallSite> Sites, llvm::ArrayRef<CallSite> Watched,
              const Handles &Values);

} // namespace mpispec
#endif
