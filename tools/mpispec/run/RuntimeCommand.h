//===- RuntimeCommand.h - mpispec runtime -----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   mpispec runtime add /opt/openmpi/bin/mpicc
//     ─► sh share/mpispec/sources/runtime/make-runtime.sh /opt/openmpi/bin/mpicc DIRECTORY NAME...
//
// The NAMEs are the runtimes that exist already. The script makes a runtime from the installed
// sources with a C compiler. The lists of sources and compiler options are those of the build of
// mpispec. The runtime is put in the user's data directory or, for root, below the installation
// prefix. `mpispec run`, the driver and `mpispec doctor` find it there (RunInstallation.h).
//
// Nothing here uses LLVM, because this subcommand is also built without the compiler.
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_RUN_RUNTIMECOMMAND_H
#define MPISPEC_RUN_RUNTIMECOMMAND_H

#include "run/RunInstallation.h"
#include "run/Subcommands.h"

namespace mpispec {

extern const HelpPage RuntimeHelp;

/// Runs `mpispec runtime` with \p Arguments. Returns 2 if the arguments are invalid, and 1 if a
/// runtime cannot be made or removed.
int manageRuntimes(const RunInstallation &Here, Words Arguments, Suggest Suggestion);

} // namespace mpispec
#endif
