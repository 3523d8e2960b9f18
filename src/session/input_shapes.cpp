// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "session/input_shapes.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "session/status.h"

namespace foothold {
namespace {

constexpr std::size_t kMostGears = 256;

[[noreturn]] void Refuse(std::string_view option, std::string_view part, std::string_view why) {
  throw Error(kGeParamInvalid, fmt::format("option {}: \"{}\" {}", option, part, why), kBadOption);
}

std::string_view Trim(std::string_view text) {
  const auto first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

std::vector<std::string_view> Split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (!text.empty()) {
    const auto end = std::min(text.find(separator), text.size());
    parts.push_back(Trim(text.substr(0, end)));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

std::int64_t Number(std::string_view option, std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < -2)
    Refuse(option, text, "is no dimension");
  return value;
}

}  // namespace

InputShapes::InputShapes(const std::vector<Node*>& data, const Options& options) {
  for (const Node* node : data) {
    names_.push_back(node->name());
    dims_.push_back(node->outputs().at(0).desc.dims);
    ranges_.push_back(node->outputs()[0].desc.ranges);
  }
  auto shapes = options.Find("ge.inputShape");
  if (!shapes) shapes = options.Find("input_shape");
  if (shapes) ParseShapes(data, *shapes);
  for (std::size_t i = 0; i < data.size(); ++i)
    if (std::find(order_.begin(), order_.end(), i) == order_.end()) order_.push_back(i);
  if (const auto gears = options.Find("ge.dynamicDims"); gears && !gears->empty()) ParseGears(*gears);
}

void InputShapes::ParseShapes(const std::vector<Node*>& data, std::string_view text) {
  const auto parts = Split(text, ';');
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (parts[i].empty()) continue;
    const auto colon = parts[i].rfind(':');
    if (const auto scalar = std::find(names_.begin(), names_.end(), parts[i]); scalar != names_.end()) {
      ParseShape(static_cast<std::size_t>(scalar - names_.begin()), {});
      continue;
    }
    if (colon == std::string_view::npos) {
      if (i >= data.size())
        Refuse("ge.inputShape", parts[i], fmt::format("is for input {}, which there is not", i));
      ParseShape(i, parts[i]);
      continue;
    }
    const std::string_view name = Trim(parts[i].substr(0, colon));
    const auto found = std::find(names_.begin(), names_.end(), name);
    if (found == names_.end())
      Refuse("ge.inputShape", name, fmt::format("is no input; the inputs are {}", fmt::join(names_, ", ")));
    ParseShape(static_cast<std::size_t>(found - names_.begin()), parts[i].substr(colon + 1));
  }
}

void InputShapes::ParseShape(std::size_t input, std::string_view text) {
  order_.push_back(input);
  Dims dims;
  Ranges ranges;
  for (const std::string_view part : Split(text, ',')) {
    if (part.empty()) continue;
    const auto tilde = part.find('~');
    if (tilde == std::string_view::npos) {
      const std::int64_t dim = Number("ge.inputShape", part);
      dims.push_back(dim);
      ranges.emplace_back(dim < 0 ? 0 : dim, dim);
    } else {
      dims.push_back(kUnknownDim);
      ranges.emplace_back(Number("ge.inputShape", part.substr(0, tilde)),
                          Number("ge.inputShape", part.substr(tilde + 1)));
    }
  }
  dims_[input] = std::move(dims);
  ranges_[input] = std::move(ranges);
}

void InputShapes::ParseGears(std::string_view text) {
  std::size_t open = 0;
  for (const Dims& dims : dims_)
    open += static_cast<std::size_t>(std::count(dims.begin(), dims.end(), kUnknownDim));
  for (const std::string_view part : Split(text, ';')) {
    if (part.empty()) continue;
    Dims gear;
    for (const std::string_view number : Split(part, ','))
      gear.push_back(Number("ge.dynamicDims", number));
    if (gear.size() != open)
      Refuse("ge.dynamicDims", part,
             fmt::format("has {} numbers, but {} dimensions are open", gear.size(), open));
    if (std::find(gears_.begin(), gears_.end(), gear) != gears_.end())
      Refuse("ge.dynamicDims", part, "stands twice");
    if (!IsStatic(gear)) Refuse("ge.dynamicDims", part, "must name sizes");
    gears_.push_back(std::move(gear));
  }
  if (gears_.size() < 2 || gears_.size() > kMostGears)
    Refuse("ge.dynamicDims", text, fmt::format("must have 2 to {} gears", kMostGears));
}

std::vector<Dims> InputShapes::WithGear(const Dims& gear) const {
  std::vector<Dims> filled = dims_;
  std::size_t next = 0;
  for (const std::size_t input : order_)
    for (std::int64_t& dim : filled[input])
      if (dim == kUnknownDim) dim = gear[next++];
  return filled;
}

std::size_t InputShapes::LargestGear() const {
  const auto size = [](const Dims& gear) {
    double product = 1;
    for (const std::int64_t dim : gear)
      product *= static_cast<double>(dim);
    return product;
  };
  const auto largest = std::max_element(gears_.begin(), gears_.end(),
                                        [&](const Dims& a, const Dims& b) { return size(a) < size(b); });
  return static_cast<std::size_t>(largest - gears_.begin());
}

void InputShapes::Check(const std::vector<TensorType>& types) const {
  for (std::size_t i = 0; i < types.size(); ++i) {
    if (ranges_[i].empty() || ranges_[i].size() != types[i].dims.size()) continue;
    for (std::size_t d = 0; d < ranges_[i].size(); ++d) {
      const auto [low, high] = ranges_[i][d];
      if (types[i].dims[d] < low || (high >= 0 && types[i].dims[d] > high))
        Fail(kInvalidParam, "input {} ('{}') has shape {}; its dimension {} must be in {}..{}", i, names_[i],
             ToString(types[i].dims), d, low, high < 0 ? "any" : std::to_string(high));
    }
  }
  if (gears_.empty()) return;
  std::vector<Dims> given;
  for (const TensorType& type : types)
    given.push_back(type.dims);
  std::string allowed;
  for (const Dims& gear : gears_) {
    if (WithGear(gear) == given) return;
    allowed += " " + ToString(gear);
  }
  Fail(kInvalidParam, "the shapes of the inputs match none of the gears of ge.dynamicDims:{}", allowed);
}

}  // namespace foothold
