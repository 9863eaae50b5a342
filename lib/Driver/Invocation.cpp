//===- Invocation.cpp - A compiler command, parsed --------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Options.def has the table, and Commands.cpp builds the steps from the result.
//
//===------------------------------------------------------------------------------------------===//
#include "Driver/Invocation.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Allocator.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/StringSaver.h"

using namespace llvm;

namespace mpispec {

namespace {
enum class Form : uint8_t { Flag, Joined, Separate, Either };

struct OptionRow {
  StringLiteral Spelling;
  Form F;
  uint8_t Steps;
  Meaning M;
};

constexpr uint8_t P = Preprocess, C = Compile, L = Link, A = Analyze;

constexpr OptionRow Rows[] = {
#define MPISPEC_OPTION(SPELLING, FORM, STEPS, MEANING)                                             \
  {StringLiteral(SPELLING), Form::FORM, STEPS, Meaning::MEANING},
#include "Driver/Options.def"
};

bool fits(const OptionRow &R, StringRef Word) {
  if (R.F == Form::Flag || R.F == Form::Separate)
    return Word == R.Spelling;
  return Word.starts_with(R.Spelling);
}

const OptionRow *lookUpOption(StringRef Word) {
  const OptionRow *Best = nullptr;
  for (const OptionRow &R : Rows)
    if (fits(R, Word) && (!Best || R.Spelling.size() > Best->Spelling.size()))
      Best = &R;
  return Best;
}

} // namespace

StringRef languageOf(StringRef Path, bool CompilerIsCXX) {
  return StringSwitch<StringRef>(sys::path::extension(Path))
      .Case(".c", CompilerIsCXX ? "c++" : "c")
      .Cases({".cc", ".cp", ".cxx", ".cpp", ".CPP", ".c++", ".C"}, "c++")
      .Cases({".h", ".hh", ".H", ".hp", ".hxx", ".hpp", ".HPP", ".h++", ".tcc"}, "header")
      .Case(".i", CompilerIsCXX ? "c++-cpp-output" : "cpp-output")
      .Case(".ii", "c++-cpp-output")
      .Cases({".mi", ".mii"}, "other")
      .Cases({".s", ".S", ".sx"}, "assembler")
      .Cases({".f", ".for", ".ftn", ".F", ".FOR", ".fpp", ".FPP", ".FTN"}, "fortran")
      .Cases({".f90", ".f95", ".f03", ".f08", ".F90", ".F95", ".F03", ".F08"}, "fortran")
      .Cases({".m", ".mm", ".M", ".cu", ".cl", ".hip", ".ll", ".bc"}, "other")
      .Cases({".cppm", ".ixx", ".ccm", ".pcm", ".d", ".go", ".adb", ".ads"}, "other")
      .Default("");
}

namespace {
/// Reads the words one by one. `-x` applies to the inputs behind it.
class Reader {
public:
  Reader(ArrayRef<std::string> Words, bool CompilerIsCXX)
      : Words(Words), CompilerIsCXX(CompilerIsCXX) {}

  Invocation read() {
    while (Next < Words.size()) {
      const std::string &Word = Words[Next++];
      if (Word.size() > 1 && Word[0] == '-')
        readOption(Word);
      else
        readInput(Word);
    }
    return std::move(I);
  }

private:
  void readOption(const std::string &Word) {
    Argument Arg;
    Arg.Words.push_back(Word);
    Arg.Steps = P | C | L | A;
    if (const OptionRow *R = lookUpOption(Word)) {
      Arg.Steps = R->Steps;
      Arg.M = R->M;
      Arg.Value = StringRef(Word).drop_front(R->Spelling.size()).str();
      bool Alone = Arg.Value.empty() && (R->F == Form::Separate || R->F == Form::Either);
      if (Alone && Next < Words.size()) {
        Arg.Value = Words[Next];
        Arg.Words.push_back(Words[Next++]);
      }
    }
    if (Arg.M == Meaning::Language)
      ForcedLanguage = Arg.Value == "none" ? "" : Arg.Value;
    I.Arguments.push_back(std::move(Arg));
  }

  void readInput(const std::string &Word) {
    Argument Arg;
    Arg.Words.push_back(Word);
    Arg.Value = Word;
    StringRef Lang = ForcedLanguage;
    if (Lang.empty())
      Lang = languageOf(Word, CompilerIsCXX);
    Arg.Preprocessed = Lang == "cpp-output" || Lang == "c++-cpp-output";
    Arg.Lang = !Arg.Preprocessed ? Lang : Lang == "cpp-output" ? "c" : "c++";
    Arg.LangWord = ForcedLanguage;
    if (Word == "-")
      Arg.Lang = "stdin";
    Arg.M = Arg.Lang.empty() ? Meaning::Object : Meaning::Source;
    Arg.Steps = Arg.Lang.empty() ? L : 0;
    I.Arguments.push_back(std::move(Arg));
  }

  ArrayRef<std::string> Words;
  bool CompilerIsCXX;
  size_t Next = 0;
  std::string ForcedLanguage;
  Invocation I;
};
} // namespace

bool Invocation::has(Meaning M) const {
  for (const Argument &Arg : Arguments)
    if (Arg.M == M)
      return true;
  return false;
}

StringRef Invocation::last(Meaning M) const {
  StringRef Value;
  for (const Argument &Arg : Arguments)
    if (Arg.M == M)
      Value = Arg.Value;
  return Value;
}

std::vector<unsigned> Invocation::sources() const {
  std::vector<unsigned> Found;
  for (unsigned Index = 0; Index < Arguments.size(); ++Index) {
    const Argument &Arg = Arguments[Index];
    if (Arg.M == Meaning::Source && (Arg.Lang == "c" || Arg.Lang == "c++"))
      Found.push_back(Index);
  }
  return Found;
}

unsigned Invocation::inputs() const {
  unsigned Count = 0;
  for (const Argument &Arg : Arguments)
    Count += Arg.M == Meaning::Source || Arg.M == Meaning::Object;
  return Count;
}

unsigned Invocation::compiled() const {
  return count_if(Arguments, [](const Argument &Arg) { return Arg.M == Meaning::Source; });
}

bool Invocation::stopsAtAssembly() const {
  for (const Argument &Arg : Arguments)
    if (Arg.M == Meaning::StopAfterCompile && Arg.Words[0] == "-S")
      return true;
  return false;
}

std::string Invocation::output(unsigned Index) const {
  if (has(Meaning::Output))
    return last(Meaning::Output).str();
  if (links())
    return "a.out";
  SmallString<128> Name(sys::path::filename(Arguments[Index].Value));
  bool LLVM = false;
  for (const Argument &Arg : Arguments)
    LLVM |= Arg.Words[0] == "-emit-llvm";
  bool Assembly = stopsAtAssembly();
  sys::path::replace_extension(Name, LLVM ? (Assembly ? "ll" : "bc") : (Assembly ? "s" : "o"));
  return Name.str().str();
}

Invocation parseInvocation(ArrayRef<std::string> Words, bool CompilerIsCXX) {
  return Reader(Words, CompilerIsCXX).read();
}

CommandLine expandResponseFiles(ArrayRef<std::string> Words) {
  if (none_of(Words, [](const std::string &W) { return W.size() > 1 && W[0] == '@'; }))
    return CommandLine(Words.begin(), Words.end());
  BumpPtrAllocator Allocator;
  StringSaver Saver(Allocator);
  SmallVector<const char *> Argv;
  for (const std::string &Word : Words)
    Argv.push_back(Word.c_str());
  cl::ExpandResponseFiles(Saver, cl::TokenizeGNUCommandLine, Argv);
  return CommandLine(Argv.begin(), Argv.end());
}

CommandLine splitWords(StringRef Text) {
  BumpPtrAllocator Allocator;
  StringSaver Saver(Allocator);
  SmallVector<const char *> Argv;
  cl::TokenizeGNUCommandLine(Text, Saver, Argv);
  return CommandLine(Argv.begin(), Argv.end());
}

std::string quoted(ArrayRef<std::string> Words) {
  std::string Text;
  raw_string_ostream OS(Text);
  for (const std::string &Word : Words) {
    if (!Text.empty())
      OS << ' ';
    bool Plain =
        !Word.empty() && Word.find_first_of(" \t\n\"'\\$`&|;<>()*?[]#~!{}") == std::string::npos;
    if (Plain) {
      OS << Word;
      continue;
    }
    OS << '\'';
    for (char Letter : Word)
      if (Letter == '\'')
        OS << "'\\''";
      else
        OS << Letter;
    OS << '\'';
  }
  return Text;
}

void print(const Invocation &I, raw_ostream &OS) {
  for (const Argument &Arg : I.Arguments) {
    for (auto [Bit, Letter] : {std::pair(P, 'P'), {C, 'C'}, {L, 'L'}, {A, 'A'}})
      OS << (Arg.Steps & Bit ? Letter : '-');
    OS << ' ' << quoted(Arg.Words);
    if (!Arg.Lang.empty())
      OS << "  (" << Arg.Lang << ')';
    OS << '\n';
  }
}

} // namespace mpispec
