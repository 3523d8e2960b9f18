// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// OnnxMaxPool: maxima over windows of any number of dimensions, with dilations, and where they were found.
// Attributes: kernel, strides, dilations, begins, ends (one number per spatial dimension), ceil_mode, and
// column_major for places counted with the last dimension first. Of equals the first counts.
#include <algorithm>
#include <cmath>

#include "base/thread_pool.h"
#include "ops/data/rule_arguments.h"
#include "ops/element_types.h"
#include "ops/op.h"

namespace foothold {
namespace {

using Lengths = std::vector<std::int64_t>;

struct Pooling {
  std::size_t planes = 0;
  Lengths in, out, kernel, strides, dilations, begins;
  Lengths places;  // how far apart neighbours along each dimension are counted
};

Lengths ListOf(const OpContext& context, const char* name, std::size_t rank) {
  Lengths list = context.node().Ints(name);
  if (list.size() != rank)
    context.Refuse("attribute '{}' has {} entries, expected {}", name, list.size(), rank);
  return list;
}

std::int64_t OutputLength(const OpContext& context, const Pooling& pooling, const Lengths& ends,
                          std::size_t i) {
  const std::int64_t reach = pooling.dilations[i] * (pooling.kernel[i] - 1) + 1;
  const std::int64_t room = pooling.in[i] + pooling.begins[i] + ends[i] - reach;
  if (room < 0 || pooling.strides[i] <= 0)
    context.Refuse("a window of {} does not fit into dimension {} of {}", reach, i + 2,
                   ToString(context.In(0)));
  const bool up = context.node().Bool("ceil_mode", false);
  return (room + (up ? pooling.strides[i] - 1 : 0)) / pooling.strides[i] + 1;
}

Pooling PoolingOf(const OpContext& context) {
  const Dims& dims = context.InDims(0);
  if (dims.size() < 3)
    context.Refuse("the input is {}, expected 3 dimensions or more", ToString(context.In(0)));
  const std::size_t rank = dims.size() - 2;
  Pooling pooling;
  pooling.planes = Product(dims, 0, 2);
  pooling.in.assign(dims.begin() + 2, dims.end());
  pooling.kernel = ListOf(context, "kernel", rank);
  pooling.strides = ListOf(context, "strides", rank);
  pooling.dilations = ListOf(context, "dilations", rank);
  pooling.begins = ListOf(context, "begins", rank);
  const Lengths ends = ListOf(context, "ends", rank);
  for (std::size_t i = 0; i < rank; ++i)
    pooling.out.push_back(OutputLength(context, pooling, ends, i));
  pooling.places.assign(rank, 1);
  const bool column_major = context.node().Bool("column_major", false);
  for (std::size_t i = 1; i < rank; ++i) {
    const std::size_t at = column_major ? i : rank - 1 - i;
    const std::size_t before = column_major ? i - 1 : rank - i;
    pooling.places[at] = pooling.places[before] * pooling.in[before];
  }
  return pooling;
}

// The next position of an odometer; false after the last one.
bool Advance(Lengths& position, const Lengths& limits) {
  for (std::size_t i = position.size(); i-- > 0;) {
    if (++position[i] < limits[i]) return true;
    position[i] = 0;
  }
  return false;
}

template <typename T>
class MaxPoolKernel : public Kernel {
 public:
  explicit MaxPoolKernel(Pooling pooling) : pooling_(std::move(pooling)) {
    for (const std::int64_t length : pooling_.in)
      in_plane_ *= static_cast<std::size_t>(length);
    for (const std::int64_t length : pooling_.out)
      out_plane_ *= static_cast<std::size_t>(length);
  }

  void Run(const RunArgs& args) const override {
    ParallelFor(pooling_.planes, 1, [&](std::size_t begin, std::size_t end) {
      for (std::size_t plane = begin; plane < end; ++plane)
        RunPlane(args, plane);
    });
  }

 private:
  void RunPlane(const RunArgs& args, std::size_t plane) const {
    const T* x = args.In<T>(0) + plane * in_plane_;
    T* y = args.Out<T>(0) + plane * out_plane_;
    std::int64_t* places = args.Out<std::int64_t>(1) + plane * out_plane_;
    Lengths position(pooling_.out.size(), 0);
    for (std::size_t i = 0; i < out_plane_; ++i) {
      const Found found = Window(x, position);
      y[i] = found.value;
      places[i] = found.place + static_cast<std::int64_t>(plane * in_plane_);
      Advance(position, pooling_.out);
    }
  }

  struct Found {
    T value;
    std::int64_t place;
  };

  Found Window(const T* x, const Lengths& position) const {
    Found found{};
    bool any = false;
    Lengths step(pooling_.kernel.size(), 0);
    do {
      std::int64_t at = 0, place = 0;
      if (!Locate(position, step, at, place)) continue;
      if (!any || static_cast<Computed<T>>(x[at]) > static_cast<Computed<T>>(found.value))
        found = {x[at], place};
      any = true;
    } while (Advance(step, pooling_.kernel));
    return found;
  }

  bool Locate(const Lengths& position, const Lengths& step, std::int64_t& at, std::int64_t& place) const {
    for (std::size_t i = 0; i < position.size(); ++i) {
      const std::int64_t coordinate =
          position[i] * pooling_.strides[i] - pooling_.begins[i] + step[i] * pooling_.dilations[i];
      if (coordinate < 0 || coordinate >= pooling_.in[i]) return false;
      at = at * pooling_.in[i] + coordinate;
      place += coordinate * pooling_.places[i];
    }
    return true;
  }

  Pooling pooling_;
  std::size_t in_plane_ = 1, out_plane_ = 1;
};

void InferMaxPool(OpContext& context) {
  const Pooling pooling = PoolingOf(context);
  Dims dims(context.InDims(0).begin(), context.InDims(0).begin() + 2);
  dims.insert(dims.end(), pooling.out.begin(), pooling.out.end());
  context.SetOut(0, context.In(0).type, dims, context.In(0).format);
  context.SetOut(1, DataType::kInt64, dims, context.In(0).format);
}

std::unique_ptr<Kernel> LowerMaxPool(OpContext& context) {
  return VisitType(
      context.In(0).type,
      [&](auto tag) -> std::unique_ptr<Kernel> {
        return std::make_unique<MaxPoolKernel<typename decltype(tag)::Type>>(PoolingOf(context));
      },
      [&]() -> std::unique_ptr<Kernel> {
        context.Unsupported("no kernel for {}; real numbers would run", DataTypeName(context.In(0).type));
      });
}

const RegisterOp max_pool(OpDef("OnnxMaxPool").Infer(InferMaxPool).Lower(LowerMaxPool));

}  // namespace
}  // namespace foothold
