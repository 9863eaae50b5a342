//===- Sarif.cpp - Findings for editors and review tools --------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The format is the Static Analysis Results Interchange Format, version 2.1.0 (OASIS): one log with
// one run. Files below the directory in which lint was started have relative names, with the base
// SRCROOT. A source that could not be checked is a notification of the invocation. The invocation
// then counts as failed.
//
//===------------------------------------------------------------------------------------------===//
#include "Lint/Findings.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace mpispec {

static constexpr StringLiteral Schema =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// A path as part of a URI (RFC 3986, section 3.3).
static std::string escaped(StringRef Path) {
  std::string Text;
  for (char C : Path)
    if (isAlnum(C) || StringRef("/-._~").contains(C))
      Text += C;
    else
      Text += "%" + toHex(StringRef(&C, 1));
  return Text;
}

static json::Object artifact(StringRef File) {
  if (sys::path::is_absolute(File))
    return json::Object{{"uri", "file://" + escaped(File)}};
  return json::Object{{"uri", escaped(File)}, {"uriBaseId", "SRCROOT"}};
}

static json::Value location(const Place &P) {
  json::Object Physical{{"artifactLocation", artifact(P.File)}};
  if (P.Line)
    Physical["region"] = json::Object{{"startLine", P.Line}, {"startColumn", P.Column}};
  return json::Object{{"physicalLocation", std::move(Physical)}};
}

static json::Value message(StringRef Text) { return json::Object{{"text", Text}}; }

/// The suppressions of \p F, by which viewers hide it (section 3.35).
static json::Array suppressions(const LintFinding &F) {
  if (F.State == FindingState::New)
    return {};
  const bool IsKnown = F.State == FindingState::Known;
  return json::Array{json::Object{{"kind", IsKnown ? "external" : "inSource"}}};
}

static json::Value result(const LintFinding &F) {
  const json::Object Print{{"mpispecFinding/v1", F.Fingerprint}};
  return json::Object{{"ruleId", info(F.Rule).ID},
                      {"ruleIndex", static_cast<unsigned>(F.Rule)},
                      {"level", info(F.Rule).Level},
                      {"message", message(F.Message)},
                      {"locations", json::Array{location(F.Where)}},
                      {"fingerprints", json::Object(Print)},
                      {"partialFingerprints", json::Object(Print)},
                      {"baselineState", F.State == FindingState::Known ? "unchanged" : "new"},
                      {"suppressions", suppressions(F)}};
}

static json::Value notification(const Unchecked &U) {
  return json::Object{{"level", "error"},
                      {"message", message(U.Reason)},
                      {"locations", json::Array{location({U.File, 0, 0})}}};
}

/// \p Page has a section for each rule. It may be empty.
static json::Array rules(StringRef Page) {
  json::Array All;
  for (const LintRuleInfo &R : allLintRules()) {
    json::Object Rule{{"id", R.ID},
                      {"shortDescription", message(R.Sentence)},
                      {"defaultConfiguration", json::Object{{"level", R.Level}}}};
    if (!Page.empty())
      Rule["helpUri"] = ("file://" + escaped(Page) + "#" + R.ID).str();
    All.push_back(std::move(Rule));
  }
  return All;
}

void printSarif(ArrayRef<LintFinding> Findings, ArrayRef<Unchecked> Left,
                const SarifContext &Context, raw_ostream &OS) {
  json::Array Results, Notifications;
  for (const LintFinding &F : Findings)
    Results.push_back(result(F));
  for (const Unchecked &U : Left)
    Notifications.push_back(notification(U));
  json::Object Tool{
      {"name", "mpispec lint"}, {"version", Context.Version}, {"rules", rules(Context.Page)}};
  json::Object Invocation{{"executionSuccessful", Left.empty()},
                          {"toolExecutionNotifications", std::move(Notifications)}};
  json::Object Run{
      {"tool", json::Object{{"driver", std::move(Tool)}}},
      {"automationDetails", json::Object{{"id", "mpispec-lint/"}}},
      {"invocations", json::Array{std::move(Invocation)}},
      {"originalUriBaseIds",
       json::Object{{"SRCROOT", json::Object{{"uri", "file://" + escaped(Context.Root) + "/"}}}}},
      {"results", std::move(Results)}};
  json::Object Log{
      {"$schema", Schema}, {"version", "2.1.0"}, {"runs", json::Array{std::move(Run)}}};
  OS << formatv("{0:2}\n", json::Value(std::move(Log)));
}

} // namespace mpispec
