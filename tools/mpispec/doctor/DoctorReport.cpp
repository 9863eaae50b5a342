//===- DoctorReport.cpp - The findings of mpispec doctor as text ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "doctor/DoctorReport.h"
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/ioctl.h>
#include <unistd.h>

namespace mpispec {

//===- The terminal --------------------------------------------------------------------------===//

static unsigned terminalColumns() {
  constexpr unsigned OfAFile = 100;
  winsize Size;
  if (!isatty(STDOUT_FILENO))
    return OfAFile;
  if (const char *Columns = std::getenv("COLUMNS"); Columns && std::atoi(Columns) > 0)
    return std::atoi(Columns);
  return ioctl(STDOUT_FILENO, TIOCGWINSZ, &Size) || !Size.ws_col ? OfAFile : Size.ws_col;
}

/// Whether to print colours, by the rules of lib/Support/TextLayout.h.
static bool wantsColors() {
  const char *Forced = std::getenv("CLICOLOR_FORCE"), *Terminal = std::getenv("TERM");
  if (std::getenv("NO_COLOR"))
    return false;
  if (Forced && *Forced && std::strcmp(Forced, "0"))
    return true;
  return isatty(STDOUT_FILENO) && Terminal && *Terminal && std::strcmp(Terminal, "dumb");
}

/// Whether the byte \p C begins a character of UTF-8.
static bool beginsCharacter(char C) { return (static_cast<unsigned char>(C) & 0xC0) != 0x80; }

static size_t widthOf(const std::string &Text) {
  return std::count_if(Text.begin(), Text.end(), beginsCharacter);
}

/// \p Text in lines of at most \p Width columns. A word that is longer stays whole.
static Words wrapped(const std::string &Text, size_t Width) {
  Words Lines;
  for (const std::string &Word : splitAt(Text, " "))
    if (Lines.empty() || widthOf(Lines.back()) + 1 + widthOf(Word) > Width)
      Lines.push_back(Word);
    else
      Lines.back() += " " + Word;
  return Lines;
}

//===- The table -----------------------------------------------------------------------------===//

static constexpr const char *Plain = "", *Bold = "\033[1m", *Yellow = "\033[33m";

struct VerdictText {
  const char *Table, *JSON, *Color;
};
static constexpr VerdictText Verdicts[] = {
    {"on", "on", "\033[32m"}, {"OFF", "off", "\033[31m"}, {"-", "skipped", "\033[90m"}};

DoctorReport::DoctorReport(bool IsJSON)
    : IsJSON(IsJSON), HasColors(wantsColors()), Columns(std::max(terminalColumns(), 60u)) {}

void DoctorReport::printRow(std::string_view Check, const Finding &F) const {
  constexpr size_t VerdictWidth = 5, NameWidth = 17;
  std::string Verdict = Verdicts[F.V].Table, Name(Check);
  auto Cell = [&](const char *Color, std::string Text, size_t Width) {
    Text.resize(std::max(Width, Text.size()), ' ');
    const bool Colored = HasColors && *Color;
    std::printf("%s%s%s", Colored ? Color : "", Text.c_str(), Colored ? "\033[0m" : "");
  };
  auto Print = [&](const char *Color, const std::string &Text) {
    for (const std::string &Line : wrapped(Text, Columns - VerdictWidth - NameWidth)) {
      Cell(Verdicts[F.V].Color, Verdict, VerdictWidth);
      Cell(Bold, Name, NameWidth);
      Cell(Color, Line, 0);
      std::puts("");
      Verdict = Name = "";
    }
  };
  Print(Plain, F.Says);
  if (!F.Remedy.empty())
    Print(Yellow, "remedy: " + F.Remedy);
  std::fflush(stdout);
}

//===- JSON ----------------------------------------------------------------------------------===//

/// The number of bytes of the UTF-8 character at the beginning of \p Text. 0 if the bytes there are
/// not valid UTF-8 (RFC 3629).
static size_t characterLength(std::string_view Text) {
  auto At = [&](size_t I) { return I < Text.size() ? static_cast<unsigned char>(Text[I]) : 0; };
  const unsigned First = At(0);
  const size_t Length = First < 0x80    ? 1
                        : First < 0xC2  ? 0
                        : First < 0xE0  ? 2
                        : First < 0xF0  ? 3
                        : First <= 0xF4 ? 4
                                        : 0;
  for (size_t I = 1; I < Length; ++I)
    if (I >= Text.size() || beginsCharacter(Text[I]))
      return 0;
  // Overlong encodings, surrogates, and code points above U+10FFFF.
  if ((First == 0xE0 && At(1) < 0xA0) || (First == 0xED && At(1) > 0x9F) ||
      (First == 0xF0 && At(1) < 0x90) || (First == 0xF4 && At(1) > 0x8F))
    return 0;
  return Length;
}

static std::string quoted(std::string_view Text) {
  std::string Result = "\"";
  while (!Text.empty()) {
    const size_t Length = characterLength(Text);
    const unsigned char First = Text[0];
    char Escape[8];
    if (!Length) {
      Result += "\xEF\xBF\xBD"; // U+FFFD stands for a byte that is not UTF-8
    } else if (First < 0x20 || First == '"' || First == '\\') {
      std::snprintf(Escape, sizeof Escape, First < 0x20 ? "\\u%04x" : "\\%c", First);
      Result += Escape;
    } else {
      Result += Text.substr(0, Length);
    }
    Text.remove_prefix(std::max(Length, size_t(1)));
  }
  return Result + "\"";
}

static std::string objectOf(std::string_view Check, const Finding &F) {
  const std::string Separator = ",\n      ";
  return "    {\n      \"check\": " + quoted(Check) + Separator +
         "\"remedy\": " + quoted(F.Remedy) + Separator + "\"says\": " + quoted(F.Says) + Separator +
         "\"verdict\": " + quoted(Verdicts[F.V].JSON) + "\n    }";
}

//===- Both ----------------------------------------------------------------------------------===//

void DoctorReport::add(std::string_view Check, const Finding &F) {
  Off += F.V == Finding::Off;
  if (IsJSON)
    Objects += (Objects.empty() ? "" : ",\n") + objectOf(Check, F);
  else
    printRow(Check, F);
}

void DoctorReport::finish() {
  if (IsJSON)
    std::printf("{\n  \"checks\": [\n%s\n  ],\n  \"schema\": \"mpispec-doctor/1\",\n"
                "  \"well\": %s\n}\n",
                Objects.c_str(), Off ? "false" : "true");
  else if (Off)
    std::printf("\n%u thing%s off\n", Off, Off == 1 ? " is" : "s are");
  else
    std::puts("\nall is well");
}

} // namespace mpispec
