//===- Facts.cpp - The sides of a call, and facts as text -------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Facts/Facts.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace mpispec {

static Transfer transfer(const FunctionInfo &F, bool Receives, ArrayRef<Role> Wanted) {
  auto If = [&](unsigned I) { return F.find(Wanted[I]) ? std::optional(Wanted[I]) : std::nullopt; };
  Transfer T;
  T.Buffer = If(0);
  T.Count = If(1);
  T.Datatype = If(2);
  T.Peer = If(3);
  T.Tag = If(4);
  T.Receives = Receives;
  return T;
}

SmallVector<Transfer, 2> transfersOf(const FunctionInfo &F) {
  SmallVector<Transfer, 2> Sides;
  switch (F.Kind) {
  case FunctionKind::Send:
  case FunctionKind::Recv:
  case FunctionKind::Probe:
    // MPI_Mrecv has no peer, and MPI_Probe has no buffer. The roles of absent arguments stay empty.
    Sides.push_back(transfer(F, F.Kind != FunctionKind::Send,
                             {Role::Buffer, Role::Count, Role::Datatype, Role::Peer, Role::Tag}));
    break;
  case FunctionKind::SendRecv: {
    bool Replace = F.find(Role::Buffer).has_value(); // both sides share buffer, count and datatype
    Sides.push_back(transfer(
        F, false,
        {Replace ? Role::Buffer : Role::SendBuffer, Replace ? Role::Count : Role::SendCount,
         Replace ? Role::Datatype : Role::SendDatatype, Role::Destination, Role::SendTag}));
    Sides.push_back(transfer(
        F, true,
        {Replace ? Role::Buffer : Role::RecvBuffer, Replace ? Role::Count : Role::RecvCount,
         Replace ? Role::Datatype : Role::RecvDatatype, Role::Source, Role::RecvTag}));
    break;
  }
  case FunctionKind::Collective:
    if (F.find(Role::Count)) // Bcast has a buffer, reductions a send and a receive buffer
      Sides.push_back(transfer(F, false,
                               {F.find(Role::Buffer) ? Role::Buffer : Role::SendBuffer, Role::Count,
                                Role::Datatype, Role::Peer, Role::Tag}));
    if (F.find(Role::SendCount))
      Sides.push_back(
          transfer(F, false,
                   {Role::SendBuffer, Role::SendCount, Role::SendDatatype, Role::Peer, Role::Tag}));
    if (F.find(Role::RecvCount))
      Sides.push_back(transfer(
          F, true, {Role::RecvBuffer, Role::RecvCount, Role::RecvDatatype, Role::Peer, Role::Tag}));
    break;
  case FunctionKind::Completion:
  case FunctionKind::Communicator:
  case FunctionKind::Datatype:
  case FunctionKind::OneSided:
  case FunctionKind::File:
  case FunctionKind::Other:
    break;
  }
  return Sides;
}

static const Answer *answerOf(const Transfer &Side, const TransferFacts &T, Role Argument) {
  if (Side.Count == Argument)
    return &T.Count;
  if (Side.Datatype == Argument)
    return &T.Datatype;
  if (Side.Peer == Argument)
    return &T.Peer;
  return Side.Tag == Argument ? &T.Tag : nullptr;
}

const TransferFacts *sideOf(const FunctionInfo &F, const SiteFacts &Facts, Role Argument) {
  const SmallVector<Transfer, 2> Sides = transfersOf(F);
  for (const auto &[Side, T] : zip(Sides, Facts.Transfers))
    if (answerOf(Side, T, Argument))
      return &T;
  return nullptr;
}

const Answer *answerOf(const FunctionInfo &F, const SiteFacts &Facts, Role Argument) {
  if (Argument == Role::Comm)
    return &Facts.Comm;
  if (Argument == Role::Op)
    return &Facts.Op;
  if (Argument == Role::Root)
    return &Facts.Root;
  const SmallVector<Transfer, 2> Sides = transfersOf(F);
  for (const auto &[Side, T] : zip(Sides, Facts.Transfers))
    if (const Answer *Found = answerOf(Side, T, Argument))
      return Found;
  return nullptr;
}

StringRef text(PredictionSource S) {
  switch (S) {
  case PredictionSource::Copies:
    return "copies";
  case PredictionSource::Unit:
    return "unit";
  case PredictionSource::Project:
    return "project";
  case PredictionSource::Profile:
    return "profile";
  }
  llvm_unreachable("unknown source of predictions");
}

StringRef text(SizeClass S) {
  switch (S) {
  case SizeClass::Dynamic:
    return "dynamic";
  case SizeClass::Short:
    return "short";
  case SizeClass::Long:
    return "long";
  }
  llvm_unreachable("unknown size class");
}

StringRef text(NodeClass N) {
  switch (N) {
  case NodeClass::Dynamic:
    return "dynamic";
  case NodeClass::Remote:
    return "remote";
  case NodeClass::Local:
    return "local";
  }
  llvm_unreachable("unknown node class");
}

StringRef text(Repetition R) {
  switch (R) {
  case Repetition::Once:
    return "once";
  case Repetition::PerCall:
    return "once per call";
  case Repetition::Repeated:
    return "repeated";
  }
  llvm_unreachable("unknown repetition");
}

std::string text(const Answer &A) {
  switch (A.K) {
  case Answer::Unknown:
    return "unknown";
  case Answer::Range:
    return ("[" + Twine(A.Low) + ", " + Twine(A.High) + "]").str();
  case Answer::Constant:
    return std::to_string(A.Low);
  case Answer::Handle:
    return A.Name;
  case Answer::Derived:
    return "derived";
  }
  llvm_unreachable("unknown kind of answer");
}

static void printKnown(StringRef Key, const Answer &A, raw_ostream &OS) {
  if (A.K != Answer::Unknown)
    OS << ' ' << Key << '=' << text(A) << " (" << A.Origin << ')';
}

static void print(const TransferFacts &T, raw_ostream &OS) {
  printKnown("count", T.Count, OS);
  printKnown("datatype", T.Datatype, OS);
  printKnown("peer", T.Peer, OS);
  printKnown("tag", T.Tag, OS);
  printKnown("bytes", T.Bytes, OS);
  if (T.Size != SizeClass::Dynamic)
    OS << " size=" << text(T.Size) << " (" << T.SizeOrigin << ')';
  if (T.Node != NodeClass::Dynamic)
    OS << " node=" << text(T.Node) << " (" << T.NodeOrigin << ')';
  if (T.PeerIsNull)
    OS << " null-peer";
  if (T.PeerIsWildcard)
    OS << " wildcard";
  else if (T.PeerMayBeWildcard)
    OS << " may-be-wildcard";
}

void print(ArrayRef<SiteFacts> Facts, raw_ostream &OS) {
  for (const SiteFacts &F : Facts) {
    OS << F.Site << ": copies=" << F.Copies;
    if (F.Copies && F.Runs != Repetition::PerCall)
      OS << ' ' << text(F.Runs);
    printKnown("comm", F.Comm, OS);
    printKnown("root", F.Root, OS);
    printKnown("op", F.Op, OS);
    if (F.StatusIgnored)
      OS << " status-ignored";
    if (F.StatusUnread)
      OS << " status-unread";
    for (const TransferFacts &T : F.Transfers) {
      OS << " |";
      print(T, OS);
    }
    OS << '\n';
    for (const std::string &Text : F.Partial)
      OS << "   partial: " << Text << '\n';
    for (const ArgumentWarning &W : F.Warnings)
      OS << "   warning: " << W.Message << '\n';
  }
}

void printPredictions(ArrayRef<SiteFacts> Facts, raw_ostream &OS) {
  for (const SiteFacts &F : Facts) {
    OS << F.Site << ':';
    ListSeparator Comma;
    for (const Prediction &P : F.Predictions)
      OS << StringRef(Comma) << ' ' << text(P.Argument) << '=' << text(P.Value) << ' ' << P.Percent
         << " % (" << text(P.Source) << ": " << P.Value.Origin << ')';
    OS << '\n';
  }
}

} // namespace mpispec
