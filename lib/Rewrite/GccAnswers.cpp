//===- GccAnswers.cpp - Answers of the user's gcc to feature tests ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Rewrite/GccAnswers.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace mpispec {

MacroBodies readDefinitions(StringRef Text) {
  MacroBodies Bodies;
  while (!Text.empty()) {
    StringRef Line;
    std::tie(Line, Text) = Text.split('\n');
    if (!Line.consume_front("#define "))
      continue;
    size_t End = Line.find_first_of(" (");
    Bodies[Line.take_front(End)] = End == StringRef::npos ? "" : Line.drop_front(End).rtrim().str();
  }
  return Bodies;
}

namespace {
/// A temporary file that is removed with this object.
class TemporaryFile {
public:
  explicit TemporaryFile(StringRef Suffix) : Remover(Path) {
    if (!sys::fs::createTemporaryFile("mpispec", Suffix, Path))
      Remover.setFile(Path);
  }
  StringRef path() const { return Path; }

private:
  SmallString<128> Path;
  FileRemover Remover;
};
} // namespace

/// The output of the command \p Words, without input. Its messages are discarded.
static std::string outputOf(ArrayRef<StringRef> Words) {
  ErrorOr<std::string> Program = sys::findProgramByName(Words.front());
  TemporaryFile Output("out");
  if (!Program || Output.path().empty())
    return "";
  constexpr unsigned Seconds = 20;
  sys::ExecuteAndWait(*Program, Words, std::nullopt, {StringRef(), Output.path(), StringRef()},
                      Seconds);
  auto Text = MemoryBuffer::getFile(Output.path());
  return Text ? (*Text)->getBuffer().str() : "";
}

std::string GccAnswers::ask(ArrayRef<StringRef> Options, StringRef Probe) {
  TemporaryFile Source(IsCxx ? "cpp" : "c");
  std::error_code Code;
  raw_fd_ostream File(Source.path(), Code);
  if (Source.path().empty() || Code || Command.empty())
    return "";
  File << Probe;
  File.close();
  SmallVector<StringRef> Words(Command.begin(), Command.end());
  Words.append(Options.begin(), Options.end());
  Words.push_back(Source.path());
  return outputOf(Words);
}

MacroBodies GccAnswers::predefined(ArrayRef<StringRef> Evaluated) {
  std::string Probe;
  for (StringRef Name : Evaluated)
    Probe += ("#ifdef " + Name + "\n#define mpispec_has" + Name + "\n#endif\n").str();
  MacroBodies Bodies = readDefinitions(ask({"-E", "-dM"}, Probe));
  for (StringRef Name : Evaluated)
    if (Bodies.erase(("mpispec_has" + Name).str()))
      Bodies[Name] = " 1";
  return Bodies;
}

std::string GccAnswers::number(const std::string &Question) {
  auto [Known, New] = Numbers.try_emplace(Question);
  if (New) {
    std::string Answer = ask({"-E", "-P"}, Question + "\n");
    StringRef Number = StringRef(Answer).trim();
    Known->second = Number.empty() || !all_of(Number, isDigit) ? "0" : Number.str();
  }
  return Known->second;
}

} // namespace mpispec
