//===- CallSiteCollector.h - MPI calls in the syntax tree -------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The collector visits each declaration just before code generation. It records a call site for
// each place in the text that calls an MPI function of Functions.def. It redirects the call to a
// separate function declaration, `mpispec.site.N`, with the same type. By this name the optimizer's
// copies of the call can be identified after inlining and cloning. Instantiations of a C++ template
// share the site of their common text.
//
// Calls that neither move nor complete messages are no sites, because they are never rewritten.
// They are redirected in the same way, as `mpispec.watched.N`, because their arguments are checked.
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_FRONTEND_CALLSITECOLLECTOR_H
#define MPISPEC_FRONTEND_CALLSITECOLLECTOR_H

#include "Frontend/CallSite.h"
#include "Frontend/UnreadStatuses.h"
#include "clang/AST/ASTConsumer.h"
#include "clang/AST/Expr.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/IR/Module.h"

namespace mpispec {

/// The prefix of the functions that stand for sites in the IR.
inline constexpr llvm::StringLiteral SiteFunctionPrefix = "mpispec.site.";
/// The prefix of the functions that stand for watched calls.
inline constexpr llvm::StringLiteral WatchedFunctionPrefix = "mpispec.watched.";

class CallSiteCollector : public clang::ASTConsumer {
public:
  void Initialize(clang::ASTContext &Context) override;
  bool HandleTopLevelDecl(clang::DeclGroupRef Group) override;
  void HandleInlineFunctionDefinition(clang::FunctionDecl *Function) override;
  void HandleTranslationUnit(clang::ASTContext &Context) override;

  /// Returns the sites in the order of the text, numbered 0, 1, 2, ..., and gives their functions
  /// in \p M the same numbers. May be called once, while the syntax tree exists.
  std::vector<CallSite> takeSites(llvm::Module &M);
  /// The same for the watched calls.
  std::vector<CallSite> takeWatched(llvm::Module &M);

private:
  friend class CallVisitor;

  struct Collection {
    explicit Collection(llvm::StringRef Prefix) : Prefix(Prefix) {}
    llvm::StringRef Prefix;
    std::vector<CallSite> Calls; ///< numbered in the order of discovery until they are taken
    llvm::DenseMap<unsigned, unsigned> ByLocation;   ///< callee's raw location to index in Calls
    std::vector<clang::FunctionDecl *> Redirections; ///< parallel to Calls
  };

  void visitCall(clang::CallExpr *Call, const clang::Decl *Enclosing, const clang::Decl *Root);
  clang::FunctionDecl *redirection(const clang::FunctionDecl *Callee, const llvm::Twine &Text);
  std::vector<CallSite> take(Collection &From, llvm::Module &M) const;
  CallSite describe(const clang::CallExpr *Call, const clang::FunctionDecl *Callee,
                    clang::SourceLocation CalleeLocation, const clang::Decl *Enclosing,
                    const clang::Decl *Root) const;
  void forgetDifferingElements(CallSite &Site, const clang::CallExpr &Call) const;
  bool hasUnreadStatus(const FunctionInfo &Function, const clang::CallExpr &Call) const;

  clang::ASTContext *Context = nullptr;
  UnreadStatuses Unread;
  llvm::DenseSet<unsigned> Others;      ///< raw locations at which other functions are called, too
  std::vector<clang::Decl *> InLambdas; ///< declarations in lambdas, which came by themselves
  /// The call operators of generic lambdas, each with the declaration in which the lambda stands.
  llvm::MapVector<clang::FunctionTemplateDecl *, const clang::Decl *> GenericLambdas;
  Collection Sites{SiteFunctionPrefix}, Watched{WatchedFunctionPrefix};
};

} // namespace mpispec
#endif
