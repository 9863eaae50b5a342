//===- ReadableText.cpp - The user's compiler's text as far as Clang can read it --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Declarations are found by their brackets, without a parser. If this method finds too long or too
// short a body, more calls stay unchanged. There is no other effect.
//
//===------------------------------------------------------------------------------------------===//
#include "Rewrite/ReadableText.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;
using namespace llvm;

namespace mpispec {

using llvm::StringLiteral; // Clang has one, too

//===- Words for types -----------------------------------------------------------------------===//

namespace {
/// gcc's name of a floating-point type, and Clang's name of it. If Clang's name is a keyword, gcc's
/// name becomes the same keyword, because `_Complex` may precede keywords but no declared names.
struct FloatType {
  StringLiteral Name, Meaning;
  tok::TokenKind Keyword;
};
constexpr FloatType FloatTypes[] = {
    {"_Float32", "float", tok::kw_float},          {"_Float64", "double", tok::kw_double},
    {"_Float32x", "double", tok::kw_double},       {"_Float128", "__float128", tok::kw___float128},
    {"_Float64x", "long double", tok::identifier}, {"__float80", "long double", tok::identifier},
};

/// The suffix of a number of such a type, and the suffix that Clang accepts, which is never longer.
struct FloatSuffix {
  StringLiteral Ours, Clangs;
};
constexpr FloatSuffix FloatSuffixes[] = {{"f32x", ""}, {"f64x", "l"}, {"f128", "q"}, {"f32", "f"},
                                         {"f64", ""},  {"w", "l"},    {"d", ""}};
} // namespace

/// In C++, headers declare some of these names. Therefore the names become typedefs, because a
/// typedef may be repeated.
void knowFloatTypesOfGcc(Preprocessor &PP) {
  std::string Declared;
  for (const FloatType &Type : FloatTypes)
    if (PP.getLangOpts().CPlusPlus || Type.Keyword == tok::identifier)
      Declared += ("typedef " + Type.Meaning + " " + Type.Name + ";\n").str();
    else
      PP.getIdentifierTable().get(Type.Name, Type.Keyword);
  PP.setPredefines(PP.getPredefines() + Declared);
}

static bool isFloatNumber(StringRef Word) {
  StringRef Marks = Word.starts_with_insensitive("0x") ? "pP" : ".eE";
  return (isDigit(Word[0]) || Word[0] == '.') && Word.find_first_of(Marks) != StringRef::npos;
}

/// Replaces the suffix of the number with \p Length bytes at \p At by one that Clang accepts.
static void translateNumber(std::string &Text, size_t At, size_t Length) {
  StringRef Word = StringRef(Text).substr(At, Length);
  for (const FloatSuffix &Suffix : FloatSuffixes) {
    size_t Digits = Length - std::min(Length, Suffix.Ours.size());
    if (!Word.ends_with_insensitive(Suffix.Ours) || !Digits ||
        !(isDigit(Word[Digits - 1]) || Word[Digits - 1] == '.'))
      continue;
    std::string New = Suffix.Clangs.str();
    New.resize(Suffix.Ours.size(), ' ');
    Text.replace(At + Digits, New.size(), New);
    return;
  }
}

//===- Declarations --------------------------------------------------------------------------===//

/// Finds the declarations of the text, also those in namespaces and classes.
class DeclarationFinder {
public:
  explicit DeclarationFinder(ReadableText &R) : R(R), Text(R.Original), Count(tokens().size()) {
    findPartners();
  }
  void run() { walk(0, Count, /*InClass=*/false); }

private:
  enum class Brace { Scope, Class, Body, Value };

  ArrayRef<TextToken> tokens() const { return Text.tokens(); }
  StringRef word(unsigned At) const { return Text.raw(tokens()[At]); }

  void findPartners();
  void walk(unsigned Begin, unsigned End, bool InClass);
  unsigned addBody(unsigned Head, unsigned Open, bool InClass);
  Brace kindOf(unsigned Head, unsigned Open) const;
  bool isInitializer(unsigned Open) const;
  unsigned skipTemplate(unsigned At, unsigned End) const;

  ReadableText &R;
  const PreprocessedText &Text;
  unsigned Count;
  std::vector<unsigned> Partners; ///< for an opening bracket the closing one, else itself
};

void DeclarationFinder::findPartners() {
  SmallVector<unsigned, 32> Open;
  for (unsigned At = 0; At < Count; ++At) {
    Partners.push_back(At);
    StringRef Word = word(At);
    if (Word == "(" || Word == "[" || Word == "{")
      Open.push_back(At);
    else if ((Word == ")" || Word == "]" || Word == "}") && !Open.empty())
      Partners[Open.pop_back_val()] = At;
  }
}

void DeclarationFinder::walk(unsigned Begin, unsigned End, bool InClass) {
  unsigned Head = Begin;
  auto Add = [&](unsigned Last) {
    if (!InClass)
      R.Declarations.push_back({Head, Last, /*IsBody=*/false});
    Head = Last + 1;
  };
  for (unsigned At = Begin; At < End; At = std::max(At + 1, Partners[At] + (Partners[At] > At))) {
    StringRef Word = word(At);
    if (Word == ";") {
      Add(At);
    } else if (InClass && Word == ":" && At == Head + 1) { // public:
      Head = At + 1;
    } else if (Word == "{") {
      Brace Kind = kindOf(Head, At);
      if (Kind == Brace::Scope || Kind == Brace::Class)
        walk(At + 1, Partners[At], InClass || Kind == Brace::Class);
      if (Kind == Brace::Scope)
        Head = Partners[At] + 1;
      else if (Kind == Brace::Body)
        Head = addBody(Head, At, InClass);
    }
  }
}

/// Adds the function whose body opens at \p Open; a constructor's initializers belong to the body.
/// Returns the token behind it.
unsigned DeclarationFinder::addBody(unsigned Head, unsigned Open, bool InClass) {
  unsigned Begin = Open;
  bool Parameters = false;
  for (unsigned At = Head; At < Open; At = Partners[At] + 1) {
    if (Parameters && word(At) == ":")
      Begin = std::min(Begin, At);
    Parameters |= word(At) == "(";
  }
  bool Foreign = !InClass && tokens()[Head].SystemFile && word(Head) != "template";
  R.Declarations.push_back({Head, Partners[Open], /*IsBody=*/false, Foreign});
  R.Declarations.push_back({Begin, Partners[Open], /*IsBody=*/true, Foreign});
  return Partners[Open] + 1;
}

unsigned DeclarationFinder::skipTemplate(unsigned At, unsigned End) const {
  while (At + 1 < End && word(At) == "template" && word(At + 1) == "<") {
    int Depth = 0;
    for (++At; At < End; At = Partners[At] + 1) {
      Depth += word(At) == "<" ? 1 : word(At) == ">" ? -1 : word(At) == ">>" ? -2 : 0;
      if (Depth <= 0)
        break;
    }
    ++At;
  }
  return At;
}

/// Do the braces initialize a member in a constructor? Then another member or the body follows.
bool DeclarationFinder::isInitializer(unsigned Open) const {
  unsigned Next = Partners[Open] + 1;
  return Next < Count && (word(Next) == "," || word(Next) == "{");
}

/// The kind of the brace \p Open, by the words between \p Head and it.
DeclarationFinder::Brace DeclarationFinder::kindOf(unsigned Head, unsigned Open) const {
  bool HasKey = false, HasParameters = false;
  for (unsigned At = skipTemplate(Head, Open); At < Open; At = Partners[At] + 1) {
    StringRef Word = word(At);
    StringRef Before = At > Head ? word(At - 1) : "";
    if (Word == "namespace" ||
        (Word == "extern" && word(At + 1).starts_with("\"") && At + 2 == Open))
      return Brace::Scope;
    if (Word == "enum" || (Word == "=" && Before != "operator"))
      return Brace::Value;
    HasKey |= Word == "struct" || Word == "union" || Word == "class";
    HasParameters |=
        Word == "(" && !StringSwitch<bool>(Before)
                            .Cases({"__attribute__", "__attribute", "alignas", "_Alignas",
                                    "decltype", "typeof", "__typeof__", "__typeof", "requires"},
                                   true)
                            .Default(false);
  }
  if (HasParameters && isInitializer(Open))
    return Brace::Value;
  return HasParameters ? Brace::Body : HasKey ? Brace::Class : Brace::Value;
}

//===- The text ------------------------------------------------------------------------------===//

ReadableText::ReadableText(StringRef Input, const LangOptions &Language)
    : Original(Input, Language, /*KeepsSystemText=*/true), Text(Input) {
  if (!Language.CPlusPlus) // in C++ the program may define such suffixes
    for (const TextToken &T : Original.tokens())
      if (isFloatNumber(Original.raw(T)))
        translateNumber(Text, T.Offset, T.Length);
  DeclarationFinder(*this).run();
}

/// The declaration that contains \p Offset and is not removed yet. If it has a body that contains
/// \p Offset, the body.
ReadableText::Declaration *ReadableText::holderOf(unsigned Offset) {
  Declaration *Found = nullptr;
  for (Declaration &D : Declarations) {
    const TextToken &First = Original.tokens()[D.Begin], &Last = Original.tokens()[D.End];
    bool Holds = First.Offset <= Offset && Offset < Last.Offset + Last.Length;
    if (Holds && !D.Out && (!Found || D.IsBody))
      Found = &D;
  }
  return Found;
}

/// Blanks the line if it is a pragma. Clang accepts some pragmas only at the beginning of a block.
bool ReadableText::takeOutPragma(unsigned Offset) {
  size_t Begin = StringRef(Text).rfind('\n', Offset) + 1;
  StringRef Line = StringRef(Text).drop_front(Begin).split('\n').first;
  if (!Line.starts_with("#pragma"))
    return false;
  Text.replace(Begin, Line.size(), Line.size(), ' ');
  return true;
}

/// Blanks a declaration or body. Line markers stay, so that lines count on as before.
void ReadableText::takeOut(Declaration &D) {
  const TextToken &First = Original.tokens()[D.Begin], &Last = Original.tokens()[D.End];
  bool InMarker = false;
  for (uint32_t At = First.Offset; At < Last.Offset + Last.Length; ++At) {
    if (At > First.Offset && Text[At - 1] == '\n')
      InMarker = StringRef(Text).drop_front(At).starts_with("# ");
    if (!InMarker && Text[At] != '\n')
      Text[At] = ' ';
  }
  if (D.IsBody)
    Text[First.Offset] = ';';
  D.Out = true;
}

bool ReadableText::takeOut(ArrayRef<unsigned> Offsets) {
  SmallPtrSet<Declaration *, 16> Doomed;
  for (unsigned Offset : Offsets) {
    if (takeOutPragma(Offset))
      continue;
    Declaration *D = holderOf(Offset);
    if (!D)
      return false;
    Doomed.insert(D);
  }
  for (Declaration *D : Doomed) {
    Whole &= D->Foreign;
    takeOut(*D);
  }
  return !Offsets.empty();
}

std::vector<CallSite> ReadableText::callsTakenOut(unsigned First) const {
  std::vector<CallSite> Calls;
  ArrayRef<TextToken> Tokens = Original.tokens();
  for (unsigned At = 0; At + 1 < Tokens.size(); ++At) {
    const TextToken &T = Tokens[At];
    StringRef Name = Original.raw(T);
    if (T.Mpi || T.SystemFile || Text[T.Offset] == Name[0] || Original.raw(Tokens[At + 1]) != "(")
      continue;
    const FunctionInfo *Function = lookUpFunction(Name);
    if (!Function || !isCommunication(Function->Kind))
      continue;
    CallSite Call;
    Call.Number = First + Calls.size();
    Call.Function = Function;
    Call.Callee = Name.str();
    Call.File = Original.file(T.File).str();
    Call.Line = T.Line;
    Call.Column = Original.columnOf(T.Offset);
    Call.Obstacle = RemarkID::InUnreadableFunction;
    Calls.push_back(std::move(Call));
  }
  return Calls;
}

} // namespace mpispec
