//===- TemplateArguments.h - From facts to the arguments of a template ------------------------===//
//
// A template gets the arguments of the MPI call in their order, each in a form that depends on its
// role (docs/Templates.md, "What a template takes"). Where facts say more than the argument, the
// template gets what they say: a constant, the bytes of an element, a word of contract.h.
//
// Facts are proven in Clang's reading of the program, and another compiler may read it otherwise.
// Therefore each fact comes with what the argument must equal at the call, and the emitter writes
// that comparison. Where the user's compiler sees the same constant, the comparison folds away, so
// only facts that change the template's code are used: counts, datatypes, MPI_COMM_WORLD,
// operations, wildcards.
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

/// The type by which a template takes an argument.
enum class ArgumentForm : uint8_t {
  Buffer,  ///< void *, or a pointer to const: the program's data
  Count,   ///< long long
  Element, ///< of a datatype: long long, bytes of one element, or -1
  Integer, ///< int
  Handle,  ///< unsigned long: the handle's bits
  Reduce,  ///< of an operation: int, int: the operation, and the kind of number that it combines
  Object,  ///< void *: requests, statuses, arrays and results
};

ArgumentForm formOf(Role R);

/// One argument of a call, as its template takes it.
struct TemplateArgument {
  Role R;
  ArgumentForm Form;
  std::string Parameter; ///< the name that the argument has in the site's function
  std::string Text;      ///< what the template gets, unless Constant has a value
  /// A constant that the template gets for a count.
  std::optional<int64_t> Constant = std::nullopt;
  /// What the argument must equal for Text to be true: the bits of a handle, a word of contract.h.
  /// Empty: Text is true in any case, or Constant is what the argument must equal.
  std::string Equal = {};
  /// Does the template get something else than the argument?
  bool IsKnown = false;
  bool AsksCompiler = false; ///< Text is a call of elementFunction()

  bool isHandle() const {
    return Form != ArgumentForm::Integer && Form != ArgumentForm::Count && !Equal.empty();
  }
};

/// How arguments are written.
struct ArgumentStyle {
  llvm::StringSet<> Reserved; ///< names that no parameter gets: macros of a text that is yet to be
                              ///< preprocessed
  bool NamesHandles = false;  ///< MPI_DOUBLE where the header can be read, instead of its bits
  /// What the unit's compiler may know where the analysis does not: in an instantiation of a C++
  /// template, the size of an element from the datatype. Empty: it is not asked.
  llvm::ArrayRef<ElementSize> Elements = {};
};

/// The arguments of the templates of \p F, in order, if \p Facts is what is known of the call.
std::vector<TemplateArgument> templateArguments(const FunctionInfo &F, const SiteFacts &Facts,
                                                const ArgumentStyle &Style);

/// The function by which the user's compiler is asked for the size of an element. It must stand
/// before the definitions; empty if none of the text in \p Definitions needs it.
std::string elementFunction(llvm::StringRef Definitions, const ArgumentStyle &Style);

} // namespace mpispec
#endif
