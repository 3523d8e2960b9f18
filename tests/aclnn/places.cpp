// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "aclnn/places.h"

namespace nn {
namespace {

struct Split {
  Split(const Dims& dims, std::size_t axis) : size(static_cast<std::size_t>(dims[axis])) {
    for (std::size_t i = 0; i < dims.size(); ++i)
      (i < axis ? outer : inner) *= i == axis ? 1 : static_cast<std::size_t>(dims[i]);
  }
  std::size_t Element(std::size_t line, std::size_t i) const {
    return (line / inner * size + i) * inner + line % inner;
  }
  std::size_t outer = 1, size, inner = 1;
};

}  // namespace

Dims PlaceOf(std::size_t number, const Dims& dims) {
  Dims place(dims.size());
  for (std::size_t i = dims.size(); i-- > 0; number /= static_cast<std::size_t>(dims[i]))
    place[i] = static_cast<std::int64_t>(number % static_cast<std::size_t>(dims[i]));
  return place;
}

std::size_t NumberOf(const Dims& place, const Dims& dims) {
  std::size_t number = 0;
  for (std::size_t i = 0; i < dims.size(); ++i)
    number = number * static_cast<std::size_t>(dims[i]) + static_cast<std::size_t>(place[i]);
  return number;
}

std::vector<Values> Lines(const Values& values, const Dims& dims, std::size_t axis) {
  const Split split(dims, axis);
  std::vector<Values> lines(split.outer * split.inner, Values(split.size));
  for (std::size_t line = 0; line < lines.size(); ++line)
    for (std::size_t i = 0; i < split.size; ++i)
      lines[line][i] = values[split.Element(line, i)];
  return lines;
}

Values FromLines(const std::vector<Values>& lines, const Dims& dims, std::size_t axis) {
  const Split split(dims, axis);
  Values values(CountOf(dims));
  for (std::size_t line = 0; line < lines.size(); ++line)
    for (std::size_t i = 0; i < split.size; ++i)
      values[split.Element(line, i)] = lines[line][i];
  return values;
}

}  // namespace nn
