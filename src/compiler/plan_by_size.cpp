// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "compiler/plan_by_size.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "ir/tensor_value.h"

namespace foothold {
namespace {

constexpr std::size_t kNever = static_cast<std::size_t>(-1);

std::size_t Aligned(std::size_t bytes) {
  return (bytes + kTensorAlignment - 1) / kTensorAlignment * kTensorAlignment;
}

std::size_t Index(int buffer) {
  return static_cast<std::size_t>(buffer);
}

struct Life {
  std::size_t first = kNever, last = 0;  // steps

  void Add(std::size_t step) {
    first = std::min(first, step);
    last = std::max(last, step);
  }
};

// Bytes that live together.
struct Region {
  std::size_t offset = 0, bytes = 0;
  Life life;
};

// What is placed as one: a value and all that take it over in place, a whole and its parts, or a workspace.
struct Block {
  std::vector<Region> regions;
  std::size_t bytes = 0;
  std::size_t at = 0;
};

class Places {
 public:
  // The lowest place where no byte is somebody else's at the same time.
  void Put(Block& block) {
    block.at = Lowest(Taken(block));
    for (Region region : block.regions) {
      region.offset += block.at;
      regions_.push_back(region);
    }
    bytes_ = std::max(bytes_, block.at + block.bytes);
  }

  std::size_t bytes() const { return bytes_; }

 private:
  using Ranges = std::vector<std::pair<std::size_t, std::size_t>>;

  // Where the block may not begin: ranges without their ends.
  Ranges Taken(const Block& block) const {
    Ranges taken;
    for (const Region& own : block.regions)
      for (const Region& other : regions_) {
        const std::size_t end = other.offset + other.bytes;
        if (other.life.last < own.life.first || own.life.last < other.life.first || end <= own.offset)
          continue;
        const std::size_t own_end = own.offset + own.bytes;
        taken.emplace_back(other.offset < own_end ? 0 : other.offset - own_end + 1, end - own.offset);
      }
    std::sort(taken.begin(), taken.end());
    return taken;
  }

  // Ends of ranges are aligned, since all that is placed is.
  static std::size_t Lowest(const Ranges& taken) {
    std::size_t at = 0;
    for (const auto& [begin, end] : taken) {
      if (at < begin) break;
      at = std::max(at, end);
    }
    return at;
  }

  std::vector<Region> regions_;
  std::size_t bytes_ = 0;
};

class Planner {
 public:
  Planner(const std::vector<std::size_t>& sizes, const std::vector<MemoryStep>& steps,
          const std::vector<BufferPart>& parts)
      : sizes_(sizes), steps_(steps), parts_(parts), lives_(sizes.size()), owners_(sizes.size()) {
    std::iota(owners_.begin(), owners_.end(), std::size_t{0});
    for (std::size_t s = 0; s < steps.size(); ++s) {
      for (const int buffer : steps[s].reads)
        lives_[Index(buffer)].Add(s);
      for (const int buffer : steps[s].writes)
        lives_[Index(buffer)].Add(s);
    }
  }

  MemoryPlan Run() {
    FindOwners();
    MakeBlocks();
    PlaceBlocks();
    MemoryPlan plan;
    for (std::size_t b = 0; b < sizes_.size(); ++b)
      plan.buffers.push_back(blocks_[owners_[b]].at + OffsetOf(b));
    for (std::size_t s = 0; s < steps_.size(); ++s)
      plan.workspaces.push_back(blocks_[sizes_.size() + s].at);
    plan.bytes = places_.bytes();
    return plan;
  }

 private:
  bool IsPart(std::size_t buffer) const { return buffer < parts_.size() && parts_[buffer].whole >= 0; }
  std::size_t OffsetOf(std::size_t buffer) const { return IsPart(buffer) ? parts_[buffer].offset : 0; }

  void FindOwners() {
    std::vector<bool> taken(sizes_.size(), false), whole(sizes_.size(), false);
    for (const BufferPart& part : parts_)
      if (part.whole >= 0) whole[Index(part.whole)] = true;
    for (std::size_t s = 0; s < steps_.size(); ++s)
      for (const auto& [input, output] : steps_[s].in_place) {
        const std::size_t from = Index(input), to = Index(output);
        const bool ends = lives_[from].first < s && lives_[from].last == s && lives_[to].first == s;
        if (!ends || taken[from] || owners_[to] != to || whole[to] || sizes_[from] != sizes_[to]) continue;
        owners_[to] = owners_[from];
        taken[from] = true;
      }
    for (std::size_t b = 0; b < sizes_.size(); ++b)
      if (IsPart(b)) owners_[b] = Index(parts_[b].whole);
  }

  // Blocks by owner, then those of the workspaces by step.
  void MakeBlocks() {
    blocks_.resize(sizes_.size() + steps_.size());
    for (std::size_t b = 0; b < sizes_.size(); ++b) {
      Block& block = blocks_[owners_[b]];
      const std::size_t bytes = Aligned(sizes_[b]);
      if (bytes == 0 || lives_[b].first == kNever) continue;
      block.regions.push_back({OffsetOf(b), bytes, lives_[b]});
      block.bytes = std::max(block.bytes, OffsetOf(b) + bytes);
    }
    for (std::size_t b = 0; b < sizes_.size(); ++b) {
      std::size_t last = 0;
      for (const Region& region : blocks_[b].regions)
        last = std::max(last, region.life.last);
      for (Region& region : blocks_[b].regions)
        region.life.last = last;
    }
    for (std::size_t s = 0; s < steps_.size(); ++s) {
      const std::size_t bytes = Aligned(steps_[s].workspace);
      if (bytes > 0) blocks_[sizes_.size() + s] = {{{0, bytes, {s, s}}}, bytes, 0};
    }
  }

  void PlaceBlocks() {
    std::vector<Block*> order;
    for (Block& block : blocks_)
      if (block.bytes > 0) order.push_back(&block);
    std::stable_sort(order.begin(), order.end(),
                     [](const Block* one, const Block* other) { return one->bytes > other->bytes; });
    for (Block* block : order)
      places_.Put(*block);
  }

  const std::vector<std::size_t>& sizes_;
  const std::vector<MemoryStep>& steps_;
  const std::vector<BufferPart>& parts_;
  std::vector<Life> lives_;          // by buffer
  std::vector<std::size_t> owners_;  // by buffer: whose block it is in
  std::vector<Block> blocks_;
  Places places_;
};

}  // namespace

MemoryPlan PlanBySize(const std::vector<std::size_t>& sizes, const std::vector<MemoryStep>& steps,
                      const std::vector<BufferPart>& parts) {
  return Planner(sizes, steps, parts).Run();
}

}  // namespace foothold
