//===- Integrity.cpp - Is rewritten text still the user's program? ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Rewrite/Integrity.h"
#include "Rewrite/Emitter.h"
#include "Rewrite/PreprocessedText.h"
#include "Rewrite/Rewriter.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FormatVariadic.h"
#include <map>

using namespace llvm;

namespace mpispec {

char BrokenSite::ID = 0;

namespace {

/// Inserted text, [Begin, End). Its last line is the line marker back to the user's text.
struct Region {
  uint32_t Begin, End;
};

/// The original text, restored from pieces of the new one. The flags of system macros are inserted
/// at their places in the original.
class RestoredText {
public:
  explicit RestoredText(const PreprocessedText &Original)
      : Start(Original.text().data()), Removed(Original.systemMacroFlags()) {
    Text.reserve(Original.text().size());
  }

  StringRef text() const { return Text; }
  void takeBack() { Text.pop_back(); }
  void append(StringRef Piece) {
    for (; Next < Removed.size() && offset() <= Text.size() + Piece.size(); ++Next) {
      size_t Before = std::max(offset(), Text.size()) - Text.size();
      ((Text += Piece.take_front(Before)) += Removed[Next]);
      Piece = Piece.drop_front(Before);
    }
    Text += Piece;
  }

private:
  size_t offset() const { return Removed[Next].data() - Start; }
  const char *Start;
  std::vector<StringRef> Removed;
  size_t Next = 0; ///< the index of the next flags to insert
  std::string Text;
};

class Checker {
public:
  Checker(StringRef Original, StringRef Rewritten, ArrayRef<CallSite> Sites,
          ArrayRef<Choice> Choices, const clang::LangOptions &Language)
      : Language(Language), Original(Original, Language), New(Rewritten, Language) {
    for (auto [Site, C] : zip(Sites, Choices))
      if (C.isRewritten())
        RewrittenSites[Site.Number] = &Site;
  }
  Error run();

private:
  using Span = std::pair<unsigned, unsigned>; ///< tokens [first, second) of New

  Error findRegions();
  Error checkText();
  Error checkPlace(const Region &R, uint32_t OriginalOffset);
  Error checkCalls();
  Error checkSites();
  Error checkCall(const CallSite &Site, unsigned Name);
  Error checkDefinition(const CallSite &Site, unsigned Name);
  Error checkBody(const CallSite &Site, ArrayRef<std::string> Parameters, Span Body);
  Error checkGuards(const CallSite &Site, ArrayRef<std::string> Parameters, Span Body);
  Error checkOrdinaryCall(const CallSite &Site, ArrayRef<std::string> Parameters, Span Body);

  StringRef at(unsigned Token) const {
    return Token < New.tokens().size() ? New.raw(New.tokens()[Token]) : StringRef();
  }
  bool isInRegion(uint32_t Offset) const;
  const CallSite *siteNamed(StringRef Name) const;
  unsigned closing(unsigned Open) const;
  std::vector<Span> splitAtCommas(Span Range) const;
  std::string join(Span Range) const;
  std::string joinText(StringRef Text) const;

  const clang::LangOptions &Language;
  PreprocessedText Original, New;
  DenseMap<unsigned, const CallSite *> RewrittenSites;
  std::vector<Region> Regions;
};

Error broken(const Twine &What) { return createStringError(inconvertibleErrorCode(), What); }

} // namespace

/// A region begins with its marker and ends with the line behind its end marker.
Error Checker::findRegions() {
  StringRef Text = New.text();
  for (size_t At = Text.find(RegionMarker); At != StringRef::npos;
       At = Text.find(RegionMarker, At)) {
    if (At > 0 && Text[At - 1] != '\n')
      return broken("inserted text does not begin a line");
    size_t Back = Text.find(RegionEnd, At);
    size_t End = Back == StringRef::npos ? Back : Text.find('\n', Back + RegionEnd.size());
    if (End == StringRef::npos)
      return broken("inserted text does not end");
    Regions.push_back({static_cast<uint32_t>(At), static_cast<uint32_t>(End + 1)});
    At = End + 1;
  }
  return Error::success();
}

bool Checker::isInRegion(uint32_t Offset) const {
  auto After = upper_bound(Regions, Offset,
                           [](uint32_t Offset, const Region &R) { return Offset < R.Begin; });
  return After != Regions.begin() && Offset < std::prev(After)->End;
}

const CallSite *Checker::siteNamed(StringRef Name) const {
  unsigned Number;
  if (!Name.consume_front(SiteNamePrefix) || Name.getAsInteger(10, Number))
    return nullptr;
  return RewrittenSites.lookup(Number);
}

Error Checker::checkText() {
  StringRef Text = New.text(), Old = Original.text();
  RestoredText Restored(Original);
  uint32_t Done = 0;
  auto Region = Regions.begin();
  auto CopyUpTo = [&](uint32_t Offset) -> Error {
    for (; Region != Regions.end() && Region->Begin <= Offset; ++Region) {
      Restored.append(Text.slice(Done, Region->Begin));
      Done = Region->End;
      // An insertion within a line splits the line. Spaces in front of the rest restore its column.
      size_t Last = Restored.text().size() - 1;
      if (!Restored.text().empty() && (Last >= Old.size() || Old[Last] != '\n')) {
        Restored.takeBack();
        size_t LineStart = Restored.text().rfind('\n') + 1;
        size_t Column = std::min<size_t>(Restored.text().size() - LineStart, LastColumn - 1);
        StringRef Padding = Text.substr(Done, Column);
        if (Padding.size() < Column || Padding.find_first_not_of(' ') != StringRef::npos)
          return broken("text behind an insertion is not at its column");
        Done += Padding.size();
      }
      if (Error E = checkPlace(*Region, Restored.text().size()))
        return E;
    }
    Restored.append(Text.slice(Done, Offset));
    Done = Offset;
    return Error::success();
  };
  for (const TextToken &T : New.tokens()) {
    const CallSite *Site = siteNamed(New.raw(T));
    if (!Site || isInRegion(T.Offset))
      continue;
    if (Error E = CopyUpTo(T.Offset))
      return E;
    Restored.append(Site->Callee);
    Done = T.Offset + T.Length;
  }
  if (Error E = CopyUpTo(Text.size()))
    return E;
  return Restored.text() == Old ? Error::success()
                                : broken("text other than the calls has changed");
}

Error Checker::checkPlace(const Region &R, uint32_t OriginalOffset) {
  TextPlace Place = Original.placeAt(OriginalOffset);
  StringRef Inserted = New.text().slice(R.Begin, R.End);
  std::string Expected =
      formatv("\n# {0} {1}{2}\n", Place.Line, Place.QuotedFile, Place.Flags).str();
  if (!Inserted.ends_with(Expected))
    return broken("inserted text does not return to " + Place.QuotedFile + " line " +
                  Twine(Place.Line));
  return Error::success();
}

Error Checker::checkCalls() {
  for (unsigned I = 0; I < New.tokens().size(); ++I)
    if (at(I).starts_with(SiteNamePrefix) && !siteNamed(at(I)))
      return broken(at(I) + " is no site that was rewritten");
  return checkSites();
}

/// Names each site that breaks a rule, with the first rule that it breaks.
Error Checker::checkSites() {
  DenseMap<unsigned, unsigned> Calls, Definitions;
  std::map<unsigned, std::string> Broken;
  auto Break = [&](const CallSite &Site, const Twine &What) {
    Broken.try_emplace(Site.Number, What.str());
  };
  for (unsigned I = 0; I < New.tokens().size(); ++I) {
    const CallSite *Site = siteNamed(at(I));
    if (!Site)
      continue;
    bool IsDefinition = isInRegion(New.tokens()[I].Offset);
    if (++(IsDefinition ? Definitions : Calls)[Site->Number] > 1)
      Break(*Site, at(I) + (IsDefinition ? " is defined twice" : " is called twice"));
    else if (!IsDefinition && !Definitions.count(Site->Number))
      Break(*Site, at(I) + " is called before it is defined");
    else if (Error E = IsDefinition ? checkDefinition(*Site, I) : checkCall(*Site, I))
      Break(*Site, toString(std::move(E)));
  }
  for (auto [Number, Site] : RewrittenSites)
    if (!Calls.count(Number))
      Break(*Site, siteFunctionName(Number) + " is never called");
  Error All = Error::success();
  for (auto &[Number, Text] : Broken)
    All = joinErrors(std::move(All), make_error<BrokenSite>(Number, Text));
  return All;
}

/// The token behind the bracket that closes the one at \p Open.
unsigned Checker::closing(unsigned Open) const {
  unsigned Depth = 0;
  for (unsigned I = Open; I < New.tokens().size(); ++I) {
    StringRef Token = at(I);
    if (Token == "(" || Token == "[" || Token == "{")
      ++Depth;
    else if ((Token == ")" || Token == "]" || Token == "}") && --Depth == 0)
      return I + 1;
  }
  return New.tokens().size();
}

std::vector<Checker::Span> Checker::splitAtCommas(Span Range) const {
  std::vector<Span> Parts;
  unsigned Begin = Range.first;
  for (unsigned I = Range.first; I < Range.second;) {
    StringRef Token = at(I);
    if (Token == ",") {
      Parts.push_back({Begin, I});
      Begin = I + 1;
    }
    bool Opens = Token == "(" || Token == "[" || Token == "{";
    I = Opens ? closing(I) : I + 1;
  }
  Parts.push_back({Begin, Range.second});
  return Parts;
}

/// The tokens with single spaces between them, so that spacing makes no difference.
std::string Checker::join(Span Range) const {
  std::string Joined;
  for (unsigned I = Range.first; I < Range.second; ++I)
    (Joined += at(I)) += ' ';
  return Joined;
}

std::string Checker::joinText(StringRef Text) const {
  PreprocessedText Tokens(Text, Language);
  std::string Joined;
  for (const TextToken &T : Tokens.tokens())
    (Joined += Tokens.raw(T)) += ' ';
  return Joined;
}

Error Checker::checkCall(const CallSite &Site, unsigned Name) {
  unsigned Open = Name + 1;
  while (at(Open) == ")") // (MPI_Send)(...)
    ++Open;
  if (at(Open) != "(")
    return broken(at(Name) + " is not called");
  Span Arguments(Open + 1, closing(Open) - 1);
  size_t Count = splitAtCommas(Arguments).size();
  // Template arguments may hold commas that separate no arguments of the call.
  bool HasAngles = false;
  for (unsigned I = Arguments.first; I < Arguments.second; ++I)
    HasAngles |= at(I) == "<";
  size_t Expected = Site.ParameterTypes.size();
  if (Count != Expected && !(HasAngles && Count > Expected))
    return broken(at(Name) + " is called with another number of arguments");
  return Error::success();
}

/// \p Name is the number of the token `mpispec_site_N` in `static __inline__ __attribute__((...))
/// int mpispec_site_N(...) {...}`.
Error Checker::checkDefinition(const CallSite &Site, unsigned Name) {
  std::string Return = joinText(Site.ReturnType);
  unsigned Words = StringRef(Return).count(' ');
  if (Name < Words + 1 || join({Name - Words, Name}) != Return || at(Name - Words - 1) != ")")
    return broken(at(Name) + " does not return " + Site.ReturnType);
  if (at(Name + 1) != "(")
    return broken(at(Name) + " is not defined as a function");
  unsigned Body = closing(Name + 1);
  std::vector<Span> Declarations = splitAtCommas({Name + 2, Body - 1});
  if (Declarations.size() != Site.ParameterTypes.size())
    return broken(at(Name) + " has another number of parameters");
  std::vector<std::string> Parameters;
  StringSet<> Distinct;
  for (auto [Declaration, Type] : zip(Declarations, Site.ParameterTypes)) {
    unsigned NameAt = Declaration.second - 1; // ahead of `[]`, if there is one
    for (unsigned I = Declaration.first; I < Declaration.second; ++I)
      if (at(I) == "[") {
        NameAt = I - 1;
        break;
      }
    std::string Declared =
        join({Declaration.first, NameAt}) + join({NameAt + 1, Declaration.second});
    if (Declared != joinText(Type) || !Distinct.insert(at(NameAt)).second)
      return broken(at(Name) + " does not take '" + Type + "' where " + Site.Callee + " does");
    Parameters.push_back(at(NameAt).str());
  }
  if (at(Body) != "{")
    return broken(at(Name) + " has no body");
  return checkBody(Site, Parameters, {Body + 1, closing(Body) - 1});
}

/// The body may contain only names of parameters, types, templates and the callee, and no operator
/// that changes a value. Other names could bring in values that are no arguments of the call. The
/// address of a variable is allowed, because it is a handle with which an argument is compared.
Error Checker::checkBody(const CallSite &Site, ArrayRef<std::string> Parameters, Span Body) {
  static const StringSet<> Allowed = {
      "const", "long", "int", "unsigned", "void", "return", "(",  ")",  ",",
      ";",     "?",    ":",   "*",        "-",    "+",      "==", "&&", "__builtin_expect"};
  for (unsigned I = Body.first; I < Body.second; ++I) {
    StringRef Token = at(I);
    bool IsConstant = Token == "=" && at(I - 1).starts_with("mpispec_");
    bool IsAddress = Token == "&" && join({I - 4, I}) == "( unsigned long ) ";
    bool IsKnown = Allowed.contains(Token) || is_contained(Parameters, Token) || IsConstant ||
                   isDigit(Token.front()) || Token.front() == '"' ||
                   Token.starts_with("mpispec_") || Token == Site.Callee;
    if (IsAddress)
      ++I;
    else if (!IsKnown)
      return broken(siteFunctionName(Site.Number) + " has '" + Token + "' in its body");
  }
  if (Error E = checkGuards(Site, Parameters, Body))
    return E;
  return checkOrdinaryCall(Site, Parameters, Body);
}

/// If a template gets another expression than the argument, a guard must have compared both.
Error Checker::checkGuards(const CallSite &Site, ArrayRef<std::string> Parameters, Span Body) {
  std::string Text = join(Body);
  auto Has = [&](const Twine &Part) { return StringRef(Text).contains(Part.str()); };
  for (const std::string &P : Parameters)
    for (StringRef Version : {"", "_1", "_2", "_3"}) {
      std::string Constant = ("mpispec_" + P + Version).str();
      if (Has(" " + Constant + " = ") && !Has(" " + P + " == " + Constant + " "))
        return broken(siteFunctionName(Site.Number) + " does not compare '" + P + "'");
    }
  std::optional<unsigned> Comm = Site.Function->find(Role::Comm);
  if (Has("mpispec_comm_world") && !(Comm && Has(") " + Parameters[*Comm] + " == ")))
    return broken(siteFunctionName(Site.Number) + " does not compare the communicator");
  for (StringRef Wildcard : {"mpispec_any_source", "mpispec_any_tag"})
    if (Has(Wildcard + " ") && !Has(" == " + Wildcard + " "))
      return broken(siteFunctionName(Site.Number) + " does not compare " + Wildcard);
  if (Has("mpispec_status_unread") && !Site.StatusUnread)
    return broken(siteFunctionName(Site.Number) + " takes its status for unread");
  return Error::success();
}

Error Checker::checkOrdinaryCall(const CallSite &Site, ArrayRef<std::string> Parameters,
                                 Span Body) {
  std::string Call = Site.Callee + " ( ";
  for (auto [I, Name] : enumerate(Parameters))
    Call += (I ? ", " : "") + Name + " ";
  Call += ") ; ";
  std::string Text = "; " + join(Body); // after checks of facts, if any
  bool EndsWithIt =
      StringRef(Text).ends_with(": " + Call) || StringRef(Text).ends_with("; return " + Call);
  if (!EndsWithIt || StringRef(Text).count(Site.Callee + " (") != 1)
    return broken(siteFunctionName(Site.Number) + " does not end with the ordinary " + Site.Callee);
  return Error::success();
}

Error Checker::run() {
  if (Error E = findRegions())
    return E;
  if (Error E = checkText())
    return E;
  return checkCalls();
}

Error checkIntegrity(StringRef Original, StringRef Rewritten, ArrayRef<CallSite> Sites,
                     ArrayRef<Choice> Choices, const clang::LangOptions &Language) {
  return Checker(Original, Rewritten, Sites, Choices, Language).run();
}

} // namespace mpispec
