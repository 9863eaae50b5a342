//===- Demands.cpp - Requirements of MPI on an argument, by its role --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A demand is a function of one argument. It returns a text that describes the mistake, or nothing.
//
//===------------------------------------------------------------------------------------------===//
#include "Facts/Demands.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/IR/Constants.h"

using namespace llvm;

namespace mpispec {

namespace {

/// One argument of a copy, and NAME of the table's row.
struct Given {
  const CallCopy &Copy;
  unsigned Index;
  Value *V;
  StringRef Name;

  Role role() const { return Copy.F.Roles[Index]; }
};

using Demand = std::string (*)(const Given &);

struct Row {
  Role R;
  Demand IsBroken;
  StringRef Name, Remedy;
  bool OnlyWatched;
};

} // namespace

//--- Demands: what is wrong, or "" ---------------------------------------------------------------

/// May the handle be null? There are three such handles. One is the send datatype of a process that
/// sends nothing. Another is the peer communicator of MPI_Intercomm_create, which only the leader
/// uses. The third is the argument of MPI_Comm_get_name, because the null communicator has a name
/// (MPI-4.0, section 7.8).
static bool mayBeNull(const Given &G) {
  if (G.role() == Role::SendDatatype)
    return !takesPart(G.Copy, Role::SendBuffer);
  return (G.Copy.F.Name == "Intercomm_create" && G.Index == 2) || G.Copy.F.Name == "Comm_get_name";
}

static std::string NotNamed(const Given &G) {
  if (mayBeNull(G))
    return "";
  Constant *Named = G.Copy.Values.value(G.Name);
  return Named && G.V == Named ? ("is " + G.Name).str() : "";
}

static std::string NotAt(const Given &G) {
  Constant *Named = G.Copy.Values.value(G.Name);
  return Named && G.Copy.pointee(G.Index) == Named ? ("is " + G.Name).str() : "";
}

static std::string NotPredefinedAt(const Given &G) {
  Value *Handle = G.Copy.pointee(G.Index);
  if (!Handle)
    return "";
  if (const DatatypeInfo *Datatype = G.Copy.Values.datatype(Handle))
    return ("is the predefined " + Datatype->Name).str();
  StringRef Op = G.Copy.Values.name(NamedConstant::Op, Handle);
  return G.role() == Role::FreedOp && !Op.empty() ? ("is the predefined " + Op).str() : "";
}

/// MPI_Start, MPI_Cancel and MPI_Request_free do not accept a null request. Functions that wait or
/// test accept it (MPI-4.0, sections 3.7.3 to 3.9).
static std::string StartedAt(const Given &G) {
  bool Needed = is_contained({"Start", "Cancel", "Request_free"}, G.Copy.F.Name);
  return Needed ? NotAt(G) : "";
}

static std::string NotNegative(const Given &G) {
  Constant *Named = G.Name.empty() ? nullptr : G.Copy.Values.value(G.Name);
  if (!G.Copy.isNegative(G.V) || (!G.Name.empty() && !Named) || G.V == Named)
    return "";
  if (auto *Number = dyn_cast<ConstantInt>(G.V))
    return "is " + std::to_string(Number->getSExtValue());
  return Named ? "" : "is negative"; // a range may hold the named number
}

static std::string Positive(const Given &G) {
  auto *Number = dyn_cast<ConstantInt>(G.V);
  return Number && !Number->getValue().isStrictlyPositive()
             ? "is " + std::to_string(Number->getSExtValue())
             : "";
}

/// A null address is a mistake unless a named constant has this value (Open MPI's
/// MPI_STATUS_IGNORE).
static std::string Address(const Given &G) {
  Constant *Named = G.Name.empty() ? nullptr : G.Copy.Values.value(G.Name);
  bool NullIsNamed = !G.Name.empty() && (!Named || Named->isNullValue());
  return G.Copy.isNull(G.V) && !NullIsNamed ? "is null" : "";
}

static std::string Array(const Given &G) {
  Constant *Ignored = G.Copy.Values.value("MPI_STATUSES_IGNORE");
  if (G.role() == Role::Statuses && (!Ignored || Ignored->isNullValue()))
    return "";
  Role Count = G.Name == "Count" ? Role::Count : Role::RequestCount;
  bool HasElements = G.Copy.isPositive(G.Copy.argument(Count));
  return G.Copy.isNull(G.V) && HasElements ? "is null, but has to have elements" : "";
}

/// The buffer that an array with an element for each process belongs to.
static Role bufferOf(Role R) {
  return is_contained(
             {Role::SendCounts, Role::SendDisplacements, Role::SendDatatypes, Role::SendDatatype},
             R)
             ? Role::SendBuffer
             : Role::RecvBuffer;
}

/// Does MPI read at least one element of the array?
static bool hasElementOfProcess(const Given &G) {
  return isSignificant(G.Copy, bufferOf(G.role()));
}

static std::string PerProcess(const Given &G) {
  return G.Copy.isNull(G.V) && hasElementOfProcess(G) ? "is null" : "";
}

static std::string NotNullBesideCounts(const Given &G) {
  Role Counts = bufferOf(G.role()) == Role::SendBuffer ? Role::SendCounts : Role::RecvCounts;
  return G.Copy.F.find(Counts) && hasElementOfProcess(G) ? NotNamed(G) : "";
}

/// The least number of elements of the array that MPI reads.
static unsigned elementsRead(const Given &G) {
  constexpr uint64_t MostLookedAt = 64;
  if (G.Name.empty())
    return hasElementOfProcess(G) ? 1 : 0;
  auto *Count = dyn_cast_or_null<ConstantInt>(G.Copy.argument(Role::Count));
  return Count && !Count->isNegative() ? Count->getValue().getLimitedValue(MostLookedAt) : 0;
}

static std::string NoneNegative(const Given &G) {
  for (unsigned At = 0, End = elementsRead(G); At < End; ++At)
    if (auto *Number =
            dyn_cast_or_null<ConstantInt>(G.Copy.element(G.Index, At, G.Copy.numberType()));
        Number && Number->isNegative())
      return ("has " + Twine(Number->getSExtValue()) + " at " + Twine(At)).str();
  return "";
}

/// The array of lengths, or counts, that belongs to an array of datatypes.
static std::optional<unsigned> lengthsBeside(const Given &G) {
  Role Beside = G.role() == Role::Datatypes       ? Role::Lengths
                : G.role() == Role::SendDatatypes ? Role::SendCounts
                                                  : Role::RecvCounts;
  return G.Copy.F.find(Beside);
}

/// The datatype of an empty block may be null.
static std::string NoneNull(const Given &G) {
  Constant *Null = G.Copy.Values.value("MPI_DATATYPE_NULL");
  std::optional<unsigned> Lengths = lengthsBeside(G);
  for (unsigned At = 0, End = Null && Lengths ? elementsRead(G) : 0; At < End; ++At) {
    auto *Length = dyn_cast_or_null<ConstantInt>(G.Copy.element(*Lengths, At, G.Copy.numberType()));
    if (Length && Length->getValue().isStrictlyPositive() &&
        G.Copy.element(G.Index, At, Null->getType()) == Null)
      return ("has MPI_DATATYPE_NULL at " + Twine(At)).str();
  }
  return "";
}

//--- The table -----------------------------------------------------------------------------------

static ArrayRef<Row> rows() {
  static const Row Rows[] = {
#define DEMAND(ROLE, DEMAND, NAME, REMEDY) {Role::ROLE, DEMAND, NAME, REMEDY, false},
#define ONLY_WATCHED(ROLE, DEMAND, NAME, REMEDY) {Role::ROLE, DEMAND, NAME, REMEDY, true},
#include "Facts/Demands.def"
  };
  return Rows;
}

void findBrokenDemands(const CallCopy &Copy, std::vector<std::string> &Messages) {
  bool IsSite = isCommunication(Copy.F.Kind); // Mistakes.cpp checks its handles and counts
  for (unsigned Index = 0; Index < Copy.F.Roles.size(); ++Index) {
    Value *V = Copy.argument(Index);
    if (!V)
      continue;
    for (const Row &Row : rows()) {
      if (Row.R != Copy.F.Roles[Index] || (IsSite && Row.OnlyWatched))
        continue;
      std::string Wrong = Row.IsBroken({Copy, Index, V, Row.Name});
      if (!Wrong.empty())
        Messages.push_back((text(Row.R) + " " + Wrong + "; " + Row.Remedy).str());
    }
  }
}

} // namespace mpispec
