//===- Tune.h - mpispec tune ------------------------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The subcommand measures the cost of both ways of long messages on this machine. It writes the
// cost model that the runtime reads (runtime/p2p/cost_model.h).
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_TOOLS_TUNE_H
#define MPISPEC_TOOLS_TUNE_H

#include "doctor/Doctor.h"
#include "llvm/ADT/ArrayRef.h"

namespace mpispec {

/// Runs `mpispec tune` with the arguments behind it. The exit status is 0 if a model was written, 1
/// if not, 2 if the arguments are invalid. \p P has the installation.
int tune(Patient &P, llvm::ArrayRef<std::string> Words);

} // namespace mpispec
#endif
