//===- Emitter.cpp - The definition of one site's function ------------------------------------===//
#include "Rewrite/Emitter.h"
#include "Rewrite/FactChecks.h"
#include "Selection/Reductions.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace mpispec {

namespace {

/// How an argument is handed to a template (docs/Templates.md, "What a template takes").
enum class Form : uint8_t {
  Buffer,  ///< a pointer to the program's data, as it is
  Count,   ///< long long
  Element, ///< of a datatype: long long, bytes of one element, or -1
  Integer, ///< int
  Handle,  ///< unsigned long: the handle's bits
  Reduce,  ///< of an operation: that, and what it works on
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
  Definition(const CallSite &Site, const SiteFacts &Facts, const Choice &Choice,
             const StringSet<> &Reserved);
  std::string text(bool CheckFacts) const;

private:
  struct Parameter {
    Role R;
    std::string Name;
  };

  Knowledge knowledgeOf(Role R) const;
  std::string constantName(const Parameter &P) const { return "mpispec_" + P.Name; }
  bool isConstant(const Parameter &P) const;
  std::string templateArgument(const Parameter &P) const;
  void writeSignature(raw_ostream &OS) const;
  void writeComment(raw_ostream &OS) const;
  void writeBody(raw_ostream &OS, bool CheckFacts) const;
  StringRef nameOf(Role R) const {
    return find_if(Parameters, [&](const Parameter &P) { return P.R == R; })->Name;
  }

  const CallSite &Site;
  const SiteFacts &Facts;
  const Choice &Chosen;
  SmallVector<Transfer, 2> Sides;
  std::vector<Parameter> Parameters;
};

} // namespace

/// `const void *` and a name: `const void *buffer`; `MPI_Status[]` and a name: `MPI_Status
/// statuses[]`.
static std::string declare(StringRef Type, StringRef Name) {
  size_t Bracket = Type.find('[');
  StringRef Before = Type.take_front(Bracket).rtrim();
  StringRef After = Bracket == StringRef::npos ? "" : Type.drop_front(Bracket);
  return formatv("{0}{1}{2}{3}", Before, Before.ends_with("*") ? "" : " ", Name, After);
}

Definition::Definition(const CallSite &Site, const SiteFacts &Facts, const Choice &Choice,
                       const StringSet<> &Reserved)
    : Site(Site), Facts(Facts), Chosen(Choice), Sides(transfersOf(*Site.Function)) {
  StringSet<> Used;
  for (Role R : Site.Function->Roles) {
    std::string Name = mpispec::text(R).str();
    std::replace(Name.begin(), Name.end(), ' ', '_');
    while (Reserved.contains(Name) || !Used.insert(Name).second)
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

/// Only integers are written as constants: what bits a handle's name has is for the MPI header to
/// say.
bool Definition::isConstant(const Parameter &P) const {
  Form F = formOf(P.R);
  Knowledge K = knowledgeOf(P.R);
  return (F == Form::Count || F == Form::Integer) && K.Value && K.Value->K == Answer::Constant;
}

std::string Definition::templateArgument(const Parameter &P) const {
  if (isConstant(P))
    return constantName(P);
  switch (formOf(P.R)) {
  case Form::Buffer:
    return P.Name;
  case Form::Count:
    return "(long long)" + P.Name;
  case Form::Element: {
    Knowledge K = knowledgeOf(P.R);
    bool Known = K.Side && K.Side->Contiguous && K.Side->DatatypeSize;
    return Known ? std::to_string(*K.Side->DatatypeSize) : "-1";
  }
  case Form::Integer:
    return P.Name;
  case Form::Handle: {
    Knowledge K = knowledgeOf(P.R);
    bool IsWorld = P.R == Role::Comm && K.Value && K.Value->K == Answer::Handle &&
                   K.Value->Name == "MPI_COMM_WORLD";
    return IsWorld ? "mpispec_comm_world" : "(unsigned long)" + P.Name;
  }
  case Form::Reduce: {
    assert(Facts.Transfers.size() == 1 && "a reduction has one datatype");
    return reductionText(Facts.Op.Name, Facts.Transfers[0].Datatype.Name);
  }
  case Form::Object:
    return "(void *)" + P.Name;
  }
  llvm_unreachable("unknown form");
}

void Definition::writeSignature(raw_ostream &OS) const {
  OS << "static __inline__ __attribute__((__always_inline__, __artificial__, "
        "__no_instrument_function__)) "
     << Site.ReturnType << '\n'
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
  OS << " */\n";
}

void Definition::writeBody(raw_ostream &OS, bool CheckFacts) const {
  for (const Parameter &P : Parameters)
    if (isConstant(P))
      OS << "  const " << (formOf(P.R) == Form::Count ? "long long " : "int ") << constantName(P)
         << " = " << knowledgeOf(P.R).Value->Low << ";\n";
  if (CheckFacts)
    OS << factChecks(Site, Facts, [&](Role R) { return nameOf(R); });
  OS << "  return mpispec_" << Chosen.Template << '(';
  ListSeparator TemplateComma, CallComma;
  for (const Parameter &P : Parameters)
    OS << TemplateComma << templateArgument(P);
  OS << ")\n             ? 0\n             : " << Site.Callee << '(';
  for (const Parameter &P : Parameters)
    OS << CallComma << P.Name;
  OS << ");\n";
}

std::string Definition::text(bool CheckFacts) const {
  std::string Text;
  raw_string_ostream OS(Text);
  writeSignature(OS);
  OS << "{\n";
  writeComment(OS);
  writeBody(OS, CheckFacts);
  OS << "}\n";
  return Text;
}

std::string siteFunctionName(unsigned Site) { return SiteNamePrefix.str() + std::to_string(Site); }

std::string siteDefinition(const CallSite &Site, const SiteFacts &Facts, const Choice &Choice,
                           const StringSet<> &Reserved, bool CheckFacts) {
  assert(!Choice.Template.empty() && "the call stays as it is");
  assert(Site.ParameterTypes.size() == Site.Function->Roles.size() && "table and header disagree");
  return Definition(Site, Facts, Choice, Reserved).text(CheckFacts);
}

std::string commentSafe(StringRef Text) {
  constexpr size_t Longest = 200; // a comment is for a glance
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
