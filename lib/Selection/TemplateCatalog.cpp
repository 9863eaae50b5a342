//===- TemplateCatalog.cpp - Which templates there are ----------------------------------------===//
#include "Selection/TemplateCatalog.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace mpispec {

bool CallFacts::fulfil(const CallFacts &Required) const {
  return (Required.Size == SizeClass::Dynamic || Required.Size == Size) &&
         (Required.Node == NodeClass::Dynamic || Required.Node == Node) &&
         (!Required.PredefinedDatatype || PredefinedDatatype) &&
         (!Required.StatusIgnored || StatusIgnored);
}

ArrayRef<TemplateInfo> allTemplates() {
  static const TemplateInfo Rows[] = {
#define MPISPEC_TEMPLATE(FUNCTION, SUFFIX, SIZE, NODE, DATATYPE, STATUS)                           \
  {#FUNCTION, #FUNCTION "_" #SUFFIX, {SizeClass::SIZE, NodeClass::NODE, DATATYPE, STATUS}},
#include "Selection/Templates.def"
  };
  return Rows;
}

ArrayRef<TemplateInfo> templatesOf(StringRef Function) {
  auto IsOfFunction = [&](const TemplateInfo &T) { return T.Function == Function; };
  ArrayRef<TemplateInfo> All = allTemplates();
  const TemplateInfo *First = find_if(All, IsOfFunction);
  const TemplateInfo *Last = std::find_if_not(First, All.end(), IsOfFunction);
  return ArrayRef(First, Last);
}

const TemplateInfo *mostSpecialTemplate(StringRef Function, const CallFacts &Known) {
  for (const TemplateInfo &T : templatesOf(Function))
    if (Known.fulfil(T.Requires))
      return &T;
  return nullptr;
}

} // namespace mpispec
