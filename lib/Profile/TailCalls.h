//===- TailCalls.h - Calls that the compiler has replaced by jumps ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// If the last action of a function is a call, the compiler may replace the call by a jump. Then
// the callee returns to the caller's caller:
//
//   void give(..) { ..; MPI_Send(..); }       jmp MPI_Send
//   int main()    { give(..); }               call give      <- MPI_Send returns to here
//
// Debugging information of optimized code names the function that main() calls at this place. It
// also lists the jumps in that function that replace calls. Therefore the path from the place to
// the MPI function can be reconstructed if there is only one path.
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_PROFILE_TAILCALLS_H
#define MPISPEC_PROFILE_TAILCALLS_H

#include "llvm/ADT/StringMap.h"
#include "llvm/DebugInfo/DWARF/DWARFContext.h"
#include "llvm/Object/ObjectFile.h"
#include <optional>

namespace mpispec {

/// The calls of one program or library.
class TailCalls {
public:
  explicit TailCalls(llvm::StringRef Object);

  /// Finds the instructions from which \p Function may have been called, if it returned to
  /// \p ReturnAddress. The result is the address right after each of them. Usually it is only
  /// \p ReturnAddress itself. The result is empty if no such instruction is found.
  std::vector<uint64_t> find(uint64_t ReturnAddress, llvm::StringRef Function);

  /// The source files from which the program or library was compiled.
  std::vector<std::string> sources() const;

private:
  struct Call;
  std::vector<Call> callsIn(llvm::DWARFDie Function) const;
  void collect(llvm::DWARFDie Within, std::vector<Call> &To) const;
  void readDefinitions();
  void findJumps(llvm::StringRef From, llvm::StringRef To, unsigned Depth,
                 std::vector<uint64_t> &Found);

  std::optional<llvm::object::OwningBinary<llvm::object::ObjectFile>> File;
  std::unique_ptr<llvm::DWARFContext> Debug; ///< null: the file cannot be read
  llvm::StringMap<std::vector<llvm::DWARFDie>> Definitions;
};

} // namespace mpispec
#endif
