//===- ObjectCensus.cpp - Objects of a link that call MPI -------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Driver/ObjectCensus.h"
#include "MPI/Functions.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SwapByteOrder.h"
#include <cstring>
#include <optional>

using namespace llvm;

namespace mpispec {

namespace {
/// The properties of one unit that its names show.
struct UnitNames {
  std::set<std::string> States;     ///< the templates' states that it defines or uses
  bool IsShared = false;            ///< it is a shared library
  bool CallsMPI = false;            ///< it refers to a function that is always specialised
  std::optional<HandleStyle> Style; ///< from the state's name or a handle of Open MPI
  std::vector<std::string> CalledByProfilingName; ///< the same as in Census
  std::vector<std::string> Defined;               ///< functions of MPI, also by profiling names
};

constexpr HandleStyle AllStyles[] = {HandleStyle::MPICH, HandleStyle::ABI, HandleStyle::OMPI};

/// The name of a state: this, the identity and the style of handles.
constexpr StringLiteral StatePrefix = "mpispec_state_";

/// The relation of a unit to a name. Hides: the definition is local.
enum class Use { Refers, Defines, Hides };

/// A section of an ELF file, inside the file.
struct Section {
  StringRef Name, Data;
  const ELF::Elf64_Shdr *Header;
};
} // namespace

/// Functions whose calls are specialised wherever they stand, unlike collective operations and
/// probes.
static bool isAlwaysSpecialised(StringRef Name) {
  enum Placement { AllCalls, HotCalls, Shared, Loops };
  static const StringMap<Placement> Functions = {
#define MPISPEC_FUNCTION(FUNCTION, HEADER, WILDCARDS, LONGEST, PLACEMENT)                          \
  {"MPI_" #FUNCTION, PLACEMENT},
#include "Selection/Templates.def"
  };
  auto Found = Functions.find(Name);
  return Found != Functions.end() && (Found->second == AllCalls || Found->second == HotCalls);
}

/// The style of handles that a symbol shows: the name of a state, or a name to which only Open
/// MPI's <mpi.h> refers.
static std::optional<HandleStyle> styleOf(StringRef Name, bool Undefined) {
  if (Undefined && Name.starts_with("ompi_mpi_"))
    return HandleStyle::OMPI;
  if (Name.starts_with("mpispec_state"))
    for (HandleStyle Style : AllStyles)
      if (Name.rsplit('_').second == text(Style).lower())
        return Style;
  return std::nullopt;
}

/// Whether \p Name is one of MPI's, or its name for profiling, in C or in Fortran.
static bool isOfMPI(StringRef Name) {
  if (Name.starts_with_insensitive("P"))
    Name = Name.drop_front();
  return Name.starts_with_insensitive("MPI_");
}

/// Whether the function \p Name sends or receives a message.
static bool isForMessages(StringRef Name) {
  const FunctionInfo *Info = lookUpFunction(Name);
  return Info && (Info->Kind == FunctionKind::Send || Info->Kind == FunctionKind::Recv ||
                  Info->Kind == FunctionKind::SendRecv);
}

static void note(StringRef Name, Use U, UnitNames &Found) {
  bool Undefined = U == Use::Refers;
  if (Undefined && Name.starts_with("PMPI_") && isForMessages(Name.drop_front()))
    Found.CalledByProfilingName.push_back(Name.drop_front().str());
  if (U == Use::Defines && isOfMPI(Name))
    Found.Defined.push_back(Name.str());
  if (!Found.Style)
    Found.Style = styleOf(Name, Undefined);
  if (Name.starts_with(StatePrefix))
    Found.States.insert(Name.str());
  Found.CallsMPI |= Undefined && Name.starts_with("MPI_") && isAlwaysSpecialised(Name);
}

//===- ELF -----------------------------------------------------------------------------------===//

static StringRef slice(StringRef File, uint64_t Offset, uint64_t Size) {
  return Offset <= File.size() && Size <= File.size() - Offset ? File.substr(Offset, Size) : "";
}

static StringRef nameAt(StringRef Strings, uint32_t Offset) {
  return Strings.drop_front(std::min<size_t>(Offset, Strings.size())).split('\0').first;
}

static bool isElfOfThisMachine(StringRef File) {
  return File.size() >= sizeof(ELF::Elf64_Ehdr) && File.starts_with(ELF::ElfMagic) &&
         File[ELF::EI_CLASS] == ELF::ELFCLASS64 &&
         File[ELF::EI_DATA] == (sys::IsLittleEndianHost ? ELF::ELFDATA2LSB : ELF::ELFDATA2MSB);
}

/// The sections of \p File; none if it is damaged. If there are more than the header's fields can
/// count, the first section has their number and the index of the names.
static std::vector<Section> sectionsOf(StringRef File) {
  ELF::Elf64_Ehdr Header;
  std::memcpy(&Header, File.data(), sizeof Header);
  StringRef Table = slice(File, Header.e_shoff, sizeof(ELF::Elf64_Shdr));
  std::vector<Section> Sections;
  if (!Header.e_shoff || Table.empty() ||
      reinterpret_cast<uintptr_t>(Table.data()) % alignof(ELF::Elf64_Shdr))
    return Sections;
  auto *First = reinterpret_cast<const ELF::Elf64_Shdr *>(Table.data());
  uint64_t Count = Header.e_shnum ? Header.e_shnum : First->sh_size;
  uint64_t Names = Header.e_shstrndx == ELF::SHN_XINDEX ? First->sh_link : Header.e_shstrndx;
  if (Count <= File.size() / sizeof *First)
    Table = slice(File, Header.e_shoff, Count * sizeof *First);
  for (size_t I = 0; I < Table.size() / sizeof *First; ++I) {
    bool InFile = First[I].sh_type != ELF::SHT_NOBITS;
    Sections.push_back(
        {"", InFile ? slice(File, First[I].sh_offset, First[I].sh_size) : "", First + I});
  }
  if (Names < Sections.size())
    for (Section &S : Sections)
      S.Name = nameAt(Sections[Names].Data, S.Header->sh_name);
  return Sections;
}

static Use useOf(const ELF::Elf64_Sym &Symbol) {
  if (Symbol.st_shndx == ELF::SHN_UNDEF)
    return Use::Refers;
  return Symbol.getBinding() == ELF::STB_LOCAL ? Use::Hides : Use::Defines;
}

static void readSymbols(StringRef Symbols, StringRef Names, UnitNames &Found) {
  for (size_t At = 0; At + sizeof(ELF::Elf64_Sym) <= Symbols.size(); At += sizeof(ELF::Elf64_Sym)) {
    ELF::Elf64_Sym Symbol;
    std::memcpy(&Symbol, Symbols.data() + At, sizeof Symbol);
    note(nameAt(Names, Symbol.st_name), useOf(Symbol), Found);
  }
}

/// Reads the symbols of gcc's link-time optimization. A row begins with a name and the name of a
/// comdat, each with a zero at its end. Two bytes follow, the first of which is the kind. Then the
/// row has a number of 8 bytes and one of 4 bytes.
static void readSymbolsForGcc(StringRef Rest, UnitNames &Found) {
  constexpr size_t Numbers = 1 + 1 + 8 + 4;
  constexpr char Undefined = 2, WeakUndefined = 3;
  while (!Rest.empty()) {
    StringRef Name, Comdat;
    std::tie(Name, Rest) = Rest.split('\0');
    std::tie(Comdat, Rest) = Rest.split('\0');
    if (Rest.size() < Numbers)
      return;
    bool Refers = Rest[0] == Undefined || Rest[0] == WeakUndefined;
    note(Name, Refers ? Use::Refers : Use::Defines, Found);
    Rest = Rest.drop_front(Numbers);
  }
}

static UnitNames readElf(StringRef File) {
  UnitNames Found;
  std::vector<Section> Sections = sectionsOf(File);
  for (const Section &S : Sections) {
    bool IsTable = S.Header->sh_type == ELF::SHT_SYMTAB || S.Header->sh_type == ELF::SHT_DYNSYM;
    if (IsTable && S.Header->sh_link < Sections.size())
      readSymbols(S.Data, Sections[S.Header->sh_link].Data, Found);
    if (S.Name.starts_with(".gnu.lto_.symtab"))
      readSymbolsForGcc(S.Data, Found);
  }
  ELF::Elf64_Ehdr Header;
  std::memcpy(&Header, File.data(), sizeof Header);
  Found.IsShared = Header.e_type == ELF::ET_DYN;
  return Found;
}

//===- Bitcode -------------------------------------------------------------------------------===//

static bool isBitcode(StringRef File) {
  return File.starts_with("BC\xC0\xDE") || File.starts_with("\xDE\xC0\x17\x0B");
}

/// The longest name of an MPI function with which \p Text begins. Names in bitcode have no
/// separators, and MPI_Wait is the beginning of MPI_Waitall.
static StringRef longestName(StringRef Text) {
  for (size_t Length = 32; Length >= 5; --Length)
    if (StringRef Name = Text.take_front(Length); lookUpFunction(Name))
      return Name;
  return "";
}

/// Reads the functions of which bitcode contains the name for profiling (PMPI_Send). If it also
/// contains the other name (MPI_Send), the unit may be a tool that defines the function.
static void readBothNames(StringRef File, UnitNames &Found) {
  std::set<std::string> Public;
  std::vector<std::string> &Profiling = Found.CalledByProfilingName;
  for (size_t At = 0; (At = File.find("MPI_", At)) != StringRef::npos; ++At) {
    StringRef Name = longestName(File.drop_front(At));
    if (Name.empty())
      continue;
    if (At > 0 && File[At - 1] == 'P')
      Profiling.push_back(Name.str());
    else
      Public.insert(Name.str());
  }
  copy_if(Profiling, std::back_inserter(Found.Defined),
          [&](const std::string &Name) { return Public.count(Name); });
  erase_if(Profiling, [](const std::string &Name) { return !isForMessages(Name); });
}

/// The state's name with which \p Text begins, or empty.
static std::string stateAt(StringRef Text) {
  StringRef Identity = Text.drop_front(StatePrefix.size()).take_while(isHexDigit);
  for (HandleStyle Style : AllStyles) {
    std::string Name = (StatePrefix + Identity + "_" + text(Style).lower()).str();
    if (Text.starts_with(Name))
      return Name;
  }
  return "";
}

/// Bitcode of Clang's link-time optimization contains its names without separators. Therefore each
/// possible length of a name is tried.
static UnitNames readBitcode(StringRef File) {
  UnitNames Found;
  for (size_t At = 0; (At = File.find(StatePrefix, At)) != StringRef::npos; ++At)
    if (std::string Name = stateAt(File.substr(At)); !Name.empty())
      Found.States.insert(Name);
  for (size_t At = 0; !Found.CallsMPI && (At = File.find("MPI_", At)) != StringRef::npos; ++At)
    for (size_t Length = 5; Length <= 24 && !Found.CallsMPI; ++Length)
      Found.CallsMPI = isAlwaysSpecialised(File.substr(At, Length));
  readBothNames(File, Found);
  return Found;
}

//===- Archives ------------------------------------------------------------------------------===//

static void countObject(StringRef File, const std::string &Name, Census &Total) {
  UnitNames Found;
  std::vector<uint64_t> Aligned;
  if (isBitcode(File)) {
    Found = readBitcode(File);
  } else if (isElfOfThisMachine(File)) {
    // A member of an archive may begin at any even byte.
    if (reinterpret_cast<uintptr_t>(File.data()) % alignof(uint64_t)) {
      Aligned.resize(File.size() / sizeof(uint64_t) + 1);
      std::memcpy(Aligned.data(), File.data(), File.size());
      File = StringRef(reinterpret_cast<const char *>(Aligned.data()), File.size());
    }
    Found = readElf(File);
  }
  if (!Found.States.empty())
    ++Total.Specialised;
  else if (Found.CallsMPI)
    Total.Ordinary.push_back(Name);
  if (Found.Style)
    Total.Styles.emplace(*Found.Style, Name);
  for (const std::string &Function : Found.CalledByProfilingName)
    Total.CalledByProfilingName.emplace(Function, Name);
  Total.Defined.insert(Found.Defined.begin(), Found.Defined.end());
  if (!Found.IsShared) {
    Total.DefinedInside.insert(Found.Defined.begin(), Found.Defined.end());
    Total.States.insert(Found.States.begin(), Found.States.end());
  }
}

static constexpr StringLiteral ArchiveMagic = "!<arch>\n", ThinMagic = "!<thin>\n";
static constexpr size_t HeaderSize = 60;

/// The file of a thin archive's member. The member's header has the place of its name in the table
/// of names: `/17`, or `/17:500` for a member of an archive. Names are relative to the archive.
static std::string thinMember(StringRef Header, StringRef Table, StringRef Archive) {
  uint64_t Place;
  if (Header.slice(1, 16).split(':').first.rtrim().getAsInteger(10, Place))
    return "";
  StringRef Name = Table.drop_front(std::min<uint64_t>(Place, Table.size())).split("/\n").first;
  SmallString<256> Path(sys::path::is_absolute(Name) ? "" : sys::path::parent_path(Archive));
  sys::path::append(Path, Name);
  return Path.str().str();
}

/// Counts the files of which a thin archive consists. It contains only the index and the table of
/// names.
static void countThinArchive(StringRef File, const std::string &Path, Census &Total) {
  StringRef Rest = File.drop_front(ThinMagic.size()), Table;
  std::set<std::string> Members;
  while (Rest.size() >= HeaderSize) {
    StringRef Header = Rest.take_front(HeaderSize);
    Rest = Rest.drop_front(HeaderSize);
    uint64_t Size;
    if (Header.slice(48, 58).rtrim().getAsInteger(10, Size))
      return;
    if (Header.starts_with("/") && isDigit(Header[1])) {
      Members.insert(thinMember(Header, Table, Path));
      continue;
    }
    if (Header.starts_with("//"))
      Table = Rest.take_front(Size);
    Rest = Rest.drop_front(std::min<uint64_t>(Rest.size(), Size + Size % 2));
  }
  for (const std::string &Member : Members)
    if (Member != Path)
      Total.add(countUnits(Member));
}

/// Counts an archive member by member: a header of 60 bytes, whose bytes 48 to 57 are the size in
/// decimal, then data.
static void countArchive(StringRef File, StringRef Name, Census &Total) {
  StringRef Rest = File.drop_front(ArchiveMagic.size());
  while (Rest.size() > HeaderSize) {
    uint64_t Size;
    if (Rest.slice(48, 58).rtrim().getAsInteger(10, Size))
      return;
    StringRef Member = Rest.take_front(16).split('/').first.rtrim();
    std::string Of = Member.empty() ? Name.str() : (Name + "(" + Member + ")").str();
    countObject(Rest.substr(HeaderSize, Size), Of, Total);
    Rest = Rest.drop_front(std::min<uint64_t>(Rest.size(), HeaderSize + Size + Size % 2));
  }
}

/// Whether a file that defines \p Names is an MPI library or a binding of one. Tools define no
/// names for profiling.
static bool isMPIsOwn(const std::set<std::string> &Names) {
  return any_of(Names, [](StringRef Name) { return Name.starts_with_insensitive("PMPI_Init"); });
}

Census countUnits(const std::string &Path) {
  Census Total;
  auto Buffer = MemoryBuffer::getFile(Path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!Buffer)
    return Total;
  StringRef File = (*Buffer)->getBuffer(), Name = sys::path::filename(Path);
  if (File.starts_with(ArchiveMagic))
    countArchive(File, Name, Total);
  else if (File.starts_with(ThinMagic))
    countThinArchive(File, Path, Total);
  else
    countObject(File, Name.str(), Total);
  if (isMPIsOwn(Total.DefinedInside))
    Total.DefinedInside.clear();
  return Total;
}

/// The index is the archive's first member. It begins with the number of names, as four bytes. A
/// number of four bytes for each name follows, and then the names, with a zero at the end of each.
std::set<std::string> namesInIndex(const std::string &Path) {
  std::set<std::string> Found;
  auto Buffer = MemoryBuffer::getFile(Path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  StringRef File = Buffer ? (*Buffer)->getBuffer() : "";
  uint64_t Size;
  if (!File.consume_front(ArchiveMagic) || !File.starts_with("/ ") ||
      File.slice(48, 58).rtrim().getAsInteger(10, Size) || Size < sizeof(uint32_t))
    return Found;
  StringRef Index = slice(File, HeaderSize, Size);
  uint32_t Names = Index.empty() ? 0 : support::endian::read32be(Index.data());
  Index = Index.drop_front(std::min<uint64_t>(Index.size(), (Names + uint64_t(1)) * sizeof Names));
  for (; Names && !Index.empty(); --Names) {
    auto [Name, Rest] = Index.split('\0');
    Found.insert(Name.str());
    Index = Rest;
  }
  return Found;
}

} // namespace mpispec
