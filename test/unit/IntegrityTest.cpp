/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "Rewrite/Integrity.h"
#include "Rewrite/Emitter.h"
#include "SiteBuilder.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace mpispec;

namespace {

const char *const Original = "# 1 \"a.c\"\n"
                             "int MPI_Barrier(MPI_Comm comm);\n"
                             "int x; void f(MPI_Comm c) { MPI_Barrier(c); }\n"
                             "void g(MPI_Comm c)\n"
                             "{\n"
                             "  MPI_Barrier(c); MPI_Barrier(c);\n"
                             "}\n";

/// `g` comes to its line by a region of its own, `f` stands in the middle of a line.
const char *const Rewritten = "# 1 \"a.c\"\n"
                              "int MPI_Barrier(MPI_Comm comm);\n"
                              "int x;\n"
                              "# 1 \"<mpispec>\" 3\n"
                              "int mpispec_Barrier(unsigned long comm);\n"
                              "static __inline__ __attribute__((__always_inline__)) int\n"
                              "mpispec_site_0(MPI_Comm comm)\n"
                              "{\n"
                              "  return mpispec_Barrier((unsigned long)comm)\n"
                              "             ? 0\n"
                              "             : MPI_Barrier(comm);\n"
                              "}\n"
                              "# 2 \"<mpispec>\" 3\n"
                              "# 2 \"a.c\"\n"
                              "       void f(MPI_Comm c) { mpispec_site_0(c); }\n"
                              "# 1 \"<mpispec>\" 3\n"
                              "static __inline__ __attribute__((__always_inline__)) int\n"
                              "mpispec_site_2(MPI_Comm comm)\n"
                              "{\n"
                              "  return mpispec_Barrier((unsigned long)comm)\n"
                              "             ? 0\n"
                              "             : MPI_Barrier(comm);\n"
                              "}\n"
                              "# 2 \"<mpispec>\" 3\n"
                              "# 3 \"a.c\"\n"
                              "void g(MPI_Comm c)\n"
                              "{\n"
                              "  MPI_Barrier(c); mpispec_site_2(c);\n"
                              "}\n";

class Integrity : public testing::Test {
protected:
  Integrity() {
    for (unsigned Number : {0, 1, 2}) {
      Sites.push_back(site("MPI_Barrier", Number));
      Sites.back().ReturnType = "int";
      Sites.back().ParameterTypes = {"MPI_Comm"};
      bool IsLeft = Number == 1;
      Choices.push_back(
          {Number, IsLeft ? "" : "Barrier", {}, IsLeft ? CallForm::Left : CallForm::Inline});
    }
  }

  /// The complaint about the rewritten text once \p From is \p To in it, all over or once.
  std::string complaint(StringRef From, StringRef To, bool Everywhere = false) {
    std::string Text = Rewritten;
    size_t At = Text.find(From.str());
    EXPECT_NE(At, std::string::npos) << From.str();
    for (; At != std::string::npos;
         At = Everywhere ? Text.find(From.str(), At + To.size()) : std::string::npos)
      Text.replace(At, From.size(), To.str());
    return complaintAbout(Text);
  }
  std::string complaintAbout(StringRef Text) {
    Error E = checkIntegrity(Original, Text, Sites, Choices, clang::LangOptions());
    return E ? toString(std::move(E)) : "";
  }

  std::vector<CallSite> Sites;
  std::vector<Choice> Choices;
};

TEST_F(Integrity, AcceptsWhatIsRight) { EXPECT_EQ(complaintAbout(Rewritten), ""); }

TEST_F(Integrity, Text) {
  const char *const Changed = "text other than the calls has changed";
  EXPECT_EQ(complaint("int x;", "int y;"), Changed);
  EXPECT_EQ(complaint("void g", "  void g"), Changed);
  EXPECT_EQ(complaint("  MPI_Barrier(c); mpi", "  mpi"), Changed);
  EXPECT_EQ(complaint("mpispec_site_2(c)", "mpispec_site_2(x)"), Changed);
  EXPECT_EQ(complaint("{ mpispec_site_0(c); }\n", "{ mpispec_site_0(c); }"),
            "inserted text does not begin a line");
}

TEST_F(Integrity, Place) {
  EXPECT_EQ(complaint("# 3 \"a.c\"", "# 4 \"a.c\""),
            "inserted text does not return to \"a.c\" line 3");
  EXPECT_EQ(complaint("# 2 \"a.c\"", "# 2 \"b.c\""),
            "inserted text does not return to \"a.c\" line 2");
  EXPECT_EQ(complaint("       void f", "     x void f"),
            "text behind an insertion is not at its column");
  EXPECT_EQ(complaintAbout(StringRef(Rewritten).take_until([](char C) { return C == '?'; })),
            "inserted text does not end");
}

TEST_F(Integrity, Call) {
  EXPECT_EQ(complaint("mpispec_site_0(c)", "MPI_Barrier(c)"), "mpispec_site_0 is never called");
  EXPECT_EQ(complaint("  MPI_Barrier(c); mpi", "  mpispec_site_2(c); mpi"),
            "mpispec_site_2 is called twice");
  EXPECT_EQ(complaint("  MPI_Barrier(c); mpi", "  mpispec_site_1(c); mpi"),
            "text other than the calls has changed");
  Sites[0].ParameterTypes = {"MPI_Comm", "int"};
  EXPECT_EQ(complaint("mpispec_site_0(MPI_Comm comm)", "mpispec_site_0(MPI_Comm comm, int n)"),
            "mpispec_site_0 does not end with the ordinary MPI_Barrier");
}

TEST_F(Integrity, NumberOfArguments) {
  Sites[0].ParameterTypes = {"MPI_Comm", "int"};
  std::string Text = Rewritten;
  auto Replace = [&](StringRef From, StringRef To) {
    Text.replace(Text.find(From.str()), From.size(), To.str());
  };
  Replace("mpispec_site_0(MPI_Comm comm)", "mpispec_site_0(MPI_Comm comm, int n)");
  Replace("MPI_Barrier(comm);\n}", "MPI_Barrier(comm, n);\n}");
  EXPECT_EQ(complaintAbout(Text), "mpispec_site_0 is called with another number of arguments");
}

TEST_F(Integrity, Definition) {
  EXPECT_EQ(complaint("mpispec_site_2(MPI_Comm comm)", "mpispec_site_3(MPI_Comm comm)"),
            "mpispec_site_3 is no site that was rewritten");
  EXPECT_EQ(complaint("mpispec_site_2(MPI_Comm comm)", "mpispec_site_0(MPI_Comm comm)"),
            "mpispec_site_0 is defined twice\nmpispec_site_2 is called before it is defined");
  EXPECT_EQ(complaint("mpispec_site_2(MPI_Comm comm)", "other(MPI_Comm comm)"),
            "mpispec_site_2 is called before it is defined");
  EXPECT_EQ(complaint("mpispec_site_2(MPI_Comm comm)", "mpispec_site_2(int comm)"),
            "mpispec_site_2 does not take 'MPI_Comm' where MPI_Barrier does");
  EXPECT_EQ(complaint("mpispec_site_2(MPI_Comm comm)", "mpispec_site_2(MPI_Comm comm, int n)"),
            "mpispec_site_2 has another number of parameters");
  EXPECT_EQ(complaint(")) int\n", ")) long\n"), "mpispec_site_0 does not return int");
  EXPECT_EQ(complaint(")) int\n", ")) unsigned int\n"), "mpispec_site_0 does not return int");
}

TEST_F(Integrity, Evaluation) {
  EXPECT_EQ(complaint("(unsigned long)comm", "(unsigned long)c"),
            "mpispec_site_0 has 'c' in its body");
  EXPECT_EQ(complaint("(unsigned long)comm", "(unsigned long)comm++"),
            "mpispec_site_0 has '++' in its body");
  EXPECT_EQ(complaint("(unsigned long)comm", "(unsigned long)(comm = 0)"),
            "mpispec_site_0 has '=' in its body");
  EXPECT_EQ(complaint("(unsigned long)comm", "mpispec_status_unread(comm)"),
            "mpispec_site_0 takes its status for unread");
  const char *const NotOrdinary = "mpispec_site_0 does not end with the ordinary MPI_Barrier";
  EXPECT_EQ(complaint("MPI_Barrier(comm);\n}", "MPI_Barrier(0);\n}"), NotOrdinary);
  EXPECT_EQ(complaint(": MPI_Barrier(comm);\n}", ": 0;\n}"), NotOrdinary);
  EXPECT_EQ(complaint("? 0\n", "? MPI_Barrier(comm)\n"), NotOrdinary);
}

// Nothing but the flags of a system header's macro may be missing, and all of them must.
TEST_F(Integrity, FlagsOfSystemMacros) {
  std::string Macro = "void h(void) {\n# 9 \"a.c\" 3 4\n ((void *)0)\n# 9 \"a.c\"\n ; }\n";
  std::string Without = "void h(void) {\n# 9 \"a.c\"\n ((void *)0)\n# 9 \"a.c\"\n ; }\n";
  std::string Header = "# 1 \"a.h\" 1 3 4\nint i;\n# 9 \"a.c\" 2\n";
  auto Check = [&](const std::string &Old, const std::string &New) {
    return toString(checkIntegrity(Original + Old, Rewritten + New, Sites, Choices, {}));
  };
  EXPECT_EQ(Check(Macro + Header, Without + Header), "");
  EXPECT_EQ(Check(Macro, Macro), "text other than the calls has changed");
  EXPECT_EQ(Check(Header, "# 1 \"a.h\" 1\nint i;\n# 9 \"a.c\" 2\n"),
            "text other than the calls has changed");
}

// A comma between template arguments separates no arguments of the call.
TEST_F(Integrity, CommasInAngles) {
  std::string Old = "# 1 \"a.c\"\nvoid f() { MPI_Barrier(g<int, int>()); }\n", New = Rewritten;
  size_t Begin = New.find("# 1 \"<mpispec>\""), End = New.find("# 2 \"a.c\"");
  New = "# 1 \"a.c\"\n" + New.substr(Begin, End - Begin) +
        "# 1 \"a.c\"\nvoid f() { mpispec_site_0(g<int, int>()); }\n";
  Choices[2].Form = CallForm::Left;
  Error E = checkIntegrity(Old, New, Sites, Choices, clang::LangOptions());
  EXPECT_FALSE(E) << toString(std::move(E));
}

} // namespace
