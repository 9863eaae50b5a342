//===- Choice.h - The template chosen for a call site -----------------------------------------===//
//
// What Selection hands to Rewrite, which redirects the call, and to the reports, which explain it.
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

/// What kept a site from a more special template.
struct Missed {
  RemarkID Remark;
  std::string Argument; ///< the argument that blocked it: "count", or empty
  std::string Text;     ///< one line: what is not known, and the edit that would free it
  /// What the edit is about, so that hints can be grouped: the variable or expression that is
  /// passed, and the function that has it (empty: it belongs to the whole unit). All empty: there
  /// is nothing to edit.
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
  std::vector<Prediction> Assumed; ///< what the call is tested for besides its proven facts
  SiteFacts Facts;                 ///< what is known if these hold
  std::string Template;
};

/// Selection's verdict on one site.
struct Choice {
  unsigned Site = 0;    ///< CallSite::Number
  std::string Template; ///< "Sendrecv_remote"; empty unless the form is Inline
  std::vector<mpispec::Missed> Missed;
  CallForm Form = CallForm::Left;
  std::string WhyOrdinary = {}; ///< where the form is Ordinary
  /// Has the call a fast path by what is proven alone? If not, an inline call has only Versions.
  bool HasProven = true;
  /// Tried in this order before the template of what is proven (HasProven), or the ordinary call.
  std::vector<Version> Versions = {};

  bool isRewritten() const { return Form != CallForm::Left; }
};

/// One row a choice and one a missed fact, for `--print=choices` and tests.
void print(llvm::ArrayRef<Choice> Choices, llvm::raw_ostream &OS);

} // namespace mpispec
#endif
