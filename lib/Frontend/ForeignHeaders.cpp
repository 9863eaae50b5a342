//===- ForeignHeaders.cpp - Headers of gcc's that Clang must not read -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Frontend/ForeignHeaders.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace mpispec {

namespace {
/// A file system without gcc's own headers of which Clang has a counterpart.
class Without : public vfs::ProxyFileSystem {
public:
  Without(IntrusiveRefCntPtr<vfs::FileSystem> All, std::string Own, StringSet<> Foreign)
      : ProxyFileSystem(std::move(All)), Own(std::move(Own)), Foreign(std::move(Foreign)) {}

  ErrorOr<vfs::Status> status(const Twine &Path) override {
    if (isHidden(Path))
      return make_error_code(errc::no_such_file_or_directory);
    return ProxyFileSystem::status(Path);
  }
  ErrorOr<std::unique_ptr<vfs::File>> openFileForRead(const Twine &Path) override {
    if (isHidden(Path))
      return make_error_code(errc::no_such_file_or_directory);
    return ProxyFileSystem::openFileForRead(Path);
  }

private:
  bool isHidden(const Twine &Path) {
    SmallString<256> Text;
    Path.toVector(Text);
    if (!Foreign.contains(sys::path::parent_path(Text)))
      return false;
    SmallString<256> Counterpart(Own);
    sys::path::append(Counterpart, sys::path::filename(Text));
    return getUnderlyingFS().exists(Counterpart);
  }

  std::string Own;     ///< Clang's directory
  StringSet<> Foreign; ///< directories of gcc
};
} // namespace

IntrusiveRefCntPtr<vfs::FileSystem>
withoutForeignHeaders(const clang::HeaderSearchOptions &Options) {
  IntrusiveRefCntPtr<vfs::FileSystem> All = vfs::getRealFileSystem();
  StringSet<> Foreign;
  for (const auto &Entry : Options.UserEntries)
    if (Entry.Group == clang::frontend::After && StringRef(Entry.Path).contains("/gcc"))
      Foreign.insert(Entry.Path);
  if (Foreign.empty())
    return All;
  return makeIntrusiveRefCnt<Without>(All, Options.ResourceDir + "/include", std::move(Foreign));
}

} // namespace mpispec
