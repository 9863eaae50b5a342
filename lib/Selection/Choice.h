//===- Choice.h - The template chosen for a call site -----------------------------------------===//
//
// What Selection hands to Rewrite, which redirects the call, and to the reports, which explain it.
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_SELECTION_CHOICE_H
#define MPISPEC_SELECTION_CHOICE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/raw_ostream.h"
#include <string>
#include <vector>

namespace mpispec {

/// What kept a site from a more special template.
struct Missed {
  std::string Remark;   ///< remark ID, a row of Support/Remarks.def
  std::string Argument; ///< the argument that blocked it: "count", or empty
  std::string Text;     ///< one line: what is not known, and the edit that would free it
};

/// Selection's verdict on one site.
struct Choice {
  unsigned Site = 0;    ///< CallSite::Number
  std::string Template; ///< "Send_short_remote"; empty: the call stays as it is
  std::vector<mpispec::Missed> Missed;
};

/// One row a choice and one a missed fact, for `--print=choices` and tests.
void print(llvm::ArrayRef<Choice> Choices, llvm::raw_ostream &OS);

} // namespace mpispec
#endif
