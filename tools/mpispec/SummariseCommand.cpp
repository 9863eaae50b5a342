//===- SummariseCommand.cpp - mpispec summarise -----------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each source is analysed (SourceAnalyses.h). The analysis process writes the unit's summary to the
// cache (Predictions/SummaryCache.h). A compile command also writes the summary of its unit. But
// compile commands do not analyse sources without MPI calls, and the first ones of a build cannot
// use the summaries of the last ones.
//
//===------------------------------------------------------------------------------------------===//
#include "SummariseCommand.h"
#include "SourceAnalyses.h"

using namespace llvm;

namespace mpispec {

/// The exit statuses.
enum SummariseStatus : int { AllSummarised = 0, SomeLeft = 1, NothingDone = 2 };

static int fail(const Twine &Message) {
  errs() << "mpispec: error: " << Message << '\n';
  return NothingDone;
}

static int summariseSources(const Settings &S, const Installation &Here, const SourcesRequest &R) {
  unsigned Made = 0, All = 0;
  auto Take = [&](const SourceOutcome &Source) {
    ++All;
    Made += Source.Failure.empty();
    if (!Source.Failure.empty())
      errs() << "mpispec: error: cannot summarise '" << Source.Name << "': " << Source.Failure
             << '\n';
  };
  if (Error E = analyseSources(S, Here, R, "summarise", Take))
    return fail(toString(std::move(E)));
  if (!S.Quiet)
    outs() << Made << " of " << All << " sources summarised\n";
  return Made == All ? AllSummarised : Made ? SomeLeft : NothingDone;
}

int summarise(const Settings &S, const Installation &Here, ArrayRef<std::string> Words) {
  auto ReadOption = [](ArrayRef<std::string>) -> Expected<size_t> {
    llvm_unreachable("an option without a reader");
  };
  Expected<SourcesRequest> R = readSourcesRequest(Words.drop_front(), "summarise", ReadOption);
  if (!R)
    return fail(toString(R.takeError()));
  const char *Cache = std::getenv("MPISPEC_CACHE");
  if (Cache && StringRef(Cache) == "off")
    return fail("MPISPEC_CACHE=off: there is no cache to fill; unset it, or name a directory");
  return summariseSources(S, Here, *R);
}

} // namespace mpispec
