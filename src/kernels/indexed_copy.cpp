// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "kernels/indexed_copy.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/thread_pool.h"

namespace foothold {
namespace {

constexpr std::size_t kParallelBytes = std::size_t{256} << 10;
constexpr std::size_t kWorthAStretch = 4;  // places

template <std::size_t kSize>
void CopyPlaces(const std::byte* src, const std::vector<std::ptrdiff_t>& places, std::byte* dst) {
  for (const std::ptrdiff_t place : places) {
    std::memcpy(dst, src + place, kSize);
    dst += kSize;
  }
}

}  // namespace

IndexedCopy::IndexedCopy(std::size_t block, std::vector<std::vector<std::ptrdiff_t>> tables)
    : block_(block), outer_(std::move(tables)), last_{0} {
  if (!outer_.empty()) {
    last_ = std::move(outer_.back());
    outer_.pop_back();
  }
  for (const auto& table : outer_)
    rows_ *= table.size();
  for (const std::ptrdiff_t place : last_) {
    const bool follows =
        !stretches_.empty() &&
        place == stretches_.back().from + static_cast<std::ptrdiff_t>(stretches_.back().bytes);
    if (follows) {
      stretches_.back().bytes += block_;
    } else {
      stretches_.push_back({place, block_});
    }
  }
  if (stretches_.size() * kWorthAStretch > last_.size()) stretches_.clear();
}

void IndexedCopy::RunRow(const std::byte* src, std::byte* dst) const {
  for (const Stretch& stretch : stretches_) {
    std::memcpy(dst, src + stretch.from, stretch.bytes);
    dst += stretch.bytes;
  }
  if (!stretches_.empty()) return;
  switch (block_) {
    case 1:
      return CopyPlaces<1>(src, last_, dst);
    case 2:
      return CopyPlaces<2>(src, last_, dst);
    case 4:
      return CopyPlaces<4>(src, last_, dst);
    case 8:
      return CopyPlaces<8>(src, last_, dst);
    case 16:
      return CopyPlaces<16>(src, last_, dst);
    default:
      for (std::size_t i = 0; i < last_.size(); ++i)
        std::memcpy(dst + i * block_, src + last_[i], block_);
  }
}

void IndexedCopy::Run(const std::byte* src, std::byte* dst) const {
  const std::size_t row_bytes = last_.size() * block_;
  if (row_bytes == 0) return;
  ParallelFor(rows_, std::max<std::size_t>(1, kParallelBytes / row_bytes),
              [&](std::size_t begin, std::size_t end) {
                for (std::size_t row = begin; row < end; ++row) {
                  std::ptrdiff_t place = 0;
                  std::size_t rest = row;
                  for (std::size_t i = outer_.size(); i-- > 0;) {
                    place += outer_[i][rest % outer_[i].size()];
                    rest /= outer_[i].size();
                  }
                  RunRow(src + place, dst + row * row_bytes);
                }
              });
}

}  // namespace foothold
