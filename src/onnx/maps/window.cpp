// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "onnx/maps/window.h"

#include <algorithm>

namespace foothold::onnx {
namespace {

// Larger windows and sizes are no models; products of two such numbers fit.
constexpr std::int64_t kLargest = std::int64_t{1} << 31;

Ints ListOf(const NodeImport& node, std::string_view name, std::size_t length, std::int64_t otherwise) {
  Ints list = node.IntList(name, Ints(length, otherwise));
  if (list.size() != length)
    node.Unsupported("attribute '{}' has {} entries, expected {}", name, list.size(), length);
  for (const std::int64_t value : list)
    if (value > kLargest || value < -kLargest)
      node.Unsupported("attribute '{}' has the entry {}", name, value);
  return list;
}

Ints KernelOf(const NodeImport& node, Ints kernel) {
  if (node.HasAttribute("kernel_shape")) kernel = node.IntList("kernel_shape");
  if (kernel.empty()) node.Unsupported("attribute 'kernel_shape' is missing");
  for (const std::int64_t size : kernel)
    if (size <= 0 || size > kLargest) node.Unsupported("the kernel has the size {}", size);
  return kernel;
}

void PadSame(const NodeImport& node, Window& window, const std::string& mode) {
  for (std::size_t i = 0; i < window.rank(); ++i) {
    const std::int64_t size = SizeOfInput(node, window, i);
    if (size < 0) {
      window.open_padding = mode;
      return;
    }
    const std::int64_t out = (size + window.strides[i] - 1) / window.strides[i];
    const std::int64_t reach = window.dilations[i] * (window.kernel[i] - 1) + 1;
    const Padding padding = SplitPadding(
        std::max<std::int64_t>((out - 1) * window.strides[i] + reach - size, 0), mode == "SAME_UPPER");
    window.begins[i] = padding.begin;
    window.ends[i] = padding.end;
  }
}

}  // namespace

Ints Window::Interleaved() const {
  Ints pads;
  for (std::size_t i = 0; i < rank(); ++i) {
    pads.push_back(begins[i]);
    pads.push_back(ends[i]);
  }
  return pads;
}

Ints Window::WithBatchAndChannel(const Ints& values, std::int64_t filler) const {
  Ints all = {filler, filler};
  all.insert(all.end(), values.begin(), values.end());
  return all;
}

Window Window::WithExtraDimension() const {
  Window two = *this;
  for (Ints* list : {&two.kernel, &two.strides, &two.dilations})
    list->insert(list->begin(), 1);
  for (Ints* list : {&two.begins, &two.ends})
    list->insert(list->begin(), 0);
  return two;
}

Padding SplitPadding(std::int64_t total, bool more_at_end) {
  const std::int64_t less = total / 2;
  return more_at_end ? Padding{less, total - less} : Padding{total - less, less};
}

std::int64_t SizeOfInput(const NodeImport& node, const Window& window, std::size_t i) {
  const Dims dims = node.TypeOf(0).dims;
  const bool known = dims.size() == window.rank() + 2 && dims[i + 2] >= 0;
  return known && dims[i + 2] <= kLargest ? dims[i + 2] : kUnknownDim;
}

Window ReadWindow(const NodeImport& node, Ints kernel) {
  Window window;
  window.kernel = KernelOf(node, std::move(kernel));
  const std::size_t rank = window.rank();
  window.strides = ListOf(node, "strides", rank, 1);
  window.dilations = ListOf(node, "dilations", rank, 1);
  for (std::size_t i = 0; i < rank; ++i)
    if (window.strides[i] <= 0 || window.dilations[i] <= 0)
      node.Unsupported("strides and dilations must be positive");
  const std::string mode = node.Text("auto_pad", "NOTSET");
  const Ints pads = mode == "NOTSET" || mode.empty() ? ListOf(node, "pads", 2 * rank, 0) : Ints(2 * rank, 0);
  const auto middle = pads.begin() + static_cast<std::ptrdiff_t>(rank);
  window.begins.assign(pads.begin(), middle);
  window.ends.assign(middle, pads.end());
  if (mode == "SAME_UPPER" || mode == "SAME_LOWER") PadSame(node, window, mode);
  return window;
}

std::string ChannelsFirst(std::size_t spatial) {
  return spatial == 3 ? "NCDHW" : "NCHW";
}

}  // namespace foothold::onnx
