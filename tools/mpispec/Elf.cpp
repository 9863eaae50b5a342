//===- Elf.cpp - A reader of ELF files --------------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Elf.h"
#include "MappedFile.h"
#include <cstring>
#include <elf.h>
#include <string_view>

namespace mpispec {

namespace {

/// Checks every offset before it reads, because the file may have any contents.
class Reader {
public:
  explicit Reader(std::string_view Bytes) : Bytes(Bytes) {}
  std::optional<ElfFile> read(std::string &Why);

private:
  template <typename T> bool get(uint64_t Offset, T &Value) const {
    if (Offset > Bytes.size() || Bytes.size() - Offset < sizeof(T))
      return false;
    std::memcpy(&Value, Bytes.data() + Offset, sizeof(T));
    return true;
  }
  std::string_view stringAt(const Elf64_Shdr &Strings, uint64_t Offset) const;
  bool sectionAt(unsigned Index, Elf64_Shdr &Section) const {
    return Index < Header.e_shnum &&
           get(Header.e_shoff + uint64_t(Index) * sizeof(Elf64_Shdr), Section);
  }
  void readSymbols(const Elf64_Shdr &Table, const Elf64_Shdr &Strings);
  void readDynamic(const Elf64_Shdr &Table, const Elf64_Shdr &Strings);
  const char *whyUnreadable();

  std::string_view Bytes;
  Elf64_Ehdr Header = {};
  ElfFile File;
};

} // namespace

static std::string_view from(std::string_view Text, uint64_t Offset) {
  return Text.substr(Offset < Text.size() ? Offset : Text.size());
}

std::string_view Reader::stringAt(const Elf64_Shdr &Strings, uint64_t Offset) const {
  std::string_view Text = from(from(Bytes, Strings.sh_offset).substr(0, Strings.sh_size), Offset);
  return Text.substr(0, Text.find('\0'));
}

void Reader::readSymbols(const Elf64_Shdr &Table, const Elf64_Shdr &Strings) {
  Elf64_Sym Symbol;
  for (uint64_t At = 0; At < Table.sh_size; At += sizeof Symbol) {
    if (!get(Table.sh_offset + At, Symbol))
      return;
    if (Symbol.st_shndx == SHN_UNDEF || ELF64_ST_TYPE(Symbol.st_info) == STT_FILE)
      continue;
    std::string_view Whole = stringAt(Strings, Symbol.st_name);
    if (Whole.substr(0, 4) != "MPI_" && Whole.substr(0, 8) != "mpispec_")
      continue; // a program in C++ may have half a million symbols
    const std::string Name(Whole.substr(0, Whole.find('@')));
    ++File.Defined[Name];
    if (ELF64_ST_BIND(Symbol.st_info) == STB_LOCAL)
      ++File.Locals[Name];
  }
}

void Reader::readDynamic(const Elf64_Shdr &Table, const Elf64_Shdr &Strings) {
  Elf64_Dyn Entry;
  for (uint64_t At = 0; At < Table.sh_size && get(Table.sh_offset + At, Entry); At += sizeof Entry)
    if (Entry.d_tag == DT_NEEDED)
      File.Needed.emplace_back(stringAt(Strings, Entry.d_un.d_val));
}

/// Fills in the header. Returns null if the file can be read.
const char *Reader::whyUnreadable() {
  if (Bytes.substr(0, 2) == "#!")
    return "it is a script: name the program that it starts";
  if (Bytes.substr(0, SELFMAG) != ELFMAG)
    return "it is no program: not in the ELF format";
  if (!get(0, Header) || Header.e_ident[EI_CLASS] != ELFCLASS64 ||
      Header.e_ident[EI_DATA] != ELFDATA2LSB)
    return "it is for another sort of machine: mpispec knows 64-bit ones that store the low byte "
           "first";
  return nullptr;
}

std::optional<ElfFile> Reader::read(std::string &Why) {
  if (const char *Reason = whyUnreadable()) {
    Why = Reason;
    return std::nullopt;
  }
  Elf64_Shdr Section, Strings;
  for (unsigned Index = 0; sectionAt(Index, Section); ++Index) {
    if (!sectionAt(Section.sh_link, Strings))
      continue;
    if (Section.sh_type == SHT_SYMTAB || Section.sh_type == SHT_DYNSYM)
      readSymbols(Section, Strings);
    if (Section.sh_type == SHT_DYNAMIC)
      readDynamic(Section, Strings);
  }
  return std::move(File);
}

std::optional<ElfFile> readElf(const std::string &Path, std::string &Why) {
  const MappedFile Mapped(Path);
  if (!Mapped.error().empty()) {
    Why = "it cannot be read: " + Mapped.error();
    return std::nullopt;
  }
  return Reader(Mapped.bytes()).read(Why);
}

std::string stateIdentity(const ElfFile &File) {
  static const std::string Prefix = "mpispec_state_";
  auto Found = File.Defined.lower_bound(Prefix);
  if (Found == File.Defined.end() || Found->first.compare(0, Prefix.size(), Prefix))
    return "";
  const std::string Rest = Found->first.substr(Prefix.size());
  return Rest.substr(0, Rest.find('_'));
}

} // namespace mpispec
