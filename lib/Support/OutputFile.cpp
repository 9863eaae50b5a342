//===- OutputFile.cpp - Files that are written as a whole -------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Support/OutputFile.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace mpispec {

Error writeOutputFile(StringRef Path, function_ref<void(raw_ostream &)> Write) {
  return writeToOutput(Path, [&](raw_ostream &OS) -> Error {
    Write(OS);
    OS.flush();
    if (Path == "/dev/null") // has a stream of another class
      return Error::success();
    auto &File = static_cast<raw_fd_ostream &>(OS);
    std::error_code Code = File.error();
    File.clear_error(); // The stream's destructor would end the process.
    return Code ? createFileError(Path, Code) : Error::success();
  });
}

int endOutput(int Status) {
  outs().flush();
  if (outs().has_error()) {
    errs() << "mpispec: error: cannot write the output: " << outs().error().message() << '\n';
    outs().clear_error();
    Status = OutputLost;
  }
  errs().clear_error();
  return Status;
}

} // namespace mpispec
