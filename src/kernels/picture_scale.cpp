// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "kernels/picture_scale.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "base/thread_pool.h"
#include "kernels/scale_axis.h"
#include "kernels/scale_rows.h"

namespace foothold {
namespace {

// Rows of a piece: each piece mixes up to two rows that its neighbour mixes too, so pieces are few, and one
// takes long enough to be worth a thread.
std::size_t GrainOf(const BytePlane& out, std::size_t row_work) {
  constexpr std::size_t kWorthAThread = 60000;
  const std::size_t least = kWorthAThread / std::max<std::size_t>(row_work, 1) + 1;
  const auto threads = static_cast<std::size_t>(ParallelThreads());
  const std::size_t even = (out.height + 2 * threads - 1) / (2 * threads);
  return threads == 1 ? out.height : std::max(least, even);
}

// Two mixed rows, kept while the next row of the output needs them.
class MixedRows {
 public:
  MixedRows(const ConstBytePlane& in, const RowScalePlan& plan)
      : in_(in), plan_(plan), memory_(2 * plan.room()) {}

  // `other` is the row that must stay.
  const std::int16_t* Row(std::int32_t row, std::int32_t other) {
    for (int slot = 0; slot < 2; ++slot)
      if (held_[slot] == row) return At(slot);
    const int slot = held_[0] == other ? 1 : 0;
    held_[slot] = row;
    plan_.Mix(in_.data + static_cast<std::size_t>(row) * in_.row_step, At(slot));
    return At(slot);
  }

 private:
  std::int16_t* At(int slot) { return memory_.data() + static_cast<std::size_t>(slot) * plan_.room(); }

  const ConstBytePlane& in_;
  const RowScalePlan& plan_;
  std::vector<std::int16_t> memory_;
  std::int32_t held_[2] = {-1, -1};
};

void CopyPlane(const ConstBytePlane& in, const BytePlane& out, std::size_t channels) {
  for (std::size_t y = 0; y < out.height; ++y)
    std::memcpy(out.data + y * out.row_step, in.data + y * in.row_step, out.width * channels);
}

template <std::size_t kChannels>
void CopyPixels(const std::uint8_t* row, const std::vector<std::uint32_t>& places, std::uint8_t* out) {
  for (const std::uint32_t place : places) {
    std::memcpy(out, row + place * kChannels, kChannels);
    out += kChannels;
  }
}

using PixelCopy = void (*)(const std::uint8_t*, const std::vector<std::uint32_t>&, std::uint8_t*);
constexpr PixelCopy kPixelCopies[] = {CopyPixels<1>, CopyPixels<2>, CopyPixels<3>, CopyPixels<4>};

std::vector<std::int32_t> MixCubicRow(const std::uint8_t* row, const std::vector<CubicTap>& taps,
                                      std::size_t channels) {
  std::vector<std::int32_t> mixed;
  mixed.reserve(taps.size() * channels);
  for (const CubicTap& tap : taps)
    for (std::size_t channel = 0; channel < channels; ++channel) {
      std::int32_t sum = 0;
      for (std::size_t k = 0; k < 4; ++k)
        sum += row[static_cast<std::size_t>(tap.place[k]) * channels + channel] * tap.weight[k];
      mixed.push_back(sum);
    }
  return mixed;
}

void MixCubicColumn(const ConstBytePlane& in, const std::vector<CubicTap>& across, const CubicTap& tap,
                    std::size_t channels, std::uint8_t* out, std::size_t count) {
  std::vector<std::int64_t> sums(count, std::int64_t{1} << (2 * kScaleBits - 1));
  for (std::size_t k = 0; k < 4; ++k) {
    const std::uint8_t* const row = in.data + static_cast<std::size_t>(tap.place[k]) * in.row_step;
    const std::vector<std::int32_t> mixed = MixCubicRow(row, across, channels);
    for (std::size_t i = 0; i < count; ++i)
      sums[i] += std::int64_t{mixed[i]} * tap.weight[k];
  }
  for (std::size_t i = 0; i < count; ++i)
    out[i] = static_cast<std::uint8_t>(std::clamp<std::int64_t>(sums[i] >> (2 * kScaleBits), 0, 255));
}

bool SameSize(const ConstBytePlane& in, const BytePlane& out) {
  return in.width == out.width && in.height == out.height;
}

}  // namespace

void ScaleBilinear(const ConstBytePlane& in, const BytePlane& out, std::size_t channels) {
  if (SameSize(in, out)) return CopyPlane(in, out, channels);
  const RowScalePlan plan(in.width, out.width, channels);
  const std::vector<LinearTap> rows = LinearTaps(in.height, out.height, false);
  const std::size_t mixes_per_row = std::min<std::size_t>(2, in.height / out.height + 1);
  ParallelFor(out.height, GrainOf(out, plan.values() * (1 + mixes_per_row)),
              [&](std::size_t begin, std::size_t end) {
                MixedRows mixed(in, plan);
                for (std::size_t y = begin; y < end; ++y) {
                  const LinearTap& tap = rows[y];
                  const std::int16_t* const top = mixed.Row(tap.first, tap.second);
                  const std::int16_t* const bottom = mixed.Row(tap.second, tap.first);
                  MixRows(top, bottom, tap.first_weight, tap.second_weight, plan.values(),
                          out.data + y * out.row_step);
                }
              });
}

void ScaleNearest(const ConstBytePlane& in, const BytePlane& out, std::size_t channels) {
  if (SameSize(in, out)) return CopyPlane(in, out, channels);
  const std::vector<std::uint32_t> columns = NearestPlaces(in.width, out.width);
  const std::vector<std::uint32_t> rows = NearestPlaces(in.height, out.height);
  const PixelCopy copy = kPixelCopies[channels - 1];
  ParallelFor(out.height, GrainOf(out, out.width * 2), [&](std::size_t begin, std::size_t end) {
    for (std::size_t y = begin; y < end; ++y) {
      std::uint8_t* const to = out.data + y * out.row_step;
      if (y > begin && rows[y] == rows[y - 1]) {
        std::memcpy(to, to - out.row_step, out.width * channels);
      } else {
        copy(in.data + rows[y] * in.row_step, columns, to);
      }
    }
  });
}

void ScaleBicubic(const ConstBytePlane& in, const BytePlane& out, std::size_t channels) {
  if (SameSize(in, out)) return CopyPlane(in, out, channels);
  const std::vector<CubicTap> columns = CubicTaps(in.width, out.width);
  const std::vector<CubicTap> rows = CubicTaps(in.height, out.height);
  ParallelFor(out.height, GrainOf(out, out.width * channels * 40), [&](std::size_t begin, std::size_t end) {
    for (std::size_t y = begin; y < end; ++y)
      MixCubicColumn(in, columns, rows[y], channels, out.data + y * out.row_step, out.width * channels);
  });
}

}  // namespace foothold
