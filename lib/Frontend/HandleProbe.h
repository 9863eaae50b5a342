//===- HandleProbe.h - The values of MPI's names, evaluated by the unit -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A handle is an integer in MPICH, an address in Open MPI, and a small number cast to a pointer in
// the MPI-5 ABI. The front end contains no values of any header. It appends a probe to the main
// file's text in memory. The probe has one constant for each name of Datatypes.def that the header
// defines as a macro, an enumerator or a variable. The initializers of these constants in the IR
// are the handles' values. An argument that folds to the same constant is this handle.
//
// A program may give a name another meaning (`#define MPI_COMM_WORLD MPI_COMM_SELF`). In the probe,
// each name has the meaning that the header gave it.
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_FRONTEND_HANDLEPROBE_H
#define MPISPEC_FRONTEND_HANDLEPROBE_H

#include "MPI/Datatypes.h"
#include "MPI/Interfaces.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/Module.h"
#include <optional>
#include <string>

namespace clang {
class Preprocessor;
}

namespace mpispec {

/// The file that the appended text says it is in.
inline constexpr llvm::StringLiteral ProbeFile = "<mpispec>";

/// The text to append to a main file. It is marked as a system header, so that Clang prints no
/// diagnostics for it. \p Macros: definitions that the file itself lacks (PreprocessedSource.h).
std::string handleProbeText(llvm::StringRef Macros);
/// Makes `__if_exists`, which the probe uses under another name, a keyword also in C. The probe
/// then gives MPI's names back their meaning in the header, and sets \p Redefined if the program
/// has changed one. Must be called before \p PP reads the file. \p Redefined must outlive the
/// parse.
void enableHandleProbe(clang::Preprocessor &PP, bool &Redefined);

/// A predefined datatype without gaps.
struct ElementSize {
  std::string Name; ///< "MPI_DOUBLE"
  std::string Bits; ///< handleBits() of it
  uint64_t Bytes;
};

/// The results of the probe in one translation unit.
class Handles {
public:
  /// Reads the probe's constants from \p M, and removes them from \p M.
  static Handles take(llvm::Module &M);

  /// The value of MPI_DOUBLE, MPI_ANY_TAG, ... or null if the header does not define it. The
  /// optimizer removes a variable that the program does not mention. Therefore the pointer must not
  /// be dereferenced after the module is optimized.
  llvm::Constant *value(llvm::StringRef Name) const { return Values.lookup(Name); }

  /// handleBits() of that value; empty if there is none. Valid at any time.
  std::string bits(llvm::StringRef Name) const { return Bits.lookup(Name); }

  /// The predefined datatype whose handle is \p V. Null if there is none, or if datatypes that
  /// differ have this handle.
  const DatatypeInfo *datatype(const llvm::Value *V) const { return Datatypes.lookup(V); }

  /// Bytes of one element of \p D on the target (the MPI size, not the extent).
  std::optional<uint64_t> size(const DatatypeInfo &D) const;

  /// The name of the constant of kind \p K whose value is \p V, or empty.
  llvm::StringRef name(NamedConstant::Kind K, const llvm::Value *V) const;

  /// The form of handles, as MPI_REQUEST_NULL has it: an integer (MPICH), a small number as an
  /// address (ABI), or the address of a variable (OMPI).
  HandleStyle style() const { return Style; }

  /// All predefined datatypes without gaps whose handles have handleBits(). If several names have
  /// one handle, only the first.
  llvm::ArrayRef<ElementSize> elements() const { return Elements; }

private:
  void addElements();
  void addDatatype(const llvm::Constant *Value, const DatatypeInfo &D);

  llvm::StringMap<llvm::Constant *> Values;
  llvm::StringMap<std::string> Bits;
  llvm::StringMap<uint64_t> Sizes;
  llvm::DenseMap<const llvm::Value *, const DatatypeInfo *> Datatypes;
  std::vector<ElementSize> Elements;
  HandleStyle Style = HandleStyle::MPICH;
};

/// The bits of the handle \p Value as an expression of type unsigned long, valid behind the MPI
/// header in the unit. It is a number, or the address of a variable that the header declares. Empty
/// if \p Value is neither.
std::string handleBits(const llvm::Constant &Value);

} // namespace mpispec
#endif
