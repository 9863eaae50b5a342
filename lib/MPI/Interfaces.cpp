//===- Interfaces.cpp - The binary interfaces of MPI libraries --------------------------------===//
#include "MPI/Interfaces.h"
#include "mpispec/state_symbol.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace mpispec {

StringRef text(HandleStyle Style) {
  switch (Style) {
  case HandleStyle::MPICH:
    return "MPICH";
  case HandleStyle::ABI:
    return "ABI";
  case HandleStyle::OMPI:
    return "OMPI";
  }
  llvm_unreachable("unknown style");
}

StringRef ownersOf(HandleStyle Style) {
  switch (Style) {
  case HandleStyle::MPICH:
    return "MPICH or Intel MPI";
  case HandleStyle::ABI:
    return "MPI-5's ABI";
  case HandleStyle::OMPI:
    return "Open MPI";
  }
  llvm_unreachable("unknown style");
}

std::string stateSymbol(HandleStyle Style) { return MPISPEC_STATE_SYMBOL + text(Style).lower(); }

ArrayRef<RuntimeKind> allRuntimes() {
  static constexpr RuntimeKind Kinds[] = {
      {"mpich", HandleStyle::MPICH, "MPICH before 4.2, or MVAPICH"},
      {"mpich42", HandleStyle::MPICH, "MPICH 4.2 or later, or Intel MPI"},
      {"abi", HandleStyle::ABI, "MPI-5's ABI"},
      {"openmpi4", HandleStyle::OMPI, "Open MPI 4"},
      {"openmpi5", HandleStyle::OMPI, "Open MPI 5"},
  };
  return Kinds;
}

static const RuntimeKind *runtimeNamed(StringRef Name) {
  return find_if(allRuntimes(), [&](const RuntimeKind &K) { return K.Name == Name; });
}

/// A library with MPICH's handles is libmpi.so.12, or has mpich in its name; from MPICH 4.2 on it
/// has MPI-4.1's functions. Open MPI's have numbers from libmpi.so.20 on; its 4 and 5 are both
/// libmpi.so.40, but 5 has more functions.
const RuntimeKind *runtimeForLibrary(StringRef File, StringRef Contents) {
  if (File.starts_with("libmpi_abi."))
    return runtimeNamed("abi");
  auto OfMPICH = [&] { return runtimeNamed(Contents.contains(MPI41Mark) ? "mpich42" : "mpich"); };
  if (File.contains("mpich"))
    return OfMPICH();
  unsigned Version = 0;
  if (!File.consume_front("libmpi.so.") || File.split('.').first.getAsInteger(10, Version))
    return nullptr;
  if (Version < 20)
    return OfMPICH();
  return runtimeNamed(Contents.contains(OpenMPI5Mark) ? "openmpi5" : "openmpi4");
}

} // namespace mpispec
