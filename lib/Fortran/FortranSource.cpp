//===- FortranSource.cpp - How a Fortran source is compiled -----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Fortran/FortranSource.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace mpispec {

static json::Value toJSON(const FortranSource &S) {
  return json::Object{{"name", S.Name},
                      {"file", S.File},
                      {"directory", S.Directory},
                      {"preprocess", json::Array(S.Preprocess)},
                      {"include", json::Array(S.IncludeDirectories)},
                      {"fixed", S.IsFixedForm},
                      {"columns", S.Columns},
                      {"openmp", S.HasOpenMP},
                      {"integer", S.IntegerKind},
                      {"real", S.RealKind},
                      {"double", S.DoubleKind},
                      {"asked", S.IsAsked}};
}

static bool fromJSON(const json::Value &Value, FortranSource &S, json::Path Path) {
  json::ObjectMapper Map(Value, Path);
  return Map && Map.map("name", S.Name) && Map.map("file", S.File) &&
         Map.map("directory", S.Directory) && Map.map("preprocess", S.Preprocess) &&
         Map.map("include", S.IncludeDirectories) && Map.map("fixed", S.IsFixedForm) &&
         Map.map("columns", S.Columns) && Map.map("openmp", S.HasOpenMP) &&
         Map.map("integer", S.IntegerKind) && Map.map("real", S.RealKind) &&
         Map.map("double", S.DoubleKind) && Map.map("asked", S.IsAsked);
}

json::Value toJSON(const FortranRequest &R) {
  json::Array Sources;
  for (const FortranSource &S : R.Sources)
    Sources.push_back(toJSON(S));
  return json::Object{{"sources", std::move(Sources)}, {"jobs", R.Jobs}};
}

bool fromJSON(const json::Value &Value, FortranRequest &R, json::Path Path) {
  json::ObjectMapper Map(Value, Path);
  return Map && Map.map("sources", R.Sources) && Map.map("jobs", R.Jobs);
}

static bool hasFixedFormSuffix(StringRef File) {
  return StringSwitch<bool>(sys::path::extension(File).lower())
      .Cases({".f", ".for", ".ftn", ".fpp"}, true)
      .Default(false);
}

static bool readLineLength(StringRef Word, FortranSource &Source) {
  if (!Word.consume_front("-ffixed-line-length-"))
    return false;
  if (Word.getAsInteger(10, Source.Columns) || Source.Columns == 0)
    Source.Columns = 100000; // "none"
  return true;
}

void readFortranOptions(const std::vector<std::string> &Words, FortranSource &Source) {
  Source.IsFixedForm = hasFixedFormSuffix(Source.File);
  bool KeepsDouble = false;
  for (StringRef Word : Words) {
    if (readLineLength(Word, Source))
      continue;
    if (Word == "-ffixed-form")
      Source.IsFixedForm = true;
    else if (Word == "-ffree-form")
      Source.IsFixedForm = false;
    else if (Word == "-fopenmp")
      Source.HasOpenMP = true;
    else if (Word == "-fdefault-integer-8" || Word == "-i8")
      Source.IntegerKind = 8;
    else if (Word == "-fdefault-real-8" || Word == "-r8")
      Source.RealKind = 8;
    else if (Word == "-fdefault-double-8")
      KeepsDouble = true;
  }
  // gfortran widens DOUBLE PRECISION as well; `-r8` of other compilers does not.
  if (Source.RealKind == 8 && !KeepsDouble && is_contained(Words, "-fdefault-real-8"))
    Source.DoubleKind = 16;
}

} // namespace mpispec
