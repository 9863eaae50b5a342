//===- Facts.h - Proven facts about each call site --------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Facts are the input of Selection and of the reports. A fact is *proven* if it holds in every
// execution of a correct program, in every inlined copy and every instantiation of the call. An
// argument whose value is not proven may have *predictions*. A prediction holds in some executions
// and has a probability. The rewritten code compares an argument with its proven or predicted value
// before it uses the value. Therefore a wrong prediction costs time and never changes a result.
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_FACTS_FACTS_H
#define MPISPEC_FACTS_FACTS_H

#include "MPI/Functions.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/raw_ostream.h"
#include <optional>
#include <string>
#include <vector>

namespace mpispec {

/// The known facts about one argument's value.
struct Answer {
  enum Kind : uint8_t {
    Unknown,
    Range,    ///< Low <= value <= High
    Constant, ///< Low == value == High
    Handle,   ///< the predefined handle or named constant `Name` (MPI_DOUBLE, MPI_ANY_SOURCE)
    Derived,  ///< a derived datatype; Low == High: bytes of one element, 0 if unknown
  } K = Unknown;
  int64_t Low = 0, High = 0;
  std::string Name;
  /// Why the value is proven, in words: "literal", "macro N", "enum constant N", "all callers
  /// agree on 'n'", "conditions on 'n'", ...
  std::string Origin;
  /// For a Handle that is no integer argument: an expression of type unsigned long with the
  /// handle's bits, valid in the unit. Examples are "0x4c00080bul" and "(unsigned
  /// long)&ompi_mpi_double". Empty if there is none.
  std::string Bits = {};

  bool isKnown() const { return K == Constant || K == Handle || K == Derived; }

  /// Whether the lower or the upper bound of a range excludes values that the type int alone would
  /// allow. A bound within FarthestFromEnd of an end of int counts as no bound. It can result from
  /// the addition of a small constant, or from a `%`, whose result is never INT_MIN.
  bool isBoundedBelow() const { return Low > INT32_MIN + FarthestFromEnd; }
  bool isBoundedAbove() const { return High < INT32_MAX - FarthestFromEnd; }

private:
  static constexpr int64_t FarthestFromEnd = 64;
};

enum class SizeClass : uint8_t { Dynamic, Short, Long }; ///< by the bytes of a message
/// Whether the peer's number is the caller's own rank. In an intracommunicator the peer then is the
/// caller. In an intercommunicator it is a process of the other group. Only intracommunicators are
/// adopted (docs/Glossary.md).
enum class NodeClass : uint8_t { Dynamic, Remote, Local };

/// How often a call is executed, as far as this translation unit shows.
enum class Repetition : uint8_t {
  Once,     ///< outside all loops: in main, or in a static function with only such calls
  PerCall,  ///< in no loop, in a function that another unit may call in a loop
  Repeated, ///< in a loop, or in a function that is called in one, or recursive
};

/// One side of a call: what it sends or what it receives.
struct TransferFacts {
  Answer Count, Datatype, Peer, Tag;
  Answer Bytes;                         ///< Count x size of the datatype, in bytes
  std::optional<uint64_t> DatatypeSize; ///< bytes of one element, where the datatype is predefined
  /// The datatype is predefined, and its extent equals its size, DatatypeSize.
  bool Contiguous = false;
  /// Every copy has a predefined contiguous datatype, but the datatypes differ, as in
  /// instantiations of a C++ template. The user's compiler determines the datatype of each copy.
  bool ContiguousInEachCopy = false;
  SizeClass Size = SizeClass::Dynamic;
  NodeClass Node = NodeClass::Dynamic;
  std::string SizeOrigin, NodeOrigin;
  bool DatatypeIsNull = false;    ///< proven MPI_DATATYPE_NULL
  bool PeerIsNull = false;        ///< proven MPI_PROC_NULL
  bool PeerIsWildcard = false;    ///< proven MPI_ANY_SOURCE
  bool PeerMayBeWildcard = false; ///< a receive's source not proven to differ from MPI_ANY_SOURCE

  /// Is the tag proven to be MPI_ANY_TAG, the only tag that has a name?
  bool hasAnyTag() const { return Tag.K == Answer::Handle; }
};

/// A mistake that is proven: a warning at the call, never a reason to rewrite.
struct ArgumentWarning {
  std::string Message; ///< "count is -1 in every execution of this call"
};

/// Where a prediction comes from, most trusted first.
enum class PredictionSource : uint8_t {
  Copies,  ///< inlined copies of the call, and the few values that its argument can take there
  Unit,    ///< values that this unit passes to parameters, or stores in fields and variables
  Project, ///< values that other units pass or store, from their summaries
  Profile, ///< values in a run of the program
};

/// A value that an argument may have. Each source of predictions passes the counted values of an
/// argument to addPredictions(), which makes the predictions.
struct Prediction {
  Role Argument;
  Answer Value;         ///< a Constant, a Handle with its Bits, or Derived; Origin is in words
  unsigned Percent = 0; ///< how likely it is, 1 to 100
  PredictionSource Source = PredictionSource::Copies;
  /// For a predefined datatype without gaps: bytes of one element.
  std::optional<uint64_t> ElementBytes = std::nullopt;
};

/// The data of a profile about one call.
struct RunFacts {
  uint64_t Calls = 0;     ///< over all ranks; 0: the call was never executed
  uint64_t MostCalls = 0; ///< by one rank
  /// InReach: calls that a fast path could have executed. OutOfReach: calls that no fast path
  /// executes, because the message is too long or the datatype has gaps. The other calls are
  /// undecided, for example because their message had not arrived.
  uint64_t InReach = 0, OutOfReach = 0;
};

struct SiteFacts {
  unsigned Site = 0; ///< CallSite::Number
  /// Zero to two sides, sending side first. Parallel to transfersOf(Function).
  llvm::SmallVector<TransferFacts, 2> Transfers;
  Answer Comm, Root, Op;
  /// An array of requests is null although its count is proven to be positive.
  bool RequestsAreMissing = false;
  /// The status argument (or array) is proven to be MPI_STATUS_IGNORE (MPI_STATUSES_IGNORE).
  bool StatusIgnored = false;
  /// The status argument is a variable that the program never reads (Frontend/UnreadStatuses.h).
  bool StatusUnread = false;
  unsigned Copies = 0; ///< inlined or instantiated copies that survive; 0: never executed
  Repetition Runs = Repetition::Repeated; ///< for the copy that is executed most often
  /// Predictions of arguments that are not proven: at most LikelyValues for each, the likeliest
  /// first.
  std::vector<Prediction> Predictions;
  std::optional<RunFacts> Run; ///< empty: no profile with data about the call is used
  /// Facts that hold in some copies only: "count = 4 in 2 of 3 copies".
  std::vector<std::string> Partial;
  std::vector<ArgumentWarning> Warnings;
};

/// The argument roles of one side of a call. Absent roles are empty (a Barrier has no side at all).
struct Transfer {
  std::optional<Role> Buffer, Count, Datatype, Peer, Tag;
  bool Receives = false;

  /// Is it a message, which one peer receives, and no part of a collective operation?
  bool isMessage() const { return Tag.has_value(); }
};

/// The sides of \p F, sending side first: Send has one, Sendrecv two, Barrier none.
llvm::SmallVector<Transfer, 2> transfersOf(const FunctionInfo &F);

/// The facts about the argument with role \p Argument. Null if SiteFacts has none for this role.
const Answer *answerOf(const FunctionInfo &F, const SiteFacts &Facts, Role Argument);

/// The side whose count, datatype, peer or tag has role \p Argument; null: it belongs to no side.
const TransferFacts *sideOf(const FunctionInfo &F, const SiteFacts &Facts, Role Argument);

llvm::StringRef text(PredictionSource S); ///< "copies", "unit", "project", "profile"
llvm::StringRef text(SizeClass S);        ///< "short", "long", "dynamic"
llvm::StringRef text(NodeClass N);        ///< "remote", "local", "dynamic"
llvm::StringRef text(Repetition R);       ///< "once", "once per call", "repeated"

/// "unknown", "[0, 99]", "4", "MPI_DOUBLE", "derived".
std::string text(const Answer &A);

void print(llvm::ArrayRef<SiteFacts> Facts, llvm::raw_ostream &OS);
/// Prints one line for each site.
void printPredictions(llvm::ArrayRef<SiteFacts> Facts, llvm::raw_ostream &OS);

} // namespace mpispec
#endif
