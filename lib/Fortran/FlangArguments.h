//===- FlangArguments.h - The facts about one actual argument ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A type is trusted only if no declaration with an error contributes to it. flang gives a variable
// the default kind if the kind in its declaration is an error, such as a name of a missing module.
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_FORTRAN_FLANGARGUMENTS_H
#define MPISPEC_FORTRAN_FLANGARGUMENTS_H

#include "Fortran/FlangSource.h"
#include "Fortran/FortranCall.h"
#include "flang/Evaluate/expression.h"

namespace mpispec {

class FlangArguments {
public:
  explicit FlangArguments(FlangSource &Source);

  FortranArgument read(const Fortran::parser::ActualArgSpec &Spec);
  Place place(Fortran::parser::CharBlock Text);
  /// The variable that the argument is a part of, or null.
  const Fortran::semantics::Symbol *variable(const Fortran::parser::ActualArgSpec &Spec);

private:
  using Expression = Fortran::evaluate::Expr<Fortran::evaluate::SomeType>;
  void readType(const Expression &E, FortranArgument &Result);
  void readConstant(const Fortran::parser::Expr &Written, FortranArgument &Result);
  void readVariable(const Expression &E, FortranArgument &Result);
  bool isTrusted(const Expression &E);
  bool isTrusted(const Fortran::semantics::Symbol &Symbol);

  FlangSource &Source;
  std::vector<Fortran::parser::ProvenanceRange> Bad; ///< statements with errors
  std::map<int64_t, std::string> Datatypes;          ///< names of MPI's datatypes by value
};

} // namespace mpispec
#endif
