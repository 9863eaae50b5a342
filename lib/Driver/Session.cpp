//===- Session.cpp - State that the steps of one command share --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Driver/Session.h"
#include "Driver/Toolchain.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <chrono>
#include <cstdlib>
#include <utility>

using namespace llvm;

namespace mpispec {

Error Session::prepare() {
  if (!Root.empty())
    return Error::success();
  const char *Place = std::getenv("TMPDIR");
  // Compilers use /tmp if TMPDIR is no directory in which they can write.
  for (const char *Parent : {Place && *Place ? Place : "/tmp", "/tmp"}) {
    SmallString<128> Model(Parent);
    sys::path::append(Model, "mpispec-XXXXXX");
    Root = Model.str().str();
    if (mkdtemp(Root.data()))
      return Error::success();
  }
  return createStringError(errnoAsErrorCode(), "cannot make '" + std::exchange(Root, "") + "'");
}

Expected<std::string> Session::makeDirectory() {
  if (Error E = prepare())
    return E;
  std::string Path = Root + "/" + std::to_string(Directories++);
  if (std::error_code Code = sys::fs::create_directory(Path))
    return createStringError(Code, "cannot make '" + Path + "'");
  return Path;
}

void Session::clean() {
  if (!Root.empty())
    sys::fs::remove_directories(Root);
  Root.clear();
}

void Session::dieIfInterrupted(const Ending &E) {
  if (E.K != Ending::Interrupted)
    return;
  clean();
  dieOfSignal(E.Status);
}

/// Has a step written nothing to the file? Also true if the file does not exist, because the step
/// has failed then.
static bool isEmpty(const std::string &Path) {
  uint64_t Size = 0;
  return sys::fs::file_size(Path, Size) || Size == 0;
}

bool Session::printInstead(StringRef Name, const CommandLine &Command) const {
  if (S.DryRun)
    outs() << Name << ": " << quoted(Command) << '\n';
  return S.DryRun;
}

QuietRun Session::runQuietly(StringRef Name, const CommandLine &Command, StringRef Output,
                             StringRef Errors, unsigned Seconds) {
  if (printInstead(Name, Command))
    return {{Ending::Exited, 0}};
  if (Error E = prepare()) {
    say(toString(std::move(E)));
    return {};
  }
  Redirection R;
  R.NoInput = true;
  R.Output = Output.empty() ? Root + "/stdout" : Output.str();
  R.Error = Errors.empty() ? Root + "/stderr" : Errors.str();
  auto Start = std::chrono::steady_clock::now();
  QuietRun Result;
  Result.E = run(Command, R, Seconds);
  dieIfInterrupted(Result.E);
  Result.Silent = isEmpty(R.Error) && (!Output.empty() || isEmpty(R.Output));
  std::chrono::duration<double, std::milli> Time = std::chrono::steady_clock::now() - Start;
  if (S.Verbose)
    say(Name + ": " + quoted(Command) + " (" + Twine(unsigned(Time.count())) + " ms" +
        (Result.good() ? "" : ", status " + Twine(Result.E.exitStatus())) +
        (Result.Silent ? ")" : ", with messages)"));
  return Result;
}

std::string Session::messages() const {
  auto Text = MemoryBuffer::getFile(Root + "/stderr");
  return Text ? (*Text)->getBuffer().str() : "";
}

Ending Session::runOpenly(StringRef Name, const CommandLine &Command) {
  if (printInstead(Name, Command))
    return {Ending::Exited, 0};
  say(Name + ": " + quoted(Command));
  Redirection R;
  R.IsUsers = true;
  Ending E = run(Command, R);
  dieIfInterrupted(E);
  return E;
}

int Session::endAs(const CommandLine &Command) {
  clean();
  if (printInstead("run", Command))
    return 0;
  say("run: " + quoted(Command));
  return become(Command);
}

void Session::say(const Twine &Line) const {
  if (S.Verbose)
    errs() << "mpispec: " << Line << '\n';
}

void Session::warn(const Twine &Line) const {
  if (Warnings.insert(Line.str()).second)
    errs() << "mpispec: warning: " << Line << '\n';
}

} // namespace mpispec
