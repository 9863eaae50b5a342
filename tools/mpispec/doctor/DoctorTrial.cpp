//===- DoctorTrial.cpp - A two-rank program, built and run with and without mpispec -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// With --container each rank also runs in namespaces of its own. An MPI program may fail there even
// without mpispec. Therefore the program first runs there with MPISPEC_MODE=off.
//
//===------------------------------------------------------------------------------------------===//
#include "doctor/Trial.h"
#include <cstdlib>

namespace mpispec {

/// The program exchanges messages of three sizes, calls MPI_Allreduce, and measures the time of a
/// message of 8 bytes. If it hangs, SIGALRM ends it.
static constexpr std::string_view TrialSource = R"(#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

static double x[20000], y[20000];

static int exchange(int rank, int n) {
  int i, bad = 0, other = 1 - rank;
  for (i = 0; i < n; ++i)
    x[i] = rank * 7 + i;
  MPI_Sendrecv(x, n, MPI_DOUBLE, other, n, y, n, MPI_DOUBLE, other, n, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
  for (i = 0; i < n; ++i)
    bad += y[i] != other * 7 + i;
  return bad;
}

static double rounds(int rank, int n) {
  double start = MPI_Wtime();
  int i;
  for (i = 0; i < n; ++i)
    if (rank == 0) {
      MPI_Send(x, 1, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);
      MPI_Recv(x, 1, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
      MPI_Recv(x, 1, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      MPI_Send(x, 1, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD);
    }
  return (MPI_Wtime() - start) / n / 2 * 1e9;
}

int main(int argc, char **argv) {
  int rank, size, turn, bad;
  double start, time, best = 1e12, spent = 0, one = 1, sum = 0;
  alarm(TRIAL_ALARM);
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (size != 2) {
    printf("doctor: alone\n");
    return MPI_Finalize();
  }
  bad = exchange(rank, 1) + exchange(rank, 100) + exchange(rank, 20000);
  MPI_Allreduce(&one, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  bad += sum != 2;
  start = MPI_Wtime();
  for (turn = 0; turn < 100 && spent < 5; ++turn) { /* a busy machine has fewer turns */
    if ((time = rounds(rank, 20)) < best)
      best = time;
    spent = MPI_Wtime() - start;
    MPI_Bcast(&spent, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  }
  if (rank == 0)
    printf("doctor: %s %.0f\n", bad ? "wrong" : "right", best);
  return MPI_Finalize();
}
)";

namespace {
struct Trial {
  std::string Trouble; ///< empty: the results were right
  std::string Remedy;
  std::string Text;       ///< the whole output
  double Nanoseconds = 0; ///< time of 8 bytes, one way
};

/// The beginning of a reason that the runtime prints when it carries no messages, and the remedy.
struct ReasonRow {
  const char *Begin, *Remedy;
};
} // namespace

static constexpr ReasonRow Reasons[] = {
    {"switched off", "unset MPISPEC_MODE"},
    {"no shared memory segment", "ulimit -v unlimited; ulimit -f unlimited; fewer ranks a node"},
};

static std::string remedyFor(const std::string &Reason) {
  for (const ReasonRow &Row : Reasons)
    if (startsWith(Reason, Row.Begin))
      return Row.Remedy;
  return "see what is off above; docs/Runtime.md says when the runtime steps aside";
}

static Trial judge(const Patient::Outcome &Run) {
  Trial T;
  T.Text = Run.Text;
  constexpr std::string_view Begin = "doctor: ", Right = "right ";
  const size_t At = Run.Text.find(Begin);
  const std::string Said =
      At == std::string::npos ? "" : firstLine(Run.Text.substr(At + Begin.size()));
  if (Run.Status == Patient::TimedOut)
    T.Trouble = "it did not end within " + std::to_string(TrialSeconds) + " seconds";
  else if (startsWith(Said, "alone"))
    T.Trouble = "each rank is alone: launcher and MPI library do not belong together";
  else if (startsWith(Said, "wrong"))
    T.Trouble = "its results are wrong";
  else if (Run.Status || !startsWith(Said, Right))
    T.Trouble = "it failed (status " + std::to_string(Run.Status) + "): " + lastWords(Run.Text);
  else
    T.Nanoseconds = std::atof(Said.c_str() + Right.size());
  T.Remedy = startsWith(Said, "alone")
                 ? "put the bin directory of the compiler's MPI library first "
                   "on the PATH"
                 : "";
  return T;
}

/// Builds the program with \p Compiler and runs it with \p Variables set.
static Trial tryOut(Patient &P, const std::string &Name, const Words &Compiler,
                    const Words &Variables) {
  Trial T;
  const TrialBuild Build = buildTrial(P, Name, TrialSource, Compiler);
  if (!Build.Trouble.empty()) {
    T.Trouble = Build.Trouble;
    T.Remedy = Build.Remedy;
    return T;
  }
  return judge(runTrial(P, Variables, {"-n", "2", Build.Program}));
}

/// The text of the output from the end of \p Begin to the end of that line, or nothing.
static std::optional<std::string> lineBehind(const Trial &T, const std::string &Begin) {
  const size_t At = T.Text.find(Begin), From = At + Begin.size();
  if (At == std::string::npos)
    return std::nullopt;
  return trimmed(T.Text.substr(From, T.Text.find('\n', From) - From));
}

/// The reason why the runtime has not carried messages.
static std::optional<std::string> reasonOf(const Trial &T) {
  return lineBehind(T, "mpispec: all calls go to MPI: ");
}

static std::string timeOf(const Trial &T) {
  constexpr double OfBusyCores = 5000;
  if (T.Nanoseconds > OfBusyCores)
    return "the cores are too busy to time a message";
  return "8 bytes from rank to rank take " + std::to_string(long(T.Nanoseconds)) + " ns";
}

Finding checkPlainRun(Patient &P) {
  if (P.Library.empty() || P.Launcher.empty())
    return skipped("no MPI to build and run a program with");
  Trial T = tryOut(P, "plain", P.Compiler, {"MPISPEC_MODE=off"});
  if (!T.Trouble.empty())
    return off("a two-rank program without mpispec: " + T.Trouble,
               T.Remedy.empty() ? "repair the MPI installation first: mpispec changes nothing here"
                                : T.Remedy);
  P.PlainTime = T.Nanoseconds;
  return on("a two-rank program without mpispec runs; " + timeOf(T));
}

/// The finding on \p T. \p What names the program, and the command \p Start starts it. \p Hint is
/// the remedy if the program has no runtime.
static Finding judgeLanes(Patient &P, const Trial &T, const std::string &What,
                          const std::string &Hint, const Words &Start) {
  if (!T.Trouble.empty())
    return off(What + ": " + T.Trouble,
               "MPISPEC_MODE=off runs programs plainly; please report this as a bug");
  if (const std::optional<std::string> Reason = reasonOf(T))
    return off("the runtime steps aside: " + *Reason, remedyFor(*Reason));
  if (!lineBehind(T, "mpispec: lanes are open"))
    return off("the program runs, but has no runtime: all its calls go to the MPI library",
               "see what is off above, or " + Hint);
  P.WithLanes = Start;
  return on(What + ", has its lanes open; " + timeOf(T));
}

Finding checkSpecialisedRun(Patient &P) {
  if (P.PlainTime == 0)
    return skipped("the plain program does not run");
  const std::string Name = "specialised";
  Words Compiler = {P.Self};
  Compiler.insert(Compiler.end(), P.Compiler.begin(), P.Compiler.end());
  const Trial T = tryOut(P, Name, Compiler, {"MPISPEC_VERBOSE=1"});
  return judgeLanes(P, T, "the same program, specialised",
                    "ask mpispec what it does: mpispec --mpispec-verbose mpicc ...",
                    {P.Directory + "/" + Name});
}

Finding checkPreloadedRun(Patient &P) {
  if (P.PlainTime == 0)
    return skipped("the plain program does not run");
  const std::string Program = P.Directory + "/plain"; // made by checkPlainRun
  const Trial T =
      judge(runTrial(P, {"MPISPEC_VERBOSE=1"}, {"-n", "2", Program}, {P.Self, "run", "--"}));
  return judgeLanes(P, T, "the same program, with the runtime preloaded",
                    "ask mpispec what it does: mpispec run --verbose mpiexec -n 2 PROGRAM",
                    {P.Self, "run", "--", Program});
}

/// The words that start a command in a user and a process namespace of its own, as containers do.
static Words inContainer() {
  return {"unshare", "--user",       "--map-root-user", "--pid",
          "--fork",  "--kill-child", "--mount-proc"};
}

static Trial runInContainers(Patient &P, const std::string &Variable) {
  Words Launched = {"-n", "2"};
  for (const Words &Part : {inContainer(), P.WithLanes})
    Launched.insert(Launched.end(), Part.begin(), Part.end());
  return judge(runTrial(P, {Variable}, Launched));
}

Finding checkContainers(Patient &P) {
  const std::string OneContainer = "start all ranks in one container";
  if (P.WithLanes.empty())
    return skipped("the program has no lanes outside containers");
  Words Command = inContainer();
  Command.push_back("true");
  if (Patient::Outcome O = P.run(Command); O.Status)
    return skipped("no user and process namespaces can be made here: " + lastWords(O.Text));
  if (Trial Plain = runInContainers(P, "MPISPEC_MODE=off"); !Plain.Trouble.empty())
    return off("a container for each rank, without mpispec: " + Plain.Trouble, OneContainer);
  Trial T = runInContainers(P, "MPISPEC_VERBOSE=1");
  if (!T.Trouble.empty())
    return off("a container for each rank: " + T.Trouble,
               "MPISPEC_MODE=off runs programs plainly; please report this as a bug");
  if (const std::optional<std::string> Reason = reasonOf(T))
    return off("a container for each rank: the runtime steps aside: " + *Reason, OneContainer);
  const std::optional<std::string> Pipes =
      lineBehind(T, "mpispec: long messages go through pipes: ");
  return on("ranks with a user and a process namespace each have their lanes open; " + timeOf(T) +
            (Pipes ? "; long messages are copied twice: " + *Pipes
                   : std::string("; long messages can be copied once")));
}

} // namespace mpispec
