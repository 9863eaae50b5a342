//===- FlowCollector.cpp - The flows of one unit ----------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Predictions/FlowCollector.h"
#include "Frontend/ProgramText.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/Mangle.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/StringSaver.h"

using namespace clang;

namespace mpispec {

std::string argumentPlace(const CallSite &Site, unsigned Index) {
  return "-s:" + std::to_string(Site.Number) + ":" + std::to_string(Index);
}

namespace {

/// The kind of handle that a type's name denotes, also through typedefs. Nothing if the type is no
/// handle.
std::optional<NamedConstant::Kind> handleKind(QualType T) {
  while (const auto *Named = T->getAs<TypedefType>()) {
    llvm::StringRef Name = Named->getDecl()->getName();
    if (Name == "MPI_Datatype")
      return NamedConstant::Datatype;
    if (Name == "MPI_Comm")
      return NamedConstant::Comm;
    if (Name == "MPI_Op")
      return NamedConstant::Op;
    T = Named->desugar();
  }
  return std::nullopt;
}

bool isNumber(QualType T) { return T->isIntegerType() && !T->isBooleanType() && !T->isCharType(); }
bool canFlow(QualType T) { return handleKind(T) || isNumber(T); }

/// A change in place (`n += 2`, `++n`) or an `&n` counts as this number of assignments.
constexpr unsigned Changed = 2;

class Collector : public DynamicRecursiveASTVisitor {
public:
  explicit Collector(ParsedUnit &Unit);
  Flows run();

  bool TraverseDecl(Decl *D) override;
  bool VisitVarDecl(VarDecl *Variable) override;
  bool VisitBinaryOperator(BinaryOperator *Operator) override;
  bool VisitUnaryOperator(UnaryOperator *Operator) override;
  bool VisitCallExpr(CallExpr *Call) override;

private:
  std::string bitsOf(const Expr *E) const;
  FlowValue constantOf(const Expr *E, std::optional<NamedConstant::Kind> Kind) const;
  llvm::StringRef placeOf(const Decl *D);
  std::string nameOf(const Decl *D);
  llvm::StringRef placeOf(const Expr *E);
  void flow(llvm::StringRef Into, const Expr *E, QualType As, unsigned Depth = 0);
  llvm::StringRef pointedPlace(const Expr *E);
  std::string bytesMade(const CallExpr *Call, const FunctionInfo &Info) const;
  void flowDatatypes(const CallExpr *Call, const FunctionInfo &Info);
  void flowElements(const Expr *E, llvm::StringRef Into);

  ParsedUnit &Unit;
  ASTContext &Context;
  ASTNameGenerator Names;
  llvm::StringMap<std::string> Datatypes, Comms, Ops;     ///< names by bits
  llvm::DenseMap<unsigned, const CallSite *> Sites;       ///< by the callee's location
  llvm::DenseMap<unsigned, const FunctionInfo *> Watched; ///< other calls of MPI, likewise
  llvm::DenseMap<const Decl *, llvm::StringRef> Places;
  llvm::DenseSet<const Expr *> Understood; ///< `&n` whose effect is known
  llvm::BumpPtrAllocator Memory;
  llvm::StringSaver PlaceNames{Memory};
  Flows Result;
};

Collector::Collector(ParsedUnit &Unit)
    : Unit(Unit), Context(Unit.compiler().getASTContext()), Names(Context) {
  ShouldVisitTemplateInstantiations = true;
  ShouldWalkTypesOfTypeLocs = false;
  for (const CallSite &Site : Unit.Sites)
    Sites[Site.CalleeLocation.getRawEncoding()] = &Site;
  for (const CallSite &Call : Unit.Watched)
    Watched[Call.CalleeLocation.getRawEncoding()] = Call.Function;
  for (const DatatypeInfo &D : allDatatypes())
    if (const llvm::Constant *Value = Unit.Values.value(D.Name))
      if (const DatatypeInfo *First = Unit.Values.datatype(Value))
        Datatypes.try_emplace(handleBits(*Value), First->Name);
  for (const NamedConstant &C : allNamedConstants())
    if (const llvm::Constant *Value = Unit.Values.value(C.Name)) {
      if (C.K == NamedConstant::Comm)
        Comms.try_emplace(handleBits(*Value), C.Name);
      else if (C.K == NamedConstant::Op)
        Ops.try_emplace(handleBits(*Value), C.Name);
    }
}

/// The constant \p E as handleBits() writes it; empty: it is none.
std::string Collector::bitsOf(const Expr *E) const {
  Expr::EvalResult Result;
  if (E->getType()->isIntegerType()) {
    if (!E->EvaluateAsInt(Result, Context) || Result.Val.getInt().getSignificantBits() > 64)
      return "";
    return "0x" + llvm::utohexstr(Result.Val.getInt().getExtValue(), /*LowerCase=*/true) + "ul";
  }
  if (!E->getType()->isPointerType() || !E->EvaluateAsRValue(Result, Context) ||
      !Result.Val.isLValue() || Result.HasSideEffects)
    return "";
  if (const auto *Base = Result.Val.getLValueBase().dyn_cast<const ValueDecl *>())
    return "(unsigned long)&" + Base->getNameAsString();
  if (Result.Val.getLValueBase())
    return "";
  int64_t Number = Result.Val.getLValueOffset().getQuantity();
  return Number ? "0x" + llvm::utohexstr(Number, /*LowerCase=*/true) + "ul" : "0ul";
}

/// The value of \p E in every execution. A negative number cannot be a count, and counts as
/// unknown.
FlowValue Collector::constantOf(const Expr *E, std::optional<NamedConstant::Kind> Kind) const {
  if (Kind) {
    const auto &Names = *Kind == NamedConstant::Datatype ? Datatypes
                        : *Kind == NamedConstant::Comm   ? Comms
                                                         : Ops;
    auto Found = Names.find(bitsOf(E));
    return Found == Names.end() ? "" : "@" + Found->second;
  }
  Expr::EvalResult Result;
  if (!E->getType()->isIntegerType() || !E->EvaluateAsInt(Result, Context) ||
      Result.Val.getInt().isNegative() || Result.Val.getInt().getActiveBits() > 63)
    return "";
  return "=" + std::to_string(Result.Val.getInt().getExtValue());
}

//===- Places --------------------------------------------------------------------------------===//

/// The name of a structure type, which is the same in all units; empty: it has none.
static std::string recordName(const RecordDecl *Record) {
  if (Record->getIdentifier())
    return Record->getQualifiedNameAsString();
  const TypedefNameDecl *Name = Record->getTypedefNameForAnonDecl();
  return Name ? Name->getQualifiedNameAsString() : "";
}

std::string Collector::nameOf(const Decl *D) {
  auto OfUnit = [&] { return "-v:" + std::to_string(Places.size()); };
  if (const auto *Field = dyn_cast<FieldDecl>(D)) {
    std::string Record = recordName(Field->getParent());
    return Record.empty() ? OfUnit() : "f:" + Record + "." + Field->getNameAsString();
  }
  if (const auto *Parameter = dyn_cast<ParmVarDecl>(D)) {
    const auto *Function = dyn_cast<FunctionDecl>(Parameter->getDeclContext());
    if (!Function)
      return OfUnit();
    return (Function->isExternallyVisible() ? "p:" : "-p:") + Names.getName(Function) + ":" +
           std::to_string(Parameter->getFunctionScopeIndex());
  }
  const auto *Variable = dyn_cast<VarDecl>(D);
  if (Variable && Variable->hasGlobalStorage() && Variable->isExternallyVisible())
    return "g:" + Names.getName(Variable);
  return OfUnit();
}

llvm::StringRef Collector::placeOf(const Decl *D) {
  D = D->getCanonicalDecl();
  llvm::StringRef &Name = Places[D];
  if (Name.empty())
    Name = PlaceNames.save(nameOf(D));
  return Name;
}

/// The array that \p E is an element of, or the pointer that \p E dereferences; else null.
static const Expr *baseOf(const Expr *E) {
  if (const auto *Element = dyn_cast<ArraySubscriptExpr>(E))
    return Element->getBase();
  const auto *Operator = dyn_cast<UnaryOperator>(E);
  return Operator && Operator->getOpcode() == UO_Deref ? Operator->getSubExpr() : nullptr;
}

/// The place that \p E names; elements of an array are one place. Empty: none that is known.
llvm::StringRef Collector::placeOf(const Expr *E) {
  E = E->IgnoreParenCasts();
  while (const Expr *Base = baseOf(E))
    E = Base->IgnoreParenCasts();
  if (const auto *Name = dyn_cast<DeclRefExpr>(E); Name && isa<VarDecl>(Name->getDecl()))
    return placeOf(Name->getDecl());
  if (const auto *Member = dyn_cast<MemberExpr>(E);
      Member && isa<FieldDecl>(Member->getMemberDecl()))
    return placeOf(Member->getMemberDecl());
  return "";
}

//===- Flows ---------------------------------------------------------------------------------===//

/// Adds the possible values of \p E to the flows into the place \p Into. \p As is the type of the
/// place, which distinguishes handles from integers.
void Collector::flow(llvm::StringRef Into, const Expr *E, QualType As, unsigned Depth) {
  constexpr unsigned MostSteps = 6;
  if (E->isValueDependent() || E->isTypeDependent())
    return;
  E = E->IgnoreParenImpCasts();
  if (const auto *Choice = dyn_cast<ConditionalOperator>(E); Choice && Depth < MostSteps) {
    flow(Into, Choice->getTrueExpr(), As, Depth + 1);
    flow(Into, Choice->getFalseExpr(), As, Depth + 1);
    return;
  }
  std::optional<NamedConstant::Kind> Kind = handleKind(As);
  llvm::StringRef From = placeOf(E);
  std::string Constant =
      From.empty() || Kind || E->isEvaluatable(Context) ? constantOf(E, Kind) : "";
  if (!Constant.empty())
    Result.add(Into, Constant);
  else if (!From.empty())
    Result.add(Into, From);
  else if (const Expr *Inner = E->IgnoreParenCasts(); Inner != E && Depth < MostSteps)
    flow(Into, Inner, As, Depth + 1); // a cast in the program's text
  else
    Result.add(Into, "?");
}

/// Adds the flows of an initializer in braces. \p Into: the place of the array or structure itself.
void Collector::flowElements(const Expr *E, llvm::StringRef Into) {
  const auto *List = dyn_cast<InitListExpr>(E);
  if (!List)
    return;
  if (const InitListExpr *Semantic = List->getSemanticForm())
    List = Semantic;
  const RecordDecl *Record = List->getType()->getAsRecordDecl();
  if (!Record || Record->isUnion()) {
    for (const Expr *Element : List->inits()) {
      if (isa<InitListExpr>(Element))
        flowElements(Element, Into);
      else if (canFlow(Element->getType()))
        flow(Into, Element,
             List->getType()->isArrayType()
                 ? Context.getAsArrayType(List->getType())->getElementType()
                 : Element->getType());
    }
    return;
  }
  unsigned Index = 0;
  for (const FieldDecl *Field : Record->fields()) {
    if (Index == List->getNumInits())
      break;
    const Expr *Element = List->getInit(Index++);
    if (isa<InitListExpr>(Element))
      flowElements(Element, placeOf(Field));
    else if (canFlow(Field->getType()) && !isa<ImplicitValueInitExpr>(Element))
      flow(placeOf(Field), Element, Field->getType());
  }
}

bool Collector::TraverseDecl(Decl *D) {
  if (D && D->isDefinedOutsideFunctionOrMethod() && !isProgramText(Unit, D))
    return true;
  return DynamicRecursiveASTVisitor::TraverseDecl(D);
}

bool Collector::VisitVarDecl(VarDecl *Variable) {
  if (!Variable->hasInit() || isa<ParmVarDecl>(Variable) || Variable->isInvalidDecl())
    return true;
  if (canFlow(Variable->getType()))
    flow(placeOf(Variable), Variable->getInit(), Variable->getType());
  else
    flowElements(Variable->getInit(), placeOf(Variable));
  return true;
}

bool Collector::VisitBinaryOperator(BinaryOperator *Operator) {
  if (!Operator->isAssignmentOp() || !canFlow(Operator->getLHS()->getType()))
    return true;
  llvm::StringRef Into = placeOf(Operator->getLHS());
  if (Into.empty())
    return true;
  if (Operator->getOpcode() == BO_Assign)
    flow(Into, Operator->getRHS(), Operator->getLHS()->getType());
  else
    Result.add(Into, "?", Changed);
  return true;
}

/// The place whose address is \p E.
llvm::StringRef Collector::pointedPlace(const Expr *E) {
  E = E->IgnoreParenCasts();
  const auto *Operator = dyn_cast<UnaryOperator>(E);
  if (!Operator || Operator->getOpcode() != UO_AddrOf)
    return placeOf(E);
  Understood.insert(Operator);
  return placeOf(Operator->getSubExpr());
}

/// Bytes of an element of the datatype that \p Call makes, in digits. Empty if they are unknown.
/// They are count x length x bytes of the old datatype's element (MPI-4.0, section 5.1.2).
std::string Collector::bytesMade(const CallExpr *Call, const FunctionInfo &Info) const {
  std::optional<unsigned> Old = Info.find(Role::Datatype);
  if (!Old || !Info.find(Role::Count) || Info.find(Role::Lengths) ||
      Call->getArg(*Old)->isValueDependent())
    return "";
  std::string Name = Datatypes.lookup(bitsOf(Call->getArg(*Old)));
  const DatatypeInfo *Datatype = lookUpDatatype(Name);
  std::optional<uint64_t> Bytes = Datatype ? Unit.Values.size(*Datatype) : std::nullopt;
  for (Role R : {Role::Count, Role::Length}) {
    Expr::EvalResult Factor;
    constexpr int64_t Largest = int64_t(1) << 31;
    if (std::optional<unsigned> Index = Info.find(R); Index && Bytes) {
      const Expr *Argument = Call->getArg(*Index);
      bool IsKnown = !Argument->isValueDependent() && Argument->EvaluateAsInt(Factor, Context);
      if (!IsKnown || Factor.Val.getInt() < 0 || Factor.Val.getInt() >= Largest ||
          *Bytes >= Largest)
        return "";
      *Bytes *= Factor.Val.getInt().getExtValue();
    }
  }
  return Bytes && *Bytes ? std::to_string(*Bytes) : "";
}

/// If MPI has removed \p Callee, the function with the same arguments that replaces it (MPI-4.0,
/// section 17.1); else null.
static const FunctionInfo *successorOf(llvm::StringRef Callee) {
  return lookUpFunction(llvm::StringSwitch<llvm::StringRef>(Callee)
                            .Case("MPI_Type_hvector", "MPI_Type_create_hvector")
                            .Case("MPI_Type_hindexed", "MPI_Type_create_hindexed")
                            .Case("MPI_Type_struct", "MPI_Type_create_struct")
                            .Default(""));
}

/// Adds the datatype that a call makes to the place in which the call stores it. The commit and the
/// release of a datatype count as no change, because a freed datatype is not sent.
void Collector::flowDatatypes(const CallExpr *Call, const FunctionInfo &Info) {
  for (auto [Index, R] : llvm::enumerate(Info.Roles)) {
    bool IsMade = R == Role::NewDatatype;
    if (Index >= Call->getNumArgs() ||
        !(IsMade || R == Role::CommittedDatatype || R == Role::FreedDatatype))
      continue;
    llvm::StringRef Into = pointedPlace(Call->getArg(Index));
    if (IsMade && !Into.empty())
      Result.add(Into, Info.Name == "Type_dup" ? "?" : "*" + bytesMade(Call, Info));
  }
}

/// Code that has a variable's address may write to the variable, and a counter seldom keeps its
/// first value. Therefore `&n` and `++n` each count as several assignments.
bool Collector::VisitUnaryOperator(UnaryOperator *Operator) {
  if (Understood.contains(Operator))
    return true;
  bool Changes = Operator->isIncrementDecrementOp() || Operator->getOpcode() == UO_AddrOf;
  if (!Changes || !canFlow(Operator->getSubExpr()->getType()))
    return true;
  if (llvm::StringRef Into = placeOf(Operator->getSubExpr()); !Into.empty())
    Result.add(Into, "?", Changed);
  return true;
}

bool Collector::VisitCallExpr(CallExpr *Call) {
  const auto *Name = dyn_cast<DeclRefExpr>(Call->getCallee()->IgnoreParenImpCasts());
  const FunctionDecl *Callee = Call->getDirectCallee();
  if (!Name || !Callee || Call->getNumArgs() != Callee->getNumParams())
    return true;
  if (const CallSite *Site = Sites.lookup(Name->getLocation().getRawEncoding())) {
    for (unsigned I = 0; I < Call->getNumArgs(); ++I)
      if (canFlow(Callee->getParamDecl(I)->getType()))
        flow(argumentPlace(*Site, I), Call->getArg(I), Callee->getParamDecl(I)->getType());
    return true;
  }
  const FunctionInfo *Info = Watched.lookup(Name->getLocation().getRawEncoding());
  if (!Info && Callee->getIdentifier())
    Info = successorOf(Callee->getName());
  if (Info && Info->Kind == FunctionKind::Datatype)
    flowDatatypes(Call, *Info);
  bool IsOfProgram = Callee->getIdentifier() && !Callee->isVariadic() &&
                     isProgramText(Unit, Callee) && !Callee->getName().starts_with("MPI_") &&
                     !Callee->getName().starts_with("mpispec.");
  if (!IsOfProgram)
    return true;
  const FunctionDecl *Canonical = Callee->getCanonicalDecl();
  for (unsigned I = 0; I < Call->getNumArgs(); ++I)
    if (canFlow(Callee->getParamDecl(I)->getType()))
      flow(placeOf(Canonical->getParamDecl(I)), Call->getArg(I),
           Callee->getParamDecl(I)->getType());
  return true;
}

Flows Collector::run() {
  TraverseDecl(Context.getTranslationUnitDecl());
  return std::move(Result);
}

} // namespace

Flows collectFlows(ParsedUnit &Unit) { return Collector(Unit).run(); }

} // namespace mpispec
