//===- Tune.cpp - mpispec tune: options, steps, output and file -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tune.h"
#include "Help.h"
#include "Measurement.h"
#include "SubcommandWords.h"
#include "Support/TextLayout.h"
#include "doctor/Trial.h"
#include "p2p/cost_model_file.h"
#include "llvm/Support/Errno.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace mpispec {

//===- The request ---------------------------------------------------------------------------===//

namespace {
struct TuneRequest {
  std::string Output;    ///< empty: the user's own file
  bool Installs = false; ///< to the administrator's file
  Effort E = {5, 40};
  std::string Launcher; ///< empty: mpiexec or mpirun
  CommandLine Compiler = {"mpicc"};
};
} // namespace

static constexpr Effort Quick = {1, 4};

/// Reads one option and returns how many words it is made of.
static Expected<size_t> readOption(ArrayRef<std::string> Words, TuneRequest &R) {
  StringRef Word = Words[0];
  if (Word == "-o") {
    R.Output = Words[1];
    return 2;
  }
  if (Word == "--install")
    R.Installs = true;
  else if (Word == "--quick")
    R.E = Quick;
  else if (Word.consume_front("--mpiexec="))
    R.Launcher = Word.str();
  return 1;
}

static Expected<TuneRequest> readRequest(ArrayRef<std::string> Words) {
  TuneRequest R;
  bool NamesCompiler = is_contained(Words, "--");
  Expected<SubcommandWords> Read =
      readWords(Words, /*ReadsDatabase=*/false,
                [&](ArrayRef<std::string> Rest) { return readOption(Rest, R); });
  if (!Read)
    return Read.takeError();
  if (!Read->Files.empty())
    return createStringError("'mpispec tune' takes no file; '-o " + Read->Files[0] +
                             "' writes one, '-- " + Read->Files[0] + "' names a compiler");
  if (NamesCompiler && Read->Flags.empty())
    return createStringError("a compiler must follow the --, as in '-- mpicc'");
  if (NamesCompiler)
    R.Compiler = Read->Flags;
  if (R.Installs && !R.Output.empty())
    return createStringError("--install has a file of its own: leave out '-o " + R.Output + "'");
  return R;
}

/// The file to which the model is written.
static Expected<std::string> outputPath(const TuneRequest &R) {
  char Path[MPISPEC_COST_MODEL_PATH_BYTES];
  if (!R.Output.empty())
    return R.Output;
  if (R.Installs)
    mpispec_cost_model_systems_path(Path);
  else
    mpispec_cost_model_users_path(std::getenv("MPISPEC_CACHE"), Path);
  if (*Path)
    return std::string(Path);
  return createStringError("there is no cache to write to (MPISPEC_CACHE=off, or no HOME); unset "
                           "MPISPEC_CACHE, or name a file: mpispec tune -o FILE");
}

//===- The steps -----------------------------------------------------------------------------===//

/// May this user write to the nearest directory above \p Path that exists?
static bool mayWrite(StringRef Path) {
  SmallString<256> Directory(Path);
  sys::fs::make_absolute(Directory);
  do
    sys::path::remove_filename(Directory);
  while (!sys::fs::exists(Directory));
  return sys::fs::can_write(Directory);
}

static Error cannotWrite(StringRef Path, StringRef Why) {
  return createStringError("cannot write '" + Path + "': " + Why +
                           "; name a file that can be written: mpispec tune -o FILE");
}

/// The checks before the measurement. The error has the remedy.
static Error examine(Patient &P) {
  for (Finding (*Examine)(Patient &) : {checkLimits, checkCompiler, checkLibrary, checkLauncher,
                                        checkParts, checkSharedMemory, checkSingleCopy})
    if (Finding F = Examine(P); F.V != Finding::On)
      return createStringError(F.Says + (F.Remedy.empty() ? "" : "; remedy: " + F.Remedy));
  return Error::success();
}

static Expected<std::vector<CorePair>> measureAll(Patient &P, Effort E) {
  std::vector<CorePair> Pairs = corePairs();
  if (Pairs.empty())
    return createStringError("two ranks need two cores, and this shell may use one; taskset or the "
                             "batch system gives more");
  CommandLine Compiler = {P.Self};
  Compiler.insert(Compiler.end(), P.Compiler.begin(), P.Compiler.end());
  if (!P.IsQuiet)
    errs() << "mpispec tune: building a program that measures ...\n";
  TrialBuild Build = buildTrial(P, "measure", MeasurementSource, Compiler);
  if (!Build.Trouble.empty())
    return createStringError("the measuring program: " + Build.Trouble +
                             (Build.Remedy.empty() ? "" : "; remedy: " + Build.Remedy));
  for (CorePair &Pair : Pairs)
    if (Error Trouble = measure(P, Build.Program, E, Pair))
      return Trouble;
  return Pairs;
}

//===- The output ----------------------------------------------------------------------------===//

static std::string bytesOf(int Class) {
  uint64_t KiB = uint64_t(1) << (MPISPEC_FIRST_CLASS_LOG + Class - 10);
  return KiB < 1024 ? std::to_string(KiB) + " KiB" : std::to_string(KiB / 1024) + " MiB";
}

static StringRef nameOfWay(const mpispec_way_costs &Costs) {
  return Costs.used == MPISPEC_WAY_PIPE ? "pipe" : "shared";
}

/// The ways after the costs are those of messages that are back to back, and of others.
static void printRow(int Class, int Direction, const Figure *Ways, const mpispec_way_costs *Costs) {
  const Figure &Pipe = Ways[MPISPEC_WAY_PIPE], &Shared = Ways[MPISPEC_WAY_SHARED];
  outs() << formatv("  {0,-9}{1,-10}{2,6:F0}{3,8:F0}  {4,-8}{5,6:F0}{6,8:F0}  {7}\n",
                    bytesOf(Class), Direction ? "both ways" : "one way", Pipe.Still, Shared.Still,
                    nameOfWay(Costs[1]), Pipe.Touched, Shared.Touched, nameOfWay(Costs[0]));
}

static void printPair(const CorePair &Pair, const mpispec_cost_model &Model) {
  outs() << "Cores " << Pair.Cores[0] << " and " << Pair.Cores[1] << ", " << nameOf(Pair.Distance)
         << ": picoseconds a byte. Touched: written before and read after.\n"
         << "                       still                   touched\n"
         << "  bytes    direction   pipe  shared  used      pipe  shared  used\n";
  for (int Class = 0; Class < MPISPEC_SIZE_CLASSES; ++Class)
    for (int Direction = 0; Direction < 2; ++Direction)
      printRow(Class, Direction, Pair.Figures[Class][Direction],
               Model.costs[Pair.Distance][Class][Direction]);
  outs() << '\n';
}

/// Prints the use of the file, and the files that take precedence over it.
static void printUse(const TuneRequest &R, const std::string &Path) {
  char Systems[MPISPEC_COST_MODEL_PATH_BYTES], Users[MPISPEC_COST_MODEL_PATH_BYTES];
  mpispec_cost_model_systems_path(Systems);
  mpispec_cost_model_users_path(std::getenv("MPISPEC_CACHE"), Users);
  outs() << "written to " << Path << '\n';
  if (!R.Output.empty())
    outs() << "to use it for one program: MPISPEC_COST_MODEL=" << Path
           << "\nto install it for all users of machines of this kind: install -D -m 644 " << Path
           << ' ' << Systems << '\n';
  else if (R.Installs && *Users && sys::fs::exists(Users))
    outs() << "your own file comes first: rm " << Users << '\n';
}

static int fail(int Status, Error E) {
  errs() << "mpispec: error: " << toString(std::move(E)) << '\n';
  return Status;
}

/// Whether a file may be written to \p Path, before the measurement, which takes long.
static Error checkPath(const std::string &Path) {
  sys::fs::file_status Old;
  const bool Exists = !sys::fs::status(Path, Old, /*follow=*/false);
  if (Path == "-" || (Exists && !is_regular_file(Old))) // the runtime would not read it
    return cannotWrite(Path, "it is not a regular file");
  if ((Exists && !sys::fs::can_write(Path)) || !mayWrite(Path))
    return cannotWrite(Path, sys::StrError(EACCES));
  return Error::success();
}

/// Measures and writes to \p Path.
static Error tuneTo(Patient &P, const TuneRequest &R, const std::string &Path) {
  if (Error E = checkPath(Path))
    return E;
  if (Error E = examine(P))
    return E;
  Expected<std::vector<CorePair>> Pairs = measureAll(P, R.E);
  if (!Pairs)
    return Pairs.takeError();
  mpispec_cost_model Model;
  mpispec_cost_model_build_in(&Model);
  for (const CorePair &Pair : *Pairs) {
    enter(Pair, Model);
    printPair(Pair, Model);
  }
  int Mode = R.Installs || !R.Output.empty() ? 0644 : 0600;
  if (int Trouble = mpispec_cost_model_save(&Model, Path.c_str(), Mode))
    return cannotWrite(Path, sys::StrError(Trouble));
  printUse(R, Path);
  return Error::success();
}

int tune(Patient &P, ArrayRef<std::string> Words) {
  Expected<TuneRequest> R = readRequest(Words);
  if (!R)
    return fail(2, R.takeError());
  Expected<std::string> Path = outputPath(*R);
  if (!Path)
    return fail(1, Path.takeError());
  catchSignals();
  P.Compiler = R->Compiler;
  P.Launcher = R->Launcher;
  if (const std::string Trouble = P.makeDirectory(); !Trouble.empty())
    return fail(1, createStringError(Trouble));
  if (Error E = tuneTo(P, *R, *Path))
    return fail(1, std::move(E));
  return 0;
}

} // namespace mpispec
