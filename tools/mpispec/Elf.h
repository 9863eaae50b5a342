//===- Elf.h - A reader of ELF files for the doctor -------------------------------------------===//
//
// The reader returns the libraries that a file needs, and its symbols. It is written here because
// the driver links none of LLVM's readers of object files.
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_TOOLS_ELF_H
#define MPISPEC_TOOLS_ELF_H

#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace mpispec {

struct ElfFile {
  std::vector<std::string> Needed;   ///< DT_NEEDED: "libmpich.so.12"
  llvm::StringMap<unsigned> Defined; ///< symbols that it defines, and how many of each name
  llvm::StringMap<unsigned> Locals;  ///< those among them that only one object of it sees
};

/// The error says what the file is instead.
llvm::Expected<ElfFile> readElf(llvm::StringRef Path);

} // namespace mpispec
#endif
