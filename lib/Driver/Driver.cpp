//===- Driver.cpp - Any compiler command, with MPI calls specialised --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Driver/Driver.h"
#include "Driver/Obstacle.h"
#include "Driver/Prefilter.h"
#include "Driver/Products.h"
#include "Driver/ProfileOption.h"
#include "Driver/Recorder.h"
#include "Driver/Summary.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdlib>
#include <optional>

using namespace llvm;

namespace mpispec {

namespace {
/// The parsed command of the user, the MPI names in its sources, and whether the program gets the
/// runtime.
struct Task {
  Command User;
  Invocation I;
  std::vector<TextFindings> Findings; ///< parallel to I.sources()
  bool AddRuntime = false;

  bool hasCalls() const {
    return any_of(Findings, [](const TextFindings &F) { return F.HasCalls; });
  }
  bool namesMPI() const {
    return any_of(Findings, [](const TextFindings &F) { return F.NamesMPI; });
  }
};
} // namespace

//===- Is there anything to do? --------------------------------------------------------------===//

/// A pipe, a device or a folder.
static bool isSpecialFile(StringRef Path) {
  return sys::fs::exists(Path) && !sys::fs::is_regular_file(Path);
}

/// Is the output a file that can be replaced? `/dev/null` is not.
static bool hasFileOutput(const Invocation &I) {
  StringRef Output = I.last(Meaning::Output);
  return Output.empty() || (Output != "-" && !isSpecialFile(Output));
}

/// A source that can be read only once: a pipe, a terminal. The user's command must read it.
static bool isReadOnce(const Argument &Source) {
  return Source.Lang == "stdin" || isSpecialFile(Source.Value);
}

/// Can the file of `-include` be read only once? A redirected /dev/stdin looks like a usual file.
static bool includesOnce(const Argument &Arg) {
  StringRef Name = Arg.Value;
  return Arg.M == Meaning::ForcedInclude &&
         (isSpecialFile(Name) || Name.starts_with("/dev/") || Name.starts_with("/proc/"));
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
    if (includesOnce(Arg))
      return true;
    if ((IsSource || Arg.M == Meaning::Object) && overwrites(I, Arg))
      return true;
  }
  return !I.inputs() || !hasFileOutput(I);
}

static bool namesRuntime(const Invocation &I) {
  for (const Argument &Arg : I.Arguments)
    if ((Arg.M == Meaning::Library && Arg.Value == "mpispec") ||
        (Arg.M == Meaning::Object && sys::path::filename(Arg.Value).starts_with("libmpispec")))
      return true;
  return false;
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
  Job.AddRuntime = mayNeedRuntime(Job, Here);
  return Job;
}

//===- Doing it ------------------------------------------------------------------------------===//

/// Does the user's command have effects that the steps cannot have? Then it runs before the steps.
static bool mustRunFirst(const Toolchain &T, const Task &Job) {
  const Invocation &I = Job.I;
  if (isRecorded())
    return true;
  if (I.has(Meaning::PlainFirst) || I.has(Meaning::SaveTemps) || I.has(Meaning::SideFiles))
    return true;
  StringRef File = I.last(Meaning::DependencyFile);
  if (File == "-" || File == "/dev/stdout")
    return true;
  bool NamedByCommand = I.has(Meaning::Output) || !File.empty();
  if (I.links() && I.has(Meaning::Dependencies) &&
      (!NamedByCommand || I.compiled() > 1 || !Job.hasCalls()))
    return true;
  return T.Kind == CompilerKind::Gcc && I.has(Meaning::WarnsOfLayout) &&
         any_of(Job.Findings, [](const TextFindings &F) { return F.HasStatementMacro; });
}

static const FallbackReason TextRejected = {RemarkID::FallbackRewrittenTextRejected, ""};

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

namespace {
/// One command that is divided into steps.
class Compilation {
public:
  Compilation(const Settings &Own, const Installation &Here, Task Job, Toolchain T,
              CommandLine UserWords)
      : S(Own), Here(Here), Job(std::move(Job)), T(std::move(T)), I(this->Job.I),
        UserWords(std::move(UserWords)) {}

  int run();

private:
  void specialiseSources(DependencyFiles D);
  void compileObjects();
  Census countAside(unsigned Index);
  const Census &inputs();
  Census parts();
  std::string mixture(const MPILibrary &Library, const Census &All);
  std::string ownDefinition(const Census &All);
  void findRuntime();
  Product linkProduct();
  std::vector<Product> compileProducts();
  /// Counts the source at \p Index as not specialised. A remark gives the reason.
  void leave(unsigned Index, const FallbackReason &F);
  void summarise();

  Session S;
  const Installation &Here;
  Task Job;
  Toolchain T;
  const Invocation &I;
  CommandLine UserWords;
  PlainRun Plain = PlainRun::NotNeeded;
  std::map<unsigned, std::string> Texts;   ///< rewritten text by source index
  std::map<unsigned, std::string> Objects; ///< linked instead of a source
  Census Units;                            ///< the command's own sources
  std::optional<Census> Inputs;            ///< objects and libraries; counted when needed
  std::string RuntimePath;                 ///< the linked runtime, if Job.AddRuntime
  HandleStyle RuntimeStyle = HandleStyle::MPICH;
};
} // namespace

void Compilation::leave(unsigned Index, const FallbackReason &F) {
  Units.Ordinary.push_back(sys::path::filename(I.Arguments[Index].Value).str());
  remarkFallback(S, I, Index, F);
}

/// Prints the line about a program that was linked.
void Compilation::summarise() {
  if (!I.links() || linksToNoProgram(I) || S.settings().DryRun)
    return;
  if (!namesMPILibrary(T, I)) {
    if (Here.hasRuntimes() && !namesRuntime(I) && (!Objects.empty() || inputs().Specialised))
      errs() << noLibraryLine(I);
    return;
  }
  Census All = Units;
  All.Specialised += Objects.size();
  All.add(inputs());
  errs() << summaryLine(I, All);
}

void Compilation::specialiseSources(DependencyFiles D) {
  std::vector<unsigned> Sources = I.sources();
  std::string Profile;
  if (Job.hasCalls() && !isProbe(I))
    Profile = profileIndex(S.settings(), Here);
  for (size_t Position = 0; Position < Sources.size(); ++Position) {
    if (!Job.Findings[Position].HasCalls)
      continue;
    unsigned Index = Sources[Position];
    SpecialisedSource Result = specialise(S, Here, T, I, Index, D, Profile);
    if (Result.Reason)
      leave(Index, *Result.Reason);
    if (!Result.Text.empty())
      Texts[Index] = Result.Text;
    if (!Result.Silent && Plain == PlainRun::NotNeeded)
      Plain = PlainRun::Needed;
  }
}

/// Compiles the rewritten texts of a command that links.
void Compilation::compileObjects() {
  for (auto &[Index, Text] : Texts) {
    Expected<std::string> Directory = S.makeDirectory();
    if (!Directory)
      return S.say(toString(Directory.takeError()));
    std::string Object = *Directory + "/" + sys::path::stem(I.Arguments[Index].Value).str() + ".o";
    QuietRun Run = S.runQuietly("compile", compileTextCommand(T, I, Index, Text, Object));
    if (Run.good())
      Objects[Index] = Object;
    else
      leave(Index, TextRejected);
    if ((!Run.good() || !Run.Silent) && Plain == PlainRun::NotNeeded)
      Plain = PlainRun::Needed;
  }
}

const Census &Compilation::inputs() {
  if (!Inputs)
    Inputs = countInputs(I);
  return *Inputs;
}

/// Counts the source at \p Index by an object that is made in the temporary directory.
Census Compilation::countAside(unsigned Index) {
  Expected<std::string> Directory = S.makeDirectory();
  if (!Directory) {
    S.say(toString(Directory.takeError()));
    return Census();
  }
  std::string Object = *Directory + "/" + sys::path::stem(I.Arguments[Index].Value).str() + ".o";
  S.runQuietly("compile", compileForSymbolsCommand(T, I, Index, Object));
  return countUnits(Object);
}

/// All parts of the program except the runtime. A source that is not specialised may define
/// functions of MPI if it names PMPI functions. Only its object shows whether it does.
Census Compilation::parts() {
  Census All = inputs();
  for (const auto &[Index, Object] : Objects)
    All.add(countUnits(Object));
  std::vector<unsigned> Sources = I.sources();
  for (size_t Position = 0; Position < Sources.size(); ++Position)
    if (Job.Findings[Position].NamesMPI && Job.Findings[Position].NamesProfiling &&
        !Objects.count(Sources[Position]))
      All.add(countAside(Sources[Position]));
  return All;
}

/// The reason why parts of the program do not fit the runtime, as far as symbols and file names
/// show it. Empty if there is none. The parts may be for different MPI libraries. Or a part may
/// call a function for messages by its name for profiling (PMPI_Send), which the runtime does not
/// define. The call is no reason if the program also defines MPI_Send, as a tool does.
std::string Compilation::mixture(const MPILibrary &Library, const Census &All) {
  if (!Library.Other.empty())
    return "two MPI libraries are linked, " + Library.File + " and " + Library.Other;
  if (!Library.File.empty())
    for (const auto &[Style, Unit] : All.Styles)
      if (Style != Library.Kind->Style)
        return Unit + " was compiled with <mpi.h> of " + ownersOf(Style).str() +
               " and is linked with " + std::string(Library.Kind->Title) + " (" + Library.File +
               ")";
  const char *Unmet = ", whose messages would not meet those of MPI functions";
  for (const auto &[Function, Unit] : All.CalledByProfilingName)
    if (!All.Defined.count(Function))
      return Unit + " calls P" + Function + Unmet;
  return "";
}

/// A function that both the program and the runtime define. Empty if there is none. The program's
/// calls must reach the program's definition, which calls the PMPI function. If that definition is
/// weak, the linker would silently choose the runtime's. If the linker chose the program's, the two
/// definitions would call each other for ever.
std::string Compilation::ownDefinition(const Census &All) {
  if (All.DefinedInside.empty())
    return "";
  std::set<std::string> Runtime = namesInIndex(RuntimePath);
  for (const std::string &Name : All.DefinedInside)
    if (Runtime.count(Name))
      return Name;
  return "";
}

/// Finds the runtime for the MPI library with which the program is linked. Without a runtime, the
/// program's calls are ordinary.
void Compilation::findRuntime() {
  Job.AddRuntime &= namesMPILibrary(T, I);
  if (!Job.AddRuntime)
    return;
  MPILibrary Library = libraryOf(T, I);
  RuntimePath = Here.runtimeFor(*Library.Kind);
  RuntimeStyle = Library.Kind->Style;
  Census All = parts();
  std::string Mixture = mixture(Library, All);
  Job.AddRuntime = Mixture.empty() && !RuntimePath.empty();
  if (!Mixture.empty())
    errs() << "mpispec: warning: " << Mixture << ": linked without the runtime\n";
  else if (!Job.AddRuntime)
    errs() << "mpispec: warning: there is no runtime for " << Library.Kind->Title << " ("
           << Library.File
           << "): linked without, the program makes ordinary calls; 'mpispec runtime add "
              "MPICC' makes it, with that library's compiler wrapper\n";
  else if (std::string Own = ownDefinition(All); !Own.empty()) {
    S.say("the program defines " + Own + ": linked without the runtime");
    Job.AddRuntime = false;
  } else if (wrapsFunctions(I)) {
    S.say("the link wraps functions: linked without the runtime");
    Job.AddRuntime = false;
  }
}

Product Compilation::linkProduct() {
  Product P;
  P.Output = I.output(0);
  P.Rule = linkDependencyFile(I);
  P.Specialised = true;
  P.OnRejection = [this](StringRef Messages) {
    if (Job.AddRuntime && refusesRuntimeWords(Messages))
      S.warn("'" + I.output(0) +
             "' is linked without the runtime, because the linker refuses "
             "its options (GNU ld has them from 2.35 on): " +
             Messages.split('\n').first);
  };
  CommandLine Runtime, AtEnd;
  if (Job.AddRuntime) {
    Runtime = runtimeWords(RuntimePath, RuntimeStyle, Job.User.IsFortran || callsByFortran(I));
    AtEnd = runtimeWordsAtEnd(RuntimePath, I);
  }
  P.Make = [this, Runtime, AtEnd](StringRef Output) {
    CommandLine Words = linkCommand(T, I, Objects, Output, Runtime);
    Words.insert(Words.end(), AtEnd.begin(), AtEnd.end());
    return Words;
  };
  return P;
}

/// A product for each source of a command that does not link. Products that are not specialised are
/// made only if the user's command will not make them.
std::vector<Product> Compilation::compileProducts() {
  std::vector<Product> Products;
  for (unsigned Index : I.sources()) {
    Product P;
    P.Output = I.output(Index);
    P.SideFiles = I.has(Meaning::SideFiles) || I.has(Meaning::SaveTemps);
    auto Text = Texts.find(Index);
    P.Specialised = Text != Texts.end();
    if (P.Specialised) {
      P.Make = [this, Index, Path = Text->second](StringRef Output) {
        return compileTextCommand(T, I, Index, Path, Output);
      };
      P.OnRejection = [this, Index](StringRef) { remarkFallback(S, I, Index, TextRejected); };
    } else {
      P.Make = [this, Index](StringRef Output) {
        return compileSourceCommand(T, I, Index, Output);
      };
    }
    Products.push_back(std::move(P));
  }
  return Products;
}

int Compilation::run() {
  if (I.compiled() && mustRunFirst(T, Job)) {
    Ending E = S.runOpenly("run", UserWords);
    if (E.K == Ending::NotStarted) // such as a script without an interpreter
      return S.endAs(UserWords);
    if (!E.succeeded())
      return E.exitStatus();
    Plain = PlainRun::Succeeded;
  }
  specialiseSources(Plain == PlainRun::Succeeded ? DependencyFiles::AlreadyWritten
                                                 : DependencyFiles::Write);
  std::vector<Product> Products;
  if (I.links()) {
    compileObjects();
    findRuntime();
    if (!Objects.empty() || Job.AddRuntime)
      Products.push_back(linkProduct());
  } else if (!Texts.empty()) {
    Products = compileProducts();
  }
  if (Products.empty()) {
    summarise();
    return Plain == PlainRun::Succeeded ? 0 : S.endAs(UserWords);
  }
  int Status = makeProducts(S, UserWords, Products, Plain);
  if (Status == 0)
    summarise();
  return Status;
}

//===- Entry ---------------------------------------------------------------------------------===//

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
  if (!Job.hasCalls() && !Job.AddRuntime)
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
  return Compilation(Own, Here, std::move(Job), std::move(T), UserWords).run();
}

} // namespace mpispec
