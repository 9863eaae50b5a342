//===- RankProfile.cpp - The file of one rank -------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Profile/RankProfile.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include <cstring>

using namespace llvm;

namespace mpispec {

static Error broken(StringRef File, const Twine &What) {
  return createStringError("'" + File + "' " + What);
}

namespace {
/// Reads the parts of a file, one after the other.
struct Parts {
  StringRef Rest;
  /// The first \p Used of the \p Number entries of a table. A file has room for thousands of
  /// entries, and a job has many files.
  template <typename T> std::vector<T> take(size_t Used, size_t Number) {
    std::vector<T> Result(Used);
    if (Used)
      std::memcpy(Result.data(), Rest.data(), Used * sizeof(T));
    Rest = Rest.drop_front(Number * sizeof(T));
    return Result;
  }
};
} // namespace

static uint64_t bytesOf(const mpispec_profile_header &H) {
  return sizeof H + MPISPEC_PROFILE_OBJECTS * sizeof(mpispec_profile_object) +
         MPISPEC_PROFILE_DATATYPES * sizeof(mpispec_profile_datatype) +
         MPISPEC_PROFILE_BINS * sizeof(mpispec_profile_bin) +
         MPISPEC_PROFILE_SITES * sizeof(mpispec_profile_site) +
         uint64_t(H.world_size) * sizeof(mpispec_profile_peer);
}

static Error check(StringRef File, const mpispec_profile_header &H, uint64_t Bytes) {
  if (std::memcmp(H.magic, MPISPEC_PROFILE_MAGIC, sizeof H.magic))
    return broken(File, "is no profile, or its rank ended before it was begun");
  if (H.order != MPISPEC_PROFILE_ORDER)
    return broken(File, "is of a machine with another byte order; read it there");
  if (H.version != MPISPEC_PROFILE_VERSION)
    return broken(File, formatv("has format {0}, and this mpispec reads {1}; take the mpispec that "
                                "the program was linked with",
                                H.version, int(MPISPEC_PROFILE_VERSION))
                            .str());
  if (H.header_bytes != sizeof H || H.site_bytes != sizeof(mpispec_profile_site) ||
      H.object_bytes != sizeof(mpispec_profile_object) ||
      H.datatype_bytes != sizeof(mpispec_profile_datatype) ||
      H.datatypes > MPISPEC_PROFILE_DATATYPES || H.peer_bytes != sizeof(mpispec_profile_peer) ||
      H.objects > MPISPEC_PROFILE_OBJECTS || H.sites > MPISPEC_PROFILE_SITES ||
      H.rank >= H.world_size || !H.ticks_in_1024ns || !H.bin_ticks || H.ticks_last < H.ticks_began)
    return broken(File, "is damaged: its header contradicts itself");
  if (Bytes < bytesOf(H))
    return broken(File, formatv("is cut off: {0} bytes of {1}", Bytes, bytesOf(H)).str());
  return Error::success();
}

/// Ends each text of fixed size with a zero, because the file may have no zero there.
static void endTexts(RankProfile &R) {
  auto End = [](auto &Text) { Text[sizeof Text - 1] = 0; };
  End(R.Header.node), End(R.Header.library), End(R.Header.program);
  for (mpispec_profile_object &O : R.Objects)
    End(O.path);
  for (mpispec_profile_datatype &D : R.Datatypes)
    End(D.name);
  for (mpispec_profile_site &S : R.Sites)
    End(S.symbol), End(S.function);
}

Expected<RankProfile> readRankProfile(StringRef File) {
  auto Buffer = MemoryBuffer::getFile(File, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!Buffer)
    return broken(File, "cannot be read: " + Buffer.getError().message());
  RankProfile Result;
  Result.File = File.str();
  StringRef Bytes = (*Buffer)->getBuffer();
  if (Bytes.size() < sizeof Result.Header)
    return broken(File, formatv("is cut off: {0} bytes", Bytes.size()).str());
  std::memcpy(&Result.Header, Bytes.data(), sizeof Result.Header);
  if (Error E = check(File, Result.Header, Bytes.size()))
    return E;
  Parts P{Bytes.drop_front(sizeof Result.Header)};
  const mpispec_profile_header &H = Result.Header;
  Result.Objects = P.take<mpispec_profile_object>(H.objects, MPISPEC_PROFILE_OBJECTS);
  Result.Datatypes = P.take<mpispec_profile_datatype>(H.datatypes, MPISPEC_PROFILE_DATATYPES);
  Result.Bins = P.take<mpispec_profile_bin>(MPISPEC_PROFILE_BINS, MPISPEC_PROFILE_BINS);
  // The last entry of the table counts calls without a site of their own, and is not in `sites`.
  const size_t Sites = MPISPEC_PROFILE_SITES - 1;
  Result.Sites = P.take<mpispec_profile_site>(std::min<size_t>(H.sites, Sites), Sites);
  const std::vector<mpispec_profile_site> Other = P.take<mpispec_profile_site>(1, 1);
  if (Other[0].calls)
    Result.Sites.push_back(Other[0]);
  Result.Peers = P.take<mpispec_profile_peer>(H.world_size, H.world_size);
  endTexts(Result);
  return Result;
}

} // namespace mpispec
