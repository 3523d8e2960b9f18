// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "kernels/element_chain_plan.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "base/error.h"
#include "base/thread_pool.h"
#include "kernels/chain_tile.h"

namespace foothold {
namespace {

using Placing = ChainPlan::Placing;
using Strides = std::vector<std::int64_t>;

constexpr std::size_t kMaxBlock = 2048;
constexpr std::size_t kVector = 16;          // blocks are a multiple, so that only the last one has an edge
constexpr std::size_t kPieceCost = 500'000;  // additions in cache that are worth waking a thread for
constexpr std::size_t kMemoryCost = 4;       // of bringing an element in and out, in additions
constexpr std::size_t kTurnedBytes = 16384;  // in all tiles of a thread
constexpr std::size_t kMostTiles = 4;        // at once; further operands are read element by element
constexpr int kNowhere = -1;

void Check(const ChainSpec& spec) {
  const std::size_t operands = spec.operands.size();
  const auto values = static_cast<int>(operands + spec.steps.size());
  FOOTHOLD_CHECK(operands + spec.steps.size() <= kMaxChainValues && spec.dims.size() <= kMaxChainDims);
  for (const std::int64_t dim : spec.dims)
    FOOTHOLD_CHECK(dim >= 0);
  for (const auto& operand : spec.operands)
    FOOTHOLD_CHECK(operand.strides.size() == spec.dims.size());
  for (std::size_t i = 0; i < spec.steps.size(); ++i) {
    FOOTHOLD_CHECK(spec.steps[i].function != nullptr);
    for (int k = 0; k < spec.steps[i].function->operands; ++k) {
      const int value = spec.steps[i].operands[static_cast<std::size_t>(k)];
      FOOTHOLD_CHECK(value >= 0 && value < static_cast<int>(operands + i));
    }
  }
  for (const auto& result : spec.results) {
    FOOTHOLD_CHECK(result.value >= 0 && result.value < values);
    FOOTHOLD_CHECK(result.strides.empty() || (result.strides.size() == spec.dims.size() && !spec.in_order));
  }
}

bool Uniform(const Strides& strides) {
  return std::all_of(strides.begin(), strides.end(), [](std::int64_t stride) { return stride == 0; });
}

// The same row again and again.
bool Periodic(const Strides& strides) {
  return strides.back() != 0 && Uniform(Strides(strides.begin(), strides.end() - 1));
}

bool Contiguous(const Strides& dims, const Strides& strides) {
  std::int64_t expected = 1;
  for (std::size_t i = dims.size(); i-- > 0; expected *= dims[i])
    if (strides[i] != expected) return false;
  return true;
}

void DropAxis(ChainSpec& spec, std::size_t axis) {
  const auto at = static_cast<std::ptrdiff_t>(axis);
  spec.dims.erase(spec.dims.begin() + at);
  for (auto& operand : spec.operands)
    operand.strides.erase(operand.strides.begin() + at);
  for (auto& result : spec.results)
    if (!result.strides.empty()) result.strides.erase(result.strides.begin() + at);
}

// Whether stepping once along `axis` is going through all of the next one, for every operand and result.
bool WalksOn(const ChainSpec& spec, std::size_t axis) {
  const auto walks = [&](const Strides& strides) {
    return strides.empty() || strides[axis] == strides[axis + 1] * spec.dims[axis + 1];
  };
  return std::all_of(spec.operands.begin(), spec.operands.end(),
                     [&](const auto& operand) { return walks(operand.strides); }) &&
         std::all_of(spec.results.begin(), spec.results.end(),
                     [&](const auto& result) { return walks(result.strides); });
}

void Collapse(ChainSpec& spec) {
  for (std::size_t i = spec.dims.size(); i-- > 0;)
    if (spec.dims[i] == 1) DropAxis(spec, i);
  for (std::size_t i = spec.dims.size(); i-- > 1;) {
    if (!WalksOn(spec, i - 1)) continue;
    spec.dims[i] *= spec.dims[i - 1];
    DropAxis(spec, i - 1);
  }
  if (!spec.dims.empty()) return;
  spec.dims = {1};
  for (auto& operand : spec.operands)
    operand.strides = {1};
  for (auto& result : spec.results)
    result.strides.clear();
}

Strides DenseStrides(const Strides& dims) {
  Strides strides(dims.size(), 1);
  for (std::size_t i = dims.size(); i-- > 1;)
    strides[i - 1] = strides[i] * dims[i];
  return strides;
}

void Reorder(Strides& strides, const std::vector<std::size_t>& order) {
  Strides ordered;
  for (const std::size_t axis : order)
    ordered.push_back(strides[axis]);
  strides = std::move(ordered);
}

// A chain that has been collapsed, with its dimensions in the order of a walk.
void PutInTileOrder(ChainSpec& spec) {
  for (auto& result : spec.results)
    if (result.strides.empty()) result.strides = DenseStrides(spec.dims);
  if (spec.dims.size() == 1) {
    spec.dims.insert(spec.dims.begin(), 1);
    for (auto& operand : spec.operands)
      operand.strides.insert(operand.strides.begin(), 0);
    for (auto& result : spec.results)
      result.strides.insert(result.strides.begin(), 0);
  }
  std::vector<ElementStrides> read;
  for (const auto& operand : spec.operands)
    read.push_back(operand.strides);
  const auto order = TileOrder(spec.dims, spec.results.at(0).strides, read);
  for (auto& operand : spec.operands)
    Reorder(operand.strides, order);
  for (auto& result : spec.results)
    Reorder(result.strides, order);
  Reorder(spec.dims, order);
}

// Whether a link gives what the function's own loop gives, if both operands are NaN too: sums and products
// are the first of them then.
bool KeepsOrder(ShortFunction function, int place, float param) {
  using enum ShortFunction;
  if (function == kAdd || function == kMul) return place == 0;
  return (function != kAddBy && function != kMulBy) || !std::isnan(param);
}

class Planner {
 public:
  Planner(ChainSpec spec, bool in_tiles) : spec_(std::move(spec)), in_tiles_(in_tiles) {}

  ChainPlan Plan() {
    in_tiles_ ? PlaceTiledOperands() : PlaceOperands();
    FindUniformSteps();
    FindLastReads();
    for (std::size_t i = 0; i < spec_.steps.size(); ++i)
      PlaceStep(i);
    JoinShortSteps();
    PlaceResults();
    in_tiles_ ? ChooseTile() : ChooseBlock();
    plan_.dims = std::move(spec_.dims);
    return std::move(plan_);
  }

 private:
  std::size_t ValueOf(std::size_t step) const { return spec_.operands.size() + step; }

  template <typename Visit>
  void VisitOperands(std::size_t step, Visit visit) const {
    for (int k = 0; k < spec_.steps[step].function->operands; ++k)
      visit(static_cast<std::size_t>(spec_.steps[step].operands[static_cast<std::size_t>(k)]));
  }

  void PlaceOperands() {
    for (const auto& operand : spec_.operands) {
      ChainPlan::Operand placed{operand.input, operand.type, Placing::kBlock, 0, operand.strides};
      if (operand.type == ElementType::kFloat && Contiguous(spec_.dims, operand.strides))
        placed.placing = Placing::kDirect;
      if (Uniform(operand.strides)) placed.placing = Placing::kOnce;
      if (placed.placing != Placing::kDirect) placed.slot = slots_++;
      plan_.operands.push_back(std::move(placed));
    }
  }

  // Rows of tiles take the place of blocks. What is turned has the first slots as well, for its rows as
  // floats.
  void PlaceTiledOperands() {
    for (const auto& operand : spec_.operands) {
      ChainPlan::Operand placed{operand.input, operand.type, Placing::kBlock, 0, operand.strides};
      const std::int64_t row = operand.strides.end()[-2], column = operand.strides.back();
      if (operand.type == ElementType::kFloat && column == 1) placed.placing = Placing::kDirect;
      const bool turned = column > 1 && row != 0 && row < column;
      if (turned && tiles_ < kMostTiles) placed.placing = Placing::kTile;
      if (Uniform(operand.strides)) placed.placing = Placing::kOnce;
      if (placed.placing == Placing::kTile) {
        placed.slot = tiles_++;
        turned_size_ = std::max(turned_size_, SizeOf(operand.type));
      }
      plan_.operands.push_back(std::move(placed));
    }
    slots_ = tiles_;
    for (auto& operand : plan_.operands)
      if (operand.placing == Placing::kOnce || operand.placing == Placing::kBlock) operand.slot = slots_++;
  }

  void FindUniformSteps() {
    for (const auto& operand : spec_.operands)
      uniform_.push_back(Uniform(operand.strides));
    for (std::size_t i = 0; i < spec_.steps.size(); ++i) {
      bool uniform = true;
      VisitOperands(i, [&](std::size_t value) { uniform = uniform && uniform_[value]; });
      uniform_.push_back(uniform);
    }
  }

  void FindLastReads() {
    last_read_.assign(ValueOf(spec_.steps.size()), 0);
    reads_.assign(ValueOf(spec_.steps.size()), 0);
    for (std::size_t i = 0; i < spec_.steps.size(); ++i)
      VisitOperands(i, [&](std::size_t value) {
        last_read_[value] = i;
        ++reads_[value];
        if (ReadDirectly(value)) last_direct_read_ = i;
      });
    for (const auto& result : spec_.results) {
      const auto value = static_cast<std::size_t>(result.value);
      last_read_[value] = spec_.steps.size();
      ++reads_[value];
      if (ReadDirectly(value)) last_direct_read_ = spec_.steps.size();
    }
  }

  bool ReadDirectly(std::size_t value) const {
    return value < plan_.operands.size() && plan_.operands[value].placing == Placing::kDirect;
  }

  // Memory of a result may be that of an operand, so nothing is written there while operands are still read,
  // unless the spec says that this is the order.
  int DirectOutput(std::size_t step) {
    if (uniform_[ValueOf(step)] || (!spec_.in_order && step < last_direct_read_)) return kNowhere;
    for (auto& result : spec_.results) {
      if (static_cast<std::size_t>(result.value) != ValueOf(step)) continue;
      if (result.type != ElementType::kFloat || (in_tiles_ && result.strides.back() != 1)) continue;
      const int output = result.output;
      if (in_tiles_) plan_.written.push_back({output, result.strides});
      result.value = kNowhere;
      return output;
    }
    return kNowhere;
  }

  void PlaceStep(std::size_t i) {
    const auto& step = spec_.steps[i];
    ChainPlan::Step placed{step.function->loop, {}, static_cast<std::uint8_t>(ValueOf(i)),
                           DirectOutput(i),     0,  step.params};
    std::size_t k = 0;
    VisitOperands(i, [&](std::size_t value) { placed.operands[k++] = static_cast<std::uint8_t>(value); });
    for (; k > 0 && k < kMaxElementOperands; ++k)
      placed.operands[k] = placed.operands[0];
    cost_ += uniform_[ValueOf(i)] ? 0 : static_cast<std::size_t>(step.function->cost);
    VisitOperands(i, [&](std::size_t value) { Release(value, i); });
    if (placed.output == kNowhere) placed.slot = TakeSlot(ValueOf(i));
    (uniform_[ValueOf(i)] ? plan_.uniform : plan_.steps).push_back(placed);
  }

  // Steps whose only reader is the next one become links of it; a single link is better off with its own
  // loop.
  void JoinShortSteps() {
    std::vector<ChainPlan::Step> joined;
    for (ChainPlan::Step& step : plan_.steps) {
      if (!joined.empty() && Prolong(joined.back(), step)) continue;
      if (const auto link = LinkOf(step, 0)) step.links = {*link};
      joined.push_back(std::move(step));
    }
    for (ChainPlan::Step& step : joined)
      if (step.links.size() == 1) step.links.clear();
    plan_.steps = std::move(joined);
  }

  // Makes `next` the last link of `step` if it may be.
  bool Prolong(ChainPlan::Step& step, const ChainPlan::Step& next) const {
    if (step.links.empty() || step.links.size() == kMaxSequence || reads_[step.value] != 1) return false;
    const int place = next.operands[0] == step.value ? 0 : 1;
    auto link = LinkOf(next, place);
    if (!link || next.operands[static_cast<std::size_t>(place)] != step.value) return false;
    if (link->other == step.value) link->other = step.operands[0];  // not used, and that one is in memory
    step.links.push_back(*link);
    step.value = next.value;
    step.output = next.output;
    step.slot = next.slot;
    return true;
  }

  std::optional<ChainPlan::Link> LinkOf(const ChainPlan::Step& step, int place) const {
    const ElementFunction& function = *spec_.steps[step.value - spec_.operands.size()].function;
    const auto found = ShortFunctionOf(function, place);
    if (!found) return std::nullopt;
    if (spec_.in_order && !KeepsOrder(*found, place, step.params[0])) return std::nullopt;
    const std::size_t other = function.operands == 1 ? 0 : static_cast<std::size_t>(1 - place);
    return ChainPlan::Link{*found, step.operands[other], step.params};
  }

  // A step may write where it reads, so what is read for the last time makes room at once.
  void Release(std::size_t value, std::size_t step) {
    if (value < spec_.operands.size() || uniform_[value] || last_read_[value] != step) return;
    const auto held = slot_of_.find(value);
    if (held == slot_of_.end()) return;
    free_.push_back(held->second);
    slot_of_.erase(held);
  }

  std::size_t TakeSlot(std::size_t value) {
    std::size_t slot = slots_;
    if (uniform_[value] || free_.empty()) {
      ++slots_;
    } else {
      slot = free_.back();
      free_.pop_back();
    }
    slot_of_[value] = slot;
    return slot;
  }

  // Operands that are results come first: what a later one writes may be their memory.
  void PlaceResults() {
    for (const auto& result : spec_.results)
      if (result.value != kNowhere)
        plan_.results.push_back(
            {result.output, result.type, static_cast<std::uint8_t>(result.value), result.strides});
    std::stable_partition(plan_.results.begin(), plan_.results.end(),
                          [&](const auto& result) { return result.value < spec_.operands.size(); });
  }

  void ChooseBlock() {
    const std::size_t pieces = std::max<std::size_t>(1, kPieceCost / (cost_ + kMemoryCost));
    if (slots_ == 0 && plan_.results.empty() && plan_.steps.size() <= 1) {
      plan_.block = plan_.grain = GrainOf(pieces, kVector);
      return;
    }
    const std::size_t room = std::min(kMaxBlock, kChainScratchFloats / std::max<std::size_t>(1, slots_));
    plan_.block = room / kVector * kVector;
    FitPeriod();
    plan_.grain = GrainOf(pieces, plan_.block);
  }

  // Rows that fill cache lines of what is turned, as long as there is room for them.
  void ChooseTile() {
    constexpr std::size_t kLine = 64;
    const auto height = static_cast<std::size_t>(spec_.dims.end()[-2]);
    const auto width = static_cast<std::size_t>(spec_.dims.back());
    const std::size_t most = tiles_ == 0 ? kMostTileElements : kTurnedBytes / turned_size_ / tiles_;
    std::size_t rows = tiles_ == 0 ? most / std::min(width, most) : kLine / turned_size_;
    rows = std::min(height, rows);
    std::size_t columns = std::min({width, most / rows, kMostTileElements});
    if (columns == width) rows = std::min(height, most / columns);
    const auto floats = [&] {
      return slots_ * columns + tiles_ * TurnedFloats(rows * columns, turned_size_);
    };
    while (floats() > kChainScratchFloats)
      (columns > kVector ? columns : rows) /= 2;
    plan_.block = columns;
    plan_.tile_scratch = slots_ * columns;
    const std::size_t pieces = std::max<std::size_t>(1, kPieceCost / (cost_ + kMemoryCost));
    plan_.grain = std::max<std::size_t>(1, GrainOf(pieces, rows * columns) / (rows * columns));
    plan_.walk.emplace(spec_.dims, rows, columns);
  }

  // A multiple of `unit`, about `least`, that gives all threads as many pieces.
  std::size_t GrainOf(std::size_t least, std::size_t unit) const {
    const auto up = [](std::size_t value, std::size_t step) { return (value + step - 1) / step * step; };
    std::size_t count = 1;
    for (const std::int64_t dim : spec_.dims)
      count *= static_cast<std::size_t>(dim);
    if (count <= least) return up(least, unit);
    const auto threads = static_cast<std::size_t>(ParallelThreads());
    const std::size_t pieces = up((count + least - 1) / least, threads);
    return up((count + pieces - 1) / pieces, unit);
  }

  // Blocks of whole rows let an operand that repeats with every row be expanded only once.
  void FitPeriod() {
    const auto period = static_cast<std::size_t>(spec_.dims.back());
    if (period > plan_.block) return;
    const std::size_t whole = std::lcm(period, kVector);
    const std::size_t unit = whole <= plan_.block ? whole : period;
    bool found = false;
    for (auto& operand : plan_.operands) {
      if (operand.placing != Placing::kBlock || !Periodic(operand.strides)) continue;
      operand.placing = Placing::kOnce;
      found = true;
    }
    if (found) plan_.block = plan_.block / unit * unit;
  }

  ChainSpec spec_;
  const bool in_tiles_;
  ChainPlan plan_;
  std::size_t tiles_ = 0;
  std::size_t turned_size_ = 1;  // of the widest element
  std::vector<bool> uniform_;    // by value
  std::vector<std::size_t> last_read_, reads_;
  std::size_t last_direct_read_ = 0;
  std::map<std::size_t, std::size_t> slot_of_;
  std::vector<std::size_t> free_;
  std::size_t slots_ = 0;
  std::size_t cost_ = 0;
};

}  // namespace

bool GoesInTiles(const ChainSpec& given) {
  ChainSpec spec = given;
  Collapse(spec);
  return std::any_of(spec.results.begin(), spec.results.end(),
                     [](const auto& result) { return !result.strides.empty(); }) ||
         std::any_of(spec.operands.begin(), spec.operands.end(),
                     [&](const auto& operand) { return IsTransposed(spec.dims, operand.strides); });
}

ChainSpec Flattened(ChainSpec spec) {
  std::int64_t count = 1;
  for (const std::int64_t dim : spec.dims)
    count *= dim;
  const bool dense = std::all_of(spec.results.begin(), spec.results.end(),
                                 [](const auto& result) { return result.strides.empty(); });
  const bool flat =
      dense && std::all_of(spec.operands.begin(), spec.operands.end(), [&](const auto& operand) {
        return Uniform(operand.strides) || Contiguous(spec.dims, operand.strides);
      });
  if (!flat || count <= 0) return spec;
  for (auto& operand : spec.operands)
    operand.strides = {count > 1 && Uniform(operand.strides) ? 0 : 1};
  spec.dims = {count};
  return spec;
}

ChainPlan PlanChain(ChainSpec spec) {
  Check(spec);
  std::size_t count = 1;
  for (const std::int64_t dim : spec.dims)
    count *= static_cast<std::size_t>(dim);
  ChainPlan plan;
  if (count > 0) {
    const bool in_tiles = !spec.in_order && GoesInTiles(spec);
    Collapse(spec);
    if (in_tiles) PutInTileOrder(spec);
    plan = Planner(std::move(spec), in_tiles).Plan();
  }
  plan.count = count;
  return plan;
}

}  // namespace foothold
