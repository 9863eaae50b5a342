//===- DoctorReport.h - The findings of mpispec doctor as text --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   on   shared memory    ranks can map each other's memory (memfd, /proc/PID/fd)
//   OFF  single copy      ranks cannot read each other's buffers ...
//                         remedy: sysctl kernel.yama.ptrace_scope=0
//
// A table has colours on a terminal. The JSON output contains the same findings. Its schema is
// mpispec-doctor/1.
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_TOOLS_DOCTORREPORT_H
#define MPISPEC_TOOLS_DOCTORREPORT_H

#include "doctor/Doctor.h"

namespace mpispec {

class DoctorReport {
public:
  explicit DoctorReport(bool IsJSON);
  /// Prints a row of the table at once, or stores the JSON object.
  void add(std::string_view Check, const Finding &F);
  /// Prints the end of the output.
  void finish();
  unsigned off() const { return Off; }

private:
  void printRow(std::string_view Check, const Finding &F) const;

  const bool IsJSON, HasColors;
  const unsigned Columns;
  unsigned Off = 0;
  std::string Objects;
};

} // namespace mpispec
#endif
