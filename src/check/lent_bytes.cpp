// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "check/lent_bytes.h"

#include <fmt/format.h>
#include <sys/mman.h>

#include <cstring>
#include <deque>
#include <mutex>

#include "base/per_process.h"
#include "check/check.h"
#include "check/forbidden_memory.h"
#include "check/reporter.h"

namespace foothold::check {
namespace {

constexpr std::size_t kKept = 64;  // closed pieces

std::uintptr_t Number(const void* address) {
  return reinterpret_cast<std::uintptr_t>(address);
}

Verdict JudgeKept(const Fault& fault, void* about) {
  Finding finding;
  finding.rule = Wanted("ACL-DUMP-001");
  if (finding.rule == nullptr) return Verdict::kPassOn;
  finding.headline = "the chunk of a dump callback is used after the callback has returned";
  finding.now = {.call = {},
                 .arguments = {},
                 .does = fmt::format("host code {} byte {} of the chunk", fault.write ? "writes" : "reads",
                                     fault.address - Number(about)),
                 .agent = {},
                 .how = "in",
                 .site = fault.site};
  Reporter::Get().Report(std::move(finding));
  return Verdict::kPassOn;
}

// Closed pieces, the oldest first.
class ClosedPieces {
 public:
  static ClosedPieces& Get() { return PerProcess<ClosedPieces>::Get(); }

  void Add(void* pages, std::size_t bytes) {
    const std::lock_guard<std::mutex> lock(mutex_);
    pieces_.emplace_back(pages, bytes);
    if (pieces_.size() <= kKept) return;
    Permit(Number(pieces_.front().first));
    munmap(pieces_.front().first, pieces_.front().second);
    pieces_.pop_front();
  }

 private:
  std::mutex mutex_;  // guards the next one
  std::deque<std::pair<void*, std::size_t>> pieces_;
};

}  // namespace

LentBytes::LentBytes(const void* bytes, std::size_t count) noexcept
    : data_(bytes), size_((count + 4095) / 4096 * 4096) {
  if (Wanted("ACL-DUMP-001") == nullptr) return;
  void* const pages = mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pages == MAP_FAILED) return;
  pages_ = pages;
  data_ = std::memcpy(pages, bytes, count);
}

LentBytes::~LentBytes() {
  if (pages_ == nullptr) return;
  try {
    Forbid(Number(pages_), size_, &JudgeKept, pages_);
    mprotect(pages_, size_, PROT_NONE);
    ClosedPieces::Get().Add(pages_, size_);
  } catch (...) {  // no memory to remember it: it stays closed
  }
}

}  // namespace foothold::check
