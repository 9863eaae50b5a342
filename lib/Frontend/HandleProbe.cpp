//===- HandleProbe.cpp - Let the translation unit evaluate MPI's names ------------------------===//
#include "Frontend/HandleProbe.h"
#include "llvm/ADT/Twine.h"
#include "llvm/IR/Constants.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

namespace mpispec {

// The probe's variables: a prefix for values, one for sizes, then the MPI name.
static constexpr StringLiteral ValuePrefix = "mpispec_value_of_";
static constexpr StringLiteral SizePrefix = "mpispec_size_of_";

std::string handleProbeText() {
  std::string Text;
  raw_string_ostream OS(Text);
  auto Define = [&](StringRef Prefix, StringRef Name, StringRef CType, StringRef Value) {
    // `extern` gives a const its name in C++. A pointer's `const` would say something of what it
    // points to.
    OS << "extern " << (CType.contains('*') ? "" : "const ") << CType << ' ' << Prefix << Name
       << " __attribute__((__used__));\n"
       << (CType.contains('*') ? "" : "const ") << CType << ' ' << Prefix << Name << " = " << Value
       << ";\n";
  };
  OS << "\n# 1 \"<mpispec>\" 3\n#ifdef MPI_COMM_WORLD\n";
  // Some programs change their precision by `#define float double`; MPI_FLOAT is still a float.
  for (StringRef Keyword : {"char", "short", "int", "long", "float", "double", "signed", "unsigned",
                            "const", "extern", "struct", "sizeof", "_Complex"})
    OS << "#undef " << Keyword << '\n';
  OS << "#ifdef __cplusplus\nextern \"C\" {\n#endif\n";
  for (const DatatypeInfo &D : allDatatypes()) {
    OS << "#ifdef " << D.Name << '\n';
    Define(ValuePrefix, D.Name, "MPI_Datatype", D.Name);
    Define(SizePrefix, D.Name, "unsigned long long", D.Size);
    OS << "#endif\n";
  }
  for (const NamedConstant &C : allNamedConstants()) {
    OS << "#ifdef " << C.Name << '\n';
    Define(ValuePrefix, C.Name, C.CType, C.Name);
    OS << "#endif\n";
  }
  OS << "#ifdef __cplusplus\n}\n#endif\n#endif\n";
  return Text;
}

Handles Handles::take(Module &M) {
  Handles Result;
  SmallVector<GlobalVariable *, 0> Probes;
  for (GlobalVariable &G : M.globals()) {
    StringRef Name = G.getName();
    if (!G.hasInitializer())
      continue;
    if (Name.consume_front(ValuePrefix)) {
      Result.Values[Name] = G.getInitializer();
      Probes.push_back(&G);
    } else if (Name.consume_front(SizePrefix)) {
      if (auto *Size = dyn_cast<ConstantInt>(G.getInitializer()))
        Result.Sizes[Name] = Size->getZExtValue();
      Probes.push_back(&G);
    }
  }
  for (const DatatypeInfo &D : allDatatypes())
    if (Constant *Value = Result.value(D.Name))
      Result.addDatatype(Value, D);
  SmallPtrSet<GlobalVariable *, 32> Doomed(Probes.begin(), Probes.end());
  removeFromUsedLists(M, [&](Constant *C) {
    auto *G = dyn_cast<GlobalVariable>(C->stripPointerCasts());
    return G && Doomed.contains(G);
  });
  for (GlobalVariable *G : Probes)
    G->eraseFromParent();
  return Result;
}

/// Some names share a handle (MPI_LONG_LONG, MPI_LONG_LONG_INT): the first row names it. If they
/// are not alike, the program has redefined a name (`#define MPI_FLOAT MPI_DOUBLE`), or a stand-in
/// for MPI tells no types apart: which one the handle is nobody knows.
void Handles::addDatatype(const Constant *Value, const DatatypeInfo &D) {
  auto [Entry, New] = Datatypes.try_emplace(Value, &D);
  const DatatypeInfo *First = Entry->second;
  if (!New && First && (size(*First) != size(D) || First->Class != D.Class))
    Entry->second = nullptr;
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

} // namespace mpispec
