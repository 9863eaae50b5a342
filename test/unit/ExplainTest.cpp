// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Explain: the table for people, the JSON for tools, and the remarks of a unit.
#include "Report/Explain.h"
#include "Report/Rates.h"
#include "Report/SiteRemarks.h"
#include "Selection/Selector.h"
#include "SiteBuilder.h"
#include "Support/TextLayout.h"
#include "llvm/Support/JSON.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace mpispec;

namespace {

/// A unit with a few calls, given out of order.
struct SampleUnit {
  std::vector<CallSite> Sites;
  std::vector<SiteFacts> Facts;
  std::vector<Choice> Choices;

  SampleUnit() {
    TransferFacts Known = side(SizeClass::Short, NodeClass::Remote);
    Known.Peer = range(0, INT32_MAX - 1, "conditions on 'left'");
    Known.Tag = constant(7, "macro TAG");
    Known.SizeOrigin = "8 bytes";
    Known.NodeOrigin = "peer is never rank(comm)";
    TransferFacts Unknown = side(SizeClass::Dynamic, NodeClass::Dynamic);
    Unknown.PeerMayBeWildcard = true;
    TransferFacts Both[] = {Known, Unknown};
    add("MPI_Sendrecv", 120, Both);
    add("MPI_Send", 9, Known).Comm = handle("MPI_COMM_WORLD");
    add("MPI_Recv", 41, Unknown).Warnings = {{"count is -1 in every execution of this call"}};
    add("MPI_Allreduce", 60, side(SizeClass::Short, NodeClass::Dynamic)).Op = handle("MPI_SUM");
    add("MPI_Gather", 70, {});
    Choices = selectTemplates(Sites, Facts);
  }

  SiteFacts &add(StringRef Callee, unsigned Line, ArrayRef<TransferFacts> Transfers) {
    Sites.push_back(site(Callee, Sites.size(), Line));
    Facts.push_back(facts(Sites.back(), Transfers));
    return Facts.back();
  }

  std::string table(unsigned Width) const {
    std::string Text;
    raw_string_ostream OS(Text);
    printTable(Sites, Facts, Choices, Width, OS);
    return Text;
  }

  std::string json() const {
    std::string Text;
    raw_string_ostream OS(Text);
    printJSON(Sites, Facts, Choices, OS);
    return Text;
  }
};

SmallVector<StringRef, 64> lines(StringRef Text) {
  SmallVector<StringRef, 64> Lines;
  Text.split(Lines, '\n');
  return Lines;
}

} // namespace

TEST(Explain, FitsTheWidthOfTheTerminal) {
  for (unsigned Width : {76, 80, 100, 132, 200}) {
    std::string Table = SampleUnit().table(Width);
    for (StringRef Line : lines(Table)) {
      EXPECT_LE(displayWidth(Line), Width) << Line.str();
      EXPECT_EQ(Line.rtrim(), Line) << "blanks at the end";
    }
  }
}

TEST(Explain, SurvivesAnyWidth) {
  for (unsigned Width : {0, 1, 10, 40})
    EXPECT_TRUE(StringRef(SampleUnit().table(Width)).contains("halo.c:9:5"));
}

TEST(Explain, PutsDetailsBesideOrBelowTheHead) {
  std::string Narrow = SampleUnit().table(80), Wide = SampleUnit().table(132);
  EXPECT_TRUE(StringRef(Narrow).contains("halo.c:9:5    MPI_Send       Send\n"
                                         "    in             exchange\n"
                                         "    form           inline\n"
                                         "    datatype       MPI_DOUBLE      macro\n"));
  EXPECT_TRUE(StringRef(Wide).starts_with("PLACE "));
  EXPECT_TRUE(StringRef(Wide).contains(
      "halo.c:9:5    MPI_Send       Send           form           inline"));
}

TEST(Explain, HeadingsHaveRoomAboveShortNames) {
  SampleUnit U;
  for (Choice &C : U.Choices) {
    C.Template = "Send";
    C.Form = CallForm::Inline;
  }
  EXPECT_TRUE(StringRef(U.table(132)).contains("TEMPLATE  WHAT IS KNOWN"));
}

TEST(Explain, LongPathsHaveTheirLine) {
  SampleUnit U;
  for (CallSite &Site : U.Sites) {
    Site.File = "/a/path/of/some/length/to/the/source/of/it/halo.c";
    Site.EnclosingFunction = std::string(200, 'x') + "::exchange";
  }
  EXPECT_TRUE(StringRef(U.table(80))
                  .contains("/a/path/of/some/length/to/the/source/of/it/halo.c:9:5\n"
                            "    call           MPI_Send\n"
                            "    template       Send\n"));
  for (StringRef Line : lines(U.table(160)))
    EXPECT_LE(displayWidth(Line), 160u) << Line.str();
}

TEST(Explain, IsSortedByPlace) {
  std::string Table = SampleUnit().table(80);
  size_t At = 0;
  for (StringRef Place :
       {"halo.c:9:5", "halo.c:41:5", "halo.c:60:5", "halo.c:70:5", "halo.c:120:5"}) {
    size_t Found = StringRef(Table).find(Place);
    EXPECT_NE(Found, StringRef::npos);
    EXPECT_GE(Found, At);
    At = Found;
  }
}

TEST(Explain, SaysWhatIsKnownFromWhereAndWhatBlocked) {
  std::string Table = SampleUnit().table(132);
  for (StringRef Text :
       {"count          1               literal",
        "peer           >= 0            conditions on 'left'",
        "node           remote          peer is never rank(comm)",
        "size           short           8 bytes",
        "warning        count is -1 in every execution of this call",
        "unknown        count, size, peer, node, tag, comm", "[size-unknown]", "[peer-unknown]",
        "there is no template for MPI_Gather [no-template]", "op             MPI_SUM"})
    EXPECT_TRUE(StringRef(Table).contains(Text)) << Text.str() << "\n" << Table;
}

TEST(Explain, EndsWithTotals) {
  std::string Table = SampleUnit().table(80);
  for (StringRef Text : {"5 calls: 4 inline, 0 ordinary, 1 left as it is\n",
                         "Blocked by: size-unknown (2), no-template, peer-unknown; "
                         "docs/Remarks.md\nexplains each\n",
                         "ARGUMENT                 3 send/recv calls          1 Allreduce call\n",
                         "datatype                 3  100%       67%         1  100%         -\n",
                         "count                    1   33%       33%         1  100%         -\n",
                         "datatype and count       1   33%       22%         1  100%       66%\n",
                         "remote or local          1   33%         -               -         -\n"})
    EXPECT_TRUE(StringRef(Table).contains(Text)) << Text.str() << "\n" << Table;
}

TEST(Explain, HasNoColourOnAFile) {
  EXPECT_FALSE(StringRef(SampleUnit().table(80)).contains('\033'));
}

TEST(Explain, AUnitWithoutCallsIsSaidToBeOne) {
  std::string Text;
  raw_string_ostream OS(Text);
  printTable({}, {}, {}, 80, OS);
  EXPECT_EQ(Text, "no call that sends, receives, completes or synchronises\n");
}

TEST(Explain, JSONHasTheSchemaOfTheDesign) {
  json::Value Root = cantFail(json::parse(SampleUnit().json()));
  const json::Array &Sites = *Root.getAsArray();
  ASSERT_EQ(Sites.size(), 5u);
  const json::Object &Send = *Sites[0].getAsObject();
  EXPECT_EQ(Send.getString("file"), "halo.c");
  EXPECT_EQ(Send.getInteger("line"), 9);
  EXPECT_EQ(Send.getInteger("column"), 5);
  EXPECT_EQ(Send.getString("function"), "MPI_Send");
  EXPECT_EQ(Send.getString("template"), "Send");
  EXPECT_EQ(Send.getInteger("copies"), 1);
  const json::Object &Facts = *Send.getObject("facts");
  EXPECT_EQ(Facts.getInteger("count"), 1);
  EXPECT_EQ(Facts.getString("datatype"), "MPI_DOUBLE");
  EXPECT_EQ(Facts.getString("size"), "short");
  EXPECT_EQ(Facts.getString("node"), "remote");
  ASSERT_NE(Facts.getArray("peer"), nullptr);
  EXPECT_EQ((*Facts.getArray("peer"))[1].getAsInteger(), INT32_MAX - 1);
  EXPECT_EQ(Facts.getObject("origin")->getString("tag"), "macro TAG");
  const json::Object &Recv = *Sites[1].getAsObject();
  EXPECT_EQ(Recv.getObject("facts")->get("count"), nullptr); // unknown keys are absent
  const json::Object &Missed = *(*Recv.getArray("missed"))[0].getAsObject();
  EXPECT_EQ(Recv.getString("form"), "inline");
  EXPECT_EQ(Missed.getString("id"), "size-unknown");
  EXPECT_EQ(Missed.getString("variable"), "count");
  EXPECT_EQ(Missed.getString("scope"), "exchange");
  EXPECT_TRUE(Missed.getString("edit").has_value());
  EXPECT_EQ(Missed.getString("argument"), "count");
  EXPECT_TRUE(Missed.getString("text").has_value());
}

TEST(Explain, JSONNamesBothSides) {
  json::Value Root = cantFail(json::parse(SampleUnit().json()));
  const json::Object &Facts = *Root.getAsArray()->back().getAsObject()->getObject("facts");
  EXPECT_EQ(Facts.getString("node"), "remote");
  EXPECT_EQ(Facts.getString("recv_datatype"), "MPI_DOUBLE");
  EXPECT_EQ(Facts.get("recv_node"), nullptr);
  EXPECT_EQ(Facts.get("source"), nullptr);
}

TEST(Explain, AllOfIntIsNoKnowledge) {
  SampleUnit U;
  U.Facts[1].Transfers[0].Peer = range(-INT32_MAX, INT32_MAX);
  EXPECT_TRUE(StringRef(U.table(80)).contains("    unknown        peer\n")) << U.table(80);
  EXPECT_FALSE(StringRef(U.json()).contains("-2147483647"));
}

TEST(Explain, JSONIsValidForAnyBytes) {
  SampleUnit U;
  U.Sites[1].File = "h\xe4lo.c"; // Latin-1
  U.Sites[1].EnclosingFunction = "a\"b\\c\n";
  auto Root = json::parse(U.json());
  EXPECT_TRUE(static_cast<bool>(Root)) << toString(Root.takeError());
}

TEST(SiteRemarks, TellWhatTheTableTells) {
  SampleUnit U;
  std::vector<Remark> Remarks = toRemarks(U.Sites, U.Facts, U.Choices);
  EXPECT_EQ(Remarks.front().ID, RemarkID::TranslationUnit);
  std::vector<SiteRecord> Records = siteRecords(Remarks);
  ASSERT_EQ(Records.size(), U.Sites.size());
  for (size_t I = 0; I < Records.size(); ++I) {
    EXPECT_EQ(Records[I].Callee, U.Sites[I].Callee);
    EXPECT_EQ(Records[I].Line, U.Sites[I].Line);
    EXPECT_EQ(Records[I].Template, U.Choices[I].Template);
    EXPECT_EQ(Records[I].Missed.size(), U.Choices[I].Missed.size());
    EXPECT_EQ(Records[I].Warnings.size(), U.Facts[I].Warnings.size());
  }
  EXPECT_EQ(Records[1].Facts["count"].Value, "1");
  EXPECT_TRUE(Records[1].knows("count"));
  EXPECT_FALSE(Records[1].knows("peer")); // a range
  EXPECT_EQ(Records[1].grade(), Grade::Full);
  EXPECT_EQ(Records[2].grade(), Grade::Partly);
  EXPECT_EQ(Records[4].grade(), Grade::Left);
}

TEST(SiteRemarks, ReadAsSentences) {
  SampleUnit U;
  for (const Remark &R : toRemarks(U.Sites, U.Facts, U.Choices)) {
    EXPECT_EQ(R.K, infoOf(R.ID).K) << text(R.ID).str();
    EXPECT_FALSE(R.Function.empty());
    if (R.K == Remark::Passed && R.Line == 9) {
      EXPECT_EQ(
          R.message(),
          "MPI_Send (site 1) is Send, inline; datatype MPI_DOUBLE (macro); count 1 "
          "(literal); size short (8 bytes); peer [0, 2147483646] (conditions on 'left'); node "
          "remote (peer is never rank(comm)); tag 7 (macro TAG); comm MPI_COMM_WORLD (macro)");
    }
  }
}

TEST(Rates, OnlyCallsThatAreThereHaveAColumn) {
  SiteRecord Record;
  Record.Callee = "MPI_Allreduce";
  Rates R;
  R.add(Record);
  std::string Text;
  raw_string_ostream OS(Text);
  Style S(OS);
  printRates(R, S, OS);
  EXPECT_TRUE(StringRef(Text).contains("1 Allreduce call\n"));
  EXPECT_FALSE(StringRef(Text).contains("send/recv"));
  EXPECT_FALSE(StringRef(Text).contains("peer")); // an Allreduce has none
}

TEST(Rates, BothSidesMustBeKnown) {
  SiteRecord Record;
  Record.Callee = "MPI_Sendrecv";
  for (StringRef Key : {"datatype", "count", "tag", "peer", "comm", "size", "node"})
    Record.Facts[Key.str()].Value = "1";
  KnownCounts Half;
  Half.add(Record, false);
  EXPECT_EQ(Half.Datatype + Half.Count + Half.Tag + Half.Peer + Half.Size + Half.Node, 0u);
  EXPECT_EQ(Half.Comm, 1u);
  for (StringRef Key : {"recv_datatype", "recv_count", "recv_tag", "source", "recv_size"})
    Record.Facts[Key.str()].Value = "1";
  KnownCounts Most;
  Most.add(Record, false);
  EXPECT_EQ(Most.Datatype + Most.Count + Most.Tag + Most.Peer + Most.Size, 5u);
  EXPECT_EQ(Most.Node, 0u);
}

TEST(Rates, ASharedMessageIsKnownOnce) {
  SiteRecord Record;
  Record.Callee = "MPI_Sendrecv_replace";
  for (StringRef Key : {"datatype", "count", "size"})
    Record.Facts[Key.str()].Value = "1";
  KnownCounts Known;
  Known.add(Record, false);
  EXPECT_EQ(Known.DatatypeAndCount + Known.Size, 2u);
}

TEST(TextLayout, WrapsAtSpacesAndKeepsWordsWhole) {
  EXPECT_EQ(wrap("one two three", 7), (std::vector<std::string>{"one two", "three"}));
  EXPECT_EQ(wrap("a /very/long/path b", 4),
            (std::vector<std::string>{"a", "/very/long/path", "b"}));
  EXPECT_TRUE(wrap("", 10).empty());
  EXPECT_EQ(displayWidth("h\xc3\xa4lo"), 4u);
  EXPECT_EQ(listed({{"b", 1}, {"a", 1}, {"c", 2}}), "c (2), a, b");
}
