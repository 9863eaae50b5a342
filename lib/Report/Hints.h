//===- Hints.h - Edits that a person could make, by variable ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A hundred calls may need the same `const`. The missed remarks of all sites (SiteRecord.h) become
// one hint for each thing to edit, with the number of calls that the edit would improve. `explain`
// and `report` end with these hints.
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_REPORT_HINTS_H
#define MPISPEC_REPORT_HINTS_H

#include "Report/SiteRecord.h"
#include "Support/TextLayout.h"
#include <map>

namespace mpispec {

struct Hint {
  std::string File, Scope, Variable; ///< see SiteRecord::Miss; the scope may be empty
  std::string Edit, ID;
  unsigned Calls = 0;
};

class Hints {
public:
  void add(const SiteRecord &Record);
  /// Most calls first.
  std::vector<Hint> list() const;

private:
  std::map<std::tuple<std::string, std::string, std::string, std::string>, Hint> ByEdit;
};

/// Prints an empty line, at most \p Most hints in \p Width columns, and the number of the others.
/// \p Files: each hint includes its file.
void printHints(llvm::ArrayRef<Hint> Hints, size_t Most, bool Files, unsigned Width, Style &S,
                llvm::raw_ostream &OS);

} // namespace mpispec
#endif
