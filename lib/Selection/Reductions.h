//===- Reductions.h - Operation and datatype of a reduction, for templates --------------------===//
//
// What templates/mpispec/combine.h does itself. The datatypes are those that the runtime combines
// in loops of its own, and are read from its table: a rank may come by either way.
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_SELECTION_REDUCTIONS_H
#define MPISPEC_SELECTION_REDUCTIONS_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace mpispec {

/// Two arguments of a template: "mpispec_SUM, mpispec_floating_point" for MPI_SUM and MPI_DOUBLE;
/// empty where MPI does not allow the two together, and for what is left to the ordinary call.
std::string reductionText(llvm::StringRef Op, llvm::StringRef Datatype);

/// Does combine.h have the arithmetic? Of the types in \p Datatype those of \p Bytes an element.
bool templatesCombine(llvm::StringRef Op, llvm::StringRef Datatype, uint64_t Bytes);

} // namespace mpispec
#endif
