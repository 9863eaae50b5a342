//===- CallPaths.cpp - The call paths of a run ------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Profile/CallPaths.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace mpispec {

//===- Paths of ranks and of the run ----------------------------------------------------------===//

static bool operator<(const RunFrame &L, const RunFrame &R) {
  return std::tie(L.Object, L.Offset, L.Function, L.File, L.Line) <
         std::tie(R.Object, R.Offset, R.Function, R.File, R.Line);
}

static void add(RunPath &To, const RunPath &From) {
  To.Calls += From.Calls;
  To.Bytes += From.Bytes;
  To.Time += From.Time;
  To.Waiting += From.Waiting;
  To.Estimated |= From.Estimated;
}

/// Joins paths with the same function and equal frames. Sorts the paths, most time first.
static void joinEqual(std::vector<RunPath> &Paths) {
  std::map<std::pair<std::string, std::vector<RunFrame>>, RunPath> Joined;
  for (RunPath &P : Paths) {
    auto [At, IsNew] = Joined.try_emplace({P.Function, P.Frames}, P);
    if (!IsNew)
      add(At->second, P);
  }
  Paths.clear();
  for (auto &[Key, P] : Joined)
    Paths.push_back(std::move(P));
  llvm::sort(Paths, [](const RunPath &L, const RunPath &R) {
    return std::tie(R.Time, L.Function, L.Frames) < std::tie(L.Time, R.Function, R.Frames);
  });
}

static RunFrame frameOf(const RankProfile &Rank, uint64_t Object, uint64_t Offset) {
  RunFrame Frame;
  Frame.Object = Object < Rank.Objects.size() ? Rank.Objects[Object].path : "";
  Frame.Offset = Offset;
  return Frame;
}

void addPaths(RunProfile &Run, const RankProfile &Rank) {
  Run.Frames = std::max(Run.Frames,
                        unsigned(std::min<uint64_t>(Rank.Header.frames, MPISPEC_PROFILE_FRAMES)));
  for (const mpispec_profile_site &S : Rank.Sites) {
    RunPath Path;
    Path.Function = S.address ? "MPI_" + std::string(S.function) : S.function;
    Path.Calls = S.calls;
    Path.Bytes = S.bytes;
    Path.Time = Rank.seconds(S.ticks);
    Path.Waiting = Rank.seconds(waitingAt(S, Path.Estimated));
    if (S.address)
      Path.Frames.push_back(frameOf(Rank, S.object, S.offset));
    for (const mpispec_profile_frame &F : S.frames)
      if (F.offset)
        Path.Frames.push_back(frameOf(Rank, F.object, F.offset));
    Run.Paths.push_back(std::move(Path));
  }
  joinEqual(Run.Paths);
}

void mergePaths(RunProfile &Run) {
  for (RunPath &P : Run.Paths) {
    auto Main = find_if(P.Frames, [](const RunFrame &F) { return F.Function == "main"; });
    if (Main != P.Frames.end())
      P.Frames.erase(std::next(Main), P.Frames.end());
    P.Frames.resize(std::min<size_t>(P.Frames.size(), 1 + Run.Frames));
    for (RunFrame &F : P.Frames)
      if (!F.File.empty()) { // the copies of a call are one frame
        F.Object.clear();
        F.Offset = 0;
      }
  }
  joinEqual(Run.Paths);
}

std::string RunPath::name() const {
  return nameIn(Frames.empty() ? "" : StringRef(Frames.front().File), Function);
}

std::string labelOf(const RunFrame &F) {
  std::string Place =
      F.File.empty() ? "" : (sys::path::filename(F.File) + ":" + Twine(F.Line)).str();
  if (F.Function.empty() && Place.empty())
    return formatv("{0}+{1:x}", sys::path::filename(F.Object), F.Offset);
  if (F.Function.empty() || Place.empty())
    return F.Function + Place;
  return F.Function + " (" + Place + ")";
}

//===- Outputs --------------------------------------------------------------------------------===//

/// Without semicolons, which separate frames.
static std::string foldedLabel(const RunFrame &F) {
  std::string Label = labelOf(F);
  llvm::replace(Label, ';', ':');
  return Label;
}

void printFoldedPaths(const RunProfile &Run, raw_ostream &OS) {
  for (const RunPath &P : Run.Paths) {
    for (const RunFrame &F : reverse(P.Frames))
      OS << foldedLabel(F) << ';';
    OS << (P.Frames.empty() ? "(other paths)" : P.name()) << ' ' << uint64_t(P.Time * 1e6 + 0.5)
       << '\n';
  }
}

json::Array pathsValue(const RunProfile &Run) {
  json::Array Paths;
  for (const RunPath &P : Run.Paths) {
    json::Array Frames;
    for (const RunFrame &F : P.Frames)
      Frames.push_back(json::Object{{"function", json::fixUTF8(F.Function)},
                                    {"file", json::fixUTF8(F.File)},
                                    {"line", F.Line},
                                    {"object", json::fixUTF8(F.Object)},
                                    {"offset", F.Offset}});
    Paths.push_back(json::Object{{"function", P.Function},
                                 {"name", P.name()},
                                 {"calls", P.Calls},
                                 {"bytes", P.Bytes},
                                 {"seconds", P.Time},
                                 {"waiting", P.Waiting},
                                 {"estimated", P.Estimated},
                                 {"frames", std::move(Frames)}});
  }
  return Paths;
}

json::Object callPathsValue(const RunProfile &Run) {
  return json::Object{{"schema", "mpispec-call-paths/1"},
                      {"program", json::fixUTF8(Run.Program)},
                      {"frames", Run.Frames},
                      {"paths", pathsValue(Run)}};
}

static RunFrame readFrame(const json::Object &From) {
  RunFrame F;
  F.Function = From.getString("function").value_or("").str();
  F.File = From.getString("file").value_or("").str();
  F.Line = unsigned(From.getInteger("line").value_or(0));
  F.Object = From.getString("object").value_or("").str();
  F.Offset = uint64_t(From.getInteger("offset").value_or(0));
  return F;
}

std::vector<RunPath> readPaths(const json::Array &Paths) {
  std::vector<RunPath> Result;
  for (const json::Value &Value : Paths) {
    const json::Object *From = Value.getAsObject();
    const json::Array *Frames = From ? From->getArray("frames") : nullptr;
    if (!Frames)
      continue;
    RunPath P;
    P.Function = From->getString("function").value_or("").str();
    P.Calls = uint64_t(From->getInteger("calls").value_or(0));
    P.Bytes = uint64_t(From->getInteger("bytes").value_or(0));
    P.Time = From->getNumber("seconds").value_or(0);
    P.Waiting = From->getNumber("waiting").value_or(0);
    P.Estimated = From->getBoolean("estimated").value_or(false);
    for (const json::Value &Frame : *Frames)
      if (const json::Object *Of = Frame.getAsObject())
        P.Frames.push_back(readFrame(*Of));
    Result.push_back(std::move(P));
  }
  return Result;
}

} // namespace mpispec
