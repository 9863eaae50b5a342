//===- PreprocessedSource.cpp - Sources that are preprocessed already -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Frontend/PreprocessedSource.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendActions.h"
#include "clang/Frontend/Utils.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/VirtualFileSystem.h"
#include "llvm/Support/raw_ostream.h"

using namespace clang;
using llvm::StringRef;

namespace mpispec {

namespace {

/// Prints the macros that are defined at the end of its input.
class MacroPrinter : public PreprocessorFrontendAction {
public:
  std::string Text;

protected:
  void ExecuteAction() override {
    llvm::raw_string_ostream OS(Text);
    PreprocessorOutputOptions Options;
    Options.ShowMacros = 1;
    DoPrintPreprocessedInput(getCompilerInstance().getPreprocessor(), &OS, Options);
  }
};

} // namespace

StringRef enteredMpiHeader(StringRef Source) {
  for (size_t At = 0; (At = Source.find("/mpi.h\" 1", At)) != StringRef::npos; ++At) {
    StringRef Line = Source.take_front(At);
    Line = Line.drop_front(Line.rfind('\n') + 1);
    if (Line.starts_with("# 1 \""))
      return Source.slice(Line.data() - Source.data() + 5, At + 6);
  }
  return "";
}

/// The lines of \p Definitions, each a `#define`, whose names belong to MPI.
static std::string ofMpi(StringRef Definitions) {
  std::string Kept;
  while (!Definitions.empty()) {
    auto [Line, Rest] = Definitions.split('\n');
    StringRef Name = Line.drop_front(std::min<size_t>(Line.size(), 8)).split(' ').first;
    if (Name.split('(').first.contains("MPI"))
      Kept += (Line + "\n").str();
    Definitions = Rest;
  }
  return Kept;
}

bool isTextOfMpi(const SourceManager &Sources, SourceLocation Location) {
  PresumedLoc Place = Sources.getPresumedLoc(Location);
  for (; Place.isValid(); Place = Sources.getPresumedLoc(Place.getIncludeLoc())) {
    StringRef Name = llvm::sys::path::filename(Place.getFilename());
    if (Name == "mpi.h" || Name == "mpicxx.h")
      return true;
  }
  return false;
}

std::string macrosOfMpi(const CompilerInvocation &Invocation, StringRef Source) {
  StringRef Header = enteredMpiHeader(Source);
  if (Header.empty() || !llvm::sys::fs::exists(Header))
    return "";
  auto Own = std::make_shared<CompilerInvocation>(Invocation);
  auto Text =
      llvm::MemoryBuffer::getMemBufferCopy(("#include \"" + Header + "\"\n").str(), "probe");
  InputKind Kind = Own->getFrontendOpts().Inputs.front().getKind();
  Own->getFrontendOpts().Inputs = {FrontendInputFile(Text->getMemBufferRef(), Kind)};
  CompilerInstance Compiler(Own);
  Compiler.setVirtualFileSystem(llvm::vfs::getRealFileSystem());
  Compiler.createDiagnostics(new IgnoringDiagConsumer, /*ShouldOwnClient=*/true);
  MacroPrinter Printer;
  return Compiler.ExecuteAction(Printer) ? ofMpi(Printer.Text) : "";
}

} // namespace mpispec
