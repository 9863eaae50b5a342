//===- Measurement.cpp - The measurement of long messages: runs and results -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Measurement.h"
#include "doctor/Trial.h"
#include "llvm/ADT/StringExtras.h"
#include <map>
#include <sched.h>

using namespace llvm;

namespace mpispec {

//===- Cores ---------------------------------------------------------------------------------===//

static constexpr const char *CoresOfSystem = "/sys/devices/system/cpu";

StringRef nameOf(mpispec_distance Distance) {
  switch (Distance) {
  case MPISPEC_SAME_CORE:
    return "the same core";
  case MPISPEC_SAME_CACHE:
    return "the same last-level cache";
  case MPISPEC_SAME_PACKAGE:
    return "the same package";
  default:
    return "the same machine";
  }
}

/// The first core of this process, and the first other one at each distance from it.
std::vector<CorePair> corePairs() {
  cpu_set_t Allowed;
  std::map<mpispec_distance, CorePair> Pairs;
  if (sched_getaffinity(0, sizeof Allowed, &Allowed))
    return {};
  int First = -1;
  mpispec_location Here = {-1, -1, -1};
  for (int Core = 0; Core < CPU_SETSIZE; ++Core) {
    if (!CPU_ISSET(Core, &Allowed))
      continue;
    mpispec_location There = mpispec_location_of_core(CoresOfSystem, Core);
    if (First < 0) {
      First = Core;
      Here = There;
      continue;
    }
    mpispec_distance Distance = mpispec_distance_between(&Here, &There);
    Pairs.try_emplace(Distance, CorePair{{First, Core}, Distance});
  }
  std::vector<CorePair> Found;
  for (const auto &[Distance, Pair] : Pairs)
    Found.push_back(Pair);
  return Found;
}

//===- Runs ----------------------------------------------------------------------------------===//

static void keepLower(double &Known, double New) { Known = Known > 0 ? std::min(Known, New) : New; }

/// Keeps the lower costs. \p Touched is a difference of two times. It includes the moves of
/// buffers between caches, because the subtracted accesses cause none. Noise may make differences
/// smaller than \p Still. Therefore they count as at least half of that time.
static void note(Figure &F, double Bytes, double Still, double Touched, double Inside) {
  keepLower(F.Still, Still * 1000 / Bytes);
  keepLower(F.Touched, std::max(Touched, Still / 2) * 1000 / Bytes);
  keepLower(F.Inside, std::max(Inside, Still / 2) * 1000 / Bytes);
}

/// Reads "BYTES DIRECTION STILL TOUCHED INSIDE".
static bool readLine(StringRef Line, mpispec_way Way, CorePair &Pair) {
  SmallVector<StringRef, 5> Words;
  Line.rtrim().split(Words, ' ');
  unsigned Bytes = 0, Direction = 0;
  double Still = 0, Touched = 0, Inside = 0;
  if (Words.size() != 5 || Words[0].getAsInteger(10, Bytes) || !Bytes ||
      Words[1].getAsInteger(10, Direction) || Direction > 1 || Words[2].getAsDouble(Still) ||
      Words[3].getAsDouble(Touched) || Words[4].getAsDouble(Inside) || Still <= 0)
    return false;
  note(Pair.Figures[mpispec_size_class(Bytes)][Direction][Way], Bytes, Still, Touched, Inside);
  return true;
}

static Error troubleOf(const Patient::Outcome &Run) {
  StringRef Text = Run.Text;
  if (Run.Status == Patient::TimedOut)
    return createStringError("the measuring program did not end within " + Twine(TrialSeconds) +
                             " seconds: the cores are busy; measure when nothing else runs");
  if (Text.contains("tune: alone"))
    return createStringError("each rank of the measuring program is alone: put the bin directory "
                             "of the compiler's MPI library first on the PATH");
  if (Run.Status)
    return createStringError("the measuring program failed (status " + Twine(Run.Status) +
                             "): " + lastWords(Run.Text));
  if (!Text.contains("mpispec: lanes are open"))
    return createStringError("the runtime steps aside; 'mpispec doctor' says why");
  if (Text.contains("long messages go through pipes"))
    return createStringError("ranks cannot read each other's memory, so that all long messages go "
                             "through pipes; 'mpispec doctor' says what would help");
  return Error::success();
}

static Error runOnce(Patient &P, const std::string &Program, unsigned Milliseconds, mpispec_way Way,
                     CorePair &Pair) {
  std::string Time = std::to_string(Milliseconds),
              Name = Way == MPISPEC_WAY_PIPE ? "pipe" : "shared";
  Patient::Outcome Run =
      runTrial(P, {"MPISPEC_MODE=full", "MPISPEC_VERBOSE=1", "MPISPEC_LONG_MESSAGES=" + Name},
               {"-n", "1", Program, std::to_string(Pair.Cores[0]), Time, ":", "-n", "1", Program,
                std::to_string(Pair.Cores[1]), Time});
  if (Error E = troubleOf(Run))
    return E;
  SmallVector<StringRef> Lines;
  StringRef(Run.Text).split(Lines, '\n');
  unsigned Read = 0;
  for (StringRef Line : Lines)
    if (Line.consume_front("tune: "))
      Read += readLine(Line, Way, Pair);
  if (Read == 2 * MPISPEC_SIZE_CLASSES)
    return Error::success();
  return createStringError("the measuring program said nothing of use: " + lastWords(Run.Text));
}

Error measure(Patient &P, const std::string &Program, Effort E, CorePair &Pair) {
  for (unsigned Turn = 1; Turn <= E.Turns; ++Turn) {
    if (!P.IsQuiet)
      errs() << "mpispec tune: between cores " << Pair.Cores[0] << " and " << Pair.Cores[1]
             << ", turn " << Turn << " of " << E.Turns << " ...\n";
    for (mpispec_way Way : {MPISPEC_WAY_PIPE, MPISPEC_WAY_SHARED})
      if (Error Trouble = runOnce(P, Program, E.Milliseconds, Way, Pair))
        return Trouble;
  }
  return Error::success();
}

/// The pipe occupies both cores. Therefore it is used only if it is clearly cheaper.
static mpispec_way cheaper(double Pipe, double Shared) {
  return Pipe + Pipe / 32 < Shared ? MPISPEC_WAY_PIPE : MPISPEC_WAY_SHARED;
}

static mpispec_way_costs costsOf(double Pipe, double Shared, mpispec_way Used) {
  mpispec_way_costs Costs = {{}, uint8_t(Used), 1};
  Costs.picoseconds[MPISPEC_WAY_PIPE] = mpispec_picoseconds(std::max(Pipe + 0.5, 0.0));
  Costs.picoseconds[MPISPEC_WAY_SHARED] = mpispec_picoseconds(std::max(Shared + 0.5, 0.0));
  return Costs;
}

/// How much more the accesses to buffers cost if the bytes come by \p Shared, and not by \p Pipe.
static double readingOf(const Figure &Pipe, const Figure &Shared) {
  return (Shared.Touched - Shared.Inside) - (Pipe.Touched - Pipe.Inside);
}

void enter(const CorePair &Pair, mpispec_cost_model &Model) {
  for (int Class = 0; Class < MPISPEC_SIZE_CLASSES; ++Class)
    for (int Direction = 0; Direction < 2; ++Direction) {
      const Figure &Pipe = Pair.Figures[Class][Direction][MPISPEC_WAY_PIPE],
                   &Shared = Pair.Figures[Class][Direction][MPISPEC_WAY_SHARED];
      mpispec_way_costs *Costs = Model.costs[Pair.Distance][Class][Direction];
      double Reading =
          mpispec_cost_includes_reading(Class, Direction) ? readingOf(Pipe, Shared) : 0;
      Costs[0] =
          costsOf(Pipe.Inside, Shared.Inside + Reading, cheaper(Pipe.Touched, Shared.Touched));
      Costs[1] = costsOf(Pipe.Still, Shared.Still, cheaper(Pipe.Still, Shared.Still));
    }
}

} // namespace mpispec
