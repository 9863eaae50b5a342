//===- ProfileTable.cpp - A profile as a plain table, or as one line --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/ProfileTable.h"
#include "MappedFile.h"
#include "profile/profile_file.h"
#include <algorithm>
#include <filesystem>
#include <functional>
#include <optional>
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

static constexpr double TicksScale = 1024e-9; ///< 1024 ns in seconds, for ticks_in_1024ns

static bool isReadable(std::string_view Bytes, const mpispec_profile_header &Header) {
  return !std::memcmp(Header.magic, MPISPEC_PROFILE_MAGIC, sizeof Header.magic) &&
         Header.order == MPISPEC_PROFILE_ORDER && Header.version == MPISPEC_PROFILE_VERSION &&
         Header.site_bytes == sizeof(mpispec_profile_site) && Header.ticks_in_1024ns &&
         Bytes.size() >= sizeof Header + MPISPEC_PROFILE_OBJECTS * sizeof(mpispec_profile_object) +
                             MPISPEC_PROFILE_DATATYPES * sizeof(mpispec_profile_datatype) +
                             MPISPEC_PROFILE_BINS * sizeof(mpispec_profile_bin) +
                             MPISPEC_PROFILE_SITES * sizeof(mpispec_profile_site);
}

/// The header of a complete profile, or nothing.
static std::optional<mpispec_profile_header> headerOf(const MappedFile &File) {
  mpispec_profile_header Header;
  if (File.bytes().size() < sizeof Header)
    return std::nullopt;
  std::memcpy(&Header, File.bytes().data(), sizeof Header);
  if (!isReadable(File.bytes(), Header))
    return std::nullopt;
  return Header;
}

ProfileFiles profileFilesIn(const std::string &Directory) {
  ProfileFiles Result;
  std::error_code Code; // a directory that cannot be read has no profile
  for (std::filesystem::directory_iterator File(Directory, Code), End; !Code && File != End;
       File.increment(Code)) {
    const std::string Path = File->path(), Name = File->path().filename();
    // Files of processes that the program has started (MPI_Comm_spawn) count no ranks of its own.
    if (!Name.compare(0, 5, "rank-") && File->path().extension() == ".mpispec" &&
        Name.find("-of-process-") == std::string::npos)
      if (const auto Header = headerOf(MappedFile(Path)))
        Result[Path] = Header->began_at;
  }
  return Result;
}

/// The files in \p Directory that are not among \p Earlier.
static ProfileFiles newFilesIn(const std::string &Directory, const ProfileFiles &Earlier) {
  ProfileFiles Result = profileFilesIn(Directory);
  for (const auto &[Path, BeganAt] : Earlier)
    if (const auto Same = Result.find(Path); Same != Result.end() && Same->second == BeganAt)
      Result.erase(Same);
  return Result;
}

bool hasProfile(const std::string &Directory, const ProfileFiles &Earlier) {
  return !newFilesIn(Directory, Earlier).empty();
}

using SiteVisitor = std::function<void(const std::string &Function, const mpispec_profile_site &,
                                       const mpispec_profile_header &)>;

/// Visits the sites in the file of one rank. False: it is no complete profile, or an earlier run
/// with more ranks has left it. The first file determines \p WorldSize.
static bool visitRank(const std::string &Path, uint32_t &WorldSize, const SiteVisitor &Visit) {
  const MappedFile File(Path);
  const std::optional<mpispec_profile_header> Found = headerOf(File);
  if (!Found)
    return false;
  const mpispec_profile_header &Header = *Found;
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
    if (Site.calls)
      Visit(std::string(Site.function, strnlen(Site.function, sizeof Site.function)), Site, Header);
  }
  return true;
}

/// Visits the sites of all ranks, and returns the number of ranks.
static size_t visitRanks(const std::string &Directory, const ProfileFiles &Earlier,
                         const SiteVisitor &Visit) {
  size_t Ranks = 0;
  uint32_t WorldSize = 0;
  for (const auto &File : newFilesIn(Directory, Earlier))
    Ranks += visitRank(File.first, WorldSize, Visit);
  return Ranks;
}

//===- The line ------------------------------------------------------------------------------===//

/// Whether a call of the function sends one message.
static bool sends(std::string Function) {
  if (Function.size() > 2 && Function.substr(Function.size() - 2) == "_c")
    Function.resize(Function.size() - 2);
  for (const char *Name : {"Send", "Bsend", "Ssend", "Rsend", "Isend", "Ibsend", "Issend", "Irsend",
                           "Sendrecv", "Sendrecv_replace", "Isendrecv", "Isendrecv_replace"})
    if (Function == Name)
      return true;
  return false;
}

namespace {
/// A reason why a message goes to the MPI library.
struct LibraryReason {
  mpispec_profile_path Path;
  const char *Text;
};
} // namespace

static constexpr LibraryReason Reasons[] = {
    {MPISPEC_PATH_NO_LANES, "the runtime is off or steps aside (--verbose shows why)"},
    {MPISPEC_PATH_COMMUNICATOR, "the runtime does not serve the communicator"},
    {MPISPEC_PATH_OTHER_NODE, "the receiver is on another node"},
};

std::string summarizeMessages(const std::string &Directory, const ProfileFiles &Earlier) {
  uint64_t Shared = 0, Library[MPISPEC_PATHS] = {};
  bool IsPersistent = false;
  const size_t Ranks =
      visitRanks(Directory, Earlier,
                 [&](const std::string &Function, const mpispec_profile_site &Site,
                     const mpispec_profile_header &) {
                   IsPersistent |= Function == "Start" || Function == "Startall";
                   if (!sends(Function))
                     return;
                   Shared += Site.calls - std::min(Site.calls, Site.paths[MPISPEC_PATH_NO_PEER]);
                   for (const LibraryReason &Reason : Reasons) {
                     Library[Reason.Path] += Site.paths[Reason.Path];
                     Shared -= std::min(Shared, Site.paths[Reason.Path]);
                   }
                 });
  if (!Ranks)
    return "";
  uint64_t ByLibrary = 0;
  const LibraryReason *Main = Reasons;
  for (const LibraryReason &Reason : Reasons) {
    ByLibrary += Library[Reason.Path];
    if (Library[Reason.Path] > Library[Main->Path])
      Main = &Reason;
  }
  return "of " + std::to_string(Shared + ByLibrary) + " messages, " + std::to_string(Shared) +
         " took shared memory and " + std::to_string(ByLibrary) + " went to the MPI library" +
         (ByLibrary ? std::string("; the main reason: ") + Main->Text : "") +
         (IsPersistent ? "; messages of persistent requests are not counted" : "");
}

//===- The table -----------------------------------------------------------------------------===//

bool printProfileTable(const std::string &Directory, const ProfileFiles &Earlier,
                       std::FILE *Output) {
  Totals Sum;
  const size_t Ranks =
      visitRanks(Directory, Earlier,
                 [&](const std::string &Name, const mpispec_profile_site &Site,
                     const mpispec_profile_header &Header) {
                   FunctionTotal &Function = Sum[Name.empty() ? "(other sites)" : "MPI_" + Name];
                   Function.Calls += Site.calls;
                   Function.Bytes += Site.bytes;
                   Function.Seconds += Site.ticks * TicksScale / Header.ticks_in_1024ns;
                   Function.Waiting += Site.waiting * TicksScale / Header.ticks_in_1024ns;
                 });
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
