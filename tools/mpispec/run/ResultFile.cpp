//===- ResultFile.cpp - The file that `-o FILE` of a subcommand names -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/ResultFile.h"
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>

namespace mpispec {

static void complain(const std::string &File, int Number) {
  std::fprintf(stderr, "mpispec: error: cannot write '%s': %s\n", File.c_str(),
               std::strerror(Number));
}

/// May another file take the place of \p File? Devices, pipes and dangling symbolic links are not
/// replaced, but opened and written. The same applies to a file to which standard output already
/// goes.
static bool isReplaceable(const std::string &File, bool Exists, const struct stat &Old) {
  struct stat Other;
  if (!Exists)
    return lstat(File.c_str(), &Other) != 0;
  const bool IsOutput =
      fstat(STDOUT_FILENO, &Other) == 0 && Other.st_dev == Old.st_dev && Other.st_ino == Old.st_ino;
  return S_ISREG(Old.st_mode) && !IsOutput && access(File.c_str(), W_OK) == 0;
}

static mode_t modeOfNewFiles() {
  const mode_t Mask = umask(0);
  umask(Mask);
  return 0666 & ~Mask;
}

/// Opens a new file in the directory of \p File. Returns -1 if the output must go to \p File
/// itself.
int ResultFile::openBeside(const std::string &File) {
  struct stat Old;
  const bool Exists = stat(File.c_str(), &Old) == 0;
  if (!isReplaceable(File, Exists, Old))
    return -1;
  std::error_code Code;
  Place = Exists ? std::filesystem::canonical(File, Code) : std::filesystem::absolute(File, Code);
  Temporary = Place + ".XXXXXX";
  const int Descriptor = Code ? -1 : mkostemp(Temporary.data(), O_CLOEXEC);
  if (Descriptor < 0)
    Temporary.clear();
  else
    (void)fchmod(Descriptor, Exists ? Old.st_mode & 07777 : modeOfNewFiles());
  return Descriptor;
}

/// Whether \p File is the standard error of this process. This file must not be replaced, because
/// messages would still go to the old file.
static bool isStandardError(const std::string &File) {
  struct stat Named, Error;
  return !stat(File.c_str(), &Named) && !fstat(STDERR_FILENO, &Error) &&
         Named.st_dev == Error.st_dev && Named.st_ino == Error.st_ino;
}

bool ResultFile::take(Words &All) {
  const auto End = std::find(All.begin(), All.end(), "--");
  const auto Option = std::find(All.begin(), End, "-o");
  if (Option == End)
    return true;
  const std::string File = *(Option + 1);
  All.erase(Option, Option + 2);
  if (File == "-")
    return true;
  int Descriptor = isStandardError(File) ? STDERR_FILENO : openBeside(File);
  if (Descriptor < 0)
    Descriptor = open(File.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (Descriptor >= 0 && dup2(Descriptor, STDOUT_FILENO) >= 0)
    return true;
  complain(File, errno);
  return false;
}

int ResultFile::finish(int Status, bool IsWhole) {
  if (Temporary.empty())
    return Status;
  struct stat Written;
  const bool IsResult =
      IsWhole && (Status == 0 || (fstat(STDOUT_FILENO, &Written) == 0 && Written.st_size > 0));
  if (IsResult && std::rename(Temporary.c_str(), Place.c_str()) == 0)
    return Status;
  const int Number = errno;
  unlink(Temporary.c_str());
  if (!IsResult)
    return Status;
  complain(Place, Number);
  return 2;
}

int endStandardOutput(int Status) {
  errno = 0;
  if (std::fflush(stdout) == 0 && !std::ferror(stdout))
    return Status;
  std::fprintf(stderr, "mpispec: error: cannot write the output: %s\n",
               std::strerror(errno ? errno : EIO));
  return 2;
}

} // namespace mpispec
