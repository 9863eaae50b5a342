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

/// Keeps out-of-line copies of C++ inline functions and template instantiations that lead to a site
/// or use a static variable. The linker keeps one such copy for all translation units, and any unit
/// may call it. Therefore facts about this unit's callers prove nothing about that copy.
void keepSharedFunctions(llvm::Module &M);

/// Marks unrelated functions, so that the optimizer skips them (optnone). An unrelated function
/// neither leads to a site nor is used by a function that does. It also mentions no static variable
/// that such functions use.
void setAsideUnrelatedFunctions(llvm::Module &M);

} // namespace mpispec
#endif
