//===- CacheCommand.cpp - mpispec cache -------------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "CacheCommand.h"
#include "Help.h"
#include "SubcommandWords.h"
#include "Support/CacheDirectory.h"
#include "Support/TextLayout.h"
#include "job/cache_file.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace mpispec {

namespace {
struct CacheFiles {
  std::vector<std::string> Paths, Directories;
  uint64_t Bytes = 0;
  std::string Trouble; ///< why a directory could not be read, or empty
};
} // namespace

/// The part of \p Name in front of `-` and a number, or empty. All names in the cache have a
/// number.
static StringRef withoutNumber(StringRef Name) {
  constexpr size_t Digits = 16;
  const bool HasNumber = Name.size() > Digits && all_of(Name.take_back(Digits), isHexDigit);
  return HasNumber && Name.drop_back(Digits).ends_with("-") ? Name.drop_back(Digits + 1) : "";
}

/// Does a file of this name belong to the cache? MPISPEC_CACHE may name a directory with other
/// files, which do not. A project's directory has summaries only.
static bool isOfCache(StringRef Name, bool IsInProject) {
  if (IsInProject)
    return Name.consume_back(".json") && !withoutNumber(Name).empty();
  return is_contained({MPISPEC_CACHE_LONG_MESSAGES, MPISPEC_CACHE_REDUCTION_ORDERS},
                      withoutNumber(Name));
}

/// Adds the files of \p Directory, which is that of a project or the whole cache.
static void addFiles(StringRef Directory, bool IsProject, CacheFiles &Files) {
  std::error_code Code;
  for (sys::fs::directory_iterator Entry(Directory, Code, /*follow_symlinks=*/false), End;
       !Code && Entry != End; Entry.increment(Code)) {
    StringRef Name = sys::path::filename(Entry->path());
    const bool IsFile = Entry->type() == sys::fs::file_type::regular_file;
    if (!IsProject && Entry->type() == sys::fs::file_type::directory_file) {
      if (withoutNumber(Name).empty())
        continue;
      Files.Directories.push_back(Entry->path());
      addFiles(Entry->path(), /*IsProject=*/true, Files);
    } else if (ErrorOr<sys::fs::basic_file_status> Status = Entry->status();
               IsFile && Status && isOfCache(Name, IsProject)) {
      Files.Paths.push_back(Entry->path());
      Files.Bytes += Status->getSize();
    }
  }
  if (Code && Code != std::errc::no_such_file_or_directory)
    Files.Trouble = ("cannot read '" + Directory + "': " + Code.message()).str();
}

static int clear(const CacheFiles &Files) {
  int Status = 0;
  for (const std::string &Path : Files.Paths)
    if (std::error_code Code = sys::fs::remove(Path)) {
      errs() << "mpispec: error: cannot remove '" << Path << "': " << Code.message() << '\n';
      Status = 1;
    }
  for (const std::string &Path : Files.Directories)
    (void)sys::fs::remove(Path); // one that has other files stays
  outs() << "removed " << counted(Files.Paths.size(), "file") << '\n';
  return Status;
}

int showCache(ArrayRef<std::string> Words) {
  const StringRef Option = Words.empty() ? "--size" : StringRef(Words[0]);
  if (Words.size() > 1 || !Option.starts_with("-")) {
    errs() << "mpispec: error: 'mpispec cache' takes one option and no file; see 'mpispec cache "
              "--help'\n";
    return 2;
  }
  const std::string Directory = cacheDirectory();
  if (Directory.empty()) {
    outs() << "there is no cache\n";
    return 0;
  }
  CacheFiles Files;
  addFiles(Directory, /*IsProject=*/false, Files);
  if (!Files.Trouble.empty()) {
    errs() << "mpispec: error: " << Files.Trouble
           << "; let MPISPEC_CACHE name a directory that you may read\n";
    return 1;
  }
  if (Option == "--clear")
    return clear(Files);
  outs() << Directory << ": " << counted(Files.Paths.size(), "file") << ", "
         << counted(Files.Bytes, "byte") << '\n';
  return 0;
}

} // namespace mpispec
