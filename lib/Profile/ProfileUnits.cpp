//===- ProfileUnits.cpp - Seconds, bytes and shares as text -----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Profile/ProfileUnits.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace mpispec {

std::string secondsText(double Seconds) {
  if (Seconds >= 1)
    return formatv("{0:F2} s", Seconds);
  return Seconds >= 1e-3 ? formatv("{0:F2} ms", Seconds * 1e3).str()
                         : formatv("{0:F1} us", Seconds * 1e6).str();
}

std::string bytesText(uint64_t Bytes) {
  static constexpr StringLiteral Units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
  double Value = double(Bytes);
  unsigned Unit = 0;
  for (; Value >= 1024 && Unit + 1 < std::size(Units); ++Unit)
    Value /= 1024;
  return Unit ? formatv("{0:F1} {1}", Value, Units[Unit]).str() : formatv("{0} B", Bytes).str();
}

std::string percentText(double Part, double Whole) {
  return Whole > 0 ? formatv("{0:F1}", 100 * Part / Whole).str() : "-";
}

std::string csvField(StringRef Text) {
  if (Text.find_first_of(",\"\n") == StringRef::npos)
    return Text.str();
  std::string Quoted = Text.str();
  for (size_t At = 0; (At = Quoted.find('"', At)) != std::string::npos; At += 2)
    Quoted.insert(At, "\"");
  return "\"" + Quoted + "\"";
}

} // namespace mpispec
