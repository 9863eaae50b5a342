//===- Report.cpp - The remarks of a whole build in one table ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Report/Report.h"
#include "Support/OutputFile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace mpispec {

/// The *.yaml files below \p Directory in a fixed order.
static Expected<std::vector<std::string>> remarkFiles(StringRef Directory) {
  if (!sys::fs::is_directory(Directory))
    return createStringError("'%s' is not a directory: give the one that --mpispec-remarks named "
                             "in the build",
                             Directory.str().c_str());
  std::vector<std::string> Files;
  std::error_code EC;
  for (sys::fs::recursive_directory_iterator I(Directory, EC, /*follow_symlinks=*/false), End;
       I != End && !EC; I.increment(EC))
    if (StringRef(I->path()).ends_with(".yaml"))
      Files.push_back(I->path());
  if (EC)
    return createStringError(EC, "cannot read directory '%s': %s", Directory.str().c_str(),
                             EC.message().c_str());
  if (Files.empty())
    return createStringError("no remark file (*.yaml) below '%s': build with 'mpispec "
                             "--mpispec-remarks=%s <compiler> ...' first",
                             Directory.str().c_str(), Directory.str().c_str());
  llvm::sort(Files);
  return Files;
}

static Expected<std::vector<Remark>> readFile(StringRef Path) {
  ErrorOr<std::unique_ptr<MemoryBuffer>> Buffer = MemoryBuffer::getFile(Path);
  if (!Buffer)
    return createStringError(Buffer.getError(), "cannot read '%s': %s", Path.str().c_str(),
                             Buffer.getError().message().c_str());
  return readRemarks(**Buffer);
}

namespace {

/// One translation unit before it is merged into the build. File names in its records are absolute.
struct Unit {
  std::string Directory;
  std::vector<SiteRecord> Sites;
  std::vector<std::pair<RemarkID, std::string>> Fallbacks; ///< and the source
};

} // namespace

static std::string absolute(StringRef File, StringRef Directory) {
  SmallString<128> Path(File);
  sys::path::make_absolute(Directory, Path);
  sys::path::remove_dots(Path, /*remove_dot_dot=*/true);
  return Path.str().str();
}

static Unit makeUnit(ArrayRef<Remark> Remarks) {
  Unit U;
  for (const Remark &R : Remarks) {
    if (R.ID == RemarkID::TranslationUnit)
      U.Directory = R.get("Directory").str();
    else if (isFallback(R.ID))
      U.Fallbacks.push_back({R.ID, R.File});
  }
  U.Sites = siteRecords(Remarks);
  for (SiteRecord &S : U.Sites) {
    if (!U.Directory.empty())
      S.File = absolute(S.File, U.Directory);
    if (!U.Fallbacks.empty()) { // the unit was finally compiled without mpispec
      S.Form = CallForm::Left;
      S.Template.clear();
      S.Missed = {{U.Fallbacks.front().first, ""}};
    }
  }
  return U;
}

/// Merges \p Seen, the record of the same site from another translation unit, into \p Known.
/// \p Known keeps only the common facts. Its form, template, missed facts and predictions become
/// those of the less favourable record.
static void merge(SiteRecord &Known, const SiteRecord &Seen) {
  decltype(Known.Facts) Common;
  for (const auto &[Key, Fact] : Known.Facts)
    if (auto Other = Seen.Facts.find(Key);
        Other != Seen.Facts.end() && Other->second.Value == Fact.Value)
      Common[Key] = Fact;
  if (std::make_pair(Seen.Form, Seen.grade()) > std::make_pair(Known.Form, Known.grade())) {
    Known.Template = Seen.Template;
    Known.Form = Seen.Form;
    Known.Missed = Seen.Missed;
    Known.Because = Seen.Because;
    Known.Predictions = Seen.Predictions;
  }
  Known.Facts = std::move(Common);
  if (Seen.Warnings.size() > Known.Warnings.size())
    Known.Warnings = Seen.Warnings;
}

/// The deepest directory that holds both.
static StringRef commonDirectory(StringRef A, StringRef B) {
  while (!A.empty() && A != B && !(B.starts_with(A) && B[A.size()] == '/'))
    A = sys::path::parent_path(A);
  return A;
}

static StringRef shown(StringRef File, StringRef Base) {
  if (!Base.empty() && File.consume_front(Base))
    File.consume_front("/");
  return File;
}

namespace {

/// Merges units. A site is identified by its place, its callee, and its number among the sites with
/// both (several calls in one macro share a place).
class Merger {
public:
  void add(const Unit &U) {
    ++B.Units;
    if (!U.Directory.empty())
      B.Base = B.Base.empty() ? U.Directory : commonDirectory(B.Base, U.Directory).str();
    for (const auto &[ID, Source] : U.Fallbacks)
      B.Fallbacks[text(ID).str()].push_back(Source);
    std::map<Place, unsigned> Equals;
    for (const SiteRecord &S : U.Sites) {
      Place P(S.File, S.Line, S.Column, S.Callee);
      auto [Known, IsNew] = Sites.try_emplace({P, Equals[P]++}, BuildSite{S});
      if (IsNew)
        continue;
      ++Known->second.Units;
      merge(Known->second.Record, S);
    }
  }

  Build finish() {
    for (auto &[Key, Site] : Sites) {
      Site.Record.File = shown(Site.Record.File, B.Base).str();
      B.Sites.push_back(std::move(Site));
    }
    return std::move(B);
  }

private:
  using Place = std::tuple<std::string, unsigned, unsigned, std::string>;
  std::map<std::pair<Place, unsigned>, BuildSite> Sites;
  Build B;
};

} // namespace

Expected<Build> readBuild(StringRef Directory) {
  Expected<std::vector<std::string>> Files = remarkFiles(Directory);
  if (!Files)
    return Files.takeError();
  Merger M;
  for (StringRef File : *Files) {
    Expected<std::vector<Remark>> Remarks = readFile(File);
    if (!Remarks)
      return Remarks.takeError();
    if (!Remarks->empty()) // a file with only LLVM's own remarks does not count
      M.add(makeUnit(*Remarks));
  }
  return M.finish();
}

static std::vector<MissedTotal> missedTotals(const Build &B) {
  std::map<std::pair<std::string, std::string>, std::map<std::string, unsigned>> Files;
  for (const BuildSite &S : B.Sites)
    for (const SiteRecord::Miss &M : S.Record.Missed)
      ++Files[{text(M.ID).str(), M.Argument}][S.Record.File];
  std::vector<MissedTotal> Totals;
  for (const auto &[Key, ByFile] : Files) {
    MissedTotal T{Key.first, Key.second, 0, {ByFile.begin(), ByFile.end()}};
    for (const auto &[File, Sites] : ByFile)
      T.Sites += Sites;
    llvm::sort(T.Files, MostFirst());
    Totals.push_back(std::move(T));
  }
  llvm::sort(Totals, [](const MissedTotal &L, const MissedTotal &R) {
    return std::tie(R.Sites, L.ID, L.Argument) < std::tie(L.Sites, R.ID, R.Argument);
  });
  return Totals;
}

BuildTotals totalsOf(const Build &B) {
  BuildTotals T;
  Hints ToEdit;
  for (const BuildSite &S : B.Sites) {
    T.Warnings += S.Record.Warnings.size();
    T.All.add(S.Record);
    T.ByFunction[S.Record.Callee].add(S.Record);
    ToEdit.add(S.Record);
    if (!S.Record.Template.empty())
      ++T.ByTemplate[S.Record.Template];
    T.Known.add(S.Record);
  }
  T.Missed = missedTotals(B);
  T.Hints = ToEdit.list();
  return T;
}

Error printReport(StringRef Directory, unsigned Width, raw_ostream &OS, bool JSON) {
  Expected<Build> B = readBuild(Directory);
  if (!B)
    return B.takeError();
  JSON ? printBuildJSON(*B, OS) : printBuild(*B, Width, OS);
  return Error::success();
}

Error writeReportPage(StringRef Directory, StringRef File, json::Value Profile,
                      json::Value Before) {
  Expected<Build> B = Directory.empty() ? Build() : readBuild(Directory);
  if (!B)
    return B.takeError();
  if (Error E = writeOutputFile(File, [&](raw_ostream &OS) {
        printBuildHTML(*B, std::move(Profile), std::move(Before), OS);
      }))
    return createStringError("cannot write " + toString(std::move(E)));
  return Error::success();
}

} // namespace mpispec
