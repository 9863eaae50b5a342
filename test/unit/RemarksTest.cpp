// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Remarks: the table, the file format and its page of documentation.
#include "Support/Remarks.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace mpispec;

static Remark sample() {
  Remark R;
  R.K = Remark::Missed;
  R.ID = RemarkID::SizeUnknown;
  R.File = "dir with space/h\xc3\xa4lo: 'x'.c";
  R.Line = 12;
  R.Column = 5;
  R.Function = "solver::exchange(int, char const*)";
  R.Arguments = {{"Callee", "MPI_Send"},
                 {"String", ": "},
                 {"count", "4"},
                 {"Text", "count 'n' is unknown: \"quoted\", { braces }, # hash, trailing "},
                 {"String", ""},
                 {"range", "[0, 99]"}};
  return R;
}

static std::string written(ArrayRef<Remark> Remarks) {
  std::string Text;
  raw_string_ostream OS(Text);
  writeRemarks(Remarks, OS);
  return Text;
}

static Expected<std::vector<Remark>> read(StringRef Text) {
  return readRemarks(MemoryBufferRef(Text, "build/a.yaml"));
}

TEST(Remarks, RoundTripKeepsEverything) {
  Remark Passed = sample();
  Passed.K = Remark::Passed;
  Passed.ID = RemarkID::Specialised;
  Remark Unit = fallbackRemark(RemarkID::FallbackUnknownFlag, "a.c", "-fipa-pta");
  Remark NoPlace = sample();
  NoPlace.K = Remark::Analysis;
  NoPlace.File.clear();
  NoPlace.Line = NoPlace.Column = 0;
  NoPlace.Arguments.clear();
  const Remark Originals[] = {sample(), Passed, Unit, NoPlace};
  auto Back = read(written(Originals));
  ASSERT_TRUE(static_cast<bool>(Back)) << toString(Back.takeError());
  ASSERT_EQ(Back->size(), 4u);
  for (const auto &[Was, Is] : zip_equal(Originals, *Back)) {
    EXPECT_EQ(Was.K, Is.K);
    EXPECT_EQ(Was.ID, Is.ID);
    EXPECT_EQ(Was.File, Is.File);
    EXPECT_EQ(Was.Line, Is.Line);
    EXPECT_EQ(Was.Column, Is.Column);
    EXPECT_EQ(Was.Function, Is.Function);
    EXPECT_EQ(Was.message(), Is.message());
    ASSERT_EQ(Was.Arguments.size(), Is.Arguments.size());
    for (const auto &[A, B] : zip_equal(Was.Arguments, Is.Arguments)) {
      EXPECT_EQ(A.Key, B.Key);
      EXPECT_EQ(A.Value, B.Value);
    }
  }
}

TEST(Remarks, AreDocumentsAsLLVMWritesThem) {
  Remark R = sample();
  R.File = "halo.c";
  R.Function = "exchange";
  R.Arguments.resize(1);
  EXPECT_EQ(written(R), "--- !Missed\n"
                        "Pass:            mpispec\n"
                        "Name:            size-unknown\n"
                        "DebugLoc:        { File: halo.c, Line: 12, Column: 5 }\n"
                        "Function:        exchange\n"
                        "Args:\n"
                        "  - Callee:          MPI_Send\n"
                        "...\n");
  EXPECT_EQ(written({}), "");
}

TEST(Remarks, AnEmptyFileHasNone) {
  EXPECT_TRUE(cantFail(read("")).empty());
  EXPECT_TRUE(cantFail(read(" \n\n")).empty());
}

TEST(Remarks, OtherPassesAreSkipped) {
  EXPECT_TRUE(
      cantFail(read("--- !Failure\nPass: inline\nName: N\nFunction: f\nHotness: 3\n"
                    "Args:\n  - Callee: g\n    DebugLoc: { File: a.c, Line: 1, Column: 1 }\n"
                    "...\n"))
          .empty());
}

TEST(Remarks, OfAnotherVersionAreNotCountedAsAnythingElse) {
  auto Foreign = read("--- !Missed\nPass: mpispec\nName: size-unknwon\nFunction: f\n...\n");
  ASSERT_FALSE(static_cast<bool>(Foreign));
  EXPECT_NE(toString(Foreign.takeError()).find("no remark 'size-unknwon'"), std::string::npos);
}

TEST(Remarks, BrokenFilesAreNamedWithTheLine) {
  for (StringRef Text :
       {"--- !Missed\nPass: mpispec\nName: size-unknown\n", "--- !Missed\nPass: mpispec\nName: [\n",
        "just text\n", "{\n", "--- !Unheard\nPass: mpispec\nName: a\nFunction: f\n",
        "--- !Missed\nPass: mpispec\nName: a\nFunction: f\n"
        "DebugLoc: { File: a.c, Line: many, Column: 1 }\n"}) {
    auto Broken = read(Text);
    ASSERT_FALSE(static_cast<bool>(Broken)) << Text.str();
    std::string Message = toString(Broken.takeError());
    EXPECT_TRUE(StringRef(Message).starts_with("build/a.yaml:")) << Message;
    EXPECT_TRUE(StringRef(Message).contains(": not a remark file: ")) << Message;
  }
}

TEST(Remarks, IDsAreUnique) {
  for (const RemarkInfo &R : allRemarks()) {
    EXPECT_EQ(lookUpRemark(R.Text), &R) << R.Text.str();
    EXPECT_EQ(&infoOf(R.ID), &R) << R.Text.str();
    EXPECT_EQ(Remark(R.ID).K, R.K);
    EXPECT_FALSE(R.Sentence.empty());
  }
  EXPECT_EQ(lookUpRemark("no-such-remark"), nullptr);
}

TEST(Remarks, EachHasItsSectionInTheDocumentation) {
  auto Page = MemoryBuffer::getFile(MPISPEC_DOCS "/Remarks.md");
  ASSERT_TRUE(static_cast<bool>(Page));
  StringRef Text = (*Page)->getBuffer();
  for (const RemarkInfo &R : allRemarks())
    EXPECT_TRUE(Text.contains(("\n### " + R.Text + "\n").str()))
        << R.Text.str() << " has no section";
  // And no section is about a remark that is gone.
  SmallVector<StringRef, 64> Lines;
  Text.split(Lines, '\n');
  for (StringRef Line : Lines)
    if (Line.consume_front("### "))
      EXPECT_NE(lookUpRemark(Line), nullptr) << Line.str() << " is no remark";
}
