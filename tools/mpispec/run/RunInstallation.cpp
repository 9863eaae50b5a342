//===- RunInstallation.cpp - The files that stand beside this program -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/RunInstallation.h"
#include "MPI/RuntimeKinds.h"
#include "job/identity.h"
#include <climits>
#include <cstdlib>
#include <sys/stat.h>
#include <unistd.h>

namespace mpispec {

/// The first of \p Places, relative to \p Directory, that exists.
static std::string beside(const std::string &Directory, const Words &Places) {
  for (const std::string &Place : Places)
    if (const std::string Path = Directory + "/" + Place; !access(Path.c_str(), F_OK)) {
      char Real[PATH_MAX];
      return realpath(Path.c_str(), Real) ? Real : Path;
    }
  return "";
}

/// The user's directory for added runtimes (XDG Base Directory Specification).
static std::string userDirectory() {
  static const char Below[] = "/mpispec/runtimes-" MPISPEC_IDENTITY_TEXT;
  const char *Data = std::getenv("XDG_DATA_HOME"), *Home = std::getenv("HOME");
  if (Data && *Data == '/') // others are invalid
    return std::string(Data) + Below;
  return Home && *Home == '/' ? std::string(Home) + "/.local/share" + Below : "";
}

/// Whether only the user and root can have put programs into \p Directory.
static bool isTrusted(const std::string &Directory) {
  struct stat Status;
  return !stat(Directory.c_str(), &Status) && (Status.st_uid == geteuid() || !Status.st_uid) &&
         !(Status.st_mode & (S_IWGRP | S_IWOTH));
}

RunInstallation findRunInstallation() {
  char Path[PATH_MAX];
  const ssize_t Length = readlink("/proc/self/exe", Path, sizeof Path);
  RunInstallation Here;
  Here.Self.assign(Path, Length > 0 ? Length : 0);
  const std::string Directory = Here.Self.substr(0, Here.Self.rfind('/'));
  Here.Profiler = beside(
      Directory, {"mpispec-profile", MPISPEC_LIBEXECDIR_FROM_PROGRAMS "/mpispec/mpispec-profile"});
  Here.Archive =
      beside(Directory, {"../lib/libmpispec.a", MPISPEC_LIBDIR_FROM_PROGRAMS "/libmpispec.a"});
  Here.Sources = beside(Directory, {"../share/mpispec/sources", MPISPEC_SOURCES_FROM_PROGRAMS});
  Here.OfUser = userDirectory();
  const std::string Installed =
      beside(Directory, {"../lib/mpispec", MPISPEC_LIBDIR_FROM_PROGRAMS "/mpispec"});
  if (!Installed.empty())
    Here.OfAll = Installed + "/added-" MPISPEC_IDENTITY_TEXT;
  for (const std::string &Place : {Installed, Here.OfAll})
    if (!Place.empty() && !access(Place.c_str(), X_OK))
      Here.Runtimes.push_back(Place);
  if (isTrusted(Here.OfUser))
    Here.Runtimes.push_back(Here.OfUser);
  return Here;
}

std::string runtimeFile(const Words &Runtimes, std::string_view Name, const char *File) {
  for (const std::string &Directory : Runtimes)
    if (const std::string Path = Directory + "/" + std::string(Name) + "/" + File;
        !access(Path.c_str(), R_OK))
      return Path;
  return "";
}

std::string runtimesLine(const Words &Runtimes) {
  std::string Names;
  for (const RuntimeKind &Kind : allRuntimes())
    if (!runtimeFile(Runtimes, Kind.Name, "libmpispec.so").empty())
      Names += " " + std::string(Kind.Name);
  return "runtimes:" + (Names.empty() ? " none" : Names);
}

} // namespace mpispec
