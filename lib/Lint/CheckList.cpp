//===- CheckList.cpp - The checks that a user has switched on ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Lint/CheckList.h"
#include "Support/Suggestion.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/GlobPattern.h"

using namespace llvm;

namespace mpispec {

/// The globs of a list, without spaces and empty ones.
static SmallVector<StringRef> globsOf(StringRef Globs) {
  SmallVector<StringRef> Parts;
  for (StringRef Part : split(Globs, ','))
    if (StringRef Glob = Part.trim(); !Glob.empty())
      Parts.push_back(Glob);
  return Parts;
}

/// Returns whether \p Glob matches a check.
bool CheckList::applyOne(StringRef Glob) {
  const bool IsOn = !Glob.consume_front("-");
  Expected<GlobPattern> Pattern = GlobPattern::create(Glob);
  if (!Pattern) {
    consumeError(Pattern.takeError());
    return false;
  }
  bool Matches = false;
  for (const auto &[Index, Rule] : enumerate(allLintRules()))
    if (Pattern->match(Rule.ID)) {
      Included[Index] = IsOn;
      Matches = true;
    }
  return Matches;
}

Error CheckList::apply(StringRef Globs) {
  static const SmallVector<StringRef> Known =
      map_to_vector(allLintRules(), [](const LintRuleInfo &Rule) { return StringRef(Rule.ID); });
  for (StringRef Glob : globsOf(Globs)) {
    if (applyOne(Glob))
      continue;
    Glob.consume_front("-");
    return createStringError("'" + Glob + "' matches no check" + didYouMean(Glob, Known) +
                             "; the checks are " + join(Known, ", "));
  }
  return Error::success();
}

void CheckList::applyKnown(StringRef Globs) {
  for (StringRef Glob : globsOf(Globs))
    applyOne(Glob);
}

} // namespace mpispec
