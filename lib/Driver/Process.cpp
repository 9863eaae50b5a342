//===- Process.cpp - Starts other programs ----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Driver/Process.h"
#include "Driver/Recorder.h"
#include "llvm/Support/Errno.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"
#include <cerrno>
#include <csignal>
#include <ctime>
#include <fcntl.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

using namespace llvm;

namespace mpispec {

/// The signals that end a build: not those that this process was told to ignore, for example by
/// nohup or by a shell that started it in the background. Linux would hold them even so.
static sigset_t endingSignals() {
  static const sigset_t Ending = [] {
    sigset_t Set;
    struct sigaction AtStart;
    sigemptyset(&Set);
    for (int Signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE})
      if (!sigaction(Signal, nullptr, &AtStart) && AtStart.sa_handler != SIG_IGN)
        sigaddset(&Set, Signal);
    return Set;
  }();
  return Ending;
}

/// The signal mask with which this process was started. Children get the same mask.
static sigset_t &originalMask() {
  static sigset_t Mask = [] {
    sigset_t Current;
    sigprocmask(SIG_SETMASK, nullptr, &Current);
    return Current;
  }();
  return Mask;
}

void holdSignals() {
  originalMask();
  sigset_t Set = endingSignals();
  sigprocmask(SIG_BLOCK, &Set, nullptr);
}

static void releaseSignals() { sigprocmask(SIG_SETMASK, &originalMask(), nullptr); }

void dieOfSignal(int Signal) {
  std::signal(Signal, SIG_DFL);
  raise(Signal);
  releaseSignals();
  _exit(128 + Signal); // the signal was blocked from the start
}

int Ending::exitStatus() const {
  switch (K) {
  case Exited:
    return Status;
  case Crashed:
  case Interrupted:
    return 128 + Status;
  case TimedOut:
    return 124;
  case NotStarted:
    return Status == ENOENT ? 127 : 126;
  }
  llvm_unreachable("all kinds are covered");
}

static std::vector<char *> argumentVector(ArrayRef<std::string> Command) {
  std::vector<char *> Argv;
  for (const std::string &Word : Command)
    Argv.push_back(const_cast<char *>(Word.c_str()));
  Argv.push_back(nullptr);
  return Argv;
}

static constexpr int OutputFlags = O_WRONLY | O_CREAT | O_TRUNC;

//===- Programs that are not recorded --------------------------------------------------------===//

static void replaceDescriptor(int Descriptor, const char *Path, int Flags) {
  int Opened = open(Path, Flags | O_CLOEXEC, 0600);
  if (Opened < 0 || dup2(Opened, Descriptor) < 0)
    _exit(127);
}

/// Redirects the child's streams according to \p R. start() makes posix_spawn do the same.
static void redirect(const Redirection &R) {
  if (R.NoInput)
    replaceDescriptor(0, "/dev/null", O_RDONLY);
  if (R.OutputDescriptor >= 0)
    dup2(R.OutputDescriptor, 1);
  else if (!R.Output.empty())
    replaceDescriptor(1, R.Output.c_str(), OutputFlags);
  if (!R.Error.empty() && R.Error == R.Output)
    dup2(1, 2);
  else if (!R.Error.empty())
    replaceDescriptor(2, R.Error.c_str(), OutputFlags);
}

static Child startUnrecorded(ArrayRef<std::string> Command, const Redirection &R) {
  std::string Path = unrecordedPath();
  SmallVector<StringRef> Directories;
  StringRef(Path).split(Directories, ':');
  ErrorOr<std::string> Program = sys::findProgramByName(Command[0], Directories);
  if (!Program)
    return {-1, ENOENT};
  std::vector<char *> Argv = argumentVector(Command), Env = argumentVector(unrecordedEnvironment());
  sigset_t Mask = originalMask();
  Child C;
  C.Pid = fork();
  C.Errno = errno;
  if (C.Pid)
    return C;
  redirect(R);
  sigprocmask(SIG_SETMASK, &Mask, nullptr);
  syscall(SYS_execve, Program->c_str(), Argv.data(), Env.data());
  _exit(127);
}

//===- All programs --------------------------------------------------------------------------===//

Child start(ArrayRef<std::string> Command, const Redirection &R) {
  // If the parent process ignores SIGCHLD, this process inherits the setting, and the kernel would
  // discard the status of children.
  std::signal(SIGCHLD, SIG_DFL);
  if (!R.IsUsers && isRecorded())
    return startUnrecorded(Command, R);
  posix_spawn_file_actions_t Files;
  posix_spawn_file_actions_init(&Files);
  if (R.NoInput)
    posix_spawn_file_actions_addopen(&Files, 0, "/dev/null", O_RDONLY, 0);
  if (R.OutputDescriptor >= 0)
    posix_spawn_file_actions_adddup2(&Files, R.OutputDescriptor, 1);
  else if (!R.Output.empty())
    posix_spawn_file_actions_addopen(&Files, 1, R.Output.c_str(), OutputFlags, 0600);
  if (!R.Error.empty() && R.Error == R.Output)
    posix_spawn_file_actions_adddup2(&Files, 1, 2);
  else if (!R.Error.empty())
    posix_spawn_file_actions_addopen(&Files, 2, R.Error.c_str(), OutputFlags, 0600);

  posix_spawnattr_t Attributes;
  posix_spawnattr_init(&Attributes);
  posix_spawnattr_setflags(&Attributes, POSIX_SPAWN_SETSIGMASK);
  posix_spawnattr_setsigmask(&Attributes, &originalMask());

  Child C;
  std::vector<char *> Argv = argumentVector(Command);
  C.Errno = posix_spawnp(&C.Pid, Argv[0], &Files, &Attributes, Argv.data(), environ);
  if (C.Errno)
    C.Pid = -1;
  posix_spawnattr_destroy(&Attributes);
  posix_spawn_file_actions_destroy(&Files);
  return C;
}

static Ending endingOf(int WaitStatus) {
  if (WIFSIGNALED(WaitStatus))
    return {Ending::Crashed, WTERMSIG(WaitStatus)};
  return {Ending::Exited, WEXITSTATUS(WaitStatus)};
}

namespace {
/// Blocks SIGCHLD for its lifetime. sigtimedwait() gets the signal only if it is blocked, because
/// the default action discards it. Children that are started later must not inherit the block.
class ChildSignal {
public:
  ChildSignal() {
    sigset_t Set;
    sigemptyset(&Set);
    sigaddset(&Set, SIGCHLD);
    sigprocmask(SIG_BLOCK, &Set, &Before);
  }
  ~ChildSignal() { sigprocmask(SIG_SETMASK, &Before, nullptr); }
  ChildSignal(const ChildSignal &) = delete;
  ChildSignal &operator=(const ChildSignal &) = delete;

private:
  sigset_t Before;
};

/// How long a child may run.
class Allowance {
public:
  Allowance(int Pid, unsigned Seconds) : Seconds(Seconds) {
    HasClock = clock_getcpuclockid(Pid, &Processor) == 0;
  }
  bool isOver() const {
    if (!Seconds)
      return false;
    timespec Used{};
    bool IsKnown = HasClock && clock_gettime(Processor, &Used) == 0;
    return (IsKnown && Used.tv_sec >= Seconds) ||
           time(nullptr) - Start >= time_t(Seconds) * WaitingFactor;
  }
  void lift() { Seconds = 0; }

private:
  time_t Start = time(nullptr), Seconds;
  clockid_t Processor{};
  bool HasClock;
};
} // namespace

/// Waits at most a second for a held signal or the end of a child. Returns the signal, or 0 if
/// \p Limit is over, and otherwise SIGCHLD.
static int nextSignal(const Allowance &Limit) {
  sigset_t Set = endingSignals();
  sigaddset(&Set, SIGCHLD);
  // If two children end at the same time, only one SIGCHLD may arrive. Therefore the wait is
  // limited to a second.
  timespec Second{1, 0};
  int Signal = sigtimedwait(&Set, nullptr, &Second);
  if (Signal > 0)
    return Signal;
  return Limit.isOver() ? 0 : SIGCHLD;
}

Ending wait(Child C, unsigned Seconds) {
  if (C.Pid < 0)
    return {Ending::NotStarted, C.Errno};
  ChildSignal Blocked;
  Allowance Limit(C.Pid, Seconds);
  std::optional<Ending> Forced;
  int WaitStatus = 0, Waited;
  while ((Waited = waitpid(C.Pid, &WaitStatus, WNOHANG)) == 0) {
    int Signal = nextSignal(Limit);
    if (Signal == SIGCHLD)
      continue;
    if (Signal == 0) {
      Forced = Ending{Ending::TimedOut, 0};
      kill(C.Pid, SIGKILL);
      Limit.lift();
    } else {
      Forced = Ending{Ending::Interrupted, Signal};
      kill(C.Pid, Signal);
    }
  }
  if (Waited < 0)
    return {Ending::NotStarted, errno};
  return Forced ? *Forced : endingOf(WaitStatus);
}

Ending run(ArrayRef<std::string> Command, const Redirection &R, unsigned Seconds) {
  return wait(start(Command, R), Seconds);
}

std::optional<std::string> outputOf(ArrayRef<std::string> Command, bool ShowErrors) {
  int Ends[2];
  if (pipe2(Ends, O_CLOEXEC))
    return std::nullopt;
  Redirection R;
  R.NoInput = true;
  R.OutputDescriptor = Ends[1];
  if (!ShowErrors)
    R.Error = "/dev/null";
  Child C = start(Command, R);
  close(Ends[1]);
  std::string Text;
  char Piece[4096];
  for (ssize_t Length; (Length = read(Ends[0], Piece, sizeof Piece)) > 0;)
    Text.append(Piece, Length);
  close(Ends[0]);
  if (!wait(C).succeeded())
    return std::nullopt;
  return Text;
}

int become(ArrayRef<std::string> Command) {
  releaseSignals();
  outs().flush();
  errs().flush();
  std::vector<char *> Argv = argumentVector(Command);
  execvp(Argv[0], Argv.data());
  int Number = errno;
  errs() << "mpispec: error: cannot run '" << Command[0] << "': " << sys::StrError(Number);
  if (Number == ENOENT)
    errs() << "; name the compiler first, as in 'mpispec mpicc -O2 -c foo.c', and see that it is "
              "on the PATH";
  errs() << '\n';
  return Ending{Ending::NotStarted, Number}.exitStatus();
}

} // namespace mpispec
