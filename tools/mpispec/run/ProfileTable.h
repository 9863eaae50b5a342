//===- ProfileTable.h - A profile as a plain table, or as one line ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `mpispec profile` reads profiles with source locations, but it is a program with LLVM's
// symbolizer. This table is printed where that program is not installed.
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_RUN_PROFILETABLE_H
#define MPISPEC_RUN_PROFILETABLE_H

#include <cstdio>
#include <string>

namespace mpispec {

/// Prints calls, bytes and seconds of each MPI function, summed over the ranks whose files are in
/// \p Directory. False: there is no such file.
bool printProfileTable(const std::string &Directory, std::FILE *Output);

/// Returns how many messages the ranks sent through shared memory, how many through the MPI
/// library, and the main reason. Empty: there is no such file.
std::string summarizeMessages(const std::string &Directory);

} // namespace mpispec
#endif
