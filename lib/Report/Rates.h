//===- Rates.h - The share of arguments whose value is known ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A rate is the share of call sites at which an argument is known at compile time. The report
// compares it with the share at which the argument is *written* as a constant (the syntactic
// argument study of EuroMPI'23). The difference is the contribution of the optimizer.
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_REPORT_RATES_H
#define MPISPEC_REPORT_RATES_H

#include "Report/SiteRecord.h"
#include "Support/TextLayout.h"

namespace mpispec {

/// The number of sites. For each argument, the number of sites at which it is known on every side
/// of the call.
struct KnownCounts {
  unsigned Sites = 0;
  unsigned Datatype = 0, Count = 0, Tag = 0, Comm = 0, Peer = 0;
  unsigned DatatypeAndCount = 0;
  unsigned Size = 0; ///< known to be short or long
  unsigned Node = 0; ///< known to be remote or local

  /// \p Predicted: predicted values count as known.
  void add(const SiteRecord &Record, bool Predicted);
};

struct Rates {
  KnownCounts SendRecv;  ///< calls that send or receive a message, blocking or not
  KnownCounts Allreduce; ///< has no tag and no peer
  KnownCounts LikelySendRecv, LikelyAllreduce; ///< the same, with predicted values

  void add(const SiteRecord &Record);
};

struct RateRow {
  llvm::StringLiteral Key, Label; ///< in JSON, and for people
  unsigned KnownCounts::*Known;
  /// Percent in the study for send and receive sites, and for Allreduce; 0: the study has no
  /// figure.
  unsigned WrittenInSendRecv, WrittenInAllreduce;
  bool InAllreduce; ///< does an Allreduce have it?
};

llvm::ArrayRef<RateRow> rateRows();

/// A table of at most 80 columns. Writes nothing if no site can be counted.
void printRates(const Rates &R, Style &S, llvm::raw_ostream &OS);

} // namespace mpispec
#endif
