//===- Toolchain.h - The compiler that a command runs -----------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A command starts with launchers (ccache). A compiler or an MPI wrapper follows. The option
// `-show` makes a wrapper of MPICH, Intel MPI or Open MPI print the command that it would run. The
// steps then run the compiler behind it, with the wrapper's own flags at the wrapper's place.
//
//   ccache mpicc foo.c  ─►  ccache gcc foo.c -I/usr/include/mpich -lmpich
//
// A compiler cache behind mpispec stores the objects of rewritten text, under the key of this text.
//
// A wrapper without an answer is treated as a compiler, and so is any unknown program.
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_DRIVER_TOOLCHAIN_H
#define MPISPEC_DRIVER_TOOLCHAIN_H

#include "Driver/Invocation.h"

namespace mpispec {

enum class CompilerKind : uint8_t { Gcc, Clang };

/// A command, split at the end of its compiler.
struct Command {
  CommandLine Compiler;   ///< launchers and the compiler
  CommandLine Arguments;  ///< the rest, `@file` words expanded
  bool IsFortran = false; ///< the compiler is one for Fortran
};

/// Splits \p Words. A leading mpispec among them is left out.
Command splitCommand(llvm::ArrayRef<std::string> Words);

/// A command with its wrapper, if it has one, expanded.
struct Toolchain {
  CommandLine Compiler;  ///< launchers and the real compiler
  CommandLine Arguments; ///< the user's arguments among the wrapper's own
  bool Wrapped = false;  ///< a wrapper was expanded: the command means to use MPI
  CompilerKind Kind = CompilerKind::Gcc;
  std::string Target; ///< a cross compiler's, from its name (`aarch64-linux-gnu`), or empty
};

Toolchain resolveToolchain(const Command &C);

/// Is the program \p Name, without a directory, a compiler or an MPI wrapper by its name?
bool isCompilerName(llvm::StringRef Name);

/// The directory of the compiler's own headers, from its own output, or empty.
std::string headerDirectory(const Toolchain &T);

/// `g++`, `clang++-22`, `mpicxx`: `.c` files are C++ to this compiler.
bool compilesCXX(llvm::ArrayRef<std::string> Compiler);

/// Did ccache start this process, as the compiler whose output it is going to keep?
bool isCompilerOfCcache();

/// MPICH_CC, OMPI_CC and the like may name mpispec itself: then a wrapper would call mpispec, and
/// mpispec the wrapper, for ever. Takes mpispec out of these variables for all that we start.
void breakWrapperLoops();

/// How many times mpispec started mpispec on the way here (through a script of the user's, say).
/// From 1 on a command is run as it is.
unsigned nestingDepth();
/// Lets all that we start see a depth that is one more.
void markNested();

} // namespace mpispec
#endif
