//===- Reach.h - Functions that matter for a site ---------------------------------------------===//
//
// Two sets of functions are computed before the module is optimized: those that lead to a site, and
// those that these functions use. Every mention of a function counts as a use, because any code may
// call an address in a table.
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_FACTS_REACH_H
#define MPISPEC_FACTS_REACH_H

#include "llvm/IR/Module.h"

namespace mpispec {

/// Keeps out-of-line copies of functions that the linker may share with other translation units
/// (C++ inline functions and template instantiations) when they lead to a site or change a static
/// variable: the surviving copy may be called from anywhere, so what this unit's callers agree on
/// proves nothing about it.
void keepSharedFunctions(llvm::Module &M);

/// Marks the functions that neither lead to a site, nor are used on the way, nor mention a static
/// variable that is: the optimizer is to leave them alone (optnone). Their bodies stay.
void setAsideUnrelatedFunctions(llvm::Module &M);

} // namespace mpispec
#endif
