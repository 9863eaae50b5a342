//===- Remarks.cpp - The table of remarks -----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Support/Remarks.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace mpispec {

StringRef Remark::get(StringRef Key) const {
  for (const RemarkArgument &A : Arguments)
    if (A.Key == Key)
      return A.Value;
  return {};
}

std::string Remark::message() const {
  std::string Text;
  for (const RemarkArgument &A : Arguments)
    Text += A.Value;
  return Text;
}

Remark::Remark(RemarkID ID) : K(infoOf(ID).K), ID(ID) {}

ArrayRef<RemarkInfo> allRemarks() {
  static const RemarkInfo Rows[] = {
#define MPISPEC_REMARK(NAME, ID, KIND, SENTENCE) {RemarkID::NAME, ID, Remark::KIND, SENTENCE},
#include "Support/Remarks.def"
  };
  return Rows;
}

const RemarkInfo &infoOf(RemarkID ID) { return allRemarks()[static_cast<size_t>(ID)]; }

StringRef text(RemarkID ID) { return infoOf(ID).Text; }

raw_ostream &operator<<(raw_ostream &OS, RemarkID ID) { return OS << text(ID); }

const RemarkInfo *lookUpRemark(StringRef Text) {
  const RemarkInfo *Row =
      find_if(allRemarks(), [&](const RemarkInfo &R) { return R.Text == Text; });
  return Row == allRemarks().end() ? nullptr : Row;
}

bool isFallback(RemarkID ID) { return text(ID).starts_with("fallback-"); }

Remark fallbackRemark(RemarkID ID, StringRef Source, StringRef Detail) {
  assert(isFallback(ID) && "the remark is not about a whole translation unit");
  Remark R(ID);
  R.File = Source.str();
  R.Line = R.Column = 1;
  R.Function = UnitScope.str();
  R.Arguments = {{"String", "compiled without mpispec: "}, {"Reason", infoOf(ID).Sentence.str()}};
  if (!Detail.empty()) {
    R.Arguments.push_back({"String", ": "});
    R.Arguments.push_back({"Detail", Detail.str()});
  }
  return R;
}

} // namespace mpispec
