//===- Elf.h - A reader of ELF files ----------------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `mpispec doctor` and `mpispec run` use this reader. It returns the libraries that a file needs,
// and the symbols of the file. The driver links none of LLVM's readers of object files. `run` is
// also built without LLVM. Therefore this reader uses no type of LLVM.
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
  std::vector<std::string> Needed; ///< DT_NEEDED: "libmpich.so.12"
  /// How many symbols of each name it defines, and how many of these are local. Only names that
  /// begin with `MPI_` or `mpispec_` are in the tables.
  std::map<std::string, unsigned> Defined, Locals;

  bool defines(const std::string &Symbol) const { return Defined.count(Symbol) != 0; }
};

/// Nothing if \p Path is no 64-bit little-endian ELF file. \p Why is then the reason.
std::optional<ElfFile> readElf(const std::string &Path, std::string &Why);

/// The identity of the templates, from a symbol name such as `mpispec_state_<identity>_mpich`.
/// Empty if there is no such symbol.
std::string stateIdentity(const ElfFile &File);

} // namespace mpispec
#endif
