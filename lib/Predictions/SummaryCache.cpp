//===- SummaryCache.cpp - Files by which units share their flows ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Predictions/SummaryCache.h"
#include "Support/CacheDirectory.h"
#include "Support/OutputFile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"
#include <cstdlib>

using namespace llvm;

namespace mpispec {

static constexpr int64_t Version = 1; ///< the files' version; files of other versions are not read
static constexpr StringLiteral Suffix = ".json";

//===- Where ---------------------------------------------------------------------------------===//

static bool hasOneOf(StringRef Directory, ArrayRef<StringRef> Names) {
  return any_of(Names, [&](StringRef Name) { return sys::fs::exists(Directory + "/" + Name); });
}

/// Does \p Directory contain many projects? True for the root, for the directories directly below
/// it, and for the user's home directory.
static bool holdsProjects(StringRef Directory) {
  const char *Home = std::getenv("HOME");
  return sys::path::parent_path(sys::path::parent_path(Directory)).empty() ||
         (Home && Directory == StringRef(Home));
}

static std::string projectOf(StringRef Source) {
  static const StringRef Controlled[] = {".git", ".hg", ".svn"};
  static const StringRef Built[] = {"CMakeLists.txt", "configure",   "meson.build", "Makefile",
                                    "makefile",       "GNUmakefile", "SConstruct"};
  const StringRef Own = sys::path::parent_path(Source);
  StringRef Top = Own;
  for (StringRef Here = Own; !holdsProjects(Here); Here = sys::path::parent_path(Here)) {
    if (hasOneOf(Here, Controlled))
      return Here.str();
    if (hasOneOf(Here, Built))
      Top = Here;
  }
  return Top.str();
}

/// A unique name of a directory or file for \p Path.
static std::string nameFor(StringRef Path) {
  return (sys::path::filename(Path) + "-" +
          utohexstr(xxh3_64bits(Path), /*LowerCase=*/true, /*Width=*/16))
      .str();
}

SummaryCache SummaryCache::ofSource(StringRef Source) {
  SummaryCache Cache;
  SmallString<256> Path(Source);
  std::string Root = cacheDirectory();
  if (Root.empty() || sys::fs::make_absolute(Path))
    return Cache;
  sys::path::remove_dots(Path, /*remove_dot_dot=*/true);
  Cache.Source = Path.str().str();
  Cache.Directory = Root + "/" + nameFor(projectOf(Path));
  return Cache;
}

std::string SummaryCache::file() const { return Directory + "/" + nameFor(Source) + Suffix.str(); }

//===- Reading and writing -------------------------------------------------------------------===//

/// The flows of a summary. Nothing if any part of it differs from the form that this version
/// writes.
static std::optional<Flows> flowsIn(const json::Object &Summary) {
  const json::Object *Places = Summary.getObject("flows");
  if (Summary.getInteger("version") != Version || !Places)
    return std::nullopt;
  Flows Read;
  for (const auto &[Place, Into] : *Places) {
    const json::Array *Values = Into.getAsArray();
    if (!isOfProgram(Place) || !Values || Values->size() % 2)
      return std::nullopt;
    for (size_t I = 0; I < Values->size(); I += 2) {
      StringRef Value = (*Values)[I].getAsString().value_or("");
      double Count = (*Values)[I + 1].getAsNumber().value_or(0);
      bool IsValue = !Value.empty() && (!isPlace(Value) || isOfProgram(Value));
      if (!IsValue || !(Count > 0 && Count <= UINT32_MAX))
        return std::nullopt;
      Read.add(Place, Value, Count);
    }
  }
  return Read;
}

/// Adds the flows of the summary in \p File. A summary whose source is gone is removed.
static void readSummary(const std::string &File, Flows &To) {
  auto Text = MemoryBuffer::getFile(File);
  if (!Text)
    return;
  Expected<json::Value> Parsed = json::parse((*Text)->getBuffer());
  if (!Parsed)
    return consumeError(Parsed.takeError());
  const json::Object *Summary = Parsed->getAsObject();
  std::optional<Flows> Read = Summary ? flowsIn(*Summary) : std::nullopt;
  std::optional<StringRef> Source = Summary ? Summary->getString("source") : std::nullopt;
  if (!Read || !Source)
    return;
  if (sys::fs::exists(*Source))
    To.add(*Read);
  else
    sys::fs::remove(File);
}

Flows SummaryCache::readOthers() const {
  Flows All;
  std::error_code Code;
  std::vector<std::string> Files;
  if (!isOff())
    for (sys::fs::directory_iterator I(Directory, Code), Last; !Code && I != Last;
         I.increment(Code))
      if (StringRef(I->path()).ends_with(Suffix) && I->path() != file())
        Files.push_back(I->path());
  sort(Files);
  for (const std::string &File : Files)
    readSummary(File, All);
  return All;
}

static std::string textOf(StringRef Source, const Flows &OfUnit) {
  json::Object Places;
  OfUnit.forEachOfProgram([&](StringRef Place, StringRef Value, double Count) {
    json::Value &Values = Places.try_emplace(Place.str(), json::Array()).first->second;
    Values.getAsArray()->push_back(Value.str());
    Values.getAsArray()->push_back(Count);
  });
  std::string Text;
  raw_string_ostream(Text) << json::Value(json::Object{{"version", Version},
                                                       {"source", json::fixUTF8(Source)},
                                                       {"flows", std::move(Places)}})
                           << '\n';
  return Text;
}

bool SummaryCache::write(const Flows &OfUnit) const {
  if (isOff() || sys::fs::create_directories(Directory))
    return false;
  const std::string Text = textOf(Source, OfUnit), File = file();
  if (auto Old = MemoryBuffer::getFile(File); Old && (*Old)->getBuffer() == Text)
    return true;
  Error E = writeOutputFile(File, [&](raw_ostream &OS) { OS << Text; });
  bool Written = !E;
  consumeError(std::move(E));
  return Written;
}

} // namespace mpispec
