//===- Elf.h - A reader of ELF files ----------------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The reader returns the libraries that a file needs, and its symbols, for `mpispec doctor` and
// `mpispec run`. The driver links none of LLVM's readers of object files. `run` is also built
// without LLVM, therefore this reader uses none of its types.
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_TOOLS_ELF_H
#define MPISPEC_TOOLS_ELF_H

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace mpispec {

struct ElfFile {
  std::vector<std::string> Needed;         ///< DT_NEEDED: "libmpich.so.12"
  std::map<std::string, unsigned> Defined; ///< symbols that it defines, and how many of each name
  std::map<std::string, unsigned> Locals;  ///< those among them that only one object of it sees

  bool defines(const std::string &Symbol) const { return Defined.count(Symbol) != 0; }
};

/// Nothing if \p Path is no such file; \p Why then says what it is instead.
std::optional<ElfFile> readElf(const std::string &Path, std::string &Why);

/// The identity of the templates, by a definition `mpispec_state_<identity>_mpich`; or empty.
std::string stateIdentity(const ElfFile &File);

} // namespace mpispec
#endif
