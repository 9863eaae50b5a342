//===- Dialect.cpp - Attributes that Clang ignores and gcc obeys ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Frontend/Dialect.h"
#include "clang/AST/Attr.h"
#include "clang/Basic/ParsedAttrInfo.h"
#include "clang/Lex/Pragma.h"
#include "clang/Sema/Sema.h"

using namespace clang;

namespace mpispec {

namespace {

constexpr llvm::StringLiteral Mark = "mpispec.dialect";

/// Accepts the attributes by name. If one of them is used, the declaration of the unit is marked.
class DialectAttributes : public ParsedAttrInfo {
public:
  DialectAttributes() {
    static constexpr Spelling Names[] = {
        {ParsedAttr::AS_GNU, "optimize"},
        {ParsedAttr::AS_CXX11, "gnu::optimize"},
        {ParsedAttr::AS_C23, "gnu::optimize"},
        {ParsedAttr::AS_GNU, "scalar_storage_order"},
        {ParsedAttr::AS_CXX11, "gnu::scalar_storage_order"},
        {ParsedAttr::AS_C23, "gnu::scalar_storage_order"},
    };
    Spellings = Names;
    OptArgs = 15; // the largest number that the field holds
  }

  AttrHandling handleDeclAttribute(Sema &S, Decl *, const ParsedAttr &) const override {
    S.Context.getTranslationUnitDecl()->addAttr(
        AnnotateAttr::CreateImplicit(S.Context, Mark, nullptr, 0));
    return AttributeApplied;
  }
};

class DialectPragma : public PragmaHandler {
public:
  DialectPragma(StringRef Name, bool &Seen) : PragmaHandler(Name), Seen(Seen) {}
  void HandlePragma(Preprocessor &, PragmaIntroducer, Token &) override { Seen = true; }

private:
  bool &Seen;
};

} // namespace

static ParsedAttrInfoRegistry::Add<DialectAttributes> Registered("mpispec",
                                                                 "attributes that Clang ignores");

void watchDialectPragmas(Preprocessor &PP, bool &Seen) {
  PP.AddPragmaHandler("GCC", new DialectPragma("optimize", Seen));
  PP.AddPragmaHandler(new DialectPragma("scalar_storage_order", Seen));
}

bool hasDialectAttribute(const ASTContext &Context) {
  return llvm::any_of(Context.getTranslationUnitDecl()->specific_attrs<AnnotateAttr>(),
                      [](const AnnotateAttr *A) { return A->getAnnotation() == Mark; });
}

} // namespace mpispec
