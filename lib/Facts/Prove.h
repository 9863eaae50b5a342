//===- Prove.h - The optimizer's proof of facts about every call site -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   modelMPI            writes guarantees of the MPI standard into the IR
//   plantQuestions      adds questions to each call, as operands
//   the -O2 pipeline    LLVM's partial evaluation folds the operands where it can
//   readAnswers         a fact is an answer that holds in every copy of a call
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_FACTS_PROVE_H
#define MPISPEC_FACTS_PROVE_H

#include "Facts/Facts.h"
#include "Frontend/Parse.h"

namespace mpispec {

struct ProvenFacts {
  std::vector<SiteFacts> Sites;                      ///< parallel to the unit's sites
  std::vector<std::vector<ArgumentWarning>> Watched; ///< parallel to its watched calls
};

/// Proves facts about the calls of \p Unit. Consumes the unit's module.
ProvenFacts proveFacts(ParsedUnit &Unit);

} // namespace mpispec
#endif
