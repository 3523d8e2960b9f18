// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "check/pool_blocks.h"

#include <fmt/format.h>

#include <atomic>
#include <deque>
#include <map>
#include <mutex>

#include "base/per_process.h"
#include "check/call_scope.h"
#include "check/check.h"
#include "check/reporter.h"
#include "check/thread_state.h"

namespace foothold::check {
namespace {

constexpr std::size_t kKept = 1 << 16;  // lives that are over

struct Life {
  std::uint64_t number;
  std::uintptr_t begin, end;
  std::string name;
  Site taken, given;
};

class Pools {
 public:
  static Pools& Get() { return PerProcess<Pools>::Get(); }

  void Take(std::uintptr_t begin, std::size_t bytes, const char* name, const Site& site) {
    const std::lock_guard<std::mutex> lock(mutex_);
    EndBetween(begin, begin + bytes, site);
    blocks_[begin] = ++last_;
    lives_[last_] = {last_, begin, begin + bytes, name == nullptr ? "" : name, site, {}};
    any_.store(true, std::memory_order_relaxed);
  }
  void Give(std::uintptr_t begin, const Site& site) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (const auto found = blocks_.find(begin); found != blocks_.end()) End(found, site);
  }
  void EndAll(std::uintptr_t begin, std::uintptr_t end) {
    const std::lock_guard<std::mutex> lock(mutex_);
    EndBetween(begin, end, {});
  }
  std::optional<Life> At(std::uintptr_t address) {
    const std::lock_guard<std::mutex> lock(mutex_);
    auto found = blocks_.upper_bound(address);
    if (found == blocks_.begin()) return std::nullopt;
    const Life& life = lives_.at(std::prev(found)->second);
    return address < life.end ? std::optional<Life>(life) : std::nullopt;
  }
  std::optional<Life> Find(std::uint64_t number) {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto found = lives_.find(number);
    return found == lives_.end() ? std::nullopt : std::optional<Life>(found->second);
  }
  bool any() const { return any_.load(std::memory_order_relaxed); }

 private:
  using Blocks = std::map<std::uintptr_t, std::uint64_t>;

  Blocks::iterator End(Blocks::iterator block, const Site& site) {
    lives_.at(block->second).given = site;
    over_.push_back(block->second);
    if (over_.size() > kKept) {
      lives_.erase(over_.front());
      over_.pop_front();
    }
    return blocks_.erase(block);
  }
  void EndBetween(std::uintptr_t begin, std::uintptr_t end, const Site& site) {
    auto block = blocks_.lower_bound(begin);
    while (block != blocks_.end() && block->first < end)
      block = End(block, site);
  }

  std::atomic<bool> any_{false};
  std::mutex mutex_;  // guards all below
  std::uint64_t last_ = 0;
  Blocks blocks_;  // that live: where they begin, and their lives
  std::map<std::uint64_t, Life> lives_;
  std::deque<std::uint64_t> over_;
};

Site SiteOfThread() {
  const CallScope* const call = CallScope::Current();
  return call == nullptr ? Site{} : call->site();
}

std::string NameOf(const Life& life) {
  return life.name.empty() ? "a block of a pool" : fmt::format("block \"{}\" of a pool", life.name);
}

Object Describe(const Life& life) {
  Object object{
      "block", fmt::format("{}, {} bytes at {:#x}", NameOf(life), life.end - life.begin, life.begin), {}};
  if (life.taken) object.history.emplace_back("taken by", life.taken);
  if (life.given) object.history.emplace_back("given back by", life.given);
  return object;
}

// Locks of streams may be held here.
void ReportLeaving(const Touch& touch, const Life& life) {
  Finding finding;
  finding.rule = Wanted("ACL-MEM-007");
  const CallScope* const call = CallScope::Current();
  if (finding.rule == nullptr || call == nullptr) return;
  finding.headline = fmt::format("{} writes {} bytes behind the end of {}", call->name(),
                                 touch.end() - life.end, NameOf(life));
  finding.now = {.call = call->name(),
                 .arguments = call->Arguments(),
                 .does = fmt::format("writes bytes {}-{} of {}", touch.address - life.begin,
                                     touch.end() - life.begin - 1, life.end - life.begin),
                 .agent = {},
                 .site = call->site()};
  finding.before = Act{.call = life.taken.call != nullptr ? life.taken.call : "",
                       .arguments = {},
                       .does = fmt::format("took {} bytes", life.end - life.begin),
                       .agent = {},
                       .site = life.taken};
  finding.objects.push_back(Describe(life));
  Reporter::Get().ReportLater(std::move(finding));
}

}  // namespace

void BlockTaken(const void* address, std::size_t bytes, const char* name) noexcept try {
  Pools::Get().Take(reinterpret_cast<std::uintptr_t>(address), bytes, name, SiteOfThread());
} catch (...) {  // no memory: not known
}

void BlockGiven(const void* address) noexcept try {
  Pools::Get().Give(reinterpret_cast<std::uintptr_t>(address), SiteOfThread());
} catch (...) {
}

void PoolGone(std::uintptr_t base, std::size_t bytes) noexcept try {
  if (Pools::Get().any()) Pools::Get().EndAll(base, base + bytes);
} catch (...) {
}

void LookAtPoolBlocks(std::span<Touch> touches) noexcept try {
  if (!Pools::Get().any()) return;
  for (Touch& touch : touches) {
    const auto life = touch.bytes == 0 ? std::nullopt : Pools::Get().At(touch.address);
    if (!life) continue;
    touch.life = life->number;
    if (touch.write && touch.end() > life->end) ReportLeaving(touch, *life);
  }
} catch (...) {
}

std::optional<Object> DescribeLife(std::uint64_t life) {
  const auto found = life == 0 ? std::nullopt : Pools::Get().Find(life);
  return found ? std::optional<Object>(Describe(*found)) : std::nullopt;
}

bool Ignoring() noexcept {
  return thread_state.ignored > 0;
}

void Ignore(bool begins) noexcept {
  int& ignored = thread_state.ignored;
  ignored += begins ? 1 : ignored > 0 ? -1 : 0;
}

}  // namespace foothold::check
