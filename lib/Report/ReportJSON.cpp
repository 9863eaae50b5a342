//===- ReportJSON.cpp - Totals of a build, for tools ------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     {"schema": "mpispec-report/1", "units": 12,
//      "sites": {"found": 40, "inline": 22, "ordinary": 9, "left": 9, "full": 25, "partly": 6},
//      "functions": {"MPI_Send": {"found": ..., ...}, ...}, "templates": {"Send": 3, ...},
//      "missed": [{"id": "size-unknown", "argument": "count", "sites": 7,
//                  "files": [{"file": "halo.c", "sites": 5}, ...]}, ...],
//      "hints": [{"variable": "n", "scope": "exchange", "file": "halo.c", "id": "size-unknown",
//                 "edit": "make 'n' const, or pass a literal", "calls": 5}, ...],
//      "rates": {"send_recv": {"sites": 20, "datatype": 20, ...}, "allreduce": {...}},
//      "likely": {...},      the same with predicted arguments
//      "fallbacks": {"fallback-parse-error": ["odd.c"]},
//      "shared": [{"file": "halo.h", "line": 3, "column": 3, "function": "MPI_Send", "units": 4}],
//      "warnings": 0}
//
//===------------------------------------------------------------------------------------------===//
#include "Report/Report.h"

using namespace llvm;

namespace mpispec {

static json::Value countsValue(const SiteCounts &C) {
  return json::Object{{"found", C.all()},
                      {"inline", C[CallForm::Inline]},
                      {"ordinary", C[CallForm::Ordinary]},
                      {"full", C[Grade::Full]},
                      {"partly", C[Grade::Partly]},
                      {"left", C[CallForm::Left]}};
}

static json::Value ratesValue(const KnownCounts &Counts, bool Allreduce) {
  json::Object O{{"sites", Counts.Sites}};
  for (const RateRow &Row : rateRows())
    if (!Allreduce || Row.InAllreduce)
      O[Row.Key] = Counts.*Row.Known;
  return O;
}

static json::Value missedValue(const MissedTotal &M) {
  json::Array Files;
  for (const auto &[File, Sites] : M.Files)
    Files.push_back(json::Object{{"file", json::fixUTF8(File)}, {"sites", Sites}});
  return json::Object{
      {"id", M.ID}, {"argument", M.Argument}, {"sites", M.Sites}, {"files", std::move(Files)}};
}

static json::Value hintValue(const Hint &H) {
  return json::Object{{"variable", json::fixUTF8(H.Variable)}, {"scope", json::fixUTF8(H.Scope)},
                      {"file", json::fixUTF8(H.File)},         {"id", H.ID},
                      {"edit", json::fixUTF8(H.Edit)},         {"calls", H.Calls}};
}

static json::Value fallbacksValue(const Build &B) {
  json::Object O;
  for (const auto &[ID, Sources] : B.Fallbacks) {
    json::Array Names;
    for (StringRef Source : Sources)
      Names.push_back(json::fixUTF8(Source));
    O[ID] = std::move(Names);
  }
  return O;
}

static json::Value sharedValue(const Build &B) {
  json::Array Shared;
  for (const BuildSite &S : B.Sites)
    if (S.Units > 1)
      Shared.push_back(json::Object{{"file", json::fixUTF8(S.Record.File)},
                                    {"line", S.Record.Line},
                                    {"column", S.Record.Column},
                                    {"function", S.Record.Callee},
                                    {"units", S.Units}});
  return Shared;
}

static json::Value countsValue(const std::map<std::string, unsigned> &Counts) {
  json::Object O;
  for (const auto &[Name, Number] : Counts)
    O[Name] = Number;
  return O;
}

json::Object totalsValue(const Build &B, const BuildTotals &T) {
  json::Object Functions;
  for (const auto &[Function, Counts] : T.ByFunction)
    Functions[Function] = countsValue(Counts);
  json::Array Missed;
  for (const MissedTotal &M : T.Missed)
    Missed.push_back(missedValue(M));
  json::Array Hints;
  for (const Hint &H : T.Hints)
    Hints.push_back(hintValue(H));
  return json::Object{
      {"units", B.Units},
      {"sites", countsValue(T.All)},
      {"functions", std::move(Functions)},
      {"templates", countsValue(T.ByTemplate)},
      {"missed", std::move(Missed)},
      {"hints", std::move(Hints)},
      {"rates", json::Object{{"send_recv", ratesValue(T.Known.SendRecv, false)},
                             {"allreduce", ratesValue(T.Known.Allreduce, true)}}},
      {"likely", json::Object{{"send_recv", ratesValue(T.Known.LikelySendRecv, false)},
                              {"allreduce", ratesValue(T.Known.LikelyAllreduce, true)}}},
      {"fallbacks", fallbacksValue(B)},
      {"shared", sharedValue(B)},
      {"warnings", T.Warnings}};
}

void printBuildJSON(const Build &B, raw_ostream &OS) {
  json::Object Totals = totalsValue(B, totalsOf(B));
  Totals["schema"] = "mpispec-report/1";
  OS << formatv("{0:2}\n", json::Value(std::move(Totals)));
}

} // namespace mpispec
