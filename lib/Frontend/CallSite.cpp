//===- CallSite.cpp - A place where the program calls MPI -------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Frontend/CallSite.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace mpispec {

void print(ArrayRef<CallSite> Sites, raw_ostream &OS) {
  for (const CallSite &S : Sites) {
    OS << S.Number << ": " << S.File << ':' << S.Line << ':' << S.Column << ' ' << S.Callee << '(';
    interleave(S.Arguments, OS, ", ");
    OS << ") in " << (S.EnclosingFunction.empty() ? "<file scope>" : S.EnclosingFunction);
    if (!S.EnclosingMacro.empty())
      OS << ", macro " << S.EnclosingMacro;
    if (S.Obstacle)
      OS << ", obstacle " << *S.Obstacle;
    OS << '\n';
  }
}

} // namespace mpispec
