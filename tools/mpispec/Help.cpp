//===- Help.cpp - What mpispec says of itself -------------------------------------------------===//
#include "Help.h"
#include "Driver/Settings.h"

namespace mpispec {

static constexpr llvm::StringLiteral Usage =
    R"(mpispec - compile MPI programs with each MPI call specialised to what is known about it

Usage:
  mpispec [options] COMPILER ARGUMENTS...     compile or link, as COMPILER would
  mpispec explain [options] FILE... -- FLAGS  what is known about each MPI call, and what is not
  mpispec rewrite [options] FILE... -- FLAGS  the source as it would be rewritten, for reading
  mpispec report [options] DIR                the remarks of a whole build in one table
  mpispec --help | --version

COMPILER is gcc, clang, an MPI wrapper (mpicc, mpicxx), any of these behind ccache and the like, or
a script that runs one of them. 'mpispec-cc' is 'mpispec mpicc', 'mpispec-c++' is 'mpispec mpicxx'.
The compiler that builds the program stays yours; if anything is in the way, your command runs
unchanged. Warnings, errors and the exit status are those of your command.

  make CC="mpispec mpicc"
  CC="mpispec mpicc" ./configure
  cmake -DCMAKE_C_COMPILER_LAUNCHER=mpispec -DCMAKE_C_LINKER_LAUNCHER=mpispec ...

Options, anywhere in a compiler command:
)";

static constexpr llvm::StringLiteral Inspection = R"(
Options of explain and rewrite:
  -p DIR                        take the flags from DIR/compile_commands.json
  --format=json                 explain: an array of objects instead of a table
  --width=N                     explain, report: columns (default: the terminal's)
  --print=sites|facts|choices   rewrite: what passes between the stages
FLAGS are those of the compiler ('-O2 -Iinclude'), or a whole command ('gcc -O2 -I/opt/include').
Without a compiler among them mpicc, or mpicxx for C++, is asked for its own.

Environment, when compiling:
  MPISPEC_FLAGS                 options as above, before those of the command
  TMPDIR                        where temporary files go (default /tmp)
  MPICH_CC, OMPI_CC, ...        as always, the compiler behind an MPI wrapper

Environment, when the program runs (all ranks alike):
  MPISPEC_MODE=off|lanes|full   all calls to the MPI library | calls through the runtime only |
                                specialised calls as well (default)
  MPISPEC_VERBOSE=1             say at MPI_Init what is on, and why not

Exit status: that of the compiler; 1 for a mistake in mpispec's own options or files; 127 if the
compiler was not found.
)";

void printHelp(llvm::raw_ostream &OS) {
  OS << Usage;
  printSettingsHelp(OS);
  OS << Inspection;
}

void printVersion(llvm::raw_ostream &OS) {
  OS << "mpispec " MPISPEC_VERSION ", analysis by LLVM " LLVM_VERSION_STRING "\n";
}

} // namespace mpispec
