//===- Subprocess.cpp - Other programs, for subcommands without LLVM --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/Subprocess.h"
#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <iterator>
#include <sstream>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace mpispec {

Words splitAt(const std::string &Text, const char *Separators) {
  Words Parts;
  for (size_t Begin = 0, End; Begin < Text.size(); Begin = End + 1) {
    End = std::min(Text.find_first_of(Separators, Begin), Text.size());
    if (End > Begin)
      Parts.push_back(Text.substr(Begin, End - Begin));
  }
  return Parts;
}

static bool isExecutable(const std::string &Path) {
  struct stat Status;
  return !stat(Path.c_str(), &Status) && S_ISREG(Status.st_mode) && !access(Path.c_str(), X_OK);
}

std::string findExecutable(const std::string &Word, const std::string &Directory) {
  auto InDirectory = [&Directory](const std::string &Path) {
    return Path[0] == '/' || Directory.empty() ? Path : Directory + "/" + Path;
  };
  if (Word.find('/') != std::string::npos)
    return isExecutable(InDirectory(Word)) ? InDirectory(Word) : "";
  const char *Value = std::getenv("PATH");
  // An empty element is the current directory.
  std::istringstream Places(std::string(Value ? Value : "/usr/bin:/bin") + ":");
  for (std::string Place; std::getline(Places, Place, ':');)
    if (const std::string Path = InDirectory((Place.empty() ? "." : Place) + "/" + Word);
        isExecutable(Path))
      return Path;
  return "";
}

static std::vector<char *> argumentVector(const Words &Command) {
  std::vector<char *> Result;
  for (const std::string &Word : Command)
    Result.push_back(const_cast<char *>(Word.c_str()));
  Result.push_back(nullptr);
  return Result;
}

namespace {
/// Until it is restored, the system keeps the exit status of children, also if the parent process
/// ignores SIGCHLD.
class ChildStatuses {
public:
  ChildStatuses() : Before(std::signal(SIGCHLD, SIG_DFL)) {}
  ~ChildStatuses() { restore(); }
  ChildStatuses(const ChildStatuses &) = delete;
  ChildStatuses &operator=(const ChildStatuses &) = delete;
  void restore() const { std::signal(SIGCHLD, Before); }

private:
  void (*Before)(int);
};
} // namespace

/// The process that captureOutput() or superviseProcess() waits for, or 0.
static volatile pid_t Supervised;

static void passOn(int Signal) {
  if (Supervised > 0)
    kill(Supervised, Signal);
}

/// The terminal's signals come from the kernel, which sends them to the command as well.
static void passOnUnlessOfTerminal(int Signal, siginfo_t *Info, void *) {
  const bool IsOfKeyboard = Signal == SIGINT || Signal == SIGQUIT;
  if (!IsOfKeyboard || Info->si_code != SI_KERNEL)
    passOn(Signal);
}

std::optional<std::string> captureOutput(const Words &Command, const Words &Variables,
                                         Output Captured) {
  int Pipe[2];
  if (pipe2(Pipe, O_CLOEXEC))
    return std::nullopt;
  const std::vector<char *> Arguments = argumentVector(Command);
  const ChildStatuses Kept;
  const pid_t Child = fork();
  if (Child == 0) {
    Kept.restore();
    const int Nothing = open("/dev/null", O_RDWR);
    dup2(Nothing, STDIN_FILENO), dup2(Pipe[1], STDOUT_FILENO);
    dup2(Captured == Output::WithErrors ? Pipe[1] : Nothing, STDERR_FILENO);
    // dup2() keeps the flag if the pipe has this number already.
    fcntl(STDOUT_FILENO, F_SETFD, 0), fcntl(STDERR_FILENO, F_SETFD, 0);
    for (const std::string &Variable : Variables)
      putenv(const_cast<char *>(Variable.c_str()));
    execvp(Arguments[0], Arguments.data());
    _exit(127);
  }
  Supervised = Child;
  close(Pipe[1]);
  std::string Text;
  char Buffer[4096];
  for (;;) {
    const ssize_t Length = read(Pipe[0], Buffer, sizeof Buffer);
    if (Length > 0)
      Text.append(Buffer, Length);
    else if (Length == 0 || errno != EINTR)
      break;
  }
  close(Pipe[0]);
  int Status = -1;
  if (Child > 0)
    while (waitpid(Child, &Status, 0) < 0 && errno == EINTR)
      ;
  Supervised = 0;
  return Child > 0 && Status == 0 ? std::optional(Text) : std::nullopt;
}

int replaceProcess(const Words &Command) {
  execvp(Command[0].c_str(), argumentVector(Command).data());
  const int Error = errno;
  std::fprintf(stderr, "mpispec: error: cannot run '%s': %s\n", Command[0].c_str(),
               std::strerror(Error));
  return Error == ENOENT ? 127 : 126;
}

int superviseProcess(const Words &Command) {
  static constexpr int Signals[] = {SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2};
  // Signals stay blocked until the command runs and the handlers can pass signals to it.
  sigset_t Blocked, Before;
  sigemptyset(&Blocked);
  for (int Signal : Signals)
    sigaddset(&Blocked, Signal);
  sigprocmask(SIG_BLOCK, &Blocked, &Before);
  const ChildStatuses Kept;
  Supervised = fork();
  const int ForkError = errno;
  if (Supervised == 0) {
    Kept.restore();
    sigprocmask(SIG_SETMASK, &Before, nullptr);
    _exit(replaceProcess(Command));
  }
  struct sigaction Earlier[std::size(Signals)];
  for (size_t I = 0; I < std::size(Signals); ++I) {
    struct sigaction Action = {};
    Action.sa_sigaction = passOnUnlessOfTerminal;
    Action.sa_flags = SA_SIGINFO;
    sigaction(Signals[I], &Action, &Earlier[I]);
  }
  sigprocmask(SIG_SETMASK, &Before, nullptr);
  int Status = 126 << 8;
  if (Supervised < 0)
    std::fprintf(stderr, "mpispec: error: cannot start a process for '%s': %s\n",
                 Command[0].c_str(), std::strerror(ForkError));
  else
    while (waitpid(Supervised, &Status, 0) < 0 && errno == EINTR)
      ;
  Supervised = 0;
  for (size_t I = 0; I < std::size(Signals); ++I)
    sigaction(Signals[I], &Earlier[I], nullptr);
  return Status;
}

static volatile std::sig_atomic_t Caught;

static void catchAndPassOn(int Signal) {
  Caught = Signal;
  passOn(Signal);
}

void catchSignals() {
  struct sigaction Before, Catch = {};
  Catch.sa_handler = catchAndPassOn;
  Catch.sa_flags = SA_RESTART;
  for (int Signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE})
    if (!sigaction(Signal, nullptr, &Before) && Before.sa_handler != SIG_IGN)
      sigaction(Signal, &Catch, nullptr);
}

int caughtSignal() { return Caught; }

void endBySignal(int Signal) {
  prctl(PR_SET_DUMPABLE, 0); // no core of this process in the place of the program's
  std::signal(Signal, SIG_DFL);
  raise(Signal);
  _exit(128 + Signal); // the signal is blocked
}

int exitAs(int Status) {
  if (WIFSIGNALED(Status))
    endBySignal(WTERMSIG(Status));
  return WEXITSTATUS(Status);
}

} // namespace mpispec
