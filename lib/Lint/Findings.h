//===- Findings.h - Findings of mpispec lint --------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A finding is a rule, a place and a sentence. The analysis of each unit returns its findings as
// JSON (UnitReport). `mpispec lint` joins them and prints them in the compilers' form, or as SARIF.
//
// The driver links this file. Therefore it uses only LLVM's Support library.
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
  std::string File; ///< relative to the directory of the compile command, or absolute
  unsigned Line = 0, Column = 0;
};

/// The state of a finding in its project (Triage.h).
enum class FindingState : uint8_t {
  New,
  Known,      ///< in the baseline
  Suppressed, ///< by a comment in the source
};

struct LintFinding {
  LintRule Rule = LintRule::Arguments;
  Place Where;
  std::string Message;
  FindingState State = FindingState::New;
  std::string Fingerprint = ""; ///< stays the same while only other lines change
};

/// The known facts about one argument of a call.
struct KnownArgument {
  enum Kind : uint8_t {
    Unknown,
    Parameter, ///< the wrapper's parameter with the number `Value`
    Number,
    Datatype, ///< the predefined one `Text`, of `Value` bytes
    Object,   ///< `Text` is an array, or the address of a variable, of `Value` bytes
  } K = Unknown;
  int64_t Value = 0;
  unsigned Element = 0; ///< for an Object: bytes of an arithmetic element, else 0
  bool IsNamed = false; ///< for a Number: MPI has a name for this rank or tag
  std::string Text;
};

/// An MPI call that a function makes in every execution.
struct HandedOn {
  std::string Callee; ///< "MPI_Send"
  std::vector<KnownArgument> Arguments;
};

struct FunctionSummary {
  std::string Function; ///< its symbol, from linkerName()
  std::vector<HandedOn> Calls;
};

/// A call of one of the project's functions.
struct FunctionCall {
  std::string Function, Name; ///< the function's symbol, and its name in the text
  Place Where;
  std::vector<KnownArgument> Arguments;
};

/// Tags from Low to High.
struct TagRange {
  int64_t Low = 0, High = 0;
};

inline constexpr TagRange AnyTag = {INT32_MIN, INT32_MAX};

/// A parameter that its function never changes.
struct ParameterOf {
  std::string Function; ///< its symbol; empty: none
  unsigned Index = 0;
};

/// A number that a call gives to a parameter.
struct GivenNumber {
  int64_t Value = 0;
  std::string Name; ///< the name of the called function in the text
  Place Where;
  bool IsDead = false; ///< the call may be in code that is never executed
};

/// All values that the calls of a unit pass to one integer parameter.
struct GivenNumbers {
  ParameterOf To;
  bool IsOpen = false; ///< calls may also pass unknown values
  std::vector<GivenNumber> Numbers;
  std::vector<ParameterOf> From; ///< parameters of the callers
};

/// A call that sends or receives: one end of messages.
struct MessageEnd {
  std::string Callee, Argument; ///< "MPI_Sendrecv", "send tag"
  Place Where;
  bool Receives = false;
  bool NeedsOther = false; ///< it is a mistake if there is no other end with one of the tags
  std::string Comm;        ///< the communicator if it is predefined, else empty
  std::vector<TagRange> Tags;
  ParameterOf Tag; ///< the parameter whose value is the tag, if `Tags` are unknown
};

/// The result of the analysis of one unit.
struct UnitReport {
  std::string Error; ///< why the unit could not be analysed; empty: it was
  std::vector<LintFinding> Findings;
  std::vector<FunctionSummary> Functions;
  std::vector<FunctionCall> Calls;
  std::vector<MessageEnd> Ends;
  std::vector<GivenNumbers> Given;
  std::vector<std::string> Defines; ///< functions and variables that other units may use
  std::vector<std::string> Uses;    ///< names that other units must define
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

/// Sorts by file and line. Removes duplicates, because several units may include one header.
void sortFindings(std::vector<LintFinding> &Findings);

/// Prints one line for each new finding: `file:line:column: warning: text [rule]`.
void printFindings(llvm::ArrayRef<LintFinding> Findings, llvm::raw_ostream &OS);

/// Prints one JSON object, for tools. The key `state` is new, known or suppressed.
void printFindingsJSON(llvm::ArrayRef<LintFinding> Findings, llvm::ArrayRef<Unchecked> Left,
                       llvm::raw_ostream &OS);

struct SarifContext {
  llvm::StringRef Version; ///< the version of mpispec
  llvm::StringRef Root;    ///< the absolute directory that relative files are in
  llvm::StringRef Page;    ///< docs/Lint.md, absolute; empty: it is not installed
};

/// Prints one log of SARIF 2.1.0.
void printSarif(llvm::ArrayRef<LintFinding> Findings, llvm::ArrayRef<Unchecked> Left,
                const SarifContext &Context, llvm::raw_ostream &OS);

} // namespace mpispec
#endif
