//===- Help.cpp - The output of --help and --version ------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Help.h"
#include "Driver/Settings.h"
#include "run/RunCommand.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVectorExtras.h"

using namespace llvm;

namespace mpispec {

static constexpr StringLiteral Usage =
    R"(mpispec - compile MPI programs with each MPI call specialised to what is known about it

Usage:
  mpispec [options] COMPILER ARGUMENTS...     compile or link, as COMPILER would
  mpispec run [options] mpiexec -n 4 PROGRAM  start a program as it is, with the runtime preloaded
  mpispec explain [options] FILE... -- FLAGS  what is known about each MPI call, and what is not
  mpispec rewrite [options] FILE... -- FLAGS  the source as it would be rewritten, for reading
  mpispec report [options] DIR                the remarks of a whole build in one table
  mpispec profile [options] DIR               where a run with MPISPEC_PROFILE=DIR spent its time
  mpispec lint [options] [FILE...]            mistakes in MPI calls, over a whole project
  mpispec summarise [options] [FILE...]       let the sources of a project know each other
  mpispec database DIR                        DIR/compile_commands.json for clang-tidy and its kin
  mpispec doctor [PROGRAM]                    what is on, what is not, why, and what would help
  mpispec tune [-o FILE]                      measure the ways of long messages on this machine
  mpispec links DIR [NAME...]                 links to mpispec under the compilers' names
  mpispec cache [--size | --clear]            the files that mpispec keeps for later
  mpispec SUBCOMMAND --help                   the options of each, with examples
  mpispec --help | --version

COMPILER is gcc, clang, an MPI wrapper (mpicc, mpicxx), any of these behind ccache and the like
('mpispec ccache mpicc'), or a script that runs one of them. 'mpispec-cc' is 'mpispec mpicc',
'mpispec-c++' is 'mpispec mpicxx'. The compiler that builds the program stays yours; if anything
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

Options, anywhere in a compiler command:
)";

static constexpr StringLiteral Inspection = R"(
Options of the subcommands:
  -p DIR                        explain, rewrite, lint, summarise: the flags of
                                DIR/compile_commands.json
  -j N                          lint, summarise: so many sources at a time (default: the cores)
  --format=json                 explain, report, profile, lint: objects instead of a table
  --format=sarif                lint: for editors and review tools
  --width=N                     explain, report: columns (default: the terminal's)
  -o FILE                       where the output goes (default: standard output)
  --print=sites|facts|choices   rewrite: what passes between the stages
FLAGS are those of the compiler ('-O2 -Iinclude'), or a whole command ('gcc -O2 -I/opt/include').
Without a compiler among them mpicc, or mpicxx for C++, is asked for its own.

Environment, when compiling:
  MPISPEC_FLAGS                 options as above, before those of the command
  MPISPEC_SUMMARY=off           do not say at a link which units with MPI calls stayed as they are
  MPISPEC_CACHE=DIR|off         what sources of a project know of each other (default: mpispec in
                                $XDG_CACHE_HOME or ~/.cache); also what programs learn when they
                                run: costs of long messages, orders of reductions
  TMPDIR                        where temporary files go (default /tmp)
  MPICH_CC, OMPI_CC, ...        as always, the compiler behind an MPI wrapper

Environment, when the program runs (all ranks alike):
  MPISPEC_MODE=off|lanes|full   all calls to the MPI library | calls through the runtime only |
                                specialised calls as well (default)
  MPISPEC_VERBOSE=1             say at MPI_Init what is on, and why not
  MPISPEC_COST_MODEL=FILE       what the ways of long messages cost, by 'mpispec tune -o FILE'

Exit status: that of the compiler; 1 for a mistake in mpispec's own files; 2 for a mistake in the
words of the command; 127 if the compiler was not found.
)";

//===- The subcommands -----------------------------------------------------------------------===//

/// Shared by the pages of explain and rewrite.
#define MPISPEC_FLAGS_HELP                                                                         \
  R"(  -p DIR           take the flags from DIR/compile_commands.json
  -- FLAGS         the compiler's flags ('-O2 -Iinclude'), or a whole command ('gcc -O2 ...');
                   without a compiler among them mpicc, or mpicxx for C++, is asked for its own
)"

static constexpr StringLiteral ExplainHelp =
    R"(Usage: mpispec explain [options] FILE... -- [FLAGS]

Says for each MPI call of the sources which template it gets, whether that has a fast path at the
call (inline) or only makes the ordinary call (ordinary), what is proven about each argument and
where the knowledge comes from. Then, variable by variable, what would have to be known for more.

Options:
)" MPISPEC_FLAGS_HELP
    R"(  --format=json    an array with an object for each call instead of a table
  --width=N        so many columns instead of the terminal's

Examples:
  mpispec explain halo.c -- -O2
  mpispec explain halo.c exchange.c -- mpicc -O2 -Iinclude
  mpispec explain -p build src/halo.c
  mpispec explain --format=json halo.c -- -O2 | python3 -m json.tool
)";

static constexpr StringLiteral RewriteHelp =
    R"(Usage: mpispec rewrite [options] FILE... -- [FLAGS]

Prints the sources as they would be rewritten, readable, macros left as written. A build does the same
to preprocessed text, so nothing needs to be done with this output.

Options:
)" MPISPEC_FLAGS_HELP
    R"(  --print=sites    the calls as found, instead of text
  --print=facts    what is proven about each
  --print=predictions  what is likely of each
  --print=choices  the template of each

Examples:
  mpispec rewrite halo.c -- -O2 | diff halo.c -
  mpispec rewrite --print=choices halo.c -- -O2
)";

static constexpr StringLiteral ReportHelp =
    R"(Usage: mpispec report [options] DIR

Merges the remarks that a build left in DIR into one table: how many calls have a fast path inline, are
made as ordinary calls, or were left as they are; what kept them from more; which variables would free
most; which sources were compiled without mpispec, and why.

Options:
  --html=FILE      a page for a browser instead of a table: every source with its calls marked, what is
                   known of each and from where, and what to edit; one file that needs no network
  --profile=DIR    with --html: what a run with MPISPEC_PROFILE=DIR spent at each line, who sent to
                   whom, and when ranks waited
  --profile-before=DIR   with --profile: another run, to compare with
  --format=json    one object instead of a table
  --width=N        so many columns instead of the terminal's

Examples:
  make CC="mpispec --mpispec-remarks=$PWD/remarks mpicc" && mpispec report remarks
  mpispec report --html=report.html remarks
  mpispec report --html=report.html --profile=after --profile-before=before remarks
  mpispec report --format=json remarks
)";

static constexpr StringLiteral ProfileHelp =
    R"(Usage: mpispec profile [options] DIR

Reads what the ranks of a run with MPISPEC_PROFILE=DIR have left, and prints the call sites that took
most time, with calls, bytes, share of the run, waiting, imbalance over ranks and how often the fast
path was there; what stopped it; who sent to whom; and what to do. The program is specialised, or linked
with the runtime, or the runtime is preloaded; with -g sites have places in the source. A run that was
cut short is read as far as it came.

Options:
  --sites=N        so many sites (default: 20)
  --width=N        so many columns instead of the terminal's
  --format=text    a table (default)
  --format=json    one object
  --format=csv     a line for each site and rank, for spreadsheets

Exit status: 0 printed, 1 there is no profile that can be read, 2 a mistake in the command.

Examples:
  MPISPEC_PROFILE=profile mpiexec -n 4 ./halo && mpispec profile profile
  mpispec profile --format=csv profile > sites.csv
)";

static constexpr StringLiteral LintHelp =
    R"(Usage: mpispec lint [options] -p DIR [FILE...]
       mpispec lint [options] FILE... -- [FLAGS]

Looks for mistakes in the MPI calls of a whole project, without compiling it, and prints them as
compilers do: file:line:column: warning: text [rule]. With -p and without names it looks at all C and
C++ sources of the build. Only what no correct program has is a warning; a source that cannot be read
is told of, and the others are checked.

Options:
)" MPISPEC_FLAGS_HELP
    R"(  -j N             look at so many sources at a time (default: as many as there are cores)
  --format=text    lines as compilers write them (default)
  --format=json    one object
  --format=sarif   one log in SARIF 2.1.0, for editors and review tools
  --checks=LIST    switch checks on and off, by names or globs between commas, as clang-tidy does
  --baseline=FILE  findings that FILE has are known: they are not printed and do not count
  --write-baseline=FILE  write all findings to FILE instead of printing them

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

static constexpr StringLiteral SummariseHelp =
    R"(Usage: mpispec summarise [-j N] -p DIR [FILE...]
       mpispec summarise [-j N] FILE... -- [FLAGS]

Lets the sources of a project know each other before they are compiled: leaves in a cache what each
passes to functions, and stores in fields of structures and in variables of the program. Compiles of
the project predict arguments from that; a wrong prediction costs a comparison, never a result. With -p
and without names it reads all C and C++ sources of the build. A compile leaves the summary of its own
source as well, if that has MPI calls; this makes the first build know what a second one would.

Options:
)" MPISPEC_FLAGS_HELP
    R"(  -j N             look at so many sources at a time (default: as many as there are cores)

The cache is MPISPEC_CACHE, or mpispec in $XDG_CACHE_HOME or ~/.cache; with MPISPEC_CACHE=off there is none.
It can be removed at any time. Files in it that are damaged or of another version are passed over.

Exit status: 0 all are summarised, 1 some are not, 2 nothing was done.

Examples:
  cmake -B build -DCMAKE_EXPORT_COMPILE_COMMANDS=ON && mpispec summarise -p build
  bear -- make && mpispec summarise -p . && make clean && make CC="mpispec mpicc"
  mpispec summarise src/*.c -- -Iinclude
)";

static constexpr StringLiteral DatabaseHelp =
    R"(Usage: mpispec database DIR

Prints DIR/compile_commands.json with the compiler behind mpispec and MPI's wrapper in each command, and
the flags that the wrapper adds. clang-tidy, clangd and other tools of Clang run no wrapper: of a build with
CC=mpispec-cc, or CC=mpicc, they do not know where mpi.h is.

Examples:
  mkdir tidy && mpispec database build > tidy/compile_commands.json
  clang-tidy -p tidy src/halo.c
)";

static constexpr StringLiteral DoctorHelp =
    R"(Usage: mpispec doctor [--format=json] [PROGRAM] [-- COMPILER]

Looks at all that is between your compiler and fast messages, and says what is on, what is not and why,
and what would help: the compiler behind mpicc, the MPI library, launcher and runtime and whether they
belong together; shared memory, reading of other ranks' buffers, cores and limits; MPISPEC_* variables;
whether PROGRAM has the runtime, and which. Then it builds a small program, runs it on two ranks, plainly
and specialised, in a temporary directory and with a time limit, and compares.

Options:
  --format=json    an object with a finding for each check instead of a table
  -- COMPILER      the MPI wrapper that you build with (default: mpicc)

Exit status: 0 if all is well, 1 if something is off, 2 for a mistake in the command.

Examples:
  mpispec doctor
  mpispec doctor ./halo
  mpispec doctor ./halo -- /opt/mpi/bin/mpicc
)";

static constexpr StringLiteral TuneHelp =
    R"(Usage: mpispec tune [options] [-- COMPILER]

Measures on two ranks what long messages, from 64 KiB to 16 MiB, cost on this machine: through a
pipe, and copied by both ranks at once; one way and both ways; with buffers that are written before
and read after, and with buffers that are not. It takes half a minute for each distance between
cores, on a machine that does nothing else. Then it prints the costs and writes a file. Programs
choose by that file from their first long message on. The file is for machines of this kind; others
ignore it. Programs correct the costs as they run, and keep them in your own file. A wrong file
costs time, never a result.

Options:
  -o FILE          write to FILE instead of your cache
  --install        write to the administrator's file, for all users
  --quick          one short turn, for a try
  --mpiexec=NAME   the launcher (default: mpiexec or mpirun)
  -- COMPILER      the MPI wrapper that you build with (default: mpicc)

Your file is in MPISPEC_CACHE, or mpispec in $XDG_CACHE_HOME or ~/.cache. 'mpispec doctor' says which
file is used.

Exit status: 0 a file was written, 1 none was, 2 a mistake in the command.

Examples:
  mpispec tune
  mpispec tune -o costs && MPISPEC_COST_MODEL=$PWD/costs mpiexec -n 2 ./halo
  sudo mpispec tune --install -- /opt/mpi/bin/mpicc
)";

namespace {
struct SubcommandHelp {
  StringRef Name, Text;
};
} // namespace

static constexpr StringLiteral LinksHelp =
    R"(Usage: mpispec links DIR [NAME...]

Makes links to mpispec in DIR, named after the compilers and MPI wrappers on the PATH, or NAMEs alone. A
build with DIR first on its PATH uses mpispec without any other change. 'mpispec
--mpispec-install-links=DIR [NAME...]' does the same.

Exit status: 0 the links are there, 1 something is in the way, 2 a mistake in the command.

Examples:
  mpispec links ~/mpispec-links && PATH="$HOME/mpispec-links:$PATH" make
  mpispec links ~/mpispec-links mpicc
)";

static constexpr StringLiteral CacheHelp =
    R"(Usage: mpispec cache [--size | --clear]

Prints where the cache is, with the number and the size of its files, or removes these files. The cache
has what units of a project know of each other, the costs of long messages and the orders of
reductions. Removing it costs time, never a result. It is MPISPEC_CACHE, or mpispec in $XDG_CACHE_HOME
or ~/.cache.

Options:
  --size           print place, number and size (default)
  --clear          remove the files of mpispec; other files in the directory stay

Exit status: 0 done, 1 a file cannot be removed, 2 a mistake in the command.

Examples:
  mpispec cache
  mpispec cache --clear
)";

static const SubcommandHelp Rows[] = {{"run", RunHelp},
                                      {"explain", ExplainHelp},
                                      {"rewrite", RewriteHelp},
                                      {"report", ReportHelp},
                                      {"profile", ProfileHelp},
                                      {"lint", LintHelp},
                                      {"summarise", SummariseHelp},
                                      {"database", DatabaseHelp},
                                      {"doctor", DoctorHelp},
                                      {"tune", TuneHelp},
                                      {"links", LinksHelp},
                                      {"cache", CacheHelp}};

ArrayRef<StringRef> subcommands() {
  static const SmallVector<StringRef> Names =
      map_to_vector(Rows, [](const SubcommandHelp &Row) { return Row.Name; });
  return Names;
}

void printSubcommandHelp(StringRef Subcommand, raw_ostream &OS) {
  OS << find_if(Rows, [&](const SubcommandHelp &Row) { return Row.Name == Subcommand; })->Text;
}

//===- The whole -----------------------------------------------------------------------------===//

void printHelp(raw_ostream &OS) {
  OS << Usage;
  printSettingsHelp(OS);
  OS << Inspection;
}

void printVersion(raw_ostream &OS) {
  OS << "mpispec " MPISPEC_VERSION ", analysis by LLVM " LLVM_VERSION_STRING "\n";
}

} // namespace mpispec
