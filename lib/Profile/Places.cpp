//===- Places.cpp - Source locations of call sites --------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Profile/Places.h"
#include "Profile/CallPaths.h"
#include "Profile/ProfileIndex.h"
#include "Profile/TailCalls.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/DebugInfo/Symbolize/SymbolizableModule.h"
#include "llvm/DebugInfo/Symbolize/Symbolize.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace mpispec {

/// Is the frame a function of mpispec in specialised code? The text of these functions is in no
/// file.
static bool isOurs(const DILineInfo &Frame) {
  return StringRef(Frame.FileName).ends_with("<mpispec>") ||
         StringRef(Frame.FunctionName).starts_with("mpispec_");
}

static std::string withoutDots(StringRef File) {
  SmallString<256> Path(File);
  sys::path::remove_dots(Path, /*remove_dot_dot=*/true);
  return Path.str().str();
}

/// \p Symbol without the suffixes that compilers append for copies and inner procedures: "total.0",
/// "give.constprop.0.isra.0".
static StringRef withoutSuffixes(StringRef Symbol) {
  for (;;) {
    StringRef Rest = Symbol.rtrim("0123456789");
    bool HasNumber = Rest.size() < Symbol.size() && Rest.consume_back(".");
    if (!HasNumber)
      Rest = Symbol;
    for (StringRef Suffix : {".constprop", ".isra", ".part", ".cold", ".lto_priv"})
      HasNumber |= Rest.consume_back(Suffix);
    if (!HasNumber || Rest.empty())
      return Symbol;
    Symbol = Rest;
  }
}

/// The function or procedure of \p Symbol. For the procedure turn_round of the module fourier, the
/// symbol is "__fourier_MOD_turn_round" in gfortran, and "_QMfourierPturn_round" in flang.
static std::string functionOf(StringRef Symbol) {
  StringRef Name = withoutSuffixes(Symbol);
  if (Name.starts_with("__") && Name.contains("_MOD_"))
    return Name.split("_MOD_").second.str();
  if (Name.starts_with("_Q") && Name.contains('P'))
    return Name.rsplit('P').second.str();
  return Name.str();
}

static void place(RunSite &Site, const DIInliningInfo &Frames) {
  for (unsigned I = 0; I < Frames.getNumberOfFrames(); ++I) {
    const DILineInfo &Frame = Frames.getFrame(I);
    if (isOurs(Frame))
      continue;
    if (Frame.FunctionName != DILineInfo::BadString)
      Site.Within = functionOf(Frame.FunctionName);
    if (Frame.FileName == DILineInfo::BadString || !Frame.Line)
      return;
    Site.File = withoutDots(Frame.FileName);
    Site.Line = Frame.Line;
    Site.Column = Frame.Column;
    return;
  }
}

namespace {
/// The debugging information of all objects.
class Symbols {
public:
  void findPlace(RunSite &Site);
  /// Finds places for the frames of \p Path. If \p Same is false, the object has changed since the
  /// run, and its frames keep their addresses.
  void findFrames(RunPath &Path, function_ref<bool(const std::string &Object)> Same);
  std::vector<std::string> takeSources() { return std::move(Sources); }

private:
  TailCalls &callsOf(const std::string &Object);
  /// The place of the call that returns to \p Address, which is a result of addressOf() or of
  /// TailCalls::find().
  RunSite placeOf(const RunSite &Site, uint64_t Address);
  /// The address in the object's debugging information that corresponds to \p Offset.
  uint64_t addressOf(const std::string &Object, uint64_t Offset);
  void addFrames(const RunFrame &At, uint64_t Address, std::vector<RunFrame> &To);

  symbolize::LLVMSymbolizer Symbolizer{options()};
  StringMap<TailCalls> Calls; ///< by object
  std::vector<std::string> Sources;

  static symbolize::LLVMSymbolizer::Options options() {
    symbolize::LLVMSymbolizer::Options Options;
    Options.UseSymbolTable = true;
    Options.Demangle = true;
    return Options;
  }
};
} // namespace

TailCalls &Symbols::callsOf(const std::string &Object) {
  auto [At, IsNew] = Calls.try_emplace(Object, Object);
  if (IsNew)
    append_range(Sources, At->second.sources());
  return At->second;
}

RunSite Symbols::placeOf(const RunSite &Site, uint64_t Address) {
  RunSite Result;
  object::SectionedAddress Within{Address - 1, object::SectionedAddress::UndefSection};
  Expected<DIInliningInfo> Frames = Symbolizer.symbolizeInlinedCode(Site.Object, Within);
  if (Frames)
    place(Result, *Frames);
  else
    consumeError(Frames.takeError());
  return Result;
}

uint64_t Symbols::addressOf(const std::string &Object, uint64_t Offset) {
  auto Module = Symbolizer.getOrCreateModuleInfo(Object);
  if (Module)
    return Offset + (*Module ? (*Module)->getModulePreferredBase() : 0);
  consumeError(Module.takeError());
  return Offset;
}

/// Appends the frames of the call that returns to \p Address. The frame of an inlined function
/// comes before that of its caller. If nothing is known, appends \p At.
void Symbols::addFrames(const RunFrame &At, uint64_t Address, std::vector<RunFrame> &To) {
  size_t Before = To.size();
  object::SectionedAddress Within{Address - 1, object::SectionedAddress::UndefSection};
  Expected<DIInliningInfo> Frames = Symbolizer.symbolizeInlinedCode(At.Object, Within);
  for (unsigned I = 0; Frames && I < Frames->getNumberOfFrames(); ++I) {
    const DILineInfo &Found = Frames->getFrame(I);
    if (isOurs(Found) || Found.FunctionName == DILineInfo::BadString)
      continue;
    RunFrame Frame = At;
    Frame.Function = functionOf(Found.FunctionName);
    if (Found.FileName != DILineInfo::BadString && Found.Line) {
      Frame.File = withoutDots(Found.FileName);
      Frame.Line = Found.Line;
    }
    To.push_back(std::move(Frame));
  }
  if (!Frames)
    consumeError(Frames.takeError());
  if (To.size() == Before)
    To.push_back(At);
}

/// A function that makes the call by a jump is not on the stack. If it is known, frames for it are
/// inserted in front of those of its caller.
void Symbols::findFrames(RunPath &Path, function_ref<bool(const std::string &Object)> Same) {
  std::vector<RunFrame> Frames;
  for (const RunFrame &F : Path.Frames) {
    if (!Same(F.Object)) {
      Frames.push_back(F);
      continue;
    }
    uint64_t Address = addressOf(F.Object, F.Offset);
    if (&F == &Path.Frames.front())
      if (std::vector<uint64_t> Calls = callsOf(F.Object).find(Address, Path.Function);
          Calls.size() == 1 && Calls[0] != Address)
        addFrames(F, Calls[0], Frames);
    addFrames(F, Address, Frames);
  }
  Path.Frames = std::move(Frames);
}

void Symbols::findPlace(RunSite &Site) {
  uint64_t Address = addressOf(Site.Object, Site.Offset);
  std::optional<RunSite> Found;
  Site.IsExact = true;
  for (uint64_t Caller : callsOf(Site.Object).find(Address, Site.Function)) {
    RunSite Place = placeOf(Site, Caller);
    Site.IsExact &= !Found || (Found->File == Place.File && Found->Line == Place.Line &&
                               Found->Column == Place.Column);
    Found = Place;
  }
  if (!Found || !Site.IsExact) {
    Site.IsExact = false;
    Found = placeOf(Site, Address);
  }
  Site.File = Found->File;
  Site.Line = Found->Line;
  Site.Column = Found->Column;
  Site.Within = Found->Within;
  if (Site.File.empty() && Site.Symbol.empty())
    Site.Symbol = Site.Within;
}

/// Is \p Object still the file that ran? False if it was written after the run began.
static bool isFromBefore(const RunProfile &Run, StringRef Object) {
  sys::fs::file_status Status;
  return !sys::fs::status(Object, Status) &&
         uint64_t(Status.getLastModificationTime().time_since_epoch().count()) <= Run.BeganAt;
}

/// Takes places from \p Index. Returns false if the index has no place for any site of the run.
static bool takeKnown(RunProfile &Run, const RunProfile &Index) {
  std::map<std::tuple<std::string, uint64_t, std::string>, const RunSite *> Known;
  for (const RunSite &S : Index.Sites)
    for (const auto &[Object, Offset] : S.Addresses)
      if (!S.File.empty())
        Known[{Object, Offset, S.Function}] = &S;
  bool Any = false;
  for (RunSite &S : Run.Sites) {
    auto At = Known.find({S.Object, S.Offset, S.Function});
    if (At == Known.end())
      continue;
    S.File = At->second->File;
    S.Line = At->second->Line;
    S.Column = At->second->Column;
    S.Within = At->second->Within;
    S.IsExact = At->second->IsExact;
    Any = true;
  }
  Run.Sources = Index.Sources;
  return Any;
}

static void complain(RunProfile &Run, StringRef Object) {
  Run.Complaints.push_back(
      ("'" + Object +
       "' is gone or was built again after this run, and 'mpispec profile' had "
       "not read the run before that: no places in the source")
          .str());
}

static void findFrames(RunProfile &Run, Symbols &OfObjects) {
  StringMap<bool> Known;
  auto IsSame = [&](const std::string &Object) {
    auto [At, IsNew] = Known.try_emplace(Object, false);
    if (IsNew)
      At->second = !Object.empty() && isFromBefore(Run, Object);
    return At->second;
  };
  for (RunPath &Path : Run.Paths)
    OfObjects.findFrames(Path, IsSame);
}

Error findPlaces(RunProfile &Run) {
  Expected<RunProfile> Index = readProfileIndex(profileIndexFile(Run.Directory));
  bool IsKept = Index && Index->Identity == Run.Identity && takeKnown(Run, *Index);
  consumeError(Index.takeError());
  Symbols OfObjects;
  StringSet<> Gone;
  for (RunSite &Site : Run.Sites) {
    if (Site.Object.empty() || !Site.File.empty())
      continue;
    if (isFromBefore(Run, Site.Object))
      OfObjects.findPlace(Site);
    else if (Gone.insert(Site.Object).second)
      complain(Run, Site.Object);
  }
  mergeSites(Run);
  if (IsKept && !Index->Paths.empty())
    Run.Paths = Index->Paths;
  else
    findFrames(Run, OfObjects);
  mergePaths(Run);
  if (!IsKept)
    Run.Sources = OfObjects.takeSources();
  else
    return Error::success();
  if (llvm::none_of(Run.Sites, [](const RunSite &Site) { return !Site.File.empty(); }))
    return createStringError(Gone.empty() ? "no call of the run has a place in the source; build "
                                            "the program with -g, and run it again"
                                          : Run.Complaints.back() + "; run it again");
  return writeProfileIndex(Run);
}

} // namespace mpispec
