//===- ProfileTable.h - A profile as a plain table, or as one line ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `mpispec profile` reads profiles with source locations, but it is a program with LLVM's
// symbolizer. This table is printed if that program is not installed.
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_RUN_PROFILETABLE_H
#define MPISPEC_RUN_PROFILETABLE_H

#include <cstdio>
#include <string>

namespace mpispec {

/// Prints calls, bytes and seconds of each MPI function. They are summed over the ranks whose files
/// are in \p Directory. Returns false if there is no such file.
bool printProfileTable(const std::string &Directory, std::FILE *Output);

/// Returns a text with the number of messages through shared memory, the number through the MPI
/// library, and the main reason for the latter. Empty if there is no such file.
std::string summarizeMessages(const std::string &Directory);

} // namespace mpispec
#endif
