//===- Commands.h - The command line of each step ---------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// These functions make the command lines of the steps from the parsed command (Invocation). Each
// argument goes to the steps that Options.def names. Each step has its own input in place of the
// source.
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_DRIVER_COMMANDS_H
#define MPISPEC_DRIVER_COMMANDS_H

#include "Driver/Toolchain.h"
#include "MPI/Interfaces.h"
#include "llvm/ADT/SmallVector.h"
#include <map>

namespace mpispec {

/// Does preprocessCommand() write the dependency file, or has the user's command already written
/// it?
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

/// The compiler with its options for preprocessing. Sources, included files and output files are
/// left out.
CommandLine bareCompiler(const Toolchain &T, const Invocation &I);

/// Compiles the preprocessed \p Text in place of the source at \p Index. The output is \p Output.
CommandLine compileTextCommand(const Toolchain &T, const Invocation &I, unsigned Index,
                               llvm::StringRef Text, llvm::StringRef Output);

/// Compiles the source at \p Index, alone, to \p Output.
CommandLine compileSourceCommand(const Toolchain &T, const Invocation &I, unsigned Index,
                                 llvm::StringRef Output);

/// Compiles the source at \p Index, alone, to \p Output, and writes no other file. Only the
/// symbols of the object are used.
CommandLine compileForSymbolsCommand(const Toolchain &T, const Invocation &I, unsigned Index,
                                     llvm::StringRef Output);

/// The words that link the runtime library at \p Path, for handles of \p Style. \p ByFortran: MPI's
/// Fortran library makes the calls. If that library is shared, no object of the link refers to the
/// runtime's functions. Therefore an option makes the linker include them.
CommandLine runtimeWords(llvm::StringRef Path, HandleStyle Style, bool ByFortran);

/// The words that follow the MPI library: a linker script that provides some of the library's names
/// (runtime/interposition/library/profiling.h). Empty if it is not installed, or if the linker does
/// not accept it.
CommandLine runtimeWordsAtEnd(const Toolchain &T, llvm::StringRef Path, const Invocation &I);

/// Links to \p Output. \p Objects: the object files that replace sources, by index. \p Runtime: the
/// words that link the runtime. They are put ahead of the MPI library. Empty: none.
CommandLine linkCommand(const Toolchain &T, const Invocation &I,
                        const std::map<unsigned, std::string> &Objects, llvm::StringRef Output,
                        const CommandLine &Runtime);

/// The words of `-Wl,ONE,TWO` and `-Xlinker ONE`. None for other arguments.
llvm::SmallVector<llvm::StringRef> linkerWords(const Argument &Arg);

/// Does the link replace functions in all its objects (`-Wl,--wrap=open`) whose names begin with
/// \p Prefix? It would also replace them in the runtime.
bool wrapsFunctions(const Invocation &I, llvm::StringRef Prefix = "");

/// Do a linker's messages say that it does not know an option of runtimeWords?
bool refusesRuntimeWords(llvm::StringRef Messages);

/// FILE of the linker's option `--dependency-file=FILE`, or empty.
std::string linkDependencyFile(const Invocation &I);

/// Does the command link no program? Examples are `-shared`, `-Wl,-r` and `-Wl,-shared`.
bool linksToNoProgram(const Invocation &I);

/// Does the command contain an argument such as `-Wp,-MD,foo.d`?
bool preprocessorListAsksForDependencies(const Invocation &I);

} // namespace mpispec
#endif
