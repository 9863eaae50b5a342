//===- DoctorMachine.cpp - System, shared memory, access to ranks' memory, limits -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// These checks make the same system calls as the runtime, in the same way. A process maps the
// shared segment of another process through /proc. It reads and writes a buffer of another process
// by process_vm_readv and process_vm_writev. The processes are siblings, as ranks are, because the
// system treats parent and child differently.
//
//===------------------------------------------------------------------------------------------===//
#include "doctor/Doctor.h"
#include "progress/quota.h"
#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

namespace mpispec {

/// The first 4096 bytes of a file, without white space at both ends. Empty if the file cannot be
/// read.
static std::string contents(const std::string &Path) {
  const int File = open(Path.c_str(), O_RDONLY | O_CLOEXEC);
  char Text[4096];
  const ssize_t Length = File < 0 ? 0 : read(File, Text, sizeof Text);
  close(File);
  return trimmed(std::string(Text, Length > 0 ? Length : 0));
}

static std::string errorText(int Error) { return std::strerror(Error); }

//===- The system ----------------------------------------------------------------------------===//

/// The rest of the line of \p Text that begins with \p Begin, or empty.
static std::string lineBehind(const std::string &Text, const std::string &Begin) {
  const size_t At = ("\n" + Text).find("\n" + Begin), From = At + Begin.size();
  return At == std::string::npos ? "" : trimmed(Text.substr(From, Text.find('\n', From) - From));
}

/// The system's C library: "glibc 2.36". The program getconf reports it, because mpispec may be
/// linked statically with another version.
static std::string libraryOfSystem(Patient &P) {
  const Patient::Outcome Asked = P.run({"getconf", "GNU_LIBC_VERSION"});
  return Asked.Status ? "" : firstLine(Asked.Text);
}

/// Lists the versions of mpispec and of the system, for reports of problems.
Finding checkSystem(Patient &P) {
  utsname Names = {};
  uname(&Names);
  Words Parts = {std::string("mpispec " MPISPEC_VERSION) +
                 (P.HasCompiler ? "" : " without its compiler")};
  std::string Distribution = lineBehind(contents("/etc/os-release"), "PRETTY_NAME=");
  Distribution.erase(std::remove(Distribution.begin(), Distribution.end(), '"'),
                     Distribution.end());
  std::string Processor = lineBehind(contents("/proc/cpuinfo"), "model name");
  Processor = trimmed(Processor.substr(Processor.find(':') + 1));
  for (const std::string &Part : {Distribution, std::string(Names.sysname) + " " + Names.release,
                                  std::string(Names.machine), libraryOfSystem(P), Processor})
    if (!Part.empty())
      Parts.push_back(Part);
  return on(joined(Parts, ", "));
}

//===- Two ranks -----------------------------------------------------------------------------===//

/// The exit status of a child that runs \p Body, or EIO if the child does not exit by itself.
template <typename Function> static int inChild(Function Body) {
  std::signal(SIGCHLD, SIG_DFL); // the parent process may ignore it
  pid_t Pid = fork();
  if (Pid == 0)
    _exit(Body());
  int Status = 0;
  if (Pid < 0 || waitpid(Pid, &Status, 0) != Pid || !WIFEXITED(Status))
    return EIO;
  return WEXITSTATUS(Status);
}

/// Permits other processes to read this one's memory, as a rank does. A rank permits it to the
/// descendants of its launcher, or to all processes if MPISPEC_PTRACER is set. Here the parent
/// takes the place of the launcher.
static void permitSiblings() {
  const char *Wanted = getenv("MPISPEC_PTRACER");
  bool IsForAll = Wanted && *Wanted && std::strcmp(Wanted, "0");
  prctl(PR_SET_PTRACER, IsForAll ? PR_SET_PTRACER_ANY : (unsigned long)getppid(), 0, 0, 0);
}

/// Forks a holder process. It only sleeps, so that its memory and its open files stay available. A
/// second child runs \p Body with the holder's ID and the address of a buffer in the holder.
/// Returns the errno of a failure, or 0.
template <typename Function> static int withSibling(Function Body) {
  static char Buffer[8] = "sibling";
  int Ready[2];
  if (pipe2(Ready, O_CLOEXEC))
    return errno;
  pid_t Holder = fork();
  if (Holder == 0) {
    permitSiblings();
    close(Ready[0]);
    close(Ready[1]); // the last write end: read() in the parent returns
    pause();
    _exit(0);
  }
  close(Ready[1]);
  char End;
  while (Holder > 0 && read(Ready[0], &End, 1) < 0 && errno == EINTR)
    ;
  close(Ready[0]);
  if (Holder < 0)
    return EAGAIN;
  int Result = inChild([&] { return Body(Holder, Buffer); });
  kill(Holder, SIGKILL);
  waitpid(Holder, nullptr, 0);
  return Result;
}

static int mapFile(const std::string &Path, size_t Bytes) {
  int File = open(Path.c_str(), O_RDWR | O_CLOEXEC);
  if (File < 0)
    return errno;
  void *Memory = mmap(nullptr, Bytes, PROT_READ | PROT_WRITE, MAP_SHARED, File, 0);
  return Memory == MAP_FAILED ? errno : 0;
}

static int mapSegmentOfSibling() {
  constexpr size_t Bytes = 1 << 16;
  int Segment = memfd_create("mpispec-doctor", MFD_CLOEXEC);
  if (Segment < 0 || ftruncate(Segment, Bytes))
    return errno;
  int Result = withSibling([&](pid_t Holder, const char *) {
    return mapFile("/proc/" + std::to_string(Holder) + "/fd/" + std::to_string(Segment), Bytes);
  });
  close(Segment);
  return Result;
}

static int readSibling(pid_t Holder, char *Buffer) {
  char Copy[8];
  iovec Here = {Copy, sizeof Copy}, There = {Buffer, sizeof Copy};
  return process_vm_readv(Holder, &Here, 1, &There, 1, 0) == sizeof Copy ? 0 : errno;
}

static int writeSibling(pid_t Holder, char *Buffer) {
  char Copy[8] = "written";
  iovec Here = {Copy, sizeof Copy}, There = {Buffer, sizeof Copy};
  return process_vm_writev(Holder, &Here, 1, &There, 1, 0) == sizeof Copy ? 0 : errno;
}

Finding checkSharedMemory(Patient &) {
  int Trouble = mapSegmentOfSibling();
  if (!Trouble)
    return on("ranks can map each other's memory (memfd, /proc/PID/fd)");
  return off("ranks cannot map each other's memory (memfd, /proc/PID/fd): " + errorText(Trouble) +
                 "; all messages go to the MPI library",
             Trouble == EFBIG
                 ? "ulimit -f unlimited"
                 : "start all ranks under one user, in one container, with /proc mounted");
}

/// The changes that let ranks read each other's memory. \p Scope is Yama's setting, or empty.
static std::string permissionRemedy(const std::string &Scope) {
  std::string Remedy = "sysctl kernel.yama.ptrace_scope=0; in a container: --cap-add=SYS_PTRACE";
  if (Scope != "1")
    return Remedy;
  return "MPISPEC_PTRACER=1 when the program runs (then any process of yours may read and write "
         "its "
         "memory), or " +
         Remedy;
}

Finding checkSingleCopy(Patient &) {
  int Trouble = withSibling(readSibling);
  std::string Scope = contents("/proc/sys/kernel/yama/ptrace_scope");
  std::string Setting = Scope.empty() ? "" : " (kernel.yama.ptrace_scope is " + Scope + ")";
  if (Trouble)
    return off("ranks cannot read each other's buffers (process_vm_readv: " + errorText(Trouble) +
                   ")" + Setting + ": long messages are copied twice",
               permissionRemedy(Scope));
  if (int NoWriting = withSibling(writeSibling))
    return on("ranks can read each other's buffers (process_vm_readv)" + Setting +
              ": long messages can be copied once, by the receiver alone (process_vm_writev: " +
              errorText(NoWriting) + ")");
  return on("ranks can read and write each other's buffers (process_vm_readv, process_vm_writev)" +
            Setting + ": long messages can be copied once, by both ranks");
}

/// Returns 0 if a rank can detect the end of another one by the method of runtime/shm/liveness.h,
/// and ENOENT otherwise.
static int examineSibling(pid_t Holder, const char *) {
#ifdef SYS_pidfd_open
  if (syscall(SYS_pidfd_open, Holder, 0) >= 0)
    return 0;
#endif
  return contents("/proc/" + std::to_string(Holder) + "/stat").empty() ? ENOENT : 0;
}

Finding checkEnds(Patient &) {
  if (withSibling(examineSibling))
    return off(
        "ranks may not find out that another rank has ended (pidfd_open, /proc/PID/stat): calls "
        "that wait for it wait without end",
        "Linux 5.3 or later, or a /proc that shows the other ranks");
  return on(
      "ranks find out that another rank has ended (pidfd_open, /proc/PID/stat): calls that wait "
      "for it fail");
}

//===- Cores and limits ----------------------------------------------------------------------===//

/// The processor time that control groups allow, as the runtime reads it.
static mpispec_quota readQuota() {
  mpispec_quota Quota;
  mpispec_quota_read("/sys/fs/cgroup", "/proc/self/cgroup", &Quota);
  return Quota;
}

static std::string withOneDigit(double Value) {
  char Text[32];
  std::snprintf(Text, sizeof Text, "%.1f", Value);
  return Text;
}

Finding checkCores(Patient &) {
  cpu_set_t Set;
  CPU_ZERO(&Set);
  int Allowed = sched_getaffinity(0, sizeof Set, &Set) ? 1 : CPU_COUNT(&Set);
  long All = sysconf(_SC_NPROCESSORS_ONLN);
  double Limit = double(readQuota().thousandths) / 1000; // in cores; 0: none
  std::string Says = "ranks may run on " + std::to_string(Allowed) + " of " + std::to_string(All) +
                     (All == 1 ? " core" : " cores");
  if (Limit > 0 && Limit < Allowed)
    return off(
        Says + ", but have the time of " + withOneDigit(Limit) +
            " only (control group): a rank that waits for a message keeps others from running",
        "raise the container's limit (--cpus), or start no more ranks than that");
  if (Allowed < 2)
    return off(Says + ": two ranks take turns there, and each turn costs microseconds",
               All > 1 ? "taskset or the batch system binds this shell to one core: ask for more"
                       : "run on a machine with as many cores as ranks");
  return on(Says + "; bind each to its own for the best times (mpiexec -bind-to core)");
}

/// The method by which a core is yielded while the MPI library polls, or the reason why there is
/// none. The methods are those of runtime/interposition/library/library_yield.h.
static std::string wayToYield(Patient &P) {
  const std::string &Version = P.LibraryVersion;
  if (const char *Value = getenv("MPISPEC_YIELD"); Value && !std::strcmp(Value, "never"))
    return "polls as without mpispec, because MPISPEC_YIELD is never";
  if (startsWith(Version, "Open MPI"))
    return getenv("OMPI_MCA_mpi_yield_when_idle")
               ? "polls as OMPI_MCA_mpi_yield_when_idle says"
               : "yields while it polls, by opal_progress_set_yield_when_idle";
  if (startsWith(Version, "Intel MPI"))
    return "yields while it polls, by itself";
  std::string Libraries = P.run({"ldd", P.Directory + "/library"}).Text; // made by checkLibrary
  const bool HasUCX = contains(Libraries, "libucp.so");
  const bool HasFabric = contains(Libraries, "libfabric.so");
  if (!HasUCX && !HasFabric)
    return "cannot be made to yield while it polls: neither UCX nor libfabric is a library of its "
           "own";
  return std::string("yields while it polls, by ") +
         (HasUCX ? "ucp_worker_progress" : "fi_cq_read") +
         (HasUCX && HasFabric ? " or fi_cq_read" : "");
}

/// Whether ranks sleep while they wait for each other, by the method of
/// runtime/progress/doorbell.h.
static std::string wayToWait() {
  const char *Value = getenv("MPISPEC_YIELD");
  const bool StaysAwake = Value && (!std::strcmp(Value, "never") || !std::strcmp(Value, "awake"));
  return StaysAwake ? "ranks that wait for each other yield, because of MPISPEC_YIELD; "
                    : "ranks that wait for each other sleep; ";
}

/// Advice for MPICH, whose launcher starts each rank in a session of its own. With autogroups,
/// Linux schedules each session as a unit. Therefore a yield does not pass the core to a rank of
/// another session (runtime/progress/processors.h). If the processes are in a control group for the
/// processor, Linux schedules that group instead of the sessions.
static std::string adviceOnSessions(const std::string &Version) {
  const bool HasAutogroups = startsWith(contents("/proc/sys/kernel/sched_autogroup_enabled"), "1");
  if (!startsWith(Version, "MPICH") || !HasAutogroups || readQuota().scheduled)
    return "";
  return "; many ranks on a core may take turns faster with sysctl "
         "kernel.sched_autogroup_enabled=0";
}

Finding checkYield(Patient &P) {
  if (P.Library.empty())
    return skipped("no MPI library to look at");
  return on("where ranks share cores, " + wayToWait() + P.LibraryVersion + " " + wayToYield(P) +
            adviceOnSessions(P.LibraryVersion));
}

namespace {
struct LimitRow {
  int Resource;
  const char *Name, *Option;
  rlim_t Least; ///< a limit of this value or more is enough for two ranks
};
} // namespace

Finding checkLimits(Patient &) {
  constexpr rlim_t MiB = 1 << 20;
  static const LimitRow Rows[] = {
      {RLIMIT_AS, "memory that a process may map", "-v", 512 * MiB},
      {RLIMIT_FSIZE, "size of a file, which shared memory counts as", "-f", 64 * MiB},
      {RLIMIT_NOFILE, "number of open files", "-n", 64}};
  Words Tight, Edits;
  for (const LimitRow &Row : Rows) {
    rlimit Limit;
    if (getrlimit(__rlimit_resource_t(Row.Resource), &Limit) || Limit.rlim_cur == RLIM_INFINITY ||
        Limit.rlim_cur >= Row.Least)
      continue;
    const bool IsMemory = Row.Least >= MiB;
    Tight.push_back(std::string(Row.Name) + " (" +
                    std::to_string(IsMemory ? Limit.rlim_cur / 1024 : Limit.rlim_cur) +
                    (IsMemory ? " KiB)" : ")"));
    Edits.push_back(std::string("ulimit ") + Row.Option + (IsMemory ? " unlimited" : " 1024"));
  }
  if (Tight.empty())
    return on("no limit of this shell is in the way (ulimit -v, -f, -n)");
  return off("a limit of this shell is tight: " + joined(Tight, "; ") +
                 "; where the runtime does not get its memory, all calls go to the MPI library",
             joined(Edits, "; "));
}

} // namespace mpispec
