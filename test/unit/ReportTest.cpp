// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Report: the remark files of a build in one table.
#include "Report/Report.h"
#include "Support/TextLayout.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace mpispec;

namespace {

class Report : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_FALSE(sys::fs::createUniqueDirectory("mpispec-report", Directory));
  }
  void TearDown() override { sys::fs::remove_directories(Directory); }

  std::string path(StringRef Name) {
    SmallString<128> Path(Directory);
    sys::path::append(Path, Name);
    return Path.str().str();
  }
  void write(StringRef Name, ArrayRef<Remark> Remarks) {
    ASSERT_FALSE(sys::fs::create_directories(sys::path::parent_path(path(Name))));
    ASSERT_FALSE(static_cast<bool>(writeRemarkFile(path(Name), Remarks)));
  }
  void writeText(StringRef Name, StringRef Text) {
    std::error_code EC;
    raw_fd_ostream OS(path(Name), EC);
    ASSERT_FALSE(EC);
    OS << Text;
  }
  Build read() { return cantFail(readBuild(Directory)); }
  std::string message() { return toString(printReport(Directory, 80, nulls())); }
  std::string printed(unsigned Width, bool JSON) {
    std::string Text;
    raw_string_ostream OS(Text);
    cantFail(printReport(Directory, Width, OS, JSON));
    return Text;
  }

  SmallString<128> Directory;
};

Remark unit(StringRef WorkingDirectory) {
  Remark R;
  R.K = Remark::Analysis;
  R.ID = RemarkID::TranslationUnit;
  R.Function = UnitScope.str();
  R.Arguments = {{"Directory", WorkingDirectory.str()}};
  return R;
}

Remark about(StringRef File, unsigned Line, unsigned Site, StringRef Callee) {
  Remark R;
  R.File = File.str();
  R.Line = Line;
  R.Column = 5;
  R.Function = "main";
  R.Arguments = {{"Callee", Callee.str()}, {"Site", std::to_string(Site)}};
  return R;
}

Remark passed(StringRef File, unsigned Line, unsigned Site, StringRef Callee, StringRef Template,
              StringRef Count = "4") {
  Remark R = about(File, Line, Site, Callee);
  R.K = Remark::Passed;
  R.ID = RemarkID::Specialised;
  if (Template.empty())
    R.Arguments.push_back({"Form", "ordinary"});
  else
    R.Arguments.push_back({"Template", Template.str()});
  R.Arguments.push_back({"count", Count.str()});
  R.Arguments.push_back({"datatype", "MPI_INT"});
  return R;
}

Remark missed(StringRef File, unsigned Line, unsigned Site, StringRef Callee, RemarkID ID,
              StringRef Argument) {
  Remark R = about(File, Line, Site, Callee);
  R.ID = ID;
  R.Arguments.push_back({"Argument", Argument.str()});
  return R;
}

} // namespace

TEST_F(Report, AddsUpUnits) {
  write("a.yaml", {unit("/p"), passed("a.c", 3, 0, "MPI_Send", "Send"),
                   passed("a.c", 4, 1, "MPI_Recv", "Recv", "[0, 9]"),
                   missed("a.c", 4, 1, "MPI_Recv", RemarkID::SizeUnknown, "count")});
  write("sub/b.yaml", {unit("/p/sub"), missed("b.c", 7, 0, "MPI_Gather", RemarkID::NoTemplate, ""),
                       missed("c.c", 9, 1, "MPI_Gather", RemarkID::NoTemplate, ""),
                       missed("b.c", 9, 2, "MPI_Gather", RemarkID::NoTemplate, "")});
  BuildTotals T = totalsOf(read());
  EXPECT_EQ(T.All.all(), 5u);
  EXPECT_EQ(T.All[Grade::Full], 1u);
  EXPECT_EQ(T.All[Grade::Partly], 1u);
  EXPECT_EQ(T.All[Grade::Left], 3u);
  EXPECT_EQ(T.ByTemplate["Send"], 1u);
  EXPECT_EQ(T.Known.SendRecv.Sites, 2u);
  EXPECT_EQ(T.Known.SendRecv.Count, 1u); // a range is not a count
  EXPECT_EQ(T.Known.SendRecv.DatatypeAndCount, 1u);
  ASSERT_EQ(T.Missed.size(), 2u);
  EXPECT_EQ(T.Missed[0].ID, "no-template"); // most calls first, then the file with most
  EXPECT_EQ(T.Missed[0].Files[0].first, "sub/b.c");
  EXPECT_EQ(T.Missed[0].Files[0].second, 2u);
}

/// Like missed(), with the edit.
static Remark hint(StringRef File, unsigned Line, unsigned Site, StringRef Variable) {
  Remark R = missed(File, Line, Site, "MPI_Send", RemarkID::SizeUnknown, "count");
  R.Arguments.push_back({"Edit", "make it const"});
  R.Arguments.push_back({"Variable", Variable.str()});
  return R;
}

TEST_F(Report, GroupsHintsByWhatIsToBeEdited) {
  write("a.yaml",
        {unit("/p"), hint("a.c", 3, 0, "m"), hint("a.c", 4, 1, "n"), hint("a.c", 5, 2, "n"),
         missed("a.c", 6, 3, "MPI_Gather", RemarkID::NoTemplate, "")});
  write("b.yaml", {unit("/p"), hint("b.c", 3, 0, "n")});
  std::vector<Hint> Hints = totalsOf(read()).Hints;
  ASSERT_EQ(Hints.size(), 3u); // a variable of another file is another one
  EXPECT_EQ(Hints[0].Variable, "n");
  EXPECT_EQ(Hints[0].Calls, 2u);
  EXPECT_EQ(Hints[1].Variable, "m");
}

TEST_F(Report, OrdinaryCallsAreToldFromInlineOnes) {
  Remark Ordinary = passed("a.c", 3, 0, "MPI_Send", "");
  write("a.yaml", {unit("/p"), Ordinary, passed("a.c", 4, 1, "MPI_Send", "Send")});
  // Seen inline here, and ordinary there: ordinary.
  Remark Here = passed("h.h", 3, 0, "MPI_Send", "Send"),
         There = passed("h.h", 3, 0, "MPI_Send", "");
  write("b.yaml", {unit("/p"), Here});
  write("c.yaml", {unit("/p"), There});
  BuildTotals T = totalsOf(read());
  EXPECT_EQ(T.All[CallForm::Inline], 1u);
  EXPECT_EQ(T.All[CallForm::Ordinary], 2u);
  EXPECT_EQ(T.ByFunction["MPI_Send"][CallForm::Left], 0u);
}

TEST_F(Report, CountsASiteOfAHeaderOnce) {
  write("a.yaml", {unit("/p/a"), passed("../halo.h", 3, 0, "MPI_Send", "Send")});
  write("b.yaml", {unit("/p/b"), passed("b.c", 1, 0, "MPI_Recv", "Recv"),
                   passed("../halo.h", 3, 1, "MPI_Send", "Send")});
  Build B = read();
  EXPECT_EQ(B.Units, 2u);
  ASSERT_EQ(B.Sites.size(), 2u);
  EXPECT_EQ(B.Sites[0].Record.File, "b/b.c");
  EXPECT_EQ(B.Sites[1].Record.File, "halo.h");
  EXPECT_EQ(B.Sites[1].Units, 2u);
}

TEST_F(Report, ASharedSiteIsAsGoodAsItsWorstUnit) {
  write("a.yaml", {unit("/p"), passed("halo.h", 3, 0, "MPI_Send", "Send")});
  write("b.yaml", {unit("/p"), passed("halo.h", 3, 0, "MPI_Send", "Send", "[0, 9]"),
                   missed("halo.h", 3, 0, "MPI_Send", RemarkID::SizeUnknown, "count")});
  Build B = read();
  ASSERT_EQ(B.Sites.size(), 1u);
  EXPECT_EQ(B.Sites[0].Record.grade(), Grade::Partly);
  EXPECT_FALSE(B.Sites[0].Record.knows("count"));
  EXPECT_TRUE(B.Sites[0].Record.knows("datatype"));
}

TEST_F(Report, FilesOfOneNameInTwoDirectoriesAreTwo) {
  write("a.yaml", {unit("/p/a"), passed("main.c", 3, 0, "MPI_Send", "Send")});
  write("b.yaml", {unit("/p/b"), passed("main.c", 3, 0, "MPI_Send", "Send")});
  Build B = read();
  ASSERT_EQ(B.Sites.size(), 2u);
  EXPECT_EQ(B.Sites[0].Record.File, "a/main.c");
  EXPECT_EQ(B.Sites[1].Record.File, "b/main.c");
}

TEST_F(Report, TwoCallsOfOneMacroAreTwo) {
  write("a.yaml", {unit("/p"), passed("a.c", 3, 0, "MPI_Send", "Send"),
                   passed("a.c", 3, 1, "MPI_Send", "Send")});
  EXPECT_EQ(read().Sites.size(), 2u);
}

TEST_F(Report, AFallbackTakesBackWhatWasRewritten) {
  write("a.yaml", {unit("/p"), passed("a.c", 3, 0, "MPI_Send", "Send"),
                   fallbackRemark(RemarkID::FallbackRewrittenTextRejected, "a.c", "")});
  write("b.yaml", fallbackRemark(RemarkID::FallbackParseError, "b.c", "expected ')'"));
  Build B = read();
  EXPECT_EQ(B.Units, 2u);
  ASSERT_EQ(B.Sites.size(), 1u);
  EXPECT_EQ(B.Sites[0].Record.grade(), Grade::Left);
  EXPECT_EQ(B.Sites[0].Record.Missed[0].ID, RemarkID::FallbackRewrittenTextRejected);
  EXPECT_EQ(B.Fallbacks["fallback-parse-error"], std::vector<std::string>{"b.c"});
}

TEST_F(Report, OtherFilesAndForeignRemarksDoNotCount) {
  write("a.yaml", {unit("/p"), passed("a.c", 3, 0, "MPI_Send", "Send")});
  writeText("notes.txt", "not yaml at all: [");
  writeText("b.opt.yaml", "--- !Missed\nPass: inline\nName: NoDefinition\nFunction: f\n...\n");
  writeText("empty.yaml", "");
  EXPECT_EQ(read().Units, 1u);
}

TEST_F(Report, ErrorsNameFileLineAndRemedy) {
  EXPECT_TRUE(StringRef(message()).contains("no remark file (*.yaml) below '")) << message();
  EXPECT_TRUE(StringRef(message()).contains("build with 'mpispec --mpispec-remarks=")) << message();
  writeText("a.yaml", "--- !Missed\nPass: mpispec\nName: [\n");
  EXPECT_TRUE(StringRef(message()).starts_with(path("a.yaml") + ":")) << message();
  std::string Absent = toString(printReport(path("absent"), 80, nulls()));
  EXPECT_TRUE(StringRef(Absent).contains("absent' is not a directory: ")) << Absent;
}

TEST_F(Report, TextFitsTheWidth) {
  std::vector<Remark> Remarks = {unit("/p")};
  for (unsigned I = 0; I < 40; ++I)
    Remarks.push_back(missed("directory" + std::to_string(I) + "/file.c", I, I,
                             "MPI_Sendrecv_replace", RemarkID::SizeUnknown, "count"));
  write("a.yaml", Remarks);
  write("b.yaml", Remarks);
  for (unsigned Width : {80, 132}) {
    SmallVector<StringRef, 64> Lines;
    std::string Text = printed(Width, false);
    StringRef(Text).split(Lines, '\n');
    for (StringRef Line : Lines) {
      EXPECT_LE(displayWidth(Line), Width) << Line.str();
      EXPECT_EQ(Line.rtrim(), Line) << "blanks at the end";
    }
  }
}

TEST_F(Report, JSONHasTheTotals) {
  write("a.yaml", {unit("/p"), passed("a.c", 3, 0, "MPI_Send", "Send"),
                   fallbackRemark(RemarkID::FallbackIntegrity, "a\xff.c", "")});
  json::Value Root = cantFail(json::parse(printed(80, true)));
  const json::Object &O = *Root.getAsObject();
  EXPECT_EQ(O.getInteger("units"), 1);
  EXPECT_EQ(O.getObject("sites")->getInteger("found"), 1);
  EXPECT_EQ(O.getObject("sites")->get("rewritten"), nullptr); // inline or ordinary
  EXPECT_EQ(O.getObject("sites")->getInteger("inline"), 0);
  EXPECT_EQ(O.getObject("sites")->getInteger("left"), 1);
  EXPECT_NE(O.getObject("fallbacks")->getArray("fallback-integrity"), nullptr);
  EXPECT_EQ(O.getObject("rates")->getObject("send_recv")->getInteger("sites"), 1);
}
