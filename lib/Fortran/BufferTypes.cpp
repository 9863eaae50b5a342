//===- BufferTypes.cpp - Types of buffers against datatypes -----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program may move the bits of a value under another datatype, with a count that fits. Therefore
// a difference is a mistake only in these cases:
//
//   - a reduction computes with the elements, and the types of buffer and datatype differ;
//   - the elements of buffer and datatype are both integer, both real or both complex, but differ
//     in size, and the count is the number of the buffer's elements, or is a single name;
//   - count and datatype describe more bytes than the variable has.
//
//===------------------------------------------------------------------------------------------===//
#include "Fortran/FortranRules.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace mpispec {

namespace {
/// One side of a call.
struct Side {
  const FortranArgument *Buffer, *Count, *Datatype;
  FortranDatatype Described; ///< the elements that the datatype describes
};
} // namespace

/// \p A as one of MPI's datatypes with the library's size; nothing if it is something else.
static std::optional<FortranDatatype> describedBy(const FortranArgument &A,
                                                  const FortranUnit &Unit) {
  const FortranDatatype *Row = lookUpFortranDatatype(A.MpiConstant);
  if (!Row)
    return std::nullopt;
  FortranDatatype D = *Row;
  auto Handle = Unit.Constants.find(D.Name.lower());
  constexpr int64_t KindBits = 0x7fff0000, PredefinedOfMpich = 0x4c000000;
  if (Handle != Unit.Constants.end() && (Handle->second & KindBits) == PredefinedOfMpich)
    D.Bytes = (Handle->second >> 8) & 0xff;
  return D;
}

static std::optional<Side> sideOf(const FortranCall &Call, Role Buffer, Role Count, Role Datatype,
                                  const FortranUnit &Unit) {
  Side S = {Call.find(Buffer), Call.find(Count), Call.find(Datatype), {"", {}, 0}};
  if (!S.Buffer || !S.Datatype || !S.Buffer->MpiConstant.empty())
    return std::nullopt;
  std::optional<FortranDatatype> Described = describedBy(*S.Datatype, Unit);
  if (!Described || S.Buffer->Category == FortranCategory::Unknown)
    return std::nullopt;
  S.Described = *Described;
  return S;
}

static bool isNumber(FortranCategory C) {
  return C == FortranCategory::Integer || C == FortranCategory::Real ||
         C == FortranCategory::Complex;
}

/// Does an element of the buffer consist of two elements of the datatype, as COMPLEX consists of
/// two REAL?
static bool isPairOf(const Side &S) {
  return S.Buffer->Category == FortranCategory::Complex &&
         S.Described.Category == FortranCategory::Real &&
         S.Buffer->ElementBytes == 2 * S.Described.Bytes;
}

static bool sameType(const Side &S) {
  return S.Buffer->Category == S.Described.Category && S.Buffer->ElementBytes == S.Described.Bytes;
}

/// Does the operation compute with numbers? An operation of the program may do anything.
static bool computes(const FortranCall &Call) {
  const FortranArgument *Op = Call.find(Role::Op);
  return Op && StringSwitch<bool>(Op->MpiConstant)
                   .Cases({"MPI_SUM", "MPI_PROD", "MPI_MAX", "MPI_MIN"}, true)
                   .Default(false);
}

/// Is the count the number of elements of the buffer, as far as the text shows?
static bool countsElements(const Side &S) {
  const FortranArgument *Count = S.Count, &Buffer = *S.Buffer;
  if (!Count)
    return false;
  if (Count->Value && Buffer.VariableBytes)
    return *Count->Value * Buffer.ElementBytes == static_cast<int64_t>(Buffer.VariableBytes);
  if (Count->Value)
    return *Count->Value == 1 && Buffer.Rank == 0;
  return Count->IsName || Count->Text == "size(" + Buffer.Text + ")";
}

static std::string nameOf(const Side &S) {
  return "datatype is " + S.Described.Name.str() + ", which has " + utostr(S.Described.Bytes) +
         " bytes, but '" + S.Buffer->Text + "' is " + S.Buffer->Type;
}

/// The mistake in one side; empty: there is none.
static std::string mistakeIn(const Side &S, const FortranCall &Call) {
  FortranCategory OfBuffer = S.Buffer->Category, OfDatatype = S.Described.Category;
  if (!isNumber(OfBuffer) || !isNumber(OfDatatype) || sameType(S) || isPairOf(S))
    return "";
  if (computes(Call))
    return nameOf(S);
  bool SameCategory = OfBuffer == OfDatatype;
  return SameCategory && countsElements(S) ? nameOf(S) : "";
}

static std::string overflowIn(const Side &S) {
  const uint64_t Variable = S.Buffer->VariableBytes;
  if (!Variable || !S.Count || !S.Count->Value || *S.Count->Value <= 0)
    return "";
  const uint64_t Needed = *S.Count->Value * S.Described.Bytes;
  if (Needed <= Variable)
    return "";
  return itostr(*S.Count->Value) + " of " + S.Described.Name.str() + " are " + utostr(Needed) +
         " bytes, but '" + S.Buffer->Text + "' has " + utostr(Variable);
}

/// Is the buffer of \p R significant in every process?
static bool isSignificant(Role R, const FortranCall &Call) {
  bool IsRooted = Call.find(Role::Root) != nullptr;
  return !IsRooted || R == Role::Buffer ||
         (R == Role::SendBuffer && !StringRef(Call.Callee).contains("catter"));
}

/// The mistake in one side of \p Call; empty: there is none.
static std::string checkSide(const FortranCall &Call, Role Buffer, Role Count, Role Datatype,
                             const FortranUnit &Unit) {
  std::optional<Side> S = sideOf(Call, Buffer, Count, Datatype, Unit);
  if (!S || !isSignificant(Buffer, Call))
    return "";
  std::string Mistake = mistakeIn(*S, Call);
  return Mistake.empty() ? overflowIn(*S) : Mistake;
}

void checkBufferTypes(const FortranCall &Call, const FortranUnit &Unit,
                      std::vector<LintFinding> &Findings) {
  static constexpr Role Sides[][3] = {
      {Role::Buffer, Role::Count, Role::Datatype},
      {Role::SendBuffer, Role::Count, Role::Datatype},
      {Role::RecvBuffer, Role::Count, Role::Datatype},
      {Role::SendBuffer, Role::SendCount, Role::SendDatatype},
      {Role::RecvBuffer, Role::RecvCount, Role::RecvDatatype},
  };
  if (!Call.Function || !isCommunication(Call.Function->Kind))
    return;
  for (const auto &[Buffer, Count, Datatype] : Sides) {
    std::string Mistake = checkSide(Call, Buffer, Count, Datatype, Unit);
    if (Mistake.empty())
      continue;
    Findings.push_back({LintRule::Arguments, Call.Where, Call.Callee + ": " + Mistake});
    return;
  }
}

} // namespace mpispec
