//===- ProfileTable.cpp - A profile as a plain table by function ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/ProfileTable.h"
#include "MappedFile.h"
#include "profile/profile_file.h"
#include <algorithm>
#include <glob.h>
#include <map>
#include <vector>

namespace mpispec {

namespace {
struct FunctionTotal {
  std::string Name;
  uint64_t Calls = 0, Bytes = 0;
  double Seconds = 0, Waiting = 0;
};
using Totals = std::map<std::string, FunctionTotal>;
} // namespace

static constexpr double TicksScale = 1024e-9; ///< ticks_in_1024ns: what that time is, in seconds

static bool isReadable(std::string_view Bytes, const mpispec_profile_header &Header) {
  return !std::memcmp(Header.magic, MPISPEC_PROFILE_MAGIC, sizeof Header.magic) &&
         Header.order == MPISPEC_PROFILE_ORDER && Header.version == MPISPEC_PROFILE_VERSION &&
         Header.site_bytes == sizeof(mpispec_profile_site) && Header.ticks_in_1024ns &&
         Bytes.size() >= sizeof Header + MPISPEC_PROFILE_OBJECTS * sizeof(mpispec_profile_object) +
                             MPISPEC_PROFILE_DATATYPES * sizeof(mpispec_profile_datatype) +
                             MPISPEC_PROFILE_BINS * sizeof(mpispec_profile_bin) +
                             MPISPEC_PROFILE_SITES * sizeof(mpispec_profile_site);
}

/// Adds the file of one rank. False: it is no complete profile. \p WorldSize of the first file is
/// that of the run: files of greater ranks are left from an earlier one.
static bool addRank(const std::string &Path, uint32_t &WorldSize, Totals &Sum) {
  const MappedFile File(Path);
  mpispec_profile_header Header;
  if (File.bytes().size() < sizeof Header)
    return false;
  std::memcpy(&Header, File.bytes().data(), sizeof Header);
  if (!isReadable(File.bytes(), Header))
    return false;
  if (!WorldSize)
    WorldSize = Header.world_size;
  if (Header.rank >= WorldSize)
    return false;
  const char *Next = File.bytes().data() + sizeof Header +
                     MPISPEC_PROFILE_OBJECTS * sizeof(mpispec_profile_object) +
                     MPISPEC_PROFILE_DATATYPES * sizeof(mpispec_profile_datatype) +
                     MPISPEC_PROFILE_BINS * sizeof(mpispec_profile_bin);
  for (unsigned Index = 0; Index < MPISPEC_PROFILE_SITES; ++Index) {
    mpispec_profile_site Site;
    std::memcpy(&Site, Next + Index * sizeof Site, sizeof Site);
    if (!Site.calls)
      continue;
    const std::string Name(Site.function, strnlen(Site.function, sizeof Site.function));
    FunctionTotal &Function = Sum[Name.empty() ? "(other sites)" : "MPI_" + Name];
    Function.Calls += Site.calls;
    Function.Bytes += Site.bytes;
    Function.Seconds += Site.ticks * TicksScale / Header.ticks_in_1024ns;
    Function.Waiting += Site.waiting * TicksScale / Header.ticks_in_1024ns;
  }
  return true;
}

bool printProfileTable(const std::string &Directory, std::FILE *Output) {
  glob_t Files;
  Totals Sum;
  size_t Ranks = 0;
  uint32_t WorldSize = 0;
  if (!glob((Directory + "/rank-*.mpispec").c_str(), 0, nullptr, &Files))
    for (size_t Index = 0; Index < Files.gl_pathc; ++Index)
      Ranks += addRank(Files.gl_pathv[Index], WorldSize, Sum);
  globfree(&Files);
  if (!Ranks)
    return false;
  std::vector<FunctionTotal> Rows;
  for (auto &[Name, Function] : Sum) {
    Function.Name = Name;
    Rows.push_back(Function);
  }
  std::sort(Rows.begin(), Rows.end(), [](const FunctionTotal &One, const FunctionTotal &Other) {
    return One.Seconds > Other.Seconds;
  });
  std::fprintf(Output, "%-24s %12s %16s %12s %12s\n", "FUNCTION", "CALLS", "BYTES", "SECONDS",
               "WAITING");
  for (const FunctionTotal &Row : Rows)
    std::fprintf(Output, "%-24s %12llu %16llu %12.6f %12.6f\n", Row.Name.c_str(),
                 static_cast<unsigned long long>(Row.Calls),
                 static_cast<unsigned long long>(Row.Bytes), Row.Seconds, Row.Waiting);
  std::fprintf(Output, "Sums over %zu ranks.\n", Ranks);
  return true;
}

} // namespace mpispec
