//===- FortranSource.cpp - How a Fortran source is compiled -----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Fortran/FortranSource.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Path.h"
#include <utility>

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
  if (Word == "-extend-source") {
    Source.Columns = 132;
    return true;
  }
  // gfortran writes `-`, flang `=`.
  if (!Word.consume_front("-ffixed-line-length-") && !Word.consume_front("-ffixed-line-length="))
    return false;
  if (Word.getAsInteger(10, Source.Columns) || Source.Columns == 0)
    Source.Columns = 100000; // "none"
  return true;
}

static bool readForm(StringRef Word, FortranSource &Source) {
  const bool IsFixed = Word == "-ffixed-form" || Word == "-fixed";
  if (!IsFixed && Word != "-ffree-form" && Word != "-free")
    return false;
  Source.IsFixedForm = IsFixed;
  return true;
}

/// Options that change all entities of a kind. gfortran also changes those whose kind is explicit.
static bool readPromotion(StringRef Word, FortranSource &Source) {
  if (Word == "-finteger-4-integer-8")
    Source.IntegerKind = 8;
  else if (Word.consume_front("-freal-4-real-"))
    Word.getAsInteger(10, Source.RealKind);
  else if (Word.consume_front("-freal-8-real-"))
    Word.getAsInteger(10, Source.DoubleKind);
  else
    return false;
  return true;
}

void readFortranOptions(const std::vector<std::string> &Words, FortranSource &Source) {
  Source.IsFixedForm = hasFixedFormSuffix(Source.File);
  bool KeepsDouble = false;
  StringRef Last;
  for (StringRef Word : Words) {
    const StringRef Before = std::exchange(Last, Word);
    if (Before == "-integer-size" && Word == "64")
      Source.IntegerKind = 8;
    if (Before == "-real-size" && Word == "64")
      Source.RealKind = 8;
    if (readLineLength(Word, Source) || readForm(Word, Source) || readPromotion(Word, Source))
      continue;
    if (Word == "-fopenmp")
      Source.HasOpenMP = true;
    else if (Word == "-fdefault-integer-8" || Word == "-i8" || Word == "-Mi8")
      Source.IntegerKind = 8;
    else if (Word == "-fdefault-real-8" || Word == "-r8" || Word == "-Mr8" || Word == "-autodouble")
      Source.RealKind = 8;
    else if (Word == "-fdefault-double-8")
      KeepsDouble = true;
  }
  // gfortran widens DOUBLE PRECISION as well; `-r8` of other compilers does not.
  if (Source.RealKind == 8 && !KeepsDouble && is_contained(Words, "-fdefault-real-8"))
    Source.DoubleKind = 16;
}

} // namespace mpispec
