//===- JoinedSite.h - The copies of a site, joined --------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// After inlining, unrolling and cloning, a site has several calls. A value in one copy proves
// nothing about the call of the source. A value in all copies is a fact. Therefore every answer is
// joined over the copies: ranges become their hull, and different truth values become unknown.
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_FACTS_JOINEDSITE_H
#define MPISPEC_FACTS_JOINEDSITE_H

#include "Facts/CallCopy.h"
#include "Facts/Questions.h"
#include "Facts/Repetition.h"
#include "Frontend/CallSite.h"
#include "Frontend/HandleProbe.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/ConstantRange.h"
#include "llvm/IR/PassManager.h"
#include <map>
#include <optional>

namespace mpispec {

/// The common answer of all copies so far about a Boolean.
enum class JoinedAnswer : uint8_t { None, Yes, No, Unknown };

/// The common facts of all copies so far about a value.
struct JoinedValue {
  bool Seen = false;
  llvm::ConstantRange Hull{64, /*isFullSet=*/true}; ///< integers, sign-extended to 64 bits
  const llvm::Constant *Handle = nullptr; ///< the one constant of all copies, if there is one
  std::map<int64_t, unsigned> Constants;  ///< how many copies have which constant
  llvm::SmallPtrSet<const llvm::Constant *, 4>
      Handles; ///< the constants of all copies; null: not a constant
  /// For each constant, the number of copies that may have it. A copy with several possible values
  /// adds a fraction to each of them; the fractions sum to 1. Null stands for values that are no
  /// constants.
  llvm::SmallMapVector<const llvm::Constant *, double, 4> Shares;
};

/// The messages that all copies so far have in common.
class JoinedMessages {
public:
  void add(const std::vector<std::string> &OfCopy) {
    if (!std::exchange(Seen, true))
      Common = OfCopy;
    else
      llvm::erase_if(Common,
                     [&](const std::string &Text) { return !llvm::is_contained(OfCopy, Text); });
  }
  std::vector<std::string> Common;

private:
  bool Seen = false;
};

/// The common facts of all copies about one side of the call (transfersOf).
struct JoinedTransfer {
  JoinedValue Count, Datatype, Peer, Tag, Bytes;
  JoinedAnswer IsSignificant = JoinedAnswer::None;
  JoinedAnswer IsDerived = JoinedAnswer::None; ///< isDerived(), HandleLives.h
  JoinedAnswer Questions[static_cast<unsigned>(TransferQuestion::Last)] = {};
  JoinedAnswer operator[](TransferQuestion Q) const { return Questions[static_cast<unsigned>(Q)]; }
};

/// The common facts of all copies about the site.
struct JoinedSite {
  JoinedValue Comm, Root, Op, Status, Requests, RequestCount;
  llvm::SmallVector<JoinedTransfer, 2> Transfers;
  JoinedMessages Mistakes;
  unsigned Copies = 0;
  Repetition Runs = Repetition::Once;
};

/// Joins the copies of one site.
class SiteJoin {
public:
  SiteJoin(const CallSite &Site, const Handles &Values, llvm::FunctionAnalysisManager &Analyses,
           Repetitions &Runs)
      : Site(Site), Values(Values), Sides(transfersOf(*Site.Function)), Analyses(Analyses),
        Runs(Runs) {
    Result.Transfers.resize(Sides.size());
  }
  void add(llvm::CallBase &Call);
  JoinedSite Result;

  /// The result if the site's function is used other than by calls. Nothing is known then.
  JoinedSite nothing() const {
    JoinedSite Unknown;
    Unknown.Transfers.resize(Sides.size());
    Unknown.Copies = 1;
    Unknown.Runs = Repetition::Repeated;
    return Unknown;
  }

private:
  void addTransfer(const PlantedCall &Planted, llvm::CallBase &Call, unsigned Index);
  RootHere rootHere(const PlantedCall &Planted, llvm::CallBase &Call);
  void addValue(JoinedValue &Joined, llvm::Value *V, llvm::CallBase &Call);

  const CallSite &Site;
  const Handles &Values;
  llvm::SmallVector<Transfer, 2> Sides;
  llvm::FunctionAnalysisManager &Analyses;
  Repetitions &Runs;
};

} // namespace mpispec
#endif
