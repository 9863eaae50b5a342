//===- TemplateArguments.h - From facts to the arguments of a template ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A template gets the arguments of the MPI call in their order. The form of each depends on its
// role (docs/Templates.md, "What a template takes"). If a fact is more exact than the argument, the
// template gets the value of the fact. The value is a constant, the bytes of an element, or a word
// of contract.h.
//
// Facts are proven in Clang's reading of the program, and another compiler may read it differently.
// Therefore each fact comes with the value that the argument must equal at the call, and the
// emitter writes this comparison. It folds away if the user's compiler finds the same constant.
// Otherwise the comparison remains. Therefore only facts that change the template's code are used:
// counts, datatypes, MPI_COMM_WORLD, operations, wildcards.
//
//     call, facts ─► templateArguments ─► TemplateArgument[] ─► siteDefinition: text (Emitter.h)
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_REWRITE_TEMPLATEARGUMENTS_H
#define MPISPEC_REWRITE_TEMPLATEARGUMENTS_H

#include "Facts/Facts.h"
#include "Frontend/HandleProbe.h"
#include "llvm/ADT/StringSet.h"

namespace mpispec {

/// The type in which a template takes an argument.
enum class ArgumentForm : uint8_t {
  Buffer,  ///< void *, or a pointer to const: the program's data
  Count,   ///< long long
  Element, ///< for a datatype: long long, bytes of one element, or -1
  Integer, ///< int
  Handle,  ///< unsigned long: the handle's bits
  Reduce,  ///< for an operation: int, int: the operation, and the kind of number that it combines
  Object,  ///< void *: requests, statuses, arrays and results
};

ArgumentForm formOf(Role R);

/// One argument of a call, in the form in which its template takes it.
struct TemplateArgument {
  Role R;
  ArgumentForm Form;
  std::string Parameter; ///< the name of the argument in the site's function
  std::string Text;      ///< the template's argument, unless Constant has a value
  /// A constant that the template gets for a count.
  std::optional<int64_t> Constant = std::nullopt;
  /// The value that the argument must have so that Text is valid: the bits of a handle, or a word
  /// of contract.h. Empty if Text is always valid, or if Constant is the value.
  std::string Equal = {};
  /// Does the template get something else than the argument?
  bool IsKnown = false;
  bool CallsElementFunction = false; ///< Text is a call of elementFunction()

  bool isHandle() const {
    return Form != ArgumentForm::Integer && Form != ArgumentForm::Count && !Equal.empty();
  }
};

/// The form in which arguments are written.
struct ArgumentStyle {
  llvm::StringSet<> Reserved; ///< names that no parameter gets: macros of a text that is not yet
                              ///< preprocessed
  bool NamesHandles = false;  ///< handles are written as MPI_DOUBLE, not as their bits
  /// Sizes of elements by datatype. In an instantiation of a C++ template, the unit's compiler may
  /// find a size that the analysis does not find. Empty: the text does not use it.
  llvm::ArrayRef<ElementSize> Elements = {};
};

/// The arguments of the templates of \p F, in order. \p Facts are the facts about the call.
std::vector<TemplateArgument> templateArguments(const FunctionInfo &F, const SiteFacts &Facts,
                                                const ArgumentStyle &Style);

/// The function by which the user's compiler finds the size of an element. It must precede the
/// definitions. Empty if no text in \p Definitions uses it.
std::string elementFunction(llvm::StringRef Definitions, const ArgumentStyle &Style);

} // namespace mpispec
#endif
