//===- Driver.cpp - Any compiler command, with MPI calls specialised --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Driver/Driver.h"
#include "Driver/Commands.h"
#include "Driver/Compilation.h"
#include "Driver/MPILibrary.h"
#include "Driver/Obstacle.h"
#include "Driver/ProfileOption.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace mpispec {

//===- Is there anything to do? --------------------------------------------------------------===//

/// Is the output a file that can be replaced? `/dev/null` is not.
static bool hasFileOutput(const Invocation &I) {
  StringRef Output = I.last(Meaning::Output);
  return Output.empty() || (Output != "-" && !isSpecialFile(Output));
}

/// A source that can be read only once: a pipe, a terminal. The user's command must read it.
static bool isReadOnce(const Argument &Source) {
  return Source.Lang == "stdin" || isSpecialFile(Source.Value);
}

/// Does the argument name a file besides the sources that can be read only once? It may be that of
/// `-include`, an object, or one of the linker's files (`-Wl,--version-script=/dev/fd/63`).
static bool namesPipe(const Argument &Arg) {
  if (Arg.M == Meaning::ForcedInclude || Arg.M == Meaning::Object)
    return canBeReadOnce(Arg.Value);
  return Arg.M != Meaning::Output && (Arg.Steps & Link) && any_of(Arg.Words, [](StringRef Word) {
           return Word.contains("/dev/fd/") || Word.contains("/proc/self/fd/");
         });
}

/// Does -o name an input? The user's compiler refuses the command, or does what the user expects.
static bool overwrites(const Invocation &I, const Argument &Input) {
  return I.has(Meaning::Output) && sys::fs::equivalent(Input.Value, I.last(Meaning::Output));
}

/// Commands that make no object, assembly or program from files, and commands that mpispec leaves
/// to the user's compiler because of their inputs.
static bool passesThrough(const Invocation &I) {
  if (I.has(Meaning::PassThrough) || I.has(Meaning::WrapperQuestion))
    return true;
  for (const Argument &Arg : I.Arguments) {
    const bool IsSource = Arg.M == Meaning::Source;
    if (IsSource && (isReadOnce(Arg) || Arg.Lang.find("header") != std::string::npos))
      return true;
    if (namesPipe(Arg))
      return true;
    if ((IsSource || Arg.M == Meaning::Object) && overwrites(I, Arg))
      return true;
  }
  return !I.inputs() || !hasFileOutput(I);
}

/// May the library of this word call MPI? Libraries of MPI, the language and the system do not.
static bool mayCallMPI(const Argument &Arg) {
  return Arg.M == Meaning::Library && !isMPILibrary(Arg) &&
         !is_contained({"c", "m", "dl", "rt", "pthread", "stdc++", "gcc_s"}, Arg.Value);
}

/// Whether MPI is used is unknown before the wrapper is expanded. For objects, libraries, and
/// sources in other languages than C and C++, it stays unknown.
static bool mayNeedRuntime(const Task &Job, const Installation &Here) {
  bool HasOthers = Job.I.inputs() > Job.I.sources().size() || any_of(Job.I.Arguments, mayCallMPI);
  return Job.I.links() && Here.hasRuntimes() && !linksToNoProgram(Job.I) && !namesRuntime(Job.I) &&
         (HasOthers || Job.namesMPI());
}

/// `ccache mpispec mpicc -c foo.c`: ccache would later return the object for the same source,
/// although MPISPEC_FLAGS, the analysis, or the compiler behind mpispec may have changed. Therefore
/// this function removes the outputs, and mpispec ends without making them. ccache then stores
/// nothing, and executes the command again without caching. (`mpispec ccache mpicc` is cached.)
static bool escapesCcache(const Task &Job) {
  if (!Job.hasCalls() || Job.I.links() || !isCompilerOfCcache())
    return false;
  for (unsigned Index : Job.I.sources())
    if (std::string Output = Job.I.output(Index); sys::fs::is_symlink_file(Output))
      return false;
    else
      sys::fs::remove(Output);
  return true;
}

static Task readTask(const Installation &Here, ArrayRef<std::string> Words) {
  Task Job;
  Job.User = splitCommand(Words);
  Job.I = parseInvocation(Job.User.Arguments, compilesCXX(Job.User.Compiler));
  if (passesThrough(Job.I))
    return Job;
  for (unsigned Index : Job.I.sources())
    Job.Findings.push_back(searchSource(Job.I, Job.I.Arguments[Index].Value));
  if (any_of(Job.Findings, [](const TextFindings &F) { return F.IncludesOnce; })) {
    Job.Findings.clear();
    return Job;
  }
  Job.AddRuntime = mayNeedRuntime(Job, Here);
  Job.HideStates = Job.I.links() && wrapsFunctions(Job.I, "MPI_");
  return Job;
}

//===- Entry ---------------------------------------------------------------------------------===//

/// Leaves the sources of \p Job as they are; a remark gives the reason for each.
static void leaveSources(const Session &S, Task &Job, const FallbackReason &F) {
  std::vector<unsigned> Sources = Job.I.sources();
  for (size_t Position = 0; Position < Sources.size(); ++Position)
    if (std::exchange(Job.Findings[Position].HasCalls, false))
      remarkFallback(S, Job.I, Sources[Position], F);
}

/// The option that makes or uses a profile, or empty.
static std::string profileOption(const Invocation &I) {
  for (const Argument &Arg : I.Arguments)
    if (Arg.M == Meaning::Profile)
      return Arg.Words[0];
  return "";
}

static constexpr unsigned NestingLimit = 10;
static int reportLoop(StringRef Program) {
  errs() << "mpispec: error: '" << Program
         << "' starts mpispec again and again; name the compiler itself, as in 'mpispec gcc'\n";
  return 1;
}

/// Becomes the compiler command, because an mpispec above this one already specialises its calls.
static int runNested(ArrayRef<std::string> Words) {
  if (nestingDepth() >= NestingLimit)
    return reportLoop(Words[0]);
  markNested();
  return become(CommandLine(Words));
}

/// Runs a command that is no compiler's, such as `make`. `own-cc --version` gets no warning.
static int runOther(const Settings &Own, ArrayRef<std::string> Words) {
  Session S(Own);
  if (countOtherCommands() > NestingLimit)
    return reportLoop(Words[0]);
  if (sys::findProgramByName(Words[0]) &&
      none_of(Words, [](StringRef Word) { return Word.starts_with("-"); }))
    S.warn("'" + Words[0] + "' is no compiler and runs as it is; 'mpispec run' starts programs");
  return S.endAs(CommandLine(Words));
}

int runCompilerCommand(const Settings &Own, const Installation &Here, ArrayRef<std::string> Words) {
  breakWrapperLoops();
  if (nestingDepth())
    return runNested(Words);
  CommandLine UserWords(Words);
  Task Job = readTask(Here, Words);
  if (!isCompilation(Job.User, Job.I))
    return runOther(Own, Words);
  markNested();
  noteFortranSources(Own, Job.I);
  if (!Job.hasCalls() && !Job.AddRuntime && !Job.HideStates)
    return Session(Own).endAs(UserWords);
  if (escapesCcache(Job))
    return 0;
  holdSignals();
  Toolchain T = resolveToolchain(Job.User);
  Job.I = parseInvocation(T.Arguments, compilesCXX(T.Compiler));
  if (std::string Obstacle = obstacle(Job.I); !Obstacle.empty()) {
    Session S(Own);
    leaveSources(S, Job, {RemarkID::FallbackOptionCombination, Obstacle});
    return S.endAs(UserWords);
  }
  if (std::string Option = profileOption(Job.I); !Option.empty())
    leaveSources(Session(Own), Job, {RemarkID::FallbackProfile, Option});
  return compile(Own, Here, std::move(Job), std::move(T), UserWords);
}

} // namespace mpispec
