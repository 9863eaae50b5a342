//===- CallSiteCollector.cpp - MPI calls in the syntax tree -----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Frontend/CallSiteCollector.h"
#include "Frontend/EvaluatedVisitor.h"
#include "Frontend/LibraryBodies.h"
#include "Frontend/PreprocessedSource.h"
#include "Frontend/Spelling.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/SaveAndRestore.h"
#include <numeric>

using namespace clang;

namespace mpispec {

/// Walks one declaration. Passes each call to the collector, with the innermost declaration around
/// it and the declaration of the text in which it stands (\p Root).
class CallVisitor : public EvaluatedVisitor {
public:
  CallVisitor(CallSiteCollector &Collector, const Decl *Root) : Collector(Collector), Root(Root) {
    ShouldVisitTemplateInstantiations = true;
    ShouldWalkTypesOfTypeLocs = false;
  }
  bool TraverseDecl(Decl *D) override {
    llvm::SaveAndRestore<const Decl *> Restore(Enclosing, D ? D : Enclosing);
    return EvaluatedVisitor::TraverseDecl(D);
  }
  bool VisitCallExpr(CallExpr *Call) override {
    Collector.visitCall(Call, Enclosing, Root);
    return true;
  }
  bool VisitLambdaExpr(LambdaExpr *Lambda) override {
    if (FunctionTemplateDecl *Generic = Lambda->getDependentCallOperator())
      Collector.GenericLambdas.insert({Generic, Root});
    return true;
  }

private:
  CallSiteCollector &Collector;
  const Decl *Root, *Enclosing = nullptr;
};

/// The row for \p Callee if it is MPI's own function as MPI's header declares it.
static const FunctionInfo *functionOfMpi(const FunctionDecl *Callee) {
  if (!Callee->getIdentifier() || !Callee->isExternC() || !Callee->hasWrittenPrototype() ||
      Callee->isVariadic() || Callee->isDefined())
    return nullptr;
  const FunctionInfo *Info = lookUpFunction(Callee->getName());
  return Info && Info->Roles.size() == Callee->getNumParams() ? Info : nullptr;
}

/// The same for the function that \p Call calls by its name.
static const FunctionInfo *functionOfMpi(const CallExpr &Call) {
  const FunctionDecl *Callee = Call.getDirectCallee();
  if (!Callee || !isa<DeclRefExpr>(Call.getCallee()->IgnoreParenImpCasts()) ||
      Call.getNumArgs() != Callee->getNumParams())
    return nullptr;
  return functionOfMpi(Callee);
}

/// \p Call is no call of MPI's own function. If the callee still has the name of an MPI function,
/// returns the place of the name, else an invalid location. An example is an overload of the
/// program that an instantiation of a template chose.
static SourceLocation nameOfOther(const CallExpr &Call) {
  const auto *Name = dyn_cast<DeclRefExpr>(Call.getCallee()->IgnoreParenImpCasts());
  const IdentifierInfo *Identifier = Name ? Name->getDecl()->getIdentifier() : nullptr;
  return Identifier && lookUpFunction(Identifier->getName()) ? Name->getLocation()
                                                             : SourceLocation();
}

/// The declaration in the text that \p D was instantiated from, or \p D.
static const Decl *asWritten(const Decl *D) {
  if (const auto *Function = dyn_cast<FunctionDecl>(D))
    if (const FunctionDecl *Pattern = Function->getTemplateInstantiationPattern())
      return Pattern;
  if (const auto *Record = dyn_cast<CXXRecordDecl>(D))
    if (const CXXRecordDecl *Pattern = Record->getTemplateInstantiationPattern())
      return Pattern;
  if (const auto *Variable = dyn_cast<VarDecl>(D))
    if (const VarDecl *Pattern = Variable->getTemplateInstantiationPattern())
      return Pattern;
  return D;
}

/// The outermost declaration around \p D, not counting linkage specifications. It is \p Root, the
/// declaration at which the walk began if that is known, if \p D is in a lambda of an initializer.
static const Decl *outermost(const Decl *D, const Decl *Root) {
  D = asWritten(D);
  while (true) {
    const DeclContext *Parent = D->getLexicalDeclContext();
    const DeclContext *Scope = Parent;
    while (Scope && isa<LinkageSpecDecl>(Scope))
      Scope = Scope->getLexicalParent();
    if (!Scope || Scope->isTranslationUnit()) {
      const auto *Record = dyn_cast<CXXRecordDecl>(D);
      return Record && Record->isLambda() && Root ? Root : D;
    }
    D = asWritten(cast<Decl>(Scope));
  }
}

/// A name with `::` in front of it is MPI's, but one in a namespace is a declaration of the
/// program.
static bool isQualified(const CallExpr &Call) {
  NestedNameSpecifier Qualifier =
      cast<DeclRefExpr>(Call.getCallee()->IgnoreParenImpCasts())->getQualifier();
  return Qualifier && Qualifier.getKind() != NestedNameSpecifier::Kind::Global;
}

/// Compilers warn about a static function in an inline definition with external linkage (C17
/// 6.7.4). C++ has no such definitions.
static bool isInline(const Decl *D, const ASTContext &Context) {
  const auto *Function = dyn_cast<FunctionDecl>(D);
  return Function && !Context.getLangOpts().CPlusPlus && Function->isInlined() &&
         Function->isExternallyVisible();
}

/// Where the text of \p D begins, its template parameters included.
static SourceLocation beginOf(const Decl *D) {
  const TemplateDecl *Template = D->getDescribedTemplate();
  return Template ? Template->getBeginLoc() : D->getBeginLoc();
}

static std::string enclosingFunction(const Decl *D) {
  const DeclContext *Scope = isa<FunctionDecl>(D) ? cast<FunctionDecl>(D) : D->getDeclContext();
  for (; Scope; Scope = Scope->getParent()) {
    const auto *Function = dyn_cast<FunctionDecl>(Scope);
    if (!Function)
      continue;
    const auto *Method = dyn_cast<CXXMethodDecl>(Function);
    if (Method && Method->getParent()->isLambda())
      continue;
    return Function->getQualifiedNameAsString();
  }
  return "";
}

/// The macro whose body spells the token at \p Location, with the place of that body.
static std::pair<std::string, SourceLocation> macroOfBody(SourceLocation Location,
                                                          const ASTContext &Context) {
  const SourceManager &SM = Context.getSourceManager();
  while (Location.isMacroID() && SM.isMacroArgExpansion(Location))
    Location = SM.getImmediateSpellingLoc(Location);
  if (!Location.isMacroID())
    return {"", SourceLocation()};
  return {Lexer::getImmediateMacroName(Location, SM, Context.getLangOpts()).str(),
          SM.getSpellingLoc(Location)};
}

/// Attributes of the MPI header that make the compiler warn at the call, or that depend on the
/// callee. They would be lost with the callee's name. An assembler label, which a program may have
/// declared, names another function.
static bool hasCallerVisibleAttribute(const FunctionDecl *Callee) {
  return Callee->hasAttr<WarnUnusedResultAttr>() || Callee->hasAttr<DeprecatedAttr>() ||
         Callee->hasAttr<UnavailableAttr>() || Callee->hasAttr<ErrorAttr>() ||
         Callee->hasAttr<DiagnoseIfAttr>() || Callee->hasAttr<EnableIfAttr>() ||
         Callee->hasAttr<NonNullAttr>() || Callee->hasAttr<ReturnsNonNullAttr>() ||
         Callee->hasAttr<AsmLabelAttr>();
}

static bool isInLambda(const Decl *D) {
  for (const DeclContext *Scope = D->getDeclContext(); Scope; Scope = Scope->getParent())
    if (const auto *Record = dyn_cast<CXXRecordDecl>(Scope); Record && Record->isLambda())
      return true;
  return false;
}

void CallSiteCollector::Initialize(ASTContext &C) { Context = &C; }

bool CallSiteCollector::HandleTopLevelDecl(DeclGroupRef Group) {
  for (Decl *D : Group) {
    // The C++ library neither calls MPI nor names variables of the program's functions. A lambda
    // that the program passes to it is declared in the program.
    if (!headerOfLibrary(Context->getSourceManager(), D->getLocation()).empty())
      continue;
    // Visited with the declaration in which the lambda stands, or at the end of the unit.
    if (isInLambda(D)) {
      InLambdas.push_back(D);
      continue;
    }
    Unread.read(D, [](const CallExpr &Call) { return functionOfMpi(Call); });
    CallVisitor(*this, D).TraverseDecl(D);
  }
  return true;
}

void CallSiteCollector::HandleInlineFunctionDefinition(FunctionDecl *Function) {
  HandleTopLevelDecl(DeclGroupRef(Function));
}

/// Clang does not pass an instance of a generic lambda to this consumer if the instance was made to
/// deduce its return type (std::invoke_result). A second visit of an instance changes nothing.
void CallSiteCollector::HandleTranslationUnit(ASTContext &) {
  // Visits may add lambdas within lambdas.
  for (size_t I = 0; I < GenericLambdas.size(); ++I) {
    auto [Generic, Root] = *(GenericLambdas.begin() + I);
    for (FunctionDecl *Instance : Generic->specializations())
      CallVisitor(*this, Root).TraverseDecl(Instance);
  }
  // Those whose lambda is in no declaration that this consumer gets, such as an instance of a
  // variable template, stay as they are. Visits of the others change nothing.
  for (Decl *D : InLambdas)
    CallVisitor(*this, nullptr).TraverseDecl(D);
}

void CallSiteCollector::visitCall(CallExpr *Call, const Decl *Enclosing, const Decl *Root) {
  const FunctionInfo *Info = functionOfMpi(*Call);
  if (!Info) {
    if (SourceLocation Other = nameOfOther(*Call); Other.isValid())
      Others.insert(Other.getRawEncoding());
    return;
  }
  FunctionDecl *Callee = Call->getDirectCallee();
  auto *Name = cast<DeclRefExpr>(Call->getCallee()->IgnoreParenImpCasts());
  if (isTextOfMpi(Context->getSourceManager(), Name->getLocation()))
    return;
  Collection &Into = isCommunication(Info->Kind) ? Sites : Watched;
  auto [Entry, New] =
      Into.ByLocation.try_emplace(Name->getLocation().getRawEncoding(), Into.Calls.size());
  if (New) {
    Into.Calls.push_back(describe(Call, Callee, Name->getLocation(), Enclosing, Root));
    Into.Redirections.push_back(redirection(Callee, Into.Prefix + llvm::Twine(Entry->second)));
  } else {
    CallSite &Site = Into.Calls[Entry->second];
    forgetDifferingElements(Site, *Call);
    Site.StatusUnread &= hasUnreadStatus(*Info, *Call);
  }
  Name->setDecl(Into.Redirections[Entry->second]);
}

FunctionDecl *CallSiteCollector::redirection(const FunctionDecl *Callee, const llvm::Twine &Text) {
  std::string Name = Text.str();
  auto *Site = FunctionDecl::Create(*Context, Context->getTranslationUnitDecl(), SourceLocation(),
                                    SourceLocation(), DeclarationName(&Context->Idents.get(Name)),
                                    Callee->getType(), nullptr, SC_Extern);
  SmallVector<ParmVarDecl *, 12> Parameters;
  for (const ParmVarDecl *P : Callee->parameters())
    Parameters.push_back(ParmVarDecl::Create(*Context, Site, SourceLocation(), SourceLocation(),
                                             nullptr, P->getType(), nullptr, SC_None, nullptr));
  Site->setParams(Parameters);
  // An assembler name is not mangled, in C or in C++.
  Site->addAttr(AsmLabelAttr::CreateImplicit(*Context, Name));
  return Site;
}

/// The compiler chooses the order in which arguments are evaluated (C17 6.5.2.2, C++17
/// [expr.call]). The order may matter if two arguments have side effects. It may also matter if one
/// argument has side effects, and another reads more than local variables.
static bool orderMatters(const CallExpr &Call, const ASTContext &Context) {
  unsigned Effects = 0, Reads = 0;
  for (const Expr *Argument : Call.arguments()) {
    Spelling::Kind K = spellingOf(Argument, Context).K;
    if (Argument->HasSideEffects(Context))
      ++Effects;
    else if (Argument->getType()->isIntegerType())
      Reads += K == Spelling::Static || K == Spelling::Expression;
  }
  return Effects > 1 || (Effects && Reads);
}

CallSite CallSiteCollector::describe(const CallExpr *Call, const FunctionDecl *Callee,
                                     SourceLocation CalleeLocation, const Decl *Enclosing,
                                     const Decl *Root) const {
  const SourceManager &SM = Context->getSourceManager();
  CallSite Site;
  Site.Function = functionOfMpi(Callee);
  Site.Callee = Callee->getNameAsString();
  Site.LargeCount = Callee->getName() != ("MPI_" + llvm::Twine(Site.Function->Name)).str();
  PresumedLoc Place = SM.getPresumedLoc(SM.getExpansionLoc(CalleeLocation));
  if (Place.isValid()) {
    Site.File = Place.getFilename();
    Site.Line = Place.getLine();
    Site.Column = Place.getColumn();
  }
  Site.EnclosingFunction = enclosingFunction(Enclosing);
  auto [Macro, Body] = macroOfBody(CalleeLocation, *Context);
  Site.EnclosingMacro = Macro;
  PrintingPolicy Policy(Context->getLangOpts());
  Site.ReturnType = Callee->getReturnType().getAsString(Policy);
  for (const ParmVarDecl *P : Callee->parameters())
    Site.ParameterTypes.push_back(P->getType().getAsString(Policy));
  for (const Expr *Argument : Call->arguments()) {
    Site.Arguments.push_back(sourceText(Argument, *Context));
    Site.Spellings.push_back(spellingOf(Argument, *Context));
  }
  Site.ReadOtherwise = orderMatters(*Call, *Context);
  Site.StatusUnread = hasUnreadStatus(*Site.Function, *Call);
  if (hasCallerVisibleAttribute(Callee))
    Site.Obstacle = RemarkID::CalleeAttribute;
  else if (Body.isValid() && SM.isInSystemHeader(Body))
    Site.Obstacle = RemarkID::InSystemMacro;
  else if (SM.isInSystemHeader(SM.getExpansionLoc(CalleeLocation)))
    Site.Obstacle = RemarkID::InSystemHeader;
  else if (!Root || isa<FieldDecl>(Enclosing) || isa<ParmVarDecl>(Enclosing))
    Site.Obstacle = RemarkID::InInitializer;
  else if (isQualified(*Call))
    Site.Obstacle = RemarkID::QualifiedName;
  else if (isInline(outermost(Enclosing, Root), *Context))
    Site.Obstacle = RemarkID::InInlineFunction;
  Site.CalleeLocation = CalleeLocation;
  Site.DeclarationLocation = beginOf(outermost(Enclosing, Root));
  return Site;
}

/// Clears the element sizes of buffers whose elements have another size in this instantiation.
void CallSiteCollector::forgetDifferingElements(CallSite &Site, const CallExpr &Call) const {
  for (auto [Argument, Written] : llvm::zip_equal(Call.arguments(), Site.Spellings))
    if (spellingOf(Argument, *Context).ElementSize != Written.ElementSize)
      Written.ElementSize = 0;
}

bool CallSiteCollector::hasUnreadStatus(const FunctionInfo &Function, const CallExpr &Call) const {
  std::optional<unsigned> Status = Function.find(Role::Status);
  if (!Status)
    Status = Function.find(Role::Statuses);
  return Status && Unread.has(Call.getArg(*Status));
}

std::vector<CallSite> CallSiteCollector::take(Collection &From, llvm::Module &M) const {
  const SourceManager &SM = Context->getSourceManager();
  std::vector<CallSite> &Sites = From.Calls;
  std::vector<unsigned> Order(Sites.size());
  std::iota(Order.begin(), Order.end(), 0u);
  llvm::sort(Order, [&](unsigned A, unsigned B) {
    return SM.isBeforeInTranslationUnit(Sites[A].CalleeLocation, Sites[B].CalleeLocation);
  });
  // All functions lose their names first, because a new name may be the old name of another
  // function.
  std::vector<llvm::Function *> Functions(Sites.size());
  for (unsigned I = 0; I < Sites.size(); ++I) {
    // Clang marks a name for the assembler with the byte 1 where C names get a prefix.
    std::string Name = (From.Prefix + llvm::Twine(I)).str();
    Functions[I] = M.getFunction(Name);
    if (!Functions[I])
      Functions[I] = M.getFunction("\01" + Name);
    if (Functions[I])
      Functions[I]->setName("");
  }
  std::vector<CallSite> Result;
  for (unsigned Old : Order) {
    unsigned Number = Result.size();
    Result.push_back(std::move(Sites[Old]));
    Result.back().Number = Number;
    if (Others.contains(Result.back().CalleeLocation.getRawEncoding()))
      Result.back().Obstacle = RemarkID::OtherFunction;
    if (Functions[Old])
      Functions[Old]->setName(From.Prefix + llvm::Twine(Number));
  }
  Sites.clear();
  return Result;
}

std::vector<CallSite> CallSiteCollector::takeSites(llvm::Module &M) { return take(Sites, M); }

std::vector<CallSite> CallSiteCollector::takeWatched(llvm::Module &M) { return take(Watched, M); }

} // namespace mpispec
