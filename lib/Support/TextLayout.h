//===- TextLayout.h - Text laid out to a terminal's width -------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Subcommands that print tables, such as `explain`, `report` and `profile`, share this layout:
// columns that line up, cells that wrap at words, and colours. Widths are in terminal columns, not
// bytes.
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_SUPPORT_TEXTLAYOUT_H
#define MPISPEC_SUPPORT_TEXTLAYOUT_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/raw_ostream.h"
#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace mpispec {

/// Terminal columns that \p Text takes.
unsigned displayWidth(llvm::StringRef Text);

/// \p Text in lines of at most \p Width columns, broken at spaces. A word that is longer than a
/// line stays whole: paths and names must stay copyable.
std::vector<std::string> wrap(llvm::StringRef Text, unsigned Width);

/// Writes \p Text, padded with spaces to \p Width columns. With \p Right the spaces come first.
void pad(llvm::raw_ostream &OS, llvm::StringRef Text, unsigned Width, bool Right = false);

/// "1 site", "2 sites".
std::string counted(uint64_t Number, llvm::StringRef Noun);

/// Orders pairs of name and number for people: the greatest number first, then by name.
struct MostFirst {
  template <typename Pair> bool operator()(const Pair &L, const Pair &R) const {
    return std::tie(R.second, L.first) < std::tie(L.second, R.first);
  }
};

/// "MPI_Send (12), MPI_Recv": names with their numbers, the greatest first. A number 1 is left out.
std::string listed(const std::map<std::string, unsigned> &Numbers);

/// Writes colours if the stream is a terminal, or if CLICOLOR_FORCE is set; never if NO_COLOR is
/// set.
class Style {
public:
  explicit Style(llvm::raw_ostream &OS);

  enum Ink : uint8_t { Plain, Bold, Dim, Good, Middling, Bad };
  /// Writes \p Text in \p I.
  void write(Ink I, llvm::StringRef Text);
  /// Like pad(), in \p I.
  void cell(Ink I, llvm::StringRef Text, unsigned Width, bool Right = false);

private:
  llvm::raw_ostream &OS;
  bool Colours;
};

} // namespace mpispec
#endif
