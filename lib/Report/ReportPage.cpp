//===- ReportPage.cpp - A build as a page for a browser ---------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// page/page.html with its style, its script and the data that the script draws:
//
//     {"base": "/project", "report": the object of `mpispec report --format=json`,
//      "sentences": {"size-unknown": "it is not proven ...", ...},
//      "rates": [{"key": "datatype", "label": "datatype", "send_recv": 67, "allreduce": 0}, ...],
//      "profile": the object of `mpispec profile --format=json`, or null, "before": the same,
//      "files": [{"name": "halo.c", "text": "...", or null where it cannot be read,
//                 "sites": [{"line": 3, "column": 5, "callee": "MPI_Send", "function": "main",
//                            "form": "inline", "template": "Send", "because": "", "units": 1,
//                            "facts": [["count", "1", "literal"], ...], "warnings": ["..."],
//                            "missed": [{"id": "size-unknown", "argument": "count", "text": "...",
//                                        "edit": "", "variable": "", "scope": ""}]}]}]}
//
//===------------------------------------------------------------------------------------------===//
#include "Report/Report.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include <set>

using namespace llvm;

namespace mpispec {

namespace {
struct PageFile {
  StringLiteral Name, Text;
};
} // namespace

static constexpr PageFile PageFiles[] = {
#include "Report/PageFiles.inc"
};

static StringRef pageFile(StringRef Name) {
  return find_if(PageFiles, [&](const PageFile &F) { return F.Name == Name; })->Text;
}

static json::Value siteValue(const BuildSite &S) {
  const SiteRecord &R = S.Record;
  json::Array Facts, Missed, Warnings;
  for (const auto &[Key, Fact] : R.Facts)
    Facts.push_back(json::Array{Key, json::fixUTF8(Fact.Value), json::fixUTF8(Fact.Origin)});
  for (const SiteRecord::Likely &P : R.Predictions)
    Facts.push_back(json::Array{P.Key, json::fixUTF8("perhaps " + P.Value),
                                json::fixUTF8("predicted, " + P.Percent + " %: " + P.Origin)});
  for (const SiteRecord::Miss &M : R.Missed)
    Missed.push_back(json::Object{{"id", text(M.ID)},
                                  {"argument", M.Argument},
                                  {"text", json::fixUTF8(M.Text)},
                                  {"edit", json::fixUTF8(M.Edit)},
                                  {"variable", json::fixUTF8(M.Variable)},
                                  {"scope", json::fixUTF8(M.Scope)}});
  for (StringRef Text : R.Warnings)
    Warnings.push_back(json::fixUTF8(Text));
  return json::Object{{"line", R.Line},
                      {"column", R.Column},
                      {"callee", R.Callee},
                      {"function", json::fixUTF8(R.EnclosingFunction)},
                      {"form", text(R.Form)},
                      {"template", R.Template},
                      {"because", json::fixUTF8(R.Because)},
                      {"units", S.Units},
                      {"facts", std::move(Facts)},
                      {"missed", std::move(Missed)},
                      {"warnings", std::move(Warnings)}};
}

static SmallString<128> wholePath(const Build &B, StringRef File) {
  SmallString<128> Path(File);
  if (!B.Base.empty())
    sys::path::make_absolute(B.Base, Path);
  return Path;
}

/// The text of a file that Build names, or null.
static json::Value sourceText(const Build &B, StringRef File) {
  SmallString<128> Path = wholePath(B, File);
  ErrorOr<std::unique_ptr<MemoryBuffer>> Buffer = MemoryBuffer::getFile(Path);
  if (!Buffer)
    return nullptr;
  return json::fixUTF8((*Buffer)->getBuffer());
}

/// Sites are sorted by place. Therefore the sites of a file are consecutive.
static json::Array filesValue(const Build &B) {
  json::Array Files;
  for (ArrayRef<BuildSite> Rest = B.Sites; !Rest.empty();) {
    const std::string &Name = Rest.front().Record.File;
    json::Array Sites;
    for (; !Rest.empty() && Rest.front().Record.File == Name; Rest = Rest.drop_front())
      Sites.push_back(siteValue(Rest.front()));
    Files.push_back(json::Object{
        {"name", json::fixUTF8(Name)}, {"text", sourceText(B, Name)}, {"sites", std::move(Sites)}});
  }
  return Files;
}

/// The files of the profile's sites that are not among \p Files.
static void addFilesOfProfile(const Build &B, const json::Value &Profile, json::Array &Files) {
  const json::Array *Sites =
      Profile.getAsObject() ? Profile.getAsObject()->getArray("sites") : nullptr;
  std::set<std::string> Known = {""}, Added;
  for (const BuildSite &S : B.Sites)
    Known.insert(wholePath(B, S.Record.File).str().str());
  for (size_t I = 0; Sites && I < Sites->size(); ++I)
    if (std::string File = (*Sites)[I].getAsObject()->getString("file").value_or("").str();
        !Known.count(File))
      Added.insert(File);
  for (const std::string &File : Added)
    Files.push_back(json::Object{
        {"name", json::fixUTF8(File)}, {"text", sourceText(B, File)}, {"sites", json::Array()}});
}

static json::Value pageData(const Build &B, json::Value Profile, json::Value Before) {
  json::Object Sentences;
  for (const RemarkInfo &Info : allRemarks())
    Sentences[Info.Text] = Info.Sentence;
  json::Array Rates;
  for (const RateRow &Row : rateRows())
    Rates.push_back(json::Object{{"key", Row.Key},
                                 {"label", Row.Label},
                                 {"send_recv", Row.WrittenInSendRecv},
                                 {"allreduce", Row.WrittenInAllreduce}});
  json::Array Files = filesValue(B);
  addFilesOfProfile(B, Profile, Files);
  return json::Object{{"base", json::fixUTF8(B.Base)},     {"report", totalsValue(B, totalsOf(B))},
                      {"sentences", std::move(Sentences)}, {"rates", std::move(Rates)},
                      {"profile", std::move(Profile)},     {"before", std::move(Before)},
                      {"files", std::move(Files)}};
}

/// Replaces the mark of a part by the part.
static void fill(std::string &Page, StringRef Mark, StringRef Part) {
  Page.replace(Page.find(Mark), Mark.size(), Part);
}

void printBuildHTML(const Build &B, json::Value Profile, json::Value Before, raw_ostream &OS) {
  std::string Data;
  raw_string_ostream(Data) << pageData(B, std::move(Profile), std::move(Before));
  // Only strings have a '<'; as an escape it cannot end the element that holds the data.
  for (size_t At = 0; (At = Data.find('<', At)) != std::string::npos;)
    Data.replace(At, 1, "\\u003c");
  std::string Page = pageFile("page.html").str();
  fill(Page, "<!-- page.css -->", pageFile("page.css"));
  fill(Page, "<!-- page.js -->", pageFile("page.js"));
  fill(Page, "<!-- data -->", Data);
  OS << Page;
}

} // namespace mpispec
