//===- ProfileTable.h - A profile as a plain table, or as one line ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `mpispec profile` prints profiles with source locations. It starts the program mpispec-profile,
// which contains LLVM's symbolizer. If this program is not installed, `mpispec run` prints this
// table instead.
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_RUN_PROFILETABLE_H
#define MPISPEC_RUN_PROFILETABLE_H

#include <cstdint>
#include <cstdio>
#include <map>
#include <string>

namespace mpispec {

/// The profile files in a directory, each with the time at which its rank began. A file of a later
/// run has the same name but another time. The clocks of two nodes may differ. Therefore such times
/// are only compared for equality.
using ProfileFiles = std::map<std::string, uint64_t>;

ProfileFiles profileFilesIn(const std::string &Directory);

/// Whether \p Directory has a profile file that is not among \p Earlier.
bool hasProfile(const std::string &Directory, const ProfileFiles &Earlier);

/// Prints calls, bytes and seconds of each MPI function. They are summed over the ranks whose files
/// are in \p Directory and not among \p Earlier. Returns false if there is no such file.
bool printProfileTable(const std::string &Directory, const ProfileFiles &Earlier,
                       std::FILE *Output);

/// Returns a text with the number of messages through shared memory, the number through the MPI
/// library, and the main reason for the latter. Empty if \p Directory has no file that is not among
/// \p Earlier.
std::string summarizeMessages(const std::string &Directory, const ProfileFiles &Earlier);

} // namespace mpispec
#endif
