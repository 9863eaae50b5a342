//===- SiteRecord.cpp - A call site, read from its remarks ------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Report/SiteRecord.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <map>

using namespace llvm;

namespace mpispec {

Grade SiteRecord::grade() const {
  if (Form == CallForm::Left)
    return Grade::Left;
  // A remark about facts that hold in some copies only does not make this template worse.
  bool IsFull = all_of(Missed, [](const Miss &M) { return M.ID == RemarkID::PartialFacts; });
  return IsFull ? Grade::Full : Grade::Partly;
}

bool SiteRecord::knows(StringRef Key) const {
  auto Known = Facts.find(Key.str());
  return Known != Facts.end() && !StringRef(Known->second.Value).starts_with("[");
}

bool SiteRecord::predicts(StringRef Key) const {
  return any_of(Predictions, [&](const Likely &L) { return L.Key == Key; });
}

std::string formsOf(unsigned Inline, unsigned Ordinary, unsigned Left) {
  return utostr(Inline) + " inline, " + utostr(Ordinary) + " ordinary, " + utostr(Left) +
         " left as " + (Left == 1 ? "it is" : "they are");
}

static void addRemark(SiteRecord &Record, const Remark &R) {
  Record.File = R.File;
  Record.Line = R.Line;
  Record.Column = R.Column;
  Record.EnclosingFunction = R.Function;
  Record.Callee = R.get("Callee").str();
  if (R.K == Remark::Passed) {
    Record.Template = R.get("Template").str();
    bool IsOrdinary = R.get("Form") == text(CallForm::Ordinary);
    Record.Form = IsOrdinary ? CallForm::Ordinary : CallForm::Inline;
    Record.Because = R.get("Because").str();
  } else if (R.K == Remark::Missed) {
    Record.Missed.push_back({R.ID, R.get("Argument").str(), R.get("Text").str(),
                             R.get("Variable").str(), R.get("Scope").str(), R.get("Edit").str()});
  } else {
    Record.Warnings.push_back(R.get("Text").str());
  }
  std::string *Origin = nullptr;
  for (const RemarkArgument &A : R.Arguments)
    if (!A.Key.empty() && isLower(A.Key.front())) {
      SiteRecord::Fact &Fact = Record.Facts[A.Key];
      Fact.Value = A.Value;
      Origin = &Fact.Origin;
    } else if (A.Key == "Predicted") {
      Record.Predictions.push_back({A.Value, "", "", ""});
      Origin = &Record.Predictions.back().Origin;
    } else if (A.Key == "Value" && !Record.Predictions.empty()) {
      Record.Predictions.back().Value = A.Value;
    } else if (A.Key == "Percent" && !Record.Predictions.empty()) {
      Record.Predictions.back().Percent = A.Value;
    } else if (A.Key == "Origin" && Origin) {
      *Origin = A.Value;
    }
}

std::vector<SiteRecord> siteRecords(ArrayRef<Remark> Remarks) {
  std::map<unsigned, SiteRecord> BySite;
  for (const Remark &R : Remarks) {
    unsigned Site;
    if (R.get("Site").getAsInteger(10, Site))
      continue;
    SiteRecord &Record = BySite[Site];
    Record.Site = Site;
    addRemark(Record, R);
  }
  std::vector<SiteRecord> Records;
  for (auto &[Site, Record] : BySite)
    Records.push_back(std::move(Record));
  return Records;
}

} // namespace mpispec
