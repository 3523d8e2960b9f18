// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "compiler/plan_memory.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "compiler/plan_by_size.h"
#include "ir/tensor_value.h"

namespace foothold {
namespace {

// More are planned in order, which takes time that grows with their number only.
constexpr std::size_t kMostBySize = 1024;
constexpr std::size_t kNowhere = static_cast<std::size_t>(-1);

std::size_t Aligned(std::size_t bytes) {
  return (bytes + kTensorAlignment - 1) / kTensorAlignment * kTensorAlignment;
}

// Free pieces of an arena that grows at its end.
class Arena {
 public:
  // The smallest piece that fits; else the last piece, enlarged.
  std::size_t Take(std::size_t bytes) {
    const auto best = by_size_.lower_bound({bytes, 0});
    if (best == by_size_.end()) return Grow(bytes);
    const auto [size, offset] = *best;
    Erase(free_.find(offset));
    if (size > bytes) Insert(offset + bytes, size - bytes);
    return offset;
  }

  void Give(std::size_t offset, std::size_t bytes) {
    auto next = free_.lower_bound(offset);
    if (next != free_.begin()) {
      const auto before = std::prev(next);
      if (before->first + before->second == offset) {
        offset = before->first;
        bytes += before->second;
        Erase(before);
      }
    }
    if (next != free_.end() && offset + bytes == next->first) {
      bytes += next->second;
      Erase(next);
    }
    Insert(offset, bytes);
  }

  std::size_t size() const { return size_; }

 private:
  using Pieces = std::map<std::size_t, std::size_t>;

  void Insert(std::size_t offset, std::size_t bytes) {
    free_.emplace(offset, bytes);
    by_size_.emplace(bytes, offset);
  }

  void Erase(Pieces::iterator piece) {
    by_size_.erase({piece->second, piece->first});
    free_.erase(piece);
  }

  std::size_t Grow(std::size_t bytes) {
    std::size_t offset = size_;
    if (!free_.empty()) {
      const auto last = std::prev(free_.end());
      if (last->first + last->second == size_) {
        offset = last->first;
        Erase(last);
      }
    }
    size_ = offset + bytes;
    return offset;
  }

  Pieces free_;                                            // offset to size; neighbours are merged
  std::set<std::pair<std::size_t, std::size_t>> by_size_;  // the same, size and offset
  std::size_t size_ = 0;
};

class Planner {
 public:
  Planner(const std::vector<std::size_t>& sizes, const std::vector<MemoryStep>& steps)
      : sizes_(sizes), steps_(steps), last_use_(sizes.size(), kNowhere), gone_(sizes.size(), false) {
    plan_.buffers.assign(sizes.size(), kNowhere);
    for (std::size_t s = 0; s < steps.size(); ++s) {
      for (const int buffer : steps[s].reads)
        last_use_[Index(buffer)] = s;
      for (const int buffer : steps[s].writes)
        last_use_[Index(buffer)] = s;
    }
  }

  MemoryPlan Run() {
    for (std::size_t s = 0; s < steps_.size(); ++s)
      Visit(s);
    for (std::size_t& offset : plan_.buffers)
      if (offset == kNowhere) offset = 0;
    plan_.bytes = arena_.size();
    return std::move(plan_);
  }

 private:
  static std::size_t Index(int buffer) { return static_cast<std::size_t>(buffer); }

  void Visit(std::size_t s) {
    const MemoryStep& step = steps_[s];
    for (const auto& [input, output] : step.in_place)
      TakeOver(s, input, output);
    for (const int buffer : step.writes)
      Allocate(buffer);
    const std::size_t workspace = Aligned(step.workspace);
    plan_.workspaces.push_back(workspace == 0 ? 0 : arena_.Take(workspace));
    if (workspace != 0) arena_.Give(plan_.workspaces.back(), workspace);
    Release(s, step.reads);
    Release(s, step.writes);
  }

  void TakeOver(std::size_t s, int input, int output) {
    const std::size_t from = plan_.buffers[Index(input)];
    if (from == kNowhere || gone_[Index(input)] || last_use_[Index(input)] != s) return;
    if (plan_.buffers[Index(output)] != kNowhere) return;
    if (sizes_[Index(input)] != sizes_[Index(output)]) return;
    plan_.buffers[Index(output)] = from;
    gone_[Index(input)] = true;
  }

  void Allocate(int buffer) {
    std::size_t& offset = plan_.buffers[Index(buffer)];
    if (offset == kNowhere && sizes_[Index(buffer)] > 0) offset = arena_.Take(Aligned(sizes_[Index(buffer)]));
  }

  void Release(std::size_t s, const std::vector<int>& buffers) {
    for (const int buffer : buffers) {
      const std::size_t i = Index(buffer);
      if (last_use_[i] != s || gone_[i] || plan_.buffers[i] == kNowhere) continue;
      gone_[i] = true;
      arena_.Give(plan_.buffers[i], Aligned(sizes_[i]));
    }
  }

  const std::vector<std::size_t>& sizes_;
  const std::vector<MemoryStep>& steps_;
  std::vector<std::size_t> last_use_;
  std::vector<bool> gone_;  // given back, or taken over by an output
  Arena arena_;
  MemoryPlan plan_;
};

// As if a whole lived as long as any part of it.
MemoryPlan PlanInOrder(const std::vector<std::size_t>& sizes, std::vector<MemoryStep> steps,
                       const std::vector<BufferPart>& parts) {
  const auto use_whole = [&](int& buffer) {
    const auto b = static_cast<std::size_t>(buffer);
    if (b < parts.size() && parts[b].whole >= 0) buffer = parts[b].whole;
  };
  for (MemoryStep& step : steps) {
    std::for_each(step.reads.begin(), step.reads.end(), use_whole);
    std::for_each(step.writes.begin(), step.writes.end(), use_whole);
  }
  MemoryPlan plan = Planner(sizes, steps).Run();
  for (std::size_t b = 0; b < parts.size(); ++b)
    if (parts[b].whole >= 0)
      plan.buffers[b] = plan.buffers[static_cast<std::size_t>(parts[b].whole)] + parts[b].offset;
  return plan;
}

}  // namespace

MemoryPlan PlanMemory(const std::vector<std::size_t>& sizes, const std::vector<MemoryStep>& steps,
                      const std::vector<BufferPart>& parts) {
  MemoryPlan in_order = PlanInOrder(sizes, steps, parts);
  if (sizes.size() + steps.size() > kMostBySize) return in_order;
  MemoryPlan by_size = PlanBySize(sizes, steps, parts);
  return by_size.bytes < in_order.bytes ? by_size : in_order;
}

}  // namespace foothold
