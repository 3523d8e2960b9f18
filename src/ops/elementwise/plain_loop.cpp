// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "ops/elementwise/plain_loop.h"

#include <algorithm>
#include <complex>
#include <cstring>
#include <optional>

#include "base/thread_pool.h"
#include "kernels/tile_walk.h"
#include "ops/elementwise/element_step.h"

namespace foothold {
namespace {

constexpr std::size_t kMaxOperands = 4;
constexpr std::size_t kGrain = 32768;  // elements
constexpr std::size_t kTileSide = 32;
constexpr std::size_t kTileBytes = kTileSide * kTileSide * sizeof(std::complex<double>);

class PlainKernel final : public Kernel {
 public:
  PlainKernel(const OpContext& context, PlainLoop loop, const std::vector<PlainOperand>& operands,
              std::vector<float> params)
      : loop_(loop.run), params_(std::move(params)), dims_(context.Out(0).dims) {
    count_ = static_cast<std::size_t>(ElementCount(dims_));
    output_size_ = BytesPerElement(context.Out(0).type);
    written_ = ResultStrides(context, 0, dims_);
    for (const PlainOperand& operand : operands)
      operands_.push_back({operand.port, BytesPerElement(context.In(operand.port).type),
                           OperandStrides(context, operand.port, operand.dims, dims_)});
    if (count_ == 0) return;
    Collapse();
    if (GoesInTiles()) PlanTiles();
  }

  void Run(const RunArgs& args) const override {
    if (!walk_)
      return ParallelFor(count_, kGrain,
                         [&](std::size_t begin, std::size_t end) { RunPiece(args, begin, end); });
    ParallelFor(walk_->tiles(), std::max<std::size_t>(1, kGrain / (walk_->rows() * walk_->columns())),
                [&](std::size_t begin, std::size_t end) {
                  for (std::size_t i = begin; i < end; ++i)
                    RunTile(args, walk_->At(i));
                });
  }

 private:
  struct Operand {
    int port;
    std::size_t size;
    ElementStrides strides;
  };

  template <typename Change>
  void ChangeStrides(const Change& change) {
    for (Operand& operand : operands_)
      change(operand.strides);
    if (!written_.empty()) change(written_);
  }

  bool WalksOn(std::size_t axis) const {
    const auto walks = [&](const ElementStrides& strides) {
      return strides.empty() || strides[axis] == strides[axis + 1] * dims_[axis + 1];
    };
    return walks(written_) && std::all_of(operands_.begin(), operands_.end(),
                                          [&](const Operand& operand) { return walks(operand.strides); });
  }

  void Collapse() {
    if (dims_.empty()) {
      dims_ = {1};
      written_.clear();
      ChangeStrides([](ElementStrides& strides) { strides = {0}; });
    }
    for (std::size_t i = dims_.size(); i-- > 1;) {
      if (!WalksOn(i - 1)) continue;
      dims_[i] *= dims_[i - 1];
      const auto gone = static_cast<std::ptrdiff_t>(i - 1);
      dims_.erase(dims_.begin() + gone);
      ChangeStrides([&](ElementStrides& strides) { strides.erase(strides.begin() + gone); });
    }
  }

  bool GoesInTiles() const {
    return !written_.empty() || std::any_of(operands_.begin(), operands_.end(), [&](const Operand& operand) {
      return IsTransposed(dims_, operand.strides);
    });
  }

  void PlanTiles() {
    if (written_.empty()) {
      const StridedView dense = DenseView(dims_);
      written_.assign(dense.strides.begin(), dense.strides.end());
    }
    if (dims_.size() == 1) {
      dims_.insert(dims_.begin(), 1);
      ChangeStrides([](ElementStrides& strides) { strides.insert(strides.begin(), 0); });
    }
    std::vector<ElementStrides> read;
    for (const Operand& operand : operands_)
      read.push_back(operand.strides);
    const auto order = TileOrder(dims_, written_, read);
    const auto reorder = [&](auto& numbers) {
      ElementStrides ordered;
      for (const std::size_t axis : order)
        ordered.push_back(numbers[axis]);
      numbers = std::move(ordered);
    };
    ChangeStrides(reorder);
    reorder(dims_);
    walk_.emplace(dims_, std::min<std::size_t>(kTileSide, static_cast<std::size_t>(dims_.end()[-2])),
                  std::min<std::size_t>(kTileSide, static_cast<std::size_t>(dims_.back())));
  }

  // Operands whose elements lie apart are gathered first.
  void RunTile(const RunArgs& args, const TileWalk::Tile& tile) const {
    alignas(64) std::byte gathered[kMaxOperands][kTileBytes];
    alignas(64) std::byte results[kTileSide * sizeof(std::complex<double>)];
    const std::byte* first[kMaxOperands];
    std::ptrdiff_t down[kMaxOperands], steps[kMaxOperands];
    for (std::size_t k = 0; k < operands_.size(); ++k) {
      const auto& [port, size, strides] = operands_[k];
      const auto unit = static_cast<std::ptrdiff_t>(size);
      first[k] = args.inputs[port] + TileWalk::Offset(tile, strides) * unit;
      down[k] = strides.end()[-2] * unit;
      steps[k] = strides.back() * unit;
      if (strides.back() == 0 || strides.back() == 1) continue;
      GatherTile(first[k], strides.end()[-2], strides.back(), gathered[k], tile.rows, tile.columns, size);
      first[k] = gathered[k];
      down[k] = static_cast<std::ptrdiff_t>(tile.columns) * unit;
      steps[k] = unit;
    }
    const auto unit = static_cast<std::ptrdiff_t>(output_size_);
    std::byte* to = args.outputs[0] + TileWalk::Offset(tile, written_) * unit;
    for (std::size_t row = 0; row < tile.rows; ++row, to += written_.end()[-2] * unit) {
      const bool apart = written_.back() != 1;
      loop_(first, steps, apart ? results : to, tile.columns, params_.data());
      for (std::size_t i = 0; apart && i < tile.columns; ++i)
        std::memcpy(to + static_cast<std::ptrdiff_t>(i) * written_.back() * unit, results + i * output_size_,
                    output_size_);
      for (std::size_t k = 0; k < operands_.size(); ++k)
        first[k] += down[k];
    }
  }

  // Row by row; the first and the last may be cut.
  void RunPiece(const RunArgs& args, std::size_t begin, std::size_t end) const {
    const std::size_t inner = dims_.size() - 1;
    const auto length = static_cast<std::size_t>(dims_[inner]);
    std::ptrdiff_t steps[kMaxOperands];
    for (std::size_t k = 0; k < operands_.size(); ++k)
      steps[k] = operands_[k].strides[inner] * static_cast<std::ptrdiff_t>(operands_[k].size);
    while (begin < end) {
      const std::size_t run = std::min(length - begin % length, end - begin);
      const std::byte* from[kMaxOperands];
      for (std::size_t k = 0; k < operands_.size(); ++k)
        from[k] = args.inputs[operands_[k].port] + Offset(operands_[k], begin);
      loop_(from, steps, args.outputs[0] + begin * output_size_, run, params_.data());
      begin += run;
    }
  }

  std::ptrdiff_t Offset(const Operand& operand, std::size_t element) const {
    std::ptrdiff_t offset = 0;
    auto rest = static_cast<std::int64_t>(element);
    for (std::size_t axis = dims_.size(); axis-- > 0; rest /= dims_[axis])
      offset += rest % dims_[axis] * operand.strides[axis];
    return offset * static_cast<std::ptrdiff_t>(operand.size);
  }

  PlainLoop::Function loop_;
  std::vector<float> params_;
  Dims dims_;
  std::size_t count_ = 0;
  std::size_t output_size_ = 0;
  std::vector<Operand> operands_;
  ElementStrides written_;  // empty: dense
  std::optional<TileWalk> walk_;
};

}  // namespace

std::unique_ptr<Kernel> LowerPlain(const OpContext& context, PlainLoop loop,
                                   const std::vector<PlainOperand>& operands, std::vector<float> params) {
  if (operands.size() != static_cast<std::size_t>(loop.operands) || operands.size() > kMaxOperands)
    context.Refuse("there are {} inputs, expected {}", operands.size(), loop.operands);
  return std::make_unique<PlainKernel>(context, loop, operands, std::move(params));
}

}  // namespace foothold
