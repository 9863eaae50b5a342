//===- RemarkFile.cpp - Remarks as files ------------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A remark is one YAML document in the format of LLVM's -fsave-optimization-record (LLVM:
// "Remarks", llvm/Remarks/YAMLRemarkSerializer.h):
//
//     --- !Missed
//     Pass:            mpispec
//     Name:            size-unknown
//     DebugLoc:        { File: 'halo.c', Line: 12, Column: 5 }
//     Function:        exchange
//     Args:
//       - Callee:          MPI_Send
//       - String:          ': '
//       - Text:            'count ''n'' is unknown: ...'
//     ...
//
// YAML traits write it, not libLLVMRemarks, because the driver links only LLVM's Support library.
//
//===------------------------------------------------------------------------------------------===//
#include "Support/OutputFile.h"
#include "Support/Remarks.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/YAMLTraits.h"

using namespace llvm;
using mpispec::Remark;
using mpispec::RemarkArgument;
using mpispec::RemarkInfo;

namespace {
/// A remark in the form of YAML. If the pass is not "mpispec", another tool has written the remark.
struct RemarkDocument {
  std::string Pass = "mpispec";
  Remark R;
};

struct Place {
  std::string File;
  unsigned Line = 0, Column = 0;
};
} // namespace

LLVM_YAML_IS_SEQUENCE_VECTOR(RemarkArgument)
LLVM_YAML_IS_DOCUMENT_LIST_VECTOR(RemarkDocument)

namespace llvm::yaml {

template <> struct MappingTraits<Place> {
  static void mapping(IO &IO, Place &P) {
    IO.mapRequired("File", P.File);
    IO.mapRequired("Line", P.Line);
    IO.mapRequired("Column", P.Column);
  }
  static const bool flow = true;
};

template <> struct MappingTraits<RemarkArgument> {
  static void mapping(IO &IO, RemarkArgument &A) {
    if (IO.outputting())
      return IO.mapRequired(A.Key.c_str(), A.Value);
    // An argument has one key with any name. LLVM's own arguments may also have a DebugLoc.
    for (StringRef Key : IO.keys())
      if (Key != "DebugLoc") {
        A.Key = Key.str();
        return IO.mapRequired(A.Key.c_str(), A.Value);
      }
  }
};

template <> struct MappingTraits<RemarkDocument> {
  static void mapping(IO &IO, RemarkDocument &D) {
    mapKind(IO, D.R);
    IO.mapRequired("Pass", D.Pass);
    mapID(IO, D);
    std::optional<Place> P;
    if (IO.outputting() && !D.R.File.empty())
      P = Place{D.R.File, D.R.Line, D.R.Column};
    IO.mapOptional("DebugLoc", P);
    if (P)
      std::tie(D.R.File, D.R.Line, D.R.Column) = std::tie(P->File, P->Line, P->Column);
    IO.mapRequired("Function", D.R.Function);
    IO.mapOptional("Args", D.R.Arguments);
  }

  static void mapID(IO &IO, RemarkDocument &D) {
    std::string Name = mpispec::text(D.R.ID).str();
    IO.mapRequired("Name", Name);
    if (IO.outputting() || D.Pass != "mpispec")
      return;
    if (const RemarkInfo *Row = mpispec::lookUpRemark(Name))
      D.R.ID = Row->ID;
    else
      IO.setError("this version has no remark '" + Name + "'");
  }

  static void mapKind(IO &IO, Remark &R) {
    if (IO.mapTag("!Passed", R.K == Remark::Passed))
      R.K = Remark::Passed;
    else if (IO.mapTag("!Missed", R.K == Remark::Missed))
      R.K = Remark::Missed;
    else if (IO.mapTag("!Analysis", R.K == Remark::Analysis))
      R.K = Remark::Analysis;
    else if (!IO.mapTag("!Failure") && !IO.mapTag("!AnalysisFPCommute") &&
             !IO.mapTag("!AnalysisAliasing"))
      IO.setError("a remark starts with '--- !Passed', '--- !Missed' or '--- !Analysis'");
  }
};

} // namespace llvm::yaml

namespace mpispec {

void writeRemarks(ArrayRef<Remark> Remarks, raw_ostream &OS) {
  // Lines are not wrapped: an argument stays greppable.
  yaml::Output Out(OS, nullptr, /*WrapColumn=*/0);
  std::vector<RemarkDocument> Documents;
  for (const Remark &R : Remarks)
    Documents.push_back({"mpispec", R});
  if (!Documents.empty())
    Out << Documents;
}

Error writeRemarkFile(StringRef Path, ArrayRef<Remark> Remarks) {
  if (Error E = writeOutputFile(Path, [&](raw_ostream &OS) { writeRemarks(Remarks, OS); }))
    return createStringError("cannot write the remarks " + toString(std::move(E)) +
                             "; let --mpispec-remarks name a directory that has room and can be "
                             "written to");
  return Error::success();
}

/// Keeps the first error as "file:line: message".
static void keepFirst(const SMDiagnostic &Diagnostic, void *Message) {
  std::string &First = *static_cast<std::string *>(Message);
  if (First.empty())
    First = (Diagnostic.getFilename() + ":" + Twine(Diagnostic.getLineNo()) +
             ": not a remark file: " + Diagnostic.getMessage())
                .str();
}

Expected<std::vector<Remark>> readRemarks(MemoryBufferRef Buffer) {
  std::vector<Remark> Remarks;
  if (Buffer.getBuffer().trim().empty())
    return Remarks;
  std::string Message;
  yaml::Input In(Buffer, nullptr, keepFirst, &Message);
  In.setAllowUnknownKeys(true);
  std::vector<RemarkDocument> Documents;
  In >> Documents;
  if (In.error())
    return createStringError(In.error(), Message);
  for (RemarkDocument &D : Documents)
    if (D.Pass == "mpispec")
      Remarks.push_back(std::move(D.R));
  return Remarks;
}

} // namespace mpispec
