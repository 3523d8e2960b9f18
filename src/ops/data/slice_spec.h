// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Which part of a tensor the slicing operators take: what their many ways of saying it come down to. Any
// thread.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "ops/op.h"

namespace foothold {

// Elements begin, begin + step, ... of one axis. Inside the axis whatever the program said.
struct SliceAxis {
  std::int64_t begin = 0;
  std::int64_t step = 1;
  std::int64_t count = 0;
};

struct SliceSpec {
  std::vector<SliceAxis> axes;  // one per axis of x
  Dims dims;                    // of the result: the counts, with axes dropped and inserted
};

// One bound pair as Python and ONNX write it: negative numbers count from the end, what is outside is cut.
// `first_backwards` is where a walk with a negative step that begins before the tensor starts: 0 (ONNX) or -1
// (TensorFlow: nowhere).
struct Bounds {
  std::int64_t begin, end, step;
  bool open_begin = false, open_end = false;
  std::int64_t first_backwards = -1;
};
SliceAxis Resolve(const OpContext& context, const Bounds& bounds, std::int64_t dim);

// The part of what is a view itself; nothing where elements are walked through backwards.
std::optional<StridedView> Sliced(const StridedView& view, const SliceSpec& spec);

// Input 0, sliced, into output 0.
std::unique_ptr<Kernel> LowerSlice(OpContext& context, const SliceSpec& spec);

}  // namespace foothold
