//===- Recorder.cpp - Tools that record the commands of a build -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Driver/Recorder.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"
#include <cstdlib>

extern char **environ;

using namespace llvm;

namespace mpispec {

namespace {
/// The marks by which programs of a build can recognize a recorder.
struct RecorderRow {
  StringLiteral Variable; ///< environment variable that is set while it records
  StringLiteral Library;  ///< its library in LD_PRELOAD
};
} // namespace

static constexpr RecorderRow Recorders[] = {
    {"INTERCEPT_REPORT_DESTINATION", "libexec.so"}, // bear 3
    {"INTERCEPT_REPORT_COMMAND", "libexec.so"},
    {"INTERCEPT_COLLECTOR_ADDRESS", "libexec.so"}, // bear 4
    {"BEAR_INTERCEPT", "libexec.so"},
    {"INTERCEPT_BUILD_TARGET_DIR", "libear.so"}, // intercept-build
    {"CC_LOGGER_FILE", "ldlogger.so"},           // CodeChecker
};

/// The directory of the PATH in which bear puts its own programs in place of compilers, if it loads
/// no library.
static constexpr StringLiteral StandInDirectory = "/bear/wrapper.d";

bool isRecorded() {
  return any_of(Recorders, [](const RecorderRow &R) { return std::getenv(R.Variable.data()); });
}

static bool isRecordersLibrary(StringRef Path) {
  return any_of(Recorders,
                [&](const RecorderRow &R) { return sys::path::filename(Path) == R.Library; });
}

/// The parts of \p Value that do not belong to a recorder.
static std::string withoutRecorders(StringRef Value, StringRef Separators) {
  SmallVector<StringRef> Parts;
  SplitString(Value, Parts, Separators);
  erase_if(Parts, [](StringRef Part) {
    return isRecordersLibrary(Part) || Part.rtrim('/').ends_with(StandInDirectory);
  });
  return join(Parts, ":");
}

static std::vector<std::string> makeEnvironment() {
  std::vector<std::string> Kept;
  for (char **Entry = environ; *Entry; ++Entry) {
    auto [Name, Value] = StringRef(*Entry).split('=');
    if (any_of(Recorders, [N = Name](const RecorderRow &R) { return N == R.Variable; }))
      continue;
    if (Name == "LD_PRELOAD")
      Kept.push_back("LD_PRELOAD=" + withoutRecorders(Value, ": "));
    else if (Name == "PATH" && Value.contains(StandInDirectory))
      Kept.push_back("PATH=" + withoutRecorders(Value, ":"));
    else
      Kept.push_back(*Entry);
  }
  return Kept;
}

const std::vector<std::string> &unrecordedEnvironment() {
  static const std::vector<std::string> Environment = makeEnvironment();
  return Environment;
}

std::string unrecordedPath() {
  for (StringRef Entry : unrecordedEnvironment())
    if (Entry.consume_front("PATH="))
      return Entry.str();
  return "/bin:/usr/bin";
}

} // namespace mpispec
