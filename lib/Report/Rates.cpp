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

namespace {
// Columns of the table of rates.
constexpr unsigned LabelWidth = 20, NumberWidth = 6, PercentWidth = 6, WrittenWidth = 10, Gap = 4;
constexpr unsigned GroupWidth = NumberWidth + PercentWidth + WrittenWidth;
} // namespace

/// What the program knows and what the study found: "  12   60%       47%".
static void printGroup(unsigned Known, unsigned Sites, unsigned Written, Style &S) {
  if (Sites == 0)
    S.cell(Style::Dim, "-", NumberWidth + PercentWidth, /*Right=*/true);
  else {
    S.cell(Style::Plain, std::to_string(Known), NumberWidth, true);
    S.cell(Style::Bold, std::to_string((Known * 200 + Sites) / (2 * Sites)) + "%", PercentWidth,
           true);
  }
  S.cell(Style::Dim, Written ? std::to_string(Written) + "%" : "-", WrittenWidth, true);
}

static void printHeads(const Rates &R, Style &S, raw_ostream &OS) {
  S.cell(Style::Bold, "ARGUMENT", LabelWidth);
  S.cell(Style::Bold, counted(R.SendRecv.Sites, "send/recv call"), GroupWidth, true);
  OS.indent(Gap);
  S.cell(Style::Bold, counted(R.Allreduce.Sites, "Allreduce call"), GroupWidth, true);
  (OS << '\n').indent(LabelWidth);
  for (unsigned Before : {0u, Gap}) {
    OS.indent(Before);
    S.cell(Style::Dim, "known", NumberWidth + PercentWidth, true);
    S.cell(Style::Dim, "written*", WrittenWidth, true);
  }
  OS << '\n';
}

void printRates(const Rates &R, Style &S, raw_ostream &OS) {
  if (R.SendRecv.Sites + R.Allreduce.Sites == 0)
    return;
  printHeads(R, S, OS);
  for (const RateRow &Row : rateRows()) {
    S.cell(Style::Plain, Row.Label, LabelWidth);
    printGroup(R.SendRecv.*Row.Known, R.SendRecv.Sites, Row.WrittenInSendRecv, S);
    OS.indent(Gap);
    printGroup(R.Allreduce.*Row.Known, Row.InAllreduce ? R.Allreduce.Sites : 0,
               Row.WrittenInAllreduce, S);
    OS << '\n';
  }
  S.write(Style::Dim, "* written as a constant, in the C and C++ programs of the EuroMPI'23 study");
  OS << '\n';
}

} // namespace mpispec
