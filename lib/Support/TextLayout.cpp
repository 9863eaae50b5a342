//===- TextLayout.cpp - Text laid out to a terminal's width -----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Support/TextLayout.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Unicode.h"

using namespace llvm;

namespace mpispec {

unsigned displayWidth(StringRef Text) {
  // Negative: not UTF-8, or control characters. Then each byte counts as a column.
  int Columns = sys::unicode::columnWidthUTF8(Text);
  return Columns < 0 ? Text.size() : Columns;
}

std::vector<std::string> wrap(StringRef Text, unsigned Width) {
  SmallVector<StringRef, 32> Words;
  Text.split(Words, ' ', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  std::vector<std::string> Lines;
  for (StringRef Word : Words) {
    if (Lines.empty() || displayWidth(Lines.back()) + 1 + displayWidth(Word) > Width)
      Lines.push_back(Word.str());
    else
      Lines.back() += (" " + Word).str();
  }
  return Lines;
}

void pad(raw_ostream &OS, StringRef Text, unsigned Width, bool Right) {
  unsigned Used = displayWidth(Text);
  unsigned Spaces = Used < Width ? Width - Used : 0;
  if (Right)
    OS.indent(Spaces) << Text;
  else
    (OS << Text).indent(Spaces);
}

std::string counted(uint64_t Number, StringRef Noun) {
  return (Twine(Number) + " " + Noun + (Number == 1 ? "" : "s")).str();
}

std::string listed(const std::map<std::string, unsigned> &Numbers) {
  std::vector<std::pair<std::string, unsigned>> Rows(Numbers.begin(), Numbers.end());
  llvm::sort(Rows, MostFirst());
  std::string Text;
  ListSeparator Comma;
  for (const auto &[Name, Number] : Rows)
    Text += (StringRef(Comma) + Name + (Number > 1 ? " (" + Twine(Number) + ")" : Twine())).str();
  return Text;
}

static bool isSet(StringRef Variable) {
  const std::optional<std::string> Value = sys::Process::GetEnv(Variable);
  return Value && !Value->empty() && *Value != "0";
}

Style::Style(raw_ostream &OS)
    : OS(OS),
      Colours(!sys::Process::GetEnv("NO_COLOR") && (isSet("CLICOLOR_FORCE") || OS.has_colors())) {
  if (Colours)
    OS.enable_colors(true);
}

void Style::write(Ink I, StringRef Text) { cell(I, Text, 0); }

void Style::cell(Ink I, StringRef Text, unsigned Width, bool Right) {
  if (!Colours || I == Plain)
    return pad(OS, Text, Width, Right);
  switch (I) {
  case Plain:
    break;
  case Bold:
    OS.changeColor(raw_ostream::SAVEDCOLOR, /*Bold=*/true);
    break;
  case Dim:
    OS.changeColor(raw_ostream::BRIGHT_BLACK);
    break;
  case Good:
    OS.changeColor(raw_ostream::GREEN);
    break;
  case Middling:
    OS.changeColor(raw_ostream::YELLOW);
    break;
  case Bad:
    OS.changeColor(raw_ostream::RED);
    break;
  }
  pad(OS, Text, Width, Right);
  OS.resetColor();
}

} // namespace mpispec
