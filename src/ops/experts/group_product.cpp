// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "ops/experts/group_product.h"

#include "kernels/integer_matmul.h"

namespace foothold {
namespace {

MatMulStrides RightStrides(std::size_t depth, std::size_t columns, bool transposed) {
  return transposed ? MatMulStrides{1, depth} : MatMulStrides{columns, 1};
}

}  // namespace

GroupProduct::GroupProduct(std::size_t most_rows, std::size_t depth, std::size_t columns, bool transposed,
                           FloatKind left, FloatKind right) {
  const MatMulStrides strides = RightStrides(depth, columns, transposed);
  for (std::size_t rows = 1; rows <= std::min(most_rows, kMostRows); ++rows) {
    plans_.emplace_back(MatMulSize{rows, columns, depth}, StoredOperand{{left, nullptr, depth, 1}, {0}},
                        StoredOperand{{right, nullptr, strides.row, strides.column}, {0}});
    bytes_ = std::max(bytes_, plans_.back().WorkspaceBytes());
  }
}

GroupIntegerProduct::GroupIntegerProduct(std::size_t most_rows, std::size_t depth, std::size_t columns,
                                         bool transposed)
    : most_rows_(std::clamp<std::size_t>(most_rows, 1, GroupProduct::kMostRows)),
      depth_(depth),
      columns_(columns),
      transposed_(transposed) {}

std::size_t GroupIntegerProduct::WorkspaceBytes() const {
  const MatMulSize size{most_rows_, columns_, depth_};
  const std::size_t packed = PackedIntegersRight(size) + RoundUp(PackedIntegersLeft(size), 32);
  return packed * sizeof(std::int16_t) + most_rows_ * columns_ * sizeof(std::int32_t);
}

void GroupIntegerProduct::PackRight(const std::int8_t* right, std::byte* workspace) const {
  PackIntegersRight<std::int8_t>(right, RightStrides(depth_, columns_, transposed_), {0, columns_, depth_},
                                 nullptr, 0, reinterpret_cast<std::int16_t*>(workspace));
}

const std::int32_t* GroupIntegerProduct::Multiply(const std::int8_t* left, std::size_t rows, bool packed,
                                                  const std::int8_t* right, std::byte* workspace) const {
  const MatMulSize most{most_rows_, columns_, depth_}, size{rows, columns_, depth_};
  auto* panels = reinterpret_cast<std::int16_t*>(workspace);
  std::int16_t* packed_left = panels + PackedIntegersRight(most);
  auto* out = reinterpret_cast<std::int32_t*>(packed_left + RoundUp(PackedIntegersLeft(most), 32));
  if (!packed) {
    MultiplyFew(left, rows, right, out);
    return out;
  }
  PackIntegersLeft<std::int8_t>(left, {depth_, 1}, size, nullptr, 0, packed_left);
  MultiplyIntegers(packed_left, panels, size, out);
  return out;
}

void GroupIntegerProduct::MultiplyFew(const std::int8_t* left, std::size_t rows, const std::int8_t* right,
                                      std::int32_t* out) const {
  const std::size_t grain = std::max<std::size_t>(64, 65536 / (1 + depth_));
  ParallelFor(columns_, grain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t row = 0; row < rows; ++row) {
      const std::int8_t* x = left + row * depth_;
      std::int32_t* y = out + row * columns_;
      std::fill(y + begin, y + end, 0);
      for (std::size_t k = 0; k < depth_; ++k)
        for (std::size_t j = begin; j < end; ++j)
          y[j] += x[k] * right[k * columns_ + j];
    }
  });
}

}  // namespace foothold
