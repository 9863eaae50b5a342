//===- FlangSource.cpp - A Fortran source, parsed and checked by flang ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Fortran/FlangSource.h"
#include "Fortran/MpiModules.h"
#include "flang/Evaluate/fold.h"
#include "flang/Parser/parse-tree-visitor.h"
#include "flang/Semantics/scope.h"
#include "flang/Semantics/symbol.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <unistd.h>

using namespace llvm;
using namespace Fortran;

namespace mpispec {

/// The first error in \p Messages, as one line.
static Error firstError(parser::Messages &Messages, const parser::AllCookedSources &Cooked) {
  std::string Text;
  raw_string_ostream OS(Text);
  Messages.Emit(OS, Cooked, /*echoSourceLines=*/false);
  auto [Line, Rest] = StringRef(Text).split('\n');
  while (!Line.contains("error: ") && !Rest.empty())
    std::tie(Line, Rest) = Rest.split('\n');
  return createStringError(Line.empty() ? "flang cannot parse it" : Line.str());
}

/// Where flang's own modules (iso_c_binding, ...) are: beside the installed program, or where flang
/// was at build time.
static const std::string &intrinsicModules() {
  static const std::string Directory = [] {
    SmallString<256> Path(
        sys::fs::getMainExecutable(nullptr, reinterpret_cast<void *>(&firstError)));
    sys::path::remove_filename(Path);
    sys::path::append(Path, "flang");
    return sys::fs::exists(Path) ? Path.str().str() : std::string(MPISPEC_FLANG_MODULES);
  }();
  return Directory;
}

FlangSource::FlangSource(const FortranSource &Source, StringRef ModuleDirectory)
    : Source(Source), ModuleDirectory(ModuleDirectory) {
  Kinds.set_defaultIntegerKind(Source.IntegerKind).set_defaultLogicalKind(Source.IntegerKind);
  Kinds.set_defaultRealKind(Source.RealKind).set_doublePrecisionKind(Source.DoubleKind);
  if (Source.HasOpenMP)
    Features.Enable(common::LanguageFeature::OpenMP);
  Context = std::make_unique<semantics::SemanticsContext>(Kinds, Features, Language, Cooked);
  Context->set_moduleDirectory(this->ModuleDirectory)
      .set_searchDirectories({this->ModuleDirectory})
      .set_intrinsicModuleDirectories({intrinsicModules()});
  Context->targetCharacteristics().set_integerKindForPointer(8);
}

Expected<FlangSource::Parsed> FlangSource::parse(const std::string &File, bool IsFixedForm) {
  parser::Options Options;
  Options.features = Features;
  Options.isFixedForm = IsFixedForm;
  Options.fixedFormColumns = Source.Columns;
  Options.searchDirectories = Source.IncludeDirectories;
  Options.intrinsicModuleDirectories = {intrinsicModules()};
  auto Result = std::make_unique<parser::Parsing>(Cooked);
  Result->Prescan(File, Options);
  if (!Result->messages().AnyFatalError())
    Result->Parse(nulls());
  if (Result->messages().AnyFatalError() || !Result->parseTree() || !Result->consumedWholeFile())
    return firstError(Result->messages(), Cooked);
  return std::move(Result);
}

//===- MPI's modules -------------------------------------------------------------------------===//

/// Writes \p Text to a file of this process and reads it.
Error FlangSource::check(const std::string &Text) {
  SmallString<256> File(ModuleDirectory);
  sys::path::append(File, "mpi-" + std::to_string(getpid()) + ".f90");
  std::error_code EC;
  raw_fd_ostream OS(File, EC);
  if (EC)
    return createStringError(EC, "cannot write '" + File + "': " + EC.message());
  OS << Text;
  OS.close();
  Expected<Parsed> Module = parse(File.str().str(), /*IsFixedForm=*/false);
  sys::fs::remove(File);
  if (!Module)
    return Module.takeError();
  if (!semantics::Semantics(*Context, *(*Module)->parseTree()).Perform())
    return firstError(Context->messages(), Cooked);
  Modules.push_back(std::move(*Module));
  return Error::success();
}

Error FlangSource::readModules() {
  if (Error E = check(headerModuleSource()))
    return E;
  const std::string Name = HeaderModule.str();
  auto Symbol = Context->globalScope().find(parser::CharBlock(Name));
  StringSet<> Names;
  for (const auto &[Name, Declared] : *Symbol->second->scope()) {
    Names.insert(Name.ToString());
    const auto *Object = Declared->detailsIf<semantics::ObjectEntityDetails>();
    if (Object && Object->init() && Declared->attrs().test(semantics::Attr::PARAMETER))
      if (std::optional<int64_t> Value = evaluate::ToInt64(*Object->init()))
        Constants[Name.ToString()] = *Value;
  }
  return check(mpiModulesSource(Names));
}

//===- The source ----------------------------------------------------------------------------===//

namespace {
struct ModuleNames {
  template <typename T> bool Pre(const T &) { return true; }
  template <typename T> void Post(const T &) {}
  void Post(const parser::ModuleStmt &Module) { Own.insert(Module.v.ToString()); }
  std::set<std::string> Own;
};

/// Removes the USE statements of modules for which \p IsMissing is true.
struct UseRemover {
  template <typename T> bool Pre(T &) { return true; }
  template <typename T> void Post(T &) {}
  bool Pre(parser::SpecificationPart &Part) {
    std::get<std::list<parser::Statement<common::Indirection<parser::UseStmt>>>>(Part.t).remove_if(
        [&](const auto &Use) {
          const parser::UseStmt &Statement = Use.statement.value();
          bool Intrinsic = Statement.nature == parser::UseStmt::ModuleNature::Intrinsic;
          return !Intrinsic && IsMissing(Statement.moduleName.ToString());
        });
    return true;
  }
  function_ref<bool(const std::string &)> IsMissing;
};

/// Removes the executable statements of procedures.
struct BodyRemover {
  template <typename T> bool Pre(T &) { return true; }
  template <typename T> void Post(T &) {}
  bool Pre(parser::ExecutionPart &Part) {
    Part.v.clear();
    return false;
  }
};
} // namespace

void FlangSource::removeMissingModules() {
  ModuleNames Names;
  parser::Walk(program(), Names);
  OwnModules = std::move(Names.Own);
  auto IsMissing = [&](const std::string &Name) {
    auto IsIn = [&](StringRef Directory) {
      return sys::fs::exists(Directory + "/" + Name + ".mod");
    };
    if (Name == "mpi" || Name == "mpi_f08" || OwnModules.count(Name) || IsIn(ModuleDirectory) ||
        IsIn(intrinsicModules()))
      return false;
    Missing.insert(Name);
    return true;
  };
  UseRemover Remover{IsMissing};
  parser::Walk(program(), Remover);
}

Error FlangSource::read(const std::string &Text, bool OnlyInterfaces) {
  if (Error E = readModules())
    return E;
  Expected<Parsed> Result = parse(Text, Source.IsFixedForm);
  if (!Result)
    return Result.takeError();
  Program = std::move(*Result);
  removeMissingModules();
  if (OnlyInterfaces) {
    BodyRemover Remover;
    parser::Walk(program(), Remover);
  }
  semantics::Semantics(*Context, program()).Perform();
  return Error::success();
}

} // namespace mpispec
