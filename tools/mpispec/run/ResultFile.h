//===- ResultFile.h - The file that `-o FILE` of a subcommand names ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MPISPEC_RUN_RESULTFILE_H
#define MPISPEC_RUN_RESULTFILE_H

#include "run/Subprocess.h"

namespace mpispec {

/// FILE of `-o FILE`, which gets the standard output of a subcommand. The old FILE stays as it is
/// until the command has ended, because it may be one of the inputs. If the command fails without
/// output, the earlier result stays. If FILE is a device, or its directory is read-only, FILE
/// cannot be replaced. The output then goes to it directly.
class ResultFile {
public:
  /// If the words contain `-o FILE`, redirects standard output, and removes both words. If FILE
  /// cannot be written, prints a message and returns false.
  bool take(Words &All);

  /// Replaces FILE by the output of the command. Returns the command's \p Status, or 2 if FILE
  /// cannot be replaced. If the command failed without output, or if its output is not whole, FILE
  /// stays as it was. The caller has flushed all output.
  int finish(int Status, bool IsWhole);

private:
  int openBeside(const std::string &File);

  std::string Place;     ///< the absolute path of FILE, or of its target if it is a symbolic link
  std::string Temporary; ///< the file beside it; empty if the output goes to FILE itself
};

/// Flushes C's stdout. Returns \p Status, or prints why stdout could not be written and returns 2.
int endStandardOutput(int Status);

} // namespace mpispec
#endif
