//===- Datatypes.h - The predefined handles of MPI --------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The table has the names of predefined handles, and for a datatype the C type that it represents
// (MPI-4.0, tables 3.2, 3.3 and section 3.2.2). The value of a name depends on the MPI library's
// header, and the translation unit itself evaluates it (Frontend/HandleProbe.h). The rows are in
// Datatypes.def.
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_MPI_DATATYPES_H
#define MPISPEC_MPI_DATATYPES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace mpispec {

/// The kind of data that a predefined datatype describes.
enum class DatatypeClass : uint8_t {
  Arithmetic, ///< one integer or floating-point C object
  Complex,    ///< one complex C object
  Bytes,      ///< MPI_BYTE, MPI_PACKED, MPI_CHAR and similar types: often used for raw storage
  Pair,       ///< value and index for MINLOC and MAXLOC; its extent may exceed its size
};

struct DatatypeInfo {
  llvm::StringLiteral Name; ///< "MPI_DOUBLE"
  /// "double". `typedef <CType> name;` is valid in C99 and C++11 of gcc and clang after <mpi.h>.
  /// For a pair it defines an unnamed struct. C++ accepts this definition in a typedef only.
  llvm::StringLiteral CType;
  DatatypeClass Class;
  /// Bytes of one element as a C expression. For a pair it is the sum of its two members: MPI's
  /// size, not its extent.
  llvm::StringLiteral Size;
};

llvm::ArrayRef<DatatypeInfo> allDatatypes();
const DatatypeInfo *lookUpDatatype(llvm::StringRef Name);

/// A predefined handle or integer constant that is no datatype: MPI_COMM_WORLD, MPI_ANY_TAG,
/// MPI_SUM, MPI_STATUS_IGNORE, ...
struct NamedConstant {
  enum Kind : uint8_t {
    Comm,
    Datatype,
    Op,
    Integer,
    Status,
    Request,
    Group,
    Window,
    File,
    Buffer
  } K;
  llvm::StringLiteral Name;
  llvm::StringLiteral CType; ///< "MPI_Comm", "int", "MPI_Status *", ...
};

llvm::ArrayRef<NamedConstant> allNamedConstants();

} // namespace mpispec
#endif
