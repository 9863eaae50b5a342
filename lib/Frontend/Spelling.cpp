//===- Spelling.cpp - Names and literals in an argument's expression --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Frontend/Spelling.h"
#include "clang/AST/Decl.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace clang;

namespace mpispec {

/// The place at which a token is written. A token of a macro argument is written at the macro call.
static SourceLocation outOfArguments(SourceLocation Location, const SourceManager &SM) {
  while (Location.isMacroID() && SM.isMacroArgExpansion(Location))
    Location = SM.getImmediateSpellingLoc(Location);
  return Location;
}

/// The outermost macro whose whole expansion is \p E ("N" for `#define N 4`), or empty.
static std::string macroName(const Expr *E, const ASTContext &Context) {
  const SourceManager &SM = Context.getSourceManager();
  SourceLocation Begin = outOfArguments(E->getBeginLoc(), SM);
  SourceLocation End = outOfArguments(E->getEndLoc(), SM);
  std::string Name;
  while (Begin.isMacroID() && End.isMacroID() && SM.getFileID(Begin) == SM.getFileID(End)) {
    unsigned Length = Lexer::MeasureTokenLength(SM.getSpellingLoc(End), SM, Context.getLangOpts());
    if (!SM.isAtStartOfImmediateMacroExpansion(Begin) ||
        !SM.isAtEndOfImmediateMacroExpansion(End.getLocWithOffset(Length)))
      break;
    Name = Lexer::getImmediateMacroName(Begin, SM, Context.getLangOpts()).str();
    CharSourceRange Use = SM.getImmediateExpansionRange(Begin);
    Begin = outOfArguments(Use.getBegin(), SM);
    End = outOfArguments(Use.getEnd(), SM);
  }
  return Name;
}

/// The text between the ends of \p E in the macro body that spells both, or empty.
static llvm::StringRef textInMacroBody(const Expr *E, const ASTContext &Context) {
  const SourceManager &SM = Context.getSourceManager();
  SourceLocation Begin = E->getBeginLoc(), End = E->getEndLoc();
  if (!Begin.isMacroID() || !End.isMacroID() || SM.isMacroArgExpansion(Begin) ||
      SM.isMacroArgExpansion(End) || SM.getFileID(Begin) != SM.getFileID(End))
    return "";
  auto Range = CharSourceRange::getTokenRange(SM.getSpellingLoc(Begin), SM.getSpellingLoc(End));
  return Lexer::getSourceText(Range, SM, Context.getLangOpts());
}

std::string sourceText(const Expr *E, const ASTContext &Context) {
  const SourceManager &SM = Context.getSourceManager();
  CharSourceRange Range = Lexer::makeFileCharRange(
      CharSourceRange::getTokenRange(E->getSourceRange()), SM, Context.getLangOpts());
  std::string Text = Lexer::getSourceText(Range, SM, Context.getLangOpts()).str();
  if (Text.empty())
    Text = macroName(E, Context);
  if (Text.empty())
    Text = textInMacroBody(E, Context).str();
  if (Text.empty()) { // the ends lie in different macros
    llvm::raw_string_ostream OS(Text);
    E->printPretty(OS, nullptr, Context.getPrintingPolicy());
  }
  llvm::SmallVector<llvm::StringRef, 8> Words;
  llvm::SplitString(Text, Words);
  return llvm::join(Words, " ");
}

static std::string constantKind(const Expr *E, const Expr *Core, const ASTContext &Context) {
  if (std::string Macro = macroName(E, Context); !Macro.empty())
    return "macro " + Macro;
  const Expr *Outer = E;
  while (const auto *Cast = dyn_cast<ImplicitCastExpr>(Outer))
    Outer = Cast->getSubExpr();
  if (isa<SubstNonTypeTemplateParmExpr>(Outer)) // most functions that skip casts skip it, too
    return "template argument";
  if (isa<IntegerLiteral>(Core) || isa<CharacterLiteral>(Core))
    return "literal";
  if (isa<UnaryExprOrTypeTraitExpr>(Core))
    return "sizeof";
  if (auto *Ref = dyn_cast<DeclRefExpr>(Core)) {
    std::string Name = Ref->getDecl()->getNameAsString();
    if (isa<EnumConstantDecl>(Ref->getDecl()))
      return "enum constant " + Name;
    auto *Variable = dyn_cast<VarDecl>(Ref->getDecl());
    return (Variable && Variable->isConstexpr() ? "constexpr " : "const ") + Name;
  }
  return "constant expression";
}

/// The bytes of one element of the buffer that \p E names, if the element is a number; else 0. MPI
/// has no datatype for integers of more than 64 bits, which are sent as several numbers.
static unsigned elementSize(const Expr *E, const ASTContext &Context) {
  // An explicit cast may have a reason that is not visible here. Implicit casts are skipped.
  E = E->IgnoreParenImpCasts();
  QualType Type = E->getType();
  if (const auto *Array = Context.getAsArrayType(Type))
    Type = Context.getBaseElementType(Array);
  else if (const auto *Pointer = Type->getAs<PointerType>())
    Type = Context.getBaseElementType(Pointer->getPointeeType());
  else
    return 0;
  if (isa<CStyleCastExpr>(E) || Type->isDependentType() || Type->isIncompleteType() ||
      !Type->isArithmeticType() || Type->isAnyComplexType() || Type->isAnyCharacterType() ||
      Type->isBooleanType() || Type->isEnumeralType() ||
      (Type->isIntegerType() && Context.getTypeSize(Type) > 64))
    return 0;
  return Context.getTypeSizeInChars(Type).getQuantity();
}

Spelling spellingOf(const Expr *E, const ASTContext &Context) {
  Spelling Result;
  const Expr *Core = E->IgnoreParenCasts();
  if (!E->isValueDependent() && E->getType()->isPointerType())
    Result.ElementSize = elementSize(E, Context);
  bool Constant = !E->isValueDependent() && !E->isTypeDependent() && E->isEvaluatable(Context);
  if (Constant) {
    Result.K = Spelling::Constant;
    Result.Text = constantKind(E, Core, Context);
    return Result;
  }
  Result.Text = sourceText(E, Context);
  if (auto *Ref = dyn_cast<DeclRefExpr>(Core)) {
    Result.Text = Ref->getDecl()->getNameAsString();
    if (isa<NonTypeTemplateParmDecl>(Ref->getDecl())) {
      Result.K = Spelling::Constant;
      Result.Text = "template argument";
    } else if (isa<ParmVarDecl>(Ref->getDecl()))
      Result.K = Spelling::Parameter;
    else if (auto *Variable = dyn_cast<VarDecl>(Ref->getDecl()))
      Result.K = Variable->hasGlobalStorage() ? Spelling::Static : Spelling::Local;
  }
  return Result;
}

} // namespace mpispec
