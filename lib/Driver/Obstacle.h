//===- Obstacle.h - Commands that cannot be divided into steps --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The steps are preprocessing, analysis, the compile of the rewritten text, and the link. If the
// user's command cannot be divided into them, it runs as it is.
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_DRIVER_OBSTACLE_H
#define MPISPEC_DRIVER_OBSTACLE_H

#include "Driver/Invocation.h"
#include <string>

namespace mpispec {

/// The reason why a command with MPI calls cannot be divided into steps, or empty.
std::string obstacle(const Invocation &I);

} // namespace mpispec

#endif
