//===- Elf.h - As much of an ELF file as the doctor asks for ----------------------------------===//
//
// As much of an ELF file as the doctor asks for: the libraries that it needs and its symbols. The
// driver links nothing of LLVM that reads object files.
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
