//===- FactChecks.cpp - Look at proven facts again when the program runs ----------------------===//
#include "Rewrite/FactChecks.h"
#include "mpispec/bounds.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace mpispec {

namespace {

class Checks {
public:
  Checks(const CallSite &Site, function_ref<StringRef(Role)> NameOf) : Site(Site), NameOf(NameOf) {}

  void integer(Role R, const Answer &A);
  void transfer(const Transfer &Side, const TransferFacts &T);
  std::string Text;

private:
  void bytes(const Transfer &Side, const TransferFacts &T);
  /// `mpispec_check_What(line, argument, `
  std::string open(StringRef What, Role R) const {
    return formatv("  mpispec_check_{0}({1}, {2}, ", What, Site.Line, *Site.Function->find(R) + 1);
  }
  std::string handle(Role R) const { return formatv("(unsigned long){0}", NameOf(R)); }

  const CallSite &Site;
  function_ref<StringRef(Role)> NameOf;
};

void Checks::integer(Role R, const Answer &A) {
  if (A.K == Answer::Range || A.K == Answer::Constant)
    Text += formatv("{0}{1}, {2}, {3});\n", open("range", R), NameOf(R), A.Low, A.High);
}

/// A range of bytes, or the side of the short bound that they are on.
void Checks::bytes(const Transfer &Side, const TransferFacts &T) {
  int64_t Low = 0, High = INT64_MAX;
  if (T.Bytes.K == Answer::Range || T.Bytes.K == Answer::Constant) {
    Low = T.Bytes.Low;
    High = T.Bytes.High;
  }
  if (T.Size == SizeClass::Short)
    High = std::min<int64_t>(High, mpispec_short_bytes);
  if (T.Size == SizeClass::Long)
    Low = std::max<int64_t>(Low, mpispec_short_bytes + 1);
  if (Low > 0 || High < INT64_MAX)
    Text += formatv("{0}{1}, {2}, {3}, {4});\n", open("bytes", *Side.Count), NameOf(*Side.Count),
                    handle(*Side.Datatype), Low, High);
}

void Checks::transfer(const Transfer &Side, const TransferFacts &T) {
  if (Side.Count)
    integer(*Side.Count, T.Count);
  if (Side.Peer)
    integer(*Side.Peer, T.Peer);
  if (Side.Tag)
    integer(*Side.Tag, T.Tag);
  if (Side.Datatype && T.DatatypeSize)
    Text += formatv("{0}{1}, {2});\n", open("element", *Side.Datatype), handle(*Side.Datatype),
                    *T.DatatypeSize);
  if (Side.Count && Side.Datatype)
    bytes(Side, T);
  if (T.Node != NodeClass::Dynamic)
    Text += formatv("{0}{1}, {2}, {3});\n", open("peer", *Side.Peer), NameOf(*Side.Peer),
                    handle(Role::Comm), T.Node == NodeClass::Local ? 1 : 0);
}

} // namespace

std::string factChecks(const CallSite &Site, const SiteFacts &Facts,
                       function_ref<StringRef(Role)> NameOf) {
  Checks Result(Site, NameOf);
  if (Site.Function->find(Role::Root))
    Result.integer(Role::Root, Facts.Root);
  SmallVector<Transfer, 2> Sides = transfersOf(*Site.Function);
  for (auto [Side, T] : zip(Sides, Facts.Transfers))
    Result.transfer(Side, T);
  return Result.Text;
}

} // namespace mpispec
