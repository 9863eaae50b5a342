//===- DoctorEnvironment.cpp - MPISPEC_* variables --------------------------------------------===//
//
// What the runtime would read when a program starts from here: the rows are its own.
//
//===------------------------------------------------------------------------------------------===//
#include "Doctor.h"
#include "Support/Suggestion.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <cstdlib>

extern char **environ;

using namespace llvm;

namespace mpispec {

static constexpr StringRef Known[] = {
#define VARIABLE(NAME, PARSER, MEANING) "MPISPEC_" #NAME,
#include "../../runtime/job/Environment.def"
#undef VARIABLE
};

/// The driver sets it for itself.
static constexpr StringRef Internal = "MPISPEC_DEPTH";

static Finding checkMode() {
  const char *Value = std::getenv("MPISPEC_MODE");
  StringRef Mode = Value ? Value : "full";
  if (Mode == "full")
    return on("");
  if (Mode == "off")
    return off("MPISPEC_MODE=off: all calls of a program go to the MPI library",
               "unset MPISPEC_MODE");
  if (Mode == "lanes")
    return off("MPISPEC_MODE=lanes: specialised calls make the runtime's ordinary ones",
               "unset MPISPEC_MODE");
  return off("MPISPEC_MODE is '" + Mode + "', which nobody knows, and counts as off",
             "unset MPISPEC_MODE; it may be off, lanes or full");
}

Finding checkEnvironment(Patient &) {
  std::vector<std::string> Set;
  for (char **Variable = environ; *Variable; ++Variable) {
    StringRef Name = StringRef(*Variable).split('=').first;
    if (!Name.starts_with("MPISPEC_") || Name.starts_with(Internal))
      continue;
    if (!is_contained(Known, Name))
      return off("'" + Name + "' is set, and no variable of mpispec" + didYouMean(Name, Known),
                 "unset " + Name + "; 'mpispec --help' lists the variables");
    Set.push_back(*Variable);
  }
  if (Finding Mode = checkMode(); Mode.V == Finding::Off)
    return Mode;
  return on(Set.empty() ? "no MPISPEC_* variable is set" : join(Set, ", "));
}

} // namespace mpispec
