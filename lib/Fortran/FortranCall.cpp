//===- FortranCall.cpp - An MPI call of a Fortran source --------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Fortran/FortranCall.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace mpispec {

StringRef text(FortranBinding B) {
  switch (B) {
  case FortranBinding::Header:
    return "mpif.h";
  case FortranBinding::Module:
    return "mpi";
  case FortranBinding::ModuleF08:
    return "mpi_f08";
  }
  llvm_unreachable("unknown binding");
}

ArrayRef<FortranDatatype> allFortranDatatypes() {
  static const FortranDatatype Rows[] = {
#define FORTRAN_DATATYPE(NAME, CATEGORY, BYTES) {#NAME, FortranCategory::CATEGORY, BYTES},
#include "Fortran/FortranDatatypes.def"
  };
  return Rows;
}

const FortranDatatype *lookUpFortranDatatype(StringRef Name) {
  const FortranDatatype *Row =
      find_if(allFortranDatatypes(), [&](const FortranDatatype &D) { return D.Name == Name; });
  return Row == allFortranDatatypes().end() ? nullptr : Row;
}

/// The name of the dummy argument with \p R (MPI-4.0, appendix A.4).
static bool isKeywordOf(StringRef Keyword, Role R) {
  return StringSwitch<bool>(Keyword)
      .Cases({"buf", "buffer", "inbuf"}, R == Role::Buffer)
      .Case("count", R == Role::Count)
      .Case("datatype", R == Role::Datatype)
      .Case("dest", R == Role::Peer || R == Role::Destination)
      .Case("source", R == Role::Peer || R == Role::Source)
      .Case("tag", R == Role::Tag)
      .Case("sendbuf", R == Role::SendBuffer)
      .Case("sendcount", R == Role::SendCount)
      .Case("sendtype", R == Role::SendDatatype)
      .Case("sendtag", R == Role::SendTag)
      .Case("recvbuf", R == Role::RecvBuffer)
      .Case("recvcount", R == Role::RecvCount)
      .Case("recvtype", R == Role::RecvDatatype)
      .Case("recvtag", R == Role::RecvTag)
      .Case("comm", R == Role::Comm)
      .Case("root", R == Role::Root)
      .Case("op", R == Role::Op)
      .Case("request", R == Role::Request)
      .Case("array_of_requests", R == Role::Requests)
      .Case("status", R == Role::Status)
      .Case("array_of_statuses", R == Role::Statuses)
      .Case("flag", R == Role::Flag)
      .Default(false);
}

const FortranArgument *FortranCall::find(Role R) const {
  if (!Function)
    return nullptr;
  for (const FortranArgument &A : Arguments)
    if (isKeywordOf(A.Keyword, R))
      return &A;
  std::optional<unsigned> Index = Function->find(R);
  if (!Index || *Index >= Arguments.size() || !Arguments[*Index].Keyword.empty())
    return nullptr;
  return &Arguments[*Index];
}

unsigned FortranCall::parameters() const {
  unsigned OfC = Function->Roles.size();
  if (Function->Name == "Init" || Function->Name == "Init_thread")
    OfC -= 2; // argc and argv
  return OfC + 1;
}

} // namespace mpispec
