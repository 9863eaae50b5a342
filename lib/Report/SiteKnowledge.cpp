//===- SiteKnowledge.cpp - The facts of a site under their names ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Report/SiteKnowledge.h"
#include "Facts/Predictions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"

using namespace llvm;

namespace mpispec {

/// The class "dynamic" means that the class is unknown.
static Answer classAnswer(bool IsKnown, StringRef Name, StringRef Origin) {
  Answer A;
  if (IsKnown) {
    A.K = Answer::Handle;
    A.Name = Name.str();
    A.Origin = Origin.str();
  }
  return A;
}

/// \p First is the sending side if \p Side is the receiving side of a two-sided call.
static void addTransfer(const Transfer &Side, const TransferFacts &Known, const Transfer *First,
                        std::vector<NamedFact> &Facts) {
  StringRef Prefix = First ? "recv_" : "";
  bool IsOwnMessage = !First || First->Count != Side.Count; // Sendrecv_replace has one for both
  auto Add = [&](const Twine &Key, const Answer &Value) { Facts.push_back({Key.str(), Value}); };
  if (Side.Datatype && IsOwnMessage)
    Add(Prefix + "datatype", Known.Datatype);
  if (Side.Count && IsOwnMessage) {
    Add(Prefix + "count", Known.Count);
    Answer Size = classAnswer(Known.Size != SizeClass::Dynamic, text(Known.Size), Known.SizeOrigin);
    if (Size.K != Answer::Unknown && Size.Origin.empty() && Known.Bytes.K != Answer::Unknown)
      Size.Origin = text(Known.Bytes) + (Known.Bytes.High == 1 ? " byte" : " bytes");
    Add(Prefix + "size", Size);
  }
  if (Side.Peer) {
    Add(First ? "source" : "peer", Known.Peer);
    Add(Prefix + "node",
        classAnswer(Known.Node != NodeClass::Dynamic, text(Known.Node), Known.NodeOrigin));
  }
  if (Side.Tag)
    Add(Prefix + "tag", Known.Tag);
}

static bool saysNothing(const Answer &A) {
  return A.K == Answer::Range && !A.isBoundedBelow() && !A.isBoundedAbove();
}

std::vector<NamedFact> namedFacts(const CallSite &Site, const SiteFacts &Facts) {
  std::vector<NamedFact> Named;
  const SmallVector<Transfer, 2> Sides = transfersOf(*Site.Function);
  for (const auto &[Side, Known] : zip(Sides, Facts.Transfers))
    addTransfer(Side, Known, &Side == &Sides.front() ? nullptr : &Sides.front(), Named);
  auto Has = [&](Role R) { return Site.Function->find(R).has_value(); };
  if (Has(Role::Op))
    Named.push_back({"op", Facts.Op});
  if (Has(Role::Root))
    Named.push_back({"root", Facts.Root});
  if (Has(Role::Comm))
    Named.push_back({"comm", Facts.Comm});
  if (Facts.StatusIgnored)
    Named.push_back({"status", classAnswer(true, "ignored", "")});
  else if (Facts.StatusUnread)
    Named.push_back({"status", classAnswer(true, "unread", "nobody reads the variable")});
  for (NamedFact &F : Named)
    if (saysNothing(F.Value))
      F.Value = Answer();
  return Named;
}

static StringRef keyOf(Role R) {
  switch (R) {
  case Role::Datatype:
  case Role::SendDatatype:
    return "datatype";
  case Role::RecvDatatype:
    return "recv_datatype";
  case Role::Count:
  case Role::SendCount:
    return "count";
  case Role::RecvCount:
    return "recv_count";
  case Role::Comm:
    return "comm";
  case Role::Op:
    return "op";
  default:
    return "";
  }
}

std::vector<NamedPrediction> namedPredictions(const CallSite &Site, const SiteFacts &Facts) {
  std::vector<NamedPrediction> Named;
  for (const Prediction &P : Facts.Predictions)
    if (!keyOf(P.Argument).empty())
      Named.push_back({keyOf(P.Argument).str(), P.Value, P.Percent, P.Source});
  for (PredictedSize &P : predictedSizes(*Site.Function, Facts)) {
    bool IsSecond = P.Side && Site.Function->find(Role::RecvCount);
    if (!P.Side || IsSecond) // Sendrecv_replace has one message for both sides
      Named.push_back({IsSecond ? "recv_size" : "size", classAnswer(true, text(P.Size), P.Origin),
                       P.Percent, P.Source});
  }
  return Named;
}

} // namespace mpispec
