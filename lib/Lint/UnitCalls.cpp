//===- UnitCalls.cpp - The calls of a unit as nodes of the syntax tree ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Lint/UnitCalls.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "clang/AST/StmtOpenMP.h"

using namespace clang;

namespace mpispec {

const Expr *MPICall::argument(Role R) const {
  std::optional<unsigned> Index = Site->Function->find(R);
  return Index ? Call->getArg(*Index) : nullptr;
}

UnitCalls::UnitCalls(ParsedUnit &Unit, llvm::ArrayRef<SiteFacts> Facts) : Unit(Unit) {
  for (const CallSite &Site : Unit.Sites)
    ByLocation[Site.CalleeLocation.getRawEncoding()] = {nullptr, &Site, &Facts[Site.Number]};
  for (const CallSite &Watched : Unit.Watched)
    ByLocation[Watched.CalleeLocation.getRawEncoding()] = {nullptr, &Watched, nullptr};
}

namespace {
class FunctionFinder : public DynamicRecursiveASTVisitor {
public:
  bool VisitFunctionDecl(FunctionDecl *Function) override {
    if (Function->doesThisDeclarationHaveABody() && !Function->isDependentContext())
      Found.push_back(Function);
    return true;
  }
  std::vector<const FunctionDecl *> Found;
};
} // namespace

std::vector<const FunctionDecl *> UnitCalls::functions() const {
  FunctionFinder Finder;
  Finder.TraverseDecl(context().getTranslationUnitDecl());
  llvm::erase_if(Finder.Found, [&](const FunctionDecl *Function) {
    return Unit.sources().isInSystemHeader(Function->getLocation());
  });
  return std::move(Finder.Found);
}

std::optional<MPICall> UnitCalls::find(const CallExpr *Call) const {
  const auto *Name = dyn_cast<DeclRefExpr>(Call->getCallee()->IgnoreParenImpCasts());
  auto Found = Name ? ByLocation.find(Name->getLocation().getRawEncoding()) : ByLocation.end();
  if (Found == ByLocation.end() || Call->getNumArgs() != Found->second.Site->Function->Roles.size())
    return std::nullopt;
  MPICall Result = Found->second;
  Result.Call = Call;
  return Result;
}

std::vector<MPICall> UnitCalls::sites() const {
  std::vector<MPICall> Calls;
  for (const CallSite &Site : Unit.Sites)
    Calls.push_back(ByLocation.lookup(Site.CalleeLocation.getRawEncoding()));
  return Calls;
}

void forEachStatement(const Stmt *S, llvm::function_ref<void(const Stmt *)> Visit) {
  if (!S)
    return;
  Visit(S);
  // The children of an OpenMP region are its captured variables, not its statements.
  if (const auto *Region = dyn_cast<CapturedStmt>(S))
    return forEachStatement(Region->getCapturedStmt(), Visit);
  for (const Stmt *Child : S->children())
    forEachStatement(Child, Visit);
}

std::vector<MPICall> UnitCalls::callsIn(const Stmt *S) const {
  std::vector<MPICall> Calls;
  forEachStatement(S, [&](const Stmt *Below) {
    if (const auto *Call = dyn_cast<CallExpr>(Below))
      if (std::optional<MPICall> Found = find(Call))
        Calls.push_back(*Found);
  });
  return Calls;
}

//===- Calls that are sure to be made --------------------------------------------------------===//

/// Is \p E a function or a function object of the program, which the callee may call?
static bool isCallback(const UnitCalls &Unit, const Expr *E) {
  const auto *Name = dyn_cast<DeclRefExpr>(E->IgnoreParenImpCasts());
  if (Name && isa<FunctionDecl>(Name->getDecl()) &&
      Unit.unit().sources().isInSystemHeader(Name->getDecl()->getLocation()))
    return false; // std::endl
  const QualType T = E->getType().getNonReferenceType();
  const CXXRecordDecl *Class = T->getAsCXXRecordDecl();
  return T->isFunctionType() || T->isFunctionPointerType() || T->isMemberFunctionPointerType() ||
         (Class && Class->hasDefinition() &&
          llvm::any_of(Class->methods(), [](const CXXMethodDecl *Method) {
            return Method->getOverloadedOperator() == OO_Call;
          }));
}

/// Whether \p Call calls a function of the system, which does not communicate, and returns.
static bool isHarmless(const UnitCalls &Unit, const CallExpr *Call) {
  const FunctionDecl *Callee = Call->getDirectCallee();
  if (!Callee || Callee->isNoReturn() ||
      llvm::any_of(Call->arguments(), [&](const Expr *E) { return isCallback(Unit, E); }))
    return false;
  return Callee->getBuiltinID() || Unit.unit().sources().isInSystemHeader(Callee->getLocation());
}

/// May the execution of \p S end before the end of the statement, or skip a part of it?
static bool mayBranch(const Stmt *S) {
  return isa<IfStmt, SwitchStmt, WhileStmt, DoStmt, ForStmt, CXXForRangeStmt, CXXTryStmt,
             AbstractConditionalOperator, GotoStmt, IndirectGotoStmt, LabelStmt, ReturnStmt,
             BreakStmt, ContinueStmt, CXXThrowExpr, LambdaExpr, StmtExpr, OMPExecutableDirective>(
             S) ||
         (isa<BinaryOperator>(S) && cast<BinaryOperator>(S)->isLogicalOp());
}

bool mayLeave(const Stmt *S) {
  return isa<GotoStmt, IndirectGotoStmt, LabelStmt, ReturnStmt, BreakStmt, ContinueStmt,
             CXXThrowExpr>(S);
}

static const CallExpr *asCall(const Stmt *S) {
  const auto *E = dyn_cast<Expr>(S);
  return E ? dyn_cast<CallExpr>(E->IgnoreParenCasts()) : nullptr;
}

/// Is \p S a call of MPI_Abort?
static bool aborts(const UnitCalls &Unit, const Stmt *S) {
  const CallExpr *Call = asCall(S);
  std::optional<MPICall> OfMPI = Call ? Unit.find(Call) : std::nullopt;
  return OfMPI && OfMPI->name() == "Abort";
}

bool endsProgram(const UnitCalls &Unit, const Stmt *S) {
  const CallExpr *Call = asCall(S);
  const FunctionDecl *Callee = Call ? Call->getDirectCallee() : nullptr;
  return aborts(Unit, S) || (Callee && Callee->isNoReturn());
}

llvm::SmallPtrSet<const CallExpr *, 4> lastCalls(const UnitCalls &Unit, const Stmt *Body,
                                                 bool OnlyAborts) {
  llvm::SmallPtrSet<const CallExpr *, 4> Last;
  forEachStatement(Body, [&](const Stmt *S) {
    const auto *Block = dyn_cast<CompoundStmt>(S);
    if (!Block || Block->body_empty() ||
        !(OnlyAborts ? aborts : endsProgram)(Unit, Block->body_back()))
      return;
    bool Leaves = false;
    forEachStatement(
        Block, [&](const Stmt *Below) { Leaves |= mayLeave(Below) || isa<SwitchCase>(Below); });
    if (!Leaves)
      for (const MPICall &Call : Unit.callsIn(Block))
        Last.insert(Call.Call);
  });
  return Last;
}

bool callsNothingUnknown(const UnitCalls &Unit, const Stmt *S) {
  bool IsUnknown = false;
  forEachStatement(S, [&](const Stmt *Below) {
    const auto *Call = dyn_cast<CallExpr>(Below);
    IsUnknown |=
        isa<CXXConstructExpr>(Below) || (Call && !Unit.find(Call) && !isHarmless(Unit, Call));
  });
  return !IsUnknown;
}

std::vector<MPICall> sureCalls(const UnitCalls &Unit, const Stmt *Body) {
  llvm::SmallVector<const Stmt *> Statements = {Body};
  if (const auto *Block = dyn_cast<CompoundStmt>(Body))
    Statements.assign(Block->body_begin(), Block->body_end());
  return sureCalls(Unit, Statements);
}

std::vector<MPICall> sureCalls(const UnitCalls &Unit, llvm::ArrayRef<const Stmt *> Statements) {
  std::vector<MPICall> Calls;
  for (const Stmt *Statement : Statements) {
    bool Branches = false, Leaves = false, IsUnknown = false;
    std::vector<MPICall> Here;
    forEachStatement(Statement, [&](const Stmt *S) {
      Branches |= mayBranch(S);
      Leaves |= mayLeave(S);
      IsUnknown |= isa<CXXConstructExpr>(S);
      if (const auto *Call = dyn_cast<CallExpr>(S)) {
        if (std::optional<MPICall> Found = Unit.find(Call))
          Here.push_back(*Found);
        else
          IsUnknown |= !isHarmless(Unit, Call);
      }
    });
    if (IsUnknown || Leaves || (Branches && !Here.empty()))
      break;
    Calls.insert(Calls.end(), Here.begin(), Here.end());
  }
  return Calls;
}

bool onlyReadsParameters(const Stmt *Body) {
  int Others = 0;
  forEachStatement(Body, [&](const Stmt *S) {
    const auto *Name = dyn_cast<DeclRefExpr>(S);
    Others += Name && isa<ParmVarDecl>(Name->getDecl());
    const auto *Cast = dyn_cast<ImplicitCastExpr>(S);
    const auto *Read = Cast && Cast->getCastKind() == CK_LValueToRValue
                           ? dyn_cast<DeclRefExpr>(Cast->getSubExpr()->IgnoreParens())
                           : nullptr;
    Others -= Read && isa<ParmVarDecl>(Read->getDecl());
  });
  return Others == 0;
}

//===- Names ---------------------------------------------------------------------------------===//

Place UnitCalls::place(SourceLocation Location) const {
  PresumedLoc Where = Unit.sources().getPresumedLoc(Unit.sources().getExpansionLoc(Location));
  if (Where.isInvalid())
    return {};
  return {Where.getFilename(), Where.getLine(), Where.getColumn()};
}

std::string linkerName(const FunctionDecl &Function, const UnitCalls &Unit,
                       ASTNameGenerator &Names) {
  std::string Name = Names.getName(&Function);
  return Function.isExternallyVisible() ? Name : Unit.unit().MainFile + ":" + Name;
}

const VarDecl *variableOf(const Expr *E) {
  const auto *Name = E ? dyn_cast<DeclRefExpr>(E->IgnoreParenCasts()) : nullptr;
  return Name ? dyn_cast<VarDecl>(Name->getDecl()) : nullptr;
}

const VarDecl *variableAt(const Expr *E) {
  const auto *Address = E ? dyn_cast<UnaryOperator>(E->IgnoreParenCasts()) : nullptr;
  return Address && Address->getOpcode() == UO_AddrOf ? variableOf(Address->getSubExpr()) : nullptr;
}

} // namespace mpispec
