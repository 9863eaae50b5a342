//===- SharedTemplates.cpp - Calls that share a template's code -------------------------------===//
#include "Rewrite/SharedTemplates.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace mpispec {

/// Is there a template to share? Those of completions are short, or out of line as they are; those
/// of probes are inline only where a loop is seen.
static bool hasBody(const SpecialisedSites &Unit, size_t I) {
  FunctionKind Kind = Unit.Sites[I].Function->Kind;
  return Unit.Choices[I].Form == CallForm::Inline && Kind != FunctionKind::Completion &&
         Kind != FunctionKind::Probe;
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
    : Names(Unit.Sites.size()) {
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
  unsigned Functions = 0;
  for (const auto &[Definition, Calls] : Alike) {
    if (Calls.size() < 2)
      continue;
    std::string Name = "mpispec_shared_" + std::to_string(Functions++);
    size_t I = Calls.front();
    Text += sharedDefinition(Name, Unit.Sites[I], Unit.Facts[I], Unit.Choices[I], Style);
    for (size_t Call : Calls)
      Names[Call] = Name;
  }
}

} // namespace mpispec
