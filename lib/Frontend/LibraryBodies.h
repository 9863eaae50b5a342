//===- LibraryBodies.h - Functions of the C++ library that need not be read -------------------===//
//
// Of what Clang does for a C++ unit, most is the bodies of the standard library's templates: half
// of its time in a program of headers. No MPI argument can become known through a map, a stream, a
// string or a sort. So the bodies of libstdc++'s functions are left out, but for the headers
// through which an argument's value may come (containers that are arrays, their iterators,
// allocation, copies, tuples) and those that call what the program hands them (std::function, the
// algorithms, threads), where an MPI call may be. Functions that Clang evaluates itself (constexpr)
// or whose type comes from the body (auto) are always read. Function templates in the headers that
// are read wait until the unit instantiates them: their bodies are parsed behind all of its text,
// and names in them looked up there. Where that finds others, the unit is read again without the
// delay.
//
// To the optimizer a function without a body is one that may do anything: to all that can be seen
// from outside the unit. It may also call functions of the program that nothing else calls (an
// order of keys, a destructor of elements), for which there is then no code. What such functions
// use of the unit's own, static variables and functions, is made visible from outside.
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

/// Lets function templates of libstdc++ be parsed when they are instantiated, as most never are. To
/// be called before the unit is read. Templates of the program are parsed where they stand: a call
/// in one that nothing instantiates is a call site, too.
void delayTemplatesOfLibrary(clang::CompilerInstance &Compiler);

/// Answers the parser, if its option SkipFunctionBodies is set, which bodies to skip.
class LibraryBodies : public clang::ASTConsumer {
public:
  void Initialize(clang::ASTContext &Context) override { Sources = &Context.getSourceManager(); }
  bool shouldSkipFunctionBody(clang::Decl *Function) override;

  /// What functions without code use of the unit's own, in \p M, the finished module of
  /// \p Generator, gets external linkage; nothing if no body was skipped.
  void exposeWhatSkippedBodiesReach(clang::ASTContext &Context, clang::CodeGenerator &Generator,
                                    llvm::Module &M) const;

private:
  const clang::SourceManager *Sources = nullptr;
  bool HasSkipped = false;
};

} // namespace mpispec
#endif
