//===- Choice.cpp - Choices as text -----------------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Selection/Choice.h"

using namespace llvm;

namespace mpispec {

void print(ArrayRef<Choice> Choices, raw_ostream &OS) {
  for (const Choice &C : Choices) {
    OS << "site " << C.Site << ": ";
    if (C.Form == CallForm::Ordinary)
      OS << "ordinary: " << C.WhyOrdinary;
    else
      OS << (C.isRewritten() ? C.Template : "left as it is");
    OS << '\n';
    for (const Version &V : C.Versions) {
      OS << "  version " << V.Template << ':';
      for (const Prediction &P : V.Assumed)
        OS << ' ' << text(P.Argument) << '=' << text(P.Value);
      OS << '\n';
    }
    for (const MissedFact &M : C.Missed) {
      OS << "  " << M.Remark;
      if (!M.Argument.empty())
        OS << " (" << M.Argument << ')';
      OS << ": " << M.Text << '\n';
    }
  }
}

} // namespace mpispec
