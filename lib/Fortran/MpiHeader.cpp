//===- MpiHeader.cpp - The MPI library's mpif.h for flang -------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Fortran/MpiHeader.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace mpispec {

std::string writeHeaderWithoutSizeof(ArrayRef<std::string> IncludeDirectories,
                                     StringRef Temporary) {
  for (StringRef Directory : IncludeDirectories) {
    auto Header = MemoryBuffer::getFile(Directory + "/mpif.h");
    if (!Header)
      continue;
    if (!(*Header)->getBuffer().contains("mpif-sizeof.h"))
      return "";
    SmallString<128> Own;
    if (sys::fs::createUniqueDirectory(Temporary + "/header", Own))
      return "";
    std::error_code EC;
    raw_fd_ostream OS((Own + "/mpif.h").str(), EC);
    for (StringRef Line : split((*Header)->getBuffer(), '\n'))
      if (!Line.contains("mpif-sizeof.h"))
        OS << Line << '\n';
    return Own.str().str();
  }
  return "";
}

} // namespace mpispec
