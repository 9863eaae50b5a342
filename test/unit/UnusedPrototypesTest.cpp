// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// UnusedPrototypes: which declarations of MPI's headers are left unread.
#include "Frontend/UnusedPrototypes.h"
#include "llvm/ADT/Twine.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace mpispec;

namespace {

/// The rest of \p Header for a unit that reads \p Text behind it.
std::string left(StringRef Header, StringRef Text) {
  return withoutUnusedPrototypes(Header, mentionsOfMpi((Twine(Header) + Text).str()));
}

bool isKept(StringRef Statement) { return left(Statement, "") == Statement; }

TEST(UnusedPrototypes, StayWhereTheUnitNamesThem) {
  EXPECT_EQ(left("int MPI_Send(int);\nint MPI_Recv(int);\n", "MPI_Send(1);"),
            "int MPI_Send(int);\n\n");
  // However it names them: as a pointer, to define one, or in another declaration of the header.
  EXPECT_EQ(left("int MPI_Send(int);\n", "f = &MPI_Send;"), "int MPI_Send(int);\n");
  EXPECT_EQ(left("int MPI_Send(int);\n", "int MPI_Send(int x) {}"), "int MPI_Send(int);\n");
  std::string Alias = "int MPI_Send(int);\nextern int MPI_Other(int) weak(MPI_Send);\n";
  EXPECT_EQ(StringRef(left(Alias, "")).take_front(19), "int MPI_Send(int);\n");
  // A longer name is another one.
  EXPECT_EQ(left("int MPI_Send(int);\n", "MPI_Send_c PMPI_Send"), "\n");
}

TEST(UnusedPrototypes, LeaveLinesAndColumns) {
  StringRef Header =
      "int MPI_Send(int,\n\tint)  HERE;  int after;\nint MPI_Probe(void);\nint last;";
  EXPECT_EQ(left(Header, ""), "\n\t             int after;\n\nint last;");
  EXPECT_EQ(left("int a;\nint MPI_A(\n int);  \nint MPI_B(void);", ""), "int a;\n\n\n");
}

TEST(UnusedPrototypes, AreThoseOfPlainestFormAlone) {
  EXPECT_FALSE(isKept("EXPORT extern MPI_Fint *MPI_F(void);\n"));
  EXPECT_FALSE(isKept("typedef int (QMPI_Send_t) (int, void *);\n"));
  EXPECT_FALSE(isKept("typedef int (*QMPI_Send_t)(int);\n"));
  EXPECT_TRUE(isKept("int other_Send(int);\n"));
  EXPECT_TRUE(isKept("typedef int MPI_Datatype;\n"));
  EXPECT_TRUE(isKept("extern int MPI_Variable;\n"));
  EXPECT_TRUE(isKept("struct MPI_S *MPI_F(void);\n"));
  EXPECT_TRUE(isKept("int MPI_F(struct s *);\n"));
  EXPECT_TRUE(isKept("inline int MPI_F(void) { return 0; }\n"));
  EXPECT_TRUE(isKept("int MPI_F(int\n#ifdef X\n, int\n#endif\n);\n"));
  EXPECT_TRUE(isKept("int MPI_F(int) __attribute__((deprecated(\"use; MPI_G\")));\n"));
  EXPECT_TRUE(isKept("int MPI_F(int /* ; */);\n"));
  EXPECT_TRUE(isKept("#define F \\\nint MPI_F(int);\n"));
  EXPECT_TRUE(isKept("  int MPI_F(int);\n"));
  EXPECT_TRUE(isKept("__attribute__((cold))\nint MPI_F(int);\n"));
  EXPECT_TRUE(isKept("__attribute__((cold))\n#ifdef X\n\n#endif\nint MPI_F(int);\n"));
  EXPECT_TRUE(isKept("/* Not\nint MPI_F(int);\n*/\n"));
  EXPECT_FALSE(isKept("/* About F. */\n#define X \\\n1\nint MPI_F(int);\n"));
  EXPECT_TRUE(isKept("int MPI_F(int)"));
}

TEST(UnusedPrototypes, AreLeftOutOfPreprocessedTextWhereItIsOfMpi) {
  auto Left = [](Twine Text) { return preprocessedWithoutUnusedPrototypes(Text.str()); };
  const std::string Begin = "# 1 \"x.c\"\n# 1 \"/mpi/mpi.h\" 1 3\n";
  const std::string Back = "# 2 \"x.c\" 2\n";
  EXPECT_EQ(Left(Begin + "int MPI_A(int);\nint MPI_B(int);\n" + Back + "int x = MPI_A(1);\n"),
            Begin + "int MPI_A(int);\n\n" + Back + "int x = MPI_A(1);\n");
  // In a header beside mpi.h, and behind it in mpi.h again.
  EXPECT_EQ(Left(Begin +
                 "int a;\n# 1 \"/mpi/mpio.h\" 1 3\nint MPI_B(int);\n# 9 \"/mpi/mpi.h\" 2 3\n" +
                 "int MPI_C(int);\n" + Back),
            Begin + "int a;\n# 1 \"/mpi/mpio.h\" 1 3\n\n# 9 \"/mpi/mpi.h\" 2 3\n\n" + Back);
  // Not the program's own, not of other headers, and not where a declaration goes on.
  for (std::string Kept :
       {Begin + Back + "static int MPI_Mine(int);\n",
        Begin + "# 1 \"/other/x.h\" 1\nint MPI_B(int);\n" + Back,
        Begin + "__attribute__((cold))\n# 7 \"/mpi/mpi.h\" 3\nint MPI_B(int);\n" + Back,
        std::string("int MPI_B(int);\n")})
    EXPECT_EQ(Left(Kept), Kept);
}

TEST(CxxBinding, LeavesDirectivesAndWhatIsOutside) {
  EXPECT_EQ(
      withoutCxxBinding("enum { A };\nnamespace MPI {\n#define B \\\n { b }\n/*\n#if c\n*/\n"
                        "class C { void f() {} }; // d\n#endif\n} // namespace MPI\nint e;\n"),
      "enum { A };\nnamespace MPI {\n#define B \\\n { b }\n/*\n#if c\n*/\n"
      "                         // d\n#endif\n} // namespace MPI\nint e;\n");
  EXPECT_EQ(withoutCxxBinding("namespace MPI { a; } namespace MPI { b; } namespace N { c; }"),
            "namespace MPI {    } namespace MPI {    } namespace N { c; }");
}

TEST(CxxBinding, StaysWhereBracesDoNotMatch) {
  for (StringRef Header : {"namespace MPI {\n#if A\nclass B {\n#else\nclass C {\n#endif\n};\n}\n",
                           "namespace MPI { int a;", "int a;", ""})
    EXPECT_EQ(withoutCxxBinding(Header), Header.str());
}

TEST(CxxBinding, IsNamedByItsNamespaceAlone) {
  for (StringRef Text : {"MPI::Init();", "::MPI :: Comm c;", "using namespace MPI;",
                         "namespace M = MPI ;", "namespace MPI\n{ int a; }", "MPI_a MPI::b"})
    EXPECT_TRUE(namesCxxBinding(Text)) << Text.str();
  for (StringRef Text : {"", "MPI", "\"MPI: failed\"", "MPI_Init();", "MYMPI::f();", "MPI_::f();"})
    EXPECT_FALSE(namesCxxBinding(Text)) << Text.str();
}

} // namespace
