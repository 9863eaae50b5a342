//===- Reductions.cpp - Operation and datatype of a reduction, for templates ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Selection/Reductions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <type_traits>

using namespace llvm;

namespace mpispec {

namespace {

// The names by which the runtime's table calls C's types.
using signed_char = signed char;
using unsigned_char = unsigned char;
using unsigned_short = unsigned short;
using unsigned_long = unsigned long;
using long_long = long long;
using unsigned_long_long = unsigned long long;
using long_double = long double;

struct Row {
  StringLiteral Datatype;
  StringLiteral Number; ///< the word of combine.h
};

constexpr StringLiteral Floating = "mpispec_floating_point";

template <typename T> constexpr StringLiteral integer() {
  return std::is_signed_v<T> ? StringLiteral("mpispec_signed_integer")
                             : StringLiteral("mpispec_unsigned_integer");
}

constexpr Row Rows[] = {
#define INTEGER(NAME, TYPE) {"MPI_" #NAME, integer<TYPE>()},
#define REAL(NAME, TYPE) {"MPI_" #NAME, Floating},
#define LIBRARY(NAME, FAMILY)
#define PAIR(NAME, VALUE, INDEX)
#include "../../runtime/collective/Reductions.def"
#undef INTEGER
#undef REAL
#undef LIBRARY
#undef PAIR
};

} // namespace

/// The row of \p Datatype if \p Op may be applied to it, else null.
static const Row *find(StringRef Op, StringRef Datatype) {
  const Row *Found = find_if(Rows, [&](const Row &R) { return R.Datatype == Datatype; });
  bool IsArithmetic = is_contained({"MPI_MAX", "MPI_MIN", "MPI_SUM", "MPI_PROD"}, Op);
  bool IsLogical =
      is_contained({"MPI_LAND", "MPI_LOR", "MPI_LXOR", "MPI_BAND", "MPI_BOR", "MPI_BXOR"}, Op);
  if (Found == std::end(Rows) || !(IsArithmetic || (IsLogical && Found->Number != Floating)))
    return nullptr;
  return Found;
}

std::string reductionText(StringRef Op, StringRef Datatype) {
  const Row *Found = find(Op, Datatype);
  if (!Found)
    return "";
  return formatv("mpispec_{0}, {1}", Op.substr(4), Found->Number);
}

bool templatesCombine(StringRef Op, StringRef Datatype, uint64_t Bytes) {
  const Row *Found = find(Op, Datatype);
  return Found && (Found->Number == Floating ? Bytes == 4 || Bytes == 8 : Bytes <= 8);
}

} // namespace mpispec
