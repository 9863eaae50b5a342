//===- ObjectCensus.h - Objects of a link that call MPI ---------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The linker's inputs themselves show which of them are specialised, whenever and by whomever they
// were compiled. An object with specialised calls defines the state of
// templates/mpispec/weak_state.h. An object without them only refers to MPI_Send or similar
// functions. Therefore objects need no additional marks, and no register can be out of date.
// Sections that the linker drops, stripped debug information and archives do not matter.
//
// Objects of gcc's and clang's link-time optimization have their names in other sections, and are
// read as well. Files that are no objects of this machine are ignored.
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_DRIVER_OBJECTCENSUS_H
#define MPISPEC_DRIVER_OBJECTCENSUS_H

#include "MPI/Interfaces.h"
#include <map>
#include <string>
#include <vector>

namespace mpispec {

/// Units that call MPI. A shared library is one unit: what it was made of is not to be seen.
struct Census {
  unsigned Specialised = 0;
  /// Names of those that call a function which is always specialised, a message's or a completion,
  /// and are not. (Collective operations outside of loops are left as they are on purpose.)
  std::vector<std::string> Ordinary;
  /// One unit for each style of handles with which a unit was compiled.
  std::map<HandleStyle, std::string> Styles;

  void add(const Census &Other) {
    Specialised += Other.Specialised;
    Styles.insert(Other.Styles.begin(), Other.Styles.end());
    Ordinary.insert(Ordinary.end(), Other.Ordinary.begin(), Other.Ordinary.end());
  }
};

/// Counts the units of the object, archive or shared library \p Path.
Census countUnits(const std::string &Path);

} // namespace mpispec
#endif
