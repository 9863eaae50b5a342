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
#include "Fortran/DatatypeVariables.h"
#include "Fortran/FortranExplain.h"
#include "Fortran/FortranProject.h"
#include "Fortran/FortranRules.h"
#include "Fortran/FortranUnit.h"
#include "Fortran/MpiHeader.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <array>

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

/// Replaces the path \p Text, from which flang has read the source, by \p Name, the source's name
/// in the command.
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

static bool isDatatypeOf(const FortranCall &Call, const FortranArgument &A) {
  return any_of(std::array{Role::Datatype, Role::SendDatatype, Role::RecvDatatype},
                [&](Role R) { return Call.find(R) == &A; });
}

/// Does mpif.h declare \p Name? Variables such as MPI_IN_PLACE have no value, and are listed here.
static bool isDeclared(StringRef Name, const FortranUnit &Unit) {
  static constexpr StringLiteral Variables[] = {
      "MPI_BOTTOM",          "MPI_IN_PLACE",   "MPI_STATUS_IGNORE", "MPI_STATUSES_IGNORE",
      "MPI_ERRCODES_IGNORE", "MPI_UNWEIGHTED", "MPI_WEIGHTS_EMPTY"};
  return Unit.Constants.count(Name.lower()) || is_contained(Variables, Name);
}

/// Removes the names of MPI's constants from arguments that are no such constants. There are two
/// cases. A variable of the program has a name that begins with `mpi_`. Or an argument that is no
/// datatype, such as a tag, has the value of a datatype.
static void removeWrongConstants(FortranUnit &Unit) {
  for (FortranCall &Call : Unit.Calls)
    for (FortranArgument &A : Call.Arguments)
      if (A.Constant.empty() ? !isDeclared(A.MpiConstant, Unit) : !isDatatypeOf(Call, A))
        A.MpiConstant.clear();
}

/// The variables with datatypes in all sources of the build. The sources are read without
/// preprocessing.
static DatatypeVariables datatypeVariablesOf(const FortranRequest &Request) {
  std::vector<FortranText> Texts;
  for (const FortranSource &Source : Request.Sources) {
    SmallString<256> Path(Source.File);
    sys::path::make_absolute(Source.Directory, Path);
    if (auto Buffer = MemoryBuffer::getFile(Path))
      Texts.push_back({Source.File, (*Buffer)->getBuffer().str(), Source.IsFixedForm});
  }
  return findDatatypeVariables(Texts);
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
  const DatatypeVariables Variables =
      Command == "lint" ? DatatypeVariables() : datatypeVariablesOf(*Request);
  auto Work = [&](FortranSource Source, const std::string &Text, StringRef Modules) {
    if (std::string Header = writeHeaderWithoutSizeof(Source.IncludeDirectories, Modules);
        !Header.empty())
      Source.IncludeDirectories.insert(Source.IncludeDirectories.begin(), Header);
    FortranUnit Unit = readFortranUnit(Source, Text, Modules);
    removeWrongConstants(Unit);
    readDatatypeVariables(Variables, Unit);
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
