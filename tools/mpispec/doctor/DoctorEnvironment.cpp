//===- DoctorEnvironment.cpp - MPISPEC_* variables, and files that the runtime reads ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// These checks show the variables and files that the runtime would read if a program were started
// in this environment. The table of variables, and the code that reads cost models, are those of
// the runtime.
//
//===------------------------------------------------------------------------------------------===//
#include "doctor/Doctor.h"
#include "job/environment.h"
#include "p2p/cost_model_file.h"
#include <algorithm>
#include <cstdlib>

extern char **environ;

namespace mpispec {

static const Words Known = {
#define VARIABLE(NAME, PARSER, MEANING) "MPISPEC_" #NAME,
#include "../../runtime/job/Environment.def"
#undef VARIABLE
};

/// A variable that the driver sets for itself.
static constexpr std::string_view Internal = "MPISPEC_DEPTH";

static Finding checkMode() {
  const char *Value = std::getenv("MPISPEC_MODE");
  const std::string Mode = Value && *Value ? Value : "full";
  if (Mode == "full")
    return on("");
  if (Mode == "off")
    return off("MPISPEC_MODE=off: all calls of a program go to the MPI library",
               "unset MPISPEC_MODE");
  return Mode == "lanes"
             ? off("MPISPEC_MODE=lanes: specialised calls make the runtime's ordinary ones",
                   "unset MPISPEC_MODE")
             : on("");
}

/// The remedy for the variable \p Name.
static std::string remedyFor(const std::string &Name, const Patient &P) {
  return "unset " + Name + "; " +
         (P.HasCompiler ? "'mpispec help environment'" : "docs/Runtime.md") +
         " lists the variables and their values";
}

Finding checkEnvironment(Patient &P) {
  Words Set;
  for (char **Variable = environ; *Variable; ++Variable) {
    const std::string Text = *Variable, Name = Text.substr(0, Text.find('='));
    if (!startsWith(Name, "MPISPEC_") || startsWith(Name, Internal))
      continue;
    if (std::find(Known.begin(), Known.end(), Name) == Known.end())
      return off("'" + Name + "' is set, and no variable of mpispec" + P.Suggestion(Name, Known),
                 remedyFor(Name, P));
    if (const char *Instead = mpispec_environment_instead(*Variable))
      return off("the runtime does not understand " + Text + ", and uses " + Instead,
                 remedyFor(Name, P));
    Set.push_back(Text);
  }
  if (Finding Mode = checkMode(); Mode.V == Finding::Off)
    return Mode;
  return on(Set.empty() ? "no MPISPEC_* variable is set" : joined(Set, ", "));
}

Finding checkLongMessages(Patient &) {
  const char *Ways = std::getenv("MPISPEC_LONG_MESSAGES");
  if (Ways && (std::string_view(Ways) == "pipe" || std::string_view(Ways) == "shared"))
    return on(std::string("all go the way that MPISPEC_LONG_MESSAGES names: ") + Ways);
  mpispec_cost_model Model;
  char Origin[MPISPEC_COST_MODEL_ORIGIN_BYTES];
  mpispec_cost_model_load(&Model, std::getenv("MPISPEC_COST_MODEL"), std::getenv("MPISPEC_CACHE"),
                          Origin);
  const std::string Costs = std::string("their ways are chosen by ") + Origin;
  if (contains(Origin, "is ignored"))
    return off(Costs, "remove the file, or write a new one: mpispec tune");
  if (startsWith(Origin, "the built-in"))
    return on(Costs + "; 'mpispec tune' measures this machine");
  return on(Costs);
}

} // namespace mpispec
