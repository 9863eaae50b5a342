//===- GccAnswers.h - Answers of the user's gcc to feature tests ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A unit that Clang reads differently than gcc cannot be rewritten. gcc's macros and its answers to
// feature tests depend on its release, options and distribution. Therefore gcc itself is run. One
// run prints all macros that it predefines. Another run evaluates a `__has_attribute` or similar
// test when Clang's preprocessor reaches it.
//
//     gcc -O2 -fopenmp -E -dM probe.c        #define __GNUC_MINOR__ 2 ...
//     gcc -O2 -fopenmp -E -P  probe.c        __has_attribute(noipa)  ->  1
//
// Each run costs time. Therefore gcc is run only for a unit that could not be rewritten otherwise.
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_REWRITE_GCCANSWERS_H
#define MPISPEC_REWRITE_GCCANSWERS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringMap.h"
#include <string>
#include <vector>

namespace mpispec {

/// By macro: the rest of its definition after the name, ` 12` or `(c) c ## L`.
using MacroBodies = llvm::StringMap<std::string>;

/// Reads `#define` lines and skips all others.
MacroBodies readDefinitions(llvm::StringRef Text);

class GccAnswers {
public:
  /// \p Command: gcc, and the options with which it preprocesses the unit.
  GccAnswers(llvm::ArrayRef<std::string> Command, bool IsCxx)
      : Command(Command.begin(), Command.end()), IsCxx(IsCxx) {}

  /// The macros that gcc predefines. Those of \p Evaluated that gcc evaluates itself
  /// (`__has_builtin`) have the body " 1". Empty if gcc fails.
  MacroBodies predefined(llvm::ArrayRef<llvm::StringRef> Evaluated);

  /// The value of \p Question, such as `__has_attribute(noipa)`; 0 if gcc gives none.
  std::string number(const std::string &Question);

private:
  std::string ask(llvm::ArrayRef<llvm::StringRef> Options, llvm::StringRef Probe);

  std::vector<std::string> Command;
  bool IsCxx;
  llvm::StringMap<std::string> Numbers; ///< by question
};

} // namespace mpispec
#endif
