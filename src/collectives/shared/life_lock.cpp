// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "collectives/shared/life_lock.h"

#include <fcntl.h>
#include <fmt/format.h>

#include <string>
#include <utility>

namespace foothold::collectives {
namespace {

// One byte for each rank.
struct flock LockOf(std::uint32_t rank) {
  struct flock lock {};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  lock.l_start = static_cast<off_t>(rank);
  lock.l_len = 1;
  return lock;
}

OwnSocket OpenAnew(const MemoryFile& file) {
  const std::string path = fmt::format("/proc/self/fd/{}", file.descriptor());
  Descriptor opened(open(path.c_str(), O_RDWR | O_CLOEXEC));
  return opened ? OwnSocket(std::move(opened)) : OwnSocket();
}

}  // namespace

LifeLock::LifeLock(const MemoryFile& file, std::uint32_t rank) : file_(OpenAnew(file)) {
  struct flock own = LockOf(rank);
  held_ = file_ && fcntl(file_.get(), F_OFD_SETLK, &own) == 0;
}

bool LifeLock::IsHeldBy(std::uint32_t rank) const noexcept {
  struct flock found = LockOf(rank);
  return fcntl(file_.get(), F_OFD_GETLK, &found) != 0 || found.l_type != F_UNLCK;
}

}  // namespace foothold::collectives
