//===- AnalysisProtocol.h - The protocol between driver and analysis --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file is the table AnalysisProtocol.def in C++. It has the names of the options, the exit
// status, and the line that mpispec-analyze prints. writeAnswer() and readAnswer() are the only
// functions that contain the line's format.
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_SUPPORT_ANALYSISPROTOCOL_H
#define MPISPEC_SUPPORT_ANALYSISPROTOCOL_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace mpispec {

struct AnalysisWord {
  llvm::StringRef Word, Meaning;

  /// The option that the driver passes to mpispec-analyze: `--word` or `--word=value`.
  std::string option() const { return "--" + Word.str(); }
  std::string option(llvm::StringRef Value) const { return option() + "=" + Value.str(); }
};

namespace AnalysisOption {
#define ANALYSIS_OPTION(NAME, WORD, TYPE, MEANING)                                                 \
  inline constexpr AnalysisWord NAME = {WORD, MEANING};
#include "Support/AnalysisProtocol.def"
} // namespace AnalysisOption

namespace AnalysisCompiler {
#define ANALYSIS_COMPILER(NAME, WORD, MEANING) inline constexpr AnalysisWord NAME = {WORD, MEANING};
#include "Support/AnalysisProtocol.def"
} // namespace AnalysisCompiler

namespace AnalysisStatus {
enum : int {
#define ANALYSIS_STATUS(NAME, NUMBER, MEANING) NAME = NUMBER,
#include "Support/AnalysisProtocol.def"
};
} // namespace AnalysisStatus

/// The analysis reads this file of a profile's directory.
inline constexpr llvm::StringLiteral ProfileIndexFile = "index.json";

struct AnalysisAnswer {
  using Count = unsigned;
  using Flag = bool;
  using Word = std::string;
  using Rest = std::string;
  enum Kind : uint8_t { Read, Failed } K = Read;
#define ANALYSIS_ANSWER(NAME, WORD, TYPE, WHEN, READER, MEANING) TYPE NAME = TYPE();
#include "Support/AnalysisProtocol.def"
};

/// The line for \p A, with its newline.
std::string writeAnswer(const AnalysisAnswer &A);
/// Parses \p Line. A field that is missing or in an unknown form stays empty.
AnalysisAnswer readAnswer(llvm::StringRef Line);

} // namespace mpispec
#endif
