//===- SiteRemarks.cpp - Call sites as remarks ------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Report/SiteRemarks.h"
#include "Report/SiteKnowledge.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"

using namespace llvm;

namespace mpispec {

/// A remark that begins with "MPI_Send (site 3)" and continues with \p Then.
static Remark startRemark(const CallSite &Site, RemarkID ID, StringRef Then) {
  Remark R(ID);
  R.File = Site.File;
  R.Line = Site.Line;
  R.Column = Site.Column;
  R.Function = Site.EnclosingFunction.empty() ? UnitScope.str() : Site.EnclosingFunction;
  R.Arguments = {{"Callee", Site.Callee},
                 {"String", " (site "},
                 {"Site", std::to_string(Site.Number)},
                 {"String", (")" + Then).str()}};
  return R;
}

static void addInBrackets(Remark &R, StringRef Key, StringRef Value) {
  R.Arguments.push_back({"String", " ("});
  R.Arguments.push_back({Key.str(), Value.str()});
  R.Arguments.push_back({"String", ")"});
}

static void addFacts(Remark &R, const CallSite &Site, const SiteFacts &Facts) {
  for (const NamedFact &F : namedFacts(Site, Facts)) {
    if (F.Value.K == Answer::Unknown)
      continue;
    R.Arguments.push_back({"String", "; " + F.Key + " "});
    R.Arguments.push_back({F.Key, text(F.Value)});
    if (!F.Value.Origin.empty())
      addInBrackets(R, "Origin", F.Value.Origin);
  }
  for (const NamedPrediction &P : namedPredictions(Site, Facts)) {
    R.Arguments.push_back({"String", "; perhaps "});
    R.Arguments.push_back({"Predicted", P.Key});
    R.Arguments.push_back({"String", " "});
    R.Arguments.push_back({"Value", text(P.Value)});
    R.Arguments.push_back({"String", ", "});
    R.Arguments.push_back({"Percent", std::to_string(P.Percent)});
    R.Arguments.push_back({"String", " %"});
    if (!P.Value.Origin.empty())
      addInBrackets(R, "Origin", P.Value.Origin);
  }
}

static Remark passed(const CallSite &Site, const SiteFacts &Facts, const Choice &C) {
  Remark R = startRemark(Site, RemarkID::Specialised, " is ");
  if (!C.Template.empty()) {
    R.Arguments.push_back({"Template", C.Template});
    R.Arguments.push_back({"String", ", "});
  }
  R.Arguments.push_back({"Form", text(C.Form).str()});
  if (!C.WhyOrdinary.empty())
    addInBrackets(R, "Because", C.WhyOrdinary);
  addFacts(R, Site, Facts);
  return R;
}

static Remark missed(const CallSite &Site, const MissedFact &M) {
  Remark R = startRemark(Site, M.Remark, ": ");
  if (!M.Argument.empty()) {
    R.Arguments.push_back({"Argument", M.Argument});
    R.Arguments.push_back({"String", ": "});
  }
  R.Arguments.push_back({"Text", M.problem().str()});
  if (M.Edit.empty())
    return R;
  R.Arguments.push_back({"String", ": "});
  R.Arguments.push_back({"Edit", M.Edit});
  R.Arguments.push_back({"String", " ["});
  R.Arguments.push_back({"Variable", M.Variable});
  if (!M.Scope.empty()) {
    R.Arguments.push_back({"String", " in "});
    R.Arguments.push_back({"Scope", M.Scope});
  }
  R.Arguments.push_back({"String", "]"});
  return R;
}

static Remark warned(const CallSite &Site, const ArgumentWarning &W) {
  Remark R = startRemark(Site, RemarkID::ArgumentWarning, ": ");
  R.Arguments.push_back({"Text", W.Message});
  return R;
}

/// Names the directory to which the file names of this unit are relative: a build has many
/// "main.c".
static Remark unitRemark() {
  SmallString<128> Directory;
  sys::fs::current_path(Directory);
  Remark R(RemarkID::TranslationUnit);
  R.Function = UnitScope.str();
  R.Arguments = {{"String", "analysed in "}, {"Directory", Directory.str().str()}};
  return R;
}

std::vector<Remark> toRemarks(ArrayRef<CallSite> Sites, ArrayRef<SiteFacts> Facts,
                              ArrayRef<Choice> Choices) {
  std::vector<Remark> Remarks = {unitRemark()};
  for (const auto &[Site, Known, C] : zip_equal(Sites, Facts, Choices)) {
    if (C.isRewritten())
      Remarks.push_back(passed(Site, Known, C));
    for (const MissedFact &M : C.Missed) {
      Remarks.push_back(missed(Site, M));
      // Without a Passed remark, the first Missed remark contains the known facts.
      if (!C.isRewritten() && &M == &C.Missed.front())
        addFacts(Remarks.back(), Site, Known);
    }
    for (const ArgumentWarning &W : Known.Warnings)
      Remarks.push_back(warned(Site, W));
  }
  return Remarks;
}

} // namespace mpispec
