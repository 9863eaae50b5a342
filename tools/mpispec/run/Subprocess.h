//===- Subprocess.h - Other programs, for subcommands without LLVM ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The driver has lib/Driver/Process.h for the same purpose. `mpispec run` and `mpispec doctor` are
// also built without LLVM. Therefore they use these functions instead.
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_RUN_SUBPROCESS_H
#define MPISPEC_RUN_SUBPROCESS_H

#include <optional>
#include <string>
#include <vector>

namespace mpispec {

/// The words of a command line.
using Words = std::vector<std::string>;

/// The parts of \p Text between the characters in \p Separators. Empty parts are left out.
Words splitAt(const std::string &Text, const char *Separators);

/// The path of the program that a shell in \p Directory would start for \p Word, or empty. An empty
/// directory is the current one.
std::string findExecutable(const std::string &Word, const std::string &Directory = "");

enum class Output : bool { Standard, WithErrors };

/// Returns the output of \p Command, or nothing if the command fails. \p Variables ("A=B") are
/// added to its environment. Its input is empty. Its standard error is also captured if \p Captured
/// is WithErrors, and is discarded otherwise.
std::optional<std::string> captureOutput(const Words &Command, const Words &Variables = {},
                                         Output Captured = Output::Standard);

/// Replaces this process by \p Command. If that fails, prints one line and returns the exit status
/// that a shell would return.
int replaceProcess(const Words &Command);

/// Runs \p Command as a shell runs a program in the foreground. Until it ends, this process ignores
/// SIGINT and SIGQUIT of the terminal, and sends other signals to the command. Returns the status
/// of waitpid().
int superviseProcess(const Words &Command);

/// From now on SIGINT, SIGTERM, SIGHUP and SIGQUIT do not end this process. They are sent to the
/// child of captureOutput(). Signals that are ignored already stay ignored.
void catchSignals();
/// The last signal since catchSignals(), or 0.
int caughtSignal();
/// Ends this process by \p Signal.
[[noreturn]] void endBySignal(int Signal);

/// The exit status for \p Status of waitpid(). If a signal ended the child, the same signal ends
/// this process.
int exitAs(int Status);

} // namespace mpispec
#endif
