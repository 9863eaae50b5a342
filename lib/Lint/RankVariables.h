//===- RankVariables.h - Variables that hold a rank or the number of processes ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A variable is the caller's rank in a communicator under two conditions, on which the rules about
// branches rely. MPI_Comm_rank of this communicator is the only code that ever writes the variable.
// The communicator's name means the same object throughout. The same holds for MPI_Comm_size.
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_LINT_RANKVARIABLES_H
#define MPISPEC_LINT_RANKVARIABLES_H

#include "Lint/UnitCalls.h"

namespace mpispec {

/// A communicator as the text names it: MPI_COMM_WORLD, or a local variable that is written at most
/// once.
struct NamedComm {
  const clang::VarDecl *Variable = nullptr; ///< null: MPI_COMM_WORLD
  bool operator==(const NamedComm &Other) const { return Variable == Other.Variable; }
};

/// The ranks in `Comm` for which a condition holds.
struct RankCondition {
  NamedComm Comm;
  /// The one rank for which the condition holds or, if `Negated`, does not hold. Empty if it holds
  /// for some of several ranks (`rank % 2`).
  std::optional<int64_t> Rank;
  bool Negated = false;
};

class RankVariables {
public:
  explicit RankVariables(const UnitCalls &Unit);

  /// The communicator that \p E names. Empty if the name might mean several communicators.
  std::optional<NamedComm> comm(const clang::Expr *E) const;
  /// The ranks for which \p Condition holds. Empty if it is no condition on a rank alone.
  std::optional<RankCondition> condition(const clang::Expr *Condition) const;
  /// The communicator whose number of processes is \p E.
  std::optional<NamedComm> commOfSize(const clang::Expr *E) const { return commOf(E, Role::Size); }
  /// The number of places, other than reads and the declaration, at which the unit names
  /// \p Variable. Each of these places may write it.
  unsigned writes(const clang::VarDecl *Variable) const;
  std::optional<int64_t> number(const clang::Expr *E) const;

private:
  void countUses(const clang::Stmt *Body);
  std::optional<RankCondition> partOfRank(const clang::Expr *E) const;
  std::optional<RankCondition> comparison(const clang::BinaryOperator *Compare) const;
  std::optional<NamedComm> commOfRank(const clang::Expr *E) const { return commOf(E, Role::Rank); }
  std::optional<NamedComm> commOf(const clang::Expr *E, Role What) const;

  const UnitCalls &Unit;
  struct Uses {
    unsigned All = 0, Reads = 0;
  };
  llvm::DenseMap<const clang::VarDecl *, Uses> Counts;
  struct Setter {
    const clang::Expr *Comm = nullptr;
    Role What = Role::Rank; ///< or Role::Size
    unsigned Times = 0;
  };
  llvm::DenseMap<const clang::VarDecl *, Setter> Setters; ///< calls that write a variable
};

} // namespace mpispec
#endif
