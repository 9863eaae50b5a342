//===- Prove.h - Ask the optimizer about every call site --------------------------------------===//
//
//   modelMPI            what MPI's text promises is written into the IR
//   plantQuestions      each call is given its questions as operands
//   the -O2 pipeline    LLVM's partial evaluation answers what it can
//   readAnswers         a fact is what holds in every copy of a call
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
