//===- TailCalls.cpp - Calls that the compiler has replaced by jumps --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Profile/TailCalls.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/DebugInfo/DWARF/DWARFCompileUnit.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace mpispec {

struct TailCalls::Call {
  uint64_t ReturnAddress = 0;
  StringRef Callee; ///< empty: called by a pointer
  bool IsJump = false;
};

TailCalls::TailCalls(StringRef Object) {
  auto Read = object::ObjectFile::createObjectFile(Object);
  if (!Read) {
    consumeError(Read.takeError());
    return;
  }
  File = std::move(*Read);
  Debug = DWARFContext::create(*File->getBinary());
}

std::vector<std::string> TailCalls::sources() const {
  std::vector<std::string> Sources;
  if (!Debug)
    return Sources;
  for (const std::unique_ptr<DWARFUnit> &Unit : Debug->compile_units()) {
    DWARFDie Die = Unit->getUnitDIE();
    const char *Name = dwarf::toString(Die.find(dwarf::DW_AT_name), nullptr);
    SmallString<256> Path(Name ? Name : "");
    if (!Name || Path == "<artificial>") // made by link-time optimization
      continue;
    if (const char *Directory = Unit->getCompilationDir())
      sys::path::make_absolute(Directory, Path);
    sys::path::remove_dots(Path, /*remove_dot_dot=*/true);
    Sources.push_back(Path.str().str());
  }
  return Sources;
}

static StringRef nameOf(DWARFDie Function) {
  const char *Name = Function.getLinkageName();
  if (!Name)
    Name = Function.getShortName();
  return Name ? Name : "";
}

/// Adds the calls in \p Within, and those in functions that were inlined into it.
void TailCalls::collect(DWARFDie Within, std::vector<Call> &To) const {
  for (DWARFDie Die : Within.children()) {
    bool IsCall =
        Die.getTag() == dwarf::DW_TAG_call_site || Die.getTag() == dwarf::DW_TAG_GNU_call_site;
    if (!IsCall) {
      if (Die.getTag() != dwarf::DW_TAG_subprogram)
        collect(Die, To);
      continue;
    }
    Call C;
    auto Address =
        Die.find({dwarf::DW_AT_call_return_pc, dwarf::DW_AT_call_pc, dwarf::DW_AT_low_pc});
    C.ReturnAddress = dwarf::toAddress(Address, 0);
    if (!Die.find(dwarf::DW_AT_call_return_pc) && Die.find(dwarf::DW_AT_call_pc))
      ++C.ReturnAddress; // for a jump, Clang records the jump's address, not the one behind it
    for (dwarf::Attribute Origin : {dwarf::DW_AT_call_origin, dwarf::DW_AT_abstract_origin})
      if (DWARFDie Callee = Die.getAttributeValueAsReferencedDie(Origin))
        C.Callee = nameOf(Callee);
    C.IsJump = Die.find(dwarf::DW_AT_call_tail_call) || Die.find(dwarf::DW_AT_GNU_tail_call);
    To.push_back(C);
  }
}

std::vector<TailCalls::Call> TailCalls::callsIn(DWARFDie Function) const {
  std::vector<Call> Calls;
  collect(Function, Calls);
  return Calls;
}

static void addDefinitions(DWARFDie Within, StringMap<std::vector<DWARFDie>> &To) {
  for (DWARFDie Die : Within.children()) {
    if (is_contained({dwarf::DW_TAG_namespace, dwarf::DW_TAG_module}, Die.getTag()))
      addDefinitions(Die, To);
    else if (Die.getTag() == dwarf::DW_TAG_subprogram &&
             Die.find({dwarf::DW_AT_low_pc, dwarf::DW_AT_ranges}))
      To[nameOf(Die)].push_back(Die);
  }
}

void TailCalls::readDefinitions() {
  if (Definitions.empty())
    for (const std::unique_ptr<DWARFUnit> &Unit : Debug->compile_units())
      addDefinitions(Unit->getUnitDIE(/*ExtractUnitDIEOnly=*/false), Definitions);
}

/// Is \p Callee a symbol of \p Function? The large-count form MPI_Send_c counts as MPI_Send. In
/// Fortran the symbols are mpi_send_ and, with mpi_f08, mpi_send_f08_ or mpi_send_f08ts_.
static bool isCallOf(StringRef Callee, StringRef Function) {
  Callee = Callee.rtrim('_');
  for (StringRef Suffix : {"_f08ts", "_f08", "_c"})
    Callee.consume_back(Suffix);
  return Callee.equals_insensitive(Function);
}

/// Looks for jumps to \p To in the function \p From, and in functions that it reaches by jumps.
/// Adds the addresses behind these jumps to \p Found.
void TailCalls::findJumps(StringRef From, StringRef To, unsigned Depth,
                          std::vector<uint64_t> &Found) {
  constexpr unsigned Deepest = 4;
  for (DWARFDie Function : Definitions.lookup(From))
    for (const Call &C : callsIn(Function)) {
      if (!C.IsJump)
        continue;
      if (isCallOf(C.Callee, To))
        Found.push_back(C.ReturnAddress);
      else if (Depth < Deepest && !C.Callee.empty() && C.Callee != From)
        findJumps(C.Callee, To, Depth + 1, Found);
    }
}

std::vector<uint64_t> TailCalls::find(uint64_t ReturnAddress, StringRef Function) {
  DWARFCompileUnit *Unit = Debug ? Debug->getCompileUnitForCodeAddress(ReturnAddress - 1) : nullptr;
  DWARFDie Caller = Unit ? Unit->getSubroutineForAddress(ReturnAddress - 1) : DWARFDie();
  while (Caller && Caller.getTag() != dwarf::DW_TAG_subprogram)
    Caller = Caller.getParent();
  if (!Caller)
    return {ReturnAddress};
  for (const Call &C : callsIn(Caller)) {
    if (C.ReturnAddress != ReturnAddress || isCallOf(C.Callee, Function))
      continue;
    std::vector<uint64_t> Found;
    readDefinitions();
    findJumps(C.Callee, Function, 0, Found);
    return Found;
  }
  return {ReturnAddress};
}

} // namespace mpispec
