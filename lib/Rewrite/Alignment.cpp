//===- Alignment.cpp - Does Clang's parse match the user's compiler's text? -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The alignment is one walk over both streams. At almost every token there is one way to continue.
// If a computed token could also match its neighbour, the walk stores the other way, and tries it
// if the first way fails.
//
// The walk is linear in the number of tokens. Only the last few stored ways are kept, and the
// number of retries at one place is bounded. Two ways that reach the same pair of places continue
// alike. Therefore the walk ends the second one there, because the first one has failed behind that
// pair. The sum of all ways is bounded as well, for texts that repeat a few tokens.
//
//===------------------------------------------------------------------------------------------===//
#include "Rewrite/Alignment.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/ConvertUTF.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>
#include <deque>

using namespace llvm;

namespace mpispec {

namespace {

using Pair = std::pair<unsigned, unsigned>; ///< numbers of a recorded token and its text token

/// Macros of the C library whose definition depends on the compiler, although both compilers read
/// the same header (glibc 2.36: math.h, complex.h). Macros that a compiler's own headers define
/// need no row.
bool dependsOnCompiler(StringRef Macro) {
  static const StringSet<> Names = {"isnan",   "isinf",       "isfinite",      "isnormal",
                                    "signbit", "fpclassify",  "isgreater",     "isgreaterequal",
                                    "isless",  "islessequal", "islessgreater", "isunordered",
                                    "iseqsig", "issignaling", "iscanonical",   "issubnormal",
                                    "iszero",  "CMPLX",       "CMPLXF",        "CMPLXL"};
  return Names.contains(Macro);
}

/// The value of a C number. It is exact enough to decide whether two spellings mean the same
/// number.
std::optional<double> valueOf(StringRef Number) {
  StringRef Digits = Number.rtrim("uUlLfF");
  if (Number.starts_with_insensitive("0x"))
    Digits = Number.rtrim("uUlL");
  uint64_t Integer;
  if (!Digits.getAsInteger(0, Integer))
    return static_cast<double>(Integer);
  char *End = nullptr;
  std::string Text = Digits.str();
  double Value = std::strtod(Text.c_str(), &End);
  if (*End)
    return std::nullopt;
  return Value;
}

bool sameValue(StringRef Left, StringRef Right) {
  uint64_t A, B;
  if (!Left.rtrim("uUlL").getAsInteger(0, A) && !Right.rtrim("uUlL").getAsInteger(0, B))
    return A == B;
  std::optional<double> X = valueOf(Left), Y = valueOf(Right);
  return X && Y && (*X == *Y || std::fabs(*X - *Y) <= 1e-6 * std::fabs(*X));
}

/// gcc writes letters beyond ASCII in identifiers as universal character names (\U000000e9).
std::string withoutCharacterNames(StringRef Identifier) {
  std::string Text;
  while (!Identifier.empty()) {
    size_t Digits = Identifier.starts_with("\\U") ? 8 : Identifier.starts_with("\\u") ? 4 : 0;
    unsigned Code;
    if (Digits && !Identifier.substr(2, Digits).getAsInteger(16, Code)) {
      char Bytes[UNI_MAX_UTF8_BYTES_PER_CODE_POINT], *End = Bytes;
      if (ConvertCodePointToUTF8(Code, End))
        Text.append(Bytes, End);
      Identifier = Identifier.drop_front(2 + Digits);
    } else {
      Text += Identifier.front();
      Identifier = Identifier.drop_front();
    }
  }
  return Text;
}

bool isString(StringRef Text) { return Text.ends_with("\""); }

/// How gcc writes a limit of double; the empty token is the number.
constexpr StringLiteral CastInC[] = {"(", "(", "double", ")", "", ")"};
constexpr StringLiteral CastInCxx[] = {"double", "(", "", ")"};

class Aligner {
public:
  Aligner(const TokenStream &Stream, const PreprocessedText &Text, TextDialect Dialect);
  Error run();
  /// The matched tokens, by their numbers in the two streams.
  std::vector<Pair> matchedNumbers() const {
    std::vector<Pair> Numbers;
    for (auto [AtI, AtJ] : Pairs)
      Numbers.emplace_back(Recorded[AtI], Texts[AtJ]);
    return Numbers;
  }

private:
  /// A way that was not taken: the state to which the walk may return. If At has a value, its two
  /// tokens are matched first.
  struct Alternative {
    unsigned I, J;
    size_t Pairs;
    std::optional<Pair> At;
    /// I is behind a macro whose tokens depend on the compiler. The text is searched from J on for
    /// the token at I.
    bool BehindExpansion = false;
  };
  enum class Step { Taken, Stuck };

  const RecordedToken &recorded(unsigned I) const { return Stream.tokens()[Recorded[I]]; }
  const TextToken &token(unsigned J) const { return Text.tokens()[Texts[J]]; }
  bool isOptional(const RecordedToken &R) const { return Gcc && R.isSystem(); }
  bool isMarked(unsigned J) const { return Gcc && token(J).System; }

  bool mayGoOn();
  Step advance();
  Step skipSystem();
  Step matchOptional();
  Step matchRequired();
  unsigned skipMarked(unsigned AtJ);
  void match(unsigned AtI, unsigned AtJ, unsigned Length = 1);
  void remember(Alternative A);
  void remember(unsigned ThenI, unsigned ThenJ, std::optional<Pair> At) {
    remember({ThenI, ThenJ, Pairs.size(), At});
  }
  void rememberExpansion();
  bool goOnBehindExpansion(const Alternative &A);
  bool retry();
  bool matches(const RecordedToken &R, const TextToken &T) const;
  unsigned lengthOfMatch(const RecordedToken &R, unsigned AtJ) const;
  Error compareSystemMacros() const;
  std::optional<Pair> firstDifference(Pair From, Pair To) const;
  bool mayDiffer(unsigned From, unsigned To) const;
  bool areTwoNumbers(Pair At) const;
  Error differ(unsigned AtI, unsigned AtJ) const;

  const TokenStream &Stream;
  const PreprocessedText &Text;
  const bool Gcc;
  std::vector<unsigned> Recorded, Texts; ///< the tokens that take part
  std::vector<Pair> Pairs;               ///< indices into the two sequences
  std::deque<Alternative> Alternatives;
  unsigned I = 0, J = 0, FurthestI = 0, FurthestJ = 0, Retries = 0;
  /// For each recorded token, the text token of the first way that reached the recorded token.
  std::vector<unsigned> FirstArrivals;
  DenseSet<Pair> OtherArrivals;   ///< the later ways
  unsigned LastArrival = Nowhere; ///< the recorded token of the last arrival
  size_t StepsLeft;               ///< all ways together
  Pair MarkedRun = {Nowhere, 0};  ///< text tokens that skipMarked() has found to be marked
  static constexpr unsigned Nowhere = ~0u;
};

} // namespace

Aligner::Aligner(const TokenStream &Stream, const PreprocessedText &Text, TextDialect Dialect)
    : Stream(Stream), Text(Text), Gcc(Dialect == TextDialect::Gcc) {
  for (auto [Number, R] : enumerate(Stream.tokens()))
    if (Gcc || !R.InSystemFile)
      Recorded.push_back(Number);
  for (auto [Number, T] : enumerate(Text.tokens()))
    if (!T.Mpi && (Gcc ? !(T.System && T.SystemFile) : !(T.System || T.SystemFile)))
      Texts.push_back(Number);
  constexpr size_t StepsPerToken = 32, LeastSteps = 1 << 20;
  FirstArrivals.assign(Recorded.size() + 1, Nowhere);
  StepsLeft = LeastSteps + StepsPerToken * (Recorded.size() + Texts.size());
}

Error Aligner::run() {
  while (I < Recorded.size() || J < Texts.size()) {
    if (mayGoOn() && advance() == Step::Taken)
      continue;
    if (I + J >= FurthestI + FurthestJ) {
      FurthestI = I;
      FurthestJ = J;
      Retries = 0;
    }
    if (!retry())
      return differ(FurthestI, FurthestJ);
  }
  return compareSystemMacros();
}

/// Is this the first way that reaches the pair (I, J)? The test is made only when a way reaches a
/// new recorded token. From the same pair all ways continue in the same way.
bool Aligner::mayGoOn() {
  if (StepsLeft > 0)
    --StepsLeft;
  if (I == LastArrival)
    return true;
  LastArrival = I;
  if (FirstArrivals[I] != Nowhere)
    return FirstArrivals[I] != J && OtherArrivals.insert({I, J}).second;
  FirstArrivals[I] = J;
  return true;
}

Aligner::Step Aligner::advance() {
  if (I == Recorded.size()) {
    if (!isMarked(J))
      return Step::Stuck;
    ++J;
    return Step::Taken;
  }
  rememberExpansion();
  if (!isOptional(recorded(I)))
    return matchRequired();
  return recorded(I).From == RecordedToken::System ? skipSystem() : matchOptional();
}

/// gcc marks the tokens of a system macro's body. Therefore neither these tokens nor the recorded
/// ones take part in the comparison. The alternative finds tokens that gcc fails to mark.
Aligner::Step Aligner::skipSystem() {
  if (J < Texts.size() && !isMarked(J) && matches(recorded(I), token(J)))
    remember(I + 1, J + 1, Pair(I, J));
  ++I;
  return Step::Taken;
}

/// A token that a system macro computes. gcc marks some of these (INT_MIN) and not others
/// (INT_MAX). A string may match a different string of the text (__TIME__). But that string may
/// belong to a later token (__FILE__ before #NAME). Therefore the walk first continues without the
/// match.
Aligner::Step Aligner::matchOptional() {
  const RecordedToken &R = recorded(I);
  unsigned Next = skipMarked(J);
  unsigned Length = lengthOfMatch(R, Next);
  if (Length && !(R.IsString && !Text.reads(token(Next), R.Spelling))) {
    remember(I + 1, J, std::nullopt);
    match(I, Next, Length);
    return Step::Taken;
  }
  if (Length)
    remember(I + 1, Next + Length, Pair(I, Next));
  ++I;
  return Step::Taken;
}

/// The first unmarked text token from \p AtJ on. A run of marked tokens is searched once
/// for all tokens of a macro.
unsigned Aligner::skipMarked(unsigned AtJ) {
  if (AtJ < MarkedRun.first || AtJ > MarkedRun.second)
    MarkedRun = {AtJ, AtJ};
  while (MarkedRun.second < Texts.size() && isMarked(MarkedRun.second))
    ++MarkedRun.second;
  return MarkedRun.second;
}

Aligner::Step Aligner::matchRequired() {
  if (J == Texts.size())
    return Step::Stuck;
  unsigned Length = lengthOfMatch(recorded(I), J);
  if (isMarked(J)) {
    // gcc does not end a marked part for __LINE__ and similar macros.
    if (Length)
      remember(I + 1, J + Length, Pair(I, J));
    ++J;
    return Step::Taken;
  }
  if (!Length)
    return Step::Stuck;
  match(I, J, Length);
  return Step::Taken;
}

void Aligner::match(unsigned AtI, unsigned AtJ, unsigned Length) {
  Pairs.emplace_back(AtI, AtJ);
  I = AtI + 1;
  J = AtJ + Length;
}

void Aligner::remember(Alternative A) {
  constexpr size_t Kept = 64;
  Alternatives.push_back(A);
  if (Alternatives.size() > Kept)
    Alternatives.pop_front();
}

/// A macro of a compiler's own header (`_mm256_blend_pd`) may be a function in the other compiler's
/// header, or use its arguments in another order. Then no token of the expansion is compared.
void Aligner::rememberExpansion() {
  unsigned Expansion = recorded(I).OwnExpansion;
  if (!Gcc || !Expansion || (I > 0 && recorded(I - 1).OwnExpansion == Expansion))
    return;
  unsigned End = I;
  while (End < Recorded.size() && recorded(End).OwnExpansion == Expansion)
    ++End;
  remember({End, J, Pairs.size(), std::nullopt, /*BehindExpansion=*/true});
}

/// Continues at the first text token behind A.J, outside of brackets, that may be the next token of
/// the program.
bool Aligner::goOnBehindExpansion(const Alternative &A) {
  unsigned Next = A.I;
  while (Next < Recorded.size() && isOptional(recorded(Next)))
    ++Next;
  int Depth = 0;
  for (unsigned At = A.J; At < Texts.size() && Depth >= 0 && StepsLeft > 0; ++At, --StepsLeft) {
    StringRef Word = Text.raw(token(At));
    if (Depth == 0 && Next < Recorded.size() && !isMarked(At) &&
        matches(recorded(Next), token(At)) && At > A.J) {
      remember({A.I, At, A.Pairs, std::nullopt, /*BehindExpansion=*/true});
      I = A.I;
      J = At;
      return true;
    }
    Depth += Word == "(" || Word == "[" || Word == "{";
    Depth -= Word == ")" || Word == "]" || Word == "}";
  }
  return false;
}

bool Aligner::retry() {
  constexpr unsigned MostRetries = 4096; // at one place, before the streams count as different
  if (Alternatives.empty() || ++Retries > MostRetries || StepsLeft == 0)
    return false;
  LastArrival = Nowhere;
  Alternative A = Alternatives.back();
  Alternatives.pop_back();
  Pairs.resize(A.Pairs);
  if (A.BehindExpansion)
    return goOnBehindExpansion(A) || retry();
  if (A.At)
    Pairs.push_back(*A.At);
  I = A.I;
  J = A.J;
  return true;
}

bool Aligner::matches(const RecordedToken &R, const TextToken &T) const {
  if (Text.reads(T, R.Spelling))
    return true;
  StringRef Raw = Text.raw(T);
  switch (R.From) {
  case RecordedToken::User:
  case RecordedToken::System:
    return R.IsIdentifier && Raw.contains('\\') &&
           withoutCharacterNames(Raw) == withoutCharacterNames(R.Spelling);
  case RecordedToken::Predefined:
  case RecordedToken::PredefinedSystem:
    return R.IsNumber ? sameValue(R.Spelling, Raw)
                      : R.IsString && isString(Raw); // __VERSION__ is only printed
  case RecordedToken::Computed: // equal sizes, so that `sizeof __TIME__` is no exception
    return R.IsString && isString(Raw) && Raw.size() == R.Spelling.size();
  case RecordedToken::ComputedSystem:
    return R.IsString && isString(Raw);
  }
  llvm_unreachable("all origins are handled");
}

/// The number of text tokens from \p AtJ on that equal \p R: none, one, or several. gcc predefines
/// the limits of double by several tokens: `((double)1.5e+308L)` in C, `double(1.5e+308L)` in C++.
unsigned Aligner::lengthOfMatch(const RecordedToken &R, unsigned AtJ) const {
  if (AtJ >= Texts.size())
    return 0;
  if (matches(R, token(AtJ)))
    return 1;
  if (R.From != RecordedToken::Predefined && R.From != RecordedToken::PredefinedSystem)
    return 0;
  for (ArrayRef<StringLiteral> Form : {ArrayRef(CastInC), ArrayRef(CastInCxx)})
    if (AtJ + Form.size() <= Texts.size() && all_of(enumerate(Form), [&](auto Part) {
          const TextToken &T = token(AtJ + Part.index());
          return Part.value().empty() ? matches(R, T) : Text.reads(T, Part.value());
        }))
      return Form.size();
  return 0;
}

/// Compares the text between the matched pairs, which is the text of system macros.
Error Aligner::compareSystemMacros() const {
  Pair From(0, 0);
  auto Compare = [&](Pair To) -> Error {
    bool BothHaveText = From.first < To.first && From.second < To.second;
    std::optional<Pair> At;
    if (BothHaveText)
      At = firstDifference(From, To);
    if (At && (areTwoNumbers(*At) || !mayDiffer(From.first, To.first)))
      return differ(At->first, At->second);
    From = Pair(To.first + 1, To.second + 1);
    return Error::success();
  };
  for (Pair To : Pairs)
    if (Error E = Compare(To))
      return E;
  return Compare(Pair(Recorded.size(), Texts.size()));
}

std::optional<Pair> Aligner::firstDifference(Pair From, Pair To) const {
  auto [AtI, AtJ] = From;
  for (; AtI < To.first && AtJ < To.second; ++AtI, ++AtJ) {
    const RecordedToken &R = recorded(AtI);
    const TextToken &T = token(AtJ);
    if (!Text.reads(T, R.Spelling) && !(R.IsNumber && sameValue(R.Spelling, Text.raw(T))) &&
        !(R.IsString && isString(Text.raw(T))))
      return Pair(AtI, AtJ);
  }
  if (AtI == To.first && AtJ == To.second)
    return std::nullopt;
  return Pair(AtI, AtJ);
}

/// Two compilers may define a macro differently. But if both have a number at one place, the
/// numbers must be equal.
bool Aligner::areTwoNumbers(Pair At) const {
  return At.first < Recorded.size() && At.second < Texts.size() && recorded(At.first).IsNumber &&
         valueOf(Text.raw(token(At.second)));
}

/// Tokens in a system file are recorded only if they may belong to the program.
bool Aligner::mayDiffer(unsigned From, unsigned To) const {
  for (unsigned At = From; At < To; ++At)
    if (recorded(At).InSystemFile || recorded(At).CompilersOwnMacro || recorded(At).OwnExpansion ||
        dependsOnCompiler(recorded(At).SystemMacro))
      return true;
  return false;
}

Error Aligner::differ(unsigned AtI, unsigned AtJ) const {
  auto Quote = [](StringRef Spelling) { return ("'" + Spelling + "'").str(); };
  std::string Here = AtJ < Texts.size() ? Quote(Text.raw(token(AtJ))) : "the end of the text";
  std::string There = AtI < Recorded.size() ? Quote(recorded(AtI).Spelling) : "the end of the text";
  std::string Place;
  if (!Texts.empty()) {
    const TextToken &T = token(std::min<size_t>(AtJ, Texts.size() - 1));
    Place = formatv(" at {0}:{1}", Text.file(T.File), T.Line);
  }
  return createStringError(inconvertibleErrorCode(), "preprocessed differently" + Place + ": " +
                                                         Here + " here, " + There + " under clang");
}

std::optional<unsigned> Alignment::tokenAt(clang::SourceLocation Location) const {
  auto It = Numbers.find(Location);
  if (It == Numbers.end() || TextTokens[It->second] == Unmatched)
    return std::nullopt;
  return TextTokens[It->second];
}

std::optional<unsigned> Alignment::tokenFrom(clang::SourceLocation Location) const {
  auto It = Numbers.find(Location);
  if (It == Numbers.end())
    return std::nullopt;
  for (unsigned Number = It->second; Number < TextTokens.size(); ++Number)
    if (TextTokens[Number] != Unmatched)
      return TextTokens[Number];
  return std::nullopt;
}

Expected<Alignment> align(const TokenStream &Recorded, const PreprocessedText &Text,
                          TextDialect Dialect) {
  Aligner Walk(Recorded, Text, Dialect);
  if (Error E = Walk.run())
    return E;
  Alignment Result;
  Result.TextTokens.assign(Recorded.tokens().size(), Alignment::Unmatched);
  for (auto [R, T] : Walk.matchedNumbers())
    Result.TextTokens[R] = T;
  for (auto [Number, R] : enumerate(Recorded.tokens()))
    Result.Numbers.try_emplace(R.Location, Number);
  return Result;
}

Alignment alignWithItself(const PreprocessedText &Text, clang::SourceLocation Start) {
  Alignment Result;
  for (auto [Number, T] : enumerate(Text.tokens())) {
    Result.TextTokens.push_back(Number);
    Result.Numbers.try_emplace(Start.getLocWithOffset(T.Offset), Number);
  }
  return Result;
}

} // namespace mpispec
