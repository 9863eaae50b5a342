// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Frontend: handles by value in each handle style, what arguments are made of, errors; and which
// functions the optimizer works on.
#include "Facts/Prove.h"
#include "Frontend/Parse.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace mpispec;

namespace {

/// A source file that goes away with the test.
class Source {
public:
  Source(StringRef Suffix, StringRef Text) {
    int Descriptor;
    EXPECT_FALSE(sys::fs::createTemporaryFile("mpispec-test", Suffix, Descriptor, Path));
    raw_fd_ostream(Descriptor, /*shouldClose=*/true) << Text;
  }
  ~Source() { sys::fs::remove(Path); }
  Expected<std::unique_ptr<ParsedUnit>> parse(StringRef Style) {
    std::string Include = ("-I" MPISPEC_INPUTS "/mpi-" + Style + "-style").str();
    return mpispec::parse({Include, Path.str().str()}, [](clang::Preprocessor &, unsigned) {});
  }

private:
  SmallString<128> Path;
};

class HandleStyles : public testing::TestWithParam<const char *> {};

} // namespace

TEST_P(HandleStyles, KnowsHandlesByValue) {
  for (const char *Suffix : {"c", "cpp"}) {
    Source S(Suffix, "#include <mpi.h>\nint x;");
    auto Unit = S.parse(GetParam());
    ASSERT_TRUE(bool(Unit)) << toString(Unit.takeError());
    const Handles &Values = (*Unit)->Values;
    Constant *Double = Values.value("MPI_DOUBLE");
    ASSERT_NE(Double, nullptr);
    const DatatypeInfo *Info = Values.datatype(Double);
    ASSERT_NE(Info, nullptr);
    EXPECT_EQ(Info->Name, "MPI_DOUBLE");
    EXPECT_EQ(Values.size(*Info), 8u);
    EXPECT_EQ(Values.name(NamedConstant::Comm, Values.value("MPI_COMM_SELF")), "MPI_COMM_SELF");
    EXPECT_EQ(Values.name(NamedConstant::Op, Double), "");
    EXPECT_NE(Values.value("MPI_COMM_WORLD"), Values.value("MPI_COMM_SELF"));
    for (const char *Name : {"MPI_ANY_SOURCE", "MPI_ANY_TAG", "MPI_PROC_NULL", "MPI_ROOT"})
      EXPECT_NE(Values.value(Name), nullptr) << Name;
    // The probe leaves nothing behind for the optimizer to think about.
    for (const GlobalVariable &G : (*Unit)->module().globals())
      EXPECT_FALSE(G.getName().contains("mpispec")) << G.getName().str();
  }
}

INSTANTIATE_TEST_SUITE_P(Frontend, HandleStyles, testing::Values("mpich", "openmpi", "abi"),
                         [](const auto &Info) { return std::string(Info.param); });

/// A header may declare a name instead of defining a macro. A name that is no constant is not
/// known.
TEST(Frontend, KnowsHandlesThatAreNoMacros) {
  for (const char *Suffix : {"c", "cpp"}) {
    Source S(Suffix, R"(typedef int MPI_Comm;
typedef struct datatype *MPI_Datatype;
typedef long MPI_Count, MPI_Aint, MPI_Offset;
enum { MPI_COMM_WORLD = 1 };
static const MPI_Comm MPI_COMM_SELF = 2;
static const int MPI_ANY_TAG = -7;
extern int MPI_ANY_SOURCE;
extern MPI_Datatype MPI_INT;
)");
    auto Unit = S.parse("mpich");
    ASSERT_TRUE(bool(Unit)) << toString(Unit.takeError());
    const Handles &Values = (*Unit)->Values;
    auto Is = [&](StringRef Name) { return cast<ConstantInt>(Values.value(Name))->getSExtValue(); };
    EXPECT_EQ(Is("MPI_COMM_WORLD"), 1);
    EXPECT_EQ(Is("MPI_COMM_SELF"), 2);
    EXPECT_EQ(Is("MPI_ANY_TAG"), -7);
    for (const char *Name : {"MPI_ANY_SOURCE", "MPI_INT", "MPI_DOUBLE"})
      EXPECT_EQ(Values.value(Name), nullptr) << Name;
  }
}

TEST(Frontend, SaysWhatArgumentsAreMadeOf) {
  Source S("c", R"(#include <mpi.h>
#define N 4
static int global;
enum { TAG = 7 };
void f(double *b, int n) {
  int local = n + 1;
  MPI_Send(b, N, MPI_DOUBLE, 1, TAG, MPI_COMM_WORLD);
  MPI_Send(b, n, MPI_DOUBLE, local, global, MPI_COMM_WORLD);
  MPI_Send(b + 1, sizeof(int), MPI_DOUBLE, n * 2, 0, MPI_COMM_WORLD);
})");
  auto Unit = S.parse("mpich");
  ASSERT_TRUE(bool(Unit)) << toString(Unit.takeError());
  ASSERT_EQ((*Unit)->Sites.size(), 3u);
  auto Kind = [&](unsigned Site, unsigned Argument) {
    return (*Unit)->Sites[Site].Spellings[Argument].K;
  };
  auto Text = [&](unsigned Site, unsigned Argument) {
    return (*Unit)->Sites[Site].Spellings[Argument].Text;
  };
  EXPECT_EQ(Text(0, 1), "macro N");
  EXPECT_EQ(Text(0, 2), "macro MPI_DOUBLE");
  EXPECT_EQ(Text(0, 3), "literal");
  EXPECT_EQ(Text(0, 4), "enum constant TAG");
  EXPECT_EQ(Kind(1, 1), Spelling::Parameter);
  EXPECT_EQ(Kind(1, 3), Spelling::Local);
  EXPECT_EQ(Kind(1, 4), Spelling::Static);
  EXPECT_EQ(Text(2, 1), "sizeof");
  EXPECT_EQ(Kind(2, 3), Spelling::Expression);
  EXPECT_EQ((*Unit)->Sites[2].Spellings[0].ElementSize, 8u);
  EXPECT_EQ((*Unit)->Sites[0].ParameterTypes[0], "const void *");
  EXPECT_EQ((*Unit)->Sites[0].ParameterTypes[2], "MPI_Datatype");
}

TEST(Frontend, AnErrorIsAFallbackThatNamesThePlace) {
  Source S("c", "#include <mpi.h>\nint f(void) { return undeclared; }\n");
  auto Unit = S.parse("mpich");
  ASSERT_FALSE(bool(Unit));
  handleAllErrors(Unit.takeError(), [](const Fallback &F) {
    EXPECT_EQ(F.Remark, RemarkID::FallbackParseError);
    EXPECT_NE(F.Text.find(":2: use of undeclared identifier 'undeclared'"), std::string::npos)
        << F.Text;
  });
}

TEST(Facts, LeaveAloneWhatHasNothingToDoWithACall) {
  Source S("c", R"(#include <mpi.h>
static int count = 1, other;
int unrelated(int n) { int twice = n; other = n; return twice + twice; }
int changes(int n) { int twice = n; count = n; return twice + twice; }
int used(int n) { int twice = n; return twice + twice; }
void sends(double *b, int n) { MPI_Send(b, count + used(n), MPI_DOUBLE, 1, 0, MPI_COMM_WORLD); })");
  auto Unit = S.parse("mpich");
  ASSERT_TRUE(bool(Unit)) << toString(Unit.takeError());
  proveFacts(**Unit);
  auto IsAsWritten = [&](StringRef Name) {
    return any_of(instructions(*(*Unit)->module().getFunction(Name)),
                  [](const Instruction &I) { return isa<AllocaInst>(I); });
  };
  EXPECT_TRUE(IsAsWritten("unrelated"));
  for (const char *Name : {"changes", "used", "sends"})
    EXPECT_FALSE(IsAsWritten(Name)) << Name;
}
