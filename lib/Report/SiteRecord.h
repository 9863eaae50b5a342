//===- SiteRecord.h - A call site, read from its remarks --------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// SiteRemarks.h turns a call site, its facts and its choice into remarks. This file joins the
// remarks into one record again. `explain` and `report` both count records, so that their figures
// always agree.
//
// In a remark about a site, keys that begin with a lower-case letter are facts, named as in
// `explain --format=json`. The other keys are:
//
//   Callee                     "MPI_Send"
//   Site                       number of the site in its translation unit
//   Template                   "Sendrecv_remote"
//   Form                       "inline", "ordinary" (Selection/Choice.h)
//   Because                    the reason why it is ordinary
//   Argument                   the argument that blocked a better template (Missed)
//   Text                       the explanation, or the mistake
//   Variable, Scope, Edit      the edit that would help
//   Origin                     the origin of the fact or prediction before it
//   Predicted, Value, Percent  a likely value of an argument, under a fact's key
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_REPORT_SITERECORD_H
#define MPISPEC_REPORT_SITERECORD_H

#include "Selection/CallForm.h"
#include "Support/Remarks.h"
#include "llvm/ADT/MapVector.h"
#include <map>

namespace mpispec {

/// How complete the facts about a site are.
enum class Grade : uint8_t {
  Full,   ///< no missing fact would change its code
  Partly, ///< a missing fact would change its code
  Left,   ///< the call stays as it is
};

struct SiteRecord {
  std::string File;
  unsigned Line = 0, Column = 0, Site = 0;
  std::string Callee, EnclosingFunction;
  CallForm Form = CallForm::Left;
  std::string Template; ///< empty unless inline
  std::string Because;  ///< why an ordinary call is not inline
  struct Fact {
    std::string Value, Origin; ///< "MPI_INT", "macro MPI_INT"; the origin may be empty
  };
  /// By key, in the order of SiteKnowledge.h.
  llvm::MapVector<std::string, Fact, std::map<std::string, unsigned>> Facts;

  struct Likely {
    std::string Key, Value, Percent, Origin;
  };
  std::vector<Likely> Predictions; ///< likeliest first for each key

  struct Miss {
    RemarkID ID;
    std::string Argument, Text = {};
    std::string Variable = {}, Scope = {}, Edit = {}; ///< empty: there is nothing to edit
  };
  std::vector<Miss> Missed;
  std::vector<std::string> Warnings;

  Grade grade() const;
  /// Is the exact value of \p Key known? A range is not exact.
  bool knows(llvm::StringRef Key) const;
  bool predicts(llvm::StringRef Key) const;
};

/// "3 inline, 2 ordinary, 1 left as it is": the three numbers by which all reports sum up calls.
std::string formsOf(unsigned Inline, unsigned Ordinary, unsigned Left);

/// The sites that the remarks of ONE translation unit are about, in the order of their numbers.
std::vector<SiteRecord> siteRecords(llvm::ArrayRef<Remark> Remarks);

} // namespace mpispec
#endif
