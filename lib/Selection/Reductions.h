//===- Reductions.h - Operation and datatype of a reduction, for templates --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The reductions that templates/mpispec/combine.h executes. Their datatypes come from the runtime's
// table. In one operation, one rank may execute a template and another rank the runtime, and both
// must combine alike.
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_SELECTION_REDUCTIONS_H
#define MPISPEC_SELECTION_REDUCTIONS_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace mpispec {

/// Two arguments of a template: "mpispec_SUM, mpispec_floating_point" for MPI_SUM and MPI_DOUBLE.
/// Empty if MPI does not allow the two together, or if the table has no such reduction.
std::string reductionText(llvm::StringRef Op, llvm::StringRef Datatype);

/// Does combine.h contain the reduction of \p Datatype, whose elements have \p Bytes bytes?
bool templatesCombine(llvm::StringRef Op, llvm::StringRef Datatype, uint64_t Bytes);

} // namespace mpispec
#endif
