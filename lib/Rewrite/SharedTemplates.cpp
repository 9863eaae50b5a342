//===- SharedTemplates.cpp - Calls that share a template's code -------------------------------===//
#include "Rewrite/SharedTemplates.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace llvm;

namespace mpispec {

/// Is there a template to share? Those of completions are short, or out of line as they are; those
/// of probes are inline only where a loop is seen.
static bool hasBody(const SpecialisedSites &Unit, size_t I) {
  FunctionKind Kind = Unit.Sites[I].Function->Kind;
  return Unit.Choices[I].Form == CallForm::Inline && Unit.Choices[I].HasProven &&
         Kind != FunctionKind::Completion && Kind != FunctionKind::Probe;
}

/// The calls whose templates are inlined whatever else is in the unit.
static std::vector<bool> inlinedCalls(const SpecialisedSites &Unit) {
  std::vector<bool> Inlined(Unit.Sites.size());
  unsigned Left = InlinedCalls;
  for (bool InLoops : {true, false})
    for (size_t I = 0; I < Inlined.size() && Left > 0; ++I) {
      bool IsRepeated = Unit.Facts[I].Runs == Repetition::Repeated;
      if (IsRepeated != InLoops || !hasBody(Unit, I) ||
          Unit.Sites[I].Function->Kind == FunctionKind::Collective)
        continue;
      Inlined[I] = true;
      --Left;
    }
  return Inlined;
}

SharedTemplates::SharedTemplates(const SpecialisedSites &Unit, const DefinitionStyle &Style)
    : Names(Unit.Sites.size()), Versions(Unit.Sites.size()) {
  std::vector<bool> Inlined = inlinedCalls(Unit);
  MapVector<StringRef, std::vector<size_t>> Alike; ///< by what would be the text of the function
  std::vector<std::string> Texts(Unit.Sites.size());
  for (size_t I = 0; I < Names.size(); ++I) {
    if (!hasBody(Unit, I) || Inlined[I])
      continue;
    Texts[I] =
        sharedDefinition("mpispec_shared", Unit.Sites[I], Unit.Facts[I], Unit.Choices[I], Style);
    if (!Texts[I].empty())
      Alike[Texts[I]].push_back(I);
  }
  for (const auto &[Definition, Calls] : Alike) {
    if (Calls.size() < 2)
      continue;
    std::string Name = "mpispec_shared_" + std::to_string(Functions++);
    size_t I = Calls.front();
    Text += sharedDefinition(Name, Unit.Sites[I], Unit.Facts[I], Unit.Choices[I], Style);
    for (size_t Call : Calls)
      Names[Call] = Name;
  }
  shareVersions(Unit, Style);
}

void SharedTemplates::shareVersions(const SpecialisedSites &Unit, const DefinitionStyle &Style) {
  StringMap<std::string> ByText;
  for (size_t I = 0; I < Versions.size(); ++I)
    for (const Version &V : Unit.Choices[I].Versions) {
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
