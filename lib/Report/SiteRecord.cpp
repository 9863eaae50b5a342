//===- SiteRecord.cpp - A call site as its remarks tell it ------------------------------------===//
#include "Report/SiteRecord.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <map>

using namespace llvm;

namespace mpispec {

CallForm SiteRecord::form() const {
  if (Template.empty())
    return CallForm::Left;
  return IsOrdinary ? CallForm::Ordinary : CallForm::Inline;
}

Grade SiteRecord::grade() const {
  if (Template.empty())
    return Grade::Untouched;
  // Cloning might pay for a site of any grade: it says nothing about this template.
  if (all_of(Missed, [](const Miss &M) { return M.ID == "partial-facts"; }))
    return Grade::Full;
  return StringRef(Template).ends_with("_generic") ? Grade::Generic : Grade::Partly;
}

bool SiteRecord::knows(StringRef Key) const {
  auto Fact = Facts.find(Key);
  return Fact != Facts.end() && !StringRef(Fact->second).starts_with("[");
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
    Record.IsOrdinary = R.get("Form") == text(CallForm::Ordinary);
  } else if (R.K == Remark::Missed) {
    Record.Missed.push_back({R.ID, R.get("Argument").str(), R.get("Variable").str(),
                             R.get("Scope").str(), R.get("Edit").str()});
  } else {
    ++Record.Warnings;
  }
  for (const RemarkArgument &A : R.Arguments)
    if (!A.Key.empty() && isLower(A.Key.front()))
      Record.Facts[A.Key] = A.Value;
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
