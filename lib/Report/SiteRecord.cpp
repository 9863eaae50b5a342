//===- SiteRecord.cpp - A call site as its remarks tell it ------------------------------------===//
#include "Report/SiteRecord.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <map>

using namespace llvm;

namespace mpispec {

Grade SiteRecord::grade() const {
  if (Form == CallForm::Left)
    return Grade::Left;
  // Cloning might pay for any site: it says nothing about this template.
  bool IsFull = all_of(Missed, [](const Miss &M) { return M.ID == RemarkID::PartialFacts; });
  return IsFull ? Grade::Full : Grade::Partly;
}

bool SiteRecord::knows(StringRef Key) const {
  auto Known = Facts.find(Key.str());
  return Known != Facts.end() && !StringRef(Known->second.Value).starts_with("[");
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
  SiteRecord::Fact *Last = nullptr;
  for (const RemarkArgument &A : R.Arguments)
    if (!A.Key.empty() && isLower(A.Key.front())) {
      Last = &Record.Facts[A.Key];
      Last->Value = A.Value;
    } else if (A.Key == "Origin" && Last) {
      Last->Origin = A.Value;
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
