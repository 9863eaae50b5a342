//===- CacheDirectory.cpp - Where mpispec keeps files for later -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Support/CacheDirectory.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Path.h"
#include <cstdlib>

using namespace llvm;

namespace mpispec {

std::string cacheDirectory() {
  if (const char *Wanted = std::getenv("MPISPEC_CACHE"); Wanted && *Wanted)
    return StringRef(Wanted) == "off" ? "" : Wanted;
  SmallString<128> Directory;
  if (!sys::path::cache_directory(Directory)) // $XDG_CACHE_HOME, or below $HOME
    return "";
  sys::path::append(Directory, "mpispec");
  return Directory.str().str();
}

} // namespace mpispec
