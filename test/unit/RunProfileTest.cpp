//===- RunProfileTest.cpp - Files of ranks, and advice about the cores of nodes ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Profile/RunProfile.h"
#include "Profile/RankProfile.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"
#include <cstring>

using namespace llvm;
using namespace mpispec;

namespace {

/// The file of the only rank of a run, with one site and \p CallsWithoutSite calls beside it.
std::vector<char> fileOfRank(uint64_t CallsWithoutSite) {
  mpispec_profile_header H = {};
  std::memcpy(H.magic, MPISPEC_PROFILE_MAGIC, sizeof H.magic);
  H.order = MPISPEC_PROFILE_ORDER;
  H.version = MPISPEC_PROFILE_VERSION;
  H.header_bytes = sizeof H;
  H.object_bytes = sizeof(mpispec_profile_object);
  H.datatype_bytes = sizeof(mpispec_profile_datatype);
  H.site_bytes = sizeof(mpispec_profile_site);
  H.peer_bytes = sizeof(mpispec_profile_peer);
  H.world_size = H.sites = 1;
  H.ticks_in_1024ns = H.bin_ticks = 1024;
  H.ticks_last = 1000;
  const size_t Sites = sizeof H + MPISPEC_PROFILE_OBJECTS * sizeof(mpispec_profile_object) +
                       MPISPEC_PROFILE_DATATYPES * sizeof(mpispec_profile_datatype) +
                       MPISPEC_PROFILE_BINS * sizeof(mpispec_profile_bin);
  std::vector<mpispec_profile_site> Table(MPISPEC_PROFILE_SITES);
  Table.front().address = 1;
  std::strcpy(Table.front().function, "Send");
  Table.front().calls = 3;
  std::strcpy(Table.back().function, "other");
  Table.back().calls = CallsWithoutSite;
  std::vector<char> Bytes(Sites + Table.size() * sizeof Table[0] + sizeof(mpispec_profile_peer));
  std::memcpy(Bytes.data(), &H, sizeof H);
  std::memcpy(Bytes.data() + Sites, Table.data(), Table.size() * sizeof Table[0]);
  return Bytes;
}

std::vector<mpispec_profile_site> sitesOf(uint64_t CallsWithoutSite) {
  SmallString<128> Path;
  int Descriptor;
  EXPECT_FALSE(sys::fs::createTemporaryFile("rank", "profile", Descriptor, Path));
  const std::vector<char> Bytes = fileOfRank(CallsWithoutSite);
  raw_fd_ostream(Descriptor, /*shouldClose=*/true).write(Bytes.data(), Bytes.size());
  Expected<RankProfile> Rank = readRankProfile(Path);
  sys::fs::remove(Path);
  EXPECT_TRUE(bool(Rank)) << toString(Rank.takeError());
  return Rank ? Rank->Sites : std::vector<mpispec_profile_site>();
}

TEST(RankProfile, CallsWithoutASiteAreKeptIfTheTableIsNotFull) {
  std::vector<mpispec_profile_site> Sites = sitesOf(5);
  ASSERT_EQ(Sites.size(), 2u);
  EXPECT_EQ(Sites[0].calls, 3u);
  EXPECT_STREQ(Sites[1].function, "other");
  EXPECT_EQ(Sites[1].calls, 5u);
  EXPECT_EQ(sitesOf(0).size(), 1u);
}

RankOfRun rankOn(const char *Node, std::vector<unsigned> Cores) {
  RankOfRun R;
  R.Known = true;
  R.Node = Node;
  R.Cores = std::move(Cores);
  R.CoresOnline = 4;
  R.HasLanes = true;
  R.Time = 10;
  return R;
}

TEST(ProfileAdvice, SharedCoresConcernTheRanksThatShareThem) {
  RunProfile Run;
  Run.Ranks = {rankOn("a", {0}), rankOn("a", {0}), rankOn("a", {1}), rankOn("b", {0}),
               rankOn("b", {1})};
  Run.Time = 50;
  std::vector<Advice> Found = adviceFor(Run);
  ASSERT_EQ(Found.size(), 1u);
  EXPECT_EQ(Found[0].ID, "shared-cores");
  EXPECT_EQ(Found[0].Place, "a");
  EXPECT_DOUBLE_EQ(Found[0].Seconds, 10); // three ranks of 10 s have two cores
}

TEST(ProfileAdvice, CoresThatTheFileCannotNameAreNotCounted) {
  RunProfile Run;
  Run.Ranks = {rankOn("a", {}), rankOn("a", {})};
  Run.Time = 20;
  EXPECT_TRUE(adviceFor(Run).empty());
}

RunSite siteOf(const char *Function) {
  RunSite S;
  S.Function = Function;
  S.Calls = S.Same = 1000;
  S.Time = 10;
  return S;
}

RunProfile runWith(RunSite Site) {
  RunProfile Run;
  Run.Ranks = {rankOn("a", {0})};
  Run.Sites = {std::move(Site)};
  Run.Time = Run.InMPI = 10;
  return Run;
}

TEST(ProfileAdvice, APersistentRequestKeepsTheModeOfTheSend) {
  auto TextFor = [](const char *Function) {
    std::vector<Advice> Found = adviceFor(runWith(siteOf(Function)));
    return Found.size() == 1 && Found[0].ID == "persistent" ? Found[0].Text : "";
  };
  EXPECT_NE(TextFor("MPI_Issend").find("(MPI_Ssend_init)"), std::string::npos);
  EXPECT_NE(TextFor("MPI_Isend").find("(MPI_Send_init)"), std::string::npos);
  EXPECT_NE(TextFor("MPI_Irecv").find("(MPI_Recv_init)"), std::string::npos);
}

TEST(ProfileAdvice, AWaitForRequestsOfAnyKindNamesNoSide) {
  RunSite Site = siteOf("MPI_Waitall");
  Site.Same = 0;
  Site.Waiting = 5;
  auto TextOf = [&] {
    std::vector<Advice> Found = adviceFor(runWith(Site));
    return Found.size() == 1 ? Found[0].Text : "";
  };
  EXPECT_EQ(TextOf(), "MPI_Waitall waits 50 % of the run for other ranks");
  Site.LateSender = 5;
  EXPECT_EQ(TextOf(), "MPI_Waitall waits 50 % of the run for late senders");
}

} // namespace
