//===- Interfaces.cpp - The binary interfaces of MPI libraries --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "MPI/Interfaces.h"
#include "mpispec/state_symbol.h"
#include "llvm/Support/ErrorHandling.h"

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

} // namespace mpispec
