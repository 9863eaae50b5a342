//===- Reach.h - Which functions have to do with a site ---------------------------------------===//
//
// Two questions about the module before it is optimized: which functions lead to a site, and which
// functions those in turn use. "Lead to" and "use" go by any mention, not by calls alone: an
// address in a table may be called from anywhere.
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
