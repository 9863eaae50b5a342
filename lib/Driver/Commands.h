//===- Commands.h - The command line of each step ---------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pure functions make the command lines of the steps from the parsed command (Invocation). Each
// argument goes to the steps that Options.def names. Each step has its own input in place of the
// source.
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_DRIVER_COMMANDS_H
#define MPISPEC_DRIVER_COMMANDS_H

#include "Driver/Toolchain.h"
#include "MPI/Interfaces.h"
#include <map>

namespace mpispec {

/// The part of the user's command that runs before the steps.
enum class DependencyFiles : uint8_t { Write, AlreadyWritten };

/// Preprocesses the source at \p Index to standard output, and writes the dependency file that the
/// whole command would write.
CommandLine preprocessCommand(const Toolchain &T, const Invocation &I, unsigned Index,
                              DependencyFiles D);

/// The arguments with which Clang analyses the source at \p Index. \p LastDirectories are searched
/// for headers after all others. They contain headers that the compiler found and Clang may not
/// find.
CommandLine analysisArguments(const Toolchain &T, const Invocation &I, unsigned Index,
                              llvm::ArrayRef<std::string> LastDirectories);

/// The compiler and what it preprocesses with, but no source and no file that it includes or
/// writes.
CommandLine bareCompiler(const Toolchain &T, const Invocation &I);

/// Compiles \p Text, preprocessed, in place of the source at \p Index, to \p Output.
CommandLine compileTextCommand(const Toolchain &T, const Invocation &I, unsigned Index,
                               llvm::StringRef Text, llvm::StringRef Output);

/// Compiles the source at \p Index, alone, to \p Output.
CommandLine compileSourceCommand(const Toolchain &T, const Invocation &I, unsigned Index,
                                 llvm::StringRef Output);

/// The words that link the runtime library at \p Path, for handles of \p Style. \p ByFortran: MPI's
/// Fortran library makes the calls. If it is a shared library, no object refers to the runtime's
/// functions.
CommandLine runtimeWords(llvm::StringRef Path, HandleStyle Style, bool ByFortran);

/// The words behind the MPI library: a script that provides some of its names
/// (runtime/interposition/library/profiling.h). Empty if it is not installed, or if the linker does
/// not accept it.
CommandLine runtimeWordsAtEnd(llvm::StringRef Path, const Invocation &I);

/// Links to \p Output. \p Objects: what stands in for sources, by index. \p Runtime: what links the
/// runtime, put ahead of the MPI library; empty: none.
CommandLine linkCommand(const Toolchain &T, const Invocation &I,
                        const std::map<unsigned, std::string> &Objects, llvm::StringRef Output,
                        const CommandLine &Runtime);

/// Is there a `-Wp,-MD,foo.d`?
bool preprocessorListAsksForDependencies(const Invocation &I);

/// Does the command name an MPI library (`-lmpi`, `libmpich.so`), or its wrapper?
bool namesMPILibrary(const Toolchain &T, const Invocation &I);

/// Does the command name MPI's Fortran library (`-lmpichfort`)?
bool callsByFortran(const Invocation &I);

/// The MPI library that a command links.
struct MPILibrary {
  std::string File;        ///< "libmpi.so.40.30.4"; empty: not found, or a static one
  const RuntimeKind *Kind; ///< that it needs; the first if the file does not show it
  std::string Other;       ///< the file of another one with other handles in the same command
};
MPILibrary libraryOf(const Toolchain &T, const Invocation &I);

} // namespace mpispec
#endif
