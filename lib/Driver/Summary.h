//===- Summary.h - One line at the end of a build ---------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A unit that cannot be specialised is compiled as it is, and the compile gives no message. The
// link of the program prints one line for all these units:
//
//   mpispec: solver: 6 of 9 units with MPI calls stay as ordinary (md.o, comm.o, ...); ...
//
// The line is not printed if all units are specialised. It is not printed either when a build
// system only tests the compiler, because it might treat any output as a failure.
// MPISPEC_SUMMARY=off turns the line off.
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_DRIVER_SUMMARY_H
#define MPISPEC_DRIVER_SUMMARY_H

#include "Driver/Invocation.h"
#include "Driver/ObjectCensus.h"

namespace mpispec {

/// Counts the units of a link \p I: its objects, archives and libraries that are not the system's.
Census countInputs(const Invocation &I);

/// Is \p I a test of the compiler by a build system? The file names show it.
bool isProbe(const Invocation &I);

/// The line about \p C, with a newline. Empty if no line is to be printed.
std::string summaryLine(const Invocation &I, const Census &C);

/// The line about a program with specialised calls whose link \p I names no MPI library, so that no
/// runtime could be chosen. Empty if no line is to be printed.
std::string noLibraryLine(const Invocation &I);

} // namespace mpispec
#endif
