//===- MissedFacts.cpp - What kept a call from a better template ------------------------------===//
#include "Selection/MissedFacts.h"
#include "Selection/Selector.h"
#include "Support/Remarks.h"
#include "mpispec/bounds.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/Twine.h"

using namespace llvm;

namespace mpispec {

/// What a person could do about an obstacle that the front end met.
static std::string obstacleText(const CallSite &Site) {
  const RemarkInfo *Row = lookUpRemark(Site.Obstacle);
  std::string Edit =
      StringSwitch<std::string>(Site.Obstacle)
          .Case("callee-attribute", ": drop the attribute, if nobody relies on it")
          .Case("in-system-macro",
                ": write " + Site.Callee + " instead of the macro '" + Site.EnclosingMacro + "'")
          .Case("in-system-header", ": name its directory with -I, if it is the program's own")
          .Default("");
  return (Row ? Row->Sentence.str() : Site.Obstacle) + Edit;
}

std::optional<Missed> reasonToLeaveAlone(const CallSite &Site, const SiteFacts &Facts) {
  if (templatesOf(Site.Function->Name).empty())
    return Missed{"no-template", "", "there is no template for " + Site.Callee};
  if (!Site.Obstacle.empty())
    return Missed{Site.Obstacle, "", obstacleText(Site)};
  if (Facts.Copies == 0)
    return Missed{"never-executed", "",
                  "the call is never executed in this translation unit: remove it, or leave it"};
  return std::nullopt;
}

std::optional<Missed> reasonNotToInline(const CallSite &Site, const SiteFacts &Facts,
                                        ArrayRef<CallSite> Sites) {
  if (Site.Function->Kind != FunctionKind::Collective || Facts.Runs == Repetition::Repeated)
    return std::nullopt;
  const char *Switch = "; --mpispec-inline-all inlines it";
  if (Facts.Runs == Repetition::Once)
    return Missed{"not-in-a-loop", "",
                  "the call is executed once at most, so the ordinary call serves as well" +
                      std::string(Switch)};
  unsigned Beside = count_if(Sites, [&](const CallSite &Other) {
    return Other.Number != Site.Number && Other.Function->Kind == FunctionKind::Collective &&
           Other.EnclosingFunction == Site.EnclosingFunction &&
           Other.DeclarationLocation == Site.DeclarationLocation;
  });
  if (!Beside)
    return std::nullopt;
  return Missed{"not-in-a-loop", "",
                "the call is in no loop, and '" + Site.EnclosingFunction + "' has " +
                    utostr(Beside) + " more collective operation" + (Beside == 1 ? "" : "s") +
                    ": give it a function of its own, if it is called often" + Switch};
}

namespace {

/// Collects what one site misses.
class Explainer {
public:
  Explainer(const CallSite &Site, const SiteFacts &Facts) : Site(Site), Facts(Facts) {}

  std::vector<Missed> explain(const TemplateInfo &Chosen);

private:
  void explainSize();
  void explainDatatypes();
  void explainNode();
  void explainStatus();
  void explainPartialFacts();
  void explainCount(const Transfer &Side, const TransferFacts &Known);
  void explainDatatype(StringRef Remark, const Transfer &Side, const TransferFacts &Known);
  void explainPeer(const Transfer &Side, const TransferFacts &Known);
  void explainDifference(StringRef Argument, StringRef Sending, StringRef Receiving);

  void add(StringRef Remark, StringRef Argument, const Twine &Text) {
    assert(lookUpRemark(Remark) && "a remark needs its row in Remarks.def");
    // Both sides of a Sendrecv_replace share count and datatype: one line is enough.
    if (none_of(Missing,
                [&](const Missed &M) { return M.Remark == Remark && M.Argument == Argument; }))
      Missing.push_back({Remark.str(), Argument.str(), Text.str()});
  }
  /// The argument with role \p R as the program has it, cut short if it is long.
  std::string written(Role R) const;
  /// "count 'n'": the role and what is written for it.
  std::string named(Role R) const { return (text(R) + " '" + written(R) + "'").str(); }
  std::string constantEdit(Role R) const;

  const CallSite &Site;
  const SiteFacts &Facts;
  std::vector<Missed> Missing;
};

} // namespace

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

std::vector<Missed> Explainer::explain(const TemplateInfo &Chosen) {
  auto Has = [&](auto Requirement) {
    return any_of(templatesOf(Chosen.Function), [&](const TemplateInfo &T) {
      return Requirement(T.Requires) && !Requirement(Chosen.Requires);
    });
  };
  if (Has([](const CallFacts &F) { return F.Size != SizeClass::Dynamic; }))
    explainSize();
  else if (Has([](const CallFacts &F) { return F.PredefinedDatatype; }))
    explainDatatypes();
  if (Has([](const CallFacts &F) { return F.Node != NodeClass::Dynamic; }))
    explainNode();
  if (Has([](const CallFacts &F) { return F.StatusIgnored; }))
    explainStatus();
  explainPartialFacts();
  return std::move(Missing);
}

void Explainer::explainSize() {
  for (const auto &[Side, Known] : zip(transfersOf(*Site.Function), Facts.Transfers)) {
    bool SizeIsKnown = Known.Size != SizeClass::Dynamic;
    if (!Known.Contiguous)
      explainDatatype(SizeIsKnown ? "datatype-unknown" : "size-unknown", Side, Known);
    if (!SizeIsKnown && !(Known.Count.isKnown() && !Known.Contiguous))
      explainCount(Side, Known);
  }
  if (Missing.empty() && Facts.Transfers.size() == 2)
    explainDifference("count", text(Facts.Transfers[0].Size), text(Facts.Transfers[1].Size));
}

void Explainer::explainDatatypes() {
  for (const auto &[Side, Known] : zip(transfersOf(*Site.Function), Facts.Transfers))
    if (!Known.Contiguous)
      explainDatatype("datatype-unknown", Side, Known);
}

void Explainer::explainCount(const Transfer &Side, const TransferFacts &Known) {
  if (!Side.Count)
    return;
  std::string Problem = Known.Count.K == Answer::Range
                            ? "is in " + text(Known.Count) + ", on both sides of the short bound"
                            : std::string("is unknown");
  std::string Guard;
  if (Known.DatatypeSize.value_or(0) > 0 && !StringRef(written(*Side.Count)).ends_with("..."))
    Guard = "; 'if (" + written(*Side.Count) +
            " <= " + utostr(mpispec_short_bytes / *Known.DatatypeSize) +
            ")' around the call makes it short";
  add("size-unknown", text(*Side.Count),
      named(*Side.Count) + " " + Problem + ": " + constantEdit(*Side.Count) + Guard);
}

void Explainer::explainDatatype(StringRef Remark, const Transfer &Side,
                                const TransferFacts &Known) {
  if (!Side.Datatype)
    return;
  StringRef Argument = text(*Side.Datatype);
  if (Known.Datatype.K == Answer::Handle)
    add(Remark, Argument,
        Twine(Known.Datatype.Name) +
            " may have gaps in memory: use a datatype without gaps, if one describes the data");
  else
    add(Remark, Argument,
        named(*Side.Datatype) + " is not proven to be predefined: pass a predefined datatype such "
                                "as MPI_DOUBLE, if one describes the data");
}

void Explainer::explainNode() {
  for (const auto &[Side, Known] : zip(transfersOf(*Site.Function), Facts.Transfers))
    if (Known.PeerIsWildcard || Known.PeerMayBeWildcard || Known.Node == NodeClass::Dynamic)
      explainPeer(Side, Known);
  if (none_of(Missing,
              [](const Missed &M) {
                return M.Remark == "peer-unknown" || M.Remark == "wildcard-source";
              }) &&
      Facts.Transfers.size() == 2)
    explainDifference("peer", text(Facts.Transfers[0].Node), text(Facts.Transfers[1].Node));
}

void Explainer::explainPeer(const Transfer &Side, const TransferFacts &Known) {
  if (!Side.Peer || Known.PeerIsNull)
    return;
  StringRef Argument = text(*Side.Peer);
  if (Known.PeerIsWildcard)
    return add("wildcard-source", Argument,
               Twine(Argument) + " is MPI_ANY_SOURCE: name the rank, if only one can send here");
  std::string Peer = written(*Side.Peer);
  bool MayBeWildcard = Known.PeerMayBeWildcard;
  add("peer-unknown", Argument,
      named(*Side.Peer) + " may be this process itself" +
          (MayBeWildcard ? " or MPI_ANY_SOURCE" : "") + ": guard the call with 'if (" +
          (MayBeWildcard ? Peer + " >= 0 && " : "") + Peer + " != rank)', rank being that in " +
          written(Role::Comm));
}

void Explainer::explainDifference(StringRef Argument, StringRef Sending, StringRef Receiving) {
  add("sides-differ", Argument,
      "the sending side is " + Sending + " and the receiving side " + Receiving +
          ": a nonblocking receive and a send would get a template each");
}

void Explainer::explainStatus() {
  bool Several = Site.Function->find(Role::Statuses).has_value();
  Role R = Several ? Role::Statuses : Role::Status;
  add("status-used", text(R),
      named(R) + " is not proven to be ignored: pass " +
          (Several ? "MPI_STATUSES_IGNORE" : "MPI_STATUS_IGNORE") + ", if nobody reads it");
}

void Explainer::explainPartialFacts() {
  for (const std::string &Fact : Facts.Partial)
    Missing.push_back({"partial-facts", "",
                       Fact + ": give each case its own call, or make '" + Site.EnclosingFunction +
                           "' one function a case"});
}

std::vector<Missed> missedFacts(const CallSite &Site, const SiteFacts &Facts,
                                const TemplateInfo &Chosen) {
  return Explainer(Site, Facts).explain(Chosen);
}

} // namespace mpispec
