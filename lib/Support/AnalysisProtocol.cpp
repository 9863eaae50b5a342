//===- AnalysisProtocol.cpp - The line that the analysis prints -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Support/AnalysisProtocol.h"

using namespace llvm;

namespace mpispec {

static std::string written(unsigned Count) { return std::to_string(Count); }
static std::string written(bool Flag) { return Flag ? "1" : "0"; }
static std::string written(StringRef Text) { return Text.split('\n').first.str(); }

static void read(StringRef Value, unsigned &Count) {
  if (Value.getAsInteger(10, Count))
    Count = 0;
}
static void read(StringRef Value, bool &Flag) { Flag = Value != "0"; }
static void read(StringRef Value, std::string &Text) { Text = Value.str(); }

/// The types of the table; a Rest reaches to the end of the line.
enum class Extent : uint8_t { Count, Flag, Word, Rest };

std::string writeAnswer(const AnalysisAnswer &A) {
  std::string Line;
  auto Add = [&](AnalysisAnswer::Kind When, StringRef Word, const std::string &Value) {
    if (A.K == When)
      Line += (Line.empty() ? "" : " ") + Word.str() + "=" + Value;
  };
#define ANALYSIS_ANSWER(NAME, WORD, TYPE, WHEN, READER, MEANING)                                   \
  Add(AnalysisAnswer::WHEN, WORD, written(A.NAME));
#include "Support/AnalysisProtocol.def"
  return Line + "\n";
}

/// Reads the first word of \p Line into \p A, and takes it off.
static void readWord(StringRef &Line, AnalysisAnswer &A) {
  size_t End = Line.find(' ');
  StringRef Key = Line.take_front(End).split('=').first;
#define ANALYSIS_ANSWER(NAME, WORD, TYPE, WHEN, READER, MEANING)                                   \
  if (Key == WORD) {                                                                               \
    if (Extent::TYPE == Extent::Rest)                                                              \
      End = StringRef::npos;                                                                       \
    A.K = AnalysisAnswer::WHEN;                                                                    \
    read(Line.take_front(End).split('=').second, A.NAME);                                          \
  }
#include "Support/AnalysisProtocol.def"
  Line = Line.drop_front(std::min(End, Line.size())).ltrim(' ');
}

AnalysisAnswer readAnswer(StringRef Line) {
  AnalysisAnswer A;
  for (Line = Line.split('\n').first; !Line.empty();)
    readWord(Line, A);
  return A;
}

} // namespace mpispec
