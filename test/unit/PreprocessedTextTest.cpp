/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "Rewrite/PreprocessedText.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace mpispec;

namespace {

/// "x@a.c:1" for each token; a system header's with `!`.
std::string describe(StringRef Text) {
  PreprocessedText Lexed(Text, clang::LangOptions());
  std::string All;
  for (const TextToken &T : Lexed.tokens())
    All += (Lexed.raw(T) + (T.System ? "!" : "") + "@" + Lexed.file(T.File) + ":" + Twine(T.Line) +
            " ")
               .str();
  return All;
}

TEST(PreprocessedText, FollowsLineMarkers) {
  EXPECT_EQ(describe("# 0 \"a.c\"\n# 0 \"<built-in>\"\n# 1 \"a.c\"\nint\n"
                     "# 1 \"/usr/s.h\" 1 3 4\nlong\n# 9 \"/usr/s.h\" 3 4\nx\n"
                     "# 2 \"a.c\" 2\n\n ;\n#line 7 \"g.y\"\ny z\n"),
            "int@a.c:1 ;@a.c:3 y@g.y:7 z@g.y:7 ");
}

/// \p Text as a system's header between two tokens of the user.
std::string aroundHeader(StringRef Text) {
  return describe("a\n# 1 \"s.h\" 1 3 4\n" + Text.str() + "# 2 \"a.c\" 2\nb\n");
}

TEST(PreprocessedText, TakesOfSystemHeadersTheEndOfADeclaration) {
  EXPECT_EQ(aroundHeader("x;\nint y;\nlong\nz\n"), "a@:1 ;!@s.h:2 b@a.c:2 ");
  EXPECT_EQ(aroundHeader("x; y;\n# 7 \"s.h\" 3 4\nz }\n"), "a@:1 ;!@s.h:1 }!@s.h:7 b@a.c:2 ");
  EXPECT_EQ(aroundHeader("x z\n"), "a@:1 b@a.c:2 ");
  // Text of the user's macro is the user's.
  EXPECT_EQ(aroundHeader("x\n# 3 \"s.h\"\nmine;\n# 3 \"s.h\" 3 4\ny\n"),
            "a@:1 mine@s.h:3 ;@s.h:3 b@a.c:2 ");
}

TEST(PreprocessedText, TakesNoEndOutOfALiteral) {
  EXPECT_EQ(aroundHeader("p = \";\"\n"), "a@:1 p!@s.h:1 =!@s.h:1 \";\"!@s.h:1 b@a.c:2 ");
  EXPECT_EQ(aroundHeader("q /*\n ; */\n"), "a@:1 q!@s.h:1 b@a.c:2 ");
}

TEST(PreprocessedText, KnowsTextInsertedIntoAHeader) {
  EXPECT_EQ(aroundHeader("x;\n# 1 \"<inserted>\" 3\ny;\n# 2 \"s.h\" 3 4\nz\n"),
            "a@:1 ;!@s.h:1 y!@<inserted>:1 ;!@<inserted>:1 z!@s.h:2 b@a.c:2 ");
}

TEST(PreprocessedText, KnowsSystemTextWithinALine) {
  EXPECT_EQ(describe("# 1 \"a.c\"\np = \n# 1 \"a.c\" 3 4\n    0\n# 1 \"a.c\"\n     ;\n"),
            "p@a.c:1 =@a.c:1 0!@a.c:1 ;@a.c:1 ");
}

/// The text at the flags of system macros, with the flags as `!`.
std::string withoutFlags(StringRef Text) {
  PreprocessedText Lexed(Text, clang::LangOptions());
  std::string New;
  size_t Done = 0;
  for (StringRef Flags : Lexed.systemMacroFlags()) {
    size_t At = Flags.data() - Lexed.text().data();
    New += (Text.slice(Done, At) + "!").str();
    Done = At + Flags.size();
  }
  return New + Text.substr(Done).str();
}

TEST(PreprocessedText, TellsSystemMacrosFromSystemHeaders) {
  // In a file of the user, up to the last one of it.
  EXPECT_EQ(withoutFlags("# 1 \"a.c\"\np =\n# 1 \"a.c\" 3 4\n 0\n# 1 \"a.c\"\n;\n# 2 \"a.c\" 3\n1"),
            "# 1 \"a.c\"\np =\n# 1 \"a.c\"!\n 0\n# 1 \"a.c\"\n;\n# 2 \"a.c\"!\n1");
  EXPECT_EQ(withoutFlags("# 1 \"a.c\"\n# 1 \"b.h\" 1\n x\n# 2 \"b.h\" 3\n 0\n# 2 \"a.c\" 2\n;"),
            "# 1 \"a.c\"\n# 1 \"b.h\" 1\n x\n# 2 \"b.h\"!\n 0\n# 2 \"a.c\" 2\n;");
  // Not in a system header, nor in what becomes one half way, whatever is included then.
  for (StringRef Kept :
       {"# 1 \"a.c\"\n# 1 \"/s.h\" 1 3 4\nx\n# 9 \"/s.h\" 3 4\ny\n# 2 \"a.c\" 2\n",
        "# 1 \"a.c\"\n# 1 \"b.h\" 1\nx\n       \n# 3 \"b.h\" 3\ny\n# 2 \"a.c\" 2\n",
        "# 1 \"a.c\"\n# 1 \"b.h\" 1\n#pragma GCC system_header\n# 2 \"b.h\" 3\ny\n# 2 \"a.c\" 2\n",
        "# 1 \"b.h\" 1\n       \n# 2 \"b.h\" 3\n# 1 \"c.h\" 1 3\n# 3 \"b.h\" 2 3\ny\n# 2 \"a.c\" "
        "2\n"})
    EXPECT_EQ(withoutFlags(Kept), Kept);
  // A comment has no markers.
  EXPECT_EQ(withoutFlags("# 1 \"a.c\"\n/*\n# 2 \"a.c\" 3\n*/ x"),
            "# 1 \"a.c\"\n/*\n# 2 \"a.c\" 3\n*/ x");
}

TEST(PreprocessedText, LeavesDirectivesOut) {
  EXPECT_EQ(describe("# 1 \"a.c\"\n#pragma omp for \"unclosed\nx\n#ident \"y\"\n#define z 1\nw"),
            "x@a.c:2 w@a.c:5 ");
  EXPECT_EQ(describe("# 1 \"dir with \\\"quotes\\\" \\\\.c\"\nx"), "x@dir with \"quotes\" \\.c:1 ");
  EXPECT_EQ(describe(""), "");
  EXPECT_EQ(describe("# 1 \"a.c\""), "");
}

TEST(PreprocessedText, FindsMpiTextByTheStackOfFiles) {
  auto Mpi = [](bool KeepsSystemText) {
    PreprocessedText Lexed("# 1 \"a.c\"\na\n# 1 \"/x/mpi.h\" 1\nb;\n# 1 \"/x/mpio.h\" 1\nc\n"
                           "# 2 \"/x/mpi.h\" 2\nd\n# 2 \"a.c\" 2\ne\n",
                           clang::LangOptions(), KeepsSystemText);
    std::string Mpi;
    for (const TextToken &T : Lexed.tokens())
      Mpi += T.Mpi ? '1' : '0';
    return Mpi;
  };
  EXPECT_EQ(Mpi(/*KeepsSystemText=*/true), "011110");
  // Else of MPI's tokens only those that end its declarations are.
  EXPECT_EQ(Mpi(/*KeepsSystemText=*/false), "010");
}

TEST(PreprocessedText, TellsThePlaceToReturnTo) {
  std::string Text = "# 1 \"a.c\"\nint x; int y;\n# 40 \"b.h\" 3 4\n\n  z\n";
  PreprocessedText Lexed(Text, clang::LangOptions());
  TextPlace Y = Lexed.placeAt(Text.find("int y"));
  EXPECT_EQ(Y.QuotedFile, "\"a.c\"");
  EXPECT_EQ(Y.Line, 1u);
  EXPECT_EQ(Y.Flags, "");
  EXPECT_EQ(Lexed.columnOf(Text.find("int y")), 8u);
  TextPlace Z = Lexed.placeAt(Text.find("z"));
  EXPECT_EQ(Z.QuotedFile, "\"b.h\"");
  EXPECT_EQ(Z.Line, 41u);
  EXPECT_EQ(Z.Flags, " 3 4");
}

/// The text from where an insertion ahead of `f` would stand.
std::string fromDeclarationOf(StringRef Text) {
  PreprocessedText Lexed(Text, clang::LangOptions());
  for (auto [Number, T] : enumerate(Lexed.tokens()))
    if (Lexed.raw(T) == "f")
      return Text.substr(Lexed.declarationStart(Number)).str();
  return "no f";
}

TEST(PreprocessedText, FindsWhereADeclarationBegins) {
  EXPECT_EQ(fromDeclarationOf("int x;\nint\n f();"), "int\n f();");
  EXPECT_EQ(fromDeclarationOf("int x; int f();"), " int f();");
  EXPECT_EQ(fromDeclarationOf("int f();"), "int f();");
  EXPECT_EQ(fromDeclarationOf("# 1 \"a.c\"\n\n\nint f();"), "int f();");
  EXPECT_EQ(fromDeclarationOf("struct s {}\n;\n__attribute__((x))\ntemplate <class T>\nint f();"),
            "__attribute__((x))\ntemplate <class T>\nint f();");
  EXPECT_EQ(fromDeclarationOf("extern \"C\" {\nextern \"D\" int f();"), "extern \"D\" int f();");
  // The end of a header, the way back, and what does or does not belong to the declaration.
  EXPECT_EQ(fromDeclarationOf("int x;\n# 2 \"a.c\" 2\n\n#pragma pack(pop)\nint f();"), "int f();");
  EXPECT_EQ(fromDeclarationOf("int x;\n# 2 \"a.c\" 2\n#pragma omp declare simd\nint f();"),
            "#pragma omp declare simd\nint f();");
  EXPECT_EQ(fromDeclarationOf("int x;\n#define y 1\nint f();"), "int f();");
}

} // namespace
