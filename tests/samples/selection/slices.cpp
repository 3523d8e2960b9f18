// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Slices of tensors: picked, stepped over, repeated.
#include <algorithm>

#include "aclnn/places.h"
#include "samples/table.h"

namespace samples {
namespace {

constexpr const char* kCopied = "what is copied may be anything";
constexpr const char* kTold = "only the run tells how much comes out, so the output has to be contiguous";

Block Gathered(const Given& in) {
  Block out{in[1].dims, {}};
  const std::size_t row = nn::CountOf(in[0].dims) / static_cast<std::size_t>(in[0].dims[0]);
  out.dims.insert(out.dims.end(), in[0].dims.begin() + 1, in[0].dims.end());
  for (const double index : in[1].values) {
    const auto first = in[0].values.begin() + static_cast<std::ptrdiff_t>(index * static_cast<double>(row));
    out.values.insert(out.values.end(), first, first + static_cast<std::ptrdiff_t>(row));
  }
  return out;
}

// Each slice as often as is said for it, or all as often.
Block Repeated(const Given& in, double axis) {
  return AlongAxis(in[0], axis, [&](const Values& line) {
    Values out;
    for (std::size_t i = 0; i < line.size(); ++i)
      out.insert(out.end(), static_cast<std::size_t>(in[1].values[in[1].values.size() == 1 ? 0 : i]),
                 line[i]);
    return out;
  });
}

Block RepeatedElements(const Given& in) {
  const Given flat({{{static_cast<std::int64_t>(in[0].values.size())}, in[0].values}, in[1]}, {}, in.type);
  return Repeated(flat, 0);
}

// Of every dimension those from a beginning on to before an end, by steps of either sign.
Block Stepped(const Given& in) {
  Block out = in[0];
  for (std::size_t d = 0; d < in[0].dims.size(); ++d)
    out = AlongAxis(out, static_cast<double>(d), [&](const Values& line) {
      Values kept;
      const double step = in.List("strides")[d], end = in.List("end")[d];
      for (double i = in.List("begin")[d]; step > 0 ? i < end : i > end; i += step)
        kept.push_back(line[static_cast<std::size_t>(i)]);
      return kept;
    });
  return out;
}

const Table slices({
    Functions("GatherV3")
        .Types(NumberTypes())
        .TypeOf(1, ACL_INT64)
        .Whole(1, 0, 3)
        .Without(Part::kSpecial, kCopied)
        .Calls(NN(GatherV3), {X(0), 0, X(1), 0, 1, Y(0)})
        .Form({{4, 3, 2}, {5}})
        .Form({{4, 3}, {2, 3}})
        .Form({{4, 3}, {0}})
        .Is(Gathered),
    Functions("RepeatInterleave")
        .Types(NumberTypes())
        .TypeOf(1, ACL_INT64)
        .Whole(1, 0, 3)
        .Without(Part::kSpecial, kCopied)
        .Without(Part::kView, kTold)
        .Calls(NN(RepeatInterleave), {X(0), X(1), 0, Y(0)})
        .Form({{2, 3}, {6}})
        .Form({{2, 3}, {1}})
        .Form({{0, 3}, {1}})
        .Is(RepeatedElements),
    Functions("RepeatInterleaveWithDim")
        .Types(NumberTypes())
        .TypeOf(1, ACL_INT64)
        .Whole(1, 0, 3)
        .Without(Part::kSpecial, kCopied)
        .Without(Part::kView, kTold)
        .Calls(NN(RepeatInterleaveWithDim), {X(0), X(1), V("dim"), 0, Y(0)})
        .Form({{2, 3, 4}, {3}}, {{"dim", 1}})
        .Form({{2, 3}, {3}}, {{"dim", -1}})
        .Form({{2, 3}, {1}}, {{"dim", 0}})
        .Form({{2, 0}, {1}}, {{"dim", 0}})
        .Is([](const Given& in) { return Repeated(in, in.Number("dim")); }),
    Functions("StridedSlice")
        .Types(NumberTypes())
        .Without(Part::kSpecial, kCopied)
        .Calls(NN(StridedSlice), {X(0), V("begin"), V("end"), V("strides"), 0, 0, 0, 0, 0, Y(0)})
        .Form({{4, 5}}, {{"begin", {1, 4}}, {"end", {4, 0}}, {"strides", {2, -2}}})
        .Form({{2, 3, 4}}, {{"begin", {0, 0, 1}}, {"end", {2, 3, 3}}, {"strides", {1, 2, 1}}})
        .Form({{0, 3}}, {{"begin", {0, 0}}, {"end", {0, 3}}, {"strides", {1, 1}}})
        .Is(Stepped),
});

}  // namespace
}  // namespace samples
