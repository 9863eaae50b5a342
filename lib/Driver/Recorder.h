//===- Recorder.h - Tools that record the commands of a build ---------------------------------===//
//
// `bear -- make`, `intercept-build make` and the like load a library into every process of a build,
// which reports each program that is executed; from these reports they write compile_commands.json.
// The commands there must be the user's: the source's own path, and no file of ours, which is gone
// when the build ends. So, while such a tool watches, the user's command runs as well (Driver), for
// it to see, and the steps of ours run out of its sight: without its library, and started by the
// kernel's execve itself, since the library stands before the C library's.
//
// Neighbours: Process starts programs, either way.
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
