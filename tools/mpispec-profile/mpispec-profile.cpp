//===- mpispec-profile.cpp - The program behind `mpispec profile` -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This program is separate because it reads debugging information with LLVM's libraries, which the
// driver does not load. `mpispec profile` handles `-o`, `--color` and `--quiet` itself, and passes
// its other arguments to the program. Compiler commands with --mpispec-profile-use=DIR use only the
// option --index, which makes DIR's index.
//
// The exit status is 0 if the profile was printed, and 1 if no profile can be read. It is 2 if the
// command is invalid or the output cannot be written.
//
//===------------------------------------------------------------------------------------------===//
#include "Profile/CallPaths.h"
#include "Profile/Places.h"
#include "Profile/ProfileComparison.h"
#include "Profile/RunProfile.h"
#include "Support/OutputFile.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Process.h"

using namespace llvm;
using namespace mpispec;

namespace {
enum class Format { Text, JSON, CSV, Folded, Paths, Unknown };

struct Request {
  std::string Directory;
  std::string Before; ///< the run to compare with; may be empty
  Format Form = Format::Text;
  unsigned Width = 0;
  unsigned Sites = 20;
  bool IndexOnly = false; ///< print nothing, only make the index
};
} // namespace

static Error readOption(Request &R, StringRef Word) {
  auto [Name, Value] = Word.split('=');
  if (Word == "--index") {
    R.IndexOnly = true;
    return Error::success();
  }
  if (Name == "--compare") {
    R.Before = Value.str();
    return Value.empty() ? createStringError("option '--compare' needs the directory of a profile")
                         : Error::success();
  }
  if (Name == "--format")
    R.Form = StringSwitch<Format>(Value)
                 .Case("text", Format::Text)
                 .Case("json", Format::JSON)
                 .Case("csv", Format::CSV)
                 .Case("folded", Format::Folded)
                 .Case("paths", Format::Paths)
                 .Default(Format::Unknown);
  if (R.Form == Format::Unknown)
    return createStringError("option '--format' cannot be '" + Value +
                             "'; the values are text, json, csv, folded, paths");
  if (Name == "--format")
    return Error::success();
  unsigned *Number = Name == "--width" ? &R.Width : Name == "--sites" ? &R.Sites : nullptr;
  if (!Number)
    return createStringError("unknown option '" + Word + "'; see 'mpispec profile --help'");
  if (Value.getAsInteger(10, *Number) || !*Number)
    return createStringError("option '" + Name + "' needs a number, not '" + Value + "'");
  return Error::success();
}

static Expected<Request> readRequest(ArrayRef<const char *> Words) {
  Request R;
  bool ReadsOptions = true;
  for (StringRef Word : Words) {
    if (ReadsOptions && Word == "--") {
      ReadsOptions = false;
    } else if (ReadsOptions && Word.starts_with("--")) {
      if (Error E = readOption(R, Word))
        return E;
    } else if (!R.Directory.empty()) {
      return createStringError("'mpispec profile' reads one directory at a time");
    } else {
      R.Directory = Word.str();
    }
  }
  if (!R.Before.empty() && (R.Form == Format::Folded || R.Form == Format::Paths))
    return createStringError("option '--compare' has the formats text, json and csv");
  if (R.Directory.empty())
    return createStringError("'mpispec profile' needs the directory that MPISPEC_PROFILE named");
  return R;
}

static int fail(Error E, int Status) {
  errs() << "mpispec: error: " << toString(std::move(E)) << '\n';
  return Status;
}

/// Prints, for a compiler command, why there is no index. The command continues.
static int warn(Error E) {
  errs() << "mpispec: warning: --mpispec-profile-use: " << toString(std::move(E))
         << ". The build goes on without a profile\n";
  return 1;
}

/// Reads the run and its places. \p Unindexed is the reason why there is no index.
static Expected<RunProfile> readRun(StringRef Directory, Error &Unindexed) {
  ErrorAsOutParameter Out(Unindexed);
  Expected<RunProfile> Run = readRunProfile(Directory);
  if (Run)
    Unindexed = findPlaces(*Run);
  return Run;
}

static void print(const Request &R, const RunProfile &Run, unsigned Width) {
  if (R.Form == Format::JSON)
    outs() << formatv("{0:2}\n", json::Value(profileValue(Run)));
  else if (R.Form == Format::CSV)
    printProfileCSV(Run, outs());
  else if (R.Form == Format::Folded)
    printFoldedPaths(Run, outs());
  else if (R.Form == Format::Paths)
    outs() << formatv("{0:2}\n", json::Value(callPathsValue(Run)));
  else
    printProfile(Run, Width, R.Sites, outs());
}

static int printComparison(const Request &R, const RunProfile &Run, unsigned Width) {
  Error Unindexed = Error::success();
  Expected<RunProfile> Before = readRun(R.Before, Unindexed);
  consumeError(std::move(Unindexed));
  if (!Before)
    return fail(Before.takeError(), 1);
  if (R.Form == Format::JSON)
    outs() << formatv("{0:2}\n", json::Value(comparisonValue(*Before, Run)));
  else if (R.Form == Format::CSV)
    printComparisonCSV(*Before, Run, outs());
  else
    printComparison(*Before, Run, Width, R.Sites, outs());
  return 0;
}

static int runWords(int Argc, char **Argv) {
  Expected<Request> R = readRequest(ArrayRef<const char *>(Argv + 1, Argv + Argc));
  if (!R)
    return fail(R.takeError(), 2);
  Error Unindexed = Error::success();
  Expected<RunProfile> Run = readRun(R->Directory, Unindexed);
  if (!Run) {
    consumeError(std::move(Unindexed));
    return R->IndexOnly ? warn(Run.takeError()) : fail(Run.takeError(), 1);
  }
  if (R->IndexOnly && Unindexed)
    return warn(std::move(Unindexed));
  consumeError(std::move(Unindexed)); // without an index the next call finds the places again
  if (R->IndexOnly)
    return 0;
  unsigned Width = R->Width ? R->Width : sys::Process::StandardOutColumns();
  if (!R->Before.empty())
    return printComparison(*R, *Run, Width ? Width : 100);
  print(*R, *Run, Width ? Width : 100);
  return 0;
}

int main(int Argc, char **Argv) { return endOutput(runWords(Argc, Argv)); }
