// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "ops/elementwise/strided_rows.h"

#include <cstring>

#include "ops/elementwise/element_step.h"

namespace foothold {

StridedRows::StridedRows(const OpContext& context, const std::vector<PlainOperand>& operands,
                         Elements elements)
    : dims_(context.Out(0).dims),
      count_(static_cast<std::size_t>(ElementCount(dims_))),
      output_size_(BytesPerElement(context.Out(0).type)),
      written_(ResultStrides(context, 0, dims_)) {
  for (const PlainOperand& operand : operands)
    operands_.push_back({operand.port, BytesPerElement(context.In(operand.port).type),
                         OperandStrides(context, operand.port, operand.dims, dims_)});
  if (count_ == 0) return;
  Collapse();
  if (GoesInTiles(elements)) PlanTiles();
}

template <typename Change>
void StridedRows::ChangeStrides(const Change& change) {
  for (Operand& operand : operands_)
    change(operand.strides);
  if (!written_.empty()) change(written_);
}

bool StridedRows::WalksOn(std::size_t axis) const {
  const auto walks = [&](const ElementStrides& strides) {
    return strides.empty() || strides[axis] == strides[axis + 1] * dims_[axis + 1];
  };
  return walks(written_) && std::all_of(operands_.begin(), operands_.end(),
                                        [&](const Operand& operand) { return walks(operand.strides); });
}

void StridedRows::Collapse() {
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

bool StridedRows::GoesInTiles(Elements elements) const {
  return !written_.empty() || std::any_of(operands_.begin(), operands_.end(), [&](const Operand& operand) {
    const bool apart = dims_.back() > 1 && operand.strides.back() != 1;
    return IsTransposed(dims_, operand.strides) || (apart && elements == Elements::kPacked);
  });
}

void StridedRows::PlanTiles() {
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
  const auto reorder = [&](std::vector<std::int64_t>& numbers) {
    std::vector<std::int64_t> ordered;
    for (const std::size_t axis : order)
      ordered.push_back(numbers[axis]);
    numbers = std::move(ordered);
  };
  ChangeStrides(reorder);
  reorder(dims_);
  walk_.emplace(dims_, std::min(kTileSide, static_cast<std::size_t>(dims_.end()[-2])),
                std::min(kTileSide, static_cast<std::size_t>(dims_.back())));
}

// What lies apart is gathered; what is repeated along a row is where it is.
void StridedRows::PlaceRows(const RunArgs& args, const TileWalk::Tile& tile, Rows& rows) const {
  for (std::size_t k = 0; k < operands_.size(); ++k) {
    const auto& [port, size, strides] = operands_[k];
    const auto unit = static_cast<std::ptrdiff_t>(size);
    rows.first[k] = args.inputs[port] + TileWalk::Offset(tile, strides) * unit;
    rows.down[k] = strides.end()[-2] * unit;
    rows.steps[k] = strides.back() * unit;
    if (strides.back() == 1) continue;
    GatherTile(rows.first[k], strides.end()[-2], strides.back(), rows.gathered[k], tile.columns, tile.rows,
               tile.columns, size);
    rows.first[k] = rows.gathered[k];
    rows.down[k] = static_cast<std::ptrdiff_t>(tile.columns) * unit;
    rows.steps[k] = unit;
  }
}

void StridedRows::Scatter(const std::byte* results, std::byte* to, std::size_t count) const {
  const std::ptrdiff_t step = written_.back() * static_cast<std::ptrdiff_t>(output_size_);
  for (std::size_t i = 0; i < count; ++i, to += step, results += output_size_)
    std::memcpy(to, results, output_size_);
}

std::ptrdiff_t StridedRows::Offset(const Operand& operand, std::size_t element) const {
  std::ptrdiff_t offset = 0;
  auto rest = static_cast<std::int64_t>(element);
  for (std::size_t axis = dims_.size(); axis-- > 0; rest /= dims_[axis])
    offset += rest % dims_[axis] * operand.strides[axis];
  return offset * static_cast<std::ptrdiff_t>(operand.size);
}

}  // namespace foothold
