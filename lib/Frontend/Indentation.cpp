//===- Indentation.cpp - gcc's warning about misleading indentation ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Frontend/Indentation.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;
using llvm::StringRef;

namespace mpispec {

namespace {

/// The place at which a statement begins in the text. Columns count from 0, with a tab stop every
/// 8.
struct Place {
  FileID File;
  unsigned Line = 0, Column = 0;
  unsigned Indentation = 0; ///< the column of the first character of its line that is no blank

  bool isFirst() const { return Column == Indentation; }
};

unsigned columnAfter(StringRef Text) {
  constexpr unsigned TabStop = 8;
  unsigned Column = 0;
  for (char Letter : Text)
    Column = Letter == '\t' ? (Column / TabStop + 1) * TabStop : Column + 1;
  return Column;
}

class Search : public DynamicRecursiveASTVisitor {
public:
  explicit Search(const SourceManager &SM) : SM(SM) {}
  bool TraverseDecl(Decl *D) override {
    bool System = D && !isa<TranslationUnitDecl>(D) && SM.isInSystemHeader(D->getLocation());
    return System || DynamicRecursiveASTVisitor::TraverseDecl(D);
  }
  /// Returns false for a misleading statement. The walk then ends.
  bool VisitCompoundStmt(CompoundStmt *Block) override {
    const Stmt *Before = nullptr;
    for (const Stmt *S : Block->body()) {
      if (Before && misleads(Before, S))
        return false;
      Before = S;
    }
    return true;
  }

private:
  bool misleads(const Stmt *Guarding, const Stmt *Next) const;
  bool looksGuarded(SourceLocation Guard, const Stmt *Body, const Stmt *Next) const;
  Place placeOf(SourceLocation Location) const;

  const SourceManager &SM;
};

/// A guard with the last statement that it guards.
struct Guarded {
  SourceLocation Guard;
  const Stmt *Body = nullptr;
};

Guarded guardOf(const Stmt *S) {
  if (auto *If = dyn_cast<IfStmt>(S))
    return If->getElse() ? Guarded{If->getElseLoc(), If->getElse()}
                         : Guarded{If->getIfLoc(), If->getThen()};
  if (auto *For = dyn_cast<ForStmt>(S))
    return {For->getForLoc(), For->getBody()};
  if (auto *While = dyn_cast<WhileStmt>(S))
    return {While->getWhileLoc(), While->getBody()};
  if (auto *Range = dyn_cast<CXXForRangeStmt>(S))
    return {Range->getForLoc(), Range->getBody()};
  return {};
}

/// The statement behind the labels and attributes that \p S begins with.
const Stmt *unlabelled(const Stmt *S) {
  while (true)
    if (auto *Case = dyn_cast<SwitchCase>(S))
      S = Case->getSubStmt();
    else if (auto *Label = dyn_cast<LabelStmt>(S))
      S = Label->getSubStmt();
    else if (auto *Attributed = dyn_cast<AttributedStmt>(S))
      S = Attributed->getSubStmt();
    else
      return S;
}

} // namespace

bool Search::misleads(const Stmt *Guarding, const Stmt *Next) const {
  for (const Stmt *S = unlabelled(Guarding); S;) {
    Guarded G = guardOf(S);
    if (!G.Body)
      return false;
    if (looksGuarded(G.Guard, G.Body, Next))
      return true;
    S = unlabelled(G.Body);
  }
  return false;
}

bool Search::looksGuarded(SourceLocation Guard, const Stmt *Body, const Stmt *Next) const {
  if (isa<CompoundStmt>(Body) || isa<NullStmt>(Next))
    return false;
  Place G = placeOf(Guard), B = placeOf(Body->getBeginLoc()), N = placeOf(Next->getBeginLoc());
  if (B.File != N.File || SM.isInSystemHeader(SM.getExpansionLoc(Guard)))
    return false;
  if (B.Line == N.Line)
    return G.Line < B.Line || G.isFirst();
  if (!N.isFirst())
    return false;
  if (isa<NullStmt>(Body))
    return N.Column >= G.Indentation + (isa<CompoundStmt>(Next) ? 0 : 1);
  return N.Column == B.Column && B.Column > G.Indentation;
}

Place Search::placeOf(SourceLocation Location) const {
  auto [File, Offset] = SM.getDecomposedExpansionLoc(Location);
  StringRef Before = SM.getBufferData(File).take_front(Offset);
  StringRef Line = SM.getBufferData(File).drop_front(Before.rfind('\n') + 1);
  Place P;
  P.File = File;
  P.Line = SM.getLineNumber(File, Offset);
  P.Column = columnAfter(Before.drop_front(Before.rfind('\n') + 1));
  P.Indentation = columnAfter(Line.take_while([](char C) { return C == ' ' || C == '\t'; }));
  return P;
}

bool mayMislead(ASTContext &Unit) {
  return !Search(Unit.getSourceManager()).TraverseDecl(Unit.getTranslationUnitDecl());
}

} // namespace mpispec
