//===- Reach.h - Functions that matter for a site ---------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
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

/// Keeps out-of-line copies of C++ inline functions and template instantiations, which the linker
/// may share with other translation units. It does so if they lead to a site or change a static
/// variable. The linker keeps one copy, which may be called from anywhere. Therefore facts about
/// this unit's callers prove nothing about that copy.
void keepSharedFunctions(llvm::Module &M);

/// Marks unrelated functions, which the optimizer skips (optnone). They neither lead to a site, nor
/// are used on the way, nor mention a static variable that is used there. Their bodies stay.
void setAsideUnrelatedFunctions(llvm::Module &M);

} // namespace mpispec
#endif
