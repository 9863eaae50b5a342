//===- FileMacro.cpp - __FILE__ as gcc names files --------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An ordinary macro replaces the built-in one, as in LineMacro.cpp. Its only token is set before
// each expansion. The file system, and not the name, determines which of gcc's names belong to a
// file. Both preprocessors enter a file the same number of times. Therefore Clang's n-th entry has
// gcc's n-th name.
//
//===------------------------------------------------------------------------------------------===//
#include "Rewrite/FileMacro.h"
#include "Rewrite/PreprocessedText.h"
#include "clang/Lex/MacroInfo.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/Support/FileSystem.h"
#include <map>

using namespace clang;
using namespace llvm;

namespace mpispec {

namespace {

/// Gcc's names of one file, a name for each time that it is entered.
struct NamesOfFile {
  std::vector<std::string> Names;
  size_t Entered = 0; ///< by Clang so far

  const std::string &next() { return Names[std::min(Entered++, Names.size() - 1)]; }
};

/// A macro of one token, which is a string.
class StringMacro {
public:
  StringMacro(Preprocessor &PP, StringRef Name)
      : PP(PP), Macro(PP.AllocateMacroInfo(SourceLocation())) {
    Body = Macro->allocateTokens(1, PP.getPreprocessorAllocator()).data();
    Body->startToken();
    Body->setKind(tok::string_literal);
    PP.appendDefMacroDirective(PP.getIdentifierInfo(Name), Macro);
  }

  bool is(const MacroDefinition &Definition) const { return Definition.getMacroInfo() == Macro; }

  /// Sets the token to \p Path with the prefix maps of the command line (-fmacro-prefix-map).
  void set(StringRef Path) {
    SmallString<128> Text(Path);
    PP.getLangOpts().remapPathPrefix(Text);
    Lexer::Stringify(Text);
    PP.CreateString(("\"" + Text + "\"").str(), *Body);
  }

private:
  Preprocessor &PP;
  MacroInfo *Macro;
  Token *Body;
};

class FileNames : public PPCallbacks {
public:
  FileNames(Preprocessor &PP, StringRef Text)
      : SM(PP.getSourceManager()), File(PP, "__FILE__"), Base(PP, "__BASE_FILE__") {
    std::vector<std::string> Entered = enteredFiles(Text);
    Base.set(Entered.empty() ? "" : Entered.front());
    for (std::string &Name : Entered) {
      sys::fs::UniqueID ID;
      if (!sys::fs::getUniqueID(Name, ID))
        NamesOfGcc[ID].Names.push_back(std::move(Name));
    }
  }

  void FileChanged(SourceLocation Location, FileChangeReason Reason, SrcMgr::CharacteristicKind,
                   FileID) override {
    FileID ID = SM.getFileID(Location);
    OptionalFileEntryRef Entry = SM.getFileEntryRefForID(ID);
    auto Found = Entry ? NamesOfGcc.find(Entry->getUniqueID()) : NamesOfGcc.end();
    if (Reason == EnterFile && Found != NamesOfGcc.end())
      Names.try_emplace(ID, Found->second.next());
  }

  void MacroExpands(const Token &Name, const MacroDefinition &Definition, SourceRange,
                    const MacroArgs *) override {
    if (File.is(Definition))
      File.set(nameAt(SM.getExpansionLoc(Name.getLocation())));
  }

private:
  /// gcc's name of the file at \p Location. A name that a `#line` gives is the same for both
  /// compilers.
  StringRef nameAt(SourceLocation Location) const {
    PresumedLoc Place = SM.getPresumedLoc(Location);
    auto Found = Names.find(SM.getFileID(Location));
    if (Place.isInvalid())
      return "";
    if (Found == Names.end() || StringRef(Place.getFilename()) != SM.getBufferName(Location))
      return Place.getFilename();
    return Found->second;
  }

  const SourceManager &SM;
  StringMacro File, Base;
  std::map<sys::fs::UniqueID, NamesOfFile> NamesOfGcc;
  std::map<FileID, std::string> Names;
};

} // namespace

void nameFilesLikeGcc(Preprocessor &PP, StringRef Text) {
  PP.addPPCallbacks(std::make_unique<FileNames>(PP, Text));
}

} // namespace mpispec
