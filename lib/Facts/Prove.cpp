//===- Prove.cpp - The optimizer's proof of facts about every call site -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Facts/Prove.h"
#include "Facts/Answers.h"
#include "Facts/FieldValues.h"
#include "Facts/Folds.h"
#include "Facts/Model.h"
#include "Facts/Questions.h"
#include "Facts/Reach.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Passes/StandardInstrumentations.h"

using namespace llvm;

namespace mpispec {

/// Options for the ordinary -O2 pipeline, without passes that only make code faster.
static PipelineTuningOptions tuning() {
  PipelineTuningOptions Options;
  Options.LoopInterleaving = false;
  Options.LoopVectorization = false;
  Options.SLPVectorization = false;
  Options.LoopUnrolling = false;
  return Options;
}

ProvenFacts proveFacts(ParsedUnit &Unit) {
  Module &M = Unit.module();
  if (Unit.Sites.empty() && Unit.Watched.empty())
    return {};
  keepSharedFunctions(M);
  setAsideUnrelatedFunctions(M);
  modelMPI(M, Unit.Sites, Unit.Watched, Unit.Values);
  plantQuestions(M, Unit.Sites, Unit.Values);

  // Passes do not test for optnone themselves. These callbacks skip the functions that
  // setAsideUnrelatedFunctions() has marked.
  PassInstrumentationCallbacks Callbacks;
  OptNoneInstrumentation LeavesSetAside(/*DebugLogging=*/false);
  LeavesSetAside.registerCallbacks(Callbacks);
  PassBuilder Builder(/*TM=*/nullptr, tuning(), /*PGOOpt=*/std::nullopt, &Callbacks);
  LoopAnalysisManager Loops;
  FunctionAnalysisManager Functions;
  CGSCCAnalysisManager Components;
  ModuleAnalysisManager Modules;
  Functions.registerPass(
      [&] { return TargetLibraryAnalysis(TargetLibraryInfoImpl(M.getTargetTriple())); });
  Builder.registerModuleAnalyses(Modules);
  Builder.registerCGSCCAnalyses(Components);
  Builder.registerFunctionAnalyses(Functions);
  Builder.registerLoopAnalyses(Loops);
  Builder.crossRegisterProxies(Loops, Functions, Components, Modules);
  Builder.registerPipelineEarlySimplificationEPCallback(
      [](ModulePassManager &Passes, OptimizationLevel, ThinOrFullLTOPhase) {
        Passes.addPass(FoldFieldValues());
      });
  Builder.registerPeepholeEPCallback([&](FunctionPassManager &Passes, OptimizationLevel) {
    Passes.addPass(FoldMPI(Unit.Values, Unit.Sites));
  });
  Builder.buildModuleSimplificationPipeline(OptimizationLevel::O2, ThinOrFullLTOPhase::None)
      .run(M, Modules);

  return {readAnswers(M, Unit.Sites, Unit.Values, Functions),
          readWarnings(M, Unit.Watched, Unit.Values, Functions)};
}

} // namespace mpispec
