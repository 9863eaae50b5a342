//===- Choice.h - The template chosen for a call site ----------------------------------------------===//
#ifndef MPISPEC_SELECTION_CHOICE_H
#define MPISPEC_SELECTION_CHOICE_H

#include "llvm/ADT/ArrayRef.h"
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
  unsigned Site = 0;         ///< CallSite::Number
  std::string Template;      ///< "Send_short_remote"; empty: the call stays as it is
  std::vector<Missed> Missed;
};

void print(llvm::ArrayRef<Choice> Choices, llvm::raw_ostream &OS);

} // namespace mpispec
#endif
