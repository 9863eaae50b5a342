//===- Compilation.cpp - A compiler command that is divided into steps ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Driver/Compilation.h"
#include "Driver/MPILibrary.h"
#include "Driver/Products.h"
#include "Driver/ProfileOption.h"
#include "Driver/Recorder.h"
#include "Driver/Summary.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <functional>
#include <optional>

using namespace llvm;

namespace mpispec {

bool namesRuntime(const Invocation &I) {
  for (const Argument &Arg : I.Arguments)
    if ((Arg.M == Meaning::Library && Arg.Value == "mpispec") ||
        (Arg.M == Meaning::Object && sys::path::filename(Arg.Value).starts_with("libmpispec")))
      return true;
  return false;
}

/// Does the user's command have effects that the steps cannot have? Then it runs before the steps.
static bool mustRunFirst(const Toolchain &T, const Task &Job) {
  const Invocation &I = Job.I;
  if (isRecorded())
    return true;
  if (I.has(Meaning::PlainFirst) || I.has(Meaning::SaveTemps) || I.has(Meaning::SideFiles))
    return true;
  // Clang warns about options that a preprocessed source does not use. The steps leave them out.
  if (T.Kind == CompilerKind::Clang && any_of(I.Arguments, std::mem_fn(&Argument::Preprocessed)))
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
  const Census &parts();
  std::string mixture(const MPILibrary &Library, const Census &All);
  std::string ownDefinition(const Census &All);
  void findRuntime();
  void hideStates();
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
  std::optional<Census> Parts;             ///< the whole program; the same
  std::string RuntimePath;                 ///< the linked runtime, if Job.AddRuntime
  HandleStyle RuntimeStyle = HandleStyle::MPICH;
  std::string HidingObject; ///< makes the templates' states hidden, or empty
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
const Census &Compilation::parts() {
  if (Parts)
    return *Parts;
  Census All = inputs();
  for (const auto &[Index, Object] : Objects)
    All.add(countUnits(Object));
  std::vector<unsigned> Sources = I.sources();
  for (size_t Position = 0; Position < Sources.size(); ++Position)
    if (Job.Findings[Position].NamesMPI && Job.Findings[Position].NamesProfiling &&
        !Objects.count(Sources[Position]))
      All.add(countAside(Sources[Position]));
  return Parts.emplace(std::move(All));
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
  for (const auto &[Function, Unit] : All.CalledByProfilingName)
    if (!All.Defined.count(Function))
      return Unit + " calls P" + Function +
             ", whose messages would not meet those of MPI functions";
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
  const Census &All = parts();
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
    Job.HideStates = true;
  } else if (wrapsFunctions(I)) {
    S.say("the link wraps functions: linked without the runtime");
    Job.AddRuntime = false;
  }
}

/// If an object defines a symbol as hidden, the linker hides it in all objects. Templates whose
/// state no runtime finds decline all calls.
void Compilation::hideStates() {
  constexpr unsigned Bytes = 4096; // a state has less
  std::set<std::string> States = Job.HideStates ? parts().States : std::set<std::string>();
  if (States.empty())
    return;
  Expected<std::string> Directory = S.makeDirectory();
  if (!Directory)
    return S.say(toString(Directory.takeError()));
  std::string Text = *Directory + "/states.c", Object = *Directory + "/states.o";
  std::error_code Code;
  raw_fd_ostream Out(Text, Code);
  for (const std::string &Name : States)
    Out << "__attribute__((weak, visibility(\"hidden\"), aligned(64))) char " << Name << "["
        << Bytes << "];\n";
  Out.close();
  CommandLine Words = T.Compiler;
  for (const char *Word : {"-fPIC", "-x", "c", "-c", Text.c_str(), "-o", Object.c_str()})
    Words.push_back(Word);
  if (S.runQuietly("compile", Words).good())
    HidingObject = Object;
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
    AtEnd = runtimeWordsAtEnd(T, RuntimePath, I);
  }
  P.Make = [this, Runtime, AtEnd](StringRef Output) {
    CommandLine Words = linkCommand(T, I, Objects, Output, Runtime);
    Words.insert(Words.end(), AtEnd.begin(), AtEnd.end());
    if (!HidingObject.empty())
      Words.push_back(HidingObject);
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
    hideStates();
    if (!Objects.empty() || Job.AddRuntime || !HidingObject.empty())
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

int compile(const Settings &Own, const Installation &Here, Task Job, Toolchain T,
            CommandLine UserWords) {
  return Compilation(Own, Here, std::move(Job), std::move(T), std::move(UserWords)).run();
}

} // namespace mpispec
