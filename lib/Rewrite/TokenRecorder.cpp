//===- TokenRecorder.cpp - The token stream that Clang parsed ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Rewrite/TokenRecorder.h"
#include "Frontend/PreprocessedSource.h"
#include "Rewrite/LineMacro.h"
#include "clang/Lex/HeaderSearch.h"
#include "clang/Lex/HeaderSearchOptions.h"
#include "clang/Lex/MacroInfo.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/Path.h"

using namespace clang;
using namespace llvm;

namespace mpispec {

namespace {

/// The properties of the file with a token's characters.
struct FileTraits {
  enum Kind : uint8_t {
    Source,
    Predefines, ///< the compiler's macros and those of the command line
    Scratch,    ///< where the preprocessor writes the tokens that it makes up
  } K = Source;
  bool BelongsToMpi = false;
  bool BelongsToCompiler = false;
  bool HasPartsForCompilers = false; ///< a header of glibc, whose macros depend on the compiler
};

class Recorder {
public:
  Recorder(Preprocessor &PP, TokenStream &Stream, std::optional<unsigned> MainFileEnd)
      : PP(PP), SM(PP.getSourceManager()), Stream(Stream), MainFileEnd(MainFileEnd) {}

  void watch(const Token &Tok) {
    if (Tok.isAnnotation())
      return watchAnnotation(Tok.getKind());
    if (InPragma || Tok.is(tok::eof))
      return;
    if (PragmaOperands > 0) {
      --PragmaOperands;
      return;
    }
    record(Tok);
  }
  void fileChanged() {
    SystemFile = SourceRange();
    ExpandsUserMacro = false;
  }
  void macroExpands(SourceLocation Definition) {
    ExpandsUserMacro |=
        Definition.isValid() && !isSystem(Definition) && !SM.isWrittenInBuiltinFile(Definition);
  }

private:
  void watchAnnotation(tok::TokenKind Kind);
  void record(const Token &Tok);
  bool isInSystemFile(SourceLocation FileLocation);
  void classify(RecordedToken &Recorded);
  void nameSystemMacro(RecordedToken &Recorded);
  unsigned ownExpansion(SourceLocation Location);
  bool isOwnMacro(StringRef Name);
  bool isSystemMacro(StringRef Name);
  const FileTraits &traits(SourceLocation FileLocation);
  bool isMarkedAsMpi(SourceLocation FileLocation) const;
  bool isSystem(SourceLocation FileLocation) { return SM.isInSystemHeader(FileLocation); }

  Preprocessor &PP;
  const SourceManager &SM;
  TokenStream &Stream;
  std::optional<unsigned> MainFileEnd;
  DenseMap<FileID, FileTraits> Traits;
  DenseMap<FileID, unsigned> OwnExpansions; ///< by the expansion that a token is of
  SourceRange SystemFile;        ///< the file that is being read, if known to be a system's
  bool ExpandsUserMacro = false; ///< in that file, a macro of the program or of the command line
  bool InPragma = false;         ///< between the annotations that open and close a pragma
  unsigned PragmaOperands = 0;   ///< how many of the next tokens are operands of a pragma
};

} // namespace

/// Recognizes pragmas that Clang passes to its parser as tokens. Their tokens are not recorded,
/// because the other compiler's text has a line for a pragma.
void Recorder::watchAnnotation(tok::TokenKind Kind) {
  switch (Kind) {
  case tok::annot_pragma_openmp:
  case tok::annot_pragma_openacc:
    InPragma = true;
    break;
  case tok::annot_pragma_openmp_end:
  case tok::annot_pragma_openacc_end:
    InPragma = false;
    break;
  case tok::annot_pragma_weak:
  case tok::annot_pragma_unused:
    PragmaOperands = 1;
    break;
  case tok::annot_pragma_weakalias:
  case tok::annot_pragma_redefine_extname:
    PragmaOperands = 2;
    break;
  default:
    break;
  }
}

const FileTraits &Recorder::traits(SourceLocation FileLocation) {
  FileID File = SM.getFileID(FileLocation);
  auto [It, New] = Traits.try_emplace(File);
  if (!New)
    return It->second;
  FileTraits T;
  if (File == PP.getPredefinesFileID()) {
    T.K = FileTraits::Predefines;
  } else if (auto Entry = SM.getFileEntryRefForID(File)) {
    T.BelongsToMpi = isTextOfMpi(SM, SM.getLocForStartOfFile(File));
    T.BelongsToCompiler =
        Entry->getName().starts_with(PP.getHeaderSearchInfo().getHeaderSearchOpts().ResourceDir);
    T.HasPartsForCompilers =
        is_contained({"math.h", "complex.h", "tgmath.h"}, sys::path::filename(Entry->getName()));
  } else if (SM.isWrittenInScratchSpace(FileLocation)) {
    T.K = FileTraits::Scratch;
  }
  return It->second = T;
}

/// Is the place in text of mpi.h, in a source that is preprocessed already? Line markers show it.
bool Recorder::isMarkedAsMpi(SourceLocation FileLocation) const {
  return SM.getSLocEntry(SM.getFileID(FileLocation)).getFile().hasLineDirectives() &&
         isTextOfMpi(SM, FileLocation);
}

/// Most tokens of a C++ unit come from a system's headers. Therefore the result for a file is kept,
/// until another file is read or a directive changes the kind of this one.
bool Recorder::isInSystemFile(SourceLocation FileLocation) {
  if (SystemFile.getBegin() <= FileLocation && FileLocation <= SystemFile.getEnd())
    return true;
  if (!isSystem(FileLocation))
    return false;
  FileID File = SM.getFileID(FileLocation);
  SystemFile = {SM.getLocForStartOfFile(File), SM.getLocForEndOfFile(File)};
  return true;
}

void Recorder::record(const Token &Tok) {
  // In a system file all tokens belong to the system, except those that come from macros of the
  // program.
  if (SystemFile.isValid() && Tok.getLocation().isMacroID() && !ExpandsUserMacro)
    return;
  RecordedToken Recorded;
  Recorded.Location = Tok.getLocation();
  SourceLocation Outermost = SM.getExpansionLoc(Recorded.Location);
  Recorded.InSystemFile = isInSystemFile(Outermost);
  if (Recorded.InSystemFile && Recorded.Location.isFileID())
    return;
  if (Recorded.InSystemFile)
    classify(Recorded);
  // gcc marks a pasted token like the left one of its two parts. In a system file, the left part
  // belongs to the program if a macro of the program expands to it. Clang does not provide this
  // information.
  bool MayBeUsers = Recorded.From == RecordedToken::ComputedSystem && Tok.getIdentifierInfo();
  if (Recorded.InSystemFile && Recorded.isSystem() && !(ExpandsUserMacro && MayBeUsers))
    return;
  if (traits(Outermost).BelongsToMpi || isMarkedAsMpi(Outermost))
    return;
  if (MainFileEnd && SM.getFileID(Outermost) == SM.getMainFileID() &&
      SM.getFileOffset(Outermost) >= *MainFileEnd)
    return;
  if (!Recorded.InSystemFile)
    classify(Recorded);
  if (Recorded.isSystem())
    nameSystemMacro(Recorded);
  Recorded.OwnExpansion = ownExpansion(Recorded.Location);
  SmallString<32> Buffer;
  // The letters of a name without escapes and line splices.
  const IdentifierInfo *Name = Tok.getIdentifierInfo();
  Recorded.Spelling = Stream.save(Name ? Name->getName() : PP.getSpelling(Tok, Buffer));
  Recorded.IsString = tok::isStringLiteral(Tok.getKind());
  Recorded.IsNumber = Tok.is(tok::numeric_constant);
  Recorded.IsIdentifier = Tok.getIdentifierInfo() != nullptr;
  Stream.append(Recorded);
}

/// Follows the token to the place of its characters. gcc does the same to decide whether a token is
/// a system header's (linemap_location_in_system_header_p). An argument leads to its source text, a
/// token of a macro's body to the macro's definition. A token that no file contains leads to its
/// expansion.
void Recorder::classify(RecordedToken &Recorded) {
  enum { Spelled, FromPredefines, MadeUp } How = Spelled;
  bool MadeBySystem = false;
  SourceLocation Location = Recorded.Location;
  while (Location.isMacroID()) {
    SourceLocation Characters = SM.getImmediateSpellingLoc(Location);
    if (Characters.isMacroID() || traits(Characters).K == FileTraits::Source ||
        (traits(Characters).K == FileTraits::Predefines &&
         !SM.isWrittenInBuiltinFile(Characters))) {
      Location = Characters;
      continue;
    }
    if (How == Spelled) {
      How = traits(Characters).K == FileTraits::Scratch ? MadeUp : FromPredefines;
      if (How == MadeUp)
        MadeBySystem = isSystemMacro(Lexer::getImmediateMacroName(Location, SM, PP.getLangOpts()));
    }
    Location = SM.getImmediateExpansionRange(Location).getBegin();
  }
  bool System = isSystem(Location) || MadeBySystem;
  switch (How) {
  case Spelled:
    Recorded.From = System ? RecordedToken::System : RecordedToken::User;
    break;
  case FromPredefines:
    Recorded.From = System ? RecordedToken::PredefinedSystem : RecordedToken::Predefined;
    break;
  case MadeUp:
    Recorded.From = System ? RecordedToken::ComputedSystem : RecordedToken::Computed;
    break;
  }
}

bool Recorder::isSystemMacro(StringRef Name) {
  const MacroInfo *Macro = PP.getMacroInfo(PP.getIdentifierInfo(Name));
  return Macro && !Macro->isBuiltinMacro() && Macro->getDefinitionLoc().isValid() &&
         isSystem(Macro->getDefinitionLoc());
}

/// The outermost macro of a system header that led to the token. The user's text contains its name.
void Recorder::nameSystemMacro(RecordedToken &Recorded) {
  SourceLocation Location = Recorded.Location;
  StringRef Outermost;
  while (Location.isMacroID()) {
    StringRef Name = Lexer::getImmediateMacroName(Location, SM, PP.getLangOpts());
    if (isSystemMacro(Name))
      Outermost = Name;
    Location = SM.getImmediateMacroCallerLoc(Location);
  }
  if (Outermost.empty())
    return;
  Recorded.SystemMacro = Stream.save(Outermost);
  const MacroInfo *Macro = PP.getMacroInfo(PP.getIdentifierInfo(Outermost));
  Recorded.CompilersOwnMacro = traits(Macro->getDefinitionLoc()).BelongsToCompiler;
}

/// The outermost expansion around \p Location of a macro that each compiler defines differently
/// (isOwnMacro), or 0. The result is stored for each expansion, because all its tokens have the
/// same result.
unsigned Recorder::ownExpansion(SourceLocation Location) {
  if (Location.isFileID())
    return 0;
  auto [Known, New] = OwnExpansions.try_emplace(SM.getFileID(Location), 0);
  if (New) {
    SourceLocation Outer = SM.getImmediateExpansionRange(Location).getBegin();
    unsigned Around = ownExpansion(Outer); // the call may invalidate Known
    bool IsOwn = !SM.isMacroArgExpansion(Location) &&
                 isOwnMacro(Lexer::getImmediateMacroName(Location, SM, PP.getLangOpts()));
    unsigned Result = Around || !IsOwn ? Around : Outer.getRawEncoding();
    OwnExpansions[SM.getFileID(Location)] = Result;
    return Result;
  }
  return Known->second;
}

bool Recorder::isOwnMacro(StringRef Name) {
  const MacroInfo *Macro = PP.getMacroInfo(PP.getIdentifierInfo(Name));
  SourceLocation Defined = Macro ? Macro->getDefinitionLoc() : SourceLocation();
  return Defined.isValid() && isSystem(Defined) &&
         (traits(Defined).BelongsToCompiler || traits(Defined).HasPartsForCompilers);
}

namespace {

/// Notifies a recorder if another file is read, or the same file under another name or as a
/// system's. Also reports the macros that are expanded in it.
class FileWatcher : public PPCallbacks {
public:
  explicit FileWatcher(std::shared_ptr<Recorder> R) : R(std::move(R)) {}
  void FileChanged(SourceLocation, FileChangeReason, SrcMgr::CharacteristicKind, FileID) override {
    R->fileChanged();
  }
  void MacroExpands(const Token &, const MacroDefinition &Macro, SourceRange,
                    const MacroArgs *) override {
    R->macroExpands(Macro.getMacroInfo()->getDefinitionLoc());
  }

private:
  std::shared_ptr<Recorder> R;
};

} // namespace

void recordTokens(Preprocessor &PP, TokenStream &Stream, TextDialect Dialect,
                  std::optional<unsigned> MainFileEnd) {
  if (Dialect == TextDialect::Gcc)
    countLinesLikeGcc(PP);
  auto R = std::make_shared<Recorder>(PP, Stream, MainFileEnd);
  PP.addPPCallbacks(std::make_unique<FileWatcher>(R));
  PP.setTokenWatcher([R](const Token &Tok) { R->watch(Tok); });
}

} // namespace mpispec
