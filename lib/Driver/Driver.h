//===- Driver.h - Any compiler command, with MPI calls specialised ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `mpispec mpicc -O2 -c halo.c` has the effect of `mpicc -O2 -c halo.c`, but compiles rewritten
// text. A build never breaks: if any step fails, the user's command runs unchanged.
//
//   words ─► Toolchain, Invocation          the compiler and its options
//         ─► Prefilter                      no MPI call: become the user's command at once
//         ─► Specialise                     for each source: preprocess, analyse
//         ─► Products                       compile and link; diagnostics are the user's command's
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_DRIVER_DRIVER_H
#define MPISPEC_DRIVER_DRIVER_H

#include "Driver/Specialise.h"

namespace mpispec {

/// Runs the command \p Words (compiler first, mpispec's own options taken out). Does not return if
/// the process becomes the user's command; otherwise returns the exit status.
int runCompilerCommand(const Settings &S, const Installation &Here,
                       llvm::ArrayRef<std::string> Words);

} // namespace mpispec
#endif
