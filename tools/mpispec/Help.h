//===- Help.h - What mpispec says of itself ---------------------------------------------------===//
#ifndef MPISPEC_TOOLS_HELP_H
#define MPISPEC_TOOLS_HELP_H

#include "llvm/Support/raw_ostream.h"

namespace mpispec {

/// All that a user has to know, on one page.
void printHelp(llvm::raw_ostream &OS);
void printVersion(llvm::raw_ostream &OS);

} // namespace mpispec
#endif
