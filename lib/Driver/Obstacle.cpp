//===- Obstacle.cpp - Commands that cannot be divided into steps ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Driver/Obstacle.h"
#include "Driver/Commands.h"
#include "llvm/ADT/STLExtras.h"
#include <cstdlib>

using namespace llvm;

namespace mpispec {

/// Is a list for the preprocessor unlike `-Wp,-MD,foo.d` and `-Wp,-DX,-UY`? If a list with -MD
/// contains more words, or if the command also has -MD, compilers interpret the list differently.
/// Drivers also pass other words (`-Xpreprocessor -fopenmp`, `-Wp,-Wunused`) to the compile of a
/// source, but not to that of a preprocessed text.
static bool isUnusualPreprocessorList(StringRef List, bool Twice) {
  if (List.starts_with("-MD,") || List.starts_with("-MMD,"))
    return Twice || List.count(',') > 1;
  SmallVector<StringRef> Words;
  List.split(Words, ',');
  return !all_of(Words, [](StringRef Word) {
    return Word.size() > 2 &&
           (Word.starts_with("-D") || Word.starts_with("-U") || Word.starts_with("-I"));
  });
}

/// Does an option of Clang's own front end name a file, or a target in a dependency file? Such
/// files are those of the user's command alone.
static bool namesFileForFrontEnd(const Argument &Arg) {
  return Arg.Words[0] == "-Xclang" &&
         is_contained({"-dependency-file", "-MT", "-include", "-include-pch", "-emit-pch", "-o",
                       "-serialize-diagnostic-file", "-header-include-file", "-dependency-dot",
                       "-diagnostic-log-file"},
                      Arg.Value);
}

/// Clang's sanitizers that report code of the templates: they check types of called functions, or
/// conversions and overflows that C defines.
static bool sanitizesTemplates(const Argument &Arg) {
  StringRef List = Arg.Words[0];
  if (!List.consume_front("-fsanitize="))
    return false;
  SmallVector<StringRef> Checks;
  List.split(Checks, ',');
  return any_of(Checks, [](StringRef Check) {
    return Check == "integer" || Check == "kcfi" || Check.starts_with("cfi") ||
           Check.starts_with("implicit-") || Check.starts_with("unsigned-");
  });
}

std::string obstacle(const Invocation &I) {
  for (const Argument &Arg : I.Arguments)
    if (Arg.M == Meaning::Unsupported || namesFileForFrontEnd(Arg) || sanitizesTemplates(Arg))
      return Arg.Words[0];
    else if (Arg.M == Meaning::PreprocessorList &&
             isUnusualPreprocessorList(Arg.Value, I.has(Meaning::Dependencies)))
      return Arg.Words[0];
  if (!I.links() && I.inputs() > I.sources().size())
    return "sources of several languages with -c";
  if (!I.links() && I.inputs() > 1 && I.has(Meaning::Output))
    return "-o with several sources";
  bool ListAsks = preprocessorListAsksForDependencies(I);
  if (I.sources().size() > 1 && (I.has(Meaning::DependencyFile) || ListAsks))
    return "one dependency file for several sources";
  if (I.links() && ListAsks)
    return "-Wp,-MD where the command links";
  for (const char *Name : {"DEPENDENCIES_OUTPUT", "SUNPRO_DEPENDENCIES"})
    if (std::getenv(Name))
      return std::string("environment variable ") + Name;
  return "";
}

} // namespace mpispec
