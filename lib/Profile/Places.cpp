//===- Places.cpp - Where in the source a call site is ------------------------------------===//
#include "Profile/Places.h"
#include "llvm/DebugInfo/Symbolize/SymbolizableModule.h"
#include "llvm/DebugInfo/Symbolize/Symbolize.h"
#include "llvm/Support/FileSystem.h"

using namespace llvm;

namespace mpispec {

/// A call in specialised code stands in a function of mpispec's, in text that no file has.
static bool isOurs(const DILineInfo &Frame) {
  return StringRef(Frame.FileName).ends_with("<mpispec>") ||
         StringRef(Frame.FunctionName).starts_with("mpispec_");
}

static void place(RunSite &Site, const DIInliningInfo &Frames) {
  for (unsigned I = 0; I < Frames.getNumberOfFrames(); ++I) {
    const DILineInfo &Frame = Frames.getFrame(I);
    if (isOurs(Frame))
      continue;
    if (Frame.FunctionName != DILineInfo::BadString)
      Site.Within = Frame.FunctionName;
    if (Frame.FileName == DILineInfo::BadString || !Frame.Line)
      return;
    Site.File = Frame.FileName;
    Site.Line = Frame.Line;
    Site.Column = Frame.Column;
    return;
  }
}

void findPlaces(RunProfile &Run) {
  symbolize::LLVMSymbolizer::Options Options;
  Options.UseSymbolTable = true;
  Options.Demangle = true;
  symbolize::LLVMSymbolizer Symbolizer(Options);
  for (RunSite &Site : Run.Sites) {
    if (Site.Object.empty() || !sys::fs::exists(Site.Object))
      continue;
    // Within the call, not what it returns to. A program at a fixed place has its addresses.
    object::SectionedAddress Address{Site.Offset - 1, object::SectionedAddress::UndefSection};
    Expected<uint64_t> Base = uint64_t(0);
    if (auto Module = Symbolizer.getOrCreateModuleInfo(Site.Object); Module && *Module)
      Base = (*Module)->getModulePreferredBase();
    else
      consumeError(Module.takeError());
    if (Base)
      Address.Address += *Base;
    Expected<DIInliningInfo> Frames = Symbolizer.symbolizeInlinedCode(Site.Object, Address);
    if (Frames)
      place(Site, *Frames);
    else
      consumeError(Frames.takeError());
    if (Site.File.empty() && Site.Symbol.empty())
      Site.Symbol = Site.Within;
  }
  mergeSites(Run);
}

} // namespace mpispec
