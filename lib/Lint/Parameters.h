//===- Parameters.h - Numbers that reach MPI calls through parameters -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   void put(double *x, int tag) { MPI_Send(x, 1, MPI_DOUBLE, 1, tag, comm); }     put.c
//   put(x, 7);                                                                     main.c
//
// The tag is parameter 1 of put, and its possible values come from all calls of put in all units.
// The rule considers C functions with a prototype, and parameters that are never changed. Their
// type is int, a larger integer type, or an enumeration. If a program takes a function's address,
// it may call the function with any value.
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_LINT_PARAMETERS_H
#define MPISPEC_LINT_PARAMETERS_H

#include "Lint/UnitCalls.h"
#include "clang/AST/Mangle.h"
#include <map>

namespace mpispec {

class Parameters {
public:
  explicit Parameters(const UnitCalls &Unit);

  /// The parameter whose value is \p E.
  std::optional<ParameterOf> find(const clang::Expr *E);
  /// The numbers that the unit's calls pass to parameters of the program's functions.
  std::vector<GivenNumbers> given();

private:
  friend class ParameterVisitor;
  void readCall(const clang::CallExpr &Call, const clang::FunctionDecl &Callee, bool IsDead);
  /// Records that \p Function may get unknown values for its first \p Count parameters.
  void open(const clang::FunctionDecl &Function, unsigned Count);
  GivenNumbers &numbers(const clang::FunctionDecl &Function, unsigned Index);
  /// Is \p T an integer type with at least the bits of int? Then the conversion of an int to \p T
  /// and back keeps its value.
  bool holdsInt(clang::QualType T) const;
  bool fitsInt(const llvm::APSInt &Number) const;
  bool isReadOnly(const clang::FunctionDecl &Function);

  const UnitCalls &Unit;
  clang::ASTNameGenerator Names;
  llvm::DenseMap<const clang::FunctionDecl *, bool> ReadOnly;
  std::map<std::pair<std::string, unsigned>, GivenNumbers> Given;
};

} // namespace mpispec
#endif
