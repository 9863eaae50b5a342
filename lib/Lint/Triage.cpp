//===- Triage.cpp - Which findings are new ----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Lint/Triage.h"
#include "Lint/Baseline.h"
#include "Lint/SourceText.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/xxhash.h"

using namespace llvm;

namespace mpispec {

namespace {
class Triage {
public:
  Triage(const TriageOptions &Options, LintProjects &Projects)
      : Options(Options), Projects(Projects) {}
  bool isOn(const LintFinding &F);
  Error judge(LintFinding &F);

private:
  std::string fingerprint(const LintFinding &F, const LintProject &P);
  Expected<const Baseline *> baselineOf(const LintProject &P);

  const TriageOptions &Options;
  LintProjects &Projects;
  SourceText Sources;
  StringMap<unsigned> EqualLines;
  StringMap<Baseline> Baselines;
};
} // namespace

bool Triage::isOn(const LintFinding &F) {
  CheckList Checks = Projects.of(F.Where.File).Checks;
  Checks.applyKnown(Options.Checks);
  return Checks.includes(F.Rule);
}

/// The name of \p File in the project: the same in each copy of the project.
static std::string nameIn(StringRef Directory, StringRef File) {
  SmallString<256> Path(File), Root(Directory);
  sys::fs::make_absolute(Path);
  sys::fs::make_absolute(Root);
  sys::path::remove_dots(Path, /*remove_dot_dot=*/true);
  sys::path::remove_dots(Root, /*remove_dot_dot=*/true);
  sys::path::replace_path_prefix(Path, (Root + "/").str(), "");
  return Path.str().str();
}

std::string Triage::fingerprint(const LintFinding &F, const LintProject &P) {
  const StringRef Root =
      !P.Directory.empty() ? StringRef(P.Directory) : sys::path::parent_path(Options.Baseline);
  std::string Key = (info(F.Rule).ID + "\n" + nameIn(Root, F.Where.File) + "\n").str();
  for (char C : Sources.line(F.Where.File, F.Where.Line))
    if (!isSpace(C))
      Key += C;
  Key += "\n" + utostr(EqualLines[Key]++);
  return utohexstr(xxh3_64bits(Key), /*LowerCase=*/true, /*Width=*/16);
}

/// Returns null if the project has no baseline. Fails once for each baseline that cannot be read.
Expected<const Baseline *> Triage::baselineOf(const LintProject &P) {
  const std::string &File = Options.Baseline.empty() ? P.Baseline : Options.Baseline;
  if (File.empty() || Options.IgnoresBaseline)
    return nullptr;
  auto [Entry, IsNew] = Baselines.try_emplace(File);
  if (IsNew) {
    Expected<Baseline> Known = readBaseline(File);
    if (!Known)
      return Known.takeError();
    Entry->second = std::move(*Known);
  }
  return &Entry->second;
}

Error Triage::judge(LintFinding &F) {
  const LintProject &P = Projects.of(F.Where.File);
  F.Fingerprint = fingerprint(F, P);
  if (Sources.suppresses(F)) {
    F.State = FindingState::Suppressed;
    return Error::success();
  }
  Expected<const Baseline *> Known = baselineOf(P);
  if (!Known)
    return Known.takeError();
  if (*Known && (*Known)->contains(F.Fingerprint))
    F.State = FindingState::Known;
  return Error::success();
}

Error triage(std::vector<LintFinding> &Findings, const TriageOptions &Options,
             LintProjects &Projects) {
  Triage All(Options, Projects);
  erase_if(Findings, [&](const LintFinding &F) { return !All.isOn(F); });
  Error Unread = Error::success();
  for (LintFinding &F : Findings)
    Unread = joinErrors(std::move(Unread), All.judge(F));
  return Unread;
}

} // namespace mpispec
