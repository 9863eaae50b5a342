//===- Recorder.h - Tools that record the commands of a build ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `bear -- make`, `intercept-build make` and similar tools load a library into every process of a
// build. The library reports each program that is executed, and the tool writes
// compile_commands.json from these reports. The file must have the user's commands with the
// source's own path, and no temporary file of mpispec's. Therefore the user's command runs as well
// while such a tool is active (Driver). The steps of mpispec run without the tool's library. They
// are started by the kernel's execve directly, because the library intercepts the C library's.
//
// Process.h starts programs with or without the tool's library.
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_DRIVER_RECORDER_H
#define MPISPEC_DRIVER_RECORDER_H

#include <string>
#include <vector>

namespace mpispec {

/// Does such a tool watch this process?
bool isRecorded();

/// The environment, as `NAME=value`, without what belongs to such tools.
const std::vector<std::string> &unrecordedEnvironment();

/// The value of the PATH in that environment.
std::string unrecordedPath();

} // namespace mpispec
#endif
