/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "RewrittenUnit.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace mpispec;

namespace {

const char *const Mpi = "#include <mpi.h>\n";

class Rewriter : public testing::Test {
protected:
  RewrittenUnit rewrite(StringRef Text, UnitOptions Options = {}) {
    RewrittenUnit Unit = rewriteUnit(Directory, (Mpi + Text).str(), Options);
    EXPECT_EQ(Unit.Failure, "");
    if (Unit.Failure.empty()) {
      Error Broken = Unit.check(Unit.Text);
      EXPECT_FALSE(Broken) << toString(std::move(Broken));
    }
    return Unit;
  }

  /// The rewritten text behind mpi.h, without the pasted templates.
  static std::string userText(const RewrittenUnit &Unit) {
    StringRef Text = Unit.Text;
    return Text.substr(Text.find("# 2 \"")).str();
  }

  void expectAccepted(const RewrittenUnit &Unit, StringRef Compiler, std::vector<std::string> Flags,
                      StringRef Name) {
    Flags.push_back(Directory.write(Name, Unit.Text));
    EXPECT_TRUE(compiles(Compiler, Flags));
  }
  void expectSourceAccepted(const RewrittenUnit &Unit, StringRef Compiler, StringRef Name,
                            std::vector<std::string> Flags = {}) {
    Flags.insert(Flags.end(), {"-isystem", MPISPEC_MPI_INCLUDE, "-I" MPISPEC_TEMPLATES,
                               "-I" + Directory.file("."), Directory.write(Name, Unit.Source)});
    EXPECT_TRUE(compiles(Compiler, Flags)) << Unit.Source;
  }

  TemporaryDirectory Directory;
};

const char *const TwoCalls = R"(
static int before;
void f(double *b, int n);
void f(double *b, int n) {
  MPI_Status s;
  MPI_Send(b, n, MPI_DOUBLE, 1, 2, MPI_COMM_WORLD);
  MPI_Recv(b, before, MPI_DOUBLE, 1, 2, MPI_COMM_WORLD, &s);
}
)";

TEST_F(Rewriter, DefinesSitesBeforeTheDeclarationThatCallsThem) {
  RewrittenUnit Unit = rewrite(TwoCalls);
  std::string Text = userText(Unit);
  size_t Prototype = Text.find("int n);\n"), First = Text.find("mpispec_site_0("),
         Second = Text.find("mpispec_site_1("), Function = Text.find("int n) {\n");
  EXPECT_LT(Prototype, First);
  EXPECT_LT(First, Second);
  EXPECT_LT(Second, Function);
  EXPECT_NE(Text.find("  mpispec_site_0(b, n, "), std::string::npos);
  EXPECT_NE(Text.find("  mpispec_site_1(b, before, "), std::string::npos);
  // The line of the declaration is where it was.
  EXPECT_NE(Text.find("a.c\"\nvoid f(double *b, int n) {"), std::string::npos);
}

/// Calls that differ in their tags.
std::string manyCalls(unsigned Count) {
  std::string Text = "void f(void *b, int n, int to) {\n";
  for (unsigned I = 0; I < Count; ++I)
    Text += "  MPI_Send(b, n, MPI_DOUBLE, to, " + std::to_string(I) + ", MPI_COMM_WORLD);\n";
  return Text + "}\n";
}

// Calls that are alike share one function as soon as there are many.
TEST_F(Rewriter, SharesTemplatesWhereCallsAreMany) {
  RewrittenUnit Few = rewrite(manyCalls(12));
  EXPECT_EQ(StringRef(Few.Text).count("mpispec_shared"), 0u);
  RewrittenUnit Many = rewrite(manyCalls(40));
  EXPECT_EQ(StringRef(Many.Text).count("\nmpispec_shared_0("), 1u);
  EXPECT_EQ(StringRef(Many.Text).count(" mpispec_shared_0("), 28u);
  EXPECT_EQ(StringRef(Many.Text).count("mpispec_shared_1"), 0u);
  expectAccepted(Many, "gcc", {"-Wall", "-Wextra", "-Werror", "-O2", "-c", "-o", "/dev/null"},
                 "many.i");
}

TEST_F(Rewriter, LeavesAloneWhatIsNotChosen) {
  UnitOptions Options;
  Options.Wanted = [](const CallSite &Site) { return Site.Function->Name == "Recv"; };
  std::string Text = userText(rewrite(TwoCalls, Options));
  EXPECT_NE(Text.find("  MPI_Send(b, n, "), std::string::npos);
  EXPECT_NE(Text.find("  mpispec_site_1(b, before, "), std::string::npos);
  Options.Wanted = [](const CallSite &) { return false; };
  RewrittenUnit Unit = rewrite(TwoCalls, Options);
  EXPECT_EQ(Unit.Text, Unit.Original);
}

// All parts of a declaration stay in one piece; a declaration in the middle of a line
// keeps its column.
TEST_F(Rewriter, KeepsDeclarationsWhole) {
  RewrittenUnit Unit = rewrite(R"(
int a; __attribute__((noinline)) static void f(int *b) {
  MPI_Send(b, 1, MPI_INT, 1, 2, MPI_COMM_WORLD); }
#pragma omp declare simd
__attribute__((unused))
static double g(double d) { MPI_Barrier(MPI_COMM_WORLD); return d; }
#pragma pack(push, 1)
struct s { char c; int *i; };
#pragma pack(pop)
void h(struct s *s) { f(s->i); MPI_Barrier(MPI_COMM_WORLD); }
)");
  std::string Text = userText(Unit);
  EXPECT_NE(Text.find("int a;\n# 1 \"<mpispec>\" 3\n"), std::string::npos);
  EXPECT_NE(Text.find("\n       __attribute__((noinline)) static void f"), std::string::npos);
  EXPECT_NE(Text.find("a.c\"\n#pragma omp declare simd\n"), std::string::npos);
  EXPECT_NE(Text.find("#pragma pack(pop)\n# 1 \"<mpispec>\" 3\n"), std::string::npos);
  expectAccepted(Unit, "gcc", {"-std=gnu99", "-fopenmp"}, "out.i");
  expectSourceAccepted(Unit, "gcc", "out.c", {"-fopenmp"});
}

TEST_F(Rewriter, RewritesMacroArgumentsAndBodies) {
  RewrittenUnit Unit = rewrite(R"(
#define CHECK(call) do { if ((call) != MPI_SUCCESS) MPI_Abort(MPI_COMM_WORLD, __LINE__); } while (0)
#define SEND(b, n) MPI_Send(b, n, MPI_INT, 1, 0, MPI_COMM_WORLD)
#define EITHER(call) ((call) ? (call) : 0)
#define MAKE(t, m) void send_##t(t *b) { MPI_Send(b, 1, m, 1, 0, MPI_COMM_WORLD); }
MAKE(int, MPI_INT) MAKE(double, MPI_DOUBLE)
int f(int *b) {
  CHECK(MPI_Send(b, 1, MPI_INT,
                 1, 0, MPI_COMM_WORLD));
  SEND(b, 1);
  return EITHER(MPI_Barrier(MPI_COMM_WORLD));
}
)");
  EXPECT_EQ(Unit.Parsed->Sites.size(), 6u);
  EXPECT_EQ(StringRef(userText(Unit)).count("mpispec_site_"), 12u);
  expectAccepted(Unit, "gcc", {}, "out.i");
  EXPECT_EQ(Unit.Untouched.size(), 5u); // all but the argument of CHECK
  EXPECT_NE(Unit.Source.find("CHECK(mpispec_site_2(b, 1, MPI_INT,"), std::string::npos);
  EXPECT_NE(Unit.Untouched[0].find("a.c:7:1: MPI_Send: in the body of macro MAKE"),
            std::string::npos)
      << Unit.Untouched[0];
  EXPECT_NE(Unit.Untouched.back().find("in an argument that a macro repeats"), std::string::npos);
  expectSourceAccepted(Unit, "gcc", "out.c");
}

TEST_F(Rewriter, RewritesHeadersOfTheUser) {
  Directory.write("exchange.h", "static inline void exchange(int *b) {\n"
                                "  MPI_Sendrecv_replace(b, 1, MPI_INT, 1, 0, 1, 0, MPI_COMM_WORLD, "
                                "MPI_STATUS_IGNORE);\n}\n");
  RewrittenUnit Unit = rewrite("#include \"exchange.h\"\nvoid f(int *b) { exchange(b); }\n");
  EXPECT_NE(userText(Unit).find("  mpispec_site_0(b, 1, "), std::string::npos);
  expectAccepted(Unit, "gcc", {}, "out.i");
  ASSERT_EQ(Unit.Untouched.size(), 1u);
  EXPECT_NE(Unit.Untouched[0].find("exchange.h:2:3: MPI_Sendrecv_replace: in an included file"),
            std::string::npos);
}

const char *const Cxx = R"(
#include <vector>
extern "C" {
void c_linkage(int *b) { MPI_Bcast(b, 1, MPI_INT, 0, MPI_COMM_WORLD); }
}
extern "C" void one(int *b) { MPI_Bcast(b, 1, MPI_INT, 0, MPI_COMM_WORLD); }
namespace n { namespace {
template <class T>
struct Sender {
  std::vector<T> v;
  void send(MPI_Datatype t) { MPI_Send(v.data(), int(v.size()), t, 1, 0, MPI_COMM_WORLD); }
  static int times(int a, int b) { return a * b; }
};
} }
template <class T, class U = int> [[maybe_unused]] static U g(T *b) {
  return ::MPI_Recv(b, n::Sender<T>::times(1, 2), MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD,
                    MPI_STATUS_IGNORE);
}
int h() {
  int x = 0;
  auto l = [&](int, int) { return (MPI_Send)(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD); };
  n::Sender<int>().send(MPI_INT);
  return l(1, 2) + g<int>(&x) + g<unsigned, unsigned>(nullptr);
}
)";

TEST_F(Rewriter, RewritesCxx) {
  UnitOptions Options;
  Options.IsCxx = true;
  RewrittenUnit Unit = rewrite(Cxx, Options);
  EXPECT_EQ(Unit.Parsed->Sites.size(), 5u);
  StringRef Text = Unit.Text;
  EXPECT_NE(Text.find("\nextern \"C\" void one"), StringRef::npos);
  EXPECT_NE(Text.find("\nnamespace n { namespace {"), StringRef::npos);
  EXPECT_NE(Text.find("\ntemplate <class T, class U = int> [[maybe_unused]]"), StringRef::npos);
  EXPECT_NE(Text.find("return ::mpispec_site_3(b, "), StringRef::npos);
  EXPECT_NE(Text.find("(mpispec_site_4)(&x"), StringRef::npos);
  expectAccepted(Unit, "g++", {"-std=c++17"}, "out.ii");
  expectSourceAccepted(Unit, "g++", "out.cpp", {"-std=c++17"});
  expectSourceAccepted(Unit, "clang++-22", "out.cpp", {"-std=c++20"});
}

TEST_F(Rewriter, RewritesForClang) {
  UnitOptions Options;
  Options.Dialect = TextDialect::Clang;
  expectAccepted(rewrite(TwoCalls, Options), "clang-22", {"-Weverything"}, "out.i");
  Options.IsCxx = true;
  expectAccepted(rewrite(Cxx, Options), "clang++-22", {"-std=c++17"}, "out.ii");
}

// No diagnostic may come from inserted text, in any dialect of C.
TEST_F(Rewriter, IsSilentInOldC) {
  UnitOptions Options;
  Options.Flags = {"-std=c89", "-Wno-long-long"};
  RewrittenUnit Unit = rewrite("static int f(int *b) { return MPI_Send(b, 1, MPI_INT, 1, 0, "
                               "MPI_COMM_SELF); }\nint main(void) { return f(0); }\n",
                               Options);
  expectAccepted(Unit, "gcc",
                 {"-std=c89", "-Wconversion", "-Wcast-qual", "-Wundef", "-Wredundant-decls",
                  "-Wlong-long", "-Wdeclaration-after-statement", "-Wmissing-declarations"},
                 "out.i");
}

TEST_F(Rewriter, RefusesAnotherProgram) {
  RewrittenUnit Unit = rewriteUnit(Directory, std::string(Mpi) + R"(
#ifdef __clang__
#define N 4
#else
#define N 5
#endif
void f(int *b) { MPI_Send(b, N, MPI_INT, 1, 0, MPI_COMM_WORLD); }
)");
  EXPECT_NE(Unit.Failure.find("a.c:8: '5' here, '4' under clang"), std::string::npos)
      << Unit.Failure;
}

TEST_F(Rewriter, RefusesRewrittenText) {
  RewrittenUnit Unit = rewriteUnit(
      Directory, std::string(Mpi) + "int mpispec_site_0(void);\nvoid f(void) { MPI_Barrier("
                                    "MPI_COMM_WORLD); }\n");
  EXPECT_NE(Unit.Failure.find("rewritten already"), std::string::npos) << Unit.Failure;
}

// The parameters of readable definitions must not be macros of the file.
TEST_F(Rewriter, AvoidsMacroNamesInSource) {
  RewrittenUnit Unit = rewrite("#define tag 7\n#define comm MPI_COMM_WORLD\n"
                               "void f(int *b) { MPI_Send(b, 1, MPI_INT, 1, tag, comm); }\n");
  EXPECT_NE(Unit.Source.find("int tag_, MPI_Comm comm_)"), std::string::npos) << Unit.Source;
  expectSourceAccepted(Unit, "gcc", "out.c");
}

TEST_F(Rewriter, PlacesSourceDefinitionsBetweenDirectives) {
  RewrittenUnit Unit = rewrite(R"(
#include <stdio.h>
#ifdef UNKNOWN
typedef int unknown;
#endif
#if 1
static
#else
extern
#endif
int f(int *b) { return MPI_Send(b, 1, MPI_INT, 1, 0, MPI_COMM_WORLD); }
#define LAST 1
int g(int *b) { return f(b) + MPI_Send(b, LAST, MPI_INT, 1, 0, MPI_COMM_WORLD); }
)");
  expectSourceAccepted(Unit, "gcc", "out.c");
}

// Code that is generated under other options cannot be inlined behind them.
TEST_F(Rewriter, DefinesSitesUnderTheOptionsOfTheirCaller) {
  RewrittenUnit Unit = rewrite(R"(
#pragma GCC push_options
#pragma GCC target("avx2")
int f(int *b) { return MPI_Send(b, 1, MPI_INT, 1, 0, MPI_COMM_WORLD); }
#pragma GCC pop_options
#define SOMETHING
int g(int *b) { return f(b) + MPI_Send(b, 1, MPI_INT, 1, 0, MPI_COMM_WORLD); }
)");
  Directory.write("out.i", Unit.Text);
  Directory.write("out.c", Unit.Source);
  auto Gcc = sys::findProgramByName("gcc");
  ASSERT_TRUE(bool(Gcc));
  for (const char *File : {"out.i", "out.c"}) {
    std::string Path = Directory.file(File), Object = Directory.file("out.o");
    EXPECT_EQ(sys::ExecuteAndWait(*Gcc, {"gcc", "-c", "-I" MPISPEC_MPI_INCLUDE,
                                         "-I" MPISPEC_TEMPLATES, Path, "-o", Object}),
              0)
        << File;
  }
}

TEST_F(Rewriter, KeepsCommentsWithDeclarations) {
  RewrittenUnit Unit = rewrite(R"(
int a; // about a
int f(int *b) { return MPI_Send(b, 1, MPI_INT, 1, 0, MPI_COMM_WORLD); }
int c; /* about c */ int d; /* about
                       g */
/* more */ // and more
static /* odd

*/ int g(int *b) { return MPI_Send(b, 1, MPI_INT, 1, 0, MPI_COMM_WORLD); }

// about nothing

int h(int *b) { return g(b) + MPI_Send(b, 1, MPI_INT, 1, 0, MPI_COMM_WORLD); }
)");
  StringRef Source = Unit.Source;
  EXPECT_TRUE(Source.contains("int a; // about a\nstatic __inline__"));
  EXPECT_TRUE(Source.contains("}\n\n/* more */ // and more\nstatic /* odd")) << Unit.Source;
  EXPECT_TRUE(Source.contains("// about nothing\n\nstatic __inline__"));
  expectSourceAccepted(Unit, "gcc", "out.c");
}

} // namespace
