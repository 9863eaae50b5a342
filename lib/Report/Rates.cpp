//===- Rates.cpp - The share of arguments whose value is known --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Report/Rates.h"
#include "MPI/Functions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

using namespace llvm;

namespace mpispec {

void KnownCounts::add(const SiteRecord &Record, bool Predicted) {
  const FunctionInfo *F = lookUpFunction(Record.Callee);
  auto Has = [&](StringRef Key) {
    return Record.knows(Key) || (Predicted && Record.predicts(Key));
  };
  // If a role occurs on both sides, both arguments must be known. Sendrecv_replace has one message
  // and two peers.
  auto Knows = [&](StringRef Sending, Role Second, StringRef Receiving) {
    return Has(Sending) && (!F || !F->find(Second) || Has(Receiving));
  };
  bool KnowsDatatype = Knows("datatype", Role::RecvDatatype, "recv_datatype");
  bool KnowsCount = Knows("count", Role::RecvCount, "recv_count");
  ++Sites;
  Datatype += KnowsDatatype;
  Count += KnowsCount;
  DatatypeAndCount += KnowsDatatype && KnowsCount;
  Tag += Knows("tag", Role::RecvTag, "recv_tag");
  Peer += Knows("peer", Role::Source, "source");
  Comm += Has("comm");
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
    SendRecv.add(Record, false), LikelySendRecv.add(Record, true);
  else if (F->Name == "Allreduce")
    Allreduce.add(Record, false), LikelyAllreduce.add(Record, true);
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
constexpr unsigned LikelyWidth = 8; ///< only where something is predicted
constexpr unsigned GroupWidth = NumberWidth + PercentWidth + WrittenWidth;

/// The calls of one group of columns, with the known values and the percentages of the study.
struct Group {
  const KnownCounts &Counts, &Likely;
  StringRef Noun;
  unsigned RateRow::*Written;
  bool IsAllreduce;

  bool has(const RateRow &Row) const { return Row.InAllreduce || !IsAllreduce; }
  bool hasPredictions() const {
    return any_of(rateRows(), [&](const RateRow &R) { return Counts.*R.Known != Likely.*R.Known; });
  }
};

} // namespace

/// Prints the columns of one group, with the predicted share between them.
static void printGroup(const Group &G, const RateRow &Row, Style &S) {
  unsigned Known = G.Counts.*Row.Known, Sites = G.Counts.Sites, Written = Row.*G.Written;
  auto Percent = [&](unsigned Count) {
    return std::to_string((Count * 200 + Sites) / (2 * Sites)) + "%";
  };
  if (G.has(Row)) {
    S.cell(Style::Plain, std::to_string(Known), NumberWidth, true);
    S.cell(Style::Bold, Percent(Known), PercentWidth, true);
  } else
    S.cell(Style::Dim, "-", NumberWidth + PercentWidth, /*Right=*/true);
  if (G.hasPredictions())
    S.cell(Style::Plain, G.has(Row) ? Percent(G.Likely.*Row.Known) : "-", LikelyWidth, true);
  S.cell(Style::Dim, Written ? std::to_string(Written) + "%" : "-", WrittenWidth, true);
}

static void printHeads(ArrayRef<Group> Groups, Style &S, raw_ostream &OS) {
  S.cell(Style::Bold, "ARGUMENT", LabelWidth);
  for (const Group &G : Groups) {
    OS.indent(&G == Groups.begin() ? 0 : Gap);
    S.cell(Style::Bold, counted(G.Counts.Sites, G.Noun),
           GroupWidth + (G.hasPredictions() ? LikelyWidth : 0), true);
  }
  (OS << '\n').indent(LabelWidth);
  for (const Group &G : Groups) {
    OS.indent(&G == Groups.begin() ? 0 : Gap);
    S.cell(Style::Dim, "known", NumberWidth + PercentWidth, true);
    if (G.hasPredictions())
      S.cell(Style::Dim, "likely", LikelyWidth, true);
    S.cell(Style::Dim, "written*", WrittenWidth, true);
  }
  OS << '\n';
}

void printRates(const Rates &R, Style &S, raw_ostream &OS) {
  SmallVector<Group, 2> Groups;
  if (R.SendRecv.Sites)
    Groups.push_back(
        {R.SendRecv, R.LikelySendRecv, "send/recv call", &RateRow::WrittenInSendRecv, false});
  if (R.Allreduce.Sites)
    Groups.push_back(
        {R.Allreduce, R.LikelyAllreduce, "Allreduce call", &RateRow::WrittenInAllreduce, true});
  if (Groups.empty())
    return;
  printHeads(Groups, S, OS);
  for (const RateRow &Row : rateRows()) {
    if (none_of(Groups, [&](const Group &G) { return G.has(Row); }))
      continue;
    S.cell(Style::Plain, Row.Label, LabelWidth);
    for (const Group &G : Groups) {
      OS.indent(&G == Groups.begin() ? 0 : Gap);
      printGroup(G, Row, S);
    }
    OS << '\n';
  }
  S.write(Style::Dim, "* written as a constant, in the C and C++ programs of the EuroMPI'23 study");
  OS << '\n';
}

} // namespace mpispec
