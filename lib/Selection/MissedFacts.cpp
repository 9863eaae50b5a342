//===- MissedFacts.cpp - Why a call did not get a better template -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Selection/MissedFacts.h"
#include "Selection/Selector.h"
#include "Selection/TemplateCatalog.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"

using namespace llvm;

namespace mpispec {

/// The edit that would remove an obstacle in the front end.
static std::string obstacleEdit(const CallSite &Site) {
  switch (*Site.Obstacle) {
  case RemarkID::CalleeAttribute:
    return ": drop the attribute, if nobody relies on it";
  case RemarkID::InSystemMacro:
    return ": write " + Site.Callee + " instead of the macro '" + Site.EnclosingMacro + "'";
  case RemarkID::InSystemHeader:
    return ": name its directory with -I, if it is the program's own";
  default:
    return "";
  }
}

std::optional<MissedFact> reasonToLeaveAlone(const CallSite &Site, const SiteFacts &Facts) {
  if (templateRowsOf(Site.Function->Name).empty())
    return MissedFact{RemarkID::NoTemplate, "", "there is no template for " + Site.Callee};
  if (Site.Obstacle)
    return MissedFact{*Site.Obstacle, "",
                      infoOf(*Site.Obstacle).Sentence.str() + obstacleEdit(Site)};
  if (Facts.Copies == 0)
    return MissedFact{
        RemarkID::NeverExecuted, "",
        "the call is never executed in this translation unit: remove it, or leave it"};
  return std::nullopt;
}

/// The reason in the profile not to inline a call. Nothing if there is none.
static std::optional<MissedFact> coldness(Placement Place, const RunFacts &Run) {
  constexpr uint64_t Often = 16, LeastPercentInReach = 5;
  auto Because = [](const Twine &Text) {
    return MissedFact{RemarkID::ColdInProfile, "", "in the profiled run " + Text.str()};
  };
  if (!Run.Calls)
    return Because("the call was never made");
  bool MustBeFrequent = Place == Placement::Shared || Place == Placement::Loops;
  if (MustBeFrequent && Run.MostCalls < Often)
    return Because("no rank made the call more than " + Twine(Run.MostCalls) +
                   (Run.MostCalls == 1 ? " time" : " times"));
  uint64_t Decided = Run.InReach + Run.OutOfReach;
  // If the runtime's table lacks the datatype of a call, the call is undecided (RunFacts).
  // Therefore a few decided calls prove nothing.
  if (Run.OutOfReach >= Often && Run.InReach * 100 < Decided * LeastPercentInReach)
    return Because(Twine(Run.OutOfReach) + " of " + Twine(Decided) +
                   " messages were too long for inline code, or had a datatype with gaps");
  return std::nullopt;
}

std::optional<MissedFact> reasonNotToInline(const CallSite &Site, const SiteFacts &Facts,
                                            ArrayRef<CallSite> Sites) {
  if (templateRowsOf(Site.Function->Name).empty())
    return std::nullopt;
  Placement Place = templateFunction(Site.Function->Name).Place;
  if (Facts.Run)
    return coldness(Place, *Facts.Run);
  if (Place == Placement::Loops && Facts.Runs != Repetition::Repeated)
    return MissedFact{RemarkID::NotInALoop, "",
                      "the call is in no loop: --mpispec-inline-all inlines it"};
  if (Place != Placement::Shared || Facts.Runs == Repetition::Repeated)
    return std::nullopt;
  if (Facts.Runs == Repetition::Once)
    return MissedFact{RemarkID::NotInALoop, "",
                      "the call is executed once at most, so the ordinary call serves as well"};
  unsigned Beside = count_if(Sites, [&](const CallSite &Other) {
    return Other.Number != Site.Number && Other.Function->Kind == FunctionKind::Collective &&
           Other.EnclosingFunction == Site.EnclosingFunction &&
           Other.DeclarationLocation == Site.DeclarationLocation;
  });
  if (!Beside)
    return std::nullopt;
  std::string Problem = "the call is in no loop, and '" + Site.EnclosingFunction + "' has " +
                        utostr(Beside) + " more collective operation" + (Beside == 1 ? "" : "s");
  if (!blockersOf(Site, Facts).empty()) // there is nothing to inline
    return MissedFact{RemarkID::NotInALoop, "", Problem};
  std::string Edit = "give it a function of its own, if it is called often; "
                     "--mpispec-inline-all inlines it";
  return MissedFact{RemarkID::NotInALoop,   "", Problem + ": " + Edit,
                    Site.EnclosingFunction, "", Edit};
}

namespace {

/// Collects the missed facts of one site.
class Explainer {
public:
  Explainer(const CallSite &Site, const SiteFacts &Facts)
      : Site(Site), Facts(Facts), Sides(transfersOf(*Site.Function)) {}

  std::vector<MissedFact> explain(ArrayRef<Blocker> Blockers);

private:
  void explainBlocker(Blocker B);
  void explainSource(const Transfer &Side);
  void explainTag(const Transfer &Side);
  void explainDatatype(const Transfer &Side, const TransferFacts &Known);
  void explainCount(const Transfer &Side, const TransferFacts &Known);
  void explainPeers();
  void explainStatus();
  void explainPartialFacts();
  bool isOrdinary() const { return !Blockers.empty(); }

  void add(RemarkID Remark, Role R, const Twine &Problem, const Twine &Edit);
  /// The text of the argument with role \p R, shortened if it is long.
  std::string written(Role R) const;
  /// "count 'n'": the role and what is written for it.
  std::string named(Role R) const { return (text(R) + " '" + written(R) + "'").str(); }
  std::string constantEdit(Role R) const;

  const CallSite &Site;
  const SiteFacts &Facts;
  const SmallVector<Transfer, 2> Sides;
  ArrayRef<Blocker> Blockers;
  std::vector<MissedFact> Missing;
};

} // namespace

void Explainer::add(RemarkID Remark, Role R, const Twine &Problem, const Twine &Edit) {
  // Both sides of a Sendrecv_replace share count and datatype: one line is enough.
  if (any_of(Missing,
             [&](const MissedFact &M) { return M.Remark == Remark && M.Argument == text(R); }))
    return;
  Spelling::Kind Kind = Site.Spellings[*Site.Function->find(R)].K;
  bool BelongsToUnit = Kind == Spelling::Static || Kind == Spelling::Constant;
  Missing.push_back({Remark, text(R).str(), (Problem + ": " + Edit).str(), written(R),
                     BelongsToUnit ? "" : Site.EnclosingFunction, Edit.str()});
}

std::string Explainer::written(Role R) const {
  constexpr size_t Longest = 48;
  std::optional<unsigned> Index = Site.Function->find(R);
  if (!Index || *Index >= Site.Arguments.size())
    return "";
  StringRef Text = Site.Arguments[*Index];
  return Text.size() <= Longest ? Text.str() : (Text.take_front(Longest - 3) + "...").str();
}

/// The edit that makes the argument with role \p R a constant.
std::string Explainer::constantEdit(Role R) const {
  const Spelling &S = Site.Spellings[*Site.Function->find(R)];
  switch (S.K) {
  case Spelling::Parameter:
    return "make '" + Site.EnclosingFunction + "' static and pass it one constant everywhere";
  case Spelling::Static:
  case Spelling::Local:
    return "make '" + S.Text + "' const, or pass a literal";
  case Spelling::Constant:
  case Spelling::Expression:
    return "pass a constant";
  }
  llvm_unreachable("unknown kind of spelling");
}

std::vector<MissedFact> Explainer::explain(ArrayRef<Blocker> Blockers) {
  this->Blockers = Blockers;
  if (any_of(Blockers, [](const Blocker &B) { return !B.canBeLifted(); }))
    return std::move(Missing);
  for (const Blocker &B : Blockers)
    explainBlocker(B);
  if (!isOrdinary()) {
    for (const auto &[Side, Known] : zip(Sides, Facts.Transfers)) {
      if (Known.PeerIsWildcard)
        explainSource(Side);
      if (Known.hasAnyTag())
        explainTag(Side);
      bool IsOpen =
          Known.Size == SizeClass::Dynamic ||
          (Known.Size == SizeClass::Short && Known.Bytes.K == Answer::Range && isLong(Site, Facts));
      if (IsOpen && Side.Count)
        explainCount(Side, Known);
    }
    explainPeers();
    explainStatus();
  }
  explainPartialFacts();
  return std::move(Missing);
}

void Explainer::explainBlocker(Blocker B) {
  const Transfer &Side = Sides[B.Side];
  const TransferFacts &Known = Facts.Transfers[B.Side];
  switch (B.K) {
  case Blocker::UnknownDatatype:
    return explainDatatype(Side, Known);
  case Blocker::UnknownOperation:
    return add(RemarkID::OperationUnknown, Role::Op,
               named(Role::Op) + " is not proven to be predefined",
               "pass a predefined operation such as MPI_SUM, if one does it");
  case Blocker::WildcardSource:
    return explainSource(Side);
  case Blocker::WildcardTag:
    return explainTag(Side);
  default:
    llvm_unreachable("no edit lifts it");
  }
}

void Explainer::explainSource(const Transfer &Side) {
  add(RemarkID::WildcardSource, *Side.Peer, text(*Side.Peer) + " is MPI_ANY_SOURCE",
      "name the rank, if only one can send here");
}

void Explainer::explainTag(const Transfer &Side) {
  add(RemarkID::WildcardTag, *Side.Tag, text(*Side.Tag) + " is MPI_ANY_TAG",
      "name the tag, if only one is sent here");
}

void Explainer::explainDatatype(const Transfer &Side, const TransferFacts &Known) {
  if (Known.Datatype.K == Answer::Derived)
    add(RemarkID::DatatypeUnknown, *Side.Datatype, named(*Side.Datatype) + " is a derived one",
        "use a predefined datatype, if the data lies side by side");
  else if (Known.Datatype.K == Answer::Handle)
    add(RemarkID::DatatypeUnknown, *Side.Datatype,
        Twine(Known.Datatype.Name) + " may have gaps in memory",
        "use a datatype without gaps, if one describes the data");
  else
    add(RemarkID::DatatypeUnknown, *Side.Datatype,
        named(*Side.Datatype) + " is not proven to be predefined",
        "pass a predefined datatype such as MPI_DOUBLE, if one describes the data");
}

void Explainer::explainCount(const Transfer &Side, const TransferFacts &Known) {
  bool IsRange = Known.Count.K == Answer::Range;
  add(RemarkID::SizeUnknown, *Side.Count,
      named(*Side.Count) + (IsRange ? " is in " + text(Known.Count) : " is unknown"),
      constantEdit(*Side.Count));
}

void Explainer::explainPeers() {
  if (!dependsOnNode(Site.Function->Name) ||
      any_of(Facts.Transfers, [](const TransferFacts &T) { return T.Node == NodeClass::Local; }))
    return;
  for (const auto &[Side, Known] : zip(Sides, Facts.Transfers)) {
    if (Known.Node == NodeClass::Remote && !Known.PeerMayBeWildcard)
      continue;
    std::string Peer = written(*Side.Peer);
    bool MayBeWildcard = Known.PeerMayBeWildcard;
    add(RemarkID::PeerUnknown, *Side.Peer,
        named(*Side.Peer) + " may be this process itself" +
            (MayBeWildcard ? " or MPI_ANY_SOURCE" : ""),
        "guard the call with 'if (" + (MayBeWildcard ? Peer + " >= 0 && " : "") + Peer +
            " != rank)', rank being that in " + written(Role::Comm));
  }
}

void Explainer::explainStatus() {
  if (!dependsOnStatus(Site.Function->Name) || Facts.StatusIgnored || Facts.StatusUnread)
    return;
  bool Several = Site.Function->find(Role::Statuses).has_value();
  Role R = Several ? Role::Statuses : Role::Status;
  add(RemarkID::StatusUsed, R, named(R) + " is not proven to be ignored",
      Twine("pass ") + (Several ? "MPI_STATUSES_IGNORE" : "MPI_STATUS_IGNORE") +
          ", if nobody reads it");
}

/// Reports facts that hold in some copies only and would change the code. The user can then write
/// several calls in the source.
void Explainer::explainPartialFacts() {
  for (const std::string &Fact : Facts.Partial) {
    if (!StringRef(Fact).contains("count is ") && !StringRef(Fact).contains("datatype is "))
      continue;
    std::string Edit =
        "give each case its own call, or make '" + Site.EnclosingFunction + "' one function a case";
    Missing.push_back(
        {RemarkID::PartialFacts, "", Fact + ": " + Edit, Site.EnclosingFunction, "", Edit});
  }
}

std::vector<MissedFact> missedFacts(const CallSite &Site, const SiteFacts &Facts,
                                    ArrayRef<Blocker> Blockers) {
  return Explainer(Site, Facts).explain(Blockers);
}

} // namespace mpispec
