//===- Wrappers.cpp - MPI calls through functions of the project ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Lint/Wrappers.h"
#include "MPI/Datatypes.h"
#include "MPI/Functions.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/Twine.h"

using namespace llvm;

namespace mpispec {

namespace {
/// The functions of all units by name. Null if functions with the same name have different
/// summaries.
using Summaries = StringMap<const FunctionSummary *>;

/// A call of MPI in a wrapper, with the arguments that one call of the wrapper gives it.
class WrappedCall {
public:
  WrappedCall(const FunctionCall &Caller, const HandedOn &Inner, const FunctionInfo &F,
              std::vector<LintFinding> &Findings)
      : Caller(Caller), Inner(Inner), F(F), Findings(Findings) {}
  void check();

private:
  KnownArgument argument(Role R) const;
  bool isFromCaller(Role R) const;
  void checkSide(Role Buffer, Role Count, Role Datatype);
  void checkPeer(Role Peer, Role Tag);
  void say(const Twine &Message) {
    Findings.push_back({LintRule::Wrappers, Caller.Where,
                        (Caller.Name + " hands on to " + Inner.Callee + ": " + Message).str()});
  }

  const FunctionCall &Caller;
  const HandedOn &Inner;
  const FunctionInfo &F;
  std::vector<LintFinding> &Findings;
};
} // namespace

bool WrappedCall::isFromCaller(Role R) const {
  std::optional<unsigned> Index = F.find(R);
  return Index && Inner.Arguments[*Index].K == KnownArgument::Parameter;
}

KnownArgument WrappedCall::argument(Role R) const {
  std::optional<unsigned> Index = F.find(R);
  if (!Index)
    return {};
  const KnownArgument &A = Inner.Arguments[*Index];
  if (A.K != KnownArgument::Parameter)
    return A;
  return uint64_t(A.Value) < Caller.Arguments.size() ? Caller.Arguments[A.Value] : KnownArgument();
}

void WrappedCall::checkSide(Role Buffer, Role Count, Role Datatype) {
  KnownArgument Number = argument(Count), Type = argument(Datatype), Object = argument(Buffer);
  bool HasNumber = Number.K == KnownArgument::Number;
  if (HasNumber && Number.Value < 0 && isFromCaller(Count))
    return say(text(Count) + " is " + Twine(Number.Value));
  if (Object.K != KnownArgument::Object || Type.K != KnownArgument::Datatype ||
      (HasNumber && Number.Value == 0) || !isFromCaller(Buffer))
    return;
  const DatatypeInfo *Info = lookUpDatatype(Type.Text);
  if (Info && Info->Class == DatatypeClass::Arithmetic && Object.Element &&
      Object.Element != Type.Value)
    return say("elements of '" + Object.Text + "' have " + Twine(Object.Element) + " bytes, but " +
               Type.Text + " has " + Twine(Type.Value));
  if (HasNumber && Number.Value > Object.Value / Type.Value)
    say("it describes " + Twine(Number.Value) + " x " + Twine(Type.Value) +
        " bytes, more than the " + Twine(Object.Value) + " of '" + Object.Text + "'");
}

void WrappedCall::checkPeer(Role Peer, Role Tag) {
  auto IsWrong = [&](Role R) {
    KnownArgument A = argument(R);
    return isFromCaller(R) && A.K == KnownArgument::Number && A.Value < 0 && !A.IsNamed;
  };
  for (Role R : {Peer, Tag})
    if (IsWrong(R))
      say(text(R) + " is " + Twine(argument(R).Value) + ", which MPI has no name for");
}

/// A call whose peer is a named constant is not checked, because no other argument matters with
/// MPI_PROC_NULL (MPI-4.0, section 3.11). A buffer of a collective operation is not checked either
/// if only the root uses it.
void WrappedCall::check() {
  for (Role Peer : {Role::Peer, Role::Destination, Role::Source})
    if (argument(Peer).IsNamed)
      return;
  bool IsMessage = F.Kind == FunctionKind::Send || F.Kind == FunctionKind::Recv;
  bool IsEverywhere = F.Kind == FunctionKind::Collective && F.find(Role::Buffer);
  if (IsMessage || IsEverywhere)
    checkSide(Role::Buffer, Role::Count, Role::Datatype);
  if (IsMessage)
    checkPeer(Role::Peer, Role::Tag);
}

static Summaries join(ArrayRef<UnitReport> Reports) {
  Summaries All;
  for (const UnitReport &Report : Reports)
    for (const FunctionSummary &F : Report.Functions) {
      auto [Known, New] = All.try_emplace(F.Function, &F);
      if (!New && Known->second && toJSON(*Known->second) != toJSON(F))
        Known->second = nullptr;
    }
  return All;
}

void findThroughWrappers(ArrayRef<UnitReport> Reports, std::vector<LintFinding> &Findings) {
  Summaries All = join(Reports);
  for (const UnitReport &Report : Reports)
    for (const FunctionCall &Caller : Report.Calls)
      if (const FunctionSummary *Callee = All.lookup(Caller.Function))
        for (const HandedOn &Inner : Callee->Calls)
          if (const FunctionInfo *F = lookUpFunction(Inner.Callee))
            WrappedCall(Caller, Inner, *F, Findings).check();
}

} // namespace mpispec
