//===- TemplateText.cpp - The template headers as text to paste -------------------------------===//
#include "Rewrite/TemplateText.h"
#include "Rewrite/FactChecks.h"
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

std::string templateHeaderOf(StringRef Function) { return Function.lower() + ".h"; }

StringRef templateHeader(StringRef Header) {
  for (const EmbeddedHeader &H : EmbeddedHeaders)
    if (H.Name == Header)
      return H.Text;
  return "";
}

static void paste(StringRef Header, StringSet<> &Done, std::string &Text) {
  if (!Done.insert(Header).second)
    return;
  StringRef Rest = templateHeader(Header);
  assert(!Rest.empty() && "no such template header");
  while (!Rest.empty()) {
    auto [Line, After] = Rest.split('\n');
    Rest = After;
    if (!Line.starts_with("#"))
      (Text += Line) += '\n';
    else if (Line.consume_front("#include \""))
      paste(Line.take_until([](char C) { return C == '"'; }), Done, Text);
  }
}

std::string templateText(ArrayRef<StringRef> Functions, bool CheckFacts) {
  StringSet<> Done;
  std::string Text;
  if (CheckFacts)
    paste(FactCheckHeader, Done, Text);
  for (StringRef Function : Functions)
    paste(templateHeaderOf(Function), Done, Text);
  return Text;
}

} // namespace mpispec
