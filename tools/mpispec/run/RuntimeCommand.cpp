//===- RuntimeCommand.cpp - mpispec runtime ---------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/RuntimeCommand.h"
#include "MPI/RuntimeKinds.h"
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <unistd.h>

namespace mpispec {

const HelpPage RuntimeHelp = {
    R"(Usage: mpispec runtime add MPICC
       mpispec runtime list
       mpispec runtime remove NAME

Makes the runtime for an MPI library that this installation does not serve yet. MPICC is the compiler
wrapper of that library. The command needs a C compiler, which the variable CC may name, and no LLVM.
'mpispec run', 'mpispec doctor' and compiles find the runtime afterwards. Another build of mpispec
needs a runtime of its own.

The runtime is in the user's data directory ($XDG_DATA_HOME, else ~/.local/share). If root adds it, it
is in the prefix of mpispec, for all users.
)",
    R"(
Exit status: 0; 1 if a runtime cannot be made or removed; 2 for a mistake in the words.

Examples:
  mpispec runtime add /opt/openmpi-5/bin/mpicc
  mpispec runtime remove openmpi5
)"};

static int fail(int Status, const std::string &Message) {
  std::fprintf(stderr, "mpispec: error: %s\n", Message.c_str());
  return Status;
}

static int listRuntimes(const RunInstallation &Here) {
  for (const RuntimeKind &Kind : allRuntimes())
    if (const std::string File = runtimeFile(Here.Runtimes, Kind.Name, "libmpispec.so");
        !File.empty())
      std::printf("%-10s%-35s%s\n", Kind.Name.data(), Kind.Title.data(),
                  File.substr(0, File.rfind('/')).c_str());
  return 0;
}

static int addRuntime(const RunInstallation &Here, const std::string &Wrapper,
                      const std::string &Directory) {
  if (Here.Sources.empty())
    return fail(1, "the sources of the runtime are not installed");
  if (Directory.empty())
    return fail(1, "there is no place for the runtime: set XDG_DATA_HOME or HOME");
  if (Directory.find_first_of(" :") != std::string::npos)
    return fail(1,
                "a runtime in '" + Directory +
                    "' could not be preloaded, because its path has a space or a colon" +
                    (Directory == Here.OfUser ? "; set XDG_DATA_HOME to another directory" : ""));
  Words Command = {"sh", Here.Sources + "/runtime/make-runtime.sh", Wrapper, Directory};
  for (const RuntimeKind &Kind : allRuntimes())
    if (!runtimeFile(Here.Runtimes, Kind.Name, "libmpispec.so").empty())
      Command.emplace_back(Kind.Name);
  return exitAs(superviseProcess(Command));
}

static int removeRuntime(const RunInstallation &Here, const std::string &Name,
                         const std::string &Directory) {
  const std::string Installed = runtimeFile(Here.Runtimes, Name, "libmpispec.so");
  const std::string Place = Directory + "/" + Name;
  std::error_code Error;
  if (runtimeNamed(Name) == allRuntimes().end() || Installed.empty())
    return fail(1, "there is no runtime '" + Name + "'; 'mpispec runtime list' shows all");
  if (Directory.empty() || Installed.compare(0, Place.size() + 1, Place + "/") != 0)
    return fail(1, "'" + Installed + "' was not added by 'mpispec runtime add" +
                       (Directory == Here.OfUser ? " --user'" : "' as root"));
  std::filesystem::remove_all(Place, Error);
  if (Error)
    return fail(1, "cannot remove '" + Place + "': " + Error.message());
  std::filesystem::remove(Directory, Error); // if it is empty now
  return 0;
}

int manageRuntimes(const RunInstallation &Here, Words Arguments, Suggest Suggestion) {
  CommonOptions Common;
  if (const std::string Error = checkWords("runtime", Arguments, Common, Suggestion);
      !Error.empty())
    return fail(2, Error);
  if (Common.Help) {
    printHelpPage("runtime", RuntimeHelp);
    return 0;
  }
  const auto OfUser = std::remove(Arguments.begin(), Arguments.end(), "--user");
  const bool IsForUser = OfUser != Arguments.end() || geteuid() != 0;
  Arguments.erase(OfUser, Arguments.end());
  const std::string &Directory = IsForUser ? Here.OfUser : Here.OfAll;
  const std::string Action = Arguments.empty() ? "" : Arguments[0];
  if (Action == "list" && Arguments.size() == 1)
    return listRuntimes(Here);
  if (Action == "add" && Arguments.size() == 2)
    return addRuntime(Here, Arguments[1], Directory);
  if (Action == "remove" && Arguments.size() == 2)
    return removeRuntime(Here, Arguments[1], Directory);
  return fail(2, "'mpispec runtime' needs one of: add MPICC, list, remove NAME; see 'mpispec "
                 "runtime --help'");
}

} // namespace mpispec
