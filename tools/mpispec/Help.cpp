//===- Help.cpp - The output of --help and --version ------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Help.h"
#include "Driver/Settings.h"
#include "doctor/Doctor.h"
#include "run/RunCommand.h"
#include "run/RuntimeCommand.h"
#include "run/Subcommands.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVectorExtras.h"

using namespace llvm;

namespace mpispec {

static constexpr StringLiteral Usage =
    R"(mpispec - compile MPI programs with each MPI call specialised to what is known about it

Usage:
  mpispec [options] COMPILER ARGUMENTS...
      compile or link, as COMPILER would: 'mpispec mpicc -O2 -c halo.c'
)";

static constexpr StringLiteral More = R"(
  mpispec help SUBCOMMAND     the options of each, with examples
  mpispec help compile        compile commands: options, links, CMAKE_C_COMPILER_LAUNCHER
  mpispec help environment    the variables MPISPEC_FLAGS, MPISPEC_MODE, MPISPEC_VERBOSE, ...
  mpispec --version           the version, and that of LLVM, and the runtimes

Exit status: that of the compiler or the program; 1 for a mistake in mpispec's own files; 2 for a
mistake in the words of the command, or if the output of a subcommand cannot be written; 127 if the
compiler or the program was not found.
)";

static constexpr StringLiteral CompileAbout =
    R"(Usage: mpispec [options] COMPILER ARGUMENTS...

COMPILER is gcc, clang, an MPI wrapper (mpicc, mpicxx), any of these behind ccache and the like
('mpispec ccache mpicc'), or a script that runs one of them; if the script itself adds the MPI
library, name it in links as well (-lmpich). 'mpispec-cc' is 'mpispec mpicc', 'mpispec-c++' is
'mpispec mpicxx'. The compiler that builds the program stays yours; if anything
is in the way, your command runs unchanged. Warnings, errors and the exit status are those of your
command.

A link to mpispec under a compiler's name is 'mpispec COMPILER', with the compiler that comes after
the link on the PATH:

  mpispec links /links                             links for all compilers on the PATH
  mpispec links /links mpicc                       a link for mpicc alone
  PATH=/links:$PATH make

Without links:

  make CC="mpispec mpicc"
  CC="mpispec mpicc" ./configure
  cmake -DCMAKE_C_COMPILER_LAUNCHER=mpispec -DCMAKE_C_LINKER_LAUNCHER=mpispec ...

Options, anywhere in a compiler command, and in MPISPEC_FLAGS. In front of COMPILER they need no
'mpispec-': 'mpispec --verbose mpicc -c halo.c' does the same.
)";

static constexpr StringLiteral Others = R"(
TMPDIR is where temporary files go (default /tmp). MPICH_CC, OMPI_CC and the like name, as always,
the compiler behind an MPI wrapper. The cache is in MPISPEC_CACHE, or mpispec in $XDG_CACHE_HOME or
~/.cache.
)";

//===- The subcommands -----------------------------------------------------------------------===//

namespace {
/// A page is About, the options of the table, and More.
struct SubcommandPage {
  StringRef Name, About, More;
};
} // namespace

// Ordinary literals: gcc 11 takes no raw string of several lines in a macro.
#define MPISPEC_FLAGS_HELP                                                                         \
  "\nFLAGS are the compiler's ('-O2 -Iinclude'), or a whole command ('gcc -O2 ...'). Without a "   \
  "compiler\n"                                                                                     \
  "among them mpicc, or mpicxx for C++, is asked for its own.\n"
#define MPISPEC_COMPILER_HELP                                                                      \
  "\nCOMPILER is the MPI wrapper that you build with (default: mpicc).\n"

static constexpr StringLiteral ExplainAbout =
    R"(Usage: mpispec explain [options] FILE... -- [FLAGS]

Says for each MPI call of the sources which template it gets, whether that has a fast path at the
call (inline) or only makes the ordinary call (ordinary), what is proven about each argument and
where the knowledge comes from. Then, variable by variable, what would have to be known for more.
)";
static constexpr StringLiteral ExplainMore = MPISPEC_FLAGS_HELP R"(
Examples:
  mpispec explain halo.c -- -O2
  mpispec explain halo.c exchange.c -- mpicc -O2 -Iinclude
  mpispec explain -p build src/halo.c
  mpispec explain --format=json halo.c -- -O2 | python3 -m json.tool
)";

static constexpr StringLiteral RewriteAbout =
    R"(Usage: mpispec rewrite [options] FILE... -- [FLAGS]

Prints the sources as they would be rewritten, readable, macros left as written. A build does the same
to preprocessed text, so nothing needs to be done with this output.
)";
static constexpr StringLiteral RewriteMore = MPISPEC_FLAGS_HELP R"(
Examples:
  mpispec rewrite halo.c -- -O2 | diff halo.c -
  mpispec rewrite --print=choices halo.c -- -O2
)";

static constexpr StringLiteral ReportAbout =
    R"(Usage: mpispec report [options] DIR
       mpispec report --html=FILE --profile=DIR

Merges the remarks that a build left in DIR into one table: how many calls have a fast path inline, are
made as ordinary calls, or were left as they are; what kept them from more; which variables would free
most; which sources were compiled without mpispec, and why.
)";
static constexpr StringLiteral ReportMore =
    R"(
Examples:
  make CC="mpispec --mpispec-remarks=$PWD/remarks mpicc" && mpispec report remarks
  mpispec report --html=report.html remarks
  mpispec report --html=report.html --profile=after --profile-before=before remarks
  mpispec report --format=json remarks
)";

static constexpr StringLiteral ProfileAbout =
    R"(Usage: mpispec profile [options] DIR

Reads what the ranks of a run with MPISPEC_PROFILE=DIR have left, and prints the call sites that took
most time, with calls, bytes, share of the run, waiting, imbalance over ranks and how often the fast
path was there; what stopped it; who sent to whom; and what to do. The program is specialised, or linked
with the runtime, or the runtime is preloaded; with -g sites have places in the source. A run that was
cut short is read as far as it came.
)";
static constexpr StringLiteral ProfileMore =
    R"(
Exit status: 0 printed, 1 there is no profile that can be read, 2 a mistake in the command.

Examples:
  MPISPEC_PROFILE=profile mpiexec -n 4 ./halo && mpispec profile profile
  mpispec profile --format=csv profile > sites.csv
  mpispec profile --compare before after
)";

static constexpr StringLiteral LintAbout =
    R"(Usage: mpispec lint [options] -p DIR [FILE...]
       mpispec lint [options] FILE... -- [FLAGS]

Looks for mistakes in the MPI calls of a whole project, without compiling it, and prints them as
compilers do: file:line:column: warning: text [rule]. With -p and without names it looks at all C and
C++ sources of the build. Only what no correct program has is a warning; a source that cannot be read
is told of, and the others are checked.
)";
static constexpr StringLiteral LintMore = MPISPEC_FLAGS_HELP R"(
The file .mpispec-lint of a project has the lines 'Checks: LIST' and 'Baseline: FILE'. A comment
NOLINT or NOLINT(CHECK) suppresses findings of its line, NOLINTNEXTLINE those of the next line.

Exit status: 0 no new warning, 1 new warnings, 2 something could not be checked. Notes do not count.

Examples:
  cmake -B build -DCMAKE_EXPORT_COMPILE_COMMANDS=ON && mpispec lint -p build
  bear -- make && mpispec lint -p .
  mpispec lint halo.c exchange.c -- -Iinclude
  mpispec lint -p build --format=sarif -o mpi.sarif
  mpispec lint -p build --checks=-mpispec-leaks --baseline=known-findings.txt
)";

static constexpr StringLiteral SummariseAbout =
    R"(Usage: mpispec summarise [-j N] -p DIR [FILE...]
       mpispec summarise [-j N] FILE... -- [FLAGS]

Lets the sources of a project know each other before they are compiled: leaves in a cache what each
passes to functions, and stores in fields of structures and in variables of the program. Compiles of
the project predict arguments from that; a wrong prediction costs a comparison, never a result. With -p
and without names it reads all C and C++ sources of the build. A compile leaves the summary of its own
source as well, if that has MPI calls; this makes the first build know what a second one would.
)";
static constexpr StringLiteral SummariseMore = MPISPEC_FLAGS_HELP R"(
The cache is MPISPEC_CACHE, or mpispec in $XDG_CACHE_HOME or ~/.cache; with MPISPEC_CACHE=off there is none.
It can be removed at any time. Files in it that are damaged or of another version are passed over.

Exit status: 0 all are summarised, 1 some are not, 2 nothing was done.

Examples:
  cmake -B build -DCMAKE_EXPORT_COMPILE_COMMANDS=ON && mpispec summarise -p build
  bear -- make && mpispec summarise -p . && make clean && make CC="mpispec mpicc"
  mpispec summarise src/*.c -- -Iinclude
)";

static constexpr StringLiteral DatabaseAbout =
    R"(Usage: mpispec database DIR

Prints DIR/compile_commands.json with the compiler behind mpispec and MPI's wrapper in each command, and
the flags that the wrapper adds. clang-tidy, clangd and other tools of Clang run no wrapper: of a build with
CC=mpispec-cc, or CC=mpicc, they do not know where mpi.h is.
)";
static constexpr StringLiteral DatabaseMore =
    R"(
Examples:
  mkdir tidy && mpispec database build > tidy/compile_commands.json
  clang-tidy -p tidy src/halo.c
)";

static constexpr StringLiteral TuneAbout =
    R"(Usage: mpispec tune [options] [-- COMPILER]

Measures on two ranks what long messages, from 64 KiB to 16 MiB, cost on this machine: through a
pipe, and copied by both ranks at once; one way and both ways; with buffers that are written before
and read after, and with buffers that are not. It takes half a minute for each distance between
cores, on a machine that does nothing else. Then it prints the costs and writes a file. Programs
choose by that file from their first long message on. The file is for machines of this kind; others
ignore it. Programs correct the costs as they run, and keep them in your own file. A wrong file
costs time, never a result.
)";
static constexpr StringLiteral TuneMore = MPISPEC_COMPILER_HELP R"(
Your file is in MPISPEC_CACHE, or mpispec in $XDG_CACHE_HOME or ~/.cache. 'mpispec doctor' says which
file is used.

Exit status: 0 a file was written, 1 none was, 2 a mistake in the command.

Examples:
  mpispec tune
  mpispec tune -o costs && MPISPEC_COST_MODEL=$PWD/costs mpiexec -n 2 ./halo
  sudo mpispec tune --install -- /opt/mpi/bin/mpicc
)";

static constexpr StringLiteral LinksAbout =
    R"(Usage: mpispec links DIR [NAME...]

Makes links to mpispec in DIR, named after the compilers and MPI wrappers on the PATH, or NAMEs alone. A
build with DIR first on its PATH uses mpispec without any other change. 'mpispec
--mpispec-install-links=DIR [NAME...]' does the same.
)";
static constexpr StringLiteral LinksMore =
    R"(
Exit status: 0 the links are there, 1 something is in the way or a NAME is not on the PATH, 2 a mistake
in the command.

Examples:
  mpispec links ~/mpispec-links && PATH="$HOME/mpispec-links:$PATH" make
  mpispec links ~/mpispec-links mpicc
)";

static constexpr StringLiteral CacheAbout =
    R"(Usage: mpispec cache [--size | --clear]

Prints where the cache is, with the number and the size of its files, or removes these files. The cache
has what units of a project know of each other, the costs of long messages and the orders of
reductions. Removing it costs time, never a result. It is MPISPEC_CACHE, or mpispec in $XDG_CACHE_HOME
or ~/.cache.
)";
static constexpr StringLiteral CacheMore =
    R"(
Exit status: 0 done, 1 a file cannot be removed, 2 a mistake in the command.

Examples:
  mpispec cache
  mpispec cache --clear
)";

static constexpr StringLiteral CompletionAbout =
    R"(Usage: mpispec completion bash|zsh|fish

Prints a script that completes the words of mpispec in a shell.
)";
static constexpr StringLiteral CompletionMore =
    R"(
Examples:
  . <(mpispec completion bash)
  mpispec completion zsh -o ~/.zfunc/_mpispec
  mpispec completion fish -o ~/.config/fish/completions/mpispec.fish
)";

static const SubcommandPage Pages[] = {{"run", RunHelp.About, RunHelp.More},
                                       {"runtime", RuntimeHelp.About, RuntimeHelp.More},
                                       {"explain", ExplainAbout, ExplainMore},
                                       {"rewrite", RewriteAbout, RewriteMore},
                                       {"report", ReportAbout, ReportMore},
                                       {"profile", ProfileAbout, ProfileMore},
                                       {"lint", LintAbout, LintMore},
                                       {"summarise", SummariseAbout, SummariseMore},
                                       {"database", DatabaseAbout, DatabaseMore},
                                       {"doctor", DoctorHelp.About, DoctorHelp.More},
                                       {"tune", TuneAbout, TuneMore},
                                       {"links", LinksAbout, LinksMore},
                                       {"cache", CacheAbout, CacheMore},
                                       {"completion", CompletionAbout, CompletionMore}};

ArrayRef<StringRef> subcommands() {
  static const SmallVector<StringRef> Names =
      map_to_vector(allSubcommands(), [](const Subcommand &Row) { return StringRef(Row.Name); });
  return Names;
}

void printSubcommandHelp(StringRef Subcommand, raw_ostream &OS) {
  const SubcommandPage &Page =
      *find_if(Pages, [&](const SubcommandPage &P) { return P.Name == Subcommand; });
  OS << Page.About << "\nOptions:\n" << listedOptions(Subcommand) << Page.More;
}

//===- The whole -----------------------------------------------------------------------------===//

void printHelp(raw_ostream &OS) {
  OS << Usage;
  for (const Subcommand &Row : allSubcommands()) {
    const std::string Words =
        ("mpispec " + StringRef(Row.Name) + " " + StringRef(Row.Arguments)).str();
    OS << "  " << Words;
    OS.indent(Words.size() < 42 ? 44 - Words.size() : 2) << Row.Summary << '\n';
  }
  OS << More;
}

void printCompileHelp(raw_ostream &OS) {
  OS << CompileAbout;
  printSettingsHelp(OS);
}

void printEnvironmentHelp(raw_ostream &OS) {
  static constexpr struct {
    StringLiteral Name, Parser, Meaning;
  } Rows[] = {
#define VARIABLE(NAME, PARSER, MEANING) {"MPISPEC_" #NAME, #PARSER, MEANING},
#include "job/Environment.def"
#undef VARIABLE
  };
  auto Print = [&](StringRef Title, bool OfRuntime) {
    OS << Title;
    for (const auto &Row : Rows)
      if ((Row.Parser != "ignored") == OfRuntime)
        OS << listed(std::string_view(Row.Name), std::string_view(Row.Meaning));
  };
  Print("When a program runs; all ranks need the same values:\n", true);
  Print("\nWhen compiling, and of module files:\n", false);
  OS << Others;
}

void printVersion(ArrayRef<std::string> Runtimes, raw_ostream &OS) {
  OS << "mpispec " MPISPEC_VERSION ", analysis by LLVM " LLVM_VERSION_STRING "\n"
     << runtimesLine(Runtimes.vec()) << '\n';
}

} // namespace mpispec
