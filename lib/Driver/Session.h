//===- Session.h - State that the steps of one command share ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The steps of one command share the settings, and a directory of their own for temporary files,
// which no other process uses. This file also runs steps and reports them.
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_DRIVER_SESSION_H
#define MPISPEC_DRIVER_SESSION_H

#include "Driver/Process.h"
#include "Driver/Settings.h"
#include "llvm/ADT/Twine.h"
#include <set>

namespace mpispec {

/// A step whose output is not shown.
struct QuietRun {
  Ending E;
  bool Silent = true; ///< it wrote nothing to stderr and, without `Output`, nothing to stdout
  bool good() const { return E.succeeded(); }
};

class Session {
public:
  explicit Session(const Settings &S) : S(S) {}
  ~Session() { clean(); }
  Session(const Session &) = delete;
  Session &operator=(const Session &) = delete;

  const Settings &settings() const { return S; }

  /// A new directory under TMPDIR, which the session removes at its end, or an error.
  llvm::Expected<std::string> makeDirectory();

  /// Runs \p Command as the step \p Name with stdout in \p Output and stderr in \p Errors (by
  /// default, temporary files).
  QuietRun runQuietly(llvm::StringRef Name, const CommandLine &Command, llvm::StringRef Output = "",
                      llvm::StringRef Errors = "", unsigned Seconds = 0);

  /// Runs \p Command, the user's command, with the standard streams of this process.
  Ending runOpenly(llvm::StringRef Name, const CommandLine &Command);

  /// Replaces this process by \p Command. Returns the exit status only if \p Command cannot be run.
  int endAs(const CommandLine &Command);

  /// Writes \p Line to stderr if --mpispec-verbose is set.
  void say(const llvm::Twine &Line) const;

  /// The stderr of the last command of runQuietly for which the caller has named no file.
  std::string messages() const;

  /// Writes \p Line to stderr as a warning, once for a command.
  void warn(const llvm::Twine &Line) const;

  /// Removes all temporary files.
  void clean();

private:
  llvm::Error prepare();
  void dieIfInterrupted(const Ending &E);
  /// If --mpispec-dry-run is set, prints the step and returns true.
  bool printInstead(llvm::StringRef Name, const CommandLine &Command) const;

  const Settings &S;
  std::string Root; ///< empty until the first directory is made
  unsigned Directories = 0;
  mutable std::set<std::string> Warnings; ///< The lines that were printed.
};

} // namespace mpispec
#endif
