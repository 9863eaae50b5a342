//===- mpispec-analyze-fortran.cpp - The analysis of Fortran sources --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `mpispec explain` and `mpispec lint` run this program on the Fortran sources of a command:
//
//     request ─► FortranProject ─► a process for each source:
//                                      FortranUnit ─► explain: a table, or JSON
//                                                     lint:    a UnitReport, as JSON
//
// The output is a JSON array of the sources' outcomes (FortranProject.h).
//
//===------------------------------------------------------------------------------------------===//
#include "Fortran/FortranExplain.h"
#include "Fortran/FortranProject.h"
#include "Fortran/FortranRules.h"
#include "Fortran/FortranUnit.h"
#include "Fortran/MpiHeader.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace mpispec;

static int fail(const Twine &Message) {
  errs() << "mpispec: error: " << Message << '\n';
  return 1;
}

static Expected<FortranRequest> readRequest(StringRef File) {
  auto Buffer = MemoryBuffer::getFileOrSTDIN(File);
  if (!Buffer)
    return createStringError(Buffer.getError(), "cannot read '" + File + "'");
  return json::parse<FortranRequest>((*Buffer)->getBuffer());
}

/// Names the source as the command does, where flang read the file itself.
static void nameSource(FortranUnit &Unit, StringRef Text, StringRef Name) {
  auto Rename = [&](std::string &File) {
    if (StringRef Rest = File; Rest.consume_front(Text))
      File = (Name + Rest).str();
  };
  Rename(Unit.Error);
  for (FortranCall &Call : Unit.Calls) {
    Rename(Call.Where.File);
    for (FortranArgument &A : Call.Arguments) {
      Rename(A.Where.File);
      Rename(A.Origin);
    }
  }
}

static std::string explain(const FortranUnit &Unit, bool AsJSON) {
  std::string Text;
  raw_string_ostream OS(Text);
  AsJSON ? printFortranJSON(Unit, OS) : printFortranTable(Unit, OS);
  return Text;
}

static std::string lint(const FortranUnit &Unit) {
  UnitReport Report;
  Report.Error = Unit.Error;
  if (Unit.Error.empty())
    checkFortranUnit(Unit, Report);
  return formatv("{0}\n", json::Value(Report)).str();
}

int main(int argc, char **argv) {
  StringRef Command = argc == 3 ? argv[1] : "";
  if (Command != "explain" && Command != "explain-json" && Command != "lint") {
    errs() << "usage: mpispec-analyze-fortran explain|explain-json|lint REQUEST\n";
    return 2;
  }
  Expected<FortranRequest> Request = readRequest(argv[2]);
  if (!Request)
    return fail(toString(Request.takeError()));
  SmallString<128> Temporary;
  if (std::error_code EC = sys::fs::createUniqueDirectory("mpispec-fortran", Temporary))
    return fail("cannot make a temporary directory: " + EC.message());
  auto Work = [&](FortranSource Source, const std::string &Text, StringRef Modules) {
    if (std::string Header = writeHeaderWithoutSizeof(Source.IncludeDirectories, Modules);
        !Header.empty())
      Source.IncludeDirectories.insert(Source.IncludeDirectories.begin(), Header);
    FortranUnit Unit = readFortranUnit(Source, Text, Modules);
    nameSource(Unit, Text, Source.File);
    if (Command == "lint")
      return lint(Unit);
    return Unit.Error.empty() ? explain(Unit, Command == "explain-json") : "!" + Unit.Error;
  };
  json::Array Outcomes;
  for (FortranOutcome &O : analyseFortranProject(*Request, Temporary, Work)) {
    if (StringRef Answer = O.Answer; Answer.consume_front("!"))
      O.Failure = Answer.str();
    Outcomes.push_back(toJSON(O));
  }
  sys::fs::remove_directories(Temporary);
  outs() << json::Value(std::move(Outcomes)) << '\n';
  return 0;
}
