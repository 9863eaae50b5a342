//===- FastPath.h - Does a call ever take its template's fast path? ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A template consists of a guard, a fast path, and the ordinary call that is made if the guard
// fails. Some facts make the guard false in every execution, so that the compiler would remove the
// fast path. A call with these facts is ordinary. The rules for these facts are only in this file.
// The choice (Selector.h) and the hints (MissedFacts.h) use them.
//
// The rules name no function. They depend on a function's rows in Templates.def and on the roles of
// its arguments. The rules repeat the guards of templates (templates/mpispec/). Therefore
// test/Selection/inline-or-ordinary.c and hints-variants.test compare the choice and the hints with
// machine code.
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

/// All reasons why \p Site, a call that may be rewritten, has no fast path. Empty: it has one.
llvm::SmallVector<Blocker, 2> blockersOf(const CallSite &Site, const SiteFacts &Facts);

/// The reason in words, for reports: "a message from any source".
llvm::StringRef text(Blocker::Kind K);

/// Does the call get the table's entry for long messages? True if its bytes are proven to exceed
/// the limit of Templates.def. Also true for a send whose bytes are proven to need several cells of
/// a lane, but are not constant. For an exchange, the message that it sends decides, because a
/// large receive buffer may get a short message.
bool isLong(const CallSite &Site, const SiteFacts &Facts);

} // namespace mpispec
#endif
