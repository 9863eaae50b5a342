//===- TwoCompilers.h - One source through the user's compiler and through Clang --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For tests of the matching of both: preprocesses a source with a real compiler and records Clang's
// tokens of the same source.
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_TEST_TWOCOMPILERS_H
#define MPISPEC_TEST_TWOCOMPILERS_H

#include "Rewrite/Alignment.h"
#include "Rewrite/GccIdentity.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendActions.h"
#include "clang/Tooling/Tooling.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

namespace mpispec {

/// A directory for one test, gone with it.
class TemporaryDirectory {
public:
  TemporaryDirectory() { llvm::sys::fs::createUniqueDirectory("mpispec-test", Path); }
  ~TemporaryDirectory() { llvm::sys::fs::remove_directories(Path); }
  std::string file(llvm::StringRef Name) const {
    llvm::SmallString<128> Full(Path);
    llvm::sys::path::append(Full, Name);
    return Full.str().str();
  }
  std::string write(llvm::StringRef Name, llvm::StringRef Text) const {
    std::error_code EC;
    llvm::raw_fd_ostream(file(Name), EC) << Text;
    return file(Name);
  }

private:
  llvm::SmallString<128> Path;
};

/// Clang's tokens of one file.
struct Recording {
  TokenStream Stream;
  clang::LangOptions Language;
};

class RecordingAction : public clang::SyntaxOnlyAction {
public:
  RecordingAction(Recording &R, TextDialect Dialect, std::optional<GccVersion> Gcc)
      : R(R), Dialect(Dialect), Gcc(Gcc) {}

private:
  bool BeginSourceFileAction(clang::CompilerInstance &CI) override {
    if (Gcc)
      readUserTextAsGcc(CI.getPreprocessor(), *Gcc);
    recordTokens(CI.getPreprocessor(), R.Stream, Dialect);
    R.Language = CI.getLangOpts();
    return true;
  }
  Recording &R;
  TextDialect Dialect;
  std::optional<GccVersion> Gcc;
};

/// \p Gcc: user text is read under that compiler's name.
inline bool record(Recording &R, std::vector<std::string> Command, TextDialect Dialect,
                   std::optional<GccVersion> Gcc = std::nullopt) {
  Command.insert(Command.end(), {"-fsyntax-only", "-w", "-resource-dir=" MPISPEC_RESOURCE_DIR});
  llvm::IntrusiveRefCntPtr<clang::FileManager> Files(
      new clang::FileManager(clang::FileSystemOptions()));
  clang::tooling::ToolInvocation Clang(Command, std::make_unique<RecordingAction>(R, Dialect, Gcc),
                                       Files.get());
  return Clang.run();
}

/// The output of \p Compiler -E for \p Source, or nothing if there is no such compiler.
inline std::optional<std::string> preprocess(llvm::StringRef Compiler,
                                             std::vector<std::string> Arguments,
                                             const std::string &Output) {
  llvm::ErrorOr<std::string> Program = llvm::sys::findProgramByName(Compiler);
  if (!Program)
    return std::nullopt;
  Arguments.insert(Arguments.begin(), {Compiler.str(), "-E", "-w", "-o", Output});
  std::vector<llvm::StringRef> Words(Arguments.begin(), Arguments.end());
  if (llvm::sys::ExecuteAndWait(*Program, Words) != 0)
    return std::nullopt;
  return (*llvm::MemoryBuffer::getFile(Output))->getBuffer().str();
}

} // namespace mpispec
#endif
