//===- UnusedPrototypes.cpp - Unneeded declarations in MPI's headers --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Frontend/UnusedPrototypes.h"
#include "Frontend/PreprocessedSource.h"
#include "clang/Basic/CharInfo.h"
#include "clang/Basic/FileManager.h"
#include "clang/Lex/Lexer.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Path.h"
#include <array>

using namespace llvm;

namespace mpispec {

StringMap<unsigned> mentionsOfMpi(StringRef Text) {
  StringMap<unsigned> Mentions;
  // The search of StringRef tests each byte, and the text may have megabytes. Therefore this loop
  // searches a string_view.
  const std::string_view All(Text);
  for (size_t At = 0; (At = All.find("MPI", At)) != StringRef::npos;) {
    size_t Begin = At;
    while (Begin > 0 && clang::isAsciiIdentifierContinue(Text[Begin - 1]))
      --Begin;
    while (At < Text.size() && clang::isAsciiIdentifierContinue(Text[At]))
      ++At;
    ++Mentions[Text.slice(Begin, At)];
  }
  return Mentions;
}

/// Has \p Statement neither a directive, a comment, a string, a body nor the name of a structure,
/// enumeration or class? Each character is read once, because MPICH 4.0.2's headers have 0.6 MB.
static bool isPlain(StringRef Statement) {
  static const auto IsStop = [] {
    std::array<bool, 256> Table{};
    for (unsigned char C : StringRef("{}#\"'/\\= "))
      Table[C] = true;
    return Table;
  }();
  const char *Begin = Statement.begin(), *End = Statement.end();
  for (const char *At = Begin; At != End; ++At) {
    if (!IsStop[static_cast<unsigned char>(*At)])
      continue;
    if (*At != ' ')
      return false;
    if (At == Begin || !StringRef("tnms").contains(At[-1]))
      continue;
    StringRef Before(Begin, At - Begin);
    for (StringRef Word : {"struct", "union", "enum", "class"})
      if (Before.ends_with(Word))
        return false;
  }
  return true;
}

/// The function or function type that \p Statement declares if it is plain (isPlain) and of the
/// form `int name(parameters)` or `typedef int (name)(parameters)`. A statement that also declares
/// another type (`struct s *f(void)`), or that contains a directive, a comment or a string, is not
/// plain.
static StringRef functionDeclaredBy(StringRef Statement) {
  bool IsTypedef = Statement.consume_front("typedef ");
  auto [Before, Behind] = Statement.split('(');
  if (Before.size() == Statement.size() || !all_of(Before, [](char C) {
        return clang::isAsciiIdentifierContinue(C) || isSpace(C) || C == '*';
      }))
    return "";
  if (IsTypedef)
    return Behind.take_until([](char C) { return C == ')'; }).trim(" *");
  StringRef Declared = Before.rtrim();
  size_t Space = Declared.find_last_of(" \t\n*");
  return Space == StringRef::npos ? "" : Declared.drop_front(Space + 1);
}

/// Is \p Name reserved for MPI (MPI-4.0, section 2.6.2) or for an MPI library's own functions?
/// Headers of other packages may be in the same directory.
static bool isReservedForMpi(StringRef Name) {
  for (StringRef Prefix : {"OMPI_C_", "P", "Q"})
    if (Name.consume_front(Prefix))
      break;
  return Name.starts_with("MPI_") || Name.starts_with("MPIX_");
}

/// Is \p Statement the prototype of an MPI function that nothing else mentions?
static bool isUnusedPrototype(StringRef Statement, const StringMap<unsigned> &Mentions) {
  StringRef Name = functionDeclaredBy(Statement);
  return isReservedForMpi(Name) && Mentions.lookup(Name) < 2 && isPlain(Statement);
}

/// May a new declaration begin behind the line \p Line of a header? No if the line may begin a
/// declaration (an attribute), or is in a comment. \p Before: the answer for the line before.
static bool endsDeclaration(StringRef Line, bool Before) {
  if (Line.empty() || Line.front() == '#')
    return Before;
  return Line.ends_with(";") || Line.ends_with("{") || Line.ends_with("}") || Line.ends_with("*/");
}

/// Replaces a part of \p Text by blanks. Its line ends stay.
static void blank(std::string &Text, size_t Begin, size_t End) {
  std::replace_if(
      Text.begin() + Begin, Text.begin() + End, [](char C) { return C != '\n' && C != '\t'; }, ' ');
}

/// Appends to \p Kept the lines of \p Statement without their text. If text follows on the last
/// line (\p GoesOn), blanks keep its column.
static void appendLines(StringRef Statement, bool GoesOn, std::string &Kept) {
  Kept.append(Statement.count('\n'), '\n');
  if (GoesOn)
    for (char C : Statement.drop_front(Statement.rfind('\n') + 1))
      Kept += C == '\t' ? C : ' ';
}

std::string withoutUnusedPrototypes(StringRef Header, const StringMap<unsigned> &Mentions) {
  std::string Kept;
  size_t Done = 0; // up to here the header is in Kept
  bool ContinuesLine = false, MayBegin = true;
  auto EndOfLine = [&](size_t At) {
    return std::min(Header.find('\n', At), Header.size() - 1) + 1;
  };
  for (size_t Begin = 0; Begin < Header.size();) {
    size_t Next = EndOfLine(Begin), End = StringRef::npos;
    StringRef Line = Header.slice(Begin, Next).rtrim();
    if (!ContinuesLine && MayBegin && !Line.empty() && isAlpha(Line.front()))
      End = Header.find(';', Begin);
    if (End != StringRef::npos && isUnusedPrototype(Header.slice(Begin, End), Mentions)) {
      Next = EndOfLine(End);
      Line = Header.slice(End, Next).rtrim();
      bool GoesOn = Line != ";";
      Kept += Header.slice(Done, Begin);
      appendLines(Header.slice(Begin, End + 1), GoesOn, Kept);
      Done = GoesOn ? End + 1 : std::min(Header.find('\n', End), Header.size());
    }
    if (!ContinuesLine)
      MayBegin = endsDeclaration(Line.trim(), MayBegin);
    ContinuesLine = Line.ends_with("\\");
    Begin = Next;
  }
  Kept += Header.drop_front(Done);
  return Kept;
}

std::string withoutCxxBinding(StringRef Header) {
  std::string Kept = Header.str();
  clang::LangOptions Language;
  Language.CPlusPlus = true;
  clang::Lexer Raw(clang::SourceLocation(), Language, Kept.data(), Kept.data(),
                   Kept.data() + Kept.size());
  std::vector<std::pair<size_t, size_t>> Inside; // the namespace's tokens, from and to
  std::vector<StringRef> Before(2);              // the last two words outside of it
  unsigned Depth = 0;
  bool InDirective = false;
  for (clang::Token Tok; !Raw.LexFromRawLexer(Tok) && Tok.isNot(clang::tok::eof);) {
    InDirective = Tok.isAtStartOfLine() ? Tok.is(clang::tok::hash) : InDirective;
    if (InDirective)
      continue;
    size_t End = Raw.getBufferLocation() - Kept.data();
    StringRef Word = Header.slice(End - Tok.getLength(), End);
    if (Depth == 0) {
      Depth = Word == "{" && Before[0] == "namespace" && Before[1] == "MPI";
      Before = {Before[1], Word};
      continue;
    }
    Depth += Word == "{";
    Depth -= Word == "}";
    if (Depth > 0)
      Inside.push_back({End - Tok.getLength(), End});
  }
  if (Depth > 0) // the braces in all branches of a condition together do not match
    return Kept;
  for (auto [Begin, End] : Inside)
    blank(Kept, Begin, End);
  return Kept;
}

bool namesCxxBinding(StringRef Text) {
  const std::string_view All(Text);
  for (size_t At = 0; (At = All.find("MPI", At)) != StringRef::npos; At += 3) {
    StringRef Behind = Text.drop_front(At + 3).ltrim();
    bool IsWord = At == 0 || !clang::isAsciiIdentifierContinue(Text[At - 1]);
    if (IsWord && (Behind.starts_with("::") || Behind.starts_with(";") || Behind.starts_with("{")))
      return true;
  }
  return false;
}

/// The stretch of \p Text between the line markers that enter mpicxx.h and return to mpi.h; or
/// empty.
static StringRef textOfCxxBinding(StringRef Text) {
  const std::string_view All(Text);
  std::string Header = enteredMpiHeader(Text).str();
  size_t Enters = Header.empty() ? StringRef::npos : All.find("/mpicxx.h\" 1\n");
  size_t Returns = Enters == StringRef::npos ? Enters : All.find(" \"" + Header + "\" 2\n", Enters);
  return Returns == StringRef::npos ? "" : Text.slice(Enters, Returns);
}

/// The headers of MPI that the line markers of \p Text enter: mpi.h and other headers in its
/// directory.
static StringSet<> headersOfMpi(StringRef Text) {
  StringSet<> OfMpi;
  StringRef Header = enteredMpiHeader(Text);
  if (Header.empty())
    return OfMpi;
  const std::string_view All(Text);
  for (size_t At = 0; (At = All.find("\" 1", At)) != StringRef::npos; ++At) {
    StringRef Line = Text.take_front(At);
    Line = Line.drop_front(Line.rfind('\n') + 1);
    if (Line.consume_front("# 1 \"") &&
        sys::path::parent_path(Line) == sys::path::parent_path(Header))
      OfMpi.insert(Line);
  }
  return OfMpi;
}

/// The file that the line marker at the beginning of \p Text names; empty if there is none.
static StringRef markedFile(StringRef Text) {
  StringRef Line = Text.take_until([](char C) { return C == '\n'; });
  if (!Line.consume_front("# "))
    return "";
  return Line.split('"').second.split('"').first;
}

std::string preprocessedWithoutUnusedPrototypes(StringRef Text) {
  const StringSet<> Headers = headersOfMpi(Text);
  if (Headers.empty())
    return Text.str();
  const StringMap<unsigned> Mentions = mentionsOfMpi(Text);
  std::string Kept;
  Kept.reserve(Text.size());
  bool MayBegin = true; // may a declaration begin at the next part of the text?
  for (StringRef Rest = Text; !Rest.empty();) {
    size_t Marker = std::string_view(Rest).find("\n# ");
    StringRef Stretch = Rest.take_front(Marker == StringRef::npos ? Marker : Marker + 1);
    Rest = Rest.drop_front(Stretch.size());
    if (MayBegin && Headers.contains(markedFile(Stretch)))
      Kept += withoutUnusedPrototypes(Stretch, Mentions);
    else
      Kept += Stretch;
    StringRef Body = Stretch.rtrim();
    MayBegin = endsDeclaration(Body.drop_front(Body.rfind('\n') + 1).trim(), MayBegin);
  }
  return Kept;
}

void leaveOutUnusedPrototypes(clang::Preprocessor &PP, StringRef Text) {
  clang::FileManager &Files = PP.getFileManager();
  const StringSet<> Headers = headersOfMpi(Text);
  if (Headers.empty())
    return;
  StringRef Binding = textOfCxxBinding(Text);
  bool NeedsBinding = Binding.empty() ||
                      namesCxxBinding(Text.take_front(Binding.begin() - Text.begin())) ||
                      namesCxxBinding(Text.drop_front(Binding.end() - Text.begin()));
  StringMap<unsigned> Mentions = mentionsOfMpi(Text);
  if (!NeedsBinding)
    for (const auto &Mention : mentionsOfMpi(Binding))
      Mentions[Mention.getKey()] -= Mention.getValue();
  for (const auto &Header : Headers) {
    clang::OptionalFileEntryRef File = Files.getOptionalFileRef(Header.getKey());
    if (!File)
      continue;
    auto Buffer = Files.getBufferForFile(*File);
    if (!Buffer)
      continue;
    bool IsBinding = sys::path::filename(Header.getKey()) == "mpicxx.h";
    std::string Kept = IsBinding && !NeedsBinding
                           ? withoutCxxBinding((*Buffer)->getBuffer())
                           : withoutUnusedPrototypes((*Buffer)->getBuffer(), Mentions);
    PP.getSourceManager().overrideFileContents(
        *File, MemoryBuffer::getMemBufferCopy(Kept, Header.getKey()));
  }
}

} // namespace mpispec
