//===- Tune.h - mpispec tune ------------------------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The subcommand measures what long messages cost on this machine in each of two ways
// (docs/Glossary.md, "cost model"). It writes the cost model that the runtime reads
// (runtime/p2p/cost_model.h).
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_TOOLS_TUNE_H
#define MPISPEC_TOOLS_TUNE_H

#include "doctor/Doctor.h"
#include "llvm/ADT/ArrayRef.h"

namespace mpispec {

/// Runs `mpispec tune` with the arguments \p Words. The exit status is 0 if a model was written, 2
/// if the arguments are invalid, otherwise 1. \p P contains the installation.
int tune(Patient &P, llvm::ArrayRef<std::string> Words);

} // namespace mpispec
#endif
