//===- DatatypeVariables.cpp - Variables that hold one of MPI's constants ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Fortran/DatatypeVariables.h"
#include "Fortran/MpiModules.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace mpispec {

//===- Statements of a text ------------------------------------------------------------------===//

namespace {
/// In lower case, without blanks, comments and the contents of strings.
struct FortranStatement {
  std::string Text;
  unsigned Line = 0;
};
} // namespace

static bool isNameLetter(char C) { return isAlnum(C) || C == '_'; }

/// \p Line without its comment, blanks and the contents of strings.
static std::string withoutBlanks(StringRef Line) {
  std::string Result;
  char Quote = 0;
  for (char C : Line) {
    if (Quote)
      Quote = C == Quote ? 0 : Quote;
    else if (C == '!')
      break;
    else if (C == '\'' || C == '"')
      Quote = C;
    else if (!isSpace(C))
      Result += toLower(C);
  }
  return Result;
}

static std::vector<FortranStatement> statementsOf(const FortranText &Source) {
  std::vector<FortranStatement> Statements;
  unsigned Number = 0;
  bool Continues = false;
  for (StringRef Line : split(Source.Text, '\n')) {
    ++Number;
    bool IsComment = Line.starts_with("#") ||
                     (Source.IsFixedForm && !Line.empty() && StringRef("cC*dD").contains(Line[0]));
    if (IsComment || Line.trim().empty())
      continue;
    if (Source.IsFixedForm && !Line.contains('\t')) {
      Continues = Line.size() > 5 && Line[5] != ' ' && Line[5] != '0';
      Line = Line.drop_front(std::min<size_t>(Continues ? 6 : 5, Line.size()));
    }
    std::string Text = withoutBlanks(Line);
    if (Text.empty())
      continue;
    StringRef Rest = Text;
    Rest.consume_front("&");
    bool GoesOn = Rest.consume_back("&");
    if (Continues && !Statements.empty())
      Statements.back().Text += Rest;
    else
      Statements.push_back({Rest.str(), Number});
    Continues = GoesOn;
  }
  return Statements;
}

//===- Forms of statements with a name -------------------------------------------------------===//

static bool mentions(StringRef Text, StringRef Name) {
  for (size_t At = Text.find(Name); At != StringRef::npos; At = Text.find(Name, At + 1)) {
    size_t End = At + Name.size();
    bool Begins = At == 0 || !isNameLetter(Text[At - 1]);
    if (Begins && (End == Text.size() || !isNameLetter(Text[End])))
      return true;
  }
  return false;
}

/// The name and MPI's constant in `name=mpi_real`; two empty strings for other statements.
static std::pair<StringRef, StringRef> assignedConstant(StringRef Statement) {
  auto [Name, Value] = Statement.split('=');
  bool IsPlain = Value.starts_with("mpi_") && all_of(Value, isNameLetter) && !Name.empty() &&
                 all_of(Name, isNameLetter) && !isDigit(Name[0]);
  return IsPlain ? std::pair(Name, Value) : std::pair(StringRef(), StringRef());
}

/// Does \p Statement only declare names, without a value and without an attribute that lets
/// pointers refer to them?
static bool isDeclaration(StringRef Statement) {
  static constexpr StringLiteral Words[] = {
      "integer", "common/", "save", "private", "public", "use", "type(mpi_datatype)"};
  StringRef Rest = Statement;
  bool IsKnown = Rest.consume_front("integer(kind=") ||
                 any_of(Words, [&](StringRef Word) { return Rest.starts_with(Word); });
  return IsKnown && none_of(ArrayRef<StringLiteral>{"=", "%", "function", "target", "pointer"},
                            [&](StringRef Other) { return Rest.contains(Other); });
}

/// The words between the commas of a list of arguments, outside of inner parentheses.
static std::vector<StringRef> argumentsOf(StringRef List) {
  std::vector<StringRef> Arguments;
  size_t Begin = 0, Depth = 0;
  for (size_t I = 0; I < List.size(); ++I) {
    if (List[I] == ',' && !Depth) {
      Arguments.push_back(List.slice(Begin, I));
      Begin = I + 1;
    }
    Depth += List[I] == '(' ? 1 : List[I] == ')' && Depth ? -1 : 0;
  }
  Arguments.push_back(List.substr(Begin));
  return Arguments;
}

static bool isDatatype(const FunctionInfo &Function, size_t Index) {
  return Index < Function.Roles.size() &&
         is_contained({Role::Datatype, Role::SendDatatype, Role::RecvDatatype},
                      Function.Roles[Index]);
}

/// Is \p Name only a datatype in this call of an MPI function?
static bool isCallWithDatatype(StringRef Statement, StringRef Name) {
  if (!Statement.consume_front("call"))
    return false;
  auto [Callee, List] = Statement.split('(');
  const FunctionInfo *Function = lookUpFunction(mpiFunctionName(Callee));
  if (!Function || !isCommunication(Function->Kind) || !List.consume_back(")"))
    return false;
  for (const auto &[Index, Argument] : enumerate(argumentsOf(List)))
    if (mentions(Argument, Name) && (Argument != Name || !isDatatype(*Function, Index)))
      return false;
  return true;
}

//===- The search ----------------------------------------------------------------------------===//

/// All names to which a source assigns a constant, with the first of these assignments.
static DatatypeVariables candidatesIn(ArrayRef<FortranText> Texts) {
  DatatypeVariables Found;
  for (const FortranText &Source : Texts) {
    if (!StringRef(Source.Text).contains_insensitive("mpi_"))
      continue;
    for (const FortranStatement &S : statementsOf(Source))
      if (auto [Name, Constant] = assignedConstant(S.Text); !Name.empty())
        Found.try_emplace(Name,
                          DatatypeVariable{Constant.upper(), Source.Name + ":" + utostr(S.Line)});
  }
  return Found;
}

static bool keepsValue(StringRef Statement, StringRef Name, StringRef Constant) {
  auto [Assigned, Value] = assignedConstant(Statement);
  if (Assigned == Name)
    return Value.equals_insensitive(Constant);
  return isDeclaration(Statement) || isCallWithDatatype(Statement, Name);
}

DatatypeVariables findDatatypeVariables(ArrayRef<FortranText> Texts) {
  DatatypeVariables Found = candidatesIn(Texts);
  for (const FortranText &Source : Texts) {
    std::string Small = StringRef(Source.Text).lower();
    std::vector<std::string> Names;
    for (const auto &Candidate : Found)
      if (StringRef(Small).contains(Candidate.first()))
        Names.push_back(Candidate.first().str());
    if (Names.empty())
      continue;
    for (const FortranStatement &S : statementsOf(Source))
      for (const std::string &Name : Names)
        if (auto At = Found.find(Name); At != Found.end() && mentions(S.Text, Name) &&
                                        !keepsValue(S.Text, Name, At->second.Constant))
          Found.erase(At);
  }
  return Found;
}

void readDatatypeVariables(const DatatypeVariables &Variables, FortranUnit &Unit) {
  for (FortranCall &Call : Unit.Calls)
    for (Role R : {Role::Datatype, Role::SendDatatype, Role::RecvDatatype}) {
      const FortranArgument *Given = Call.find(R);
      auto Variable = Given ? Variables.find(Given->Text) : Variables.end();
      if (Variable == Variables.end() || !Given->MpiConstant.empty() || !Given->IsName)
        continue;
      FortranArgument &A = Call.Arguments[Given - Call.Arguments.data()];
      A.MpiConstant = Variable->second.Constant;
      A.Constant = Given->Text;
      A.Origin = Variable->second.Where;
    }
}

} // namespace mpispec
