//===- TemplateArguments.cpp - From facts to the arguments of a template ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Rewrite/TemplateArguments.h"
#include "Selection/Reductions.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace mpispec {

static constexpr StringLiteral ElementFunction = "mpispec_element";

ArgumentForm formOf(Role R) {
  switch (R) {
  case Role::Buffer:
  case Role::SendBuffer:
  case Role::RecvBuffer:
    return ArgumentForm::Buffer;
  case Role::Count:
  case Role::SendCount:
  case Role::RecvCount:
  case Role::RequestCount:
    return ArgumentForm::Count;
  case Role::Datatype:
  case Role::SendDatatype:
  case Role::RecvDatatype:
    return ArgumentForm::Element;
  case Role::Peer:
  case Role::Destination:
  case Role::Source:
  case Role::Tag:
  case Role::SendTag:
  case Role::RecvTag:
  case Role::Root:
    return ArgumentForm::Integer;
  case Role::Op:
    return ArgumentForm::Reduce;
  case Role::Comm:
  case Role::Group:
  case Role::Info:
    return ArgumentForm::Handle;
  default:
    return ArgumentForm::Object;
  }
}

namespace {

/// Makes the arguments of one call.
class ArgumentMaker {
public:
  ArgumentMaker(const FunctionInfo &F, const SiteFacts &Facts, const ArgumentStyle &Style)
      : F(F), Facts(Facts), Style(Style), Sides(transfersOf(F)) {}

  TemplateArgument make(Role R, std::string Parameter) const;

private:
  void count(TemplateArgument &A) const;
  void element(TemplateArgument &A) const;
  void integer(TemplateArgument &A) const;
  void communicator(TemplateArgument &A) const;
  void operation(TemplateArgument &A) const;
  void object(TemplateArgument &A) const;
  std::string handleText(const Answer &A) const {
    return Style.NamesHandles ? "(unsigned long)" + A.Name : A.Bits;
  }

  const FunctionInfo &F;
  const SiteFacts &Facts;
  const ArgumentStyle &Style;
  const SmallVector<Transfer, 2> Sides;
};

} // namespace

TemplateArgument ArgumentMaker::make(Role R, std::string Parameter) const {
  TemplateArgument A{R, formOf(R), Parameter, Parameter};
  switch (A.Form) {
  case ArgumentForm::Buffer:
    break;
  case ArgumentForm::Count:
    count(A);
    break;
  case ArgumentForm::Element:
    element(A);
    break;
  case ArgumentForm::Integer:
    integer(A);
    break;
  case ArgumentForm::Handle:
    communicator(A);
    break;
  case ArgumentForm::Reduce:
    operation(A);
    break;
  case ArgumentForm::Object:
    object(A);
    break;
  }
  return A;
}

void ArgumentMaker::count(TemplateArgument &A) const {
  A.Text = "(long long)" + A.Parameter;
  const Answer *Value = answerOf(F, Facts, A.R);
  A.IsKnown = Value && Value->K == Answer::Constant;
  if (A.IsKnown)
    A.Constant = Value->Low;
}

/// A handle that can be compared.
static bool hasBits(const Answer &A) { return A.K == Answer::Handle && !A.Bits.empty(); }

/// Only templates of messages accept datatypes that only the user's compiler can determine.
void ArgumentMaker::element(TemplateArgument &A) const {
  A.IsKnown = true;
  A.Text = "-1";
  const TransferFacts *Side = sideOf(F, Facts, A.R);
  if (Side && Side->Contiguous && hasBits(Side->Datatype)) {
    A.Text = std::to_string(*Side->DatatypeSize);
    A.Equal = handleText(Side->Datatype);
  } else if (Side && Side->ContiguousInEachCopy && Sides.front().isMessage() &&
             !Style.Elements.empty()) {
    A.Text = formatv("{0}((unsigned long){1})", ElementFunction, A.Parameter);
    A.CallsElementFunction = true;
  }
}

void ArgumentMaker::integer(TemplateArgument &A) const {
  const TransferFacts *Side = sideOf(F, Facts, A.R);
  bool IsPeer = Side && answerOf(F, Facts, A.R) == &Side->Peer;
  bool IsWildcard = Side && (IsPeer ? Side->PeerIsWildcard : Side->hasAnyTag());
  if (IsWildcard)
    A.Text = A.Equal = IsPeer ? "mpispec_any_source" : "mpispec_any_tag";
  A.IsKnown = IsWildcard;
}

void ArgumentMaker::communicator(TemplateArgument &A) const {
  A.Text = "(unsigned long)" + A.Parameter;
  A.IsKnown = A.R == Role::Comm && hasBits(Facts.Comm) && Facts.Comm.Name == "MPI_COMM_WORLD";
  if (!A.IsKnown)
    return;
  A.Text = "mpispec_comm_world";
  A.Equal = handleText(Facts.Comm);
}

/// The operation is known only together with the elements that it combines.
void ArgumentMaker::operation(TemplateArgument &A) const {
  A.IsKnown = true;
  A.Text = "mpispec_no_operation, mpispec_no_number";
  if (Facts.Transfers.size() != 1 || !hasBits(Facts.Op) || !hasBits(Facts.Transfers[0].Datatype))
    return;
  std::string Known = reductionText(Facts.Op.Name, Facts.Transfers[0].Datatype.Name);
  if (Known.empty())
    return;
  A.Text = Known;
  A.Equal = handleText(Facts.Op);
}

void ArgumentMaker::object(TemplateArgument &A) const {
  bool IsUnread = Facts.StatusUnread && (A.R == Role::Status || A.R == Role::Statuses);
  A.Text = IsUnread ? "mpispec_status_unread(" + A.Parameter + ")" : "(void *)" + A.Parameter;
}

std::vector<TemplateArgument> templateArguments(const FunctionInfo &F, const SiteFacts &Facts,
                                                const ArgumentStyle &Style) {
  const ArgumentMaker Maker(F, Facts, Style);
  std::vector<TemplateArgument> Arguments;
  StringSet<> Used;
  for (Role R : F.Roles) {
    std::string Name = text(R).str();
    std::replace(Name.begin(), Name.end(), ' ', '_');
    while (Style.Reserved.contains(Name) || !Used.insert(Name).second)
      Name += '_';
    Arguments.push_back(Maker.make(R, Name));
  }
  return Arguments;
}

std::string elementFunction(StringRef Definitions, const ArgumentStyle &Style) {
  if (!Definitions.contains((ElementFunction + "(").str()))
    return "";
  std::string Text =
      formatv("static __inline__ __attribute__((__always_inline__, __unused__, "
              "__no_instrument_function__)) long long\n{0}(unsigned long datatype)\n{{\n"
              "  return ",
              ElementFunction);
  for (const ElementSize &E : Style.Elements) {
    // A compiler may prove that two addresses are equal, but seldom that they differ. An unproven
    // comparison counts as different.
    std::string Equal = "datatype == " + (Style.NamesHandles ? "(unsigned long)" + E.Name : E.Bits);
    Text += formatv("__builtin_constant_p({0}) && {0} ? {1}\n         : ", Equal, E.Bytes);
  }
  return Text + "-1;\n}\n";
}

} // namespace mpispec
