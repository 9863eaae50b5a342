//===- FortranExplain.cpp - Facts about each MPI call of a Fortran source ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For people:
//
//   halo.f90:41:5  MPI_Send  fast path by name
//       in                exchange                  by mpif.h
//       buffer            x                         REAL(8), rank 1
//       count             10                        literal
//       datatype          MPI_DOUBLE_PRECISION      MPI's constant
//       tag               7                         halo_tag, module consts
//       comm              MPI_COMM_WORLD            MPI's constant
//       unknown           peer
//
// For tools:
//
//   [{"schema": "mpispec-explain-fortran/1", "file": "halo.f90", "line": 41, "column": 5,
//     "function": "MPI_Send", "in": "exchange", "binding": "mpif.h", "entry": "fast path by name",
//     "resolved": true, "facts": {"count": 10, "datatype": "MPI_DOUBLE_PRECISION", ...},
//     "origin": {"count": "literal", ...}, "types": {"buffer": "REAL(8)", ...},
//     "unknown": ["peer"], "because": []}]
//
//===------------------------------------------------------------------------------------------===//
#include "Fortran/FortranExplain.h"
#include "Support/TextLayout.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <array>

using namespace llvm;

namespace mpispec {

//===- The entry -----------------------------------------------------------------------------===//

StringRef text(FortranEntry E) {
  switch (E) {
  case FortranEntry::FastPathByName:
    return "fast path by name";
  case FortranEntry::Section:
    return "section by descriptor";
  case FortranEntry::Library:
    return "library";
  }
  llvm_unreachable("unknown entry");
}

/// Does the runtime define a Fortran entry with a fast path for the function?
static bool hasFastEntry(const FortranCall &Call) {
  static constexpr StringLiteral Names[] = {"Send",    "Recv",   "Isend",    "Irecv",     "Wait",
                                            "Waitall", "Test",   "Sendrecv", "Allreduce", "Bcast",
                                            "Barrier", "Reduce", "Alltoall"};
  return Call.Function && is_contained(Names, Call.Function->Name);
}

static bool isBuffer(Role R) {
  return R == Role::Buffer || R == Role::SendBuffer || R == Role::RecvBuffer;
}

static bool hasStridedBuffer(const FortranCall &Call) {
  return Call.Function && any_of(Call.Function->Roles, [&](Role R) {
           const FortranArgument *A = isBuffer(R) ? Call.find(R) : nullptr;
           return A && A->IsStrided;
         });
}

FortranEntry entryOf(const FortranCall &Call) {
  if (!hasFastEntry(Call))
    return FortranEntry::Library;
  if (Call.Binding != FortranBinding::ModuleF08)
    return FortranEntry::FastPathByName;
  const bool IsSection = hasStridedBuffer(Call) && Call.Function->Name != "Alltoall";
  return IsSection ? FortranEntry::Section : FortranEntry::Library;
}

/// The reasons why the call is not faster.
static std::vector<std::string> reasons(const FortranCall &Call) {
  std::vector<std::string> Reasons;
  if (!Call.Function || !isCommunication(Call.Function->Kind))
    return {};
  if (!hasFastEntry(Call))
    Reasons.push_back("no entry with a fast path has the name of this function");
  else if (entryOf(Call) == FortranEntry::Library)
    Reasons.push_back("the binding of mpi_f08 makes a call of C");
  if (hasStridedBuffer(Call) && Call.Binding != FortranBinding::ModuleF08)
    Reasons.push_back("the compiler copies a section that has gaps");
  if (const FortranArgument *Status = Call.find(Role::Status))
    if (Status->MpiConstant != "MPI_STATUS_IGNORE")
      Reasons.push_back("the status is written; MPI_STATUS_IGNORE avoids that");
  for (Role R : {Role::Peer, Role::Source})
    if (const FortranArgument *From = Call.find(R); From && From->MpiConstant == "MPI_ANY_SOURCE")
      Reasons.push_back("a message from any source");
  return Reasons;
}

//===- Arguments -----------------------------------------------------------------------------===//

namespace {
/// The printed form of one argument.
struct Fact {
  std::string Key, Value, Origin, Type;
  std::optional<int64_t> Number;
  bool IsKnown = false;
};
} // namespace

static Fact factOf(Role R, const FortranArgument &A) {
  Fact F;
  F.Key = text(R).str();
  F.Type = A.Type;
  F.IsKnown = true;
  if (!A.MpiConstant.empty()) {
    F.Value = A.MpiConstant;
    F.Origin = A.Constant.empty() ? "MPI's constant" : A.Constant + ", " + A.Origin;
  } else if (A.Value) {
    F.Number = A.Value;
    F.Value = itostr(*A.Value);
    F.Origin = A.Constant.empty() ? "literal" : A.Constant + ", " + A.Origin;
  } else if (isBuffer(R) && !A.Type.empty()) {
    F.Value = A.Text;
    F.Origin = A.Type + (A.Rank ? ", rank " + utostr(A.Rank) : "") +
               (A.IsStrided ? ", may have gaps" : "");
  } else {
    F.IsKnown = false;
  }
  return F;
}

static std::vector<Fact> factsOf(const FortranCall &Call) {
  std::vector<Fact> Facts;
  if (!Call.Function)
    return Facts;
  for (Role R : Call.Function->Roles)
    if (const FortranArgument *A = R == Role::Other ? nullptr : Call.find(R))
      if (none_of(Facts, [&](const Fact &F) { return F.Key == text(R); }))
        Facts.push_back(factOf(R, *A));
  return Facts;
}

static bool isDatatype(Role R) {
  return R == Role::Datatype || R == Role::SendDatatype || R == Role::RecvDatatype;
}

bool isResolved(const FortranCall &Call) {
  if (Call.Callee == "MPI_Finalize") // has no row in Functions.def, and no argument of interest
    return true;
  return Call.Function && all_of(Call.Function->Roles, [&](Role R) {
           const FortranArgument *A = Call.find(R);
           if (isDatatype(R))
             return A && !A->MpiConstant.empty();
           return !isBuffer(R) || (A && (!A->Type.empty() || !A->MpiConstant.empty()));
         });
}

//===- For people ----------------------------------------------------------------------------===//

static std::string placeOf(const FortranCall &Call) {
  return Call.Where.File + ":" + utostr(Call.Where.Line) + ":" + utostr(Call.Where.Column);
}

static void printCall(const FortranCall &Call, raw_ostream &OS) {
  constexpr unsigned KeyWidth = 18, ValueWidth = 24;
  Style S(OS);
  auto Line = [&](StringRef Key, StringRef Value, StringRef Origin) {
    OS << "    ";
    S.cell(Style::Plain, Key, KeyWidth);
    S.cell(Style::Bold, Value, Origin.empty() ? 0 : ValueWidth);
    S.write(Style::Dim, Origin.empty() ? "" : ("  " + Origin).str());
    OS << '\n';
  };
  FortranEntry Entry = entryOf(Call);
  S.write(Style::Bold, placeOf(Call));
  OS << "  " << Call.Callee << "  ";
  S.write(Entry == FortranEntry::Library ? Style::Middling : Style::Good, text(Entry));
  OS << '\n';
  Line("in", Call.Procedure, ("by " + text(Call.Binding)).str());
  std::vector<std::string> Unknown;
  for (const Fact &F : factsOf(Call))
    F.IsKnown ? Line(F.Key, F.Value, F.Origin) : Unknown.push_back(F.Key);
  if (!Unknown.empty())
    Line("unknown", join(Unknown, ", "), "");
  for (const std::string &Reason : reasons(Call))
    Line("because", Reason, "");
  OS << '\n';
}

void printFortranTable(const FortranUnit &Unit, raw_ostream &OS) {
  std::array<unsigned, 3> Of = {};
  for (const FortranCall &Call : Unit.Calls) {
    ++Of[static_cast<unsigned>(entryOf(Call))];
    printCall(Call, OS);
  }
  size_t Resolved = count_if(Unit.Calls, isResolved);
  OS << counted(Unit.Calls.size(), "call") << ": " << Of[0] << " by a fast path, " << Of[1]
     << " by a section's descriptor, " << Of[2] << " by the library; types known in " << Resolved
     << '\n';
  if (!Unit.MissingModules.empty())
    OS << "modules that are missing: " << join(Unit.MissingModules, ", ") << '\n';
}

//===- For tools -----------------------------------------------------------------------------===//

static json::Value valueOf(const Fact &F) {
  if (F.Number)
    return *F.Number;
  return json::fixUTF8(F.Value);
}

static json::Object objectOf(const FortranCall &Call) {
  json::Object Facts, Origins, Types;
  json::Array Unknown, Because;
  for (const Fact &F : factsOf(Call)) {
    if (!F.Type.empty())
      Types[F.Key] = F.Type;
    if (F.IsKnown) {
      Facts[F.Key] = valueOf(F);
      Origins[F.Key] = json::fixUTF8(F.Origin);
    } else {
      Unknown.push_back(F.Key);
    }
  }
  for (const std::string &Reason : reasons(Call))
    Because.push_back(Reason);
  return json::Object{{"schema", "mpispec-explain-fortran/1"},
                      {"file", json::fixUTF8(Call.Where.File)},
                      {"line", Call.Where.Line},
                      {"column", Call.Where.Column},
                      {"function", Call.Callee},
                      {"in", Call.Procedure},
                      {"binding", text(Call.Binding)},
                      {"entry", text(entryOf(Call))},
                      {"resolved", isResolved(Call)},
                      {"facts", std::move(Facts)},
                      {"origin", std::move(Origins)},
                      {"types", std::move(Types)},
                      {"unknown", std::move(Unknown)},
                      {"because", std::move(Because)}};
}

void printFortranJSON(const FortranUnit &Unit, raw_ostream &OS) {
  json::Array All;
  for (const FortranCall &Call : Unit.Calls)
    All.push_back(objectOf(Call));
  OS << json::Value(std::move(All)) << '\n';
}

} // namespace mpispec
