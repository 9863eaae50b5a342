//===- Datatypes.cpp - The predefined handles of MPI ------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "MPI/Datatypes.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace mpispec {

ArrayRef<DatatypeInfo> allDatatypes() {
  static const DatatypeInfo Rows[] = {
#define MPI_DATATYPE(NAME, CLASS, CTYPE, SIZE) {#NAME, #CTYPE, DatatypeClass::CLASS, #SIZE},
#include "MPI/Datatypes.def"
  };
  return Rows;
}

const DatatypeInfo *lookUpDatatype(StringRef Name) {
  const DatatypeInfo *Row =
      find_if(allDatatypes(), [&](const DatatypeInfo &D) { return D.Name == Name; });
  return Row == allDatatypes().end() ? nullptr : Row;
}

ArrayRef<NamedConstant> allNamedConstants() {
  static const NamedConstant Rows[] = {
#define MPI_CONSTANT(KIND, NAME, CTYPE) {NamedConstant::KIND, #NAME, #CTYPE},
#include "MPI/Datatypes.def"
  };
  return Rows;
}

} // namespace mpispec
