//===- Invocation.h - A compiler command, parsed ----------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The command line of a gcc- or clang-like compiler is parsed with the table Options.def. This file
// only parses. Driver decides what to do with the command, and Commands builds the steps from it.
//
//   words ─► Invocation ─► Commands ─► one command line per step
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_DRIVER_INVOCATION_H
#define MPISPEC_DRIVER_INVOCATION_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace llvm {
class raw_ostream;
}

namespace mpispec {

using CommandLine = std::vector<std::string>;

/// The steps into which the driver divides a compilation, as bits of Argument::Steps.
enum Step : uint8_t { Preprocess = 1, Compile = 2, Link = 4, Analyze = 8 };

/// The property of an argument that the driver needs, other than the steps in which it acts.
enum class Meaning : uint8_t {
  None,
  Source, ///< an input that the compiler compiles: C, C++ or any other language
  Object, ///< an input that is linked only
  StopAfterCompile,
  Output,
  Language,
  PassThrough,     ///< the command is not a compilation to an object, assembly or program
  Unsupported,     ///< a compilation that is not divided into steps
  WrapperQuestion, ///< an option that queries an MPI wrapper (`-show`)
  WrapperChoice,   ///< an option that chooses the compiler or library of an MPI wrapper (`-cc=`)
  SearchPath,
  QuotePath,
  ForcedInclude,
  PreprocessorList,
  Dependencies,
  DependencyFile,
  DependencyTarget,
  DependencyDetail,
  SideFiles,     ///< makes the compiler write files named after the output
  SaveTemps,     ///< keeps the files between the compiler's own steps
  Profile,       ///< counts what the program does, or makes use of such counts
  PlainFirst,    ///< has an effect that only the user's own command can have
  WarnsOfLayout, ///< a warning about macros or columns, which preprocessed text lacks
  WarningsAsErrors,
  NoWarnings, ///< no warnings at all, or none as text
  PositionIndependent,
  NoInterposition,
  Library,
  LinkerList,
  NoRuntime,
  StaticLink,
};

/// One argument of a command: an option with its value, or an input.
struct Argument {
  std::vector<std::string> Words; ///< one word, or an option and its separate value
  std::string Value;              ///< the option's value, or the input's path
  Meaning M = Meaning::None;
  uint8_t Steps = 0;         ///< Step bits
  std::string Lang;          ///< for a Source: "c", "c++", or another language's name
  std::string LangWord;      ///< the language that `-x` gives; empty: the suffix decides
  bool Preprocessed = false; ///< a Source that is preprocessed already: `.i`, `.ii`
};

struct Invocation {
  std::vector<Argument> Arguments;

  bool has(Meaning M) const;
  /// The value of the last argument with \p M, or an empty string.
  llvm::StringRef last(Meaning M) const;
  /// Indices of the arguments that are C or C++ sources.
  std::vector<unsigned> sources() const;
  /// Inputs of any kind.
  unsigned inputs() const;
  /// Inputs that the compiler compiles, in whatever language.
  unsigned compiled() const;
  /// The command ends with linking.
  bool links() const { return !has(Meaning::StopAfterCompile); }
  bool stopsAtAssembly() const;
  /// The output of the source at \p Index: the `-o` of the command or, without one, the compiler's
  /// default. If the command links, it is the output of the whole command.
  std::string output(unsigned Index) const;
};

/// Reads \p Words, the arguments without the compiler. `@file` words are expanded already.
/// \p CompilerIsCXX: `.c` files are C++ to this compiler (g++, clang++).
Invocation parseInvocation(llvm::ArrayRef<std::string> Words, bool CompilerIsCXX);

/// \p Words with the contents of each readable `@file` in its place (GNU quoting).
CommandLine expandResponseFiles(llvm::ArrayRef<std::string> Words);

/// Splits \p Text as a shell would, without expansions.
CommandLine splitWords(llvm::StringRef Text);

/// \p Words, quoted for a shell.
std::string quoted(llvm::ArrayRef<std::string> Words);

/// Prints one line for each argument, with its steps.
void print(const Invocation &I, llvm::raw_ostream &OS);

/// The language that the suffix of \p Path means for gcc and clang, as in Argument::Lang, or
/// "cpp-output" for preprocessed text. Empty if the file is only linked.
llvm::StringRef languageOf(llvm::StringRef Path, bool CompilerIsCXX);

} // namespace mpispec
#endif
