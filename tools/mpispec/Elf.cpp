//===- Elf.cpp - A reader of ELF files for the doctor -----------------------------------------===//
#include "Elf.h"
#include "llvm/Support/MemoryBuffer.h"
#include <cstring>
#include <elf.h>

using namespace llvm;

namespace mpispec {

namespace {

/// Reads with every offset checked: the file may be anything.
class Reader {
public:
  explicit Reader(StringRef Bytes) : Bytes(Bytes) {}
  Expected<ElfFile> read();

private:
  template <typename T> bool get(uint64_t Offset, T &Value) const {
    if (Offset > Bytes.size() || Bytes.size() - Offset < sizeof(T))
      return false;
    std::memcpy(&Value, Bytes.data() + Offset, sizeof(T));
    return true;
  }
  StringRef stringAt(const Elf64_Shdr &Strings, uint64_t Offset) const;
  bool sectionAt(unsigned Index, Elf64_Shdr &Section) const {
    return Index < Header.e_shnum &&
           get(Header.e_shoff + uint64_t(Index) * sizeof(Elf64_Shdr), Section);
  }
  void readSymbols(const Elf64_Shdr &Table, const Elf64_Shdr &Strings);
  void readDynamic(const Elf64_Shdr &Table, const Elf64_Shdr &Strings);

  StringRef Bytes;
  Elf64_Ehdr Header = {};
  ElfFile File;
};

} // namespace

StringRef Reader::stringAt(const Elf64_Shdr &Strings, uint64_t Offset) const {
  StringRef All = Bytes.substr(Strings.sh_offset, Strings.sh_size);
  return All.substr(Offset).take_until([](char C) { return C == 0; });
}

void Reader::readSymbols(const Elf64_Shdr &Table, const Elf64_Shdr &Strings) {
  Elf64_Sym Symbol;
  for (uint64_t At = 0; At < Table.sh_size; At += sizeof Symbol) {
    if (!get(Table.sh_offset + At, Symbol))
      return;
    if (Symbol.st_shndx == SHN_UNDEF || ELF64_ST_TYPE(Symbol.st_info) == STT_FILE)
      continue;
    StringRef Name = stringAt(Strings, Symbol.st_name).split('@').first;
    ++File.Defined[Name];
    if (ELF64_ST_BIND(Symbol.st_info) == STB_LOCAL)
      ++File.Locals[Name];
  }
}

void Reader::readDynamic(const Elf64_Shdr &Table, const Elf64_Shdr &Strings) {
  Elf64_Dyn Entry;
  for (uint64_t At = 0; At < Table.sh_size && get(Table.sh_offset + At, Entry); At += sizeof Entry)
    if (Entry.d_tag == DT_NEEDED)
      File.Needed.push_back(stringAt(Strings, Entry.d_un.d_val).str());
}

Expected<ElfFile> Reader::read() {
  if (Bytes.starts_with("#!"))
    return createStringError("it is a script: name the program that it starts");
  if (!Bytes.starts_with(ELFMAG))
    return createStringError("it is no program: not in the ELF format");
  if (!get(0, Header) || Header.e_ident[EI_CLASS] != ELFCLASS64 ||
      Header.e_ident[EI_DATA] != ELFDATA2LSB)
    return createStringError("it is for another sort of machine: mpispec knows 64-bit ones that "
                             "store the low byte first");
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

Expected<ElfFile> readElf(StringRef Path) {
  ErrorOr<std::unique_ptr<MemoryBuffer>> Buffer =
      MemoryBuffer::getFile(Path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!Buffer)
    return createStringError(Buffer.getError(),
                             "it cannot be read: " + Buffer.getError().message());
  return Reader((*Buffer)->getBuffer()).read();
}

} // namespace mpispec
