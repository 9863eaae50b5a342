//===- PreprocessedText.cpp - The user's compiler's preprocessed output as tokens -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Rewrite/PreprocessedText.h"
#include "clang/Lex/Lexer.h"
#include "clang/Lex/LiteralSupport.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Path.h"

using namespace clang;
using namespace llvm;

namespace mpispec {

namespace {

/// The parts of a line marker. File has its quotes and escapes.
struct MarkerLine {
  unsigned Line = 0;
  StringRef File;
  bool Enters = false, Returns = false, System = false;
  StringRef SystemFlags; ///< " 3" or " 3 4", or empty
};

/// The end of the quoted string that \p Text begins with, or npos.
size_t endOfString(StringRef Text) {
  for (size_t I = 1; I < Text.size(); ++I) {
    if (Text[I] == '\\')
      ++I;
    else if (Text[I] == '"')
      return I + 1;
  }
  return StringRef::npos;
}

/// Reads a line marker or `#line`. \p Line has no newline. Returns nothing if it is another
/// directive.
std::optional<MarkerLine> parseMarker(StringRef Line) {
  MarkerLine M;
  Line.consume_front("#");
  Line = Line.ltrim(" \t");
  Line.consume_front("line");
  Line = Line.ltrim(" \t");
  if (Line.consumeInteger(10, M.Line))
    return std::nullopt;
  Line = Line.ltrim(" \t");
  if (Line.starts_with("\"")) {
    size_t End = endOfString(Line);
    if (End == StringRef::npos)
      return std::nullopt;
    M.File = Line.take_front(End);
    Line = Line.drop_front(End);
  }
  StringRef Flags = Line.rtrim();
  size_t Three = Flags.find(" 3");
  M.SystemFlags = Three == StringRef::npos ? StringRef() : Flags.drop_front(Three);
  M.System = Three != StringRef::npos;
  M.Enters = Flags.contains(" 1");
  M.Returns = Flags.contains(" 2");
  return M;
}

std::string unquote(StringRef Quoted) {
  std::string Name;
  for (size_t I = 1; I + 1 < Quoted.size(); ++I) {
    if (Quoted[I] == '\\')
      ++I;
    Name += Quoted[I];
  }
  return Name;
}

/// Directives that do not apply to the declaration that follows them. Text may be inserted behind
/// them.
bool isNeutralDirective(StringRef Line) {
  Line.consume_front("#");
  Line = Line.ltrim(" \t");
  return !Line.consume_front("pragma") ||
         !mayBindToDeclaration(Line.ltrim(" \t").take_while(isAlnum));
}

} // namespace

/// One walk over the text. It keeps the stack of files that the line markers enter and leave.
class TextLexer {
public:
  explicit TextLexer(PreprocessedText &T)
      : T(T), Raw(SourceLocation(), T.Language, T.Text.data(), T.Text.data(),
                  T.Text.data() + T.Text.size()) {
    Stack.push_back({indexOf("\"\""), false, false, {}});
  }

  void run() {
    T.Tokens.reserve(T.Text.size() / UsualBytesPerToken);
    Token Tok;
    for (bool AtEnd = false; !AtEnd;) {
      AtEnd = Raw.LexFromRawLexer(Tok);
      if (Tok.is(tok::eof))
        break;
      uint32_t Offset = Raw.getBufferLocation() - T.Text.data() - Tok.getLength();
      if (Tok.is(tok::hash) && Tok.isAtStartOfLine() && (Offset == 0 || T.Text[Offset - 1] == '\n'))
        AtEnd = readDirective(Offset);
      else
        addToken(Tok, Offset);
    }
    while (!Stack.empty())
      leaveFile();
    noteLines(T.Text.size());
  }

private:
  struct File {
    unsigned Index;
    bool System, Mpi;
    /// Markers that declare text of this user file to be a system header's, for one of two reasons.
    /// If user text follows, the reason is a system macro. Otherwise it may be a pragma, which
    /// applies to the rest of the file.
    SmallVector<unsigned, 4> Undecided;
    bool ByPragma = false; ///< a pragma of this kind may precede the first of them
    bool Header = false; ///< entered as a system header, without a change of the file's name since
  };

  unsigned indexOf(StringRef Quoted) {
    auto [It, New] = Indices.try_emplace(Quoted, T.Files.size());
    if (New)
      T.Files.push_back(unquote(Quoted));
    return It->second;
  }

  /// Counts the lines up to \p Offset.
  void noteLines(uint32_t Offset) {
    StringRef All = T.Text.take_front(Offset);
    for (size_t End; (End = All.find('\n', Scanned)) != StringRef::npos; ++Line)
      T.LineStarts.push_back(Scanned = End + 1);
    Scanned = Offset;
  }

  void addToken(const Token &Tok, uint32_t Offset) {
    noteLines(Offset);
    TextToken Text;
    Text.Offset = Offset;
    Text.Length = Tok.getLength();
    Text.Line = Line;
    Text.File = Stack.back().Index;
    Text.System = System;
    Text.SystemFile = Stack.back().System;
    Text.Mpi = Stack.back().Mpi;
    Text.Dirty = Tok.needsCleaning() || Tok.hasUCN();
    T.Tokens.push_back(Text);
  }

  /// Reads the directive at \p Offset and moves behind it; true at the end of the text.
  bool readDirective(uint32_t Offset) {
    size_t End = T.Text.find('\n', Offset);
    bool AtEnd = End == StringRef::npos;
    uint32_t Next = AtEnd ? T.Text.size() : End + 1;
    noteLines(Next);
    StringRef Directive = T.Text.slice(Offset, AtEnd ? Next : End);
    if (auto M = parseMarker(Directive)) {
      follow(*M);
      T.Markers.push_back({Next, M->Line, Quoted, M->SystemFlags});
      decide(*M, Offset);
      bool IsForeign = Stack.back().Mpi || (M->System && Stack.back().Header);
      if (IsForeign && !T.KeepsSystemText)
        Next = skipForeignText(Next);
    }
    Raw.seek(Next, /*IsAtStartOfLine=*/true);
    return AtEnd || Next == T.Text.size();
  }

  /// Skips the text of a system's file or of MPI's headers up to the next directive. It is most of
  /// the text of a C++ unit, and of a small C unit. Keeps only the token that ends its last
  /// declaration. Returns the offset behind the text.
  uint32_t skipForeignText(uint32_t From) {
    uint32_t Stop = nextDirective(From);
    if (T.Tokens.empty() || Stop == T.Text.size())
      return From;
    StringRef Skipped = T.Text.slice(From, Stop);
    size_t End = Skipped.size();
    while (End > 0 && Skipped[End - 1] != ';' && Skipped[End - 1] != '}' && Skipped[End - 1] != '{')
      --End;
    if (End == 0)
      return Stop;
    if (mayBeQuoted(Skipped, End - 1))
      return From;
    Token Tok;
    Tok.startToken();
    Tok.setLength(1);
    addToken(Tok, From + End - 1);
    return Stop;
  }

  /// The offset of the next line that begins with `#`, or the end of the text.
  uint32_t nextDirective(uint32_t From) const {
    const StringRef All = T.Text;
    size_t At = All.find('#', From);
    while (At != StringRef::npos && At != From && All[At - 1] != '\n')
      At = All.find('#', At + 1);
    return std::min(At, All.size());
  }

  /// May the character at \p At be in a literal, or in a comment if comments are kept?
  static bool mayBeQuoted(StringRef Text, size_t At) {
    StringRef Line = Text.drop_front(Text.rfind('\n', At) + 1);
    Line = Line.take_front(Line.find('\n'));
    for (size_t Slash = Text.find('/'); Slash < Text.size(); Slash = Text.find('/', Slash + 1))
      if (Slash > 0 && Text[Slash - 1] == '*')
        return true;
    for (size_t Quote = Text.find('"'); Quote < Text.size(); Quote = Text.find('"', Quote + 1))
      if (Quote > 0 && Text[Quote - 1] == 'R')
        return true;
    return Line.find_first_of("\"'/") != StringRef::npos;
  }

  void follow(const MarkerLine &M) {
    Line = M.Line;
    System = M.System;
    if (M.File.empty())
      return;
    Quoted = M.File;
    unsigned Index = indexOf(M.File);
    if (M.Enters) {
      bool Mpi = Stack.back().Mpi || sys::path::filename(T.Files[Index]) == "mpi.h";
      Stack.push_back({Index, M.System, Mpi, {}});
      Stack.back().Header = M.System;
      return;
    }
    if (M.Returns && Stack.size() > 1)
      leaveFile();
    // `#line`, and the markers that open the text, name a file without entering it.
    if (M.Returns || Stack.back().Index != Index) {
      Stack.back().Header &= Stack.back().Index == Index;
      Stack.back().Index = Index;
      Stack.back().System = M.System;
    }
  }

  /// Decides whether the flags of the last marker, at \p Offset, come from a system macro.
  void decide(const MarkerLine &M, uint32_t Offset) {
    File &F = Stack.back();
    if (M.Enters || F.System)
      return;
    if (!M.System)
      return decideForMacros(F);
    if (F.Undecided.empty())
      F.ByPragma = mayBePragma(lineBefore(Offset));
    F.Undecided.push_back(T.Markers.size() - 1);
  }

  void decideForMacros(File &F) {
    for (unsigned Marker : F.Undecided)
      T.Markers[Marker].OfMacro = true;
    F.Undecided.clear();
  }

  void leaveFile() {
    if (!Stack.back().System && !Stack.back().ByPragma)
      decideForMacros(Stack.back());
    Stack.pop_back();
  }

  StringRef lineBefore(uint32_t Offset) const {
    StringRef Before = T.Text.take_front(Offset).drop_back(Offset ? 1 : 0);
    return Before.drop_front(Before.rfind('\n') + 1);
  }

  /// In place of `#pragma GCC system_header`, gcc writes blanks. clang keeps the pragma.
  static bool mayBePragma(StringRef Line) {
    return Line == "       " || Line.starts_with("#pragma");
  }

  static constexpr size_t UsualBytesPerToken = 6;

  PreprocessedText &T;
  Lexer Raw;
  StringMap<unsigned> Indices;
  SmallVector<File, 16> Stack;
  StringRef Quoted = "\"\"";
  uint32_t Scanned = 0; ///< how far lines are counted
  unsigned Line = 1;
  bool System = false;
};

PreprocessedText::PreprocessedText(StringRef Input, const LangOptions &Language,
                                   bool KeepsSystemText)
    : Text(Input), Language(Language), KeepsSystemText(KeepsSystemText) {
  LineStarts.push_back(0);
  Markers.push_back({0, 1, "\"\"", ""});
  TextLexer(*this).run();
}

std::string PreprocessedText::spelling(const TextToken &Token) const {
  if (!Token.Dirty)
    return raw(Token).str();
  std::string Clean;
  const char *At = Text.data() + Token.Offset, *End = At + Token.Length;
  while (At < End) {
    auto Char = Lexer::getCharAndSizeNoWarn(At, Language);
    Clean += Char.Char;
    At += Char.Size;
  }
  // gcc writes non-ASCII letters in names as numbers: na\U000000efve.
  if (StringRef(Clean).find_first_of("\"'") != StringRef::npos)
    return Clean;
  SmallString<32> Name;
  expandUCNs(Name, Clean);
  return Name.str().str();
}

bool PreprocessedText::reads(const TextToken &Token, StringRef Spelling) const {
  return Token.Dirty ? spelling(Token) == Spelling : raw(Token) == Spelling;
}

unsigned PreprocessedText::lineIndex(uint32_t Offset) const {
  return upper_bound(LineStarts, Offset) - LineStarts.begin() - 1;
}

unsigned PreprocessedText::columnOf(uint32_t Offset) const {
  return Offset - LineStarts[lineIndex(Offset)] + 1;
}

TextPlace PreprocessedText::placeAt(uint32_t Offset) const {
  auto After =
      upper_bound(Markers, Offset, [](uint32_t Offset, const Marker &M) { return Offset < M.End; });
  const Marker &M = *std::prev(After);
  return {M.QuotedFile, M.Line + lineIndex(Offset) - lineIndex(M.End),
          M.OfMacro ? StringRef() : M.Flags};
}

std::vector<StringRef> PreprocessedText::systemMacroFlags() const {
  std::vector<StringRef> All;
  for (const Marker &M : Markers)
    if (M.OfMacro)
      All.push_back(M.Flags);
  return All;
}

uint32_t PreprocessedText::declarationStart(unsigned Token) const {
  auto Ends = [&](const TextToken &Before) {
    StringRef Spelling = StringRef(Text).substr(Before.Offset, Before.Length);
    return is_contained({";", "{", "}", "<%", "%>"}, Spelling);
  };
  while (Token > 0 && !Ends(Tokens[Token - 1]))
    --Token;
  if (Token == 0)
    return textStart();
  const TextToken &Before = Tokens[Token - 1];
  return skipNeutralLines(Before.Offset + Before.Length, Tokens[Token].Offset);
}

/// The latest line start in From..Limit that has only blank lines and neutral directives before it;
/// From itself if Limit is on the same line.
uint32_t PreprocessedText::skipNeutralLines(uint32_t From, uint32_t Limit) const {
  StringRef All = Text;
  uint32_t At = From;
  if (From > 0) {
    size_t End = All.find('\n', From);
    if (End >= Limit)
      return From;
    At = End + 1;
  }
  while (true) {
    size_t End = All.find('\n', At);
    if (End == StringRef::npos || End >= Limit)
      return At;
    StringRef Line = All.slice(At, End);
    if (!Line.trim().empty() && !(Line.starts_with("#") && isNeutralDirective(Line)))
      return At;
    At = End + 1;
  }
}

std::vector<std::string> enteredFiles(StringRef Text) {
  std::vector<std::string> Files;
  while (!Text.empty()) {
    auto [Line, Rest] = Text.split('\n');
    Text = Rest;
    if (!Line.starts_with("#"))
      continue;
    std::optional<MarkerLine> M = parseMarker(Line);
    if (M && M->File.size() > 2 && (M->Enters || Files.empty()))
      Files.push_back(unquote(M->File));
  }
  return Files;
}

} // namespace mpispec
