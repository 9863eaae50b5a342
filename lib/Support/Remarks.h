//===- Remarks.h - Remarks about calls and translation units ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A remark is a statement about one place, in the form of LLVM's optimization remarks, so that
// existing viewers (opt-viewer, llvm-remarkutil) show it. The analysis writes remarks about call
// sites, and the driver about whole translation units. `mpispec report` reads both. Every ID is a
// row of Remarks.def and a section of docs/Remarks.md. Code uses its enumerator, so that a misspelt
// ID does not compile.
//
// The driver links this file. Therefore it uses only LLVM's Support library.
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_SUPPORT_REMARKS_H
#define MPISPEC_SUPPORT_REMARKS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBufferRef.h"
#include "llvm/Support/raw_ostream.h"
#include <string>
#include <vector>

namespace mpispec {

/// The rows of Remarks.def.
enum class RemarkID : uint8_t {
#define MPISPEC_REMARK(NAME, ID, KIND, SENTENCE) NAME,
#include "Support/Remarks.def"
};

/// "size-unknown": the name in files and documentation.
llvm::StringRef text(RemarkID ID);
llvm::raw_ostream &operator<<(llvm::raw_ostream &OS, RemarkID ID);

/// One piece of a remark's text. The values in order are the text that viewers show; a tool picks
/// values by key. Pieces that only join others have the key "String".
struct RemarkArgument {
  std::string Key, Value;
};

struct Remark {
  enum Kind : uint8_t { Passed, Missed, Analysis } K = Missed;
  RemarkID ID = RemarkID::TranslationUnit;
  std::string File; ///< the name that the user's compiler prints; empty: no place
  unsigned Line = 0, Column = 0;
  std::string Function; ///< the function that the place is in, or `UnitScope`
  std::vector<RemarkArgument> Arguments;

  /// The value of the first argument with \p Key, or an empty string.
  llvm::StringRef get(llvm::StringRef Key) const;
  /// All values in order: the remark as a sentence.
  std::string message() const;

  Remark() = default;
  /// Makes a remark of the kind that \p ID has in the table.
  explicit Remark(RemarkID ID);
};

/// Remark::Function of a remark about a whole translation unit. The viewers require a function.
inline constexpr llvm::StringLiteral UnitScope = "<translation unit>";

struct RemarkInfo {
  RemarkID ID;
  llvm::StringLiteral Text; ///< text(ID)
  Remark::Kind K;
  llvm::StringLiteral Sentence;
};

llvm::ArrayRef<RemarkInfo> allRemarks();
const RemarkInfo &infoOf(RemarkID ID);
/// The row whose ID is \p Text, which comes from a file or another program. Null if there is none.
const RemarkInfo *lookUpRemark(llvm::StringRef Text);

/// Is \p ID a remark about a translation unit that the user's own command compiled?
bool isFallback(RemarkID ID);

/// The remark about a \p Source that the user's own command compiled. \p ID is a fallback row.
/// \p Detail is one line with details ("unknown argument '-fipa-pta'"), or empty.
Remark fallbackRemark(RemarkID ID, llvm::StringRef Source, llvm::StringRef Detail);

/// Writes \p Remarks as YAML documents (RemarkFile.cpp has the format).
void writeRemarks(llvm::ArrayRef<Remark> Remarks, llvm::raw_ostream &OS);

/// Replaces \p Path atomically, so that a parallel build never reads an incomplete file.
llvm::Error writeRemarkFile(llvm::StringRef Path, llvm::ArrayRef<Remark> Remarks);

/// The remarks of \p Buffer. Documents of other passes are skipped: LLVM's own files may be given.
/// An ID that is no row of Remarks.def is an error, for example an ID of another version. The error
/// names \p Buffer and the line.
llvm::Expected<std::vector<Remark>> readRemarks(llvm::MemoryBufferRef Buffer);

} // namespace mpispec
#endif
