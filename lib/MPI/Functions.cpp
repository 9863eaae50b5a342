//===- Functions.cpp - The arguments of MPI functions -----------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "MPI/Functions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/ErrorHandling.h"

using namespace llvm;

namespace mpispec {

namespace {
// The rows name roles without `Role::`. In this struct the names are constants of the same value.
struct RoleNames {
#define MPI_ROLE(NAME, TEXT) static constexpr Role NAME = Role::NAME;
#include "MPI/Functions.def"
#define ROLES(...) {__VA_ARGS__}
#define MPI_FUNCTION(NAME, KIND, LARGE, RETAINS, ...)                                              \
  static constexpr Role Of##NAME[] = __VA_ARGS__;
#include "MPI/Functions.def"
};
} // namespace

ArrayRef<FunctionInfo> allFunctions() {
  static const FunctionInfo Rows[] = {
#define MPI_FUNCTION(NAME, KIND, LARGE, RETAINS, ...)                                              \
  {#NAME, FunctionKind::KIND, LARGE, RETAINS, RoleNames::Of##NAME},
#include "MPI/Functions.def"
  };
  return Rows;
}

const FunctionInfo *lookUpFunction(StringRef Callee) {
  static const StringMap<const FunctionInfo *> ByName = [] {
    StringMap<const FunctionInfo *> Map;
    for (const FunctionInfo &F : allFunctions()) {
      Map[F.Name] = &F;
      if (F.HasLargeCount)
        Map[(Twine(F.Name) + "_c").str()] = &F;
    }
    return Map;
  }();
  return Callee.consume_front("MPI_") ? ByName.lookup(Callee) : nullptr;
}

StringRef text(Role R) {
  static const StringLiteral Texts[] = {
#define MPI_ROLE(NAME, TEXT) TEXT,
#include "MPI/Functions.def"
  };
  return Texts[static_cast<unsigned>(R)];
}

bool isCommunication(FunctionKind Kind) {
  switch (Kind) {
  case FunctionKind::Send:
  case FunctionKind::Recv:
  case FunctionKind::SendRecv:
  case FunctionKind::Probe:
  case FunctionKind::Completion:
  case FunctionKind::Collective:
    return true;
  case FunctionKind::Communicator:
  case FunctionKind::Datatype:
  case FunctionKind::OneSided:
  case FunctionKind::File:
  case FunctionKind::Other:
    return false;
  }
  llvm_unreachable("unknown function kind");
}

std::optional<unsigned> FunctionInfo::find(Role R) const {
  const Role *Found = llvm::find(Roles, R);
  if (Found == Roles.end())
    return std::nullopt;
  return Found - Roles.begin();
}

} // namespace mpispec
