//===- Emitter.cpp - The definition of one site's function ------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Rewrite/Emitter.h"
#include "Rewrite/FactChecks.h"
#include "Selection/TemplateCatalog.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace mpispec {

namespace {

class Definition {
public:
  /// \p Version: its number, from 1 on, if \p Facts are those that it assumes; else 0.
  Definition(const CallSite &Site, const SiteFacts &Facts, const Choice &Choice,
             const DefinitionStyle &Style, unsigned Version = 0)
      : Site(Site), Facts(Facts), Chosen(Choice), Style(Style), Version(Version),
        Arguments(templateArguments(*Site.Function, Facts, Style)) {}
  std::string text() const;
  std::string shared(StringRef Name) const;

private:
  static constexpr StringLiteral And = " &&\n                 ";

  std::string constantName(const TemplateArgument &A) const {
    return "mpispec_" + A.Parameter + (Version ? "_" + std::to_string(Version) : "");
  }
  std::string given(const TemplateArgument &A) const {
    return A.Constant ? constantName(A) : A.Text;
  }
  bool testsInside(const TemplateArgument &A) const;
  std::string guard() const;
  std::string place() const;
  void writeSignature(raw_ostream &OS) const;
  void writeComment(raw_ostream &OS) const;
  void writeConstants(raw_ostream &OS) const;
  void writeTemplateCall(raw_ostream &OS, bool IsLikely, StringRef AfterGuard = And) const;
  void writeBody(raw_ostream &OS, const FactChecks &Checks) const;
  StringRef nameOf(Role R) const {
    return find_if(Arguments, [&](const TemplateArgument &A) { return A.R == R; })->Parameter;
  }

  const CallSite &Site;
  const SiteFacts &Facts;
  const Choice &Chosen;
  const DefinitionStyle &Style;
  const unsigned Version;
  const std::vector<TemplateArgument> Arguments;
};

} // namespace

/// The declaration of a parameter: `const void *` and `buffer` give `const void *buffer`,
/// `MPI_Status[]` and `statuses` give `MPI_Status statuses[]`.
static std::string declare(StringRef Type, StringRef Name) {
  size_t Bracket = Type.find('[');
  StringRef Before = Type.take_front(Bracket).rtrim();
  StringRef After = Bracket == StringRef::npos ? "" : Type.drop_front(Bracket);
  return formatv("{0}{1}{2}{3}", Before, Before.ends_with("*") ? "" : " ", Name, After);
}

/// Does the function out of line compare the datatype itself? In a loop compilers would make a copy
/// of the loop for each outcome of a test at the call. A handle that is an address can be named
/// only behind the MPI header, and that function precedes the header.
bool Definition::testsInside(const TemplateArgument &A) const {
  return Version && !Style.Shared.empty() && A.Form == ArgumentForm::Element && A.isHandle() &&
         isDigit(A.Equal.front());
}

/// The comparisons for all known values that the template gets. Empty if there are none.
std::string Definition::guard() const {
  std::string Text;
  ListSeparator And(" && ");
  for (const TemplateArgument &A : Arguments)
    if (A.Constant)
      Text += formatv("{0}{1} == {2}", StringRef(And), A.Parameter, constantName(A));
    else if (!A.Equal.empty() && !testsInside(A))
      Text += formatv("{0}{1}{2} == {3}", StringRef(And), A.isHandle() ? "(unsigned long)" : "",
                      A.Parameter, A.Equal);
  return Text;
}

/// The place of a collective call as a literal, `"foo.c:12"`. The runtime prints it if ranks
/// execute different operations. Empty for other calls.
std::string Definition::place() const {
  if (Site.Function->Kind != FunctionKind::Collective)
    return "";
  std::string File = commentSafe(Site.File);
  std::replace(File.begin(), File.end(), '"', '?');
  return formatv("\"{0}:{1}\"", File, Site.Line);
}

//===- The text -------------------------------------------------------------------------------===//

void Definition::writeSignature(raw_ostream &OS) const {
  // A function with code for predictions only is not inlined. Therefore the code of the call does
  // not grow.
  bool OnlyPredicted = Chosen.Form == CallForm::Inline && !Chosen.HasProven &&
                       !Style.SharedVersions.empty() && !Style.CheckFacts;
  OS << (OnlyPredicted ? "static __attribute__((__noinline__, __unused__, "
                       : "static __inline__ __attribute__((__always_inline__, __artificial__, ")
     << "__no_instrument_function__)) " << Site.ReturnType << '\n'
     << siteFunctionName(Site.Number) << '(';
  ListSeparator Comma;
  for (auto [A, Type] : zip(Arguments, Site.ParameterTypes))
    OS << Comma << declare(Type, A.Parameter);
  OS << ")\n";
}

void Definition::writeComment(raw_ostream &OS) const {
  OS << "  /* " << commentSafe(Site.Callee) << ", " << commentSafe(Site.File) << ':' << Site.Line
     << ':' << Site.Column;
  auto Note = [&, First = true](StringRef What, StringRef Value, StringRef Origin) mutable {
    OS << (First ? "\n     " : "; ") << What << ' ' << commentSafe(Value);
    if (!Origin.empty())
      OS << ": " << commentSafe(Origin);
    First = false;
  };
  for (Role R : Site.Function->Roles)
    if (const Answer *A = answerOf(*Site.Function, Facts, R); A && A->K != Answer::Unknown)
      Note(mpispec::text(R), mpispec::text(*A), A->Origin);
  for (const TransferFacts &T : Facts.Transfers) {
    if (T.Size != SizeClass::Dynamic)
      Note("size", mpispec::text(T.Size), T.SizeOrigin);
    if (T.Node != NodeClass::Dynamic)
      Note("node", mpispec::text(T.Node), T.NodeOrigin);
  }
  if (Facts.StatusIgnored)
    Note("status", "ignored", "");
  else if (Facts.StatusUnread)
    Note("status", "unread", "");
  for (const Prediction &P : Facts.Predictions)
    Note((mpispec::text(P.Argument) + " is perhaps").str(), mpispec::text(P.Value),
         (Twine(P.Percent) + " %, " + P.Value.Origin).str());
  OS << " */\n";
}

void Definition::writeConstants(raw_ostream &OS) const {
  for (const TemplateArgument &A : Arguments)
    if (A.Constant)
      OS << "  const long long " << constantName(A) << " = " << *A.Constant << ";\n";
}

/// Writes the guard, if any, and the template's call.
void Definition::writeTemplateCall(raw_ostream &OS, bool IsLikely, StringRef AfterGuard) const {
  if (std::string Guard = guard(); !Guard.empty())
    OS << (IsLikely ? "__builtin_expect(" + Guard + ", 1)" : Guard) << AfterGuard;
  const TemplateInfo &Template = templateNamed(Chosen.Template);
  if (Style.Shared.empty())
    OS << "mpispec_" << Template.Body << '(';
  else
    OS << Style.Shared << '(';
  ListSeparator Comma;
  for (const TemplateArgument &A : Arguments)
    if (testsInside(A))
      OS << Comma << "(unsigned long)" << A.Parameter;
    else if (Style.Shared.empty() || !A.IsKnown)
      OS << Comma << given(A);
  if (std::string Place = place(); !Place.empty())
    OS << Comma << Place;
  if (Style.Shared.empty() && !Template.Word.empty())
    OS << Comma << Template.Word;
  OS << ')';
}

/// A template that declines may have sent already, and then only the ordinary call may follow
/// (docs/contributing/add-a-template.md). Therefore a version whose guard holds is followed by no
/// other template. The guards of two versions never hold for one call.
void Definition::writeBody(raw_ostream &OS, const FactChecks &Checks) const {
  const bool IsProven = Chosen.Form == CallForm::Inline && Chosen.HasProven;
  const bool HasBoth = IsProven && !Chosen.Versions.empty();
  constexpr StringLiteral Then = "\n             ? ",
                          Else = "\n             : ", Done = "\n             ? 0\n             : ";
  std::string Constants, Calls;
  raw_string_ostream ConstantsOS(Constants), CallsOS(Calls);
  CallsOS << (HasBoth ? "(" : "");
  for (auto [I, V] : enumerate(Chosen.Versions)) {
    constexpr unsigned Likely = 75; // percent
    Choice Assumed;
    Assumed.Template = V.Template;
    DefinitionStyle OfVersion = Style;
    OfVersion.Shared = Style.SharedVersions.empty() ? "" : StringRef(Style.SharedVersions[I]);
    Definition Text(Site, V.Facts, Assumed, OfVersion, I + 1);
    Text.writeConstants(ConstantsOS);
    assert((!HasBoth || !Text.guard().empty()) && "the version would hide the proven template");
    Text.writeTemplateCall(
        CallsOS, all_of(V.Assumed, [](const Prediction &P) { return P.Percent >= Likely; }),
        HasBoth ? Then : And);
    CallsOS << (HasBoth ? Else : Done);
  }
  if (IsProven) {
    writeConstants(ConstantsOS);
    writeTemplateCall(CallsOS, /*IsLikely=*/true);
    CallsOS << (HasBoth ? ")" : "") << Done;
  }
  OS << Constants << Checks.Statements << "  return " << Calls;
  OS << Site.Callee << '(';
  ListSeparator CallComma;
  for (const TemplateArgument &A : Arguments)
    OS << CallComma << A.Parameter;
  OS << ");\n";
}

std::string Definition::text() const {
  std::string Text;
  raw_string_ostream OS(Text);
  FactChecks Checks;
  if (Style.CheckFacts)
    Checks = factChecks(Site, Facts, [&](Role R) { return nameOf(R); });
  OS << Checks.Counters;
  writeSignature(OS);
  OS << "{\n";
  writeComment(OS);
  writeBody(OS, Checks);
  OS << "}\n";
  return Text;
}

/// The type of a template's parameter.
static StringRef typeOf(ArgumentForm F) {
  switch (F) {
  case ArgumentForm::Buffer:
  case ArgumentForm::Object:
    return "void *";
  case ArgumentForm::Count:
    return "long long ";
  case ArgumentForm::Integer:
    return "int ";
  case ArgumentForm::Handle:
    return "unsigned long ";
  case ArgumentForm::Element:
  case ArgumentForm::Reduce:
    break;
  }
  llvm_unreachable("always known");
}

std::string Definition::shared(StringRef Name) const {
  std::string Declared, Passed, Tests;
  ListSeparator DeclaredComma, PassedComma;
  for (auto [A, Type] : zip(Arguments, Site.ParameterTypes)) {
    std::string Name = "mpispec_" + A.Parameter, Argument = A.Text;
    if (A.CallsElementFunction)
      return "";
    if (!A.IsKnown) {
      bool IsInput = A.Form == ArgumentForm::Buffer && StringRef(Type).starts_with("const ");
      Declared +=
          (StringRef(DeclaredComma) + (IsInput ? "const " : "") + typeOf(A.Form) + Name).str();
      Argument = Name;
    } else if (A.Constant) {
      Argument = std::to_string(*A.Constant);
    } else if (testsInside(A)) {
      Tests += Name + " == " + A.Equal + " && ";
      Declared += (StringRef(DeclaredComma) + "unsigned long " + Name).str();
    }
    Passed += (StringRef(PassedComma) + Argument).str();
  }
  if (Site.Function->Kind == FunctionKind::Collective) {
    Declared += (StringRef(DeclaredComma) + "const char *mpispec_place").str();
    Passed += (StringRef(PassedComma) + "mpispec_place").str();
  }
  const TemplateInfo &Template = templateNamed(Chosen.Template);
  if (!Template.Word.empty())
    Passed += (StringRef(PassedComma) + Template.Word).str();
  return formatv("static __attribute__((__noinline__, __unused__, __no_instrument_function__)) "
                 "int\n{0}({1})\n{{\n  return {4}mpispec_{2}({3});\n}\n",
                 Name, Declared, Template.Body, Passed, Tests);
}

std::string siteFunctionName(unsigned Site) { return SiteNamePrefix.str() + std::to_string(Site); }

std::string siteDefinition(const CallSite &Site, const SiteFacts &Facts, const Choice &Choice,
                           const DefinitionStyle &Style) {
  assert(Choice.isRewritten() && "the call stays as it is");
  assert(Site.ParameterTypes.size() == Site.Function->Roles.size() && "table and header disagree");
  return Definition(Site, Facts, Choice, Style).text();
}

std::string sharedDefinition(StringRef Name, const CallSite &Site, const SiteFacts &Facts,
                             const Choice &Choice, const DefinitionStyle &Style, bool IsVersion) {
  DefinitionStyle Own = Style;
  Own.Shared = Name;
  return Definition(Site, Facts, Choice, Own, IsVersion ? 1 : 0).shared(Name);
}

std::string commentSafe(StringRef Text) {
  constexpr size_t Longest = 200; // characters; a longer comment would hide the code
  std::string Safe;
  for (char C : Text.take_front(Longest)) {
    if (!isPrint(C) || C == '\\')
      C = '?';
    bool ClosesOrOpens =
        !Safe.empty() && ((Safe.back() == '*' && C == '/') || (Safe.back() == '/' && C == '*'));
    if (ClosesOrOpens)
      Safe += ' ';
    Safe += C;
  }
  return Safe;
}

} // namespace mpispec
