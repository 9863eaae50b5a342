//===- GccQuestions.h - What the user's gcc says of itself ------------------------------------===//
//
// A program that is read otherwise than gcc reads it is lost, and what gcc says of itself depends
// on its release, its options and its distribution. So gcc is asked: once for all macros that it
// predefines, and for the names that the program looks up by `__has_attribute` and its kin, each
// when the program comes to it.
//
//     gcc -O2 -fopenmp -E -dM probe.c        #define __GNUC_MINOR__ 2 ...
//     gcc -O2 -fopenmp -E -P  probe.c        __has_attribute(noipa)  ->  1
//
// A question costs some ten milliseconds, so they are asked only of a unit that was lost otherwise.
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_REWRITE_GCCQUESTIONS_H
#define MPISPEC_REWRITE_GCCQUESTIONS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringMap.h"
#include <string>
#include <vector>

namespace mpispec {

/// What follows the names of macros in their definitions: ` 12`, or `(c) c ## L`.
using MacroBodies = llvm::StringMap<std::string>;

/// Reads `#define` lines; all others are skipped.
MacroBodies readDefinitions(llvm::StringRef Text);

class GccQuestions {
public:
  /// \p Command: gcc and the options that it preprocesses the unit with.
  GccQuestions(llvm::ArrayRef<std::string> Command, bool IsCxx)
      : Command(Command.begin(), Command.end()), IsCxx(IsCxx) {}

  /// The macros that gcc predefines; of those that gcc evaluates itself (`__has_builtin`) the names
  /// in \p Evaluated, with the body " 1". Empty: gcc did not answer.
  MacroBodies predefined(llvm::ArrayRef<llvm::StringRef> Evaluated);

  /// The number that \p Question, such as `__has_attribute(noipa)`, has; 0 if gcc does not say.
  std::string number(const std::string &Question);

private:
  std::string ask(llvm::ArrayRef<llvm::StringRef> Options, llvm::StringRef Probe);

  std::vector<std::string> Command;
  bool IsCxx;
  llvm::StringMap<std::string> Numbers; ///< by question
};

} // namespace mpispec
#endif
