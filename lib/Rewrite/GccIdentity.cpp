//===- GccIdentity.cpp - The user's text read as gcc reads it ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The macros by which compilers identify themselves are defined a second time, under other names,
// with gcc's values. When user text is entered, they replace Clang's own macros. When it is left,
// Clang's own macros return.
//
//===------------------------------------------------------------------------------------------===//
#include "Rewrite/GccIdentity.h"
#include "Frontend/PreprocessedSource.h"
#include "clang/Lex/MacroArgs.h"
#include "clang/Lex/MacroInfo.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/Support/FormatVariadic.h"

using namespace clang;
using namespace llvm;

namespace mpispec {

using llvm::StringLiteral; // Clang has one, too

namespace {

constexpr StringLiteral Prefix = "__mpispec_gcc_";

/// The macros that are swapped if only gcc's version is known, from the directories in its text.
constexpr StringLiteral Macros[] = {
    "__GNUC__", "__GNUC_MINOR__", "__GNUC_PATCHLEVEL__", "__GNUG__", "__VERSION__", "__has_builtin",
    // macros that gcc does not have: they are only removed
    "__clang__", "__clang_major__", "__clang_minor__", "__clang_patchlevel__", "__clang_version__",
    "__llvm__", "__has_feature", "__has_extension", "__has_warning"};

/// Macros that a compiler evaluates itself and does not list. Not all releases of gcc have them.
constexpr StringLiteral Evaluated[] = {"__has_builtin",
                                       "__has_attribute",
                                       "__has_cpp_attribute",
                                       "__has_c_attribute",
                                       "__has_feature",
                                       "__has_extension",
                                       "__has_warning",
                                       "__has_embed",
                                       "__has_declspec_attribute",
                                       "__has_constexpr_builtin",
                                       "__is_identifier",
                                       "__is_target_arch",
                                       "__is_target_vendor",
                                       "__is_target_os",
                                       "__is_target_environment",
                                       "__is_target_variant_os",
                                       "__is_target_variant_environment",
                                       "__building_module",
                                       "__MODULE__"};

/// Macros of this list whose value depends on their argument. They are defined as
///     #define __has_attribute(x) __mpispec_gcc_answer
/// and that macro gets its value when they are expanded.
constexpr StringLiteral Asked[] = {"__has_builtin", "__has_attribute", "__has_cpp_attribute",
                                   "__has_c_attribute"};
constexpr StringLiteral Answer = "__mpispec_gcc_answer";

/// Builtins for which libraries test with __has_builtin, and which all releases of gcc with this
/// macro have.
constexpr StringLiteral Builtins[] = {"__builtin_add_overflow",
                                      "__builtin_addressof",
                                      "__builtin_alloca",
                                      "__builtin_assume_aligned",
                                      "__builtin_bit_cast",
                                      "__builtin_bswap16",
                                      "__builtin_bswap32",
                                      "__builtin_bswap64",
                                      "__builtin_choose_expr",
                                      "__builtin_clz",
                                      "__builtin_clzl",
                                      "__builtin_clzll",
                                      "__builtin_constant_p",
                                      "__builtin_convertvector",
                                      "__builtin_copysign",
                                      "__builtin_copysignf",
                                      "__builtin_copysignl",
                                      "__builtin_cpu_supports",
                                      "__builtin_ctz",
                                      "__builtin_ctzl",
                                      "__builtin_ctzll",
                                      "__builtin_expect",
                                      "__builtin_expect_with_probability",
                                      "__builtin_extract_return_addr",
                                      "__builtin_FILE",
                                      "__builtin_ffs",
                                      "__builtin_ffsll",
                                      "__builtin_frame_address",
                                      "__builtin_FUNCTION",
                                      "__builtin_huge_val",
                                      "__builtin_inf",
                                      "__builtin_is_constant_evaluated",
                                      "__builtin_isfinite",
                                      "__builtin_isinf",
                                      "__builtin_isnan",
                                      "__builtin_launder",
                                      "__builtin_LINE",
                                      "__builtin_memcmp",
                                      "__builtin_memcpy",
                                      "__builtin_memmove",
                                      "__builtin_memset",
                                      "__builtin_mul_overflow",
                                      "__builtin_nan",
                                      "__builtin_object_size",
                                      "__builtin_offsetof",
                                      "__builtin_parity",
                                      "__builtin_popcount",
                                      "__builtin_popcountl",
                                      "__builtin_popcountll",
                                      "__builtin_prefetch",
                                      "__builtin_return_address",
                                      "__builtin_signbit",
                                      "__builtin_strcmp",
                                      "__builtin_strlen",
                                      "__builtin_sub_overflow",
                                      "__builtin_trap",
                                      "__builtin_types_compatible_p",
                                      "__builtin_unreachable",
                                      "__builtin_ia32_pause",
                                      "__sync_synchronize"};

/// Gcc's definitions under names of their own. `__has_builtin(x)` becomes the name __mpispec_gcc_x.
/// This name is a macro with the value 1 if gcc has x. Otherwise it is undefined, which counts as 0
/// in `#if`.
std::string definitions(GccVersion V, bool IsCxx) {
  std::string Text;
  auto Define = [&](StringRef Name, const Twine &Value) {
    Text += ("#define " + Prefix + Name + " " + Value + "\n").str();
  };
  Define("__GNUC__", Twine(V.Major));
  Define("__GNUC_MINOR__", Twine(V.Minor));
  Define("__GNUC_PATCHLEVEL__", Twine(V.Patch));
  Define("__VERSION__", formatv("\"{0}.{1}.{2}\"", V.Major, V.Minor, V.Patch).str());
  if (IsCxx)
    Define("__GNUG__", Twine(V.Major));
  if (V.Major < 10)
    return Text;
  Define("__has_builtin(x)", Prefix + Twine("##x"));
  for (StringRef Name : Builtins)
    Define(Name, "1");
  return Text;
}

/// The definitions in \p Gcc under names of their own.
std::string definitions(const MacroBodies &Gcc) {
  std::string Text;
  for (const auto &Macro : Gcc)
    if (!is_contained(Evaluated, Macro.getKey()))
      Text += ("#define " + Prefix + Macro.getKey() + Macro.getValue() + "\n").str();
    else if (is_contained(Asked, Macro.getKey()))
      Text += ("#define " + Prefix + Macro.getKey() + "(...) " + Answer + "\n").str();
  return Text;
}

/// The names that only one of \p Gcc and \p Clang defines, or that they define differently.
std::vector<std::string> differences(const MacroBodies &Gcc, const MacroBodies &Clang) {
  std::vector<std::string> Names(std::begin(Evaluated), std::end(Evaluated));
  for (const auto &Macro : Gcc)
    if (auto Other = Clang.find(Macro.getKey());
        Other == Clang.end() || Other->getValue() != Macro.getValue())
      Names.push_back(Macro.getKey().str());
  for (const auto &Macro : Clang)
    if (!Gcc.count(Macro.getKey()))
      Names.push_back(Macro.getKey().str());
  return Names;
}

class Identity : public PPCallbacks {
public:
  Identity(Preprocessor &PP, ArrayRef<std::string> Names, GccAnswers *Answers)
      : PP(PP), Answers(Answers) {
    for (const std::string &Name : Names)
      Swapped.push_back({PP.getIdentifierInfo(Name), PP.getIdentifierInfo(Prefix.str() + Name)});
  }

  void FileChanged(SourceLocation Location, FileChangeReason Reason,
                   SrcMgr::CharacteristicKind Kind, FileID) override {
    const SourceManager &Sources = PP.getSourceManager();
    FileID File = Sources.getFileID(Location);
    // The main file is entered once before the predefined macros are read.
    bool TooEarly = Reason == EnterFile && File == Sources.getMainFileID();
    if (!TooEarly && File != PP.getPredefinesFileID())
      readAsGcc(!SrcMgr::isSystem(Kind) && !isTextOfMpi(Sources, Location), Location);
  }

  void MacroExpands(const Token &Name, const MacroDefinition &, SourceRange Range,
                    const MacroArgs *Arguments) override {
    StringRef Macro = Name.getIdentifierInfo()->getName();
    if (!Answers || !IsGcc || !Arguments || !is_contained(Asked, Macro))
      return;
    std::string Question = Macro.str() + "(";
    for (const Token *T = Arguments->getUnexpArgument(0); T->isNot(tok::eof); ++T)
      Question += PP.getSpelling(*T);
    answer(Answers->number(Question + ")"), Range.getBegin());
  }

private:
  /// A macro that has different bodies in user text and in system headers.
  struct SwappedMacro {
    IdentifierInfo *Name, *OfGcc;
    MacroInfo *OfClang = nullptr; ///< while user text is read; null: not defined
  };

  void readAsGcc(bool AsGcc, SourceLocation Location) {
    if (AsGcc == IsGcc)
      return;
    IsGcc = AsGcc;
    for (SwappedMacro &Macro : Swapped) {
      if (AsGcc)
        Macro.OfClang = PP.getMacroInfo(Macro.Name);
      define(Macro.Name, AsGcc ? PP.getMacroInfo(Macro.OfGcc) : Macro.OfClang, Location);
    }
  }

  void define(IdentifierInfo *Name, MacroInfo *Macro, SourceLocation Location) {
    if (Macro)
      PP.appendDefMacroDirective(Name, Macro, Location);
    else if (PP.getMacroInfo(Name))
      PP.appendMacroDirective(Name,
                              new (PP.getPreprocessorAllocator()) UndefMacroDirective(Location));
  }

  void answer(StringRef Number, SourceLocation Location) {
    Token Body;
    Body.startToken();
    Body.setKind(tok::numeric_constant);
    PP.CreateString(Number, Body);
    MacroInfo *Macro = PP.AllocateMacroInfo(Location);
    Macro->setTokens({Body}, PP.getPreprocessorAllocator());
    PP.appendDefMacroDirective(PP.getIdentifierInfo(Answer), Macro, Location);
  }

  Preprocessor &PP;
  GccAnswers *Answers; ///< null: gcc is not run
  std::vector<SwappedMacro> Swapped;
  bool IsGcc = false;
};

} // namespace

std::optional<GccVersion> gccVersionOf(StringRef Text) {
  // A marker such as: # 1 "/usr/lib/gcc/x86_64-linux-gnu/12/include/stddef.h" 1 3 4
  for (size_t At = Text.find("/gcc/"); At != StringRef::npos; At = Text.find("/gcc/", At + 1)) {
    StringRef Line = Text.drop_front(Text.rfind('\n', At) + 1);
    auto [Target, Rest] = Text.drop_front(At + 5).split('/');
    auto [Version, Header] = Rest.split('/');
    GccVersion V;
    if (!Line.starts_with("# ") || !Header.starts_with("include") ||
        Version.consumeInteger(10, V.Major))
      continue;
    if (Version.consume_front(".") && !Version.consumeInteger(10, V.Minor) &&
        Version.consume_front("."))
      Version.consumeInteger(10, V.Patch);
    return V;
  }
  return std::nullopt;
}

void readUserTextAsGcc(Preprocessor &PP, GccVersion Version) {
  PP.setPredefines(definitions(Version, PP.getLangOpts().CPlusPlus) + PP.getPredefines());
  std::vector<std::string> Names(std::begin(Macros), std::end(Macros));
  PP.addPPCallbacks(std::make_unique<Identity>(PP, Names, nullptr));
}

bool readUserTextAsGcc(Preprocessor &PP, GccAnswers &Answers) {
  SmallVector<StringRef> Names(std::begin(Evaluated), std::end(Evaluated));
  MacroBodies Gcc = Answers.predefined(Names);
  if (Gcc.empty())
    return false;
  std::vector<std::string> Different = differences(Gcc, readDefinitions(PP.getPredefines()));
  PP.setPredefines(definitions(Gcc) + PP.getPredefines());
  PP.addPPCallbacks(std::make_unique<Identity>(PP, Different, &Answers));
  return true;
}

} // namespace mpispec
