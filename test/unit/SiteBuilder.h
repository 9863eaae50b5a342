// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Call sites and facts for tests, as the front end and Facts would hand them on.
#ifndef MPISPEC_TEST_UNIT_SITEBUILDER_H
#define MPISPEC_TEST_UNIT_SITEBUILDER_H

#include "Facts/Facts.h"
#include "Frontend/CallSite.h"

namespace mpispec {

inline Answer constant(int64_t Value, std::string Origin = "literal") {
  return {Answer::Constant, Value, Value, "", std::move(Origin), ""};
}
inline Answer range(int64_t Low, int64_t High, std::string Origin = "conditions") {
  return {Answer::Range, Low, High, "", std::move(Origin), ""};
}
inline Answer handle(std::string Name, std::string Origin = "macro") {
  return {Answer::Handle, 0, 0, Name, std::move(Origin), "&" + Name};
}

/// A call to \p Callee at halo.c:Line:5 whose arguments are written as the words for their roles,
/// in one word: "sendcount".
inline CallSite site(llvm::StringRef Callee, unsigned Number = 0, unsigned Line = 12) {
  CallSite S;
  S.Number = Number;
  S.Function = lookUpFunction(Callee);
  S.Callee = Callee.str();
  S.LargeCount = Callee.ends_with("_c");
  S.File = "halo.c";
  S.Line = Line;
  S.Column = 5;
  S.EnclosingFunction = "exchange";
  for (Role R : S.Function->Roles) {
    std::string Text = text(R).str();
    llvm::erase(Text, ' ');
    S.Arguments.push_back(Text);
    S.Spellings.push_back({Spelling::Local, Text, 0});
  }
  return S;
}

/// One side with \p Count doubles (bytes follow) and the classes given.
inline TransferFacts side(SizeClass Size, NodeClass Node) {
  TransferFacts T;
  T.Datatype = handle("MPI_DOUBLE");
  T.DatatypeSize = 8;
  T.Contiguous = true;
  T.Size = Size;
  T.Node = Node;
  if (Size != SizeClass::Dynamic) {
    T.Count = constant(Size == SizeClass::Short ? 1 : 100000);
    T.Bytes = constant(8 * T.Count.Low);
  }
  return T;
}

inline SiteFacts facts(const CallSite &S, llvm::ArrayRef<TransferFacts> Transfers) {
  SiteFacts F;
  F.Site = S.Number;
  F.Copies = 1;
  F.Transfers.assign(Transfers.begin(), Transfers.end());
  return F;
}

} // namespace mpispec
#endif
