// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <gtest/gtest.h>

#include <cmath>

#include "base/error.h"
#include "ops/data/reference.h"

namespace foothold {
namespace {

// Between four pixels of a plane; 0 outside.
double Between(const std::vector<double>& x, const Dims& dims, std::int64_t n, std::int64_t c, double y,
               double z) {
  double sum = 0;
  for (std::int64_t h = 0; h < dims[2]; ++h)
    for (std::int64_t w = 0; w < dims[3]; ++w)
      sum += std::max(0.0, 1 - std::abs(y - static_cast<double>(h))) *
             std::max(0.0, 1 - std::abs(z - static_cast<double>(w))) * x[Offset(dims, {n, c, h, w})];
  return sum;
}

const Dims kX{2, 4, 5, 6};           // N C H W
const Dims kFilter{3, 4, 2, 3};      // out, in, height, width
constexpr std::int64_t kGroups = 2;  // of offsets
const Dims kOut{2, 3, 3, 4};         // strides 2 and 1, dilations 1 and 2, paddings 1, 0, 1, 1

// From a tensor in planes to one with channels last.
TensorValue Last(const TensorValue& x) {
  const Dims& d = x.dims();
  const Dims to{d[0], d[2], d[3], d[1]};
  return Tensor(x.type().type, to,
                Picked(x, to,
                       [](const Index& i) {
                         return Index{i[0], i[3], i[1], i[2]};
                       }),
                Format::kNhwc);
}

class Deformable : public testing::TestWithParam<bool> {
 protected:
  Deformable() {
    ForIndices({2, 4, kOut[2], 2, kOut[3], 3}, [&](const Index& i) {
      const std::int64_t group = i[1] / (kX[1] / kGroups), place = i[3] * 3 + i[5];
      const auto part = [&](std::int64_t p) {
        return offsets_[Offset({2, 3, kGroups, 6, kOut[2], kOut[3]}, {i[0], p, group, place, i[2], i[4]})];
      };
      const double y = static_cast<double>(i[2] * 2 - 1 + i[3]) + part(1);
      const double x = static_cast<double>(i[4] - 1 + i[5] * 2) + part(0);
      deformed_.push_back(Between(xs_, kX, i[0], i[1], y, x) * part(2));
    });
  }
  void Configure(OpRun& run) const {
    const bool last = GetParam();
    run.Attr("strides", last ? Ints{1, 2, 1, 1} : Ints{1, 1, 2, 1}).Attr("pads", Ints{1, 0, 1, 1});
    run.Attr("dilations", last ? Ints{1, 1, 2, 1} : Ints{1, 1, 1, 2}).Attr("deformable_groups", kGroups);
  }
  TensorValue InLayout(const TensorValue& value) const { return GetParam() ? Last(value) : value; }

  TensorValue x_ = Random(DataType::kFloat, kX, 1, Format::kNchw);
  TensorValue moves_ = Random(DataType::kFloat, {2, 3 * kGroups * 6, kOut[2], kOut[3]}, 2, Format::kNchw);
  std::vector<double> xs_ = Numbers(x_), offsets_ = Numbers(moves_);
  std::vector<double> deformed_;  // [N, C, out height * 2, out width * 3]
};

TEST_P(Deformable, OffsetsMoveTheElementsOfWindows) {
  OpRun run("DeformableOffsets");
  run.Late("x", InLayout(x_)).Late("offsets", InLayout(moves_)).Attr("ksize", Ints{2, 3});
  Configure(run);
  const TensorValue expected = Floats({2, 4, kOut[2] * 2, kOut[3] * 3}, deformed_, Format::kNchw);
  const TensorValue y = run.Out("y").Run();
  EXPECT_EQ(y.dims(), InLayout(expected).dims());
  ExpectNear(y, Numbers(InLayout(expected)), 1e-5);
}

TEST_P(Deformable, ConvolutionReadsMovedElements) {
  const TensorValue filter = Random(DataType::kFloat, kFilter, 3, Format::kNchw);
  const TensorValue bias = Random(DataType::kFloat, {3}, 4);
  std::vector<double> expected;
  ForIndices(kOut, [&](const Index& o) {
    double sum = Numbers(bias)[static_cast<std::size_t>(o[1])];
    ForIndices({4, 2, 3}, [&](const Index& k) {
      sum +=
          Numbers(filter)[Offset(kFilter, {o[1], k[0], k[1], k[2]})] *
          deformed_[Offset({2, 4, kOut[2] * 2, kOut[3] * 3}, {o[0], k[0], o[2] * 2 + k[1], o[3] * 3 + k[2]})];
    });
    expected.push_back(sum);
  });
  OpRun run("DeformableConv2D");
  run.Late("x", InLayout(x_)).Late("filter", filter).Late("offsets", InLayout(moves_)).Late("bias", bias);
  Configure(run);
  const TensorValue y = run.Out("y").Run();
  ExpectNear(y, Numbers(InLayout(Floats(kOut, expected, Format::kNchw))), 1e-5);
}

INSTANTIATE_TEST_SUITE_P(Layouts, Deformable, testing::Bool());

TEST(DeformableOffsets, DoesWithoutFactorsAndSurvivesAnyOffset) {
  const double nan = std::nan("");
  const auto run = [&](bool modulated, const std::vector<double>& offsets) {
    OpRun op("DeformableOffsets");
    op.Late("x", Floats({1, 1, 1, 2}, {1, 2}, Format::kNchw));
    op.Late("offsets",
            Floats({1, static_cast<std::int64_t>(offsets.size()) / 2, 1, 2}, offsets, Format::kNchw));
    op.Attr("ksize", Ints{1, 1}).Attr("strides", Ints{1, 1, 1, 1}).Attr("pads", Ints{0, 0, 0, 0});
    return op.Attr("modulated", modulated).Out("y").Run();
  };
  ExpectNear(run(false, {0.5, 0, 0, 0}), {1.5, 2});
  ExpectNear(run(true, {0.5, 0, 0, 0, 2, 3}), {3, 6});
  ExpectNear(run(false, {nan, 1e30, 0, 0}), {0, 0});
  EXPECT_THROW(run(true, {0.5, 0, 0, 0}), Error);
}

}  // namespace
}  // namespace foothold
