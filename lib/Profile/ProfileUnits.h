//===- ProfileUnits.h - Seconds, bytes and shares as text -------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MPISPEC_PROFILE_PROFILEUNITS_H
#define MPISPEC_PROFILE_PROFILEUNITS_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace mpispec {

/// "1.25 s", "3.10 ms", "4.2 us".
std::string secondsText(double Seconds);

/// "48 B", "4.0 MiB".
std::string bytesText(uint64_t Bytes);

/// "12.5", or "-" if \p Whole is 0.
std::string percentText(double Part, double Whole);

/// \p Text as a field of CSV (RFC 4180).
std::string csvField(llvm::StringRef Text);

} // namespace mpispec
#endif
