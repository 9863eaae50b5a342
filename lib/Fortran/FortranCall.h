//===- FortranCall.h - An MPI call of a Fortran source ----------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// These structures pass from the stage that reads a source with flang's parser (FortranUnit.h) to
// those that print and check its calls (FortranExplain.h, FortranRules.h). They use no types of
// flang, because flang's headers make the compilation of a file much slower.
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_FORTRAN_FORTRANCALL_H
#define MPISPEC_FORTRAN_FORTRANCALL_H

#include "Lint/Findings.h"
#include "MPI/Functions.h"
#include "llvm/ADT/StringMap.h"
#include <optional>

namespace mpispec {

/// The type of an actual argument, or of one element of it.
enum class FortranCategory : uint8_t {
  Unknown,
  Integer,
  Real,
  Complex,
  Logical,
  Character,
  Derived,
};

struct FortranArgument {
  std::string Keyword; ///< in lower case; empty: the argument stands at its position
  std::string Text;    ///< the source text, without blanks at the ends
  Place Where;
  FortranCategory Category = FortranCategory::Unknown;
  unsigned ElementBytes = 0;    ///< bytes of one element; 0: unknown, or a derived type
  unsigned Rank = 0;            ///< 0: a scalar
  std::string Type;             ///< "REAL(8)"; empty: unknown
  std::optional<int64_t> Value; ///< the value of a constant
  std::string Constant;         ///< its name if a named constant or a DatatypeVariable; else empty
  std::string Origin;           ///< where it is declared, or assigned if a variable; may be empty
  std::string MpiConstant;      ///< the MPI constant that Text or Constant stands for; else empty
  bool IsName = false;          ///< the text is one name
  bool IsStrided = false;       ///< a section whose elements may have gaps between them
  /// The size of a whole variable with storage of its own: no dummy argument, no part of a common
  /// block or of an equivalence. 0: something else, or unknown.
  uint64_t VariableBytes = 0;
  /// Identifies the procedure's own variable that is, or contains, the argument, if only
  /// nonblocking calls use this variable. Else 0.
  unsigned OnlyNonblocking = 0;
};

/// Where the declaration of a called function comes from.
enum class FortranBinding : uint8_t {
  Header,    ///< mpif.h, or no declaration
  Module,    ///< use mpi
  ModuleF08, ///< use mpi_f08
};

/// A block of IF (variable == number) THEN ... ELSE ... END IF, or with another comparison.
struct FortranBranch {
  unsigned Construct = 0; ///< its number in the source; 0: the call is not directly in such a block
  bool IsElse = false;
  std::string Variable; ///< in the condition
};

struct FortranCall {
  std::string Callee; ///< "MPI_Send"
  FortranBinding Binding = FortranBinding::Header;
  const FunctionInfo *Function = nullptr; ///< null: Functions.def has no row
  Place Where;
  std::string Procedure; ///< the procedure that contains the call
  FortranBranch Branch;
  std::vector<FortranArgument> Arguments;

  /// The argument with \p R, by position or keyword; null: there is none.
  const FortranArgument *find(Role R) const;
  /// The number of arguments that the Fortran form of the function has, with `ierror`.
  unsigned parameters() const;
};

/// A predefined datatype of Fortran.
struct FortranDatatype {
  llvm::StringLiteral Name;
  FortranCategory Category; ///< Unknown: raw storage, or a pair
  unsigned Bytes;
};

/// The row of FortranDatatypes.def; null: there is none.
const FortranDatatype *lookUpFortranDatatype(llvm::StringRef Name);
llvm::ArrayRef<FortranDatatype> allFortranDatatypes();

/// The result of reading one source.
struct FortranUnit {
  std::string Error; ///< why the source was not read; empty: it was
  std::vector<FortranCall> Calls;
  std::vector<std::string> MissingModules; ///< used, but not found
  std::vector<std::string> Defines, Uses;  ///< symbols; Uses has also "module M" if M is missing
  bool HasUnseenMessages = false;          ///< some messages may not be in Calls
  llvm::StringMap<int64_t> Constants;      ///< integers of mpif.h by their names in lower case
};

llvm::StringRef text(FortranBinding B);

} // namespace mpispec
#endif
