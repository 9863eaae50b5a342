//===- DatatypeVariables.h - Variables that hold one of MPI's constants -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program may keep its datatypes in variables, of a common block for example:
//
//     integer*4 real8
//     common /types/ real8
//     real8 = MPI_DOUBLE_PRECISION               ! in one source
//     call MPI_Send(x, n, real8, ...)            ! in many others
//
// A text search of all sources finds such names. Each statement with the name must have one of
// three forms:
//
//   - an assignment of the constant, which is the same everywhere;
//   - a declaration without a value, TARGET or POINTER, also in a common block or after USE;
//   - a call of an MPI function that communicates, with the name as a datatype.
//
// Any other statement may change the variable, and excludes the name. The search does not cover
// statements in included files, or another name for the same storage. Therefore `explain` uses the
// result, and no rule of `lint` does.
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_FORTRAN_DATATYPEVARIABLES_H
#define MPISPEC_FORTRAN_DATATYPEVARIABLES_H

#include "Fortran/FortranCall.h"

namespace mpispec {

struct FortranText {
  std::string Name, Text;
  bool IsFixedForm = false;
};

struct DatatypeVariable {
  std::string Constant; ///< MPI_DOUBLE_PRECISION
  std::string Where;    ///< its first assignment, file:line
};

/// The variables by their names in lower case.
using DatatypeVariables = llvm::StringMap<DatatypeVariable>;

DatatypeVariables findDatatypeVariables(llvm::ArrayRef<FortranText> Texts);

/// Fills in the constants of such variables where they are datatypes of calls.
void readDatatypeVariables(const DatatypeVariables &Variables, FortranUnit &Unit);

} // namespace mpispec
#endif
