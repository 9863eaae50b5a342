//===- RunPredictions.cpp - Predictions from a profiled run -----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Predictions/RunPredictions.h"
#include "Facts/Predictions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include <set>

using namespace llvm;

namespace mpispec {

namespace {
/// All calls of one MPI function on one line: those of the unit, and the profile's sites.
struct Place {
  std::vector<size_t> Calls; ///< indices of the unit's sites, by column
  std::vector<const RunSite *> Seen;
};
using PlacesOfFile = std::map<std::pair<unsigned, std::string>, Place>; ///< by line and function

/// Finds the profile's sites of each call of a unit, file by file.
class Matcher {
public:
  Matcher(ArrayRef<CallSite> Sites, const RunProfile &Run);
  /// The profile's sites of each call; nullopt: the profile has no data about the call.
  using SeenByCall = std::vector<std::optional<std::vector<const RunSite *>>>;
  SeenByCall match();
  std::vector<std::string> takeWarnings() { return std::move(Warnings); }

private:
  void matchFile(StringRef File, ArrayRef<size_t> Calls, SeenByCall &To);
  bool isOfAnotherProgram(StringRef File, ArrayRef<size_t> Calls) const;
  StringRef findFile(StringRef File, ArrayRef<size_t> Calls) const;
  PlacesOfFile placesOf(StringRef RunFile, ArrayRef<size_t> Calls) const;
  bool isOfAbsentTemplate(const RunSite &Site, ArrayRef<size_t> Calls) const;

  ArrayRef<CallSite> Sites;
  const RunProfile &Run;
  std::map<std::string, std::vector<const RunSite *>> ByFile; ///< from the profile
  /// Functions that the run has called at unknown places. "other" stands for sites without an entry
  /// in the profile.
  std::set<std::string> Unplaced;
  std::vector<std::string> Warnings;
};
} // namespace

static std::string fullPath(StringRef File) {
  SmallString<256> Path(File);
  sys::fs::make_absolute(Path);
  sys::path::remove_dots(Path, /*remove_dot_dot=*/true);
  return Path.str().str();
}

/// The number of equal components at the ends of two paths.
static unsigned commonEnd(StringRef L, StringRef R) {
  unsigned Common = 0;
  for (auto I = sys::path::rbegin(L), J = sys::path::rbegin(R);
       I != sys::path::rend(L) && J != sys::path::rend(R) && *I == *J; ++I, ++J)
    ++Common;
  return Common;
}

Matcher::Matcher(ArrayRef<CallSite> Sites, const RunProfile &Run) : Sites(Sites), Run(Run) {
  for (const std::string &Source : Run.Sources)
    ByFile[Source];
  for (const RunSite &S : Run.Sites)
    if (S.File.empty() || !S.IsExact)
      Unplaced.insert(S.Function);
    else
      ByFile[S.File].push_back(&S);
}

PlacesOfFile Matcher::placesOf(StringRef RunFile, ArrayRef<size_t> Calls) const {
  PlacesOfFile Places;
  for (size_t I : Calls)
    Places[{Sites[I].Line, "MPI_" + Sites[I].Function->Name.str()}].Calls.push_back(I);
  if (auto File = ByFile.find(RunFile.str()); File != ByFile.end())
    for (const RunSite *S : File->second)
      Places[{S->Line, S->Function}].Seen.push_back(S);
  return Places;
}

static unsigned common(const PlacesOfFile &Places) {
  return count_if(
      Places, [](const auto &At) { return !At.second.Calls.empty() && !At.second.Seen.empty(); });
}

/// The profile's name of \p File. Empty if it has none, or if several names are equally likely.
StringRef Matcher::findFile(StringRef File, ArrayRef<size_t> Calls) const {
  std::string Path = fullPath(File);
  if (auto Same = ByFile.find(Path); Same != ByFile.end())
    return Same->first;
  std::pair<unsigned, unsigned> Best = {0, 0};
  StringRef Found;
  for (const auto &[Name, Seen] : ByFile) {
    std::pair<unsigned, unsigned> Likeness = {commonEnd(Name, Path), common(placesOf(Name, Calls))};
    if (!Likeness.first || !Likeness.second || Likeness < Best)
      continue;
    Found = Likeness == Best ? StringRef() : StringRef(Name);
    Best = Likeness;
  }
  return Found;
}

/// Is \p Name the name of the function \p Within, or of a scope around it? \p Within comes from
/// debugging information: "void Halo<double>::pass(int)".
static bool isNamedIn(StringRef Name, StringRef Within) {
  auto IsOfWord = [&](size_t At) {
    return At < Within.size() && (isAlnum(Within[At]) || Within[At] == '_');
  };
  for (size_t At = Within.find(Name); At != StringRef::npos; At = Within.find(Name, At + 1))
    if ((!At || !IsOfWord(At - 1)) && !IsOfWord(At + Name.size()))
      return true;
  return false;
}

/// Is \p Site in an instance of a C++ template that only other units have? A template without
/// instances in this unit has no calls here.
bool Matcher::isOfAbsentTemplate(const RunSite &Site, ArrayRef<size_t> Calls) const {
  return StringRef(Site.Within).contains('<') && none_of(Calls, [&](size_t I) {
           StringRef Name = Sites[I].EnclosingFunction;
           if (size_t Scope = Name.rfind("::"); Scope != StringRef::npos)
             Name = Name.drop_front(Scope + 2);
           return !Name.empty() && isNamedIn(Name, Site.Within);
         });
}

void Matcher::matchFile(StringRef File, ArrayRef<size_t> Calls, SeenByCall &To) {
  StringRef Found = findFile(File, Calls);
  if (Found.empty())
    return;
  PlacesOfFile Places = placesOf(Found, Calls);
  unsigned Seen = count_if(Places, [&](const auto &At) {
    return any_of(At.second.Seen, [&](const RunSite *S) { return !isOfAbsentTemplate(*S, Calls); });
  });
  if (common(Places) * 2 < Seen) {
    Warnings.push_back(formatv("{0} has changed since the profiled run, so nothing is known of its "
                               "calls; run the program again with MPISPEC_PROFILE",
                               File));
    return;
  }
  for (auto &[Key, Place] : Places) {
    if (Place.Seen.empty() && (Unplaced.count(Key.second) || Unplaced.count("other")))
      continue; // the call may be one without an exact place in the profile
    llvm::sort(Place.Seen,
               [](const RunSite *L, const RunSite *R) { return L->Column < R->Column; });
    bool InOrder = Place.Seen.size() == Place.Calls.size();
    for (auto [N, Call] : enumerate(Place.Calls))
      To[Call] = InOrder ? std::vector<const RunSite *>{Place.Seen[N]} : Place.Seen;
  }
}

bool Matcher::isOfAnotherProgram(StringRef File, ArrayRef<size_t> Calls) const {
  auto IsIt = [&](StringRef Source) {
    return sys::path::filename(Source) == sys::path::filename(File);
  };
  auto IsInMain = [&](size_t I) { return Sites[I].EnclosingFunction == "main"; };
  return !Run.Sources.empty() && any_of(Calls, IsInMain) && none_of(Run.Sources, IsIt);
}

Matcher::SeenByCall Matcher::match() {
  SeenByCall Result(Sites.size());
  std::map<std::string, std::vector<size_t>> Files;
  for (auto [I, Site] : enumerate(Sites))
    Files[Site.File].push_back(I);
  for (auto &[File, Calls] : Files) {
    llvm::sort(Calls, [&](size_t L, size_t R) { return Sites[L].Column < Sites[R].Column; });
    matchFile(File, Calls, Result);
    if (isOfAnotherProgram(File, Calls))
      Warnings.push_back(
          formatv("the profile is of '{0}', and {1} is none of its sources; name the "
                  "profile of this program, or run it with MPISPEC_PROFILE",
                  Run.Program, File));
  }
  return Result;
}

//===- Facts and predictions ------------------------------------------------------------------===//

static RunFacts runFacts(ArrayRef<const RunSite *> Seen) {
  RunFacts Facts;
  for (const RunSite *S : Seen) {
    Facts.Calls += S->Calls;
    Facts.MostCalls += S->MostCalls;
    Facts.InReach += S->Paths[MPISPEC_PATH_FAST] + S->Paths[MPISPEC_PATH_NO_ROOM];
    Facts.OutOfReach += S->Paths[MPISPEC_PATH_SIZE] + S->Paths[MPISPEC_PATH_DATATYPE];
  }
  return Facts;
}

/// The number of calls with each value, over all \p Seen.
static std::map<std::string, double> callsBy(ArrayRef<const RunSite *> Seen,
                                             ValueCounts RunSite::*Values) {
  std::map<std::string, double> Calls;
  for (const RunSite *S : Seen)
    for (const auto &[Name, Counts] : S->*Values)
      Calls[Name] += static_cast<double>(Counts.first);
  return Calls;
}

static constexpr StringLiteral Origin = "the profiled run";

/// The predefined datatypes among \p Calls whose handles the unit defines. The calls with other
/// datatypes are added to \p Others.
static std::vector<CountedValue> datatypesOf(const std::map<std::string, double> &Calls,
                                             const Handles &Values, double &Others) {
  std::vector<CountedValue> Seen;
  for (const auto &[Name, Count] : Calls) {
    std::optional<CountedValue> V = countedHandle(Name, Values, Count);
    if (!V) {
      Others += Count;
      continue;
    }
    V->Value.Origin = Origin.str();
    Seen.push_back(std::move(*V));
  }
  return Seen;
}

/// Converts \p Calls from lengths in bytes to counts of elements. Calls whose length is no multiple
/// of the element's size are added to \p Others.
static std::vector<CountedValue> countsOf(const std::map<std::string, double> &Calls,
                                          uint64_t ElementBytes, double &Others) {
  std::vector<CountedValue> Seen;
  for (const auto &[Name, Count] : Calls) {
    CountedValue V;
    uint64_t Bytes = 0;
    if (StringRef(Name).getAsInteger(10, Bytes) || Bytes % ElementBytes) {
      Others += Count;
      continue;
    }
    V.Count = Count;
    V.Value.K = Answer::Constant;
    V.Value.Low = V.Value.High = static_cast<int64_t>(Bytes / ElementBytes);
    V.Value.Origin = Origin.str();
    Seen.push_back(std::move(V));
  }
  return Seen;
}

/// The size of the proven datatype or, without one, of the likeliest. 0 if there is none.
static uint64_t elementBytes(const TransferFacts &Known, const SiteFacts &Facts, Role Datatype) {
  if (Known.DatatypeSize)
    return *Known.DatatypeSize;
  for (const Prediction &P : Facts.Predictions)
    if (P.Argument == Datatype)
      return P.ElementBytes.value_or(0);
  return 0;
}

/// Predicts datatype and count of one side. A profile has the values of a call's first side. The
/// receiving side of an exchange usually has the same datatype.
static void predictSide(const Transfer &Side, bool IsFirst, ArrayRef<const RunSite *> Seen,
                        const Handles &Values, const TransferFacts &Known, SiteFacts &Facts) {
  double Others = 0;
  if (Side.Datatype && !Known.Datatype.isKnown() && !Known.ContiguousInEachCopy) {
    std::vector<CountedValue> Datatypes =
        datatypesOf(callsBy(Seen, &RunSite::Datatypes), Values, Others);
    addPredictions(Facts, *Side.Datatype, PredictionSource::Profile, std::move(Datatypes), Others);
  }
  uint64_t Element = Side.Datatype ? elementBytes(Known, Facts, *Side.Datatype) : 0;
  if (!IsFirst || !Side.Count || Known.Count.isKnown() || !Element)
    return;
  Others = 0;
  std::vector<CountedValue> Counts = countsOf(callsBy(Seen, &RunSite::Lengths), Element, Others);
  addPredictions(Facts, *Side.Count, PredictionSource::Profile, std::move(Counts), Others);
}

std::vector<std::string> predictFromRun(ArrayRef<CallSite> Sites, const Handles &Values,
                                        const RunProfile &Run, std::vector<SiteFacts> &Facts) {
  Matcher OfRun(Sites, Run);
  for (auto [Site, Known, Seen] : zip_equal(Sites, Facts, OfRun.match())) {
    if (!Seen || !Known.Copies)
      continue;
    Known.Run = runFacts(*Seen);
    const std::vector<TransferFacts> Proven(Known.Transfers.begin(), Known.Transfers.end());
    if (Known.Run->Calls)
      for (auto [N, Side] : enumerate(zip(transfersOf(*Site.Function), Proven)))
        predictSide(std::get<0>(Side), N == 0, *Seen, Values, std::get<1>(Side), Known);
  }
  return OfRun.takeWarnings();
}

} // namespace mpispec
