//===- UnmatchedTags.cpp - Tags of messages whose other end is missing ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Lint/UnmatchedTags.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include <map>
#include <set>

using namespace llvm;

namespace mpispec {

static bool isWholeProgram(ArrayRef<UnitReport> Reports) {
  StringSet<> Defined;
  for (const UnitReport &Report : Reports)
    for (const std::string &Name : Report.Defines)
      Defined.insert(Name);
  return Defined.contains("main") && all_of(Reports, [&](const UnitReport &Report) {
           return all_of(Report.Uses,
                         [&](const std::string &Name) { return Defined.contains(Name); });
         });
}

namespace {
/// The numbers that the calls of all units pass to parameters.
class Numbers {
public:
  explicit Numbers(ArrayRef<UnitReport> Reports) {
    for (const UnitReport &Report : Reports)
      for (const GivenNumbers &Given : Report.Given)
        OfParameter[keyOf(Given.To)].push_back(&Given);
  }
  /// Adds all possible values of \p Of to \p Found. Returns false if they are unknown.
  bool collect(const ParameterOf &Of, std::vector<const GivenNumber *> &Found) {
    std::set<Key> Seen;
    return collect(Of, Seen, Found);
  }

private:
  using Key = std::pair<std::string, unsigned>;
  static Key keyOf(const ParameterOf &P) { return {P.Function, P.Index}; }
  bool collect(const ParameterOf &Of, std::set<Key> &Seen, std::vector<const GivenNumber *> &Found);
  std::map<Key, std::vector<const GivenNumbers *>> OfParameter;
};
} // namespace

bool Numbers::collect(const ParameterOf &Of, std::set<Key> &Seen,
                      std::vector<const GivenNumber *> &Found) {
  if (!Seen.insert(keyOf(Of)).second)
    return true; // a recursion
  auto Given = OfParameter.find(keyOf(Of));
  if (Given == OfParameter.end())
    return false; // no visible code calls it
  return all_of(Given->second, [&](const GivenNumbers *InUnit) {
    for (const GivenNumber &N : InUnit->Numbers)
      Found.push_back(&N);
    return !InUnit->IsOpen && all_of(InUnit->From, [&](const ParameterOf &Outer) {
      return collect(Outer, Seen, Found);
    });
  });
}

/// Adds \p End. If its tag is a parameter with known values, adds an end for each call that passes
/// a value instead.
static void addEnds(const MessageEnd &End, Numbers &Known, std::vector<MessageEnd> &All) {
  std::vector<const GivenNumber *> Tags;
  if (End.Tag.Function.empty() || !Known.collect(End.Tag, Tags))
    return All.push_back(End);
  for (const GivenNumber *Tag : Tags) {
    MessageEnd OfCall = End;
    OfCall.Callee = Tag->Name + " hands on to " + End.Callee;
    OfCall.Where = Tag->Where;
    OfCall.NeedsOther &= !Tag->IsDead;
    OfCall.Tags = {TagRange{Tag->Value, Tag->Value}};
    if (End.Receives && Tag->Value < 0) // MPI_ANY_TAG
      OfCall.Tags = {AnyTag};
    All.push_back(std::move(OfCall));
  }
}

/// May \p A and \p B be ends of one message, if their tags are ignored?
static bool mayMeet(const MessageEnd &A, const MessageEnd &B) {
  bool SameComm = A.Comm.empty() || B.Comm.empty() || A.Comm == B.Comm;
  return A.Receives != B.Receives && SameComm;
}

/// The least distance between the tags of two ends; 0 if both can have the same tag.
static int64_t distance(const MessageEnd &A, const MessageEnd &B) {
  int64_t Least = INT64_MAX;
  for (const TagRange &X : A.Tags)
    for (const TagRange &Y : B.Tags)
      Least = std::min(Least, std::max<int64_t>({0, X.Low - Y.High, Y.Low - X.High}));
  return Least;
}

static std::string text(ArrayRef<TagRange> Tags) {
  return join(map_range(Tags,
                        [](const TagRange &T) {
                          return T.Low == T.High ? itostr(T.Low)
                                                 : itostr(T.Low) + " to " + itostr(T.High);
                        }),
              " or ");
}

/// "6 in halo.c:12 and 9 in main.c:20": those of \p Others whose tags are nearest to \p End's.
static std::string nearest(const MessageEnd &End, std::vector<const MessageEnd *> Others) {
  constexpr size_t MostNamed = 2;
  sort(Others, [&](const MessageEnd *A, const MessageEnd *B) {
    return std::make_tuple(distance(End, *A), A->Where.File, A->Where.Line, A->Where.Column) <
           std::make_tuple(distance(End, *B), B->Where.File, B->Where.Line, B->Where.Column);
  });
  SmallVector<std::string, MostNamed> Named;
  StringSet<> Seen;
  for (const MessageEnd *Other : Others)
    if (std::string Tags = text(Other->Tags); Named.size() < MostNamed && Seen.insert(Tags).second)
      Named.push_back(Tags + " in " + Other->Where.File + ":" + utostr(Other->Where.Line));
  return join(Named, " and ");
}

static void check(const MessageEnd &End, ArrayRef<MessageEnd> All,
                  std::vector<LintFinding> &Findings) {
  std::vector<const MessageEnd *> Others;
  for (const MessageEnd &Other : All) {
    if (!mayMeet(End, Other))
      continue;
    if (!distance(End, Other))
      return;
    Others.push_back(&Other);
  }
  std::string Text = End.Callee + ": " + End.Argument + " is " + text(End.Tags) +
                     (End.Receives ? ", but nothing in the program sends that"
                                   : ", but no receive of the program takes that");
  if (!Others.empty())
    Text += "; the nearest " + std::string(End.Receives ? "sent" : "received") + ": " +
            nearest(End, std::move(Others));
  Findings.push_back({LintRule::Tags, End.Where, std::move(Text)});
}

void findUnmatchedTags(ArrayRef<UnitReport> Reports, std::vector<LintFinding> &Findings) {
  if (!isWholeProgram(Reports))
    return;
  Numbers Known(Reports);
  std::vector<MessageEnd> All;
  for (const UnitReport &Report : Reports)
    for (const MessageEnd &End : Report.Ends)
      addEnds(End, Known, All);
  // The range of an unknown value contains negative numbers, but tags of messages are not negative.
  auto IsProven = [](const TagRange &T) { return T.Low >= 0; };
  for (const MessageEnd &End : All)
    if (End.NeedsOther && all_of(End.Tags, IsProven))
      check(End, All, Findings);
}

} // namespace mpispec
