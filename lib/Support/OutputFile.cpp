//===- OutputFile.cpp - Files that are written as a whole -------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Support/OutputFile.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include <unistd.h>

using namespace llvm;

namespace mpispec {

using Printer = function_ref<void(raw_ostream &)>;

/// Leaves \p OS without an error, because its destructor would end the process.
static Error print(raw_fd_ostream &OS, StringRef Path, Printer Write) {
  Write(OS);
  OS.flush();
  std::error_code Code = OS.error();
  OS.clear_error();
  return Code ? createFileError(Path, Code) : Error::success();
}

static bool isAt(int Descriptor, const sys::fs::file_status &File) {
  sys::fs::file_status Open;
  return exists(File) && !sys::fs::status(Descriptor, Open) && sys::fs::equivalent(File, Open);
}

/// May another file take the place of \p Path? Devices, pipes and links to nothing are written
/// themselves. The attempt to write a protected file gives the reason why it cannot be written.
static bool isReplaceable(StringRef Path, const sys::fs::file_status &Old) {
  sys::fs::file_status Link;
  if (!exists(Old))
    return bool(sys::fs::status(Path, Link, /*follow=*/false));
  return is_regular_file(Old) && sys::fs::can_write(Path);
}

static Error writeInPlace(StringRef Path, Printer Write) {
  std::error_code Code;
  raw_fd_ostream OS(Path, Code);
  return Code ? createFileError(Path, Code) : print(OS, Path, Write);
}

/// Replaces the file behind symbolic links, and keeps its permissions.
static Error replaceFile(StringRef Path, const sys::fs::file_status &Old, Printer Write) {
  SmallString<128> Place;
  if (sys::fs::real_path(Path, Place)) // a new file
    Place = Path;
  Expected<sys::fs::TempFile> Temp = sys::fs::TempFile::create(Place + ".temp-stream-%%%%%%");
  if (!Temp)
    return createFileError(Path, Temp.takeError());
  if (exists(Old))
    (void)sys::fs::setPermissions(Temp->FD, Old.permissions());
  raw_fd_ostream OS(Temp->FD, /*shouldClose=*/false);
  if (Error E = print(OS, Path, Write))
    return joinErrors(std::move(E), Temp->discard());
  if (Error E = Temp->keep(Place))
    return createFileError(Path, std::move(E));
  return Error::success();
}

Error writeOutputFile(StringRef Path, Printer Write) {
  sys::fs::file_status Old;
  (void)sys::fs::status(Path, Old);
  if (Path == "-" || isAt(STDOUT_FILENO, Old))
    return print(outs(), Path, Write);
  if (isAt(STDERR_FILENO, Old))
    return print(errs(), Path, Write);
  return isReplaceable(Path, Old) ? replaceFile(Path, Old, Write) : writeInPlace(Path, Write);
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
