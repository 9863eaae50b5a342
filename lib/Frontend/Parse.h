//===- Parse.h - One translation unit, parsed by Clang ----------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Clang parses the program's source with the user's flags, and lowers it to IR that nothing has
// optimized yet. Each call site has its own callee in this IR (CallSiteCollector.h), and the MPI
// library's handles have known values (HandleProbe.h).
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_FRONTEND_PARSE_H
#define MPISPEC_FRONTEND_PARSE_H

#include "Frontend/CallSite.h"
#include "Frontend/HandleProbe.h"
#include "Support/Remarks.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendAction.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"

namespace mpispec {

/// Why a translation unit is left as it is: a row of Support/Remarks.def and one line for
/// people.
class Fallback : public llvm::ErrorInfo<Fallback> {
public:
  static char ID;
  Fallback(RemarkID Remark, llvm::StringRef Text) : Remark(Remark), Text(Text) {}
  void log(llvm::raw_ostream &OS) const override;
  std::error_code convertToErrorCode() const override { return llvm::inconvertibleErrorCode(); }

  RemarkID Remark;
  std::string Text;
};

/// Everything that later stages ask of the front end. The syntax tree and the source manager live
/// as long as this object.
class ParsedUnit {
public:
  ~ParsedUnit();

  clang::CompilerInstance &compiler() { return *Compiler; }
  const clang::SourceManager &sources() const { return Compiler->getSourceManager(); }
  llvm::Module &module() { return *Module; }

  std::vector<CallSite> Sites;
  std::vector<CallSite> Watched; ///< calls of MPI that are no sites, for the sake of warnings
  Handles Values;
  std::string MainFile;
  unsigned MainFileSize = 0; ///< bytes of the user's text; the handle probe begins here
  unsigned Warnings = 0;     ///< warnings that Clang has for the user's text

private:
  friend class Parser;
  llvm::LLVMContext Context;
  std::unique_ptr<clang::CompilerInstance> Compiler;
  std::unique_ptr<clang::FrontendAction> Action;
  std::unique_ptr<llvm::Module> Module;
};

/// Called when the preprocessor exists and no token has been read; the main file's own text ends at
/// the given offset in bytes.
using PreprocessorHook = llvm::function_ref<void(clang::Preprocessor &, unsigned MainFileEnd)>;

/// Preprocessed text that is parsed in place of the source.
struct OwnText {
  llvm::StringRef Text;
  /// Is it all of the program? If not, no more is known of calls than constants written there.
  bool Whole = true;
  std::vector<unsigned> Errors; ///< where Clang had errors, in bytes
};

/// The option with which templates of the C++ library are parsed where they stand, as the program's
/// are. Otherwise only those are that the unit instantiates, behind all of its text.
inline constexpr llvm::StringLiteral NoDelayedTemplates = "-fno-delayed-template-parsing";

/// Parses the one source that \p Arguments name: words for the clang driver, its own name left out.
/// Fails with a Fallback (FallbackUnknownFlag, FallbackParseError) that names the first
/// diagnostic. \p Own: what is read for the source, without the macros and headers that the
/// arguments name; null: the source.
llvm::Expected<std::unique_ptr<ParsedUnit>> parse(llvm::ArrayRef<std::string> Arguments,
                                                  PreprocessorHook Hook, OwnText *Own = nullptr);

} // namespace mpispec
#endif
