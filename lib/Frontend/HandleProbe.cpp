//===- HandleProbe.cpp - The values of MPI's names, evaluated by the unit ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Frontend/HandleProbe.h"
#include "Frontend/PreprocessedSource.h"
#include "clang/Lex/Pragma.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/IR/Constants.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

namespace mpispec {

// The probe's variables: a prefix for values, one for sizes, one for whether the value is a
// constant, then the MPI name.
static constexpr StringLiteral ValuePrefix = "mpispec_value_of_";
static constexpr StringLiteral SizePrefix = "mpispec_size_of_";
static constexpr StringLiteral KnownPrefix = "mpispec_knows_";

// C cannot test whether a name is declared. Clang's parser can, with the keyword __if_exists. This
// word becomes another spelling of the keyword.
static constexpr StringLiteral IfExists = "mpispec_if_exists";

// The probe's pragma that gives MPI's names back their meaning in the header.
static constexpr StringLiteral RestoreNames = "mpispec_restore_names";

static void forEachName(function_ref<void(StringRef)> Visit) {
  for (const DatatypeInfo &D : allDatatypes())
    Visit(D.Name);
  for (const NamedConstant &C : allNamedConstants())
    Visit(C.Name);
}

/// The last directive for \p Name in the text of MPI's header, or null.
static clang::MacroDirective *directiveOfMpi(const clang::Preprocessor &PP,
                                             const clang::IdentifierInfo &Name) {
  clang::MacroDirective *Last = PP.getLocalMacroDirectiveHistory(&Name);
  for (; Last; Last = Last->getPrevious()) {
    // `#pragma pop_macro` repeats a definition at its own place.
    auto *Definition = dyn_cast<clang::DefMacroDirective>(Last);
    if (isTextOfMpi(PP.getSourceManager(),
                    Definition ? Definition->getInfo()->getDefinitionLoc() : Last->getLocation()))
      return Last;
  }
  return nullptr;
}

/// Gives \p Name the macro that MPI's header defines, or none. Returns whether it had another.
static bool restoreMacro(clang::Preprocessor &PP, clang::IdentifierInfo &Name,
                         clang::SourceLocation Here) {
  auto *Definition = dyn_cast_or_null<clang::DefMacroDirective>(directiveOfMpi(PP, Name));
  clang::MacroInfo *Macro = Definition ? Definition->getInfo() : nullptr;
  if (PP.getMacroInfo(&Name) == Macro)
    return false;
  if (Macro)
    PP.appendDefMacroDirective(&Name, Macro, Here);
  else
    PP.appendMacroDirective(&Name,
                            new (PP.getPreprocessorAllocator()) clang::UndefMacroDirective(Here));
  return true;
}

namespace {

/// Nothing is restored in a unit whose MPI header has another name than mpi.h, and in text that was
/// preprocessed before. The program's macros are not in such text.
class NamesRestorer : public clang::PragmaHandler {
public:
  explicit NamesRestorer(bool &Redefined) : PragmaHandler(RestoreNames), Redefined(Redefined) {}

  void HandlePragma(clang::Preprocessor &PP, clang::PragmaIntroducer Pragma,
                    clang::Token &) override {
    SmallVector<clang::IdentifierInfo *, 0> Macros;
    forEachName([&](StringRef Name) {
      if (clang::IdentifierInfo &I = *PP.getIdentifierInfo(Name); I.hadMacroDefinition())
        Macros.push_back(&I);
    });
    if (none_of(Macros, [&](const auto *Name) { return directiveOfMpi(PP, *Name); }))
      return;
    for (clang::IdentifierInfo *Name : Macros)
      Redefined |= restoreMacro(PP, *Name, Pragma.Loc);
  }

private:
  bool &Redefined;
};

} // namespace

void enableHandleProbe(clang::Preprocessor &PP, bool &Redefined) {
  PP.getIdentifierTable().get(IfExists, clang::tok::kw___if_exists);
  PP.AddPragmaHandler(new NamesRestorer(Redefined));
}

/// In C++ a const variable without `extern` has internal linkage. A pointer gets no `const`,
/// because `const` would apply to the object to which it points.
static void define(raw_ostream &OS, StringRef Prefix, StringRef Name, StringRef CType,
                   const Twine &Value) {
  StringRef Const = CType.contains('*') ? "" : "const ";
  OS << "extern " << Const << CType << ' ' << Prefix << Name << " __attribute__((__used__));\n"
     << Const << CType << ' ' << Prefix << Name << " = " << Value << ";\n";
}

/// One name, which headers have as a macro, an enumerator (MPI-5's MPI_ANY_SOURCE) or a variable. A
/// variable counts if it is a constant. For other variables the probe's value is ignored.
static void probe(raw_ostream &OS, StringRef Name, StringRef CType, StringRef Size) {
  auto DefineSize = [&] {
    if (!Size.empty())
      define(OS, SizePrefix, Name, "unsigned long long", Size);
  };
  OS << "#ifdef " << Name << '\n';
  define(OS, ValuePrefix, Name, CType, Name);
  DefineSize();
  OS << "#else\n" << IfExists << '(' << Name << ") {\n";
  define(OS, KnownPrefix, Name, "int", "__builtin_constant_p(" + Name + ")");
  define(OS, ValuePrefix, Name, CType,
         "__builtin_constant_p(" + Name + ") ? " + Name + " : (" + CType + ")0");
  DefineSize();
  OS << "}\n#endif\n";
}

std::string handleProbeText(StringRef Macros) {
  std::string Text;
  raw_string_ostream OS(Text);
  // With -pedantic Clang warns of line markers in sources.
  OS << "\n#pragma clang diagnostic ignored \"-Weverything\"\n# 1 \"" << ProbeFile << "\" 3\n"
     << "#pragma " << RestoreNames << '\n'
     << Macros;
  // Some programs change their precision by `#define float double`; MPI_FLOAT is still a float.
  for (StringRef Keyword : {"char", "short", "int", "long", "float", "double", "signed", "unsigned",
                            "const", "extern", "struct", "sizeof", "_Complex"})
    OS << "#undef " << Keyword << '\n';
  // A unit without MPI has no MPI_Datatype either.
  OS << "#ifndef MPI_COMM_WORLD\n" << IfExists << "(MPI_COMM_WORLD) {\n#endif\n";
  OS << "#ifdef __cplusplus\nextern \"C\" {\n#endif\n";
  for (const DatatypeInfo &D : allDatatypes())
    probe(OS, D.Name, "MPI_Datatype", D.Size);
  for (const NamedConstant &C : allNamedConstants())
    probe(OS, C.Name, C.CType, "");
  OS << "#ifdef __cplusplus\n}\n#endif\n";
  OS << "#ifndef MPI_COMM_WORLD\n}\n#endif\n";
  return Text;
}

/// Takes \p Probes out of \p M.
static void takeAway(Module &M, ArrayRef<GlobalVariable *> Probes) {
  SmallPtrSet<GlobalVariable *, 32> Doomed(Probes.begin(), Probes.end());
  removeFromUsedLists(M, [&](Constant *C) {
    auto *G = dyn_cast<GlobalVariable>(C->stripPointerCasts());
    return G && Doomed.contains(G);
  });
  for (GlobalVariable *G : Probes)
    G->eraseFromParent();
}

static HandleStyle styleOf(const Constant *NullRequest) {
  if (!NullRequest || isa<ConstantInt>(NullRequest))
    return HandleStyle::MPICH;
  return isa<GlobalVariable>(NullRequest->stripPointerCasts()) ? HandleStyle::OMPI
                                                               : HandleStyle::ABI;
}

Handles Handles::take(Module &M) {
  Handles Result;
  SmallVector<GlobalVariable *, 0> Probes;
  SmallVector<StringRef> Unknown;
  for (GlobalVariable &G : M.globals()) {
    StringRef Name = G.getName();
    if (!G.hasInitializer())
      continue;
    if (Name.consume_front(ValuePrefix))
      Result.Values[Name] = G.getInitializer();
    else if (Name.consume_front(SizePrefix))
      Result.Sizes[Name] = cast<ConstantInt>(G.getInitializer())->getZExtValue();
    else if (!Name.consume_front(KnownPrefix))
      continue;
    else if (G.getInitializer()->isNullValue())
      Unknown.push_back(Name);
    Probes.push_back(&G);
  }
  for (StringRef Name : Unknown)
    Result.Values.erase(Name);
  for (const auto &Value : Result.Values)
    Result.Bits[Value.getKey()] = handleBits(*Value.getValue());
  for (const DatatypeInfo &D : allDatatypes())
    if (Constant *Value = Result.value(D.Name))
      Result.addDatatype(Value, D);
  Result.addElements();
  Result.Style = styleOf(Result.value("MPI_REQUEST_NULL"));
  takeAway(M, Probes);
  return Result;
}

/// Some names share a handle (MPI_LONG_LONG, MPI_LONG_LONG_INT): the first row names it. If the two
/// rows differ, the library is a dummy MPI library that does not distinguish types. Then the
/// datatype of the handle is unknown.
void Handles::addDatatype(const Constant *Value, const DatatypeInfo &D) {
  auto [Entry, New] = Datatypes.try_emplace(Value, &D);
  const DatatypeInfo *First = Entry->second;
  if (!New && First && (size(*First) != size(D) || First->Class != D.Class))
    Entry->second = nullptr;
}

void Handles::addElements() {
  for (const DatatypeInfo &D : allDatatypes()) {
    const Constant *Value = value(D.Name);
    std::optional<uint64_t> Bytes = size(D);
    if (!Value || datatype(Value) != &D || D.Class == DatatypeClass::Pair || !Bytes)
      continue;
    if (std::string Written = bits(D.Name); !Written.empty())
      Elements.push_back({D.Name.str(), std::move(Written), *Bytes});
  }
}

std::optional<uint64_t> Handles::size(const DatatypeInfo &D) const {
  auto Found = Sizes.find(D.Name);
  if (Found == Sizes.end())
    return std::nullopt;
  return Found->second;
}

StringRef Handles::name(NamedConstant::Kind K, const Value *V) const {
  for (const NamedConstant &C : allNamedConstants())
    if (C.K == K && value(C.Name) == V)
      return C.Name;
  return "";
}

/// Does the MPI header declare \p G with C linkage? Then its symbol is also its name in the source.
static bool isDeclaredInC(const GlobalVariable &G) {
  StringRef Name = G.getName();
  return G.isDeclaration() && !Name.empty() && !isDigit(Name[0]) && !Name.starts_with("_Z") &&
         all_of(Name, [](char C) { return isAlnum(C) || C == '_'; });
}

std::string handleBits(const Constant &Value) {
  const Constant *V = &Value;
  if (const auto *Cast = dyn_cast<ConstantExpr>(V);
      Cast && Cast->getOpcode() == Instruction::IntToPtr)
    V = Cast->getOperand(0);
  if (const auto *Number = dyn_cast<ConstantInt>(V); Number && Number->getBitWidth() <= 64)
    return "0x" + utohexstr(Number->getSExtValue(), /*LowerCase=*/true) + "ul";
  if (isa<ConstantPointerNull>(V))
    return "0ul";
  const auto *Variable = dyn_cast<GlobalVariable>(V);
  return Variable && isDeclaredInC(*Variable) ? "(unsigned long)&" + Variable->getName().str() : "";
}

} // namespace mpispec
