//===- LibraryBodies.h - Function bodies of the C++ library that are skipped ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Clang spends most of its time for a C++ unit on the bodies of the standard library's templates.
// Bodies of maps, streams, strings or sort functions do not help to prove an MPI argument.
// Therefore the bodies of libstdc++'s functions are skipped, with exceptions:
//
// - headers that an argument's value may pass through: containers that are arrays, their iterators,
//   allocation, copies, tuples;
// - headers whose functions call the program's functions, in which an MPI call may be:
//   std::function, the algorithms, threads;
// - functions that Clang evaluates itself (constexpr), or whose type comes from the body (auto).
//
// Function templates in the headers that are read are delayed until the unit instantiates them.
// Their bodies are parsed after the unit's whole text, and their names are looked up there. If a
// name then has another meaning, the unit is read again without the delay.
//
// For the optimizer, a function without a body may access everything that is visible outside of the
// unit. It may also call functions of the program that no other code calls, such as a comparison of
// keys or a destructor of elements. Clang then generates no code for these functions. The static
// variables and functions that they use are made visible outside of the unit.
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_FRONTEND_LIBRARYBODIES_H
#define MPISPEC_FRONTEND_LIBRARYBODIES_H

#include "clang/AST/ASTConsumer.h"
#include "clang/AST/ASTContext.h"
#include "clang/CodeGen/ModuleBuilder.h"
#include "clang/Frontend/CompilerInstance.h"
#include "llvm/IR/Module.h"

namespace mpispec {

/// The header of libstdc++ that \p Place is in, without its directory; or empty.
llvm::StringRef headerOfLibrary(const clang::SourceManager &Sources, clang::SourceLocation Place);

/// Delays the parse of libstdc++'s function templates until they are instantiated, because most
/// never are. Must be called before the unit is read. Templates of the program are not delayed,
/// because a call in a template without instances is a call site, too.
void delayTemplatesOfLibrary(clang::CompilerInstance &Compiler);

/// Decides which bodies the parser skips, if its option SkipFunctionBodies is set.
class LibraryBodies : public clang::ASTConsumer {
public:
  void Initialize(clang::ASTContext &Context) override { Sources = &Context.getSourceManager(); }
  bool shouldSkipFunctionBody(clang::Decl *Function) override;

  /// Functions without code may use definitions of the unit. This function gives these definitions
  /// external linkage in \p M, the finished module of \p Generator. It does nothing if no body was
  /// skipped.
  void exposeWhatSkippedBodiesReach(clang::ASTContext &Context, clang::CodeGenerator &Generator,
                                    llvm::Module &M) const;

private:
  const clang::SourceManager *Sources = nullptr;
  bool HasSkipped = false;
};

} // namespace mpispec
#endif
