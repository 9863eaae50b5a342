//===- FortranUnit.cpp - The MPI calls of a Fortran source ------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Fortran/FortranUnit.h"
#include "Fortran/FlangArguments.h"
#include "Fortran/FlangSource.h"
#include "Fortran/MpiModules.h"
#include "flang/Parser/parse-tree-visitor.h"
#include "flang/Semantics/scope.h"
#include "flang/Semantics/symbol.h"
#include "flang/Semantics/tools.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Regex.h"

using namespace llvm;
using namespace Fortran;

namespace mpispec {

namespace {
class CallReader {
public:
  CallReader(FlangSource &Source, FortranUnit &Unit)
      : Source(Source), Arguments(Source), Unit(Unit) {}
  void run();

  template <typename T> bool Pre(const T &) { return true; }
  template <typename T> void Post(const T &) {}
  void Post(const parser::ProgramStmt &Statement) { Procedure = Statement.v.ToString(); }
  bool Pre(const parser::MainProgram &);
  void Post(const parser::SubroutineStmt &Statement) { enter(std::get<parser::Name>(Statement.t)); }
  void Post(const parser::FunctionStmt &Statement) { enter(std::get<parser::Name>(Statement.t)); }
  void Post(const parser::MpSubprogramStmt &Statement) { enter(Statement.v); }
  void Post(const parser::EntryStmt &Statement) { define(std::get<parser::Name>(Statement.t)); }
  bool Pre(const parser::ExecutionPart &) { return ++Bodies; }
  void Post(const parser::ExecutionPart &) { --Bodies; }
  bool Pre(const parser::IfConstruct &Construct);
  bool Pre(const parser::ExecutableConstruct &Construct);
  bool Pre(const parser::IfStmt &Statement);
  bool Pre(const parser::CallStmt &Statement);
  void Post(const parser::Name &Name);

private:
  void enter(const parser::Name &Name);
  void define(const parser::Name &Name);
  void noteUse(const semantics::Symbol &Symbol, StringRef Name);
  void noteRequest(const parser::CallStmt &Statement, size_t Call);
  void markLostRequests();

  FlangSource &Source;
  FlangArguments Arguments;
  FortranUnit &Unit;
  std::string Procedure;
  unsigned Bodies = 0, Constructs = 0;
  FortranBranch Branch; ///< the branch of the block that is being read
  std::set<std::string> Defines, Uses, Unresolved;

  /// A request of a nonblocking call: the call, its argument, the variable.
  struct Request {
    size_t Call, Argument;
    const semantics::Symbol *Variable;
  };
  std::vector<Request> Requests;
  DenseMap<const semantics::Symbol *, unsigned> NamedTimes;
};
} // namespace

//===- Procedures and their symbols ----------------------------------------------------------===//

static std::string linkerName(const semantics::Symbol &Symbol) {
  const std::string *Bound = Symbol.GetBindName();
  return Bound ? *Bound : Symbol.name().ToString() + "_";
}

void CallReader::define(const parser::Name &Name) {
  if (Name.symbol && (Name.symbol->owner().IsGlobal() || Name.symbol->GetBindName()))
    Defines.insert(linkerName(*Name.symbol));
}

void CallReader::enter(const parser::Name &Name) {
  Procedure = Name.ToString();
  define(Name);
}

bool CallReader::Pre(const parser::MainProgram &) {
  Procedure = "main program";
  Defines.insert("main");
  return true;
}

/// Is \p Symbol a procedure that another unit, or a library, has to define?
static bool isExternal(const semantics::Symbol &Symbol) {
  if (semantics::IsDummy(Symbol) || Symbol.attrs().test(semantics::Attr::INTRINSIC) ||
      semantics::IsPointer(Symbol) || Symbol.attrs().test(semantics::Attr::MODULE))
    return false;
  if (const auto *Subprogram = Symbol.detailsIf<semantics::SubprogramDetails>())
    return Subprogram->isInterface() && !Symbol.attrs().test(semantics::Attr::ABSTRACT);
  return Symbol.has<semantics::ProcEntityDetails>();
}

/// May a program that uses the function have other messages than those of FortranUnit::Calls?
static bool hidesMessages(StringRef Name) {
  return Name.starts_with("pmpi_") ||
         StringSwitch<bool>(Name)
             .Cases({"mpi_cancel", "mpi_comm_spawn", "mpi_comm_accept", "mpi_comm_connect",
                     "mpi_comm_join", "mpi_comm_spawn_multiple", "mpi_comm_get_parent"},
                    true)
             .Default(false);
}

/// The module that \p Symbol is declared in, or "".
static std::string moduleOf(const semantics::Symbol &Symbol) {
  const semantics::Scope &Owner = Symbol.owner();
  return Owner.IsModule() && Owner.symbol() ? Owner.symbol()->name().ToString() : "";
}

void CallReader::noteUse(const semantics::Symbol &Symbol, StringRef Name) {
  const semantics::Symbol &Ultimate = Symbol.GetUltimate();
  Unit.HasUnseenMessages |= hidesMessages(Name);
  if (!isExternal(Ultimate) || !mpiFunctionName(Name).empty() || Name.starts_with("mpi_"))
    return;
  Uses.insert(linkerName(Ultimate));
}

void CallReader::Post(const parser::Name &Name) {
  if (!Bodies)
    return;
  if (!Name.symbol) {
    Unresolved.insert(Name.ToString());
    return;
  }
  noteUse(*Name.symbol, Name.ToString());
  ++NamedTimes[&Name.symbol->GetUltimate()];
}

//===- Calls ---------------------------------------------------------------------------------===//

/// The binding of a call of \p Callee; nothing if the program has a function of its own by this
/// name.
static std::optional<FortranBinding> bindingOf(const parser::Name &Callee) {
  if (!Callee.symbol)
    return FortranBinding::Header;
  const semantics::Symbol &Ultimate = Callee.symbol->GetUltimate();
  std::string Module = moduleOf(Ultimate);
  if (Module == "mpi")
    return FortranBinding::Module;
  if (Module == "mpi_f08")
    return FortranBinding::ModuleF08;
  const auto *Subprogram = Ultimate.detailsIf<semantics::SubprogramDetails>();
  if ((!Module.empty() && Module != HeaderModule) || (Subprogram && !Subprogram->isInterface()))
    return std::nullopt;
  return FortranBinding::Header;
}

bool CallReader::Pre(const parser::CallStmt &Statement) {
  const auto *Callee =
      std::get_if<parser::Name>(&std::get<parser::ProcedureDesignator>(Statement.call.t).u);
  if (!Callee)
    return true;
  FortranCall Call;
  Call.Callee = mpiFunctionName(Callee->ToString());
  std::optional<FortranBinding> Binding = bindingOf(*Callee);
  if (Call.Callee.empty() || !Binding)
    return true;
  Call.Binding = *Binding;
  Call.Function = lookUpFunction(Call.Callee);
  Call.Where = Arguments.place(Statement.source);
  Call.Procedure = Procedure;
  Call.Branch = Branch;
  for (const auto &Spec : std::get<std::list<parser::ActualArgSpec>>(Statement.call.t))
    Call.Arguments.push_back(Arguments.read(Spec));
  Unit.Calls.push_back(std::move(Call));
  noteRequest(Statement, Unit.Calls.size() - 1);
  return true;
}

//===- Branches ------------------------------------------------------------------------------===//

/// The variable of a condition that compares it with a number, or "".
static std::string comparedVariable(const parser::IfThenStmt &Statement) {
  const auto &Condition = std::get<parser::ScalarLogicalExpr>(Statement.t).thing.thing.value();
  SmallVector<StringRef> Parts;
  std::string Text = Condition.source.ToString();
  Regex Comparison("^ *([a-z][a-z0-9_]*) *(==|/=|<=|>=|<|>|\\.(eq|ne|lt|le|gt|ge)\\.) *[0-9]+ *$");
  return Comparison.match(Text, &Parts) ? Parts[1].str() : "";
}

bool CallReader::Pre(const parser::IfConstruct &Construct) {
  const auto &Then = std::get<parser::Statement<parser::IfThenStmt>>(Construct.t);
  const auto &Else = std::get<std::optional<parser::IfConstruct::ElseBlock>>(Construct.t);
  bool HasTwo = Else && std::get<std::list<parser::IfConstruct::ElseIfBlock>>(Construct.t).empty();
  std::string Variable = HasTwo ? comparedVariable(Then.statement) : "";
  if (Variable.empty())
    return true;
  const unsigned Number = ++Constructs;
  parser::Walk(Then, *this);
  Branch = {Number, /*IsElse=*/false, Variable};
  parser::Walk(std::get<parser::Block>(Construct.t), *this);
  Branch = {Number, /*IsElse=*/true, Variable};
  parser::Walk(std::get<parser::Block>(Else->t), *this);
  Branch = {};
  return false;
}

/// Calls in a construct, such as a loop, are not directly in the block around it.
bool CallReader::Pre(const parser::ExecutableConstruct &Construct) {
  if (std::holds_alternative<parser::Statement<parser::ActionStmt>>(Construct.u))
    return true;
  const FortranBranch Around = std::exchange(Branch, {});
  common::visit([&](const auto &Inner) { parser::Walk(Inner, *this); }, Construct.u);
  Branch = Around;
  return false;
}

bool CallReader::Pre(const parser::IfStmt &Statement) {
  const FortranBranch Around = std::exchange(Branch, {});
  parser::Walk(Statement.t, *this);
  Branch = Around;
  return false;
}

//===- Requests that nothing but nonblocking calls uses --------------------------------------===//

/// Can only the procedure, and only by this name, access the storage of \p Variable?
static bool isPrivate(const semantics::Symbol &Variable) {
  using semantics::Attr;
  const auto *Object = Variable.detailsIf<semantics::ObjectEntityDetails>();
  semantics::Scope::Kind Kind = Variable.owner().kind();
  if (!Object || Object->isDummy() || Object->isFuncResult() || Object->commonBlock() ||
      semantics::FindEquivalenceSet(Variable))
    return false;
  if (Kind != semantics::Scope::Kind::MainProgram && Kind != semantics::Scope::Kind::Subprogram)
    return false;
  return !Variable.attrs().HasAny(
      {Attr::SAVE, Attr::POINTER, Attr::TARGET, Attr::VOLATILE, Attr::BIND_C});
}

void CallReader::noteRequest(const parser::CallStmt &Statement, size_t Index) {
  const FortranCall &Call = Unit.Calls[Index];
  const FortranArgument *Given = Call.find(Role::Request);
  bool Starts = Call.Function && isCommunication(Call.Function->Kind) &&
                Call.Function->Kind != FunctionKind::Completion &&
                !StringRef(Call.Callee).ends_with("_init");
  if (!Starts || !Given)
    return;
  size_t Number = Given - Call.Arguments.data();
  const auto &Specs = std::get<std::list<parser::ActualArgSpec>>(Statement.call.t);
  if (const semantics::Symbol *Variable = Arguments.variable(*std::next(Specs.begin(), Number)))
    Requests.push_back({Index, Number, Variable});
}

void CallReader::markLostRequests() {
  DenseMap<const semantics::Symbol *, unsigned> Started, Numbers;
  for (const Request &R : Requests)
    ++Started[R.Variable];
  for (const Request &R : Requests) {
    if (!isPrivate(*R.Variable) || Started[R.Variable] != NamedTimes[R.Variable] ||
        Unresolved.count(R.Variable->name().ToString()))
      continue;
    unsigned &Number = Numbers[R.Variable];
    if (!Number)
      Number = Numbers.size();
    Unit.Calls[R.Call].Arguments[R.Argument].OnlyNonblocking = Number;
  }
}

void CallReader::run() {
  parser::Walk(Source.program(), *this);
  markLostRequests();
  for (const std::string &Name : Source.missingModules())
    Uses.insert("module " + Name);
  Unit.Constants = Source.constants();
  Unit.Defines.assign(Defines.begin(), Defines.end());
  Unit.Uses.assign(Uses.begin(), Uses.end());
  Unit.MissingModules.assign(Source.missingModules().begin(), Source.missingModules().end());
}

/// Writes the modules of a source that has errors in executable statements.
static void writeModules(const FortranSource &Source, const std::string &Text,
                         StringRef ModuleDirectory) {
  FlangSource Interfaces(Source, ModuleDirectory);
  consumeError(Interfaces.read(Text, /*OnlyInterfaces=*/true));
}

FortranUnit readFortranUnit(const FortranSource &Source, const std::string &Text,
                            StringRef ModuleDirectory) {
  FortranUnit Unit;
  FlangSource Read(Source, ModuleDirectory);
  if (Error E = Read.read(Text, /*OnlyInterfaces=*/false)) {
    Unit.Error = toString(std::move(E));
    return Unit;
  }
  CallReader(Read, Unit).run();
  if (Read.hasErrors() && Read.definesModules())
    writeModules(Source, Text, ModuleDirectory);
  return Unit;
}

} // namespace mpispec
