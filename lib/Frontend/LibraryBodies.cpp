//===- LibraryBodies.cpp - Function bodies of the C++ library that are skipped ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Frontend/LibraryBodies.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace clang;
using llvm::StringRef;

namespace mpispec {

/// Headers of libstdc++ whose functions are read.
static bool isRead(StringRef Header) {
  static const llvm::StringSet<> Read = {
      // The value of an argument may pass through these headers.
      "array", "vector", "stl_vector.h", "vector.tcc", "valarray", "span", "initializer_list",
      "stl_iterator.h", "stl_iterator_base_funcs.h", "stl_algobase.h", "stl_uninitialized.h",
      "stl_construct.h", "new_allocator.h", "allocator.h", "alloc_traits.h", "unique_ptr.h",
      "move.h", "utility", "stl_pair.h", "tuple", "optional", "variant", "cmath", "std_abs.h",
      // Functions in these headers call functions that the program passes to them.
      "stl_algo.h", "stl_numeric.h", "numeric", "functional", "std_function.h", "invoke.h",
      "refwrap.h", "shared_ptr.h", "shared_ptr_base.h", "std_thread.h", "thread", "future", "mutex",
      "ranges_algo.h", "predefined_ops.h"};
  return Read.contains(Header);
}

StringRef headerOfLibrary(const SourceManager &Sources, SourceLocation Place) {
  if (!Sources.isInSystemHeader(Place))
    return "";
  StringRef Path = Sources.getPresumedLoc(Place).getFilename();
  // libc++ keeps its headers in .../c++/v1; they have other names.
  bool IsLibrary = Path.contains("/include/c++/") && !Path.contains("/c++/v1/");
  return IsLibrary ? llvm::sys::path::filename(Path) : "";
}

namespace {

/// Turns the delay on and off as headers are entered and left.
class LibraryTemplates : public PPCallbacks {
public:
  LibraryTemplates(const SourceManager &Sources, LangOptions &Language)
      : Sources(Sources), Language(Language) {}
  void FileChanged(SourceLocation Place, FileChangeReason, SrcMgr::CharacteristicKind,
                   FileID) override {
    StringRef Header = headerOfLibrary(Sources, Place);
    Language.DelayedTemplateParsing = !Header.empty() && isRead(Header);
  }

private:
  const SourceManager &Sources;
  LangOptions &Language;
};

} // namespace

void delayTemplatesOfLibrary(CompilerInstance &Compiler) {
  LangOptions &Language = Compiler.getLangOpts();
  if (Language.CPlusPlus && !Language.DelayedTemplateParsing)
    Compiler.getPreprocessor().addPPCallbacks(
        std::make_unique<LibraryTemplates>(Compiler.getSourceManager(), Language));
}

bool LibraryBodies::shouldSkipFunctionBody(Decl *Function) {
  StringRef Header = headerOfLibrary(*Sources, Function->getLocation());
  bool Skips = !Header.empty() && !isRead(Header);
  HasSkipped |= Skips;
  return Skips;
}

namespace {

using Declarations = llvm::DenseSet<const Decl *>;

/// Collects the functions and variables that functions without code use. A variable that is only
/// read does not count.
class UsesWithoutCode : public DynamicRecursiveASTVisitor {
public:
  UsesWithoutCode(const Declarations &WithCode, Declarations &Used)
      : WithCode(WithCode), Used(Used) {
    ShouldVisitTemplateInstantiations = true;
    ShouldVisitImplicitCode = true;
    ShouldWalkTypesOfTypeLocs = false;
  }
  bool TraverseDecl(Decl *D) override {
    llvm::SaveAndRestore<bool> Restore(Inside);
    if (const auto *Function = llvm::dyn_cast_or_null<FunctionDecl>(D))
      Inside = !WithCode.contains(Function->getCanonicalDecl());
    return DynamicRecursiveASTVisitor::TraverseDecl(D);
  }
  bool TraverseLambdaExpr(LambdaExpr *Lambda) override {
    llvm::SaveAndRestore<bool> Restore(Inside);
    Inside = !WithCode.contains(Lambda->getCallOperator()->getCanonicalDecl());
    return DynamicRecursiveASTVisitor::TraverseLambdaExpr(Lambda);
  }
  bool TraverseImplicitCastExpr(ImplicitCastExpr *Cast) override {
    bool Reads = Cast->getCastKind() == CK_LValueToRValue &&
                 llvm::isa<DeclRefExpr>(Cast->getSubExpr()->IgnoreParens());
    return Reads || DynamicRecursiveASTVisitor::TraverseImplicitCastExpr(Cast);
  }
  bool VisitDeclRefExpr(DeclRefExpr *Reference) override {
    note(Reference->getDecl());
    return true;
  }
  bool VisitMemberExpr(MemberExpr *Member) override {
    note(Member->getMemberDecl());
    return true;
  }
  bool VisitCXXConstructExpr(CXXConstructExpr *Construction) override {
    note(Construction->getConstructor());
    return true;
  }
  bool VisitOverloadExpr(OverloadExpr *Names) override {
    for (const NamedDecl *Candidate : Names->decls())
      note(Candidate->getUnderlyingDecl());
    return true;
  }

private:
  void note(const Decl *D) {
    if (!Inside)
      return;
    if (const auto *Template = llvm::dyn_cast<FunctionTemplateDecl>(D))
      for (const FunctionDecl *Instance : Template->specializations())
        Used.insert(Instance->getCanonicalDecl());
    Used.insert(D->getCanonicalDecl());
  }

  const Declarations &WithCode;
  Declarations &Used;
  bool Inside = false; ///< a function without code
};

} // namespace

void LibraryBodies::exposeWhatSkippedBodiesReach(ASTContext &Context, CodeGenerator &Generator,
                                                 llvm::Module &M) const {
  if (!HasSkipped)
    return;
  auto DeclarationOf = [&](const llvm::GlobalValue &Value) -> const Decl * {
    const Decl *D = Generator.GetDeclForMangledName(Value.getName());
    return D ? D->getCanonicalDecl() : nullptr;
  };
  Declarations WithCode, Used;
  for (const llvm::Function &F : M)
    if (!F.isDeclaration())
      WithCode.insert(DeclarationOf(F));
  UsesWithoutCode Visitor(WithCode, Used);
  for (Decl *D : Context.getTranslationUnitDecl()->decls())
    if (headerOfLibrary(*Sources, D->getLocation()).empty())
      Visitor.TraverseDecl(D);
  if (Used.empty())
    return;
  // Static variables of functions cannot be found by name. Therefore it is unknown which of them
  // are used, and all are exposed if one is used.
  bool UsesVariableOfFunction = llvm::any_of(Used, [](const Decl *D) {
    const auto *Variable = llvm::dyn_cast<VarDecl>(D);
    return Variable && Variable->isStaticLocal();
  });
  for (llvm::GlobalValue &Value : M.global_values()) {
    if (!Value.hasLocalLinkage() || Value.isDeclaration())
      continue;
    const Decl *D = DeclarationOf(Value);
    // Destructors are called where no expression names them.
    if (D ? Used.contains(D) || llvm::isa<CXXDestructorDecl>(D)
          : UsesVariableOfFunction && !llvm::isa<llvm::Function>(Value))
      Value.setLinkage(llvm::GlobalValue::ExternalLinkage);
  }
}

} // namespace mpispec
