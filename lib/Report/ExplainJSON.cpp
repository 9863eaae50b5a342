//===- ExplainJSON.cpp - Facts about each call as JSON ----------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     [{"schema": "mpispec-explain/1",
//       "file": "halo.c", "line": 12, "column": 5, "function": "MPI_Send", "in": "exchange",
//       "template": "Send", "form": "inline", "copies": 1,
//       "facts": {"count": 1, "datatype": "MPI_DOUBLE", "peer": [0, 3], "size": "short",
//                 "origin": {"count": "literal", ...}},
//       "predicted": [{"key": "count", "value": 3, "percent": 50, "source": "unit",
//                      "origin": "..."}],
//       "missed": [{"id": "peer-unknown", "argument": "peer", "text": "...",
//                   "variable": "left", "scope": "exchange", "edit": "..."}],
//       "warnings": ["count is -1 in every execution of this call"]}]
//
// An ordinary call has "template": "", "form": "ordinary" and a "reason", such as
// "a message from any source".
//
//===------------------------------------------------------------------------------------------===//
#include "Report/Explain.h"
#include "Report/SiteKnowledge.h"
#include "llvm/Support/JSON.h"

using namespace llvm;

namespace mpispec {

/// JSON is UTF-8, but a path or a string of the program may have another encoding.
static json::Value textValue(StringRef Text) { return json::fixUTF8(Text); }

static json::Value factValue(const Answer &A) {
  switch (A.K) {
  case Answer::Unknown:
    return nullptr;
  case Answer::Range:
    return json::Array{A.Low, A.High};
  case Answer::Constant:
    return A.Low;
  case Answer::Handle:
    return textValue(A.Name);
  case Answer::Derived:
    return text(A);
  }
  llvm_unreachable("unknown kind of answer");
}

static void writeFacts(const CallSite &Site, const SiteFacts &Facts, json::OStream &J) {
  std::vector<NamedFact> Known = namedFacts(Site, Facts);
  llvm::erase_if(Known, [](const NamedFact &F) { return F.Value.K == Answer::Unknown; });
  J.attributeObject("facts", [&] {
    for (const NamedFact &F : Known)
      J.attribute(F.Key, factValue(F.Value));
    J.attributeObject("origin", [&] {
      for (const NamedFact &F : Known)
        if (!F.Value.Origin.empty())
          J.attribute(F.Key, textValue(F.Value.Origin));
    });
  });
}

static void writeSite(const CallSite &Site, const SiteFacts &Facts, const Choice &C,
                      json::OStream &J) {
  J.object([&] {
    J.attribute("schema", "mpispec-explain/1");
    J.attribute("file", textValue(Site.File));
    J.attribute("line", Site.Line);
    J.attribute("column", Site.Column);
    J.attribute("function", Site.Callee);
    J.attribute("in", textValue(Site.EnclosingFunction));
    J.attribute("template", C.Template);
    J.attribute("form", text(C.Form));
    if (C.Form == CallForm::Ordinary)
      J.attribute("reason", C.WhyOrdinary);
    J.attribute("copies", Facts.Copies);
    writeFacts(Site, Facts, J);
    J.attributeArray("predicted", [&] {
      for (const NamedPrediction &P : namedPredictions(Site, Facts))
        J.object([&] {
          J.attribute("key", P.Key);
          J.attribute("value", factValue(P.Value));
          J.attribute("percent", P.Percent);
          J.attribute("source", text(P.Source));
          J.attribute("origin", textValue(P.Value.Origin));
        });
    });
    J.attributeArray("missed", [&] {
      for (const MissedFact &M : C.Missed)
        J.object([&] {
          J.attribute("id", text(M.Remark));
          J.attribute("argument", M.Argument);
          J.attribute("text", textValue(M.Text));
          if (M.Edit.empty())
            return;
          J.attribute("variable", textValue(M.Variable));
          J.attribute("scope", textValue(M.Scope));
          J.attribute("edit", textValue(M.Edit));
        });
    });
    J.attributeArray("warnings", [&] {
      for (const ArgumentWarning &W : Facts.Warnings)
        J.value(textValue(W.Message));
    });
  });
}

void printJSON(ArrayRef<CallSite> Sites, ArrayRef<SiteFacts> Facts, ArrayRef<Choice> Choices,
               raw_ostream &OS) {
  json::OStream J(OS, /*IndentSize=*/2);
  J.array([&] {
    for (unsigned I : orderByPlace(Sites))
      writeSite(Sites[I], Facts[I], Choices[I], J);
  });
  OS << '\n';
}

} // namespace mpispec
