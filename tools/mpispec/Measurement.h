//===- Measurement.h - The measurement of long messages on this machine -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program of two ranks is run for each distance between two cores, in several turns. A turn has
// two runs: in the first, all long messages go through the pipe, and in the second, they are copied
// directly (*shared*). The lowest cost of all turns counts.
//
//   Measurement.cpp         the runs, and the results of their output
//   MeasurementProgram.cpp  the program
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_TOOLS_MEASUREMENT_H
#define MPISPEC_TOOLS_MEASUREMENT_H

#include "doctor/Doctor.h"
#include "p2p/cost_model.h"
#include "llvm/Support/Error.h"

namespace mpispec {

/// The source of the program. Its arguments: the core to run on, and milliseconds for each figure.
extern const char MeasurementSource[];

/// Picoseconds per byte of one message; 0: not measured.
struct Figure {
  double Still = 0;   ///< the buffers are neither written before nor read after
  double Touched = 0; ///< they are; the time of the same accesses without messages is subtracted
  double Inside = 0;  ///< they are; the time of the accesses is subtracted
};

/// Two cores that this process may use, and the costs between them.
struct CorePair {
  int Cores[2];
  mpispec_distance Distance;
  Figure Figures[MPISPEC_SIZE_CLASSES][2][MPISPEC_WAYS] = {}; ///< by class, direction, way
};

/// The first pair of cores of each distance, nearest first.
std::vector<CorePair> corePairs();

/// How thoroughly to measure.
struct Effort {
  unsigned Turns, Milliseconds; ///< the latter for one figure in one turn
};

/// Runs \p Program between the cores of \p Pair. The error is one line. It contains a remedy if one
/// is known.
llvm::Error measure(Patient &P, const std::string &Program, Effort E, CorePair &Pair);

/// Writes the figures of \p Pair to \p Model. Messages that are back to back get the figures for
/// untouched buffers, and all others those for touched ones, because programs touch their buffers.
/// The cheaper way is the one that the runtime uses first.
void enter(const CorePair &Pair, mpispec_cost_model &Model);

/// "the same last-level cache"
llvm::StringRef nameOf(mpispec_distance Distance);

} // namespace mpispec
#endif
