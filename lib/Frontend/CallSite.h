//===- CallSite.h - A place where the program calls MPI ---------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Call sites are the output of the front end. The library Facts proves facts about them, Selection
// chooses their templates, and Rewrite changes their text.
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_FRONTEND_CALLSITE_H
#define MPISPEC_FRONTEND_CALLSITE_H

#include "MPI/Functions.h"
#include "Support/Remarks.h"
#include "clang/Basic/SourceLocation.h"
#include "llvm/Support/raw_ostream.h"
#include <optional>
#include <string>
#include <vector>

namespace mpispec {

/// The syntactic kind of an argument's expression. It determines the wording of a fact's origin.
struct Spelling {
  enum Kind : uint8_t { Constant, Parameter, Static, Local, Expression } K = Expression;
  std::string Text; ///< Constant: "literal", "macro N", "sizeof", ...; else the variable's name
  /// Bytes of one element of the buffer that the expression names. 0 if the expression contains a
  /// cast, or if the element is no number (a struct or a character).
  unsigned ElementSize = 0;
};

struct CallSite {
  unsigned Number = 0; ///< N of `mpispec_site_N`: 0, 1, 2, ... in the order of the text
  const FunctionInfo *Function = nullptr;
  std::string Callee;      ///< the called name: "MPI_Send", "MPI_Send_c"
  bool LargeCount = false; ///< the `_c` form: counts are MPI_Count

  // The place for messages: the presumed location (after #line) of the outermost expansion.
  std::string File;
  unsigned Line = 0, Column = 0;
  std::string EnclosingFunction; ///< qualified name, "solver::exchange"
  std::string EnclosingMacro;    ///< the macro whose body holds the callee's name, or empty

  // The types that the MPI header declares, with typedef names: "int", "const void *", "MPI_Comm".
  std::string ReturnType;
  std::vector<std::string> ParameterTypes;
  std::vector<std::string> Arguments; ///< source text of each argument, one line each
  std::vector<Spelling> Spellings;    ///< the origin of each argument
  /// The user's compiler may read the arguments differently than Clang. It may evaluate them in
  /// another order if they have side effects, or the unit may use a dialect that Clang ignores
  /// (Dialect.h). Then only constants in the text of the call count as proven.
  bool ReadOtherwise = false;
  /// The status (or array of statuses) is a variable that no code ever reads (UnreadStatuses.h).
  bool StatusUnread = false;

  /// If the call is never rewritten, whatever its facts are: the reason, a row of Remarks.def.
  /// Example: "callee-attribute": the MPI header's declaration carries an attribute such as
  /// `warn_unused_result` that the renamed callee would lose.
  std::optional<RemarkID> Obstacle;

  // For the rewriter: the callee's name token, and the first token of the outermost declaration
  // that encloses the call. A linkage specification (extern "C") does not count as a declaration.
  clang::SourceLocation CalleeLocation, DeclarationLocation;
};

/// Prints one row for each site, for `--print=sites` and tests.
void print(llvm::ArrayRef<CallSite> Sites, llvm::raw_ostream &OS);

} // namespace mpispec
#endif
