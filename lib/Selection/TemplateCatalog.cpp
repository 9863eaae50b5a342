//===- TemplateCatalog.cpp - The catalog of templates -----------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Selection/TemplateCatalog.h"
#include "mpispec/contract.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace mpispec {

bool TemplateRow::isFulfilledBy(const CallFacts &Known) const {
  return (Node == NodeClass::Dynamic || Node == Known.Node) &&
         (!StatusIgnored || Known.StatusIgnored);
}

bool TemplateFunction::isExceededBy(const TransferFacts &Known) const {
  bool IsLong = Known.Size == SizeClass::Long && Longest <= mpispec_short_bytes;
  return IsLong || (Known.Bytes.K != Answer::Unknown && Known.Bytes.Low > Longest);
}

bool TemplateInfo::isLong() const {
  return none_of(templateRowsOf(Function), [&](const TemplateRow &R) {
    return R.cell(SizeClass::Short) == Name || R.cell(SizeClass::Dynamic) == Name;
  });
}

ArrayRef<TemplateFunction> allTemplateFunctions() {
  constexpr bool Takes = true, Declines = false;
  static const TemplateFunction Functions[] = {
#define MPISPEC_FUNCTION(FUNCTION, HEADER, WILDCARDS, LONGEST, PLACEMENT)                          \
  {#FUNCTION, #HEADER, WILDCARDS, LONGEST, Placement::PLACEMENT},
#include "Selection/Templates.def"
  };
  return Functions;
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

/// The element of \p Rows with the name \p Name, which must exist.
template <typename T> static const T &named(ArrayRef<T> Rows, StringRef Name) {
  const T *Found = find_if(Rows, [&](const T &Row) { return Row.Name == Name; });
  assert(Found != Rows.end() && "Templates.def has no such row");
  return *Found;
}

const TemplateFunction &templateFunction(StringRef Function) {
  return named(allTemplateFunctions(), Function);
}

const TemplateInfo &templateNamed(StringRef Name) { return named(allTemplates(), Name); }

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

bool dependsOnNode(StringRef Function) {
  return any_of(templateRowsOf(Function),
                [](const TemplateRow &R) { return R.Node != NodeClass::Dynamic; });
}

bool dependsOnStatus(StringRef Function) {
  return any_of(templateRowsOf(Function), [](const TemplateRow &R) { return R.StatusIgnored; });
}

} // namespace mpispec
