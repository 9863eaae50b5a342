//===- Commands.cpp - The command line of each step -------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Driver/Commands.h"
#include "Driver/MPILibrary.h"
#include "Driver/Process.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace mpispec {

static void append(CommandLine &Out, ArrayRef<std::string> Words) {
  Out.insert(Out.end(), Words.begin(), Words.end());
}

/// Appends a source in the form that the user's command has. (clang++ warns about a `.c` file, but
/// not behind `-x c++`.)
static void appendSource(CommandLine &Out, const Argument &Source) {
  if (!Source.LangWord.empty())
    append(Out, {"-x", Source.LangWord, Source.Value, "-x", "none"});
  else
    Out.push_back(Source.Value);
}

/// Appends \p Arg without its effect of turning warnings into errors. `-Werror=unused` and
/// `-pedantic-errors` also enable warnings. This effect stays.
static void appendWithoutErrors(CommandLine &Out, const Argument &Arg) {
  if (Arg.Words[0] == "-pedantic-errors")
    Out.push_back("-pedantic");
  else if (Arg.M == Meaning::WarningsAsErrors && Arg.Words[0] != "-Werror")
    Out.push_back("-W" + Arg.Value);
  else if (Arg.M != Meaning::WarningsAsErrors)
    append(Out, Arg.Words);
}

//===- Preprocessing -------------------------------------------------------------------------===//

static bool writesDependencies(const Argument &Arg) {
  switch (Arg.M) {
  case Meaning::Dependencies:
  case Meaning::DependencyFile:
  case Meaning::DependencyTarget:
  case Meaning::DependencyDetail:
    return true;
  default:
    return false;
  }
}

bool preprocessorListAsksForDependencies(const Invocation &I) {
  for (const Argument &Arg : I.Arguments)
    if (Arg.M == Meaning::PreprocessorList &&
        (StringRef(Arg.Value).contains("-MD") || StringRef(Arg.Value).contains("-MMD")))
      return true;
  return false;
}

/// Names the dependency file and its target like the user's command. With -E, or with another
/// output, gcc and clang would choose other names.
static void appendDependencyNames(CommandLine &Out, const Toolchain &T, const Invocation &I,
                                  unsigned Index) {
  bool Asked = I.has(Meaning::Dependencies);
  SmallString<128> Name(sys::path::filename(I.Arguments[Index].Value));
  sys::path::replace_extension(Name, "o");
  std::string Target = I.has(Meaning::Output) ? I.output(Index) : Name.str().str();
  if (Asked && !I.has(Meaning::DependencyFile)) {
    Name = Target;
    sys::path::replace_extension(Name, "d");
    append(Out, {"-MF", Name.str().str()});
  }
  // gcc passes the options of -Wp, to its preprocessor, which has no output option. clang treats
  // them as its own options.
  Asked |= T.Kind == CompilerKind::Clang && preprocessorListAsksForDependencies(I);
  if (Asked && !I.has(Meaning::DependencyTarget))
    append(Out, {"-MQ", Target});
}

CommandLine preprocessCommand(const Toolchain &T, const Invocation &I, unsigned Index,
                              DependencyFiles D) {
  CommandLine Out = T.Compiler;
  for (const Argument &Arg : I.Arguments)
    if ((Arg.Steps & Preprocess) && (D == DependencyFiles::Write || !writesDependencies(Arg)))
      append(Out, Arg.Words);
  if (D == DependencyFiles::Write)
    appendDependencyNames(Out, T, I, Index);
  Out.push_back("-E");
  appendSource(Out, I.Arguments[Index]);
  return Out;
}

//===- Analysis ------------------------------------------------------------------------------===//

/// Appends options that make Clang's behaviour that of gcc where the user's flags are not enough.
static void appendGccDefaults(CommandLine &Out, const Invocation &I) {
  // gcc itself gives its warnings. By default, Clang rejects some code about which gcc only warns,
  // and some for which gcc has no warning. Each release of Clang rejects more: pointers of other
  // types, narrowing, `register` in C++17.
  append(Out, {"-w", "-Wno-everything"});
  // Clang cannot fortify printf and similar functions without macros, which would change the text.
  Out.push_back("-U_FORTIFY_SOURCE");
  // gcc rounds after each operation that it folds; Clang would contract a product and a sum.
  Out.push_back("-ffp-contract=off");
  // gcc lets a function of a shared library be replaced at run time, so that callers cannot rely on
  // its body.
  if (I.has(Meaning::PositionIndependent) && !I.has(Meaning::NoInterposition))
    Out.push_back("-fsemantic-interposition");
}

/// Is \p Arg for the analysis? Options for gcc's warnings are not, because gcc itself gives these
/// warnings. Macros and search paths are not if the source is already preprocessed.
static bool actsInAnalysis(const Argument &Arg, bool Gcc, bool Preprocessed) {
  bool ForPreprocessor = (Arg.Steps & Preprocess) && !(Arg.Steps & Compile);
  return (Arg.Steps & Analyze) && !(Gcc && StringRef(Arg.Words[0]).starts_with("-W")) &&
         !(Preprocessed && ForPreprocessor);
}

CommandLine analysisArguments(const Toolchain &T, const Invocation &I, unsigned Index,
                              ArrayRef<std::string> LastDirectories) {
  CommandLine Out;
  bool Gcc = T.Kind == CompilerKind::Gcc;
  if (Gcc && !T.Target.empty())
    Out.push_back("--target=" + T.Target);
  for (const Argument &Arg : I.Arguments)
    if (actsInAnalysis(Arg, Gcc, I.Arguments[Index].Preprocessed))
      appendWithoutErrors(Out, Arg);
  if (Gcc)
    appendGccDefaults(Out, I);
  for (const std::string &Directory : LastDirectories)
    append(Out, {"-idirafter", Directory});
  append(Out, {"-x", I.Arguments[Index].Lang, I.Arguments[Index].Value});
  return Out;
}

CommandLine bareCompiler(const Toolchain &T, const Invocation &I) {
  CommandLine Out = {T.Compiler.back()};
  for (const Argument &Arg : I.Arguments)
    if ((Arg.Steps & Preprocess) && Arg.M != Meaning::ForcedInclude &&
        Arg.M != Meaning::PreprocessorList && !writesDependencies(Arg))
      append(Out, Arg.Words);
  return Out;
}

//===- Compiling -----------------------------------------------------------------------------===//

/// The prefix that gcc and clang give to side files of a command that links: `prog-foo.gcno`. It is
/// only the directory if the single input has the program's name.
static std::string sideFilePrefix(const Toolchain &T, const Invocation &I) {
  std::string Program = I.has(Meaning::Output) ? I.last(Meaning::Output).str() : "a";
  StringRef Stem = sys::path::filename(Program);
  Stem.consume_back(".exe");
  if (Stem == "a.out")
    Stem = "a";
  auto IsNamesake = [&](const Argument &Arg) {
    return Arg.M == Meaning::Source && sys::path::stem(Arg.Value) == Stem;
  };
  bool Alone = T.Kind == CompilerKind::Gcc && I.inputs() == 1 && any_of(I.Arguments, IsNamesake);
  std::string Directory = sys::path::parent_path(Program).str();
  if (!Directory.empty())
    Directory += '/';
  return Alone ? Directory.empty() ? "./" : Directory : Directory + Stem.str() + "-";
}

static CommandLine compileCommand(const Toolchain &T, const Invocation &I, uint8_t Steps,
                                  StringRef Output) {
  CommandLine Out = T.Compiler;
  // If the command itself stops after compiling, its link options stay, because clang warns about
  // them.
  if (!I.links())
    Steps |= Link;
  for (const Argument &Arg : I.Arguments)
    if ((Arg.Steps & Steps) && !(I.links() && Arg.M == Meaning::SaveTemps))
      appendWithoutErrors(Out, Arg);
  if (I.links() && I.has(Meaning::SideFiles))
    append(Out, {"-dumpdir", sideFilePrefix(T, I)});
  append(Out, {I.stopsAtAssembly() ? "-S" : "-c", "-o", Output.str()});
  return Out;
}

/// gcc has had statement frontiers, and a switch for them, since its release 8.
static bool hasFrontiers(const Toolchain &T) {
  CommandLine Ask = T.Compiler;
  Ask.push_back("-dumpversion");
  std::string Answer = outputOf(Ask).value_or("");
  unsigned Release = 0;
  return !StringRef(Answer).trim().split('.').first.getAsInteger(10, Release) && Release >= 8;
}

/// Whether gcc records statement frontiers for this command. These finer line numbers put the line
/// of a call at the end of its inlined code. A breakpoint on that line would stop behind the call.
static bool asksForFrontiers(const Toolchain &T, const Invocation &I) {
  auto IsOwn = [](const Argument &Arg) {
    return StringRef(Arg.Words[0]).contains("statement-frontiers");
  };
  auto AsksForDebug = [](const Argument &Arg) {
    StringRef Word = Arg.Words[0];
    return Arg.M != Meaning::Source && Word.starts_with("-g") && Word != "-g0";
  };
  return T.Kind == CompilerKind::Gcc && any_of(I.Arguments, AsksForDebug) &&
         none_of(I.Arguments, IsOwn) && hasFrontiers(T);
}

CommandLine compileTextCommand(const Toolchain &T, const Invocation &I, unsigned Index,
                               StringRef Text, StringRef Output) {
  CommandLine Out = compileCommand(T, I, Compile, Output);
  bool CXX = I.Arguments[Index].Lang == "c++";
  if (asksForFrontiers(T, I))
    Out.push_back("-gno-statement-frontiers");
  append(Out, {"-x", CXX ? "c++-cpp-output" : "cpp-output", Text.str()});
  return Out;
}

CommandLine compileForSymbolsCommand(const Toolchain &T, const Invocation &I, unsigned Index,
                                     StringRef Output) {
  CommandLine Out = T.Compiler;
  for (const Argument &Arg : I.Arguments)
    if ((Arg.Steps & (Preprocess | Compile)) && !writesDependencies(Arg) &&
        Arg.M != Meaning::SaveTemps && Arg.M != Meaning::SideFiles)
      appendWithoutErrors(Out, Arg);
  append(Out, {"-c", "-o", Output.str()});
  appendSource(Out, I.Arguments[Index]);
  return Out;
}

CommandLine compileSourceCommand(const Toolchain &T, const Invocation &I, unsigned Index,
                                 StringRef Output) {
  CommandLine Out = compileCommand(T, I, Preprocess | Compile, Output);
  appendDependencyNames(Out, T, I, Index);
  appendSource(Out, I.Arguments[Index]);
  return Out;
}

//===- Linking -------------------------------------------------------------------------------===//

static void appendLinkArgument(CommandLine &Out, const Argument &Arg, bool Compiles) {
  if (Arg.M == Meaning::Source)
    appendSource(Out, Arg);
  else if (Arg.Steps & Link)
    appendWithoutErrors(Out, Arg);
  else if (Compiles && Arg.Steps && !writesDependencies(Arg) && Arg.M != Meaning::SaveTemps)
    append(Out, Arg.Words);
}

/// The program exports the templates' state, so that there is only one. Otherwise a specialised
/// plugin that is loaded later would use its own copy, which contains zeros.
CommandLine runtimeWords(StringRef Path, HandleStyle Style, bool ByFortran) {
  CommandLine Words = {"-Wl,--export-dynamic-symbol=" + stateSymbol(Style)};
  if (ByFortran)
    Words.push_back("-Wl,-u,MPI_Init");
  Words.push_back(Path.str());
  return Words;
}

/// Is the linker GNU ld? Options, variables such as COMPILER_PATH, and the system choose it.
static bool linksByGnuLd(const Toolchain &T, const Invocation &I) {
  CommandLine Question = T.Compiler;
  for (const Argument &Arg : I.Arguments)
    if (StringRef Word = Arg.Words[0];
        Word.starts_with("-fuse-ld=") || Word.starts_with("--ld-path=") || Word.starts_with("-B"))
      append(Question, Arg.Words);
  Question.push_back("-Wl,--version");
  // mold calls itself "compatible with GNU ld".
  return ("\n" + outputOf(Question).value_or("")).find("\nGNU ld") != std::string::npos;
}

/// The linker script is only for GNU ld. gold would give the script's symbols constant addresses,
/// and mold reads no scripts.
CommandLine runtimeWordsAtEnd(const Toolchain &T, StringRef Path, const Invocation &I) {
  SmallString<128> Script(sys::path::parent_path(Path));
  sys::path::append(Script, "mpispec-profiling.ld");
  return sys::fs::exists(Script) && linksByGnuLd(T, I) ? CommandLine{Script.str().str()}
                                                       : CommandLine();
}

bool refusesRuntimeWords(StringRef Messages) {
  return Messages.contains("export-dynamic-symbol") &&
         (Messages.contains("unrecognized") || Messages.contains("unknown"));
}

SmallVector<StringRef> linkerWords(const Argument &Arg) {
  SmallVector<StringRef> Words;
  if (Arg.M == Meaning::LinkerList)
    StringRef(Arg.Value).split(Words, ',');
  return Words;
}

bool wrapsFunctions(const Invocation &I, StringRef Prefix) {
  bool IsNext = false;
  for (const Argument &Arg : I.Arguments)
    for (StringRef Word : linkerWords(Arg)) {
      bool IsName = std::exchange(IsNext, Word == "--wrap" || Word == "-wrap");
      IsName |= Word.consume_front("--wrap=") || Word.consume_front("-wrap=");
      if (IsName && Word.starts_with(Prefix))
        return true;
    }
  return false;
}

std::string linkDependencyFile(const Invocation &I) {
  std::string File;
  bool IsNext = false;
  for (const Argument &Arg : I.Arguments)
    for (StringRef Word : linkerWords(Arg)) {
      if (IsNext || Word.consume_front("--dependency-file="))
        File = Word.str();
      IsNext = !IsNext && Word == "--dependency-file";
    }
  return File;
}

bool linksToNoProgram(const Invocation &I) {
  if (I.has(Meaning::NoRuntime))
    return true;
  for (const Argument &Arg : I.Arguments)
    for (StringRef Word : linkerWords(Arg))
      if (Word == "-r" || Word == "-i" || Word == "--relocatable" || Word == "-shared" ||
          Word == "-Bshareable")
        return true;
  return false;
}

/// Appends the words of \p Arg, which go to the linker, and \p Runtime before its MPI library.
/// Libraries before that may call MPI.
static void appendBeforeLibrary(CommandLine &Out, const Argument &Arg, const CommandLine &Runtime) {
  std::string Library = ("-l" + libraryValue(Arg)).str();
  for (StringRef Word : linkerWords(Arg)) {
    if (Word == Library)
      append(Out, Runtime);
    append(Out, {"-Xlinker", Word.str()});
  }
}

CommandLine linkCommand(const Toolchain &T, const Invocation &I,
                        const std::map<unsigned, std::string> &Objects, StringRef Output,
                        const CommandLine &Runtime) {
  bool Compiles = false;
  for (unsigned Index = 0; Index < I.Arguments.size(); ++Index)
    Compiles |= I.Arguments[Index].M == Meaning::Source && !Objects.count(Index);

  CommandLine Out = T.Compiler;
  // clang warns about options that linking does not use. The compile commands have already used
  // them.
  if (T.Kind == CompilerKind::Clang && !Objects.empty())
    Out.push_back("-Qunused-arguments");
  CommandLine Pending = Runtime;
  for (unsigned Index = 0; Index < I.Arguments.size(); ++Index) {
    if (!Pending.empty() && isMPILibrary(I.Arguments[Index])) {
      if (I.Arguments[Index].M == Meaning::LinkerList) {
        appendBeforeLibrary(Out, I.Arguments[Index], std::exchange(Pending, {}));
        continue;
      }
      append(Out, std::exchange(Pending, {}));
    }
    // The runtime searches for the binding's functions by name (runtime/interposition/fortran/
    // binding.h). If all calls of the program go to the runtime, no object refers to the binding,
    // and `--as-needed` would drop it.
    const bool IsKept = !Runtime.empty() && isFortranBinding(I.Arguments[Index]);
    if (IsKept)
      Out.push_back("-Wl,--push-state,--no-as-needed");
    if (auto Object = Objects.find(Index); Object != Objects.end())
      Out.push_back(Object->second);
    else
      appendLinkArgument(Out, I.Arguments[Index], Compiles);
    if (IsKept)
      Out.push_back("-Wl,--pop-state");
  }
  append(Out, Pending);
  if (Compiles && (I.has(Meaning::SideFiles) || I.has(Meaning::Profile)))
    append(Out, {"-dumpdir", sideFilePrefix(T, I)});
  append(Out, {"-o", Output.str()});
  return Out;
}

} // namespace mpispec
