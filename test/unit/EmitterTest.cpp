/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "Rewrite/Emitter.h"
#include "Rewrite/SharedTemplates.h"
#include "SiteBuilder.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace mpispec;

namespace {

bool contains(const std::string &Text, StringRef Part) { return StringRef(Text).contains(Part); }

CallSite sendSite() {
  CallSite S = site("MPI_Send", 3);
  S.ReturnType = "int";
  S.ParameterTypes = {"const void *", "int", "MPI_Datatype", "int", "int", "MPI_Comm"};
  return S;
}

// Each value that a template gets instead of an argument is compared with the argument.
TEST(Emitter, GuardsWhatItUses) {
  CallSite S = sendSite();
  SiteFacts F = facts(S, {side(SizeClass::Short, NodeClass::Remote)});
  F.Transfers[0].Tag = constant(7);
  F.Transfers[0].NodeOrigin = "conditions";
  EXPECT_EQ(siteDefinition(S, F, {3, "Send", {}, CallForm::Inline}),
            "static __inline__ __attribute__((__always_inline__, __artificial__, "
            "__no_instrument_function__)) int\n"
            "mpispec_site_3(const void *buffer, int count, MPI_Datatype datatype, int peer, "
            "int tag, MPI_Comm comm)\n"
            "{\n"
            "  /* MPI_Send, halo.c:12:5\n"
            "     count 1: literal; datatype MPI_DOUBLE: macro; tag 7: literal; size short; "
            "node remote: conditions */\n"
            "  const long long mpispec_count = 1;\n"
            "  return __builtin_expect(count == mpispec_count && "
            "(unsigned long)datatype == &MPI_DOUBLE, 1) &&\n"
            "                 mpispec_Send(buffer, mpispec_count, 8, peer, tag, "
            "(unsigned long)comm)\n"
            "             ? 0\n"
            "             : MPI_Send(buffer, count, datatype, peer, tag, comm);\n"
            "}\n");
}

// Nothing may become a constant that is not proven, and without a constant there is no guard.
TEST(Emitter, WritesWhatIsUnknownAsGiven) {
  CallSite S = sendSite();
  SiteFacts F = facts(S, {TransferFacts()});
  F.Transfers[0].Count = range(0, 99);
  F.Transfers[0].Peer = handle("MPI_PROC_NULL");
  F.Transfers[0].DatatypeSize = 12; // a pair with a gap: not contiguous
  std::string Text = siteDefinition(S, F, {3, "Send", {}, CallForm::Inline});
  EXPECT_FALSE(contains(Text, "const long long"));
  EXPECT_FALSE(contains(Text, "=="));
  EXPECT_TRUE(contains(Text, "mpispec_Send(buffer, (long long)count, -1, peer, tag, "
                             "(unsigned long)comm)"));
}

CallSite receiveSite() {
  CallSite S = site("MPI_Recv", 3);
  S.ReturnType = "int";
  S.ParameterTypes = {"void *", "int", "MPI_Datatype", "int", "int", "MPI_Comm", "MPI_Status *"};
  return S;
}

SiteFacts wildFacts(const CallSite &S) {
  SiteFacts F = facts(S, {side(SizeClass::Short, NodeClass::Dynamic)});
  F.Transfers[0].PeerIsWildcard = true;
  F.Transfers[0].Tag = handle("MPI_ANY_TAG");
  return F;
}

// A wildcard is told by its word, also where the user's compiler does not see that it is one.
TEST(Emitter, ComparesWildcards) {
  CallSite S = receiveSite();
  std::string Text = siteDefinition(S, wildFacts(S), {3, "Recv", {}, CallForm::Inline});
  EXPECT_TRUE(contains(Text, "peer == mpispec_any_source && tag == mpispec_any_tag"));
  EXPECT_TRUE(contains(Text, "8, mpispec_any_source, mpispec_any_tag, (unsigned long)comm"));
  EXPECT_TRUE(contains(Text, ": MPI_Recv(buffer, count, datatype, peer, tag, comm, status)"));
}

// For people handles have their names; a handle whose bits cannot be written is not used.
TEST(Emitter, NamesHandlesForPeople) {
  CallSite S = sendSite();
  SiteFacts F = facts(S, {side(SizeClass::Short, NodeClass::Dynamic)});
  F.Comm = handle("MPI_COMM_WORLD");
  DefinitionStyle Style;
  Style.NamesHandles = true;
  std::string Text = siteDefinition(S, F, {3, "Send", {}, CallForm::Inline}, Style);
  EXPECT_TRUE(contains(Text, "(unsigned long)datatype == (unsigned long)MPI_DOUBLE && "
                             "(unsigned long)comm == (unsigned long)MPI_COMM_WORLD"));
  EXPECT_TRUE(contains(Text, "mpispec_comm_world)"));
  F.Comm.Bits = F.Transfers[0].Datatype.Bits = "";
  Text = siteDefinition(S, F, {3, "Send", {}, CallForm::Inline}, Style);
  EXPECT_TRUE(contains(Text, "__builtin_expect(count == mpispec_count, 1)"));
  EXPECT_TRUE(contains(Text, "(buffer, mpispec_count, -1, peer, tag, (unsigned long)comm)"));
}

// A reduction is told its operation and what that works on, by words; never by a handle's bits.
TEST(Emitter, NamesWhatAReductionDoes) {
  CallSite S = site("MPI_Allreduce", 3);
  S.ReturnType = "int";
  S.ParameterTypes = {"const void *", "void *", "int", "MPI_Datatype", "MPI_Op", "MPI_Comm"};
  SiteFacts F = facts(S, {side(SizeClass::Short, NodeClass::Dynamic)});
  auto Emitted = [&](StringRef Op, StringRef Datatype) {
    F.Op = Op.empty() ? Answer() : handle(Op.str());
    F.Transfers[0].Datatype = Datatype.empty() ? Answer() : handle(Datatype.str());
    std::string Whole = siteDefinition(S, F, {3, "Allreduce", {}, CallForm::Inline});
    StringRef Text = Whole;
    return Text
        .split(Datatype.empty() ? "receive_buffer, mpispec_count, -1, "
                                : "receive_buffer, mpispec_count, 8, ")
        .second.split(", (unsigned")
        .first.str();
  };
  EXPECT_EQ(Emitted("MPI_SUM", "MPI_DOUBLE"), "mpispec_SUM, mpispec_floating_point");
  EXPECT_EQ(Emitted("MPI_LXOR", "MPI_UINT16_T"), "mpispec_LXOR, mpispec_unsigned_integer");
  EXPECT_EQ(Emitted("MPI_MIN", "MPI_LONG_LONG_INT"), "mpispec_MIN, mpispec_signed_integer");
  const char *None = "mpispec_no_operation, mpispec_no_number";
  EXPECT_EQ(Emitted("MPI_LAND", "MPI_DOUBLE"), None);
  EXPECT_EQ(Emitted("MPI_MAXLOC", "MPI_INT"), None);
  EXPECT_EQ(Emitted("MPI_SUM", "MPI_CHAR"), None);
  EXPECT_EQ(Emitted("MPI_SUM", "MPI_C_DOUBLE_COMPLEX"), None);
  EXPECT_EQ(Emitted("", "MPI_DOUBLE"), None);
  EXPECT_EQ(Emitted("MPI_SUM", ""), None);
}

// A collective call's template gets the call's place, for the message that ranks are in different
// operations.
TEST(Emitter, SaysWhereACollectiveStands) {
  CallSite S = site("MPI_Barrier", 3);
  S.ReturnType = "int";
  S.ParameterTypes = {"MPI_Comm"};
  auto Says = [&](StringRef Place) {
    return contains(siteDefinition(S, facts(S, {}), {3, "Barrier", {}, CallForm::Inline}), Place);
  };
  EXPECT_TRUE(Says("mpispec_Barrier((unsigned long)comm, \"halo.c:12\")"));
  S.File = "a\"b\\c.c";
  EXPECT_TRUE(Says("(unsigned long)comm, \"a?b?c.c:12\")"));
}

TEST(Emitter, KeepsSidesApart) {
  CallSite S = site("MPI_Sendrecv", 0);
  S.ReturnType = "int";
  S.ParameterTypes = {"const void *", "int",    "MPI_Datatype", "int",
                      "int",          "void *", "int",          "MPI_Datatype",
                      "int",          "int",    "MPI_Comm",     "MPI_Status *"};
  TransferFacts Send = side(SizeClass::Short, NodeClass::Dynamic), Receive = Send;
  Receive.Count = constant(5);
  Receive.DatatypeSize = 4;
  std::string Text =
      siteDefinition(S, facts(S, {Send, Receive}), {0, "Sendrecv", {}, CallForm::Inline});
  EXPECT_TRUE(contains(Text, "const long long mpispec_send_count = 1;"));
  EXPECT_TRUE(contains(Text, "const long long mpispec_receive_count = 5;"));
  EXPECT_TRUE(contains(Text, "(send_buffer, mpispec_send_count, 8, destination, send_tag, "
                             "receive_buffer, mpispec_receive_count, 4, source, receive_tag, "
                             "(unsigned long)comm, (void *)status, mpispec_locality_dynamic)"));
}

TEST(Emitter, DeclaresParametersAsTheHeaderDoes) {
  CallSite S = site("MPI_Waitall", 1);
  S.ReturnType = "int";
  S.ParameterTypes = {"int", "MPI_Request[]", "MPI_Status *"};
  std::string Text = siteDefinition(S, facts(S, {}), {1, "Waitall", {}, CallForm::Inline});
  EXPECT_TRUE(contains(Text, "mpispec_site_1(int request_count, MPI_Request requests[], "
                             "MPI_Status *statuses)"));
  EXPECT_TRUE(contains(Text, "mpispec_Waitall((long long)request_count, "
                             "(void *)requests, (void *)statuses, mpispec_status_dynamic)"));
}

TEST(Emitter, CallsTheLargeCountForm) {
  CallSite S = site("MPI_Send_c", 0);
  S.ReturnType = "int";
  S.ParameterTypes = {"const void *", "MPI_Count", "MPI_Datatype", "int", "int", "MPI_Comm"};
  std::string Text =
      siteDefinition(S, facts(S, {TransferFacts()}), {0, "Send", {}, CallForm::Inline});
  EXPECT_TRUE(contains(Text, ": MPI_Send_c(buffer, count,"));
  EXPECT_TRUE(contains(Text, "MPI_Count count"));
}

TEST(Emitter, AvoidsReservedNames) {
  CallSite S = sendSite();
  std::string Text =
      siteDefinition(S, facts(S, {TransferFacts()}), {3, "Send", {}, CallForm::Inline},
                     {{StringSet<>{"tag", "tag_", "peer"}}});
  EXPECT_TRUE(contains(Text, "int peer_, int tag__, MPI_Comm comm)"));
  EXPECT_TRUE(contains(Text, "MPI_Send(buffer, count, datatype, peer_, tag__, comm)"));
}

// The content of a comment comes from the user: names of files, macros and variables.
TEST(Emitter, CommentsCannotEnd) {
  EXPECT_EQ(commentSafe("a*/b"), "a* /b");
  EXPECT_EQ(commentSafe("/*/"), "/ * /");
  EXPECT_EQ(commentSafe("**//"), "** //");
  EXPECT_EQ(commentSafe("a\nb\rc\\"), "a?b?c?");
  EXPECT_EQ(commentSafe("\xc3\xa9"), "??");
  EXPECT_EQ(commentSafe(std::string(1000, 'x')).size(), 200u);
  CallSite S = sendSite();
  S.File = "x*/ #include \"y\n\".c";
  SiteFacts F = facts(S, {side(SizeClass::Short, NodeClass::Remote)});
  F.Transfers[0].Count.Origin = "macro *\\\n/";
  std::string Text = siteDefinition(S, F, {3, "Send", {}, CallForm::Inline});
  EXPECT_EQ(StringRef(Text).count("*/"), 1u);
  EXPECT_EQ(StringRef(Text).count("/*"), 1u);
}

//--- Shared templates ----------------------------------------------------------------------------

/// A unit of sends with one fact changed where a test wants it.
struct ManySends {
  std::vector<CallSite> Sites;
  std::vector<SiteFacts> Facts;
  std::vector<Choice> Choices;

  explicit ManySends(unsigned Count) {
    for (unsigned I = 0; I < Count; ++I) {
      Sites.push_back(sendSite());
      Facts.push_back(facts(Sites.back(), {side(SizeClass::Short, NodeClass::Remote)}));
      Facts.back().Runs = Repetition::PerCall;
      Choices.push_back({I, "Send", {}, CallForm::Inline});
    }
  }
  SharedTemplates shared() const { return SharedTemplates({Sites, Facts, Choices}, {}); }
};

TEST(SharedTemplates, StandBehindTheComparisonsOfEachCall) {
  ManySends Unit(InlinedCalls + 2);
  SharedTemplates Shared = Unit.shared();
  EXPECT_EQ(Shared.functionOf(0), "");
  EXPECT_EQ(Shared.functionOf(InlinedCalls - 1), "");
  EXPECT_EQ(Shared.functionOf(InlinedCalls), "mpispec_shared_0");
  EXPECT_EQ(Shared.definitions(),
            "static __attribute__((__noinline__, __unused__, __no_instrument_function__)) int\n"
            "mpispec_shared_0(const void *mpispec_buffer, int mpispec_peer, int mpispec_tag, "
            "unsigned long mpispec_comm)\n"
            "{\n"
            "  return mpispec_Send(mpispec_buffer, 1, 8, mpispec_peer, mpispec_tag, "
            "mpispec_comm);\n"
            "}\n");
  DefinitionStyle Style;
  Style.Shared = Shared.functionOf(InlinedCalls);
  std::string Text = siteDefinition(Unit.Sites[0], Unit.Facts[0], Unit.Choices[0], Style);
  EXPECT_TRUE(contains(Text, "count == mpispec_count && (unsigned long)datatype == "));
  EXPECT_TRUE(contains(Text, "mpispec_shared_0(buffer, peer, tag, (unsigned long)comm)"));
}

// Calls whose functions would be alike share one; a call that is like no other stays inline.
TEST(SharedTemplates, AreOfCallsWithTheSameFacts) {
  ManySends Unit(InlinedCalls + 5);
  Unit.Facts[InlinedCalls].Transfers[0].Count = constant(2);
  Unit.Facts[InlinedCalls + 1].Transfers[0].DatatypeSize = 4;
  Unit.Facts[InlinedCalls + 2].Transfers[0].DatatypeSize = 4;
  SharedTemplates Shared = Unit.shared();
  EXPECT_EQ(Shared.functionOf(InlinedCalls), "");
  EXPECT_EQ(Shared.functionOf(InlinedCalls + 1), "mpispec_shared_0");
  EXPECT_EQ(Shared.functionOf(InlinedCalls + 2), "mpispec_shared_0");
  EXPECT_EQ(Shared.functionOf(InlinedCalls + 3), "mpispec_shared_1");
  EXPECT_EQ(Shared.functionOf(InlinedCalls + 4), "mpispec_shared_1");
}

// A function for a wildcard is another than one for a proven source: its template must see the
// wildcard.
TEST(SharedTemplates, KnowWildcards) {
  ManySends Unit(InlinedCalls + 4);
  for (unsigned I = InlinedCalls; I < InlinedCalls + 4; ++I) {
    Unit.Sites[I] = receiveSite();
    Unit.Facts[I] = wildFacts(Unit.Sites[I]);
    Unit.Facts[I].Runs = Repetition::PerCall;
    Unit.Facts[I].Transfers[0].PeerIsWildcard = I % 2;
    Unit.Choices[I] = {I, "Recv", {}, CallForm::Inline};
  }
  SharedTemplates Shared = Unit.shared();
  EXPECT_EQ(Shared.functionOf(InlinedCalls), Shared.functionOf(InlinedCalls + 2));
  EXPECT_EQ(Shared.functionOf(InlinedCalls + 1), Shared.functionOf(InlinedCalls + 3));
  EXPECT_NE(Shared.functionOf(InlinedCalls), Shared.functionOf(InlinedCalls + 1));
  EXPECT_TRUE(
      contains(Shared.definitions().str(), "8, mpispec_peer, mpispec_any_tag, mpispec_comm"));
  EXPECT_TRUE(
      contains(Shared.definitions().str(), "8, mpispec_any_source, mpispec_any_tag, mpispec_"));
}

// Frequent calls are inlined at any place; ordinary calls need no template.
TEST(SharedTemplates, AreOfCallsInNoLoopFirst) {
  ManySends Unit(InlinedCalls + 4);
  Unit.Facts.back().Runs = Repetition::Repeated;
  Unit.Choices[0].Form = CallForm::Ordinary;
  SharedTemplates Shared = Unit.shared();
  EXPECT_EQ(Shared.functionOf(InlinedCalls + 3), "");
  EXPECT_EQ(Shared.functionOf(InlinedCalls - 1), "");
  EXPECT_EQ(Shared.functionOf(InlinedCalls), "mpispec_shared_0");
  Unit.Choices[InlinedCalls + 1].Form = CallForm::Ordinary;
  EXPECT_EQ(Unit.shared().functionOf(InlinedCalls + 1), "");
}

} // namespace
