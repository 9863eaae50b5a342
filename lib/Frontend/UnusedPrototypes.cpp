//===- UnusedPrototypes.cpp - What of MPI's headers a unit does not need ----------------------===//
#include "Frontend/UnusedPrototypes.h"
#include "Frontend/PreprocessedSource.h"
#include "clang/Basic/CharInfo.h"
#include "clang/Basic/FileManager.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace mpispec {

StringMap<unsigned> mentionsOfMpi(StringRef Text) {
  StringMap<unsigned> Mentions;
  for (size_t At = 0; (At = Text.find("MPI", At)) != StringRef::npos;) {
    size_t Begin = At;
    while (Begin > 0 && clang::isAsciiIdentifierContinue(Text[Begin - 1]))
      --Begin;
    while (At < Text.size() && clang::isAsciiIdentifierContinue(Text[At]))
      ++At;
    ++Mentions[Text.slice(Begin, At)];
  }
  return Mentions;
}

/// The function or function type that \p Statement declares, if its form is the plainest: `int
/// name(parameters)` or `typedef int (name)(parameters)`. A statement that declares another type as
/// well (`struct s *f(void)`), or in whose midst a directive, a comment or a string stands,
/// declares none.
static StringRef functionDeclaredBy(StringRef Statement) {
  if (Statement.find_first_of("{}#\"'/\\=") != StringRef::npos)
    return "";
  for (StringRef Word : {"struct ", "union ", "enum ", "class "})
    if (Statement.contains(Word))
      return "";
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

/// Does a declaration that stands behind \p Line begin there? Not if the line may be the begin of
/// it (an attribute), or lies in a comment. \p Before: the same of what stands before the line.
static bool endsDeclaration(StringRef Line, bool Before) {
  if (Line.empty() || Line.front() == '#')
    return Before;
  return Line.ends_with(";") || Line.ends_with("{") || Line.ends_with("}") || Line.ends_with("*/");
}

std::string withoutUnusedPrototypes(StringRef Header, const StringMap<unsigned> &Mentions) {
  std::string Kept = Header.str();
  bool ContinuesLine = false, MayBegin = true;
  for (size_t Begin = 0; Begin < Header.size();) {
    size_t Next = std::min(Header.find('\n', Begin), Header.size() - 1) + 1;
    StringRef Line = Header.slice(Begin, Next).rtrim();
    size_t End = Header.find(';', Begin);
    if (!ContinuesLine && MayBegin && End != StringRef::npos && !Line.empty() &&
        isAlpha(Line.front())) {
      StringRef Name = functionDeclaredBy(Header.slice(Begin, End));
      if (Name.contains("MPI") && Mentions.lookup(Name) < 2) {
        for (size_t At = Begin; At <= End; ++At)
          if (!isSpace(Kept[At]))
            Kept[At] = ' ';
        Next = std::min(Header.find('\n', End), Header.size() - 1) + 1;
        Line = Header.slice(End, Next).rtrim();
      }
    }
    if (!ContinuesLine)
      MayBegin = endsDeclaration(Line.trim(), MayBegin);
    ContinuesLine = Line.ends_with("\\");
    Begin = Next;
  }
  return Kept;
}

/// The headers of MPI that the line markers of \p Text enter: mpi.h and what lies beside it.
static StringSet<> headersOfMpi(StringRef Text) {
  StringSet<> OfMpi;
  StringRef Header = enteredMpiHeader(Text);
  if (Header.empty())
    return OfMpi;
  for (size_t At = 0; (At = Text.find("\" 1", At)) != StringRef::npos; ++At) {
    StringRef Line = Text.take_front(At);
    Line = Line.drop_front(Line.rfind('\n') + 1);
    if (Line.consume_front("# 1 \"") &&
        sys::path::parent_path(Line) == sys::path::parent_path(Header))
      OfMpi.insert(Line);
  }
  return OfMpi;
}

void leaveOutUnusedPrototypes(clang::Preprocessor &PP, StringRef Text) {
  clang::FileManager &Files = PP.getFileManager();
  const StringSet<> Headers = headersOfMpi(Text);
  const StringMap<unsigned> Mentions =
      Headers.empty() ? StringMap<unsigned>() : mentionsOfMpi(Text);
  for (const auto &Header : Headers) {
    clang::OptionalFileEntryRef File = Files.getOptionalFileRef(Header.getKey());
    if (!File)
      continue;
    auto Buffer = Files.getBufferForFile(*File);
    if (!Buffer)
      continue;
    std::string Kept = withoutUnusedPrototypes((*Buffer)->getBuffer(), Mentions);
    PP.getSourceManager().overrideFileContents(
        *File, MemoryBuffer::getMemBufferCopy(Kept, Header.getKey()));
  }
}

} // namespace mpispec
