//===- Findings.cpp - Findings of mpispec lint ------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Lint/Findings.h"
#include "Support/TextLayout.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace mpispec {

static constexpr LintRuleInfo Rows[] = {
#define Warning "warning"
#define Note "note"
#define LINT_RULE(NAME, ID, LEVEL, SENTENCE) {ID, LEVEL, SENTENCE},
#include "Lint/Rules.def"
#undef Warning
#undef Note
};

ArrayRef<LintRuleInfo> allLintRules() { return Rows; }

const LintRuleInfo &info(LintRule R) { return Rows[static_cast<unsigned>(R)]; }

//===- JSON ----------------------------------------------------------------------------------===//

json::Value toJSON(const Place &P) {
  return json::Object{{"file", P.File}, {"line", P.Line}, {"column", P.Column}};
}

bool fromJSON(const json::Value &Value, Place &P, json::Path Path) {
  json::ObjectMapper Map(Value, Path);
  return Map && Map.map("file", P.File) && Map.map("line", P.Line) && Map.map("column", P.Column);
}

json::Value toJSON(const LintFinding &F) {
  return json::Object{{"rule", info(F.Rule).ID}, {"place", F.Where}, {"message", F.Message}};
}

bool fromJSON(const json::Value &Value, LintFinding &F, json::Path Path) {
  json::ObjectMapper Map(Value, Path);
  std::string ID;
  if (!Map || !Map.map("rule", ID) || !Map.map("place", F.Where) || !Map.map("message", F.Message))
    return false;
  const LintRuleInfo *Row = find_if(Rows, [&](const LintRuleInfo &R) { return R.ID == ID; });
  if (Row == std::end(Rows)) {
    Path.field("rule").report("unknown rule");
    return false;
  }
  F.Rule = static_cast<LintRule>(Row - Rows);
  return true;
}

static json::Value toJSON(const KnownArgument &A) {
  if (A.K == KnownArgument::Unknown)
    return nullptr;
  return json::Object{{"kind", static_cast<unsigned>(A.K)},
                      {"value", A.Value},
                      {"element", A.Element},
                      {"named", A.IsNamed},
                      {"text", A.Text}};
}

static bool fromJSON(const json::Value &Value, KnownArgument &A, json::Path Path) {
  if (Value.getAsNull())
    return true;
  json::ObjectMapper Map(Value, Path);
  unsigned Kind = 0;
  if (!Map || !Map.map("kind", Kind) || !Map.map("value", A.Value) ||
      !Map.map("element", A.Element) || !Map.map("named", A.IsNamed) || !Map.map("text", A.Text))
    return false;
  A.K = static_cast<KnownArgument::Kind>(Kind);
  return true;
}

static json::Value toJSON(const HandedOn &H) {
  return json::Object{{"callee", H.Callee}, {"arguments", json::Array(H.Arguments)}};
}

static bool fromJSON(const json::Value &Value, HandedOn &H, json::Path Path) {
  json::ObjectMapper Map(Value, Path);
  return Map && Map.map("callee", H.Callee) && Map.map("arguments", H.Arguments);
}

json::Value toJSON(const FunctionSummary &F) {
  return json::Object{{"function", F.Function}, {"calls", json::Array(F.Calls)}};
}

static bool fromJSON(const json::Value &Value, FunctionSummary &F, json::Path Path) {
  json::ObjectMapper Map(Value, Path);
  return Map && Map.map("function", F.Function) && Map.map("calls", F.Calls);
}

static json::Value toJSON(const FunctionCall &C) {
  return json::Object{{"function", C.Function},
                      {"name", C.Name},
                      {"place", C.Where},
                      {"arguments", json::Array(C.Arguments)}};
}

static bool fromJSON(const json::Value &Value, FunctionCall &C, json::Path Path) {
  json::ObjectMapper Map(Value, Path);
  return Map && Map.map("function", C.Function) && Map.map("name", C.Name) &&
         Map.map("place", C.Where) && Map.map("arguments", C.Arguments);
}

static json::Value toJSON(const TagRange &T) { return json::Array{T.Low, T.High}; }

static bool fromJSON(const json::Value &Value, TagRange &T, json::Path Path) {
  std::vector<int64_t> Ends;
  if (!json::fromJSON(Value, Ends, Path) || Ends.size() != 2)
    return false;
  T = {Ends[0], Ends[1]};
  return true;
}

static json::Value toJSON(const ParameterOf &P) {
  return json::Object{{"function", P.Function}, {"index", P.Index}};
}

static bool fromJSON(const json::Value &Value, ParameterOf &P, json::Path Path) {
  json::ObjectMapper Map(Value, Path);
  return Map && Map.map("function", P.Function) && Map.map("index", P.Index);
}

static json::Value toJSON(const GivenNumber &N) {
  return json::Object{{"value", N.Value}, {"name", N.Name}, {"place", N.Where}, {"dead", N.IsDead}};
}

static bool fromJSON(const json::Value &Value, GivenNumber &N, json::Path Path) {
  json::ObjectMapper Map(Value, Path);
  return Map && Map.map("value", N.Value) && Map.map("name", N.Name) && Map.map("place", N.Where) &&
         Map.map("dead", N.IsDead);
}

static json::Value toJSON(const GivenNumbers &N) {
  return json::Object{{"to", N.To},
                      {"open", N.IsOpen},
                      {"numbers", json::Array(N.Numbers)},
                      {"from", json::Array(N.From)}};
}

static bool fromJSON(const json::Value &Value, GivenNumbers &N, json::Path Path) {
  json::ObjectMapper Map(Value, Path);
  return Map && Map.map("to", N.To) && Map.map("open", N.IsOpen) && Map.map("numbers", N.Numbers) &&
         Map.map("from", N.From);
}

static json::Value toJSON(const MessageEnd &E) {
  return json::Object{{"callee", E.Callee},
                      {"argument", E.Argument},
                      {"place", E.Where},
                      {"receives", E.Receives},
                      {"needs", E.NeedsOther},
                      {"comm", E.Comm},
                      {"tags", json::Array(E.Tags)},
                      {"tag", E.Tag}};
}

static bool fromJSON(const json::Value &Value, MessageEnd &E, json::Path Path) {
  json::ObjectMapper Map(Value, Path);
  return Map && Map.map("callee", E.Callee) && Map.map("argument", E.Argument) &&
         Map.map("place", E.Where) && Map.map("receives", E.Receives) &&
         Map.map("needs", E.NeedsOther) && Map.map("comm", E.Comm) && Map.map("tags", E.Tags) &&
         Map.map("tag", E.Tag);
}

json::Value toJSON(const UnitReport &R) {
  return json::Object{{"error", R.Error},
                      {"findings", json::Array(R.Findings)},
                      {"functions", json::Array(R.Functions)},
                      {"calls", json::Array(R.Calls)},
                      {"ends", json::Array(R.Ends)},
                      {"given", json::Array(R.Given)},
                      {"defines", json::Array(R.Defines)},
                      {"uses", json::Array(R.Uses)}};
}

bool fromJSON(const json::Value &Value, UnitReport &R, json::Path Path) {
  json::ObjectMapper Map(Value, Path);
  return Map && Map.map("error", R.Error) && Map.map("findings", R.Findings) &&
         Map.map("functions", R.Functions) && Map.map("calls", R.Calls) &&
         Map.map("ends", R.Ends) && Map.map("given", R.Given) && Map.map("defines", R.Defines) &&
         Map.map("uses", R.Uses);
}

//===- For people ----------------------------------------------------------------------------===//

static auto keyOf(const LintFinding &F) {
  return std::tie(F.Where.File, F.Where.Line, F.Where.Column, F.Rule, F.Message);
}

void sortFindings(std::vector<LintFinding> &Findings) {
  sort(Findings, [](const LintFinding &A, const LintFinding &B) { return keyOf(A) < keyOf(B); });
  auto Same = [](const LintFinding &A, const LintFinding &B) { return keyOf(A) == keyOf(B); };
  Findings.erase(llvm::unique(Findings, Same), Findings.end());
}

void printFindings(ArrayRef<LintFinding> Findings, raw_ostream &OS) {
  Style S(OS);
  for (const LintFinding &F : Findings) {
    if (F.State != FindingState::New)
      continue;
    const LintRuleInfo &Rule = info(F.Rule);
    S.write(Style::Bold, formatv("{0}:{1}:{2}:", F.Where.File, F.Where.Line, F.Where.Column).str());
    S.write(Rule.Level == "note" ? Style::Dim : Style::Bad, (" " + Rule.Level + ": ").str());
    OS << F.Message << " [" << Rule.ID << "]\n";
  }
}

//===- For tools -----------------------------------------------------------------------------===//

static StringRef text(FindingState State) {
  switch (State) {
  case FindingState::New:
    return "new";
  case FindingState::Known:
    return "known";
  case FindingState::Suppressed:
    return "suppressed";
  }
  llvm_unreachable("unknown state");
}

void printFindingsJSON(ArrayRef<LintFinding> Findings, ArrayRef<Unchecked> Left, raw_ostream &OS) {
  json::Array All, Failed;
  for (const LintFinding &F : Findings)
    All.push_back(json::Object{{"rule", info(F.Rule).ID},
                               {"level", info(F.Rule).Level},
                               {"file", F.Where.File},
                               {"line", F.Where.Line},
                               {"column", F.Where.Column},
                               {"message", F.Message},
                               {"state", text(F.State)},
                               {"fingerprint", F.Fingerprint}});
  for (const Unchecked &U : Left)
    Failed.push_back(json::Object{{"file", U.File}, {"reason", U.Reason}});
  json::Object Log{
      {"schema", "mpispec-lint/1"}, {"findings", std::move(All)}, {"unchecked", std::move(Failed)}};
  OS << formatv("{0:2}\n", json::Value(std::move(Log)));
}

} // namespace mpispec
