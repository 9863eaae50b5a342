//===- CacheCommand.h - mpispec cache ---------------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The cache has the summaries of units (Predictions/SummaryCache.h), the costs of long messages,
// and the orders of reductions (runtime/job/cache_file.h).
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_TOOLS_CACHECOMMAND_H
#define MPISPEC_TOOLS_CACHECOMMAND_H

#include "llvm/ADT/ArrayRef.h"
#include <string>

namespace mpispec {

/// Runs `mpispec cache` with the arguments \p Words, and returns the exit status.
int showCache(llvm::ArrayRef<std::string> Words);

} // namespace mpispec
#endif
