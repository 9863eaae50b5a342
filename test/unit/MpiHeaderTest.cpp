//===- MpiHeaderTest.cpp - The tables held against the <mpi.h> of this machine ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every row of Functions.def must fit the declaration of the MPI library: the number of arguments,
// and the type of each against its role. Roles that share a type (peer and tag are both int) are
// compared with MPI's own parameter names. Every handle of Datatypes.def must have its declared
// type.
//
//===------------------------------------------------------------------------------------------===//
#include "MPI/Datatypes.h"
#include "MPI/Functions.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/Frontend/ASTUnit.h"
#include "clang/Tooling/Tooling.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Regex.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace mpispec;

namespace {

/// A declaration may show for a role: the types, `|` between them, and a pattern that the
/// parameter's name matches. `N` stands for the type of a count: int, or MPI_Count in a `_c` form;
/// `D` for that of a displacement.
struct RoleTypes {
  Role R;
  StringRef Types, Name;
};

const RoleTypes Expected[] = {
    {Role::Buffer, "void *|const void *", "^(buf|(in|out)buf|buffer|location|origin_addr|base)$"},
    {Role::Count, "N", "^(count|(in|out|recv|origin_)count)$"},
    {Role::Datatype, "MPI_Datatype", "^(datatype|oldtype|origin_datatype|[ef](ile)?type)$"},
    {Role::Peer, "int", "^(dest|source)$"},
    {Role::Tag, "int", "^tag$"},
    {Role::SendBuffer, "const void *", "^(sendbuf|inbuf|origin_addr)$"},
    {Role::SendCount, "N", "^(sendcount|origin_count)$"},
    {Role::SendDatatype, "MPI_Datatype", "^(sendtype|origin_datatype)$"},
    {Role::Destination, "int", "^dest$"},
    {Role::SendTag, "int", "^sendtag$"},
    {Role::RecvBuffer, "void *", "^(recvbuf|inoutbuf|result_addr)$"},
    {Role::RecvCount, "N", "^(recvcount|result_count)$"},
    {Role::RecvDatatype, "MPI_Datatype", "^(recvtype|result_datatype)$"},
    {Role::Source, "int", "^source$"},
    {Role::RecvTag, "int", "^recvtag$"},
    {Role::Comm, "MPI_Comm", "comm"},
    {Role::Root, "int", "^root$"},
    {Role::Op, "MPI_Op", "^op$"},
    {Role::Request, "MPI_Request *|MPI_Request", "^request$"},
    {Role::RequestCount, "int", "^(in)?count$"},
    {Role::Requests, "MPI_Request *", "^array_of_requests$"},
    {Role::Status, "MPI_Status *", "^status$"},
    {Role::ReadStatus, "const MPI_Status *", "^status$"},
    {Role::Statuses, "MPI_Status *", "^array_of_statuses$"},
    {Role::Message, "MPI_Message *", "^message$"},
    {Role::Flag, "int *", "^flag$"},
    {Role::Index, "int *", "^ind(e)?x$"},
    {Role::Indices, "int *", "^array_of_indices$"},
    {Role::OutCount, "int *", "^outcount$"},
    {Role::SendCounts, "const N *", "^sendcounts$"},
    {Role::RecvCounts, "const N *", "^recvcounts$"},
    {Role::SendDisplacements, "const D *|const MPI_Aint *", "^(s?displs)$"},
    {Role::RecvDisplacements, "const D *|const MPI_Aint *", "^(r?displs)$"},
    {Role::SendDatatypes, "const MPI_Datatype *", "^sendtypes$"},
    {Role::RecvDatatypes, "const MPI_Datatype *", "^recvtypes$"},
    {Role::NewComm, "MPI_Comm *", "comm|parent"},
    {Role::FreedComm, "MPI_Comm *", "^comm$"},
    {Role::NewGroup, "MPI_Group *", "group"},
    {Role::FreedGroup, "MPI_Group *", "^group$"},
    {Role::CommittedDatatype, "MPI_Datatype *", "^datatype$"},
    {Role::FreedDatatype, "MPI_Datatype *", "^datatype$"},
    {Role::NewOp, "MPI_Op *", "^op$"},
    {Role::FreedOp, "MPI_Op *", "^op$"},
    {Role::Color, "int", "^color$"},
    {Role::Length, "int|N|D|MPI_Aint|MPI_Offset",
     "^(n|ndims|size|blocklength|offset|(in|out)size)$"},
    {Role::Lengths, "const N *", "^array_of_blocklengths$"},
    {Role::Displacements, "const N *|const D *|const MPI_Aint *", "^array_of_displacements$"},
    {Role::Datatypes, "const MPI_Datatype *", "^array_of_types$"},
    {Role::Result, "int *|N *|D *|MPI_Aint *|MPI_Count *|MPI_Offset *|void *",
     "^(size|rank|result|count|lb|extent|true_lb|true_extent|commute|baseptr|offset)$"},
    {Role::Target, "int", "^(target_)?rank$"},
    {Role::TargetCount, "N", "^target_count$"},
    {Role::TargetDatatype, "MPI_Datatype", "^target_datatype$"},
    {Role::Unit, "int|D", "^disp_unit$"},
    {Role::Win, "MPI_Win", "^win$"},
    {Role::NewWin, "MPI_Win *", "^win$"},
    {Role::FreedWin, "MPI_Win *", "^win$"},
    {Role::File, "MPI_File", "^fh$"},
    {Role::NewFile, "MPI_File *", "^fh$"},
    {Role::ClosedFile, "MPI_File *", "^fh$"},
    {Role::Rank, "int *", "^rank$"},
    {Role::Size, "int *", "^size$"},
    {Role::Group, "MPI_Group", "group"},
    {Role::Info, "MPI_Info", "^info$"},
    {Role::NewDatatype, "MPI_Datatype *", "^newtype$"},
};

std::unique_ptr<clang::ASTUnit> parse(StringRef Code, StringRef IncludeDir, StringRef Standard) {
  return clang::tooling::buildASTFromCodeWithArgs(
      Code,
      {Standard.contains("++") ? "-xc++" : "-xc", "-std=" + Standard.str(), "-DMPICH_SKIP_MPICXX",
       "-DOMPI_SKIP_MPICXX", "-I" + IncludeDir.str(), "-resource-dir=" MPISPEC_RESOURCE_DIR},
      "mpi.c");
}

using Declarations = StringMap<const clang::FunctionDecl *>;

Declarations functionsOf(clang::ASTUnit &Unit) {
  Declarations Functions;
  auto Collect = [&](const clang::DeclContext *Context, auto &&Self) -> void {
    for (const clang::Decl *D : Context->decls())
      if (const auto *Linkage = dyn_cast<clang::LinkageSpecDecl>(D))
        Self(Linkage, Self);
      else if (const auto *F = dyn_cast<clang::FunctionDecl>(D);
               F && F->getName().starts_with("MPI_"))
        Functions[F->getName()] = F;
  };
  Collect(Unit.getASTContext().getTranslationUnitDecl(), Collect);
  return Functions;
}

/// The machine's <mpi.h>, parsed once.
class MpiHeader : public testing::Test {
protected:
  static void SetUpTestSuite() {
    Unit = parse("#include <mpi.h>\n", MPISPEC_MPI_INCLUDE, "gnu11");
    Functions = functionsOf(*Unit);
  }
  static void TearDownTestSuite() {
    Functions.clear();
    Unit.reset();
  }

  static const clang::FunctionDecl *find(const Twine &Name) { return Functions.lookup(Name.str()); }

  static std::unique_ptr<clang::ASTUnit> Unit;
  static Declarations Functions;
};
std::unique_ptr<clang::ASTUnit> MpiHeader::Unit;
Declarations MpiHeader::Functions;

bool isOneOf(StringRef Type, StringRef Alternatives, bool LargeCount) {
  SmallVector<StringRef, 2> Each;
  Alternatives.split(Each, '|');
  return any_of(Each, [&](StringRef Alternative) {
    std::string Wanted = Alternative.str();
    if (size_t At = Wanted.find_first_of("ND");
        At != std::string::npos && (At == 0 || Wanted[At - 1] != '_'))
      Wanted.replace(At, 1, !LargeCount ? "int" : Wanted[At] == 'N' ? "MPI_Count" : "MPI_Aint");
    return Type == Wanted;
  });
}

/// Handles by value always have a role, and in communication everything has.
bool mayBeOther(FunctionKind Kind, StringRef Type) {
  switch (Kind) {
  case FunctionKind::Send:
  case FunctionKind::Recv:
  case FunctionKind::SendRecv:
  case FunctionKind::Probe:
  case FunctionKind::Completion:
  case FunctionKind::Collective:
    return false;
  case FunctionKind::Communicator:
  case FunctionKind::Datatype:
  case FunctionKind::OneSided:
  case FunctionKind::File:
  case FunctionKind::Other:
    break;
  }
  for (StringRef Handle :
       {"MPI_Comm", "MPI_Datatype", "MPI_Op", "MPI_Group", "MPI_Request", "MPI_Win", "MPI_File"})
    if (Type == Handle)
      return false;
  return true;
}

/// \p PatternOfNames is off for an MPI library that names its parameters in its own way.
void expectFits(const FunctionInfo &Row, const clang::FunctionDecl &F, bool LargeCount,
                bool PatternOfNames = true) {
  SCOPED_TRACE(F.getNameAsString());
  ASSERT_EQ(Row.Roles.size(), F.getNumParams());
  for (auto [R, Parameter] : zip_equal(Row.Roles, F.parameters())) {
    std::string Type = Parameter->getType().getAsString();
    std::string Name = Parameter->getNameAsString();
    SCOPED_TRACE(Type + " " + Name + " as " + text(R).str());
    if (R == Role::Other) {
      EXPECT_TRUE(mayBeOther(Row.Kind, Type));
      continue;
    }
    const RoleTypes *Want = find_if(Expected, [R = R](const RoleTypes &E) { return E.R == R; });
    ASSERT_NE(Want, std::end(Expected)) << "a role without a row in this test";
    EXPECT_TRUE(isOneOf(Type, Want->Types, LargeCount));
    EXPECT_TRUE(!PatternOfNames || Regex(Want->Name).match(Name));
  }
}

TEST_F(MpiHeader, EveryRowFitsItsDeclaration) {
  for (const FunctionInfo &Row : allFunctions()) {
    const clang::FunctionDecl *F = find("MPI_" + Row.Name);
    ASSERT_NE(F, nullptr) << Row.Name.str();
    expectFits(Row, *F, /*LargeCount=*/false);
    const clang::FunctionDecl *Large = find("MPI_" + Row.Name + "_c");
    EXPECT_EQ(Row.HasLargeCount, Large != nullptr) << Row.Name.str();
    if (Large)
      expectFits(Row, *Large, /*LargeCount=*/true);
  }
}

TEST_F(MpiHeader, EveryRowStandsOnce) {
  StringSet<> Seen;
  for (const FunctionInfo &Row : allFunctions())
    EXPECT_TRUE(Seen.insert(Row.Name).second) << Row.Name.str();
}

/// Communication that outlives its call keeps its buffers; nothing else in communication does.
TEST_F(MpiHeader, RetainsWhenARequestOutlivesTheCall) {
  for (const FunctionInfo &Row : allFunctions()) {
    switch (Row.Kind) {
    case FunctionKind::Send:
    case FunctionKind::Recv:
    case FunctionKind::SendRecv:
    case FunctionKind::Collective: {
      bool HasBuffer = Row.find(Role::Buffer) || Row.find(Role::SendBuffer);
      EXPECT_EQ(Row.Retains, HasBuffer && Row.find(Role::Request)) << Row.Name.str();
      break;
    }
    case FunctionKind::Communicator:
      EXPECT_EQ(Row.Retains, bool(Row.find(Role::Request))) << Row.Name.str();
      break;
    default:
      break;
    }
  }
}

/// The table must not forget a call that communicates.
TEST_F(MpiHeader, EveryFunctionThatCommunicatesHasARow) {
  // Attributes, error handlers, dynamic processes and generalized requests. Names and contents of
  // datatypes, and conversions to Fortran. Queries of files and windows. Functions that MPI-3.0
  // removed.
  Regex LeftOut(
      "^MPI_(File_|Win_|Attr_|Errhandler_|Comm_call_errhandler|"
      "(Comm|Type)_(get|set|delete)_attr|Comm_(spawn|accept|connect|join)|Grequest_|"
      "Type_(create_f90|match_size|(get|set)_(name|contents|envelope))|(Unp|P)ack_external|"
      "Status_|(Comm|Type|Request|Message)_[cf]2[cf]|DUP_FN|Type_(struct|extent|lb|ub|h.*))");
  for (const auto &Entry : Functions) {
    StringRef Name = Entry.getKey();
    if (LeftOut.match(Name) || lookUpFunction(Name))
      continue;
    for (const clang::ParmVarDecl *P : Entry.getValue()->parameters()) {
      std::string Type = P->getType().getAsString();
      EXPECT_FALSE(Type == "MPI_Comm" || Type == "MPI_Datatype" || Type == "MPI_Request *" ||
                   Type == "MPI_Message *")
          << Name.str();
    }
  }
}

TEST(Datatypes, LooksUpByName) {
  ASSERT_NE(lookUpDatatype("MPI_DOUBLE"), nullptr);
  EXPECT_EQ(lookUpDatatype("MPI_DOUBLE")->CType, "double");
  EXPECT_EQ(lookUpDatatype("MPI_DOUBLE_INT")->Class, DatatypeClass::Pair);
  EXPECT_EQ(lookUpDatatype("MPI_COMM_WORLD"), nullptr);
}

/// `typedef CType name;`, the size and the handle itself compile against the <mpi.h> of \p
/// IncludeDir.
void expectDatatypesCompile(StringRef IncludeDir, StringRef Standard) {
  std::string Code = "#include <mpi.h>\n";
  raw_string_ostream OS(Code);
  unsigned N = 0;
  for (const DatatypeInfo &D : allDatatypes()) {
    OS << "typedef " << D.CType << " type" << ++N << ";\n";
    OS << "typedef char size" << N << "[sizeof(type" << N << ") >= (" << D.Size << ") ? 1 : -1];\n";
    OS << "MPI_Datatype handle" << N << "(void) { return " << D.Name << "; }\n";
  }
  for (const NamedConstant &C : allNamedConstants()) {
    OS << "typedef " << C.CType << " type" << ++N << ";\n";
    OS << "type" << N << " value" << N << "(void) { return (type" << N << ")" << C.Name << "; }\n";
  }
  auto Unit = parse(Code, IncludeDir, Standard);
  ASSERT_NE(Unit, nullptr);
  EXPECT_FALSE(Unit->getDiagnostics().hasErrorOccurred()) << Standard.str();
}

TEST(Datatypes, EveryRowCompiles) {
  expectDatatypesCompile(MPISPEC_MPI_INCLUDE, "c99");
  expectDatatypesCompile(MPISPEC_MPI_INCLUDE, "c++11");
}

/// Another library's <mpi.h>, in the directory that the environment names:
/// scripts/openmpi-header.sh does. A library of MPI-3 lacks many functions; those it has must fit.
TEST(OtherMpiHeader, FitsTheTables) {
  const char *IncludeDir = std::getenv("OTHER_MPI_INCLUDE");
  if (!IncludeDir)
    GTEST_SKIP() << "OTHER_MPI_INCLUDE is not set";
  auto Unit = parse("#include <mpi.h>\n", IncludeDir, "gnu11");
  ASSERT_NE(Unit, nullptr);
  EXPECT_FALSE(Unit->getDiagnostics().hasErrorOccurred());
  unsigned Fitting = 0;
  for (const auto &Entry : functionsOf(*Unit))
    if (const FunctionInfo *Row = lookUpFunction(Entry.getKey())) {
      expectFits(*Row, *Entry.getValue(), Entry.getKey().ends_with("_c"), /*PatternOfNames=*/false);
      ++Fitting;
    }
  EXPECT_GE(Fitting, 150u);
  expectDatatypesCompile(IncludeDir, "c99");
  expectDatatypesCompile(IncludeDir, "c++11");
}

/// The stand-ins for the three handle styles declare what MPI declares, in C and in C++.
TEST(StandInHeaders, FitTheTable) {
  for (StringRef Family : {"mpich", "openmpi", "abi"}) {
    for (StringRef Standard : {"c99", "c++11"}) {
      SCOPED_TRACE((Family + " " + Standard).str());
      auto Unit =
          parse("#include <mpi.h>\n", (MPISPEC_INPUTS "/mpi-" + Family + "-style").str(), Standard);
      ASSERT_NE(Unit, nullptr);
      EXPECT_FALSE(Unit->getDiagnostics().hasErrorOccurred());
      Declarations Functions = functionsOf(*Unit);
      EXPECT_GE(Functions.size(), 50u);
      for (const auto &Entry : Functions)
        if (const FunctionInfo *Row = lookUpFunction(Entry.getKey()))
          expectFits(*Row, *Entry.getValue(), Entry.getKey().ends_with("_c"));
    }
  }
}

} // namespace
