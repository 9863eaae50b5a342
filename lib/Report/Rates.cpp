//===- Rates.cpp - How much of the arguments is known
//---------------------------------------------===//
#include "Report/Rates.h"
#include "MPI/Functions.h"
#include "llvm/ADT/Twine.h"

using namespace llvm;

namespace mpispec {

void KnownCounts::add(const SiteRecord &Record) {
  const FunctionInfo *F = lookUpFunction(Record.Callee);
  // Where a role is there twice, both must be known. Sendrecv_replace has one message, two peers.
  auto Knows = [&](StringRef Sending, Role Second, StringRef Receiving) {
    return Record.knows(Sending) && (!F || !F->find(Second) || Record.knows(Receiving));
  };
  bool KnowsDatatype = Knows("datatype", Role::RecvDatatype, "recv_datatype");
  bool KnowsCount = Knows("count", Role::RecvCount, "recv_count");
  ++Sites;
  Datatype += KnowsDatatype;
  Count += KnowsCount;
  DatatypeAndCount += KnowsDatatype && KnowsCount;
  Tag += Knows("tag", Role::RecvTag, "recv_tag");
  Peer += Knows("peer", Role::Source, "source");
  Comm += Record.knows("comm");
  Size += Knows("size", Role::RecvCount, "recv_size");
  Node += Knows("node", Role::Source, "recv_node");
}

void Rates::add(const SiteRecord &Record) {
  const FunctionInfo *F = lookUpFunction(Record.Callee);
  if (!F)
    return;
  // A matched receive (MPI_Mrecv) has neither tag nor peer: it is not in the study.
  if (F->Kind == FunctionKind::SendRecv ||
      ((F->Kind == FunctionKind::Send || F->Kind == FunctionKind::Recv) && F->find(Role::Tag)))
    SendRecv.add(Record);
  else if (F->Name == "Allreduce")
    Allreduce.add(Record);
}

ArrayRef<RateRow> rateRows() {
  using Counts = KnownCounts;
  static const RateRow Rows[] = {
      {"datatype", "datatype", &Counts::Datatype, 67, 0, true},
      {"count", "count", &Counts::Count, 33, 0, true},
      {"tag", "tag", &Counts::Tag, 47, 0, false},
      {"comm", "comm", &Counts::Comm, 39, 0, true},
      {"peer", "peer", &Counts::Peer, 0, 0, false},
      {"datatype_and_count", "datatype and count", &Counts::DatatypeAndCount, 22, 66, true},
      {"size", "short or long", &Counts::Size, 0, 0, true},
      {"node", "remote or local", &Counts::Node, 0, 0, false},
  };
  return Rows;
}

/// "  12   60%": how many, and the share of \p Sites.
static void printShare(unsigned Known, unsigned Sites, Style &S) {
  if (Sites == 0)
    return S.cell(Style::Dim, "-", 13, /*Right=*/true);
  S.cell(Style::Plain, std::to_string(Known), 7, true);
  S.cell(Style::Bold, std::to_string((Known * 200 + Sites) / (2 * Sites)) + "%", 6, true);
}

static void printWritten(unsigned Percent, Style &S) {
  S.cell(Style::Dim, Percent ? std::to_string(Percent) + "%" : "-", 9, true);
}

void printRates(const Rates &R, Style &S, raw_ostream &OS) {
  if (R.SendRecv.Sites + R.Allreduce.Sites == 0)
    return;
  constexpr unsigned LabelWidth = 20;
  S.cell(Style::Bold, "KNOWN AT COMPILE", LabelWidth);
  S.cell(Style::Bold, counted(R.SendRecv.Sites, "send/recv site"), 22, true);
  S.cell(Style::Bold, counted(R.Allreduce.Sites, "Allreduce site"), 26, true);
  OS << '\n';
  S.cell(Style::Bold, "TIME", LabelWidth);
  for (int Group = 0; Group < 2; ++Group) {
    S.cell(Style::Dim, "known", 13, true);
    S.cell(Style::Dim, "written*", Group ? 10 : 9, true);
    OS.indent(Group ? 0 : 3);
  }
  OS << '\n';
  for (const RateRow &Row : rateRows()) {
    S.cell(Style::Plain, Row.Label, LabelWidth);
    printShare(R.SendRecv.*Row.Known, R.SendRecv.Sites, S);
    printWritten(Row.WrittenInSendRecv, S);
    OS.indent(3);
    printShare(R.Allreduce.*Row.Known, Row.InAllreduce ? R.Allreduce.Sites : 0, S);
    OS << ' ';
    printWritten(Row.WrittenInAllreduce, S);
    OS << '\n';
  }
  S.write(Style::Dim, "* sites with the argument written as a constant, in the C and C++ programs "
                      "of the\n  EuroMPI'23 argument study");
  OS << '\n';
}

} // namespace mpispec
