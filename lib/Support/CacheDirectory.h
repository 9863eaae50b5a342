//===- CacheDirectory.h - Where mpispec keeps files for later ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MPISPEC_SUPPORT_CACHEDIRECTORY_H
#define MPISPEC_SUPPORT_CACHEDIRECTORY_H

#include <string>

namespace mpispec {

/// MPISPEC_CACHE, or mpispec in $XDG_CACHE_HOME or ~/.cache. Empty if MPISPEC_CACHE=off, or if
/// neither variable is set and the user has no home directory. The directory need not exist.
std::string cacheDirectory();

} // namespace mpispec
#endif
