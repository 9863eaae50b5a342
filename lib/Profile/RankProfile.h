//===- RankProfile.h - The file of one rank ---------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// runtime/profile/profile_file.h defines the layout. readRankProfile() copies the file. In the copy
// the counts of the header are within their bounds, and each text ends with a zero. Other numbers,
// such as the index of a site's object, are not checked.
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_PROFILE_RANKPROFILE_H
#define MPISPEC_PROFILE_RANKPROFILE_H

#include "profile/profile_file.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace mpispec {

struct RankProfile {
  std::string File;
  mpispec_profile_header Header;
  std::vector<mpispec_profile_object> Objects;
  std::vector<mpispec_profile_datatype> Datatypes;
  std::vector<mpispec_profile_bin> Bins;
  std::vector<mpispec_profile_site> Sites;
  std::vector<mpispec_profile_peer> Peers; ///< [world_size]

  double seconds(uint64_t Ticks) const {
    return static_cast<double>(Ticks) * 1024e-9 / static_cast<double>(Header.ticks_in_1024ns);
  }
  /// The time from MPI_Init to the end of the run, or to the last recorded call.
  double runSeconds() const { return seconds(Header.ticks_last - Header.ticks_began); }
};

/// The error names the file and the defect.
llvm::Expected<RankProfile> readRankProfile(llvm::StringRef File);

} // namespace mpispec
#endif
