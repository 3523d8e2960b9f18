// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "device/mapped_range.h"

#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cerrno>

namespace foothold {
namespace {

constexpr std::uintptr_t kPage = 4096;  // or a divisor of the page size
// Beside a copy of this many bytes the question costs nothing.
constexpr std::size_t kAlwaysAsked = std::size_t{1} << 20;
constexpr int kGoodFor = 64;  // uses of one answer: programs unmap memory, too

// The pages of the last answers; for the two ends of a copy.
struct Answer {
  std::uintptr_t begin = 0;
  std::uintptr_t end = 0;
  int uses = 0;
};
thread_local constinit struct {
  Answer answers[2];
  int next = 0;
} known;

std::uintptr_t PageOf(std::uintptr_t address) {
  return address / kPage * kPage;
}

// Pages without access are mapped all the same, so the last byte is looked at.
bool IsReadable(std::uintptr_t address) noexcept {
  char byte;
  const iovec here{&byte, 1};
  const iovec there{reinterpret_cast<void*>(address), 1};
  return process_vm_readv(getpid(), &here, 1, &there, 1, 0) == 1 || errno != EFAULT;
}

// An asynchronous msync does nothing but find out whether there are holes. The function of the C library
// would let pthread_cancel end the thread here.
bool Ask(std::uintptr_t begin, std::uintptr_t end) noexcept {
  static const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  const std::uintptr_t first = begin / page * page;
  if (syscall(SYS_msync, first, end - first, MS_ASYNC) != 0 && errno == ENOMEM) return false;
  return IsReadable(end - 1);
}

bool IsKnown(std::uintptr_t begin, std::uintptr_t end) noexcept {
  for (Answer& answer : known.answers) {
    if (begin >= answer.begin && end <= answer.end && answer.uses > 0) {
      --answer.uses;
      return true;
    }
  }
  return false;
}

void Remember(std::uintptr_t begin, std::uintptr_t end) noexcept {
  known.answers[known.next] = {begin, end, kGoodFor};
  known.next = 1 - known.next;
}

// A program that goes through a buffer piece by piece: asks for as much again as is known in front of it.
bool ContinuesAnswer(std::uintptr_t begin, std::uintptr_t end) noexcept {
  for (Answer& answer : known.answers) {
    const std::uintptr_t more = end + (answer.end - answer.begin);
    const bool follows = answer.end > answer.begin && begin <= answer.end && begin >= answer.begin;
    if (!follows || more < end || !Ask(begin, more)) continue;
    answer = {PageOf(begin), more, kGoodFor};
    return true;
  }
  return false;
}

}  // namespace

bool IsMapped(std::uintptr_t address, std::size_t bytes) noexcept {
  const std::uintptr_t end = address + bytes;
  if (PageOf(address) == PageOf(end - 1)) return true;
  if (bytes >= kAlwaysAsked) return Ask(address, end);
  if (IsKnown(address, end) || ContinuesAnswer(address, end)) return true;
  if (!Ask(address, end)) return false;
  Remember(PageOf(address), end);
  return true;
}

std::size_t MappedBytes(std::uintptr_t address, std::size_t bytes) noexcept {
  std::size_t there = 0, missing = bytes;
  while (missing - there > 1) {
    const std::size_t middle = there + (missing - there) / 2;
    (Ask(address, address + middle) ? there : missing) = middle;
  }
  return there;
}

}  // namespace foothold
