//===- Remarks.cpp - The table of remarks -----------------------------------------------------===//
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

ArrayRef<RemarkInfo> allRemarks() {
  static const RemarkInfo Rows[] = {
#define MPISPEC_REMARK(ID, KIND, SENTENCE) {ID, Remark::KIND, SENTENCE},
#include "Support/Remarks.def"
  };
  return Rows;
}

const RemarkInfo *lookUpRemark(StringRef ID) {
  const RemarkInfo *Row = find_if(allRemarks(), [&](const RemarkInfo &R) { return R.ID == ID; });
  return Row == allRemarks().end() ? nullptr : Row;
}

bool isFallback(StringRef ID) { return ID.starts_with("fallback-"); }

Remark fallbackRemark(StringRef ID, StringRef Source, StringRef Detail) {
  const RemarkInfo *Row = lookUpRemark(ID);
  assert(Row && isFallback(ID) && "a fallback needs its row in Remarks.def");
  Remark R;
  R.K = Row->K;
  R.ID = ID.str();
  R.File = Source.str();
  R.Line = R.Column = 1;
  R.Function = UnitScope.str();
  R.Arguments = {{"String", "compiled without mpispec: "}, {"Reason", Row->Sentence.str()}};
  if (!Detail.empty()) {
    R.Arguments.push_back({"String", ": "});
    R.Arguments.push_back({"Detail", Detail.str()});
  }
  return R;
}

} // namespace mpispec
