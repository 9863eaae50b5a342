//===- FastPath.h - Does a call ever take its template's fast path? ---------------------------===//
//
// A template is a guard, a fast path, and otherwise the ordinary call. With some facts the guard is
// false in every execution, and the compiler would remove the path: the call is ordinary. What
// these facts are is said here, once, for the choice (Selector.h), the reports (CallForm.h) and the
// hints (MissedFacts.h). The rules name no function: what distinguishes functions is in
// Templates.def and in the roles of their arguments. The rules are the templates' text
// (templates/mpispec/) in other words: test/Selection/inline-or-ordinary.c and hints-variants.test
// compare both with machine code.
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_SELECTION_FASTPATH_H
#define MPISPEC_SELECTION_FASTPATH_H

#include "Facts/Facts.h"
#include "Frontend/CallSite.h"

namespace mpispec {

/// One thing that keeps a call from a fast path.
struct Blocker {
  enum Kind : uint8_t {
    // Of the operation and the message itself: no edit changes them.
    NoTemplate,
    NullPeer,
    NoData,
    LongMessage,
    OtherArithmetic,
    // What an edit may change.
    UnknownDatatype,
    UnknownOperation,
    WildcardSource,
    WildcardTag,
  } K;
  unsigned Side = 0; ///< which of transfersOf(Function)

  bool canBeLifted() const { return K >= UnknownDatatype; }
};

/// All that keeps \p Site, a call that may be rewritten, from a fast path. Empty: it is inline.
llvm::SmallVector<Blocker, 2> blockersOf(const CallSite &Site, const SiteFacts &Facts);

/// "a long message travels by the ordinary call".
llvm::StringRef text(Blocker::Kind K);

/// Does the call get the cell of its table for long messages? Its bytes are proven to be more than
/// Templates.def says, or several cells, and how many is not a constant. An exchange is as long as
/// what it sends: what comes into a large buffer may be short.
bool isLong(const CallSite &Site, const SiteFacts &Facts);

} // namespace mpispec
#endif
