//===- ProfileIndex.cpp - Sites of a run with their source locations --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Profile/ProfileIndex.h"
#include "Profile/CallPaths.h"
#include "Support/AnalysisProtocol.h"
#include "Support/OutputFile.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;

namespace mpispec {

/// This number increases with each change of the form that readProfileIndex() reads.
static constexpr int64_t Version = 1;

std::string profileIndexFile(StringRef Directory) {
  return (Directory + "/" + ProfileIndexFile).str();
}

Error writeProfileIndex(const RunProfile &Run) {
  json::Object All = profileValue(Run);
  for (StringRef OfRanks : {"ranks", "matrix", "timeline", "advice", "complaints"})
    All.erase(OfRanks);
  for (json::Value &Site : *All.getArray("sites"))
    Site.getAsObject()->erase("ranks");
  All["index"] = Version;
  return writeOutputFile(profileIndexFile(Run.Directory), [&](raw_ostream &OS) {
    OS << formatv("{0:1}\n", json::Value(std::move(All)));
  });
}

static std::string textIn(const json::Object &Of, StringRef Key) {
  return Of.getString(Key).value_or("").str();
}

static uint64_t numberIn(const json::Object &Of, StringRef Key) {
  int64_t Number = Of.getInteger(Key).value_or(0);
  return Number < 0 ? 0 : static_cast<uint64_t>(Number);
}

static void readValues(const json::Object &Site, StringRef Key, ValueCounts &To) {
  if (const json::Object *Values = Site.getObject(Key))
    for (const auto &[Name, Counts] : *Values)
      if (const json::Array *Pair = Counts.getAsArray(); Pair && Pair->size() == 2)
        To[Name.str()] = {(*Pair)[0].getAsUINT64().value_or(0),
                          (*Pair)[1].getAsUINT64().value_or(0)};
}

static RunSite readSite(const json::Object &From) {
  RunSite S;
  S.Function = textIn(From, "function");
  S.File = textIn(From, "file");
  S.Within = textIn(From, "within");
  S.Line = static_cast<unsigned>(numberIn(From, "line"));
  S.Column = static_cast<unsigned>(numberIn(From, "column"));
  S.IsExact = From.getBoolean("exact").value_or(true);
  S.Calls = numberIn(From, "calls");
  S.MostCalls = numberIn(From, "most_calls");
  readValues(From, "datatypes", S.Datatypes);
  readValues(From, "lengths", S.Lengths);
  if (const json::Object *Paths = From.getObject("paths"))
    for (unsigned P = 0; P < MPISPEC_PATHS; ++P)
      S.Paths[P] = numberIn(*Paths, keyOf(static_cast<mpispec_profile_path>(P)));
  if (const json::Array *Addresses = From.getArray("addresses"))
    for (const json::Value &Address : *Addresses)
      if (const json::Array *Pair = Address.getAsArray(); Pair && Pair->size() == 2)
        S.Addresses.push_back(
            {(*Pair)[0].getAsString().value_or("").str(), (*Pair)[1].getAsUINT64().value_or(0)});
  return S;
}

Expected<RunProfile> readProfileIndex(StringRef File) {
  auto Buffer = MemoryBuffer::getFile(File);
  if (!Buffer)
    return createStringError("'" + File + "' cannot be read: " + Buffer.getError().message());
  Expected<json::Value> Parsed = json::parse((*Buffer)->getBuffer());
  if (!Parsed)
    return createStringError("'" + File + "' is damaged: " + toString(Parsed.takeError()));
  const json::Object *All = Parsed->getAsObject();
  const json::Array *Sites = All ? All->getArray("sites") : nullptr;
  if (!Sites || All->getInteger("index") != Version)
    return createStringError("'" + File + "' is no index of a profile that this mpispec reads");
  RunProfile Run;
  Run.Program = textIn(*All, "program");
  Run.Identity = textIn(*All, "identity");
  if (const json::Array *Sources = All->getArray("sources"))
    for (const json::Value &Source : *Sources)
      Run.Sources.push_back(Source.getAsString().value_or("").str());
  if (const json::Array *Paths = All->getArray("paths"))
    Run.Paths = readPaths(*Paths);
  for (const json::Value &Site : *Sites)
    if (const json::Object *Of = Site.getAsObject())
      Run.Sites.push_back(readSite(*Of));
  return Run;
}

} // namespace mpispec
