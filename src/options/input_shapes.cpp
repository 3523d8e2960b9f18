// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "options/input_shapes.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "options/option_text.h"

namespace foothold {
namespace {

constexpr std::size_t kMostGears = 256;

std::int64_t Number(std::string_view option, std::string_view text) {
  const auto value = ParseInteger(text);
  if (!value || *value < kUnknownRank) RefuseOption(option, text, "is no dimension");
  return *value;
}

std::string RangeText(const InputShapes::Ranges& ranges) {
  std::string text = "[";
  for (const auto& [low, high] : ranges) {
    if (text.size() > 1) text += ',';
    text += low == high ? std::to_string(low)
                        : fmt::format("{}~{}", low, high < 0 ? "any" : std::to_string(high));
  }
  return text + "]";
}

const Dims& DimsOf(const TensorType& type) {
  return type.dims;
}
const Dims& DimsOf(const TensorValue& value) {
  return value.dims();
}

}  // namespace

InputShapes::InputShapes(const std::vector<Node*>& data, const Options& options) {
  for (const Node* node : data) {
    names_.push_back(node->name());
    dims_.push_back(node->outputs().at(0).desc.dims);
    ranges_.push_back(node->outputs()[0].desc.details().ranges);
    said_.push_back(!ranges_.back().empty());
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
        RefuseOption("ge.inputShape", parts[i], fmt::format("is for input {}, which there is not", i));
      ParseShape(i, parts[i]);
      continue;
    }
    const std::string_view name = Trim(parts[i].substr(0, colon));
    const auto found = std::find(names_.begin(), names_.end(), name);
    if (found == names_.end())
      RefuseOption("ge.inputShape", name,
                   fmt::format("is no input; the inputs are {}", fmt::join(names_, ", ")));
    ParseShape(static_cast<std::size_t>(found - names_.begin()), parts[i].substr(colon + 1));
  }
}

void InputShapes::ParseShape(std::size_t input, std::string_view text) {
  order_.push_back(input);
  said_[input] = true;
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
      RefuseOption("ge.dynamicDims", part,
                   fmt::format("has {} numbers, but {} dimensions are open", gear.size(), open));
    if (std::find(gears_.begin(), gears_.end(), gear) != gears_.end())
      RefuseOption("ge.dynamicDims", part, "stands twice");
    if (!IsStatic(gear)) RefuseOption("ge.dynamicDims", part, "must name sizes");
    gears_.push_back(std::move(gear));
  }
  if (gears_.size() < 2 || gears_.size() > kMostGears)
    RefuseOption("ge.dynamicDims", text, fmt::format("must have 2 to {} gears", kMostGears));
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

void InputShapes::CheckRange(std::size_t input, const Dims& dims) const {
  const Ranges& ranges = ranges_[input];
  if (ranges.size() != dims.size())
    Fail(kInvalidParam, "input {} ('{}') has shape {}; its range {} has {} dimensions", input, names_[input],
         ToString(dims), RangeText(ranges), ranges.size());
  for (std::size_t d = 0; d < ranges.size(); ++d) {
    const auto [low, high] = ranges[d];
    if (dims[d] < low || (high >= 0 && dims[d] > high))
      Fail(kInvalidParam, "input {} ('{}') has shape {}; its dimension {} must be in {}", input,
           names_[input], ToString(dims), d, RangeText({ranges[d]}));
  }
}

template <typename Described>
void InputShapes::CheckAll(const std::vector<Described>& inputs) const {
  for (std::size_t i = 0; i < inputs.size(); ++i)
    if (said_[i] && RankKnown(dims_[i])) CheckRange(i, DimsOf(inputs[i]));
  if (gears_.empty()) return;
  std::vector<Dims> given;
  for (const Described& input : inputs)
    given.push_back(DimsOf(input));
  std::string allowed;
  for (const Dims& gear : gears_) {
    if (WithGear(gear) == given) return;
    allowed += " " + ToString(gear);
  }
  Fail(kInvalidParam, "the shapes of the inputs match none of the gears of ge.dynamicDims:{}", allowed);
}

void InputShapes::Check(const std::vector<TensorType>& types) const {
  CheckAll(types);
}

void InputShapes::Check(const std::vector<TensorValue>& values) const {
  CheckAll(values);
}

}  // namespace foothold
