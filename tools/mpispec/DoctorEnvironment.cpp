//===- DoctorEnvironment.cpp - MPISPEC_* variables, and files that the runtime reads ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// These checks show the variables and files that the runtime would read when a program starts from
// here. The rows, and the code that reads cost models, are the runtime's own.
//
//===------------------------------------------------------------------------------------------===//
#include "Doctor.h"
#include "Support/Suggestion.h"
#include "p2p/cost_model_file.h"
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

Finding checkLongMessages(Patient &) {
  const char *Ways = std::getenv("MPISPEC_LONG_MESSAGES");
  if (Ways && (StringRef(Ways) == "pipe" || StringRef(Ways) == "shared"))
    return on("all go the way that MPISPEC_LONG_MESSAGES names: " + Twine(Ways));
  mpispec_cost_model Model;
  char Origin[MPISPEC_COST_MODEL_ORIGIN_BYTES];
  mpispec_cost_model_load(&Model, std::getenv("MPISPEC_COST_MODEL"), std::getenv("MPISPEC_CACHE"),
                          Origin);
  StringRef Says = Origin;
  std::string Costs = ("their ways are chosen by " + Says).str();
  if (Says.contains("is ignored"))
    return off(Costs, "remove the file, or write a new one: mpispec tune");
  if (Says.starts_with("the built-in"))
    return on(Costs + "; 'mpispec tune' measures this machine");
  return on(Costs);
}

} // namespace mpispec
