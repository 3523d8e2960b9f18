// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "base/data_file.h"

#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

namespace foothold {
namespace {

namespace fs = std::filesystem;

// A pipe that nobody writes to would keep its reader for ever.
constexpr int kReadFlags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY;
constexpr int kFolderFlags = O_PATH | O_DIRECTORY | O_CLOEXEC;

// Closes at the end, and leaves errno alone.
class Folder {
 public:
  explicit Folder(int descriptor) : descriptor_(descriptor) {}
  ~Folder() { Close(); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  int get() const { return descriptor_; }
  void Reset(int descriptor) {
    Close();
    descriptor_ = descriptor;
  }

 private:
  void Close() const {
    const int before = errno;
    if (descriptor_ >= 0) close(descriptor_);
    errno = before;
  }
  int descriptor_;
};

// The kernel refuses to leave the folder with EXDEV.
int OpenInside(int folder, const std::string& relative) {
  open_how how{};
  how.flags = kReadFlags;
  how.resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS;
  return static_cast<int>(syscall(SYS_openat2, folder, relative.c_str(), &how, sizeof how));
}

// What OpenInside does, for a path without links: one that comes in the way meanwhile is an error.
int Walk(int from, const fs::path& relative) {
  Folder folder(openat(from, ".", kFolderFlags));
  for (auto part = relative.begin(); folder.get() >= 0; ++part) {
    if (std::next(part) == relative.end())
      return openat(folder.get(), part->c_str(), kReadFlags | O_NOFOLLOW);
    folder.Reset(openat(folder.get(), part->c_str(), kFolderFlags | O_NOFOLLOW));
  }
  return -1;
}

bool LeavesFolder(const fs::path& relative) {
  return relative.empty() || *relative.begin() == "..";
}

// Links that lead out may lead back in, and old kernels and some sandboxes know no openat2.
bool NeedsWalk(int error) {
  return error == EXDEV || error == ENOSYS || error == EPERM || error == EAGAIN;
}

}  // namespace

DataFile::DataFile(int descriptor) : descriptor_(descriptor) {
  struct stat status {};
  if (descriptor_ < 0 || fstat(descriptor_, &status) != 0) {
    problem_ = std::string("cannot be read: ") + std::strerror(errno);
  } else if (!S_ISREG(status.st_mode)) {
    problem_ = "is no regular file";
  } else {
    size_ = static_cast<std::uint64_t>(status.st_size);
  }
}

DataFile DataFile::Outside() {
  DataFile none(-1);
  none.problem_ = "is outside the folder of the model";
  return none;
}

DataFile::DataFile(DataFile&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)),
      size_(other.size_),
      problem_(std::move(other.problem_)) {}

DataFile::~DataFile() {
  if (descriptor_ >= 0) close(descriptor_);
}

DataFile DataFile::Open(const std::string& path) {
  return DataFile(open(path.c_str(), kReadFlags));
}

DataFile DataFile::OpenBelow(const std::string& folder, const std::string& path) {
  const Folder root(open(folder.c_str(), kFolderFlags));
  if (root.get() < 0) return DataFile(-1);
  const bool absolute = fs::path(path).is_absolute();
  const fs::path whole = fs::path(folder) / path;
  const fs::path relative = whole.lexically_normal().lexically_relative(fs::path(folder).lexically_normal());
  if (!LeavesFolder(relative)) {
    const int descriptor = OpenInside(root.get(), absolute ? relative.string() : path);
    if (descriptor >= 0 || !NeedsWalk(errno)) return DataFile(descriptor);
  } else if (!absolute) {
    return Outside();
  }
  std::error_code error;
  const fs::path real = fs::canonical(whole, error);
  if (error) {
    errno = error.value();
    return DataFile(-1);
  }
  const fs::path inside = real.lexically_relative(fs::canonical(folder, error));
  return LeavesFolder(inside) ? Outside() : DataFile(Walk(root.get(), inside));
}

bool DataFile::Read(std::uint64_t offset, std::byte* to, std::size_t bytes) const {
  while (bytes > 0) {
    const ssize_t got = pread(descriptor_, to, bytes, static_cast<off_t>(offset));
    if (got == 0 || (got < 0 && errno != EINTR)) return false;
    if (got < 0) continue;
    to += got;
    offset += static_cast<std::uint64_t>(got);
    bytes -= static_cast<std::size_t>(got);
  }
  return true;
}

}  // namespace foothold
