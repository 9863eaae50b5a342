//===- Findings.h - Findings of mpispec lint --------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A finding is a rule, a place and a sentence. The analysis of each unit returns its findings as
// JSON (UnitReport). `mpispec lint` joins them and prints them in the compilers' form, or as SARIF.
//
// This file needs nothing of LLVM but the Support library, because the driver links it.
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_LINT_FINDINGS_H
#define MPISPEC_LINT_FINDINGS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"
#include <string>
#include <vector>

namespace mpispec {

/// The rows of Rules.def.
enum class LintRule : uint8_t {
#define LINT_RULE(NAME, ID, LEVEL, SENTENCE) NAME,
#include "Lint/Rules.def"
};

struct LintRuleInfo {
  llvm::StringLiteral ID, Level, Sentence; ///< Level: "warning" or "note", SARIF's words as well
};

llvm::ArrayRef<LintRuleInfo> allLintRules();
const LintRuleInfo &info(LintRule R);

struct Place {
  std::string File; ///< from the directory of the compile command, or absolute
  unsigned Line = 0, Column = 0;
};

/// How a finding stands in the project (Triage.h).
enum class FindingState : uint8_t {
  New,
  Known,      ///< the baseline has it
  Suppressed, ///< by a comment in the source
};

struct LintFinding {
  LintRule Rule = LintRule::Arguments;
  Place Where;
  std::string Message;
  FindingState State = FindingState::New;
  std::string Fingerprint = ""; ///< the same where only other lines have changed
};

/// The known facts about one argument alone.
struct KnownArgument {
  enum Kind : uint8_t {
    Unknown,
    Parameter, ///< in a wrapper: its parameter `Value`
    Number,
    Datatype, ///< the predefined one `Text`, of `Value` bytes
    Object,   ///< `Text` is an object, or a part of one, of `Value` bytes
  } K = Unknown;
  int64_t Value = 0;
  unsigned Element = 0; ///< for an Object: bytes of a plain element; 0: no number, or unknown
  bool IsNamed = false; ///< for a Number: MPI has a name for this rank or tag
  std::string Text;
};

/// A call of MPI that a function is sure to make.
struct HandedOn {
  std::string Callee; ///< "MPI_Send"
  std::vector<KnownArgument> Arguments;
};

struct FunctionSummary {
  std::string Function; ///< the linker's name
  std::vector<HandedOn> Calls;
};

/// A call of one of the project's functions.
struct FunctionCall {
  std::string Function, Name; ///< the linker's name, and the text's
  Place Where;
  std::vector<KnownArgument> Arguments;
};

/// Tags from Low to High.
struct TagRange {
  int64_t Low = 0, High = 0;
};

inline constexpr TagRange AnyTag = {INT32_MIN, INT32_MAX};

/// A parameter of a function that never changes it.
struct ParameterOf {
  std::string Function; ///< the linker's name; empty: none
  unsigned Index = 0;
};

/// A number that a call gives to a parameter.
struct GivenNumber {
  int64_t Value = 0;
  std::string Name; ///< the function's, in the text
  Place Where;
  bool IsDead = false; ///< the call may be in code that is never executed
};

/// All that the calls of a unit give to one parameter, of type int.
struct GivenNumbers {
  ParameterOf To;
  bool IsOpen = false; ///< also what is not known
  std::vector<GivenNumber> Numbers;
  std::vector<ParameterOf> From; ///< parameters of the callers
};

/// A call that sends or receives: one end of messages.
struct MessageEnd {
  std::string Callee, Argument; ///< "MPI_Sendrecv", "send tag"
  Place Where;
  bool Receives = false;
  bool NeedsOther = false; ///< it is a mistake if there is no other end with one of the tags
  std::string Comm;        ///< the predefined one; empty: not known
  std::vector<TagRange> Tags;
  ParameterOf Tag; ///< that the tag is, where its function does not show more
};

/// The result of the analysis of one unit.
struct UnitReport {
  std::string Error; ///< why the unit could not be analysed; empty: it was
  std::vector<LintFinding> Findings;
  std::vector<FunctionSummary> Functions;
  std::vector<FunctionCall> Calls;
  std::vector<MessageEnd> Ends;
  std::vector<GivenNumbers> Given;
  std::vector<std::string> Defines; ///< names for other units: of functions and variables
  std::vector<std::string> Uses;    ///< names that others have to define
};

llvm::json::Value toJSON(const Place &P);
bool fromJSON(const llvm::json::Value &Value, Place &P, llvm::json::Path Path);
llvm::json::Value toJSON(const LintFinding &F);
bool fromJSON(const llvm::json::Value &Value, LintFinding &F, llvm::json::Path Path);
llvm::json::Value toJSON(const FunctionSummary &F);
llvm::json::Value toJSON(const UnitReport &R);
bool fromJSON(const llvm::json::Value &Value, UnitReport &R, llvm::json::Path Path);

/// A source that could not be checked, and why.
struct Unchecked {
  std::string File, Reason;
};

/// In the order of files and lines, each once: several units may share a header.
void sortFindings(std::vector<LintFinding> &Findings);

/// One line for each new finding: `file:line:column: warning: text [rule]`.
void printFindings(llvm::ArrayRef<LintFinding> Findings, llvm::raw_ostream &OS);

/// One object, for tools. The key `state` is new, known or suppressed.
void printFindingsJSON(llvm::ArrayRef<LintFinding> Findings, llvm::ArrayRef<Unchecked> Left,
                       llvm::raw_ostream &OS);

struct SarifContext {
  llvm::StringRef Version; ///< mpispec's
  llvm::StringRef Root;    ///< the absolute directory that relative files are in
  llvm::StringRef Page;    ///< docs/Lint.md, absolute; empty: it is not installed
};

/// One log of SARIF 2.1.0.
void printSarif(llvm::ArrayRef<LintFinding> Findings, llvm::ArrayRef<Unchecked> Left,
                const SarifContext &Context, llvm::raw_ostream &OS);

} // namespace mpispec
#endif
