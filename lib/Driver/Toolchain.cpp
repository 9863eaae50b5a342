//===- Toolchain.cpp - The compiler that a command runs ---------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Driver/Toolchain.h"
#include "Driver/Process.h"
#include "llvm/BinaryFormat/Magic.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include <cstdlib>
#include <map>
#include <unistd.h>

using namespace llvm;

namespace mpispec {

static StringRef baseName(StringRef Path) { return sys::path::filename(Path); }

/// `x86_64-linux-gnu-g++-12` -> `g++`, `clang++-22` -> `clang++`, `mpicc.mpich` -> `mpicc`.
static StringRef compilerWord(StringRef Name) {
  if (Name.starts_with("mpi"))
    return Name.split('.').first;
  // A version at the end.
  StringRef Stem = Name;
  size_t Dash = Stem.rfind('-');
  if (Dash != StringRef::npos &&
      Stem.substr(Dash + 1).find_first_not_of("0123456789.") == StringRef::npos)
    Stem = Stem.substr(0, Dash);
  // A target at the front.
  return Stem.substr(Stem.rfind('-') + 1);
}

static bool isWrapperName(StringRef Path) { return baseName(Path).starts_with("mpi"); }

static bool isKnownCompiler(StringRef Path) {
  StringRef Word = compilerWord(baseName(Path));
  for (StringRef Known : {"gcc", "g++", "cc", "c++", "clang", "clang++", "gfortran", "flang"})
    if (Word == Known)
      return true;
  return false;
}

bool isCompilerName(StringRef Name) {
  StringRef Word = compilerWord(Name);
  for (StringRef Known : {"mpicc", "mpicxx", "mpic++", "mpiCC", "mpif77", "mpif90", "mpifort",
                          "mpicc_abi", "mpicxx_abi", "mpiicc", "mpiicx", "mpiicpc", "mpiicpx",
                          "mpiifort", "mpiifx", "mpigcc", "mpigxx"})
    if (Word == Known)
      return true;
  return !Name.contains('/') && isKnownCompiler(Name);
}

static bool isMpispec(StringRef Path) {
  StringRef Name = baseName(Path);
  return Name == "mpispec" || Name == "mpispec-cc" || Name == "mpispec-c++";
}

/// Is it a program that caches the output of the compiler behind it, or runs this compiler on
/// another machine?
static bool isCompilerCache(StringRef Path) {
  StringRef Name = baseName(Path);
  return Name == "ccache" || Name == "sccache" || Name == "distcc" || Name == "icecc";
}

/// Does \p Word name a compiler? A source may have a name like a wrapper's (mpi_heat.cpp), and
/// `CC=gcc` is an argument of make.
static bool namesCompiler(StringRef Word) {
  return !Word.contains('=') &&
         (isKnownCompiler(Word) ||
          (isWrapperName(Word) && languageOf(Word, /*CompilerIsCXX=*/false).empty()));
}

/// Is the program \p Path a launcher of the compiler that the next word \p Next names?
static bool isLauncher(StringRef Path, StringRef Next) {
  if (baseName(Path) == "mpispec")
    return true;
  if (isMpispec(Path)) // mpispec-cc is a wrapper, unless a compiler follows
    return namesCompiler(Next);
  if (baseName(Path) == "env") // its assignments are separate words
    return !Next.starts_with("-");
  for (StringRef Known : {"nice", "time"})
    if (baseName(Path) == Known)
      return !Next.starts_with("-") && !Next.contains('=');
  if (isCompilerCache(Path))
    return !Next.starts_with("-") && !Next.contains('=');
  return !isKnownCompiler(Path) && !isWrapperName(Path) && !Next.starts_with("-") &&
         namesCompiler(Next);
}

Command splitCommand(ArrayRef<std::string> Words) {
  Command C;
  size_t Last = 0;
  bool OfEnv = false; // the word before is env, or one of its assignments
  for (; Last + 1 < Words.size(); ++Last) {
    bool Assigns = OfEnv && StringRef(Words[Last]).contains('=');
    if (!Assigns && !isLauncher(Words[Last], Words[Last + 1]))
      break;
    OfEnv = Assigns || baseName(Words[Last]) == "env";
  }
  for (size_t Index = 0; Index <= Last; ++Index)
    if (Index == Last || !isMpispec(Words[Index]))
      C.Compiler.push_back(Words[Index]);
  C.Arguments = expandResponseFiles(Words.drop_front(Last + 1));
  StringRef Word = compilerWord(baseName(Words[Last]));
  C.IsFortran = Word == "gfortran" || Word == "flang" || Word.starts_with("mpif") ||
                Word == "mpiifort" || Word == "mpiifx";
  return C;
}

bool compilesCXX(ArrayRef<std::string> Compiler) {
  StringRef Word = compilerWord(baseName(Compiler.back()));
  return Word.contains("++") || Word.contains("cxx") ||
         is_contained({"CC", "FCC", "mpiCC", "mpiFCC", "icpc", "icpx", "mpiicpx"}, Word);
}

//===- Expanding a wrapper -------------------------------------------------------------------===//

/// This word stands for the user's arguments in the output of a wrapper.
static constexpr StringLiteral ArgumentsMarker = "mpispec-arguments-here.o";

/// Options of the compiler for which Intel's wrappers choose a library with integers of 8 bytes.
static constexpr StringLiteral LongIntegers[] = {"-i8", "-fdefault-integer-8"};

/// The command by which a wrapper prints the command that it would run. It contains the words of
/// the user that affect the wrapper's own words. A compiler cache in front of the wrapper is left
/// out.
static CommandLine wrapperQuery(const Command &C) {
  CommandLine Query;
  for (const std::string &Word : C.Compiler)
    if (&Word == &C.Compiler.back() || !isCompilerCache(Word))
      Query.push_back(Word);
  Query.push_back("-show");
  for (const Argument &Arg : parseInvocation(C.Arguments, false).Arguments)
    if (Arg.M == Meaning::WrapperChoice || Arg.M == Meaning::StopAfterCompile ||
        Arg.M == Meaning::StaticLink || is_contained(LongIntegers, Arg.Words[0]))
      Query.push_back(Arg.Words[0]);
  Query.push_back(ArgumentsMarker.str());
  return Query;
}

/// The user's arguments without those that only the wrapper accepts.
static CommandLine withoutWrapperChoices(const Command &C) {
  CommandLine Rest;
  for (const Argument &Arg : parseInvocation(C.Arguments, false).Arguments)
    if (Arg.M != Meaning::WrapperChoice)
      Rest.insert(Rest.end(), Arg.Words.begin(), Arg.Words.end());
  return Rest;
}

/// \p Compiler is the command that a wrapper printed. It is put behind the launchers before
/// \p Wrapper in the user's command. Launchers that the wrapper printed itself are not repeated,
/// because a cache must not run below itself.
static CommandLine behindLaunchers(ArrayRef<std::string> Wrapper, ArrayRef<std::string> Compiler) {
  CommandLine All;
  for (const std::string &Launcher : Wrapper.drop_back())
    if (none_of(Compiler.drop_back(),
                [&](const std::string &W) { return baseName(W) == baseName(Launcher); }))
      All.push_back(Launcher);
  All.insert(All.end(), Compiler.begin(), Compiler.end());
  return All;
}

/// The output of \p Query in the current directory. All sources of a build have the same queries.
static std::optional<std::string> answerTo(const CommandLine &Query) {
  static std::map<CommandLine, std::optional<std::string>> Answers;
  SmallString<128> Directory;
  sys::fs::current_path(Directory);
  CommandLine Key = Query;
  Key.push_back(Directory.str().str());
  auto [Answer, IsNew] = Answers.try_emplace(std::move(Key));
  if (IsNew)
    Answer->second = outputOf(Query);
  return Answer->second;
}

/// Runs the wrapper with -show. Returns false if it does not print a command.
static bool expandWrapper(const Command &C, Toolchain &T) {
  CommandLine Query = wrapperQuery(C);
  std::optional<std::string> Answer = answerTo(Query);
  if (!Answer)
    return false;
  CommandLine Shown = splitWords(*Answer);
  auto Marker = find(Shown, ArgumentsMarker);
  if (Shown.empty() || Marker == Shown.end())
    return false;
  // The output also contains the words that were added to the query.
  CommandLine Before(Shown.begin(), Marker), After(Marker + 1, Shown.end());
  for (StringRef Own : {StringRef("-c"), StringRef("-S"), StringRef("-static"),
                        StringRef(LongIntegers[0]), StringRef(LongIntegers[1])})
    if (auto Found = find(Before, Own); is_contained(Query, Own) && Found != Before.end())
      Before.erase(Found);

  Command Real = splitCommand(Before);
  T.Compiler = behindLaunchers(C.Compiler, Real.Compiler);
  T.Arguments = Real.Arguments;
  for (std::string &Word : withoutWrapperChoices(C))
    T.Arguments.push_back(std::move(Word));
  T.Arguments.insert(T.Arguments.end(), After.begin(), After.end());
  T.Wrapped = true;
  return true;
}

//===- Which compiler it is ------------------------------------------------------------------===//

static CompilerKind compilerKind(const CommandLine &Compiler) {
  StringRef Word = compilerWord(baseName(Compiler.back()));
  if (Word.contains("clang"))
    return CompilerKind::Clang;
  if (Word == "gcc" || Word == "g++")
    return CompilerKind::Gcc;
  // `cc` is a link to gcc or clang. Any other compiler is run with --version.
  if (ErrorOr<std::string> Path = sys::findProgramByName(Compiler.back())) {
    SmallString<128> Real;
    if (!sys::fs::real_path(*Path, Real) && isKnownCompiler(Real) &&
        compilerWord(baseName(Real)) != Word)
      return compilerKind({Real.str().str()});
  }
  CommandLine Ask = Compiler;
  Ask.push_back("--version");
  std::optional<std::string> Version = answerTo(Ask);
  if (!Version)
    return CompilerKind::Gcc;
  const StringRef Text = *Version; // Intel's icx and icpx name no clang
  return Text.contains_insensitive("clang") || Text.contains("oneAPI") ? CompilerKind::Clang
                                                                       : CompilerKind::Gcc;
}

/// `aarch64-linux-gnu-gcc-12` -> `aarch64-linux-gnu`.
static std::string targetOf(StringRef Compiler) {
  StringRef Name = baseName(Compiler);
  size_t End = Name.find(("-" + compilerWord(Name)).str());
  return End == StringRef::npos ? "" : Name.substr(0, End).str();
}

Toolchain resolveToolchain(const Command &C) {
  Toolchain T;
  if (isKnownCompiler(C.Compiler.back()) || !expandWrapper(C, T)) {
    T.Compiler = C.Compiler;
    T.Arguments = C.Arguments;
  }
  T.Kind = compilerKind(T.Compiler);
  T.Target = targetOf(T.Compiler.back());
  return T;
}

/// Is \p Path an object, an archive, bitcode, or a shared library? A program that is independent of
/// its position looks like a shared library.
static bool isLinkerInput(StringRef Path) {
  file_magic Magic;
  if (!sys::fs::is_regular_file(Path) || identify_magic(Path, Magic))
    return false;
  return Magic == file_magic::elf_relocatable || Magic == file_magic::archive ||
         Magic == file_magic::bitcode ||
         (Magic == file_magic::elf_shared_object && baseName(Path).contains(".so"));
}

bool isCompilation(const Command &C, const Invocation &I) {
  StringRef Name = baseName(C.Compiler.back());
  if (isKnownCompiler(Name) || isCompilerName(Name))
    return true;
  // These get sources and objects as arguments, too.
  for (StringRef Other :
       {"make", "gmake", "ninja", "cmake", "sh", "bash", "dash", "mpiexec", "mpirun"})
    if (Name.split('.').first == Other)
      return false;
  return any_of(I.Arguments, [](const Argument &Arg) {
    return Arg.M == Meaning::Source || (Arg.M == Meaning::Object && isLinkerInput(Arg.Value));
  });
}

std::string headerDirectory(const Toolchain &T) {
  CommandLine Ask = T.Compiler;
  Ask.push_back("-print-file-name=include");
  std::string Answer = outputOf(Ask).value_or("");
  StringRef Directory = StringRef(Answer).trim();
  return sys::path::is_absolute(Directory) ? Directory.str() : "";
}

bool isCompilerOfCcache() {
  SmallString<64> Parent;
  return !sys::fs::real_path("/proc/" + Twine(getppid()) + "/exe", Parent) &&
         baseName(Parent) == "ccache";
}

//===- Loops ---------------------------------------------------------------------------------===//

/// The number of mpispec processes in the chain of programs that started this one.
static constexpr const char *DepthVariable = "MPISPEC_DEPTH";

unsigned nestingDepth() {
  unsigned Depth = 0;
  if (const char *Value = std::getenv(DepthVariable))
    StringRef(Value).getAsInteger(10, Depth);
  return Depth;
}

void markNested() { setenv(DepthVariable, std::to_string(nestingDepth() + 1).c_str(), 1); }

unsigned countOtherCommands() {
  // The runtime warns of unknown variables that begin with MPISPEC_.
  constexpr const char *Variable = "_MPISPEC_COMMANDS";
  unsigned Count = 0;
  if (const char *Value = std::getenv(Variable))
    StringRef(Value).getAsInteger(10, Count);
  setenv(Variable, std::to_string(++Count).c_str(), 1);
  return Count;
}

void breakWrapperLoops() {
  // MPICH's wrapper counts how often it starts itself. It would report a second, harmless start as
  // a loop.
  unsetenv("MPICH_RECURSION_CHECK");
  for (const char *Name :
       {"MPICH_CC", "MPICH_CXX", "OMPI_CC", "OMPI_CXX", "I_MPI_CC", "I_MPI_CXX"}) {
    const char *Value = std::getenv(Name);
    CommandLine Words = splitWords(Value ? Value : "");
    if (Words.empty() || !isMpispec(Words[0]))
      continue;
    // `mpispec gcc` becomes gcc. `mpispec-cc` is the wrapper itself and is dropped, because a
    // wrapper has a compiler of its own.
    size_t First = 0;
    while (First < Words.size() &&
           (isMpispec(Words[First]) || StringRef(Words[First]).starts_with("--mpispec-")))
      ++First;
    CommandLine Rest(Words.begin() + First, Words.end());
    if (Rest.empty() || isWrapperName(Rest[0]))
      unsetenv(Name);
    else
      setenv(Name, quoted(Rest).c_str(), 1);
  }
}

} // namespace mpispec
