//===- FastPath.h - Does a call ever take its template's fast path? ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A template is a guard, a fast path, and otherwise the ordinary call. Some facts make the guard
// false in every execution, so that the compiler would remove the fast path. A call with these
// facts is ordinary. This file is the only place that contains the rules. The choice (Selector.h)
// and the hints (MissedFacts.h) use them.
//
// The rules name no function: functions differ in Templates.def and in the roles of their
// arguments. The rules repeat guards of templates (templates/mpispec/) in other words. Therefore
// test/Selection/inline-or-ordinary.c and hints-variants.test compare both with machine code.
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_SELECTION_FASTPATH_H
#define MPISPEC_SELECTION_FASTPATH_H

#include "Facts/Facts.h"
#include "Frontend/CallSite.h"

namespace mpispec {

/// One reason why a call has no fast path.
struct Blocker {
  enum Kind : uint8_t {
    // Properties of the operation or the message: no edit changes them.
    NoTemplate,
    NullPeer,
    NoData,
    LongMessage,
    OtherArithmetic,
    // Missing facts that an edit may provide.
    UnknownDatatype,
    UnknownOperation,
    WildcardSource,
    WildcardTag,
  } K;
  unsigned Side = 0; ///< index in transfersOf(Function)

  bool canBeLifted() const { return K >= UnknownDatatype; }
};

/// All reasons why \p Site, a call that may be rewritten, has no fast path. Empty: it is inline.
llvm::SmallVector<Blocker, 2> blockersOf(const CallSite &Site, const SiteFacts &Facts);

/// The reason in words, for reports: "a message from any source".
llvm::StringRef text(Blocker::Kind K);

/// Does the call get the cell for long messages? Either its bytes are proven to exceed the limit of
/// Templates.def, or they are proven to take several cells but are no constant number. An
/// exchange counts by the message that it sends, because a large receive buffer may get a short
/// message.
bool isLong(const CallSite &Site, const SiteFacts &Facts);

} // namespace mpispec
#endif
