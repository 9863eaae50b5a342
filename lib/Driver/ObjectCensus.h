//===- ObjectCensus.h - Objects of a link that call MPI ---------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The linker's inputs themselves show which of them are specialised. How they were compiled does
// not matter. An object with specialised calls defines the state of templates/mpispec/weak_state.h.
// An object without them only refers to MPI_Send or similar functions. Therefore objects need no
// additional marks, and no separate list can be out of date. Sections that the linker drops,
// stripped debug information and archives do not matter.
//
// Objects of gcc's and clang's link-time optimization have their names in other forms, and are
// read as well. Files that are no objects of this machine are ignored.
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_DRIVER_OBJECTCENSUS_H
#define MPISPEC_DRIVER_OBJECTCENSUS_H

#include "MPI/Interfaces.h"
#include <map>
#include <set>
#include <string>
#include <vector>

namespace mpispec {

/// Units that call MPI. A shared library counts as one unit, because its objects are not visible.
struct Census {
  unsigned Specialised = 0;
  /// Names of the units that are not specialised although they call a function for messages or
  /// completion. Calls of collective operations and probes do not count, because outside of loops
  /// they stay ordinary on purpose.
  std::vector<std::string> Ordinary;
  /// The name of one unit for each style of handles that occurs.
  std::map<HandleStyle, std::string> Styles;
  /// The symbols of the templates' states. Those of shared libraries do not count.
  std::set<std::string> States;
  /// MPI functions for messages that a unit calls by their names for profiling, such as PMPI_Send.
  /// The value is the name of one such unit.
  std::map<std::string, std::string> CalledByProfilingName;
  /// Functions of MPI that a unit defines, as a tool does: MPI_Send, and mpi_send_ of Fortran.
  std::set<std::string> Defined;
  /// Functions of MPI whose definition may become a part of the program. Those in archives count,
  /// whether the link takes them or not. Those in MPI libraries do not count. Those in shared
  /// libraries do not count either, because the runtime finds them when it starts.
  std::set<std::string> DefinedInside;

  void add(const Census &Other) {
    Specialised += Other.Specialised;
    Styles.insert(Other.Styles.begin(), Other.Styles.end());
    States.insert(Other.States.begin(), Other.States.end());
    CalledByProfilingName.insert(Other.CalledByProfilingName.begin(),
                                 Other.CalledByProfilingName.end());
    Defined.insert(Other.Defined.begin(), Other.Defined.end());
    DefinedInside.insert(Other.DefinedInside.begin(), Other.DefinedInside.end());
    Ordinary.insert(Ordinary.end(), Other.Ordinary.begin(), Other.Ordinary.end());
  }
};

/// Counts the units of the object, archive or shared library \p Path.
Census countUnits(const std::string &Path);

/// The names that the members of the archive \p Path define, from its index. Empty if it has none.
std::set<std::string> namesInIndex(const std::string &Path);

} // namespace mpispec
#endif
