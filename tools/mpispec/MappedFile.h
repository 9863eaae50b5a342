//===- MappedFile.h - The bytes of a file -----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MPISPEC_TOOLS_MAPPEDFILE_H
#define MPISPEC_TOOLS_MAPPEDFILE_H

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <string>
#include <string_view>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace mpispec {

/// Maps a file read-only. If the file is unreadable, bytes() is empty and error() is not.
class MappedFile {
public:
  explicit MappedFile(const std::string &Path) {
    const int Descriptor = open(Path.c_str(), O_RDONLY | O_CLOEXEC);
    struct stat Status;
    if (Descriptor < 0 || fstat(Descriptor, &Status)) {
      Error = std::strerror(errno);
    } else if (Status.st_size > 0) {
      void *Start = mmap(nullptr, Status.st_size, PROT_READ, MAP_PRIVATE, Descriptor, 0);
      if (Start == MAP_FAILED)
        Error = std::strerror(errno);
      else
        Contents = {static_cast<const char *>(Start), static_cast<size_t>(Status.st_size)};
    }
    if (Descriptor >= 0)
      close(Descriptor);
  }
  ~MappedFile() {
    if (!Contents.empty())
      munmap(const_cast<char *>(Contents.data()), Contents.size());
  }
  MappedFile(const MappedFile &) = delete;
  MappedFile &operator=(const MappedFile &) = delete;

  std::string_view bytes() const { return Contents; }
  const std::string &error() const { return Error; } ///< empty: there is none

private:
  std::string_view Contents;
  std::string Error;
};

} // namespace mpispec
#endif
