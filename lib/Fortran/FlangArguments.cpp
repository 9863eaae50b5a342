//===- FlangArguments.cpp - The facts about one actual argument -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Fortran/FlangArguments.h"
#include "Fortran/MpiModules.h"
#include "flang/Evaluate/check-expression.h"
#include "flang/Evaluate/fold.h"
#include "flang/Evaluate/tools.h"
#include "flang/Parser/parse-tree-visitor.h"
#include "flang/Parser/tools.h"
#include "flang/Semantics/scope.h"
#include "flang/Semantics/symbol.h"
#include "flang/Semantics/tools.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace Fortran;

namespace mpispec {

//===- Statements with errors ----------------------------------------------------------------===//

namespace {
/// Finds the statements that contain an error.
struct BadStatements {
  template <typename T> bool Pre(const T &) { return true; }
  template <typename T> void Post(const T &) {}
  template <typename T> bool Pre(const parser::Statement<T> &Statement) {
    std::optional<parser::ProvenanceRange> Range = Texts.GetProvenanceRange(Statement.source);
    if (Range && any_of(Errors, [&](parser::Provenance At) { return Range->Contains(At); }))
      Bad.push_back(*Range);
    return true;
  }
  parser::AllCookedSources &Texts;
  std::vector<parser::Provenance> Errors;
  std::vector<parser::ProvenanceRange> &Bad;
};
} // namespace

FlangArguments::FlangArguments(FlangSource &Source) : Source(Source) {
  for (const FortranDatatype &D : allFortranDatatypes())
    if (auto Value = Source.constants().find(D.Name.lower()); Value != Source.constants().end())
      Datatypes.try_emplace(Value->second, D.Name.str());
  BadStatements Finder{Source.texts(), {}, Bad};
  for (const parser::Message &M : Source.context().messages().messages())
    if (M.IsFatal())
      if (auto Range = M.GetProvenanceRange(Source.texts()))
        Finder.Errors.push_back(Range->start());
  if (!Finder.Errors.empty())
    parser::Walk(Source.program(), Finder);
}

bool FlangArguments::isTrusted(const semantics::Symbol &Symbol) {
  const semantics::Symbol &Ultimate = Symbol.GetUltimate();
  if (Ultimate.test(semantics::Symbol::Flag::Implicit) && !Source.missingModules().empty())
    return false;
  std::optional<parser::ProvenanceRange> Name = Source.texts().GetProvenanceRange(Ultimate.name());
  return !Name || none_of(Bad, [&](const parser::ProvenanceRange &Statement) {
    return Statement.Contains(*Name);
  });
}

bool FlangArguments::isTrusted(const Expression &E) {
  return all_of(evaluate::CollectSymbols(E),
                [&](const semantics::Symbol &Symbol) { return isTrusted(Symbol); });
}

//===- Places and variables ------------------------------------------------------------------===//

Place FlangArguments::place(parser::CharBlock Text) {
  Place Where;
  if (auto Range = Source.texts().GetSourcePositionRange(Text)) {
    Where.File = *Range->first.path;
    Where.Line = Range->first.line;
    Where.Column = Range->first.column;
  }
  return Where;
}

static const parser::Expr *expressionOf(const parser::ActualArgSpec &Spec) {
  const auto *E =
      std::get_if<common::Indirection<parser::Expr>>(&std::get<parser::ActualArg>(Spec.t).u);
  return E ? &E->value() : nullptr;
}

const semantics::Symbol *FlangArguments::variable(const parser::ActualArgSpec &Spec) {
  const parser::Expr *Written = expressionOf(Spec);
  const Expression *E = Written ? semantics::GetExpr(nullptr, *Written) : nullptr;
  const semantics::Symbol *First = E ? evaluate::GetFirstSymbol(*E) : nullptr;
  return First ? &First->GetUltimate() : nullptr;
}

//===- Types ---------------------------------------------------------------------------------===//

static FortranCategory categoryOf(common::TypeCategory Category) {
  switch (Category) {
  case common::TypeCategory::Integer:
    return FortranCategory::Integer;
  case common::TypeCategory::Real:
    return FortranCategory::Real;
  case common::TypeCategory::Complex:
    return FortranCategory::Complex;
  case common::TypeCategory::Logical:
    return FortranCategory::Logical;
  case common::TypeCategory::Character:
    return FortranCategory::Character;
  case common::TypeCategory::Derived:
    return FortranCategory::Derived;
  case common::TypeCategory::Unsigned:
    return FortranCategory::Unknown;
  }
  llvm_unreachable("unknown category of a type");
}

static unsigned bytesOf(FortranCategory Category, unsigned Kind) {
  switch (Category) {
  case FortranCategory::Integer:
  case FortranCategory::Logical:
  case FortranCategory::Character:
    return Kind;
  case FortranCategory::Real:
    return Kind == 10 ? 16 : Kind;
  case FortranCategory::Complex:
    return Kind == 10 ? 32 : 2 * Kind;
  case FortranCategory::Derived:
  case FortranCategory::Unknown:
    return 0;
  }
  llvm_unreachable("unknown category of a type");
}

void FlangArguments::readType(const Expression &E, FortranArgument &Result) {
  std::optional<evaluate::DynamicType> Type = E.GetType();
  if (!Type || Type->IsAssumedType() || Type->IsUnlimitedPolymorphic() || !isTrusted(E))
    return;
  Result.Category = categoryOf(Type->category());
  Result.Type = Type->AsFortran();
  Result.Rank = E.Rank();
  if (Type->category() != common::TypeCategory::Derived)
    Result.ElementBytes = bytesOf(Result.Category, Type->kind());
  if (Type->category() == common::TypeCategory::Character)
    Result.Type = "CHARACTER";
  // flang cannot decide whether an assumed-shape dummy array is contiguous. The same holds for a
  // section that may have only one element. A whole array counts as contiguous, as most arrays are.
  bool IsWhole = evaluate::UnwrapWholeSymbolOrComponentDataRef(E) != nullptr;
  Result.IsStrided =
      !evaluate::IsContiguous(E, Source.context().foldingContext()).value_or(IsWhole);
}

//===- Constants -----------------------------------------------------------------------------===//

/// The integer of \p E, also in a handle of mpi_f08.
static std::optional<int64_t> integerOf(const evaluate::Expr<evaluate::SomeType> &E) {
  if (std::optional<int64_t> Value = evaluate::ToInt64(E))
    return Value;
  const auto *Handle = evaluate::UnwrapConstantValue<evaluate::SomeDerived>(E);
  std::optional<evaluate::StructureConstructor> Scalar;
  if (Handle)
    Scalar = Handle->GetScalarValue();
  if (!Scalar || Scalar->values().size() != 1)
    return std::nullopt;
  return evaluate::ToInt64(Scalar->begin()->second.value());
}

/// Is \p Symbol declared in MPI's header or in one of its modules?
static bool isOfMPI(const semantics::Symbol &Symbol) {
  const semantics::Scope &Owner = Symbol.owner();
  if (!Owner.IsModule() || !Owner.symbol())
    return StringRef(Symbol.name().ToString()).starts_with("mpi_");
  std::string Module = Owner.symbol()->name().ToString();
  return Module == HeaderModule || Module == "mpi" || Module == "mpi_f08";
}

/// `file:line`, or the module of another source.
static std::string originOf(const semantics::Symbol &Symbol, const Place &Where) {
  const semantics::Scope &Owner = Symbol.owner();
  if (Owner.IsModule() && Owner.symbol() && StringRef(Where.File).ends_with(".mod"))
    return "module " + Owner.symbol()->name().ToString();
  return Where.File.empty() ? "" : Where.File + ":" + utostr(Where.Line);
}

void FlangArguments::readConstant(const parser::Expr &Written, FortranArgument &Result) {
  const auto *Name = parser::Unwrap<parser::Name>(Written);
  Result.IsName = Name != nullptr;
  if (Name && Name->symbol) {
    const semantics::Symbol &Symbol = Name->symbol->GetUltimate();
    std::string Text = Symbol.name().ToString();
    if (isOfMPI(Symbol) && StringRef(Text).starts_with("mpi_"))
      Result.MpiConstant = StringRef(Text).upper();
    if (semantics::IsNamedConstant(Symbol) && Result.MpiConstant.empty()) {
      Result.Constant = Text;
      Result.Origin = originOf(Symbol, place(Symbol.name()));
    }
  }
  auto Datatype = Result.Value ? Datatypes.find(*Result.Value) : Datatypes.end();
  bool MayBeHandle = !Result.Constant.empty();
  if (Result.MpiConstant.empty() && MayBeHandle && Datatype != Datatypes.end())
    Result.MpiConstant = Datatype->second;
}

//===- Variables -----------------------------------------------------------------------------===//

void FlangArguments::readVariable(const Expression &E, FortranArgument &Result) {
  const semantics::Symbol *Variable = evaluate::UnwrapWholeSymbolDataRef(E);
  if (!Variable || Result.Category == FortranCategory::Unknown)
    return;
  const semantics::Symbol &Ultimate = Variable->GetUltimate();
  const auto *Object = Ultimate.detailsIf<semantics::ObjectEntityDetails>();
  bool HasOwnStorage = Object && !Object->isDummy() && !Object->commonBlock() &&
                       !semantics::FindEquivalenceSet(Ultimate) &&
                       !semantics::IsAllocatableOrPointer(Ultimate) &&
                       !Ultimate.test(semantics::Symbol::Flag::CrayPointee);
  if (HasOwnStorage)
    Result.VariableBytes = Ultimate.size();
}

FortranArgument FlangArguments::read(const parser::ActualArgSpec &Spec) {
  FortranArgument Result;
  if (const auto &Keyword = std::get<std::optional<parser::Keyword>>(Spec.t))
    Result.Keyword = Keyword->v.ToString();
  const parser::Expr *Written = expressionOf(Spec);
  if (!Written)
    return Result;
  Result.Text = StringRef(Written->source.ToString()).trim().str();
  Result.Where = place(Written->source);
  const Expression *E = semantics::GetExpr(nullptr, *Written);
  if (E && isTrusted(*E)) {
    Result.Value = integerOf(*E);
    readType(*E, Result);
    readVariable(*E, Result);
  }
  readConstant(*Written, Result);
  return Result;
}

} // namespace mpispec
