//===- TemplateCatalog.cpp - Which templates there are ----------------------------------------===//
#include "Selection/TemplateCatalog.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace mpispec {

bool TemplateRow::isFulfilledBy(const CallFacts &Known) const {
  return (Node == NodeClass::Dynamic || Node == Known.Node) &&
         (!StatusIgnored || Known.StatusIgnored);
}

ArrayRef<TemplateInfo> allTemplates() {
  static const TemplateInfo Templates[] = {
#define MPISPEC_TEMPLATE(NAME, FUNCTION, BODY, WORD) {#NAME, #FUNCTION, #BODY, #WORD},
#include "Selection/Templates.def"
  };
  return Templates;
}

ArrayRef<TemplateRow> allTemplateRows() {
  static_assert(static_cast<int>(SizeClass::Dynamic) == 0 &&
                    static_cast<int>(SizeClass::Short) == 1 &&
                    static_cast<int>(SizeClass::Long) == 2,
                "the order of the cells");
  static const TemplateRow Rows[] = {
#define MPISPEC_ROW(FUNCTION, NODE, STATUS, SHORT, DYNAMIC, LONG)                                  \
  {#FUNCTION, NodeClass::NODE, STATUS, {#DYNAMIC, #SHORT, #LONG}},
#include "Selection/Templates.def"
  };
  return Rows;
}

const TemplateInfo &templateNamed(StringRef Name) {
  const TemplateInfo *Found =
      find_if(allTemplates(), [&](const TemplateInfo &T) { return T.Name == Name; });
  assert(Found != allTemplates().end() && "no such template");
  return *Found;
}

ArrayRef<TemplateRow> templateRowsOf(StringRef Function) {
  auto IsOfFunction = [&](const TemplateRow &R) { return R.Function == Function; };
  ArrayRef<TemplateRow> All = allTemplateRows();
  const TemplateRow *First = find_if(All, IsOfFunction);
  const TemplateRow *Last = std::find_if_not(First, All.end(), IsOfFunction);
  return ArrayRef(First, Last);
}

StringRef templateCell(StringRef Function, const CallFacts &Known) {
  ArrayRef<TemplateRow> Rows = templateRowsOf(Function);
  const TemplateRow *Row =
      find_if(Rows, [&](const TemplateRow &R) { return R.isFulfilledBy(Known); });
  assert(Row != Rows.end() && "the last row requires nothing");
  return Row->cell(Known.Size);
}

} // namespace mpispec
