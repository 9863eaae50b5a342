//===- UnreadStatuses.h - Statuses that the program never reads -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Most programs that pass MPI a status never read it. A status counts as unread under two
// conditions. It is a local variable, or an element of a local array. Each mention of the
// variable's name is an argument in which an MPI function returns a status: `MPI_Wait(&request,
// &status)`, `&statuses[i]`, `statuses + 1`. Any other mention counts as a read.
//
// The rule uses only the text of the function. No constant is folded, no branch is left out,
// nothing is inlined. Therefore it holds for any compiler that reads the same tokens, which the
// rewriter ensures (Rewrite/Alignment.h). The rule needs no test at run time. Instantiations of C++
// templates are excluded, because they lack the branches that Clang has discarded.
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_FRONTEND_UNREADSTATUSES_H
#define MPISPEC_FRONTEND_UNREADSTATUSES_H

#include "MPI/Functions.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace mpispec {

class UnreadStatuses {
public:
  /// The row of the MPI function that a call executes, or null.
  using FunctionOf = llvm::function_ref<const FunctionInfo *(const clang::CallExpr &)>;

  /// Reads a whole declaration of the unit. Must be called before any call in it is redirected. May
  /// be called again for a part of the declaration.
  void read(clang::Decl *Outermost, FunctionOf Function);

  /// Does \p Argument point into a variable that no code reads? The call must be in a declaration
  /// that read() has read.
  bool has(const clang::Expr *Argument) const;

private:
  friend class StatusVisitor;
  llvm::DenseSet<const clang::VarDecl *>
      Variables; ///< variables of functions that are no instantiations
  llvm::DenseSet<const clang::VarDecl *> Read;
  llvm::DenseSet<const clang::Expr *> Filled; ///< mentions in which MPI returns a status
};

} // namespace mpispec
#endif
