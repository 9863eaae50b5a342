//===- Baseline.cpp - Findings that a project had before --------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Lint/Baseline.h"
#include "Support/OutputFile.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/LineIterator.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;

namespace mpispec {

static constexpr StringLiteral FirstLine = "mpispec lint baseline 1";
static constexpr StringLiteral Remedy = "; 'mpispec lint --write-baseline=FILE' writes it again";

/// The fingerprint in a line; empty: the line is damaged.
static StringRef fingerprintIn(StringRef Line) {
  auto [Rule, Rest] = Line.split(' ');
  auto [Fingerprint, File] = Rest.split(' ');
  const bool IsGood =
      !Rule.empty() && Fingerprint.size() == 16 && all_of(Fingerprint, isHexDigit) && !File.empty();
  return IsGood ? Fingerprint : "";
}

Expected<Baseline> readBaseline(StringRef File) {
  auto Buffer = MemoryBuffer::getFile(File);
  if (!Buffer)
    return createStringError("cannot read the baseline '" + File +
                             "': " + Buffer.getError().message() + Remedy);
  Baseline Known;
  line_iterator Line(**Buffer, /*SkipBlanks=*/true);
  if (Line.is_at_end() || *Line != FirstLine)
    return createStringError(File + ":1: the first line of a baseline is '" + FirstLine + "'" +
                             Remedy);
  while (!(++Line).is_at_end()) {
    const StringRef Fingerprint = fingerprintIn(*Line);
    if (Fingerprint.empty())
      return createStringError(File + ":" + Twine(Line.line_number()) + ": '" + *Line +
                               "' is no finding" + Remedy);
    Known.insert(Fingerprint);
  }
  return Known;
}

Expected<size_t> writeBaseline(StringRef File, ArrayRef<LintFinding> Findings) {
  std::vector<std::pair<StringRef, std::string>> Lines; // a file, and the line
  for (const LintFinding &F : Findings)
    if (F.State != FindingState::Suppressed)
      Lines.push_back({F.Where.File, (info(F.Rule).ID + " " + F.Fingerprint).str()});
  sort(Lines);
  Error E = writeOutputFile(File, [&](raw_ostream &OS) {
    OS << FirstLine << '\n';
    for (const auto &[Name, Line] : Lines)
      OS << Line << ' ' << Name << '\n';
  });
  if (E)
    return createStringError("cannot write the baseline '" + File + "': " + toString(std::move(E)));
  return Lines.size();
}

} // namespace mpispec
