//===- Toolchain.h - The compiler that a command runs -----------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A command may start with launchers (ccache). A compiler or an MPI wrapper follows. The option
// `-show` makes a wrapper of MPICH, Intel MPI or Open MPI print the command that it would run. The
// steps then run the compiler behind it, with the flags that the wrapper puts before and after the
// user's.
//
//   ccache mpicc foo.c  ─►  ccache gcc foo.c -I/usr/include/mpich -lmpich
//
// A compiler cache behind mpispec stores the objects of rewritten text, under the key of this text.
//
// A wrapper that does not accept `-show` is treated as a compiler. An unknown program is treated as
// a compiler, too.
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_DRIVER_TOOLCHAIN_H
#define MPISPEC_DRIVER_TOOLCHAIN_H

#include "Driver/Invocation.h"

namespace mpispec {

enum class CompilerKind : uint8_t { Gcc, Clang };

/// A command, split behind the word of its compiler.
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
  bool Wrapped = false;  ///< a wrapper was expanded, so that the command uses MPI
  CompilerKind Kind = CompilerKind::Gcc;
  std::string Target; ///< the target in a cross compiler's name (`aarch64-linux-gnu`), or empty
};

Toolchain resolveToolchain(const Command &C);

/// Is \p Name, without a directory, the name of a compiler or an MPI wrapper?
bool isCompilerName(llvm::StringRef Name);

/// Is \p C a compiler's command, or that of another program, such as `make` or the user's own one?
/// A program whose name says nothing is a compiler if it gets a source or an object. Other programs
/// must not be started with options that they do not expect.
bool isCompilation(const Command &C, const Invocation &I);

/// The directory of the compiler's own headers, from its own output, or empty.
std::string headerDirectory(const Toolchain &T);

/// `g++`, `clang++-22`, `mpicxx`: `.c` files are C++ to this compiler.
bool compilesCXX(llvm::ArrayRef<std::string> Compiler);

/// Did ccache start this process as the compiler whose output ccache stores?
bool isCompilerOfCcache();

/// MPICH_CC, OMPI_CC and similar variables may name mpispec itself. Then a wrapper would call
/// mpispec, and mpispec the wrapper, for ever. This function removes mpispec from these variables
/// for all child processes.
void breakWrapperLoops();

/// The number of mpispec processes above this one, for example above a script of the user. If it is
/// 1 or more, the command is run unchanged.
unsigned nestingDepth();
/// Increases the depth of all child processes by one.
void markNested();
/// Counts the commands above this one, and itself, that are no compiler's (isCompilation).
unsigned countOtherCommands();

} // namespace mpispec
#endif
