//===- Baseline.h - Findings that a project had before ----------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   mpispec lint baseline 1
//   mpispec-args 0123456789abcdef src/halo.c
//
// A baseline is a text file with a line for each finding: the check, the fingerprint, the file. It
// is sorted by file, so that version control can merge it. Only the fingerprint is compared.
//
// The driver links this file. Therefore it uses only LLVM's Support library.
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_LINT_BASELINE_H
#define MPISPEC_LINT_BASELINE_H

#include "Lint/Findings.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Error.h"

namespace mpispec {

/// The fingerprints of the findings in a baseline.
using Baseline = llvm::StringSet<>;

/// Reads a baseline. The text of an error contains the line and the remedy.
llvm::Expected<Baseline> readBaseline(llvm::StringRef File);

/// Writes all \p Findings, apart from those that a comment suppresses. Returns their number.
llvm::Expected<size_t> writeBaseline(llvm::StringRef File, llvm::ArrayRef<LintFinding> Findings);

} // namespace mpispec
#endif
