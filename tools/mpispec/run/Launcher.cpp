//===- Launcher.cpp - The words of mpiexec, mpirun and srun -----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/Launcher.h"
#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <cstring>
#include <string_view>

namespace mpispec {

static bool startsWith(std::string_view Text, std::string_view Start) {
  return Text.substr(0, Start.size()) == Start;
}

static std::string baseName(const std::string &Path) { return Path.substr(Path.rfind('/') + 1); }

//===- The launcher --------------------------------------------------------------------------===//

static bool isLauncher(const std::string &Word) {
  const std::string Name = baseName(Word);
  for (const char *Start : {"mpiexec", "mpirun"})
    if (startsWith(Name, Start))
      return true;
  for (const char *Other :
       {"srun", "orterun", "prterun", "prun", "ibrun", "aprun", "jsrun", "flux", "palsrun"})
    if (Name == Other)
      return true;
  return false;
}

/// Programs that start the command after their own words.
static bool startsAnother(const std::string &Word) {
  const std::string Name = baseName(Word);
  for (const char *Starter :
       {"env", "time", "timeout", "nice", "nohup", "numactl", "taskset", "stdbuf", "setsid"})
    if (Name == Starter)
      return true;
  return false;
}

/// The number behind \p Title in \p Text; 0: there is none.
static unsigned versionAfter(const std::string &Text, const char *Title) {
  const size_t At = Text.find(Title);
  return At == std::string::npos
             ? 0
             : std::strtoul(Text.c_str() + At + std::strlen(Title), nullptr, 10);
}

/// Finds the family by the output of `--version`, because several families have a file `mpiexec`.
static void findFamily(Launcher &L) {
  const std::string Text = captureOutput({L.Path, "--version"}).value_or("");
  auto Says = [&](const char *Part) { return Text.find(Part) != std::string::npos; };
  if (startsWith(Text, "slurm"))
    L.Family = LauncherFamily::Slurm;
  else if (Says("HYDRA") || Says("Intel(R) MPI"))
    L.Family = LauncherFamily::Hydra;
  else if (Says("OpenRTE") || Says("Open MPI") || Says("PRRTE") || Says("PMIx Reference RunTime"))
    L.Family = LauncherFamily::OpenMPI;
  for (const char *Title : {"(OpenRTE) ", "(Open MPI) "})
    L.MajorVersion = std::max(L.MajorVersion, versionAfter(Text, Title));
}

/// Is the word at \p At the program that `env`, `timeout` or the like starts? Its own arguments may
/// name a launcher.
static bool startsProgram(const Words &Command, size_t At) {
  return At > 0 && !startsAnother(Command[At]) && Command[At].find('=') == std::string::npos &&
         !findExecutable(Command[At]).empty();
}

Launcher findLauncher(const Words &Command) {
  Launcher L;
  for (; L.At < Command.size(); ++L.At) {
    if (isLauncher(Command[L.At]))
      L.Path = findExecutable(Command[L.At]);
    if (!L.Path.empty()) {
      findFamily(L);
      return L;
    }
    if (!startsAnother(Command[0]) || startsProgram(Command, L.At))
      break;
  }
  return Launcher();
}

//===- Its options ---------------------------------------------------------------------------===//

namespace {
enum : unsigned { Directory = ~0u, Variable = ~1u };
struct OptionRow {
  LauncherFamily Family;
  std::string_view Name;
  unsigned Words;
};
} // namespace

static constexpr OptionRow Rows[] = {
#define MPISPEC_LAUNCHER_OPTION(FAMILY, NAME, WORDS) {LauncherFamily::FAMILY, NAME, WORDS},
#include "run/LauncherOptions.def"
};

static constexpr std::string_view SrunFlags[] = {
#define MPISPEC_SRUN_FLAG(NAME) NAME,
#include "run/LauncherOptions.def"
};

static bool isSrunFlag(std::string_view Name) {
  return std::find(std::begin(SrunFlags), std::end(SrunFlags), Name) != std::end(SrunFlags);
}

/// The number of values of srun's \p Option that follow it, or Directory. srun uses getopt: a word
/// may have several short options ("-ln"), and the value of the last one ("-ln2").
static unsigned valuesOfSrun(std::string_view Option) {
  if (startsWith(Option, "--")) {
    const std::string_view Name = Option.substr(2);
    return Name.empty() || isSrunFlag(Name) ? 0 : Name == "chdir" ? unsigned(Directory) : 1;
  }
  size_t At = 1;
  while (At < Option.size() && isSrunFlag(Option.substr(At, 1)))
    ++At;
  if (At + 1 != Option.size() || !std::isalpha(static_cast<unsigned char>(Option[At])))
    return 0; // all are flags, or the value is in this word ("-n2", "-K0")
  return Option[At] == 'D' ? unsigned(Directory) : 1;
}

/// The number of values of \p Option, or one of the constants Directory and Variable. \p Option
/// ends before a `=`.
static unsigned valuesOf(LauncherFamily Family, std::string_view Option) {
  if (Family == LauncherFamily::Slurm)
    return valuesOfSrun(Option);
  const std::string_view Name = Option.substr(startsWith(Option, "--") ? 2 : 1);
  for (const OptionRow &Row : Rows)
    if (Row.Name == Name && (Family == LauncherFamily::Other || Row.Family == Family))
      return Row.Words;
  return 0;
}

/// Moves \p At from an option to the last of its words. If the option names the directory in which
/// the program is started, sets \p Place to this directory. The first value may be in the option's
/// own word ("-wdir=sub").
static void passOption(LauncherFamily Family, const Words &Command, size_t &At,
                       std::string &Place) {
  const std::string &Word = Command[At];
  if (Family == LauncherFamily::Slurm && startsWith(Word, "-D") && Word.size() > 2) {
    Place = Word.substr(2);
    return;
  }
  const size_t Equals = Word.find('=');
  const bool HasOwnValue = Equals != std::string::npos;
  const std::string Value = HasOwnValue               ? Word.substr(Equals + 1)
                            : At + 1 < Command.size() ? Command[At + 1]
                                                      : "";
  unsigned Values = valuesOf(Family, Word.substr(0, Equals));
  if (Values == Directory) {
    Place = Value;
    Values = 1;
  } else if (Values == Variable) {
    Values = Value.find('=') == std::string::npos ? 2 : 1;
  }
  At += Values - (HasOwnValue && Values);
}

/// The program that the word at \p At names. After the PATH, Open MPI and srun also search
/// \p Place, the directory in which the program is started. Program::Path is empty if the program
/// cannot be executed here.
static Program findProgram(const Words &Command, size_t At, LauncherFamily Family,
                           const std::string &Place) {
  const size_t OptionsAt = Command[At - 1] == "--" ? At - 1 : At;
  Program P = {At, OptionsAt, Command[At], findExecutable(Command[At], Place)};
  if (P.Path.empty() && (Family == LauncherFamily::OpenMPI || Family == LauncherFamily::Slurm)) {
    P.Word = "./" + Command[At];
    P.Path = findExecutable(P.Word, Place);
  }
  return P;
}

std::vector<Program> findPrograms(const Words &Command, const Launcher &L) {
  std::vector<Program> Found;
  std::string Place;
  bool AwaitsProgram = true;
  for (size_t At = L.At + 1; At < Command.size(); ++At) {
    const std::string &Word = Command[At];
    if (Word == ":") {
      AwaitsProgram = true;
      Place.clear();
    } else if (!AwaitsProgram) {
      continue;
    } else if (Word.size() > 1 && Word[0] == '-') {
      passOption(L.Family, Command, At, Place);
    } else {
      const Program P = findProgram(Command, At, L.Family, Place);
      if (!P.Path.empty())
        Found.push_back(P);
      AwaitsProgram = P.Path.empty() && L.Family == LauncherFamily::Other;
    }
  }
  return Found;
}

//===- The environment of the programs -------------------------------------------------------===//

bool passesVariables(const Words &Command, const Launcher &L, const Program &P) {
  if (L.Family == LauncherFamily::Other || std::getenv("SLURM_EXPORT_ENV") ||
      std::getenv("OMPI_MCA_mca_base_env_list"))
    return false;
  const std::vector<const char *> Marks = L.Family == LauncherFamily::Slurm
                                              ? std::vector<const char *>{"--export"}
                                              : std::vector<const char *>{"LD_PRELOAD", "env_list"};
  for (size_t At = L.At + 1; At < P.At; ++At)
    for (const char *Mark : Marks)
      if (Command[At].find(Mark) != std::string::npos)
        return false;
  return true;
}

bool insertVariables(Words &Command, const Launcher &L, const Program &P, const Words &Variables) {
  Words Added;
  for (const std::string &Variable : Variables) {
    const size_t Equals = Variable.find('=');
    if (L.Family == LauncherFamily::Hydra)
      Added.insert(Added.end(), {"-env", Variable.substr(0, Equals), Variable.substr(Equals + 1)});
    else if (L.Family == LauncherFamily::OpenMPI)
      Added.insert(Added.end(), {"-x", Variable});
    else if (Variable.find(',') != std::string::npos)
      return false; // srun would end the value there
    else if (Added.empty())
      Added.push_back("--export=ALL," + Variable);
    else
      Added[0] += "," + Variable;
  }
  Command.insert(Command.begin() + P.OptionsAt, Added.begin(), Added.end());
  return true;
}

} // namespace mpispec
