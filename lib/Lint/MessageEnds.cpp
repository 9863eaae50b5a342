//===- MessageEnds.cpp - Sends and receives of a unit, and names of other units ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A call that sends or receives is an *end* of messages, with its possible tags. Some ends of a
// unit may be invisible. The unit may use the address of MPI_Recv, PMPI_Recv, the C++ bindings,
// connections to other programs, cancelled messages, or loaded code. The unit then counts as having
// ends with any tag, so that no tag is unmatched.
//
// UnmatchedTags.h joins all units and decides whether they are the whole program. For this decision
// each unit reports the names that it defines for other units, and the names that other units must
// define.
//
//===------------------------------------------------------------------------------------------===//
#include "Frontend/EvaluatedVisitor.h"
#include "Frontend/PreprocessedSource.h"
#include "Frontend/ProgramText.h"
#include "Lint/Parameters.h"
#include "Lint/UnitRules.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"
#include <set>

using namespace clang;

namespace mpispec {

namespace {
class MessageReader : public EvaluatedVisitor {
public:
  explicit MessageReader(const UnitCalls &Unit)
      : Unit(Unit), Names(Unit.context()), Wrappers(Unit) {
    ShouldVisitTemplateInstantiations = true;
    ShouldWalkTypesOfTypeLocs = false;
  }
  void run(UnitReport &Report);

  bool TraverseDecl(Decl *D) override;
  bool VisitFunctionDecl(FunctionDecl *Function) override;
  bool VisitVarDecl(VarDecl *Variable) override;
  bool VisitDeclRefExpr(DeclRefExpr *Name) override { return use(Name->getDecl()); }
  bool VisitMemberExpr(MemberExpr *Member) override { return use(Member->getMemberDecl()); }
  bool VisitCXXConstructExpr(CXXConstructExpr *Construction) override {
    return use(Construction->getConstructor());
  }
  bool VisitCallExpr(CallExpr *Call) override;

private:
  bool use(const ValueDecl *Named);
  void useFunctionOfMPI(const FunctionDecl &Function);
  void addEnds(const MPICall &Call);
  MessageEnd end(const MPICall &Call, const Transfer &Side) const;
  std::vector<TagRange> tagsWritten(const MPICall &Call, Role Tag) const;
  std::vector<TagRange> tagsOf(const MPICall &Call, unsigned Side, Role Tag) const;
  bool isOfMPI(const Decl *D) const { return isTextOfMpi(Unit.unit().sources(), D->getLocation()); }

  const UnitCalls &Unit;
  ASTNameGenerator Names;
  Parameters Wrappers;
  llvm::DenseMap<const CallSite *, std::vector<MPICall>> Written; ///< a call in each instantiation
  std::set<std::string> Defines, Uses;
  llvm::DenseSet<const CallSite *> Last; ///< in blocks that end with MPI_Abort
  std::vector<MessageEnd> Ends;
  bool HasUnseen = false;
};
} // namespace

//===- Tags ----------------------------------------------------------------------------------===//

/// A negative tag of a receive is MPI_ANY_TAG.
static std::vector<TagRange> anyIfNegative(std::vector<TagRange> Tags, bool Receives) {
  auto IsWildcard = [](const TagRange &T) { return T.Low < 0; };
  return Receives && llvm::any_of(Tags, IsWildcard) ? std::vector{AnyTag} : Tags;
}

/// The possible values of \p E: a constant, or several between which `?:` chooses. Empty for all
/// other expressions.
static std::vector<TagRange> numbersOf(const Expr *E, const ASTContext &Context) {
  Expr::EvalResult Value;
  if (E->isValueDependent())
    return {};
  if (E->EvaluateAsInt(Value, Context)) {
    int64_t Number = Value.Val.getInt().getExtValue();
    return {TagRange{Number, Number}};
  }
  const auto *Choice = dyn_cast<ConditionalOperator>(E->IgnoreParenImpCasts());
  if (!Choice)
    return {};
  std::vector<TagRange> True = numbersOf(Choice->getTrueExpr(), Context);
  std::vector<TagRange> False = numbersOf(Choice->getFalseExpr(), Context);
  if (True.empty() || False.empty())
    return {};
  True.insert(True.end(), False.begin(), False.end());
  return True;
}

/// The tags that the text shows, in all instantiations of the call together.
std::vector<TagRange> MessageReader::tagsWritten(const MPICall &Call, Role Tag) const {
  std::vector<TagRange> Tags;
  for (const MPICall &Copy : Written.lookup(Call.Site)) {
    std::vector<TagRange> OfCopy = numbersOf(Copy.argument(Tag), Unit.context());
    if (OfCopy.empty())
      return {};
    Tags.insert(Tags.end(), OfCopy.begin(), OfCopy.end());
  }
  return Tags;
}

/// The proven tag. If there is none, or if the optimizer removed the call: the tags in the text,
/// the proven range, or any tag.
std::vector<TagRange> MessageReader::tagsOf(const MPICall &Call, unsigned Side, Role Tag) const {
  const Answer &Proven = Call.Facts->Transfers[Side].Tag;
  if (Proven.isKnown() && !Call.isDead())
    return {TagRange{Proven.Low, Proven.High}};
  std::vector<TagRange> Tags = tagsWritten(Call, Tag);
  bool IsRange = Proven.K == Answer::Range && !Call.isDead();
  if (Tags.empty())
    Tags.push_back(IsRange ? TagRange{Proven.Low, Proven.High} : AnyTag);
  return Tags;
}

//===- Ends ----------------------------------------------------------------------------------===//

/// Whether it is an error if no other end has the tag. The message of a standard send must be
/// received before MPI_Finalize (MPI-4.0, section 11.2.2), and a blocking receive waits. But a
/// program may never start a persistent operation, and may never wait for a nonblocking receive.
static bool needsOther(const MPICall &Call, bool Receives) {
  if (Call.isDead() || Call.name().ends_with("_init"))
    return false;
  const FunctionInfo &F = *Call.Site->Function;
  return !Receives || !(F.find(Role::Request) || F.find(Role::Flag));
}

MessageEnd MessageReader::end(const MPICall &Call, const Transfer &Side) const {
  MessageEnd End;
  End.Callee = Call.Site->Callee;
  End.Argument = text(*Side.Tag).str();
  End.Where = Call.place();
  End.Receives = Side.Receives;
  End.NeedsOther = needsOther(Call, Side.Receives) && (Side.Receives || !Last.contains(Call.Site));
  if (Call.Facts->Comm.K == Answer::Handle)
    End.Comm = Call.Facts->Comm.Name;
  return End;
}

void MessageReader::addEnds(const MPICall &Call) {
  const FunctionInfo &F = *Call.Site->Function;
  HasUnseen |= F.Name == "Cancel";
  for (auto [Index, Side] : llvm::enumerate(transfersOf(F))) {
    const TransferFacts &Facts = Call.Facts->Transfers[Index];
    if (!Side.Tag || Facts.PeerIsNull)
      continue;
    MessageEnd End = end(Call, Side);
    if (End.Comm == "MPI_COMM_NULL")
      continue; // nothing is sent
    End.Tags = anyIfNegative(tagsOf(Call, Index, *Side.Tag), Side.Receives);
    std::vector<MPICall> Texts = Written.lookup(Call.Site);
    if (Facts.Tag.K == Answer::Unknown && !Call.isDead() && Texts.size() == 1)
      End.Tag = Wrappers.find(Texts[0].argument(*Side.Tag)).value_or(ParameterOf());
    Ends.push_back(End);
    if (!F.find(Role::Flag))
      continue;
    // A program may poll with MPI_Iprobe for a message that is never sent. Therefore the probe also
    // counts as a send, so that receives with its tag are no mistakes.
    End.Receives = false;
    Ends.push_back(std::move(End));
  }
}

//===- Names ---------------------------------------------------------------------------------===//

bool MessageReader::TraverseDecl(Decl *D) {
  if (D && D->isDefinedOutsideFunctionOrMethod() && (!isProgramText(Unit.unit(), D) || isOfMPI(D)))
    return true;
  return EvaluatedVisitor::TraverseDecl(D);
}

bool MessageReader::VisitFunctionDecl(FunctionDecl *Function) {
  if (Function->doesThisDeclarationHaveABody() && !Function->isDependentContext() &&
      Function->isExternallyVisible())
    Defines.insert(Names.getName(Function));
  return true;
}

bool MessageReader::VisitVarDecl(VarDecl *Variable) {
  if (Variable->hasGlobalStorage() && !Variable->getDeclContext()->isDependentContext() &&
      Variable->isThisDeclarationADefinition() && Variable->isExternallyVisible())
    Defines.insert(Names.getName(Variable));
  return true;
}

static bool transfersTags(const FunctionInfo &F) {
  return llvm::any_of(transfersOf(F), [](const Transfer &Side) { return Side.Tag.has_value(); });
}

/// Is \p Callee a function that makes a communicator with other programs?
static bool connectsPrograms(llvm::StringRef Callee) {
  static constexpr llvm::StringLiteral Names[] = {"MPI_Comm_accept",     "MPI_Comm_connect",
                                                  "MPI_Comm_get_parent", "MPI_Comm_join",
                                                  "MPI_Comm_spawn",      "MPI_Comm_spawn_multiple"};
  return llvm::is_contained(Names, Callee);
}

/// Records a mention of an MPI function. Ordinary calls do not occur here, because they have been
/// redirected (CallSiteCollector.h).
void MessageReader::useFunctionOfMPI(const FunctionDecl &Function) {
  std::string Text = Function.getNameAsString();
  llvm::StringRef Name = Text;
  Name.consume_front("P"); // each function has a PMPI_ name as well
  const FunctionInfo *Info = lookUpFunction(Name);
  bool IsOfC = Name.starts_with("MPI_");
  bool IsEnd = Info && (transfersTags(*Info) || Info->Name == "Cancel");
  HasUnseen |= !IsOfC || IsEnd || connectsPrograms(Name);
}

bool MessageReader::use(const ValueDecl *Named) {
  const auto *Function = dyn_cast<FunctionDecl>(Named);
  const auto *Variable = dyn_cast<VarDecl>(Named);
  if (!(Function || Variable) || !Named->isExternallyVisible())
    return true;
  llvm::StringRef Name = Named->getIdentifier() ? Named->getName() : "";
  if (Name.starts_with("mpispec."))
    return true;
  if (isOfMPI(Named->getCanonicalDecl()) ||
      (Function && (Name.starts_with("MPI_") || Name.starts_with("PMPI_")))) {
    if (Function)
      useFunctionOfMPI(*Function);
    return true;
  }
  HasUnseen |= Name == "dlopen" || Name == "dlmopen";
  bool IsSystem = !isProgramText(Unit.unit(), Named);
  bool IsDefined = Function ? Function->isDefined() || Function->isDefaulted() ||
                                  Function->isDeleted() || Function->isPureVirtual() ||
                                  Function->getBuiltinID()
                            : !Variable->hasGlobalStorage() || Variable->hasDefinition();
  if (!IsSystem && !IsDefined && !Named->getDeclContext()->isDependentContext())
    Uses.insert(Names.getName(Named));
  return true;
}

//===- The whole -----------------------------------------------------------------------------===//

bool MessageReader::VisitCallExpr(CallExpr *Call) {
  std::optional<MPICall> Found = Unit.find(Call);
  if (Found && Found->Facts)
    Written[Found->Site].push_back(*Found);
  return true;
}

void MessageReader::run(UnitReport &Report) {
  TraverseDecl(Unit.context().getTranslationUnitDecl());
  for (const FunctionDecl *Function : Unit.functions())
    for (const CallExpr *Call : lastCalls(Unit, Function->getBody(), /*OnlyAborts=*/true))
      Last.insert(Unit.find(Call)->Site);
  for (const MPICall &Call : Unit.sites())
    addEnds(Call);
  for (const CallSite &Call : Unit.unit().Watched)
    HasUnseen |= connectsPrograms(Call.Callee);
  if (HasUnseen)
    for (bool Receives : {false, true}) {
      MessageEnd Any;
      Any.Receives = Receives;
      Any.Tags = {AnyTag};
      Ends.push_back(std::move(Any));
    }
  Report.Ends = std::move(Ends);
  Report.Given = Wrappers.given();
  Report.Defines.assign(Defines.begin(), Defines.end());
  Report.Uses.assign(Uses.begin(), Uses.end());
}

void readMessageEnds(const UnitCalls &Unit, UnitReport &Report) { MessageReader(Unit).run(Report); }

} // namespace mpispec
