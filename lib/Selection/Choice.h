//===- Choice.h - The template chosen for a call site -----------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The result of Selection. Rewrite redirects the call by it, and the reports explain it.
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_SELECTION_CHOICE_H
#define MPISPEC_SELECTION_CHOICE_H

#include "Facts/Facts.h"
#include "Selection/CallForm.h"
#include "Support/Remarks.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/raw_ostream.h"
#include <string>
#include <vector>

namespace mpispec {

/// A reason why a site did not get a more special template.
struct MissedFact {
  RemarkID Remark;
  std::string Argument; ///< the argument that is the reason: "count", or empty
  std::string Text;     ///< one line: the missing fact, and the edit that would provide it
  /// The subject of the edit, by which hints are grouped: the variable or expression that is
  /// passed, and the function that contains it. Scope is empty for the whole unit. If both are
  /// empty, no edit helps.
  std::string Variable = {}, Scope = {};
  std::string Edit = {}; ///< the end of Text, after ": "

  /// Text without the edit.
  llvm::StringRef problem() const {
    llvm::StringRef Problem = Text;
    if (!Edit.empty() && Problem.consume_back(Edit))
      Problem.consume_back(": ");
    return Problem;
  }
};

/// A template for the values that arguments are predicted to have.
struct Version {
  std::vector<Prediction> Assumed; ///< tested at the call, in addition to its proven facts
  SiteFacts Facts;                 ///< the facts if these predictions hold
  std::string Template;
};

/// The result for one site.
struct Choice {
  unsigned Site = 0;    ///< CallSite::Number
  std::string Template; ///< "Sendrecv_remote"; empty unless the form is Inline
  std::vector<MissedFact> Missed;
  CallForm Form = CallForm::Left;
  std::string WhyOrdinary = {}; ///< if the form is Ordinary
  /// Do proven facts alone give the call a fast path? If not, an inline call has only Versions.
  bool HasProven = true;
  /// Tested in this order, before the template for proven facts (HasProven) or the ordinary call.
  std::vector<Version> Versions = {};

  bool isRewritten() const { return Form != CallForm::Left; }
};

/// Prints a row for each choice and for each missed fact, for `--print=choices` and tests.
void print(llvm::ArrayRef<Choice> Choices, llvm::raw_ostream &OS);

} // namespace mpispec
#endif
