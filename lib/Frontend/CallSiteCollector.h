//===- CallSiteCollector.h - Find the calls to MPI in the syntax tree -------------------------===//
//
// The collector sees each declaration just before code generation does. It records a call site for
// each place in the text that calls an MPI function of Functions.def, and redirects the call to a
// declaration of its own, `mpispec.site.N`, with the same type: after inlining and cloning the
// optimizer's copies of the call can still be told apart. Instantiations of a template, and several
// expansions of code in a header, share the site of their common text.
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_FRONTEND_CALLSITECOLLECTOR_H
#define MPISPEC_FRONTEND_CALLSITECOLLECTOR_H

#include "Frontend/CallSite.h"
#include "clang/AST/ASTConsumer.h"
#include "clang/AST/Expr.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/Module.h"

namespace mpispec {

/// The prefix of the functions that stand for sites in the IR.
inline constexpr llvm::StringLiteral SiteFunctionPrefix = "mpispec.site.";

class CallSiteCollector : public clang::ASTConsumer {
public:
  void Initialize(clang::ASTContext &Context) override;
  bool HandleTopLevelDecl(clang::DeclGroupRef Group) override;
  void HandleInlineFunctionDefinition(clang::FunctionDecl *Function) override;

  /// The sites in the order of the text, numbered 0, 1, 2, ...; renames the functions that stand
  /// for them in \p M accordingly. Call once, while the syntax tree is alive.
  std::vector<CallSite> take(llvm::Module &M);

private:
  friend class CallVisitor;
  void visitCall(clang::CallExpr *Call, const clang::Decl *Enclosing);
  clang::FunctionDecl *redirection(const clang::FunctionDecl *Callee, unsigned Number);
  CallSite describe(const clang::CallExpr *Call, const clang::FunctionDecl *Callee,
                    clang::SourceLocation CalleeLocation, const clang::Decl *Enclosing) const;
  void forgetDifferingElements(CallSite &Site, const clang::CallExpr &Call) const;

  clang::ASTContext *Context = nullptr;
  std::vector<CallSite> Sites; ///< numbered in the order of discovery until take()
  llvm::DenseMap<unsigned, unsigned> ByLocation;   ///< callee's raw location to index in Sites
  std::vector<clang::FunctionDecl *> Redirections; ///< parallel to Sites
};

} // namespace mpispec
#endif
