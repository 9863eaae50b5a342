//===- SharedTemplates.cpp - Calls that share a template's code -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Rewrite/SharedTemplates.h"
#include "Selection/TemplateCatalog.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include <tuple>

using namespace llvm;

namespace mpispec {

static Placement placementOf(const SpecialisedSites &Unit, size_t I) {
  return templateFunction(Unit.Sites[I].Function->Name).Place;
}

/// Does the call have a template that it may share with other calls?
static bool isShareable(const SpecialisedSites &Unit, size_t I) {
  if (Unit.Choices[I].Form != CallForm::Inline || !Unit.Choices[I].HasProven)
    return false;
  return placementOf(Unit, I) == Placement::HotCalls || placementOf(Unit, I) == Placement::Shared;
}

/// Does the runtime execute the message? Then the body is a call of the runtime. It is out of line
/// even if no other call shares it.
static bool isLong(const SpecialisedSites &Unit, size_t I) {
  return isShareable(Unit, I) && templateNamed(Unit.Choices[I].Template).isLong();
}

/// The heat of a call: the number of calls in the profiled run. Without a profile, a call in a loop
/// is hotter than others. The hottest calls are inlined.
static uint64_t heatOf(const SiteFacts &Facts) {
  return Facts.Run ? Facts.Run->Calls : Facts.Runs == Repetition::Repeated;
}

/// Does the call have templates only for predictions, and was the first value nearly always right
/// in a profiled run? Then the template for that value may be inlined.
static bool hasSureVersion(const SpecialisedSites &Unit, size_t I) {
  constexpr unsigned NearlyAlways = 90; // percent
  const Choice &C = Unit.Choices[I];
  return Unit.Facts[I].Run && !C.HasProven && !C.Versions.empty() &&
         all_of(C.Versions.front().Assumed,
                [](const Prediction &P) { return P.Percent >= NearlyAlways; });
}

/// The calls whose templates are inlined although other calls could share them.
static std::vector<bool> inlinedCalls(const SpecialisedSites &Unit) {
  std::vector<bool> Inlined(Unit.Sites.size());
  std::vector<size_t> Candidates;
  for (size_t I = 0; I < Inlined.size(); ++I)
    if ((isShareable(Unit, I) || hasSureVersion(Unit, I)) &&
        placementOf(Unit, I) != Placement::Shared && !isLong(Unit, I))
      Candidates.push_back(I);
  llvm::sort(Candidates, [&](size_t L, size_t R) {
    uint64_t HeatL = heatOf(Unit.Facts[L]), HeatR = heatOf(Unit.Facts[R]);
    return std::tie(HeatR, L) < std::tie(HeatL, R);
  });
  for (size_t I : ArrayRef(Candidates).take_front(InlinedCalls))
    Inlined[I] = true;
  return Inlined;
}

SharedTemplates::SharedTemplates(const SpecialisedSites &Unit, const DefinitionStyle &Style)
    : Names(Unit.Sites.size()), Versions(Unit.Sites.size()) {
  std::vector<bool> Inlined = inlinedCalls(Unit);
  MapVector<StringRef, std::vector<size_t>> Alike; ///< by the text of the shared function
  std::vector<std::string> Texts(Unit.Sites.size());
  for (size_t I = 0; I < Names.size(); ++I) {
    if (!isShareable(Unit, I) || Inlined[I])
      continue;
    Texts[I] =
        sharedDefinition("mpispec_shared", Unit.Sites[I], Unit.Facts[I], Unit.Choices[I], Style);
    if (!Texts[I].empty())
      Alike[Texts[I]].push_back(I);
  }
  for (const auto &[Definition, Calls] : Alike) {
    if (Calls.size() < 2 && !isLong(Unit, Calls.front()))
      continue;
    std::string Name = "mpispec_shared_" + std::to_string(Functions++);
    size_t I = Calls.front();
    Text += sharedDefinition(Name, Unit.Sites[I], Unit.Facts[I], Unit.Choices[I], Style);
    for (size_t Call : Calls)
      Names[Call] = Name;
  }
  shareVersions(Unit, Inlined, Style);
}

void SharedTemplates::shareVersions(const SpecialisedSites &Unit, const std::vector<bool> &Inlined,
                                    const DefinitionStyle &Style) {
  StringMap<std::string> ByText;
  for (size_t I = 0; I < Versions.size(); ++I)
    for (const Version &V : Unit.Choices[I].Versions) {
      if (Versions[I].empty() && Inlined[I] && hasSureVersion(Unit, I)) {
        Versions[I].push_back("");
        continue;
      }
      Choice Assumed;
      Assumed.Template = V.Template;
      auto Definition = [&](StringRef Name) {
        return sharedDefinition(Name, Unit.Sites[I], V.Facts, Assumed, Style, /*IsVersion=*/true);
      };
      auto [Known, IsNew] = ByText.try_emplace(Definition("mpispec_shared"));
      if (IsNew && !Known->first().empty()) {
        Known->second = "mpispec_shared_" + std::to_string(Functions++);
        Text += Definition(Known->second);
      }
      Versions[I].push_back(Known->second);
    }
}

} // namespace mpispec
