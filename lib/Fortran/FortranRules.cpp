//===- FortranRules.cpp - Mistakes in the MPI calls of a Fortran source -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Fortran/FortranRules.h"
#include "Support/TextLayout.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace mpispec {

static void report(LintRule Rule, const FortranCall &Call, const Twine &Message,
                   std::vector<LintFinding> &Findings) {
  Findings.push_back({Rule, Call.Where, Call.Callee + ": " + Message.str()});
}

//===- Arguments -----------------------------------------------------------------------------===//

void checkArgumentCount(const FortranCall &Call, std::vector<LintFinding> &Findings) {
  bool HasKeywords =
      any_of(Call.Arguments, [](const FortranArgument &A) { return !A.Keyword.empty(); });
  if (!Call.Function || HasKeywords)
    return;
  unsigned Given = Call.Arguments.size(), Needed = Call.parameters();
  bool MayOmitError = Call.Binding == FortranBinding::ModuleF08;
  if (Given == Needed || (MayOmitError && Given + 1 == Needed))
    return;
  std::string Message = counted(Given, "argument") + ", but " + utostr(Needed) + " are needed";
  if (Given + 1 == Needed)
    Message += ": 'ierror' is missing";
  report(LintRule::Arguments, Call, Message, Findings);
}

/// Has one of \p Names the value \p Value?
static bool isOneOf(int64_t Value, std::initializer_list<StringRef> Names,
                    const FortranUnit &Unit) {
  return any_of(Names, [&](StringRef Name) {
    auto Constant = Unit.Constants.find(Name);
    return Constant != Unit.Constants.end() && Constant->second == Value;
  });
}

/// May an argument with \p R have the negative value \p Value?
static bool mayBeNegative(Role R, int64_t Value, const FortranUnit &Unit) {
  switch (R) {
  case Role::Count:
  case Role::SendCount:
  case Role::RecvCount:
  case Role::RequestCount:
    return false;
  case Role::Root:
    return isOneOf(Value, {"mpi_root", "mpi_proc_null"}, Unit);
  case Role::Peer:
  case Role::Source:
  case Role::Destination:
    return isOneOf(Value, {"mpi_any_source", "mpi_proc_null"}, Unit);
  case Role::Tag:
  case Role::SendTag:
  case Role::RecvTag:
    return isOneOf(Value, {"mpi_any_tag"}, Unit);
  default:
    return true;
  }
}

static void checkNegativeNumbers(const FortranCall &Call, const FortranUnit &Unit,
                                 std::vector<LintFinding> &Findings) {
  if (!Call.Function || !isCommunication(Call.Function->Kind))
    return;
  for (Role R : Call.Function->Roles)
    if (const FortranArgument *A = Call.find(R); A && A->Value && *A->Value < 0 &&
                                                 A->MpiConstant.empty() &&
                                                 !mayBeNegative(R, *A->Value, Unit))
      report(LintRule::Arguments, Call,
             text(R) + " is " + Twine(*A->Value) + " in every execution of this call", Findings);
}

//===- Requests ------------------------------------------------------------------------------===//

static void checkRequests(const FortranCall &Call, std::vector<LintFinding> &Findings) {
  for (const FortranArgument &A : Call.Arguments)
    if (A.OnlyNonblocking)
      report(LintRule::Requests, Call,
             "nothing completes the request '" + A.Text +
                 "', because only nonblocking calls use the variable",
             Findings);
}

//===- Roots ---------------------------------------------------------------------------------===//

/// Is \p Variable the caller's rank in the communicator with the text \p Comm?
static bool isRankIn(StringRef Comm, const FortranBranch &Branch, const FortranCall &User,
                     const FortranUnit &Unit) {
  return any_of(Unit.Calls, [&](const FortranCall &Call) {
    const FortranArgument *Of = Call.find(Role::Comm), *Rank = Call.find(Role::Rank);
    return Call.Callee == "MPI_Comm_rank" && Call.Procedure == User.Procedure && Of && Rank &&
           Of->Text == Comm && Rank->Text == Branch.Variable;
  });
}

/// The first collective call of a branch; null: there is none.
static const FortranCall *firstCollective(const FortranUnit &Unit, unsigned Construct,
                                          bool IsElse) {
  auto Found = find_if(Unit.Calls, [&](const FortranCall &Call) {
    return Call.Branch.Construct == Construct && Call.Branch.IsElse == IsElse && Call.Function &&
           Call.Function->Kind == FunctionKind::Collective;
  });
  return Found == Unit.Calls.end() ? nullptr : &*Found;
}

/// Compares \p Call, the first in its ELSE block, with the first in the THEN block.
static void checkRoots(const FortranCall &Call, const FortranUnit &Unit,
                       std::vector<LintFinding> &Findings) {
  if (!Call.Branch.IsElse || firstCollective(Unit, Call.Branch.Construct, true) != &Call)
    return;
  const FortranCall *Then = firstCollective(Unit, Call.Branch.Construct, false);
  if (!Then || Then->Callee != Call.Callee)
    return;
  const FortranArgument *Root = Call.find(Role::Root), *Other = Then->find(Role::Root);
  const FortranArgument *Comm = Call.find(Role::Comm), *OtherComm = Then->find(Role::Comm);
  if (!Root || !Other || !Comm || !OtherComm || Comm->Text != OtherComm->Text)
    return;
  if (!Root->Value || !Other->Value || *Root->Value == *Other->Value || *Root->Value < 0 ||
      *Other->Value < 0 || !isRankIn(Comm->Text, Call.Branch, Call, Unit))
    return;
  report(LintRule::Collectives, Call,
         "root is " + Twine(*Root->Value) + ", but " + Twine(*Other->Value) + " in line " +
             Twine(Then->Where.Line) + ", which other processes execute",
         Findings);
}

//===- Tags ----------------------------------------------------------------------------------===//

/// The tags that an argument stands for.
static std::vector<TagRange> tagsOf(const FortranArgument *Tag, bool Receives) {
  if (!Tag || !Tag->Value || (Receives && *Tag->Value < 0))
    return {AnyTag};
  return {TagRange{*Tag->Value, *Tag->Value}};
}

static void addEnd(const FortranCall &Call, Role Tag, Role Peer, bool Receives,
                   std::vector<MessageEnd> &Ends) {
  const FortranArgument *To = Call.find(Peer);
  if (To && To->MpiConstant == "MPI_PROC_NULL")
    return;
  MessageEnd End;
  End.Callee = Call.Callee;
  End.Argument = text(Tag).str();
  End.Where = Call.Where;
  End.Receives = Receives;
  bool MayNotHappen = StringRef(Call.Callee).ends_with("_init");
  bool NeedNotCome = Call.Function->find(Role::Request) || Call.Function->find(Role::Flag);
  End.NeedsOther = !MayNotHappen && !(Receives && NeedNotCome);
  if (const FortranArgument *Comm = Call.find(Role::Comm))
    End.Comm = Comm->MpiConstant;
  End.Tags = tagsOf(Call.find(Tag), Receives);
  Ends.push_back(End);
  if (!Call.Function->find(Role::Flag))
    return;
  // A program may poll with MPI_Iprobe for a message that is never sent. Therefore the probe also
  // counts as a send, so that receives with its tag are no mistakes.
  End.Receives = false;
  Ends.push_back(std::move(End));
}

static void addEnds(const FortranCall &Call, std::vector<MessageEnd> &Ends) {
  if (!Call.Function)
    return;
  switch (Call.Function->Kind) {
  case FunctionKind::Send:
    return addEnd(Call, Role::Tag, Role::Peer, /*Receives=*/false, Ends);
  case FunctionKind::Recv:
  case FunctionKind::Probe:
    if (Call.Function->find(Role::Tag))
      addEnd(Call, Role::Tag, Role::Peer, /*Receives=*/true, Ends);
    return;
  case FunctionKind::SendRecv:
    addEnd(Call, Role::SendTag, Role::Destination, /*Receives=*/false, Ends);
    return addEnd(Call, Role::RecvTag, Role::Source, /*Receives=*/true, Ends);
  default:
    return;
  }
}

static void addUnseenEnds(std::vector<MessageEnd> &Ends) {
  for (bool Receives : {false, true}) {
    MessageEnd Any;
    Any.Receives = Receives;
    Any.Tags = {AnyTag};
    Ends.push_back(std::move(Any));
  }
}

void checkFortranUnit(const FortranUnit &Unit, UnitReport &Report) {
  for (const FortranCall &Call : Unit.Calls) {
    checkArgumentCount(Call, Report.Findings);
    checkNegativeNumbers(Call, Unit, Report.Findings);
    checkRequests(Call, Report.Findings);
    checkRoots(Call, Unit, Report.Findings);
    checkBufferTypes(Call, Unit, Report.Findings);
    addEnds(Call, Report.Ends);
  }
  bool HidesEnds = Unit.HasUnseenMessages || any_of(Unit.Calls, [](const FortranCall &Call) {
                     return StringRef(Call.Callee).starts_with("MPI_P") &&
                            StringRef(Call.Callee).ends_with("_init");
                   });
  if (HidesEnds)
    addUnseenEnds(Report.Ends);
  Report.Defines = Unit.Defines;
  Report.Uses = Unit.Uses;
}

} // namespace mpispec
