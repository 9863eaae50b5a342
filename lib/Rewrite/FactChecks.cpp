//===- FactChecks.cpp - Counts how often facts hold when the program runs ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Rewrite/FactChecks.h"
#include "Facts/Predictions.h"
#include "Rewrite/Emitter.h"
#include "mpispec/contract.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace mpispec {

namespace {

class Checks {
public:
  Checks(const CallSite &Site, function_ref<StringRef(Role)> NameOf) : Site(Site), NameOf(NameOf) {}

  void integer(Role R, const Answer &A);
  void handleOf(Role R, const Answer &A);
  void transfer(const Transfer &Side, const TransferFacts &T);
  void prediction(const Prediction &P);
  void size(const Transfer &Side, const PredictedSize &P);
  FactChecks take();

private:
  void bytes(const Transfer &Side, const TransferFacts &T);
  /// Adds a fact about the argument with role \p R. \p Claim is its text for people. The test calls
  /// \p Function of fact_check.h with \p Arguments.
  void add(Role R, const Twine &Claim, StringRef Function, const Twine &Arguments,
           StringRef Is = "proven");
  std::string bits(Role R) const { return formatv("(unsigned long){0}", NameOf(R)); }

  const CallSite &Site;
  function_ref<StringRef(Role)> NameOf;
  unsigned Number = 0;
  std::string Claims, Statements;
};

} // namespace

/// The name of the array of a site's checks, such as "mpispec_checks_3".
static std::string arrayName(const CallSite &Site) {
  return "mpispec_checks_" + std::to_string(Site.Number);
}

/// \p Text, escaped for a string literal.
static std::string quoteSafe(StringRef Text) {
  std::string Safe = commentSafe(Text);
  std::replace(Safe.begin(), Safe.end(), '"', '\'');
  return Safe;
}

void Checks::add(Role R, const Twine &Claim, StringRef Function, const Twine &Arguments,
                 StringRef Is) {
  std::string Text = formatv("{0}:{1}: {2}: argument {3} is {4} to {5}", Site.File, Site.Line,
                             Site.Callee, *Site.Function->find(R) + 1, Is, Claim.str());
  Claims += formatv("  {{\"{0}\", 0, 0, 0, 0},\n", quoteSafe(Text));
  Statements += formatv("  mpispec_check_{0}({1} + {2}, {3});\n", Function, arrayName(Site),
                        Number++, Arguments.str());
}

void Checks::integer(Role R, const Answer &A) {
  if (A.K == Answer::Range || A.K == Answer::Constant)
    add(R, "be in " + formatv("[{0}, {1}]", A.Low, A.High).str(), "range",
        formatv("{0}, {1}, {2}", NameOf(R), A.Low, A.High).str());
}

void Checks::handleOf(Role R, const Answer &A) {
  if (!A.Bits.empty())
    add(R, "be " + A.Name, "handle", bits(R) + ", " + A.Bits);
}

/// Adds the range of the bytes. The size class limits the range at mpispec_short_bytes.
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
    add(*Side.Count, formatv("make [{0}, {1}] bytes", Low, High).str(), "bytes",
        formatv("{0}, {1}, {2}, {3}", NameOf(*Side.Count), bits(*Side.Datatype), Low, High).str());
}

void Checks::transfer(const Transfer &Side, const TransferFacts &T) {
  if (Side.Count)
    integer(*Side.Count, T.Count);
  if (Side.Peer)
    integer(*Side.Peer, T.Peer);
  if (Side.Tag)
    integer(*Side.Tag, T.Tag);
  if (Side.Datatype)
    handleOf(*Side.Datatype, T.Datatype);
  if (T.Datatype.K == Answer::Derived)
    add(*Side.Datatype, "be derived", "derived", bits(*Side.Datatype));
  if (Side.Datatype && T.DatatypeSize)
    add(*Side.Datatype, "have elements of " + Twine(*T.DatatypeSize) + " bytes", "element",
        bits(*Side.Datatype) + ", " + Twine(*T.DatatypeSize));
  if (Side.Count && Side.Datatype)
    bytes(Side, T);
  bool IsLocal = T.Node == NodeClass::Local;
  if (T.Node != NodeClass::Dynamic)
    add(*Side.Peer, IsLocal ? "be the caller's rank" : "differ from the caller's rank", "peer",
        NameOf(*Side.Peer) + ", " + bits(Role::Comm) + (IsLocal ? ", 1" : ", 0"));
}

/// A prediction that does not hold is no fault. At its end the program prints for each prediction
/// how often it held.
void Checks::prediction(const Prediction &P) {
  std::string Claim = ("be " + text(P.Value) + " (" + Twine(P.Percent) + " %)").str();
  std::string Value;
  if (P.Value.K == Answer::Derived)
    Value = "mpispec_check_is_derived(" + bits(P.Argument) + ")";
  else if (P.Value.K == Answer::Handle)
    Value = bits(P.Argument) + " == " + P.Value.Bits;
  else
    Value = formatv("{0} == {1}", NameOf(P.Argument), P.Value.Low).str();
  add(P.Argument, Claim, "prediction", Value, "predicted");
}

void Checks::size(const Transfer &Side, const PredictedSize &P) {
  add(*Side.Count, ("make it " + text(P.Size) + " (" + Twine(P.Percent) + " %)").str(),
      "size_class",
      formatv("{0}, {1}, {2}, {3}", NameOf(*Side.Count), bits(*Side.Datatype), mpispec_short_bytes,
              P.Size == SizeClass::Long ? 1 : 0)
          .str(),
      "predicted");
}

FactChecks Checks::take() {
  if (!Number)
    return {};
  return {formatv("static struct mpispec_check {0}[] = {{\n{1}};\n", arrayName(Site), Claims),
          std::move(Statements)};
}

FactChecks factChecks(const CallSite &Site, const SiteFacts &Facts,
                      function_ref<StringRef(Role)> NameOf) {
  Checks Result(Site, NameOf);
  if (Site.Function->find(Role::Root))
    Result.integer(Role::Root, Facts.Root);
  if (Site.Function->find(Role::Comm))
    Result.handleOf(Role::Comm, Facts.Comm);
  if (Site.Function->find(Role::Op))
    Result.handleOf(Role::Op, Facts.Op);
  SmallVector<Transfer, 2> Sides = transfersOf(*Site.Function);
  for (auto [Side, T] : zip(Sides, Facts.Transfers))
    Result.transfer(Side, T);
  for (const Prediction &P : Facts.Predictions)
    Result.prediction(P);
  for (const PredictedSize &P : predictedSizes(*Site.Function, Facts))
    Result.size(Sides[P.Side], P);
  return Result.take();
}

} // namespace mpispec
