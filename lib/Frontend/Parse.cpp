//===- Parse.cpp - One translation unit, parsed by Clang --------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Frontend/Parse.h"
#include "Frontend/CallSiteCollector.h"
#include "Frontend/Dialect.h"
#include "Frontend/ForeignHeaders.h"
#include "Frontend/HandleProbe.h"
#include "Frontend/LibraryBodies.h"
#include "Frontend/PreprocessedSource.h"
#include "clang/Basic/DiagnosticDriver.h"
#include "clang/CodeGen/ModuleBuilder.h"
#include "clang/Driver/CreateInvocationFromArgs.h"
#include "clang/Frontend/MultiplexConsumer.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/VirtualFileSystem.h"

using namespace clang;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

namespace mpispec {

char Fallback::ID;

void Fallback::log(llvm::raw_ostream &OS) const { OS << Remark << ": " << Text; }

namespace {

/// Is \p Place in the text that follows the source (handleProbeText)?
bool isOfProbe(const PresumedLoc &Place) {
  return Place.isValid() && llvm::StringRef(Place.getFilename()) == ProbeFile;
}

/// The end of the user's text, before that of handleProbeText.
PresumedLoc endOfText(const SourceManager &Sources) {
  llvm::StringRef Text = Sources.getBufferData(Sources.getMainFileID());
  Text = Text.take_front(Text.rfind(("\"" + ProbeFile + "\"").str()));
  Text = Text.take_front(Text.rfind("\n#pragma clang diagnostic")).rtrim();
  SourceLocation Begin = Sources.getLocForStartOfFile(Sources.getMainFileID());
  return Sources.getPresumedLoc(Begin.getLocWithOffset(Text.size()));
}

/// Stores the first error and counts warnings. Prints nothing, because the user gets the
/// diagnostics of their own compiler.
class FirstError : public DiagnosticConsumer {
public:
  void HandleDiagnostic(DiagnosticsEngine::Level Level, const Diagnostic &Info) override {
    DiagnosticConsumer::HandleDiagnostic(Level, Info);
    if (Level < DiagnosticsEngine::Error)
      return;
    noteOffset(Info);
    if (!Text.empty())
      return;
    llvm::SmallString<128> Message;
    Info.FormatDiagnostic(Message);
    if (Info.hasSourceManager() && Info.getLocation().isValid()) {
      PresumedLoc Place = Info.getSourceManager().getPresumedLoc(Info.getLocation());
      if (isOfProbe(Place)) {
        Place = endOfText(Info.getSourceManager());
        Message =
            llvm::Twine("what mpispec appends to the source does not compile, because a bracket "
                        "is missing, or a macro replaces a name of MPI: " +
                        Message)
                .str();
      }
      if (Place.isValid())
        Text = (llvm::Twine(Place.getFilename()) + ":" + llvm::Twine(Place.getLine()) + ": ").str();
    }
    Text += Message;
  }
  std::string Text;
  std::vector<unsigned> Offsets; ///< offsets of all errors in the main file
  bool Elsewhere = false;        ///< one was not in the main file

private:
  void noteOffset(const Diagnostic &Info) {
    if (!Info.hasSourceManager() || Info.getLocation().isInvalid()) {
      Elsewhere = true;
      return;
    }
    auto [File, Offset] = Info.getSourceManager().getDecomposedExpansionLoc(Info.getLocation());
    Elsewhere |= File != Info.getSourceManager().getMainFileID();
    Offsets.push_back(Offset);
  }
};

/// Collects unknown options separately from other errors.
class DriverErrors : public FirstError {
public:
  void HandleDiagnostic(DiagnosticsEngine::Level Level, const Diagnostic &Info) override {
    if (Info.getID() == diag::err_drv_unknown_argument ||
        Info.getID() == diag::err_drv_unknown_argument_with_suggestion)
      Unknown.push_back(Info.getArgStdStr(0));
    else
      FirstError::HandleDiagnostic(Level, Info);
  }
  std::vector<std::string> Unknown;
};

/// Runs after the code generator, and takes the finished module.
class ModuleTaker : public ASTConsumer {
public:
  ModuleTaker(CodeGenerator &Generator, const LibraryBodies &Bodies,
              std::unique_ptr<llvm::Module> &Module)
      : Generator(Generator), Bodies(Bodies), Module(Module) {}
  void HandleTranslationUnit(ASTContext &Context) override {
    if (llvm::Module *Finished = Generator.GetModule())
      Bodies.exposeWhatSkippedBodiesReach(Context, Generator, *Finished);
    Module = Generator.ReleaseModule();
  }

private:
  CodeGenerator &Generator;
  const LibraryBodies &Bodies;
  std::unique_ptr<llvm::Module> &Module;
};

/// Generates code as for -O2 at any level of the user. Must be called after the preprocessor has
/// read the options, because the level defines a macro (__OPTIMIZE__).
void optimizeFully(CodeGenOptions &CodeGen) {
  CodeGen.OptimizationLevel = 2;
  CodeGen.OptimizeSize = 0;
  CodeGen.setInlining(CodeGenOptions::NormalInlining);
}

class ParseAction : public ASTFrontendAction {
public:
  ParseAction(llvm::LLVMContext &Context, PreprocessorHook Hook, unsigned MainFileEnd)
      : Context(Context), Hook(Hook), MainFileEnd(MainFileEnd) {}

  CallSiteCollector *Collector = nullptr; ///< owned by the compiler instance's consumer
  std::unique_ptr<llvm::Module> Module;
  bool HasDialectPragma = false;
  bool RedefinesNames = false;
  bool DelaysTemplatesOfLibrary = true;

protected:
  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &Compiler,
                                                 StringRef File) override {
    auto Sites = std::make_unique<CallSiteCollector>();
    optimizeFully(Compiler.getCodeGenOpts());
    auto Generator = CreateLLVMCodeGen(Compiler, File, Context);
    auto Bodies = std::make_unique<LibraryBodies>();
    auto Taker = std::make_unique<ModuleTaker>(*Generator, *Bodies, Module);
    Collector = Sites.get();
    std::vector<std::unique_ptr<ASTConsumer>> Consumers;
    Consumers.push_back(std::move(Sites));
    Consumers.push_back(std::move(Generator));
    Consumers.push_back(std::move(Taker));
    Consumers.push_back(std::move(Bodies));
    return std::make_unique<MultiplexConsumer>(std::move(Consumers));
  }
  bool BeginSourceFileAction(CompilerInstance &Compiler) override {
    Hook(Compiler.getPreprocessor(), MainFileEnd);
    enableHandleProbe(Compiler.getPreprocessor(), RedefinesNames);
    watchDialectPragmas(Compiler.getPreprocessor(), HasDialectPragma);
    if (DelaysTemplatesOfLibrary)
      delayTemplatesOfLibrary(Compiler);
    return true;
  }

private:
  llvm::LLVMContext &Context;
  PreprocessorHook Hook;
  unsigned MainFileEnd;
};

} // namespace

/// Sets up one parse.
class Parser {
public:
  static Expected<std::unique_ptr<ParsedUnit>> run(llvm::ArrayRef<std::string> Arguments,
                                                   PreprocessorHook Hook, OwnText *Own);

private:
  static Expected<std::shared_ptr<CompilerInvocation>>
  invocation(llvm::ArrayRef<std::string> Arguments);
  static Error appendProbe(CompilerInvocation &Invocation, ParsedUnit &Unit, const OwnText *Own);
};

/// Some programs have undefined behaviour in C and C++, and still run well with the user's
/// compiler. They leave an argument uninitialized that MPI ignores on this rank, or return no value
/// where the caller uses none. Below -O2, they may read memory as another type. The analysis must
/// conclude nothing from these habits.
static void allowCommonHabits(CodeGenOptions &CodeGen) {
  CodeGen.EnableNoundefAttrs = false;
  CodeGen.StrictReturn = false;
  if (CodeGen.OptimizationLevel < 2)
    CodeGen.RelaxedAliasing = true;
}

/// Sets the options of code generation. The code is not optimized yet, but all optimizations are
/// allowed. It has no debug information, counters or sanitizers.
static void prepareForAnalysis(CompilerInvocation &Invocation) {
  CodeGenOptions &CodeGen = Invocation.getCodeGenOpts();
  allowCommonHabits(CodeGen);
  CodeGen.setDebugInfo(llvm::codegenoptions::NoDebugInfo);
  CodeGen.setProfileInstr(llvm::driver::ProfileInstrKind::ProfileNone);
  CodeGen.CoverageNotesFile.clear();
  CodeGen.CoverageDataFile.clear();
  CodeGen.CoverageMapping = false;
  CodeGen.EmitLLVMUseLists = false;
  CodeGen.ClearASTBeforeBackend = false;
  Invocation.getLangOpts().Sanitize.clear();
  Invocation.getLangOpts().SpellChecking = false; // suggestions are not printed
  FrontendOptions &Frontend = Invocation.getFrontendOpts();
  Frontend.DisableFree = false;
  Frontend.SkipFunctionBodies = Invocation.getLangOpts().CPlusPlus; // by LibraryBodies
  Frontend.ProgramAction = frontend::ParseSyntaxOnly;
  Invocation.getDependencyOutputOpts() = DependencyOutputOptions();
}

static std::shared_ptr<CompilerInvocation> askDriver(const std::vector<const char *> &Words,
                                                     DriverErrors &Errors) {
  DiagnosticOptions DiagnosticOpts;
  CreateInvocationOptions Options;
  Options.Diags =
      CompilerInstance::createDiagnostics(*llvm::vfs::getRealFileSystem(), DiagnosticOpts, &Errors,
                                          /*ShouldOwnClient=*/false);
  return createInvocation(Words, Options);
}

/// gcc has hundreds of options that Clang does not have, and each release adds some. Nearly all of
/// them only tune or warn. Those that change the meaning of a source have a row in
/// Driver/Options.def, and the driver does not pass them to the analysis. Therefore unknown options
/// are left out.
static bool leaveOut(std::vector<const char *> &Words, llvm::ArrayRef<std::string> Unknown) {
  auto Tunes = [](StringRef Word) { return Word.starts_with("-f") || Word.starts_with("-m"); };
  if (Unknown.empty() || !llvm::all_of(Unknown, Tunes))
    return false;
  llvm::erase_if(Words, [&](StringRef Word) { return llvm::is_contained(Unknown, Word); });
  return true;
}

/// The option that names the directory of Clang's own headers (stddef.h, the intrinsics) in an
/// installed mpispec. Empty if the headers are in Clang's own directory.
static std::string ownHeaders() {
  llvm::SmallString<128> Directory(
      llvm::sys::fs::getMainExecutable(nullptr, reinterpret_cast<void *>(&ownHeaders)));
  llvm::sys::path::remove_filename(Directory);
  llvm::sys::path::append(Directory, "clang");
  bool Installed = llvm::sys::fs::exists(Directory + "/include/stddef.h");
  return Installed ? ("-resource-dir=" + Directory).str() : "";
}

Expected<std::shared_ptr<CompilerInvocation>>
Parser::invocation(llvm::ArrayRef<std::string> Arguments) {
  std::vector<const char *> Words = {MPISPEC_CLANG};
  std::string OwnHeaders = ownHeaders();
  if (!OwnHeaders.empty())
    Words.push_back(OwnHeaders.c_str());
  for (const std::string &A : Arguments)
    Words.push_back(A.c_str());
  DriverErrors First, Second;
  std::shared_ptr<CompilerInvocation> Result = askDriver(Words, First);
  bool Again = leaveOut(Words, First.Unknown);
  if (Again)
    Result = askDriver(Words, Second);
  const DriverErrors &Errors = Again ? Second : First;
  if (!Errors.Unknown.empty())
    return llvm::make_error<Fallback>(RemarkID::FallbackUnknownFlag,
                                      "unknown argument: '" + Errors.Unknown.front() + "'");
  if (!Result || Errors.getNumErrors())
    return llvm::make_error<Fallback>(RemarkID::FallbackUnknownFlag,
                                      Errors.Text.empty() ? "no single source to analyse"
                                                          : Errors.Text);
  return Result;
}

/// Drops the command's macros and headers, because a preprocessed source already contains them.
static void forgetMacrosAndHeaders(PreprocessorOptions &Options) {
  Options.Macros.clear();
  Options.Includes.clear();
  Options.MacroIncludes.clear();
  Options.ImplicitPCHInclude.clear();
}

Error Parser::appendProbe(CompilerInvocation &Invocation, ParsedUnit &Unit, const OwnText *Own) {
  Unit.MainFile = Invocation.getFrontendOpts().Inputs.front().getFile().str();
  auto File = llvm::MemoryBuffer::getFile(Unit.MainFile);
  if (!File)
    return llvm::make_error<Fallback>(RemarkID::FallbackParseError, "cannot read " + Unit.MainFile +
                                                                        ": " +
                                                                        File.getError().message());
  StringRef Text = Own ? Own->Text : (*File)->getBuffer();
  Unit.MainFileSize = Text.size();
  std::string Probe = handleProbeText(macrosOfMpi(Invocation, Text));
  if (Own)
    forgetMacrosAndHeaders(Invocation.getPreprocessorOpts());
  // The preprocessor takes ownership of the buffer.
  Invocation.getPreprocessorOpts().addRemappedFile(
      Unit.MainFile,
      llvm::MemoryBuffer::getMemBufferCopy((Text + Probe).str(), Unit.MainFile).release());
  return Error::success();
}

Expected<std::unique_ptr<ParsedUnit>> Parser::run(llvm::ArrayRef<std::string> Arguments,
                                                  PreprocessorHook Hook, OwnText *Own) {
  auto Invocation = invocation(Arguments);
  if (!Invocation)
    return Invocation.takeError();
  auto Unit = std::make_unique<ParsedUnit>();
  prepareForAnalysis(**Invocation);
  if (Error E = appendProbe(**Invocation, *Unit, Own))
    return E;

  auto *Diagnostics = new FirstError;
  Unit->Compiler = std::make_unique<CompilerInstance>(*Invocation);
  CompilerInstance &Compiler = *Unit->Compiler;
  Compiler.setVirtualFileSystem(withoutForeignHeaders((*Invocation)->getHeaderSearchOpts()));
  Compiler.createDiagnostics(Diagnostics, /*ShouldOwnClient=*/true);
  if (Own)
    Compiler.getDiagnostics().setErrorLimit(0);
  auto Action = std::make_unique<ParseAction>(Unit->Context, Hook, Unit->MainFileSize);
  Action->DelaysTemplatesOfLibrary = !llvm::is_contained(Arguments, NoDelayedTemplates);
  bool Done = Compiler.createTarget() &&
              Action->BeginSourceFile(Compiler, Compiler.getFrontendOpts().Inputs.front());
  if (Done)
    llvm::consumeError(Action->Execute());
  if (!Done || !Action->Module || Diagnostics->getNumErrors()) {
    if (Own && !Diagnostics->Elsewhere)
      Own->Errors = Diagnostics->Offsets;
    return llvm::make_error<Fallback>(RemarkID::FallbackParseError, Diagnostics->Text);
  }
  Unit->Warnings = Diagnostics->getNumWarnings();
  Unit->Module = std::move(Action->Module);
  Unit->Sites = Action->Collector->takeSites(*Unit->Module);
  Unit->Watched = Action->Collector->takeWatched(*Unit->Module);
  if (Action->HasDialectPragma || hasDialectAttribute(Compiler.getASTContext()) ||
      (Own && !Own->Whole))
    for (std::vector<CallSite> *Calls : {&Unit->Sites, &Unit->Watched})
      for (CallSite &Call : *Calls)
        Call.ReadOtherwise = true;
  Unit->Values = Handles::take(*Unit->Module);
  Unit->RedefinesNames = Action->RedefinesNames;
  Unit->Action = std::move(Action);
  return Unit;
}

ParsedUnit::~ParsedUnit() {
  Module.reset();
  if (Action)
    Action->EndSourceFile();
}

Expected<std::unique_ptr<ParsedUnit>> parse(llvm::ArrayRef<std::string> Arguments,
                                            PreprocessorHook Hook, OwnText *Own) {
  return Parser::run(Arguments, Hook, Own);
}

} // namespace mpispec
