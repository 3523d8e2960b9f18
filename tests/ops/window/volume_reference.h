// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Volumes read by meaning, whatever the layout of their tensor, for references written in double.
#pragma once

#include <string>
#include <vector>

#include "ops/data/reference.h"

namespace foothold {

constexpr Format kDhwcn{31};

// Where each of N C D H W (of a filter: out, in, D H W) stands in a tensor of this format.
inline std::vector<std::size_t> VolumeOrder(Format format) {
  if (format == Format::kNdhwc) return {0, 4, 1, 2, 3};
  if (format == kDhwcn) return {4, 3, 0, 1, 2};
  return {0, 1, 2, 3, 4};
}

inline Dims VolumeDimsIn(Format format, const Dims& by_meaning) {
  Dims dims(5);
  for (std::size_t i = 0; i < 5; ++i)
    dims[VolumeOrder(format)[i]] = by_meaning[i];
  return dims;
}

// Elements in the order N C D H W.
inline std::vector<double> VolumeByMeaning(const TensorValue& value, Format format) {
  Dims by_meaning(5);
  for (std::size_t i = 0; i < 5; ++i)
    by_meaning[i] = value.dims()[VolumeOrder(format)[i]];
  const std::vector<double> numbers = Numbers(value);
  std::vector<double> result;
  ForIndices(by_meaning, [&](const Index& index) {
    result.push_back(numbers[Offset(value.dims(), VolumeDimsIn(format, index))]);
  });
  return result;
}

inline std::vector<double> VolumeInFormat(const std::vector<double>& values, const Dims& by_meaning,
                                          Format format) {
  std::vector<double> result(values.size());
  std::size_t i = 0;
  ForIndices(by_meaning, [&](const Index& index) {
    result[Offset(VolumeDimsIn(format, by_meaning), VolumeDimsIn(format, index))] = values[i++];
  });
  return result;
}

// A list that has 1 where the space is not.
inline Ints SpaceList(Format format, const Ints& space) {
  return format == Format::kNdhwc ? Ints{1, space[0], space[1], space[2], 1}
                                  : Ints{1, 1, space[0], space[1], space[2]};
}

}  // namespace foothold
