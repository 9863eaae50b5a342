//===- Emitter.cpp - The definition of one site's function ------------------------------------===//
#include "Rewrite/Emitter.h"
#include "Rewrite/FactChecks.h"
#include "Selection/FastPath.h"
#include "Selection/Reductions.h"
#include "Selection/TemplateCatalog.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace mpispec {

static constexpr StringLiteral ElementFunction = "mpispec_element";

namespace {

/// How an argument is handed to a template (docs/Templates.md, "What a template takes").
enum class Form : uint8_t {
  Buffer,  ///< a pointer to the program's data, as it is
  Count,   ///< long long
  Element, ///< of a datatype: long long, bytes of one element, or -1
  Integer, ///< int
  Handle,  ///< unsigned long: the handle's bits
  Reduce,  ///< of an operation: that, and the kind of number that it combines
  Object,  ///< void *: requests, statuses, arrays and results
};

Form formOf(Role R) {
  switch (R) {
  case Role::Buffer:
  case Role::SendBuffer:
  case Role::RecvBuffer:
    return Form::Buffer;
  case Role::Count:
  case Role::SendCount:
  case Role::RecvCount:
  case Role::RequestCount:
    return Form::Count;
  case Role::Datatype:
  case Role::SendDatatype:
  case Role::RecvDatatype:
    return Form::Element;
  case Role::Peer:
  case Role::Destination:
  case Role::Source:
  case Role::Tag:
  case Role::SendTag:
  case Role::RecvTag:
  case Role::Root:
    return Form::Integer;
  case Role::Op:
    return Form::Reduce;
  case Role::Comm:
  case Role::Group:
  case Role::Info:
    return Form::Handle;
  default:
    return Form::Object;
  }
}

/// What is known about the argument with one role.
struct Knowledge {
  const Answer *Value = nullptr;
  const TransferFacts *Side = nullptr; ///< the side of the call it belongs to
};

class Definition {
public:
  /// \p Version: its number, from 1 on, if \p Facts are those that it assumes; else 0.
  Definition(const CallSite &Site, const SiteFacts &Facts, const Choice &Choice,
             const DefinitionStyle &Style, unsigned Version = 0);
  std::string text() const;
  std::string shared(StringRef Name) const;

private:
  struct Parameter {
    Role R;
    std::string Name;
  };

  Knowledge knowledgeOf(Role R) const;
  std::string constantName(const Parameter &P) const {
    return "mpispec_" + P.Name + (Version ? "_" + std::to_string(Version) : "");
  }
  bool usesCount(const Parameter &P) const;
  bool usesHandle(const Parameter &P) const;
  bool testsInside(const Parameter &P) const;
  bool usesUnread(const Parameter &P) const {
    return Facts.StatusUnread && (P.R == Role::Status || P.R == Role::Statuses);
  }
  StringRef wildcard(const Parameter &P) const;
  bool usesReduction() const;
  std::string handleText(const Answer &A) const;
  std::string guard() const;
  std::string elementArgument(const Parameter &P) const;
  std::string place() const;
  std::string templateArgument(const Parameter &P) const;
  bool isKnown(const Parameter &P) const;
  void writeSignature(raw_ostream &OS) const;
  void writeComment(raw_ostream &OS) const;
  void writeConstants(raw_ostream &OS) const;
  void writeTemplateCall(raw_ostream &OS, bool IsLikely) const;
  void writeBody(raw_ostream &OS, const FactChecks &Checks) const;
  StringRef nameOf(Role R) const {
    return find_if(Parameters, [&](const Parameter &P) { return P.R == R; })->Name;
  }

  const CallSite &Site;
  const SiteFacts &Facts;
  const Choice &Chosen;
  const DefinitionStyle &Style;
  const unsigned Version;
  SmallVector<Transfer, 2> Sides;
  std::vector<Parameter> Parameters;
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

Definition::Definition(const CallSite &Site, const SiteFacts &Facts, const Choice &Choice,
                       const DefinitionStyle &Style, unsigned Version)
    : Site(Site), Facts(Facts), Chosen(Choice), Style(Style), Version(Version),
      Sides(transfersOf(*Site.Function)) {
  StringSet<> Used;
  for (Role R : Site.Function->Roles) {
    std::string Name = mpispec::text(R).str();
    std::replace(Name.begin(), Name.end(), ' ', '_');
    while (Style.Reserved.contains(Name) || !Used.insert(Name).second)
      Name += '_';
    Parameters.push_back({R, Name});
  }
}

Knowledge Definition::knowledgeOf(Role R) const {
  if (R == Role::Comm)
    return {&Facts.Comm, nullptr};
  if (R == Role::Root)
    return {&Facts.Root, nullptr};
  if (R == Role::Op)
    return {&Facts.Op, nullptr};
  for (auto [Side, T] : zip(Sides, Facts.Transfers)) {
    if (Side.Count == R)
      return {&T.Count, &T};
    if (Side.Datatype == R)
      return {&T.Datatype, &T};
    if (Side.Peer == R)
      return {&T.Peer, &T};
    if (Side.Tag == R)
      return {&T.Tag, &T};
  }
  return {};
}

//===- Facts as guards ------------------------------------------------------------------------===//
//
// Facts are proven in Clang's reading of the program, and another compiler may read it otherwise.
// So what a template is told is either the argument itself or a constant that the argument was just
// compared with. Where the user's compiler sees the constant as well, the comparison folds away.
// Only what changes the template's code is worth one: counts, datatypes, MPI_COMM_WORLD,
// operations, wildcards.

/// Is the argument a count for which the template gets a constant?
bool Definition::usesCount(const Parameter &P) const {
  Knowledge K = knowledgeOf(P.R);
  return formOf(P.R) == Form::Count && K.Value && K.Value->K == Answer::Constant;
}

/// Does the template know what the operation of a reduction does to the elements?
bool Definition::usesReduction() const {
  return !Facts.Op.Bits.empty() && Facts.Transfers.size() == 1 &&
         !Facts.Transfers[0].Datatype.Bits.empty() &&
         !reductionText(Facts.Op.Name, Facts.Transfers[0].Datatype.Name).empty();
}

/// Is the argument a handle for which the template gets what it stands for?
bool Definition::usesHandle(const Parameter &P) const {
  Knowledge K = knowledgeOf(P.R);
  if (!K.Value || K.Value->K != Answer::Handle || K.Value->Bits.empty())
    return false;
  switch (formOf(P.R)) {
  case Form::Element:
    return K.Side->Contiguous && K.Side->DatatypeSize;
  case Form::Handle:
    return P.R == Role::Comm && K.Value->Name == "MPI_COMM_WORLD";
  case Form::Reduce:
    return usesReduction();
  default:
    return false;
  }
}

/// Does the function out of line compare the datatype itself? In a loop compilers would make a copy
/// of the loop for each outcome of a test at the call. An address can be named only behind the MPI
/// header, which is not where that function stands.
bool Definition::testsInside(const Parameter &P) const {
  return Version && !Style.Shared.empty() && formOf(P.R) == Form::Element && usesHandle(P) &&
         isDigit(knowledgeOf(P.R).Value->Bits.front());
}

/// What the template calls the wildcard that the argument is; empty if it is none.
StringRef Definition::wildcard(const Parameter &P) const {
  Knowledge K = knowledgeOf(P.R);
  if (!K.Side || formOf(P.R) != Form::Integer)
    return "";
  if (K.Value == &K.Side->Peer)
    return K.Side->PeerIsWildcard ? "mpispec_any_source" : "";
  return hasAnyTag(*K.Side) ? "mpispec_any_tag" : "";
}

std::string Definition::handleText(const Answer &A) const {
  return Style.NamesHandles ? "(unsigned long)" + A.Name : A.Bits;
}

/// The comparisons of all that the template is told; empty if that is nothing.
std::string Definition::guard() const {
  std::string Text;
  ListSeparator And(" && ");
  for (const Parameter &P : Parameters)
    if (usesCount(P))
      Text += formatv("{0}{1} == {2}", StringRef(And), P.Name, constantName(P));
    else if (usesHandle(P) && !testsInside(P))
      Text += formatv("{0}(unsigned long){1} == {2}", StringRef(And), P.Name,
                      handleText(*knowledgeOf(P.R).Value));
    else if (StringRef Wildcard = wildcard(P); !Wildcard.empty())
      Text += formatv("{0}{1} == {2}", StringRef(And), P.Name, Wildcard);
  return Text;
}

/// The bytes of one element. Only templates of messages take types that the analysis does not know.
std::string Definition::elementArgument(const Parameter &P) const {
  if (usesHandle(P))
    return std::to_string(*knowledgeOf(P.R).Side->DatatypeSize);
  FunctionKind Kind = Site.Function->Kind;
  bool IsMessage =
      Kind == FunctionKind::Send || Kind == FunctionKind::Recv || Kind == FunctionKind::SendRecv;
  if (IsMessage && !Style.Elements.empty() && knowledgeOf(P.R).Side->ContiguousInEachCopy)
    return formatv("{0}((unsigned long){1})", ElementFunction, P.Name);
  return "-1";
}

std::string Definition::templateArgument(const Parameter &P) const {
  switch (formOf(P.R)) {
  case Form::Buffer:
    return P.Name;
  case Form::Count:
    return usesCount(P) ? constantName(P) : "(long long)" + P.Name;
  case Form::Element:
    return elementArgument(P);
  case Form::Integer:
    return wildcard(P).empty() ? P.Name : wildcard(P).str();
  case Form::Handle:
    return usesHandle(P) ? "mpispec_comm_world" : "(unsigned long)" + P.Name;
  case Form::Reduce:
    return usesReduction() ? reductionText(Facts.Op.Name, Facts.Transfers[0].Datatype.Name)
                           : "mpispec_no_operation, mpispec_no_number";
  case Form::Object:
    return usesUnread(P) ? "mpispec_status_unread(" + P.Name + ")" : "(void *)" + P.Name;
  }
  llvm_unreachable("unknown form");
}

/// Is the template told something else than the argument itself?
bool Definition::isKnown(const Parameter &P) const {
  switch (formOf(P.R)) {
  case Form::Count:
    return usesCount(P);
  case Form::Element:
  case Form::Reduce:
    return true;
  case Form::Handle:
    return usesHandle(P);
  case Form::Integer:
    return !wildcard(P).empty();
  default:
    return false;
  }
}

/// The place of a collective call as a literal, `"foo.c:12"`, for the message that ranks are in
/// different operations; empty for other calls.
std::string Definition::place() const {
  if (Site.Function->Kind != FunctionKind::Collective)
    return "";
  std::string File = commentSafe(Site.File);
  std::replace(File.begin(), File.end(), '"', '?');
  return formatv("\"{0}:{1}\"", File, Site.Line);
}

//===- The text -------------------------------------------------------------------------------===//

void Definition::writeSignature(raw_ostream &OS) const {
  // What is only predicted stands out of line as a whole: the call costs no more room than before.
  bool OnlyPredicted = Chosen.Form == CallForm::Inline && !Chosen.HasProven &&
                       !Style.SharedVersions.empty() && !Style.CheckFacts;
  OS << (OnlyPredicted ? "static __attribute__((__noinline__, __unused__, "
                       : "static __inline__ __attribute__((__always_inline__, __artificial__, ")
     << "__no_instrument_function__)) " << Site.ReturnType << '\n'
     << siteFunctionName(Site.Number) << '(';
  ListSeparator Comma;
  for (auto [P, Type] : zip(Parameters, Site.ParameterTypes))
    OS << Comma << declare(Type, P.Name);
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
  for (const Parameter &P : Parameters)
    if (Knowledge K = knowledgeOf(P.R); K.Value && K.Value->K != Answer::Unknown)
      Note(mpispec::text(P.R), mpispec::text(*K.Value), K.Value->Origin);
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
  for (const Parameter &P : Parameters)
    if (usesCount(P))
      OS << "  const long long " << constantName(P) << " = " << knowledgeOf(P.R).Value->Low
         << ";\n";
}

/// Writes the guard and the template's call, in front of the ordinary call or of the next version.
void Definition::writeTemplateCall(raw_ostream &OS, bool IsLikely) const {
  if (std::string Guard = guard(); !Guard.empty())
    OS << (IsLikely ? "__builtin_expect(" + Guard + ", 1)" : Guard) << " &&\n                 ";
  const TemplateInfo &Template = templateNamed(Chosen.Template);
  if (Style.Shared.empty())
    OS << "mpispec_" << Template.Body << '(';
  else
    OS << Style.Shared << '(';
  ListSeparator Comma;
  for (const Parameter &P : Parameters)
    if (testsInside(P))
      OS << Comma << "(unsigned long)" << P.Name;
    else if (Style.Shared.empty() || !isKnown(P))
      OS << Comma << templateArgument(P);
  if (std::string Place = place(); !Place.empty())
    OS << Comma << Place;
  if (Style.Shared.empty() && !Template.Word.empty())
    OS << Comma << Template.Word;
  OS << ")\n             ? 0\n             : ";
}

void Definition::writeBody(raw_ostream &OS, const FactChecks &Checks) const {
  std::string Constants, Calls;
  raw_string_ostream ConstantsOS(Constants), CallsOS(Calls);
  for (auto [I, V] : enumerate(Chosen.Versions)) {
    constexpr unsigned Likely = 75; // percent
    Choice Assumed;
    Assumed.Template = V.Template;
    DefinitionStyle OfVersion = Style;
    OfVersion.Shared = Style.SharedVersions.empty() ? "" : StringRef(Style.SharedVersions[I]);
    Definition Text(Site, V.Facts, Assumed, OfVersion, I + 1);
    Text.writeConstants(ConstantsOS);
    Text.writeTemplateCall(
        CallsOS, all_of(V.Assumed, [](const Prediction &P) { return P.Percent >= Likely; }));
  }
  if (Chosen.Form == CallForm::Inline && Chosen.HasProven) {
    writeConstants(ConstantsOS);
    writeTemplateCall(CallsOS, /*IsLikely=*/true);
  }
  OS << Constants << Checks.Statements << "  return " << Calls;
  OS << Site.Callee << '(';
  ListSeparator CallComma;
  for (const Parameter &P : Parameters)
    OS << CallComma << P.Name;
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
static StringRef typeOf(Form F) {
  switch (F) {
  case Form::Buffer:
  case Form::Object:
    return "void *";
  case Form::Count:
    return "long long ";
  case Form::Integer:
    return "int ";
  case Form::Handle:
    return "unsigned long ";
  case Form::Element:
  case Form::Reduce:
    break;
  }
  llvm_unreachable("always known");
}

std::string Definition::shared(StringRef Name) const {
  std::string Declared, Passed, Tests;
  ListSeparator DeclaredComma, PassedComma;
  for (auto [P, Type] : zip(Parameters, Site.ParameterTypes)) {
    std::string Argument = "mpispec_" + P.Name;
    if (!isKnown(P)) {
      bool IsInput = formOf(P.R) == Form::Buffer && StringRef(Type).starts_with("const ");
      Declared +=
          (StringRef(DeclaredComma) + (IsInput ? "const " : "") + typeOf(formOf(P.R)) + Argument)
              .str();
    } else if (usesCount(P)) {
      Argument = std::to_string(knowledgeOf(P.R).Value->Low);
    } else {
      if (testsInside(P)) {
        Tests += Argument + " == " + knowledgeOf(P.R).Value->Bits + " && ";
        Declared += (StringRef(DeclaredComma) + "unsigned long " + Argument).str();
      }
      Argument = templateArgument(P);
      if (StringRef(Argument).starts_with(ElementFunction))
        return "";
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

std::string elementFunction(StringRef Definitions, const DefinitionStyle &Style) {
  if (!Definitions.contains((ElementFunction + "(").str()))
    return "";
  std::string Text =
      formatv("static __inline__ __attribute__((__always_inline__, __unused__, "
              "__no_instrument_function__)) long long\n{0}(unsigned long datatype)\n{{\n"
              "  return ",
              ElementFunction);
  for (const ElementSize &E : Style.Elements) {
    // Of two addresses a compiler may know that they are equal, but seldom that they differ: what
    // it does not know counts as different.
    std::string Equal = "datatype == " + (Style.NamesHandles ? "(unsigned long)" + E.Name : E.Bits);
    Text += formatv("__builtin_constant_p({0}) && {0} ? {1}\n         : ", Equal, E.Bytes);
  }
  return Text + "-1;\n}\n";
}

std::string commentSafe(StringRef Text) {
  constexpr size_t Longest = 200; // characters: more would hide the code
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
