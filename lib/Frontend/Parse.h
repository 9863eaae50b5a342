//===- Parse.h - One translation unit, parsed by Clang ----------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Clang parses the program's source with the user's flags, and lowers it to IR without optimizing
// it. Each call site has its own callee in this IR (CallSiteCollector.h). HandleProbe.h reads the
// values of the MPI library's handles from it.
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

/// The results of the front end that later stages use. The syntax tree and the source manager live
/// as long as this object.
class ParsedUnit {
public:
  ~ParsedUnit();

  clang::CompilerInstance &compiler() { return *Compiler; }
  const clang::SourceManager &sources() const { return Compiler->getSourceManager(); }
  llvm::Module &module() { return *Module; }

  std::vector<CallSite> Sites;
  std::vector<CallSite> Watched; ///< MPI calls that are no sites; only warnings concern them
  Handles Values;
  /// A name of Datatypes.def has another meaning in the program's text.
  bool RedefinesNames = false;
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

/// A function that is called before the preprocessor reads the first token. The main file's own
/// text ends at the offset \p MainFileEnd, in bytes.
using PreprocessorHook = llvm::function_ref<void(clang::Preprocessor &, unsigned MainFileEnd)>;

/// Preprocessed text that is parsed in place of the source.
struct OwnText {
  llvm::StringRef Text;
  /// Is the text the whole unit? If not, only constants in the text of a call count as proven.
  bool Whole = true;
  std::vector<unsigned> Errors; ///< offsets of Clang's errors, in bytes
};

/// With this option, templates of the C++ library are parsed at their place in the text. Without
/// it, only those that the unit instantiates are parsed, after the unit's whole text.
inline constexpr llvm::StringLiteral NoDelayedTemplates = "-fno-delayed-template-parsing";

/// Parses the one source that \p Arguments name: words for the clang driver, without the name of
/// the compiler. Fails with a Fallback (FallbackUnknownFlag, FallbackParseError) that names the
/// first diagnostic. \p Own: the text that is read in place of the source. Macros and headers that
/// the arguments name are then ignored. Null: the source is read.
llvm::Expected<std::unique_ptr<ParsedUnit>> parse(llvm::ArrayRef<std::string> Arguments,
                                                  PreprocessorHook Hook, OwnText *Own = nullptr);

} // namespace mpispec
#endif
