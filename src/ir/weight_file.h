// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The file of a model, open as long as weights may be read from it again. Immutable; any thread.
#pragma once

#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

namespace foothold {

class WeightFile {
 public:
  // Takes the descriptor. `name` is the file in messages.
  WeightFile(int descriptor, std::string name) : descriptor_(descriptor), name_(std::move(name)) {
    status_known_ = fstat(descriptor_, &status_) == 0;
    timespec now{};
    clock_gettime(CLOCK_REALTIME, &now);
    settled_ = Nanoseconds(now) - Nanoseconds(status_.st_mtim) > kSettled;
  }
  ~WeightFile() {
    if (!status_known_ || IsItsOwn()) close(descriptor_);
  }
  WeightFile(const WeightFile&) = delete;
  WeightFile& operator=(const WeightFile&) = delete;

  int descriptor() const { return descriptor_; }  // stays this object's
  const std::string& name() const { return name_; }
  const struct stat& status() const { return status_; }  // when it was opened; all 0 if not known
  std::uint64_t size() const { return static_cast<std::uint64_t>(status_.st_size); }

  // False if the bytes are not there any more.
  bool Read(std::uint64_t offset, std::byte* to, std::size_t bytes) const {
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

  // Nobody has written to the file since it was opened, and the descriptor is still its. The clocks of files
  // go in steps: of one that was written a moment before it was opened, that is never sure.
  bool IsSurelyUnchanged() const {
    struct stat now {};
    return settled_ && IsItsOwn(&now) && Nanoseconds(now.st_mtim) == Nanoseconds(status_.st_mtim) &&
           now.st_size == status_.st_size;
  }

 private:
  // Whether the descriptor is the one that was taken: programs may close all they find, and then its number
  // is given to another file.
  bool IsItsOwn(struct stat* status = nullptr) const {
    struct stat own {};
    struct stat& now = status == nullptr ? own : *status;
    return status_known_ && fstat(descriptor_, &now) == 0 && now.st_dev == status_.st_dev &&
           now.st_ino == status_.st_ino;
  }

  static constexpr std::int64_t kSecond = 1'000'000'000;
  static constexpr std::int64_t kSettled = kSecond / 20;  // more than any such step of a local file system
  static std::int64_t Nanoseconds(const timespec& time) {
    return static_cast<std::int64_t>(time.tv_sec) * kSecond + time.tv_nsec;
  }

  int descriptor_;
  std::string name_;
  struct stat status_ {};
  bool status_known_ = false;
  bool settled_ = false;  // written some time ago
};

}  // namespace foothold
