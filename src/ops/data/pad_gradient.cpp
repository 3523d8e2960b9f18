// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Operators of our own that add up what came of each element. AclnnPadGrad: where planes [count, depth,
// height, width] of 'input_dims' were made larger ('paddings': before and behind each dimension, less than 0
// where they were cut) by their 'mode' reflect, edge or circular. AclnnUnfoldGrad: where lines were cut into
// windows of 'size' elements, 'step' apart, which stand in a last dimension.
#include <algorithm>
#include <array>
#include <cstdlib>
#include <vector>

#include "base/thread_pool.h"
#include "ops/data/rule_arguments.h"
#include "ops/function_kernel.h"

namespace foothold {
namespace {

// For each place of a padded line, the element it was taken from.
std::vector<std::size_t> Sources(const OpContext& context, std::int64_t size, std::int64_t before,
                                 std::int64_t behind, const std::string& mode) {
  constexpr std::int64_t kMost = INT32_MAX;
  if (std::abs(before) > kMost || std::abs(behind) > kMost || size > kMost ||
      size + before + behind > kMost || size + before + behind < 0 || (size == 0 && before + behind > 0))
    context.Refuse("{} elements cannot be padded by {} and {}", size, before, behind);
  std::vector<std::size_t> sources;
  for (std::int64_t i = -before; i < size + behind; ++i) {
    std::int64_t at = i;
    if (mode == "edge") {
      at = std::clamp<std::int64_t>(i, 0, size - 1);
    } else if (mode == "circular") {
      at = (i % size + size) % size;
    } else if (mode == "reflect") {
      at = i < 0 ? -i : i >= size ? 2 * (size - 1) - i : i;
      if (at < 0 || at >= size)
        context.Refuse("{} elements cannot be reflected over {} and {}", size, before, behind);
    } else {
      context.Refuse("attribute 'mode' is '{}', expected reflect, edge or circular", mode);
    }
    sources.push_back(static_cast<std::size_t>(at));
  }
  return sources;
}

struct Padding {
  Dims in, out;
  std::array<std::vector<std::size_t>, 3> sources;
};

Padding PaddingOf(const OpContext& context) {
  Padding padding{RequiredInts(context, "input_dims"), {}, {}};
  const std::vector<std::int64_t> paddings = RequiredInts(context, "paddings");
  if (padding.in.size() != 4 || paddings.size() != 6)
    context.Refuse("{} dimensions and {} paddings, expected 4 and 6", padding.in.size(), paddings.size());
  padding.out = {padding.in[0]};
  const Dims& given = context.InDims(0);
  for (std::size_t i = 0; i < 3; ++i) {
    if (given.size() != 4 || given[i + 1] != padding.in[i + 1] + paddings[2 * i] + paddings[2 * i + 1])
      context.Refuse("the gradient is {} for {} and paddings {}", ToString(context.In(0)),
                     ToString(padding.in), ToString(Dims(paddings)));
    padding.sources[i] = Sources(context, padding.in[i + 1], paddings[2 * i], paddings[2 * i + 1],
                                 context.node().Text("mode", ""));
    padding.out.push_back(static_cast<std::int64_t>(padding.sources[i].size()));
  }
  if (context.InDims(0) != padding.out)
    context.Refuse("the gradient is {}, expected {}", ToString(context.In(0)), ToString(padding.out));
  return padding;
}

void InferPadding(OpContext& context) {
  context.SetOut(0, context.In(0).type, PaddingOf(context).in, Format::kNd);
}

template <typename T>
void AddPlane(const Padding& padding, const T* from, T* to) {
  const auto height = static_cast<std::size_t>(padding.in[2]),
             width = static_cast<std::size_t>(padding.in[3]);
  for (const std::size_t d : padding.sources[0])
    for (const std::size_t h : padding.sources[1]) {
      T* row = to + (d * height + h) * width;
      for (const std::size_t w : padding.sources[2])
        row[w] += *from++;
    }
}

std::unique_ptr<Kernel> LowerPadding(OpContext& context) {
  const Padding padding = PaddingOf(context);
  return FloatingKernel(context, [&](auto tag) {
    using T = typename decltype(tag)::Type;
    return KernelOf([padding](const RunArgs& args) {
      const std::size_t small = Product(padding.in, 1, 4), large = Product(padding.out, 1, 4);
      ParallelFor(static_cast<std::size_t>(padding.in[0]), 1 + 32768 / (1 + small + large),
                  [&](std::size_t begin, std::size_t end) {
                    for (std::size_t plane = begin; plane < end; ++plane) {
                      T* to = args.Out<T>(0) + plane * small;
                      std::fill_n(to, small, T{});
                      AddPlane(padding, args.In<T>(0) + plane * large, to);
                    }
                  });
    });
  });
}

struct Unfolding {
  std::size_t outer, length, inner, windows, size, step;
};

Unfolding UnfoldingOf(const OpContext& context) {
  const Dims in = RequiredInts(context, "input_dims");
  const std::size_t axis = AxisIn(context, RequiredInt(context, "axis"), in.size(), "attribute 'axis'");
  const std::int64_t size = RequiredInt(context, "size"), step = RequiredInt(context, "step");
  if (size < 0 || step < 1 || size > in[axis])
    context.Refuse("windows of {}, {} apart, of {} elements", size, step, in[axis]);
  Dims expected = in;
  expected[axis] = (in[axis] - size) / step + 1;
  expected.push_back(size);
  if (context.InDims(0) != expected)
    context.Refuse("the gradient is {}, expected {}", ToString(context.In(0)), ToString(expected));
  const auto whole = [](std::int64_t number) { return static_cast<std::size_t>(number); };
  return {Product(in, 0, axis),  whole(in[axis]), Product(in, axis + 1, in.size()),
          whole(expected[axis]), whole(size),     whole(step)};
}

void InferUnfolding(OpContext& context) {
  UnfoldingOf(context);
  context.SetOut(0, context.In(0).type, RequiredInts(context, "input_dims"), Format::kNd);
}

std::unique_ptr<Kernel> LowerUnfolding(OpContext& context) {
  const Unfolding u = UnfoldingOf(context);
  return FloatingKernel(context, [&](auto tag) {
    using T = typename decltype(tag)::Type;
    return KernelOf([u](const RunArgs& args) {
      ParallelFor(
          u.outer, 1 + 32768 / (1 + u.inner * u.windows * u.size), [&](std::size_t begin, std::size_t end) {
            std::fill_n(args.Out<T>(0) + begin * u.length * u.inner, (end - begin) * u.length * u.inner, T{});
            for (std::size_t o = begin; o < end; ++o)
              for (std::size_t w = 0; w < u.windows; ++w)
                for (std::size_t n = 0; n < u.inner; ++n)
                  for (std::size_t k = 0; k < u.size; ++k)
                    args.Out<T>(0)[(o * u.length + w * u.step + k) * u.inner + n] +=
                        args.In<T>(0)[((o * u.windows + w) * u.inner + n) * u.size + k];
          });
    });
  });
}

const RegisterOp gradients({
    OpDef("AclnnPadGrad").Infer(InferPadding).Lower(LowerPadding),
    OpDef("AclnnUnfoldGrad").Infer(InferUnfolding).Lower(LowerUnfolding),
});

}  // namespace
}  // namespace foothold
