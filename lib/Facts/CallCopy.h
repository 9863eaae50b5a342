//===- CallCopy.h - Predicates on one copy of a call ------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// After inlining and cloning, a call of the source has several copies in the module. Rules about
// mistakes (Demands.h, SideMistakes.h) test each copy, and a warning is given if a rule holds in
// all of them. The predicates here are the vocabulary of these rules. A predicate is false if it
// cannot be proven.
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_FACTS_CALLCOPY_H
#define MPISPEC_FACTS_CALLCOPY_H

#include "Facts/Facts.h"
#include "Frontend/CallSite.h"
#include "Frontend/HandleProbe.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/PassManager.h"

namespace mpispec {

/// Is the process that executes a copy the root of the call?
enum class RootHere : uint8_t {
  Unknown,
  Yes, ///< also if several processes execute the copy, and one of them is the root
  No,
};

class CallCopy {
public:
  CallCopy(const CallSite &Site, llvm::CallBase &Call, const Handles &Values,
           llvm::FunctionAnalysisManager &Analyses, RootHere Root = RootHere::Unknown)
      : Site(Site), F(*Site.Function), Call(Call), Values(Values), Root(Root), Analyses(Analyses) {}

  llvm::Value *argument(std::optional<Role> R) const; ///< null if there is none
  llvm::Value *argument(unsigned Index) const;        ///< null if the copy has fewer arguments

  bool isPositive(llvm::Value *Number) const;
  bool isNegative(llvm::Value *Number) const;
  bool isSomebody(llvm::Value *Peer) const; ///< not MPI_PROC_NULL
  bool isNull(llvm::Value *Address) const;
  bool isInPlace(llvm::Value *Address) const;
  /// The address is null, or points into an object of the program. It is no constant of MPI, such
  /// as MPI_IN_PLACE.
  bool isOrdinaryAddress(llvm::Value *Address) const;
  /// The communicator is MPI_COMM_WORLD or MPI_COMM_SELF: no intercommunicator.
  bool isIntracommunicator() const;
  const DatatypeInfo *datatype(std::optional<Role> R) const; ///< if it is predefined
  /// Does the root, a constant rank of MPI_COMM_WORLD, execute the copy, because it is on every
  /// path through main? A call of a function that may end the program must not precede it. Besides,
  /// main has to compare the caller's rank with the root: otherwise the root may execute the main
  /// of another program, which is started together with this one.
  bool isExecutedByRoot() const;
  /// The value that the last store before the call wrote to the address in argument \p Index, or
  /// null.
  llvm::Value *pointee(unsigned Index) const;
  /// The value of element \p At, of type \p T, of the array in argument \p Index at the call, or
  /// null.
  llvm::Value *element(unsigned Index, unsigned At, llvm::Type *T) const;
  /// The type of counts: int, or MPI_Count.
  llvm::Type *numberType() const {
    return llvm::Type::getIntNTy(Call.getContext(), Site.LargeCount ? 64 : 32);
  }

  const CallSite &Site;
  const FunctionInfo &F;
  llvm::CallBase &Call;
  const Handles &Values;
  const RootHere Root;

private:
  llvm::FunctionAnalysisManager &Analyses;
};

/// Which processes use the send and the receive side of a collective operation, and whose buffer
/// may be MPI_IN_PLACE (MPI-4.0, chapter 6 and section 8.6).
struct CollectiveSides {
  bool SendAtRoot = false, RecvAtRoot = false; ///< else everywhere
  enum Place : uint8_t { Never, Send, SendOfRoot, RecvOfRoot } InPlace = Never;
};
CollectiveSides collectiveSides(const FunctionInfo &F);

/// Does at least one process that executes the copy use the side whose buffer is argument
/// \p Buffer?
bool takesPart(const CallCopy &Copy, Role Buffer);
/// Does MPI read the arguments of the side whose buffer is argument \p Buffer? True if takesPart()
/// is true and the buffer is not MPI_IN_PLACE.
bool isSignificant(const CallCopy &Copy, Role Buffer);

} // namespace mpispec
#endif
