//===- Functions.h - The arguments of MPI functions -------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This table is the only one that assigns roles to the arguments of MPI functions (MPI-4.0). All
// other code uses roles and no argument numbers. The rows are in Functions.def.
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_MPI_FUNCTIONS_H
#define MPISPEC_MPI_FUNCTIONS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <optional>

namespace mpispec {

/// The role of an argument in its function. If a function has a sending and a receiving side, each
/// side has its own roles (`SendCount`, `RecvCount`). A function with one side uses the plain ones
/// (`Count`).
enum class Role : uint8_t {
#define MPI_ROLE(NAME, TEXT) NAME,
#include "MPI/Functions.def"
};

/// How a function takes part in communication.
enum class FunctionKind : uint8_t {
  Send,         ///< starts or performs one send
  Recv,         ///< starts or performs one receive
  SendRecv,     ///< both, in one call
  Probe,        ///< finds or matches a message without receiving it
  Completion,   ///< completes, tests, starts, frees or cancels requests
  Collective,   ///< a barrier, or a collective operation on data
  Communicator, ///< makes, frees or queries a communicator
  Datatype,     ///< makes, frees or queries a datatype
  OneSided,     ///< reads or writes a window, or makes, frees or synchronises one
  File,         ///< reads or writes a file, or opens, closes or queries one
  Other,        ///< all other functions of the table
};

/// Whether calls of the kind move or complete messages. Only these calls are sites, which may be
/// rewritten.
bool isCommunication(FunctionKind Kind);

/// One MPI function: its name without `MPI_` and `_c`, and its arguments in order.
struct FunctionInfo {
  llvm::StringLiteral Name;
  FunctionKind Kind;
  bool HasLargeCount; ///< `MPI_<Name>_c` exists as well (MPI-4.0, section 19.2)
  bool Retains;       ///< keeps the address of an argument after it has returned (Functions.def)
  llvm::ArrayRef<Role> Roles;

  /// The argument number of the first argument with role \p R, if there is one.
  std::optional<unsigned> find(Role R) const;
};

/// The row for \p Callee as it stands in a program (`MPI_Send`, `MPI_Send_c`), or null if the table
/// has no such function. The result is null for `PMPI_` names, because they are not MPI calls of
/// the program.
const FunctionInfo *lookUpFunction(llvm::StringRef Callee);

/// All rows, in the table's order.
llvm::ArrayRef<FunctionInfo> allFunctions();

/// `count`, `datatype`, ...: the word for a role in facts, remarks and messages.
llvm::StringRef text(Role R);

} // namespace mpispec
#endif
