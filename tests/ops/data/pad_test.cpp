// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <gtest/gtest.h>

#include <optional>

#include "base/error.h"
#include "ops/data/reference.h"
#include "ops/op_run.h"

namespace foothold {
namespace {

using Int = std::int64_t;
using Lists = std::vector<std::vector<Int>>;

// Where a place of the result comes from along one axis; nothing: the constant.
std::optional<Int> Source(const std::string& mode, Int at, Int dim) {
  if (at >= 0 && at < dim) return at;
  if (mode == "edge") return at < 0 ? 0 : dim - 1;
  if (mode == "reflect") return at < 0 ? -at : 2 * dim - 2 - at;
  if (mode == "symmetric") return at < 0 ? -at - 1 : 2 * dim - 1 - at;
  return std::nullopt;
}

std::vector<double> Padded(const TensorValue& x, const Ints& pads, const std::string& mode, double constant) {
  Dims dims = x.dims();
  for (std::size_t i = 0; i < dims.size(); ++i)
    dims[i] += pads[2 * i] + pads[2 * i + 1];
  const std::vector<double> numbers = Numbers(x);
  std::vector<double> padded;
  ForIndices(dims, [&](Index index) {
    bool inside = true;
    for (std::size_t i = 0; i < index.size(); ++i) {
      const auto source = Source(mode, index[i] - pads[2 * i], x.dims()[i]);
      inside = inside && source.has_value();
      index[i] = source.value_or(0);
    }
    padded.push_back(inside ? numbers[Offset(x.dims(), index)] : constant);
  });
  return padded;
}

TensorValue PadV3(const TensorValue& x, const Ints& pads, const std::string& mode, double constant) {
  return OpRun("PadV3")
      .Late("x", x)
      .In("paddings", List(pads))
      .Late("constant_values", Tensor(x.type().type, {1}, {constant}))
      .Attr("mode", mode)
      .Out("y")
      .Run();
}

struct PadCase {
  Dims dims;
  Ints pads;
};

const PadCase kCases[] = {
    {{4}, {2, 3}},
    {{3, 4}, {1, 0, 0, 2}},
    {{2, 3, 4, 5}, {0, 0, 0, 0, 1, 2, 3, 1}},
    {{2, 3, 4, 5}, {1, 1, 2, 0, 0, 0, 0, 4}},
    {{1, 40}, {0, 0, 30, 39}},
    {{3, 4}, {0, 0, 0, 0}},
    {{}, {}},
};

TEST(Pad, AgreesWithPlainLoops) {
  for (const PadCase& each : kCases) {
    for (const DataType type : kOneTypePerSize) {
      const TensorValue x = Counted(each.dims, type);
      for (const std::string mode : {"constant", "edge", "reflect", "symmetric"}) {
        SCOPED_TRACE(mode + " of " + ToString(x.type()) + " by " + ToString(each.pads));
        ExpectNear(PadV3(x, each.pads, mode, 9), Padded(x, each.pads, mode, 9));
      }
    }
  }
}

TEST(Pad, CutsWithNegativeNumbers) {
  const TensorValue x = Counted({4, 5});
  for (const Ints& pads : {Ints{-1, 0, 2, -3}, Ints{-4, 2, 0, 0}, Ints{-1, -2, -2, -2}, Ints{-4, 0, 0, 0}})
    ExpectNear(PadV3(x, pads, "constant", 7), Padded(x, pads, "constant", 7));
  ExpectNear(PadV3(x, {-1, 0, 2, -3}, "edge", 7), Padded(x, {-1, 0, 2, -3}, "edge", 7));
}

TEST(Pad, HasManyForms) {
  const TensorValue x = Counted({2, 3});
  const Ints pads = {1, 0, 0, 2};
  const Lists lists = {{1, 0}, {0, 2}};
  const TensorValue matrix = Tensor(DataType::kInt32, {2, 2}, {1, 0, 0, 2});
  const auto zero = Padded(x, pads, "constant", 0);
  const auto five = Padded(x, pads, "constant", 5);
  ExpectNear(OpRun("Pad").Late("x", x).In("paddings", matrix).Out("y").Run(), zero);
  ExpectNear(OpRun("PadD").Late("x", x).Attr("paddings", lists).Out("y").Run(), zero);
  ExpectNear(OpRun("PadV2")
                 .Late("x", x)
                 .In("paddings", matrix)
                 .Late("constant_values", Floats({}, {5}))
                 .Out("y")
                 .Run(),
             five);
  ExpectNear(OpRun("PadV2D")
                 .Late("x", x)
                 .Late("constant_values", Floats({}, {5}))
                 .Attr("paddings", lists)
                 .Out("y")
                 .Run(),
             five);
  ExpectNear(
      OpRun("PadV3D").Late("x", x).Attr("paddings", lists).Attr("constant_values", Int{5}).Out("y").Run(),
      five);
  ExpectNear(OpRun("PadV3")
                 .Late("x", x)
                 .In("paddings", List({1, 0, 0, 2}))
                 .NoInput("constant_values")
                 .Attr("paddings_contiguous", false)
                 .Out("y")
                 .Run(),
             Padded(x, {1, 0, 0, 2}, "constant", 0));
  ExpectNear(OpRun("MirrorPad")
                 .Late("x", x)
                 .In("paddings", matrix)
                 .Attr("mode", std::string("REFLECT"))
                 .Out("y")
                 .Run(),
             Padded(x, pads, "reflect", 0));
  ExpectNear(OpRun("MirrorPad")
                 .Late("x", x)
                 .In("paddings", matrix)
                 .Attr("mode", std::string("SYMMETRIC"))
                 .Out("y")
                 .Run(),
             Padded(x, pads, "symmetric", 0));
}

TEST(Pad, PadsNothing) {
  ExpectNear(PadV3(Counted({0, 2}), {1, 1, 0, 0}, "constant", 3), {3, 3, 3, 3});
  EXPECT_EQ(PadV3(Counted({0, 2}), {0, 0, 1, 1}, "edge", 3).dims(), (Dims{0, 4}));
}

TEST(Pad, RefusesWhatCannotBe) {
  const TensorValue x = Counted({2, 3});
  EXPECT_THROW(PadV3(x, {1, 1, 1}, "constant", 0), Error);
  EXPECT_THROW(PadV3(x, {-3, 0, 0, 0}, "constant", 0), Error);
  EXPECT_THROW(PadV3(x, {-1, -2, 0, 0}, "constant", 0), Error);
  EXPECT_THROW(PadV3(x, {INT64_MAX, INT64_MAX, 0, 0}, "constant", 0), Error);
  EXPECT_THROW(PadV3(x, {2, 0, 0, 0}, "reflect", 0), Error);
  EXPECT_THROW(PadV3(x, {3, 0, 0, 0}, "symmetric", 0), Error);
  EXPECT_THROW(PadV3(Counted({0}), {1, 0}, "edge", 0), Error);
  EXPECT_THROW(PadV3(x, {0, 0, 0, 0}, "wrap", 0), Error);
  EXPECT_THROW(OpRun("PadD").In("x", x).Out("y").Run(), Error);
  EXPECT_THROW(OpRun("PadV2")
                   .In("x", x)
                   .In("paddings", List({0, 0, 0, 0}))
                   .In("constant_values", Int32s({}, {0}))
                   .Out("y")
                   .Run(),
               Error);
}

}  // namespace
}  // namespace foothold
