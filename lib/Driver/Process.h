//===- Process.h - Starts other programs ------------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This process installs no signal handlers. While steps run, SIGINT, SIGTERM, SIGHUP and SIGQUIT
// are blocked in this process, but not in its children. The wait for a child is also a wait for
// these signals. A signal that arrives is sent to the child. After the child has ended, the wait
// returns the signal, and the caller removes its files. dieOfSignal() then ends the process by the
// same signal.
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_DRIVER_PROCESS_H
#define MPISPEC_DRIVER_PROCESS_H

#include "Driver/Invocation.h"
#include <optional>

namespace mpispec {

/// Where a child's output goes. If a path is empty, the child inherits the stream of this process.
struct Redirection {
  std::string Output, Error;
  int OutputDescriptor = -1; ///< where its standard output goes instead of `Output`
  bool NoInput = false;      ///< standard input is /dev/null
  bool IsUsers = false;      ///< the user's own command, which a recorder may record (Recorder.h)
};

struct Ending {
  enum Kind : uint8_t {
    Exited,      ///< by itself, with `Status`
    Crashed,     ///< by signal `Status`
    TimedOut,    ///< ended by this process at its time limit
    NotStarted,  ///< errno `Status`
    Interrupted, ///< this process got signal `Status` and sent it to the child
  } K = NotStarted;
  int Status = 0;

  bool succeeded() const { return K == Exited && Status == 0; }
  /// The exit status as a shell stores it in `$?`.
  int exitStatus() const;
};

/// A child that runs.
struct Child {
  int Pid = -1;
  int Errno = 0; ///< why it could not be started
};

Child start(llvm::ArrayRef<std::string> Command, const Redirection &R);
/// Waits for \p C. \p Seconds limits the processor time of the child, so that the limit does not
/// depend on other load. 0: no limit. A child that uses less is ended after WaitingFactor times
/// \p Seconds of real time.
Ending wait(Child C, unsigned Seconds = 0);
Ending run(llvm::ArrayRef<std::string> Command, const Redirection &R = {}, unsigned Seconds = 0);

constexpr unsigned WaitingFactor = 10;

/// The standard output of \p Command, or nothing if it fails. Its standard error is shown if
/// \p ShowErrors, else discarded.
std::optional<std::string> outputOf(llvm::ArrayRef<std::string> Command, bool ShowErrors = false);

/// Blocks the signals named above until become() or dieOfSignal().
void holdSignals();

/// Ends this process by \p Signal.
[[noreturn]] void dieOfSignal(int Signal);

/// Replaces this process by \p Command. Returns only if \p Command cannot be run. Then it prints
/// one line, and returns the exit status for this case.
int become(llvm::ArrayRef<std::string> Command);

} // namespace mpispec
#endif
