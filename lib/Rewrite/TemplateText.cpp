//===- TemplateText.cpp - The template headers as text to paste -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Rewrite/TemplateText.h"
#include "Rewrite/FactChecks.h"
#include "Selection/TemplateCatalog.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace llvm;

namespace mpispec {

namespace {
struct EmbeddedHeader {
  StringLiteral Name, Text;
};
} // namespace

static constexpr EmbeddedHeader EmbeddedHeaders[] = {
#include "Rewrite/EmbeddedTemplates.inc"
};

StringRef templateHeader(StringRef Header) {
  for (const EmbeddedHeader &H : EmbeddedHeaders)
    if (H.Name == Header)
      return H.Text;
  return "";
}

namespace {
/// Pastes headers, each once.
class Paste {
public:
  Paste(HandleStyle Style, bool ForX86) : Style(Style), ForX86(ForX86) {}

  void header(StringRef Header);

  std::string Text;

private:
  bool isWanted(StringRef Condition) const;

  const HandleStyle Style;
  const bool ForX86;
  StringSet<> Done;
};
} // namespace

/// Whether the text under \p Condition is pasted. Text behind a header's include guard is pasted. A
/// condition on the processor or the style of handles is evaluated. Text under any other condition
/// is for compilers that include the headers.
bool Paste::isWanted(StringRef Condition) const {
  if (Condition == "#if defined(__x86_64__)")
    return ForX86;
  if (Condition.consume_front("#if defined(MPISPEC_STYLE_"))
    return Condition == (text(Style) + ")").str();
  return Condition.starts_with("#ifndef MPISPEC_");
}

void Paste::header(StringRef Header) {
  if (!Done.insert(Header).second)
    return;
  StringRef Rest = templateHeader(Header);
  assert(!Rest.empty() && "no such template header");
  SmallVector<bool, 4> Wanted; // one for each condition around the line
  while (!Rest.empty()) {
    auto [Line, After] = Rest.split('\n');
    Rest = After;
    const bool IsWanted = Wanted.empty() || Wanted.back();
    if (Line.starts_with("#if"))
      Wanted.push_back(IsWanted && isWanted(Line));
    else if (Line == "#else")
      Wanted.back() = !Wanted.back() && (Wanted.size() < 2 || Wanted[Wanted.size() - 2]);
    else if (Line.starts_with("#endif"))
      Wanted.pop_back();
    else if (!IsWanted)
      continue;
    else if (!Line.starts_with("#"))
      (Text += Line) += '\n';
    else if (Line.consume_front("#include \""))
      header(Line.take_until([](char C) { return C == '"'; }));
  }
}

std::string templateText(ArrayRef<StringRef> Functions, HandleStyle Style, bool CheckFacts,
                         bool ForX86) {
  Paste Result(Style, ForX86);
  if (CheckFacts)
    Result.header(FactCheckHeader);
  Result.header("weak_state.h"); // by which objects show that they are specialised
  for (StringRef Function : Functions)
    Result.header(templateFunction(Function).Header);
  return std::move(Result.Text);
}

} // namespace mpispec
