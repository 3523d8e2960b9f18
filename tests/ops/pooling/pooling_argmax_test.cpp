// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/error.h"
#include "ops/data/reference.h"

namespace foothold {
namespace {

std::vector<TensorValue> Argmax(const TensorValue& x, Ints kernel, Ints strides, Ints pads,
                                Attributes others = {}) {
  OpRun run("MaxPoolWithArgmaxV1");
  run.Late("x", x).Attr("ksize", std::move(kernel)).Attr("strides", std::move(strides));
  run.Attr("pads", std::move(pads)).Out("y").Out("argmax");
  run.node().attributes.merge(others);
  return run.RunAll();
}

class ArgmaxTypes : public testing::TestWithParam<DataType> {};

TEST_P(ArgmaxTypes, FindsMaximaAndTheirPlaces) {
  const TensorValue x = Tensor(GetParam(), {1, 2, 2, 3}, {1, 5, 2, 5, 0, 3, 9, 8, 7, 6, 5, 4}, Format::kNchw);
  const auto out = Argmax(x, {1, 2, 2, 1}, {1, 1, 1, 1}, {0, 0, 0, 0});
  EXPECT_EQ(out[0].dims(), (Dims{1, 2, 1, 2}));
  ExpectNear(out[0], {5, 5, 9, 8});
  ExpectNear(out[1], {1, 1, 0, 1});
  EXPECT_EQ(out[1].type().type, DataType::kInt32);
}

INSTANTIATE_TEST_SUITE_P(All, ArgmaxTypes,
                         testing::Values(DataType::kFloat, DataType::kFloat16, DataType::kBfloat16,
                                         DataType::kDouble, DataType::kInt8, DataType::kUint8));

TEST(MaxPoolWithArgmax, UnderstandsLayoutPaddingDilationAndOrder) {
  const TensorValue last = Floats({1, 2, 3, 1}, {1, 5, 2, 5, 0, 3}, Format::kNhwc);
  ExpectNear(Argmax(last, {1, 2, 2, 1}, {1, 2, 2, 1}, {0, 1, 1, 0})[1], {0, 1, 3, 5});
  const TensorValue x = Floats({1, 1, 3, 3}, {1, 2, 3, 4, 5, 6, 7, 8, 9}, Format::kNchw);
  const auto dilated = Argmax(x, {1, 2, 2, 1}, {1, 1, 1, 1}, {0, 0, 0, 0}, {{"dilation", Ints{1, 2, 2, 1}}});
  ExpectNear(dilated[0], {9});
  const auto by_columns = Argmax(x, {1, 2, 2, 1}, {1, 1, 1, 1}, {0, 0, 0, 0},
                                 {{"storage_order", std::int64_t{1}}, {"dtype", std::int64_t{9}}});
  ExpectNear(by_columns[1], {4, 7, 5, 8});
  EXPECT_EQ(by_columns[1].type().type, DataType::kInt64);
  const auto ceiled = Argmax(x, {1, 2, 2, 1}, {1, 2, 2, 1}, {0, 0, 0, 0}, {{"ceil_mode", true}});
  ExpectNear(ceiled[0], {5, 6, 8, 9});
  const auto same =
      Argmax(x, {1, 2, 2, 1}, {1, 2, 2, 1}, {0, 0, 0, 0}, {{"auto_pad", std::string("SAME_LOWER")}});
  ExpectNear(same[0], {1, 3, 7, 9});
}

TEST(MaxPoolWithArgmax, TakesTheFirstNaN) {
  const double nan = std::nan("");
  const auto out = Argmax(Floats({1, 1, 1, 4}, {1, nan, 7, nan}), {1, 1, 4, 1}, {1, 1, 1, 1}, {0, 0, 0, 0});
  ExpectNear(out[0], {nan});
  ExpectNear(out[1], {1});
}

TEST(MaxPoolWithArgmax, RefusesWhatCannotBe) {
  const TensorValue x = Floats({1, 1, 2, 2}, {1, 2, 3, 4});
  EXPECT_THROW(Argmax(x, {1, 2, 2}, {1, 1, 1, 1}, {0, 0, 0, 0}), Error);
  EXPECT_THROW(Argmax(x, {1, 3, 2, 1}, {1, 1, 1, 1}, {0, 0, 0, 0}), Error);
  EXPECT_THROW(Argmax(x, {1, 2, 2, 1}, {1, 0, 1, 1}, {0, 0, 0, 0}), Error);
  EXPECT_THROW(Argmax(Floats({2, 2}, {1, 2, 3, 4}), {1, 2, 2, 1}, {1, 1, 1, 1}, {0, 0, 0, 0}), Error);
}

TEST(AdaptivePooling, CutsWindowsThatOverlap) {
  const TensorValue x = Floats({1, 2, 1, 5}, {1, 2, 3, 4, 5, 10, 20, 30, 40, 50});
  const auto average = OpRun("AdaptiveAvgPool2d").Late("x", x).Attr("output_size", Ints{1, 3}).Out("y").Run();
  EXPECT_EQ(average.dims(), (Dims{1, 2, 1, 3}));
  ExpectNear(average, {1.5, 3, 4.5, 15, 30, 45});
  const auto most =
      OpRun("AdaptiveMaxPool2d").Late("x", x).Attr("output_size", Ints{1, 3}).Out("y").Out("argmax").RunAll();
  ExpectNear(most[0], {2, 4, 5, 20, 40, 50});
  ExpectNear(most[1], {1, 3, 4, 1, 3, 4});
}

// The definition, over the last `sizes` dimensions.
std::vector<double> Averaged(const TensorValue& x, const Dims& out, std::size_t pooled) {
  const std::vector<double> numbers = Numbers(x);
  std::vector<double> result;
  ForIndices(out, [&](const Index& at) {
    Dims counts;
    Index first = at;
    for (std::size_t i = out.size() - pooled; i < out.size(); ++i) {
      first[i] = at[i] * x.dims()[i] / out[i];
      counts.push_back(((at[i] + 1) * x.dims()[i] + out[i] - 1) / out[i] - first[i]);
    }
    double sum = 0;
    ForIndices(counts, [&](const Index& step) {
      Index place = first;
      for (std::size_t i = 0; i < pooled; ++i)
        place[out.size() - pooled + i] += step[i];
      sum += numbers[Offset(x.dims(), place)];
    });
    result.push_back(sum / static_cast<double>(ElementCount(counts)));
  });
  return result;
}

TEST(AdaptivePooling, GoesOverOneToThreeDimensionsOfAnyType) {
  for (const DataType type : {DataType::kFloat, DataType::kFloat16, DataType::kBfloat16, DataType::kDouble})
    for (const Ints& size : {Ints{3}, Ints{2, 4}, Ints{3, 1, 2}, Ints{5, 6, 7}}) {
      const TensorValue x = Random(type, {2, 3, 5, 6, 7}, 3);
      const TensorValue y =
          OpRun("AdaptiveAvgPool").Late("x", x).In("output_size", List(size)).Out("y").Run();
      Dims out = x.dims();
      std::copy(size.begin(), size.end(), out.end() - static_cast<std::ptrdiff_t>(size.size()));
      EXPECT_EQ(y.dims(), out);
      ExpectNear(y, Averaged(x, out, size.size()), type == DataType::kBfloat16 ? 1e-2 : 2e-3);
    }
}

TEST(AdaptivePooling, KeepsChannelsThatComeLast) {
  const TensorValue x = Floats({1, 1, 2, 2}, {1, 10, 3, 30}, Format::kNhwc);
  ExpectNear(OpRun("AdaptiveAvgPool2d").Late("x", x).Attr("output_size", Ints{1, 1}).Out("y").Run(), {2, 20});
  const TensorValue kept =
      OpRun("AdaptiveAvgPool2d").Late("x", x).Attr("output_size", Ints{-1, 1}).Out("y").Run();
  EXPECT_EQ(kept.dims(), (Dims{1, 1, 1, 2}));
}

TEST(AdaptivePooling, RefusesWhatCannotBe) {
  const TensorValue x = Random(DataType::kFloat, {2, 3, 0}, 1);
  const auto pool = [](const TensorValue& value, const Ints& size) {
    return OpRun("AdaptiveAvgPool2d").Late("x", value).Attr("output_size", size).Out("y").Run();
  };
  EXPECT_THROW(pool(x, {2, 2}), Error);
  EXPECT_THROW(pool(x, {}), Error);
  EXPECT_THROW(pool(x, {-2, 0}), Error);
  EXPECT_THROW(pool(Int32s({2, 3, 1}, {1, 2, 3, 4, 5, 6}), {1, 1}), Error);
  EXPECT_EQ(pool(x, {1, 0}).dims(), (Dims{2, 1, 0}));
}

TEST(AvgPool1D, PoolsTheWidthAlone) {
  const auto pool = [](Format format, const Dims& dims, bool ceil, bool count) {
    OpRun run("AvgPool1D");
    run.Late("x", Floats(dims, {1, 2, 3, 4, 10, 20, 30, 40}, format)).Attr("ksize", std::int64_t{3});
    run.Attr("strides", std::int64_t{2}).Attr("pads", Ints{1, 0}).Attr("ceil_mode", ceil);
    return run.Attr("count_include_pad", count).Out("y").Run();
  };
  ExpectNear(pool(Format::kNchw, {1, 1, 2, 4}, false, false), {1.5, 3, 15, 30});
  ExpectNear(pool(Format::kNchw, {1, 1, 2, 4}, false, true), {1, 3, 10, 30});
  ExpectNear(pool(Format::kNhwc, {1, 2, 4, 1}, true, false), {1.5, 3, 15, 30});
  EXPECT_THROW(pool(Format::kNchw, {1, 2, 4}, false, false), Error);
}

TEST(FullyConnection, FlattensFromItsAxisOn) {
  const TensorValue x = Floats({2, 1, 2}, {1, 2, 3, 4}), w = Floats({3, 2}, {1, 0, 0, 1, 1, 1});
  const TensorValue turned = Floats({2, 3}, {1, 0, 1, 0, 1, 1});
  const TensorValue b = Floats({3}, {10, 20, 30});
  for (const std::int64_t axis : {1, 2}) {
    const auto y = OpRun("FullyConnection")
                       .Late("x", x)
                       .In("w", w)
                       .Late("b", b)
                       .Attr("num_output", std::int64_t{3})
                       .Attr("axis", axis)
                       .Out("y")
                       .Run();
    EXPECT_EQ(y.dims(), axis == 1 ? (Dims{2, 3}) : (Dims{2, 1, 3}));
    ExpectNear(y, {11, 22, 33, 13, 24, 37});
    const auto other = OpRun("FullyConnection")
                           .Late("x", x)
                           .Late("w", turned)
                           .Attr("num_output", std::int64_t{3})
                           .Attr("axis", axis)
                           .Attr("transpose", true)
                           .Out("y")
                           .Run();
    ExpectNear(other, {1, 2, 3, 3, 4, 7});
  }
}

TEST(FullyConnection, HasEveryTypeOfProducts) {
  for (const DataType type :
       {DataType::kFloat16, DataType::kBfloat16, DataType::kDouble, DataType::kInt8, DataType::kInt32}) {
    const auto y = OpRun("FullyConnection")
                       .Late("x", Tensor(type, {1, 2}, {100, 2}))
                       .In("w", Tensor(type, {1, 2}, {3, 4}))
                       .Attr("num_output", std::int64_t{1})
                       .Out("y")
                       .Run();
    ExpectNear(y, {308});
    EXPECT_EQ(y.type().type, type == DataType::kInt8 ? DataType::kInt32 : type);
  }
  EXPECT_THROW(OpRun("FullyConnection")
                   .Late("x", Floats({1, 2}, {1, 2}))
                   .In("w", Floats({1, 3}, {1, 2, 3}))
                   .Attr("num_output", std::int64_t{1})
                   .Out("y")
                   .Run(),
               Error);
}

TEST(Deconvolution, IsATransposedConvolutionWithTwoStrides) {
  OpRun run("Deconvolution");
  run.Late("x", Floats({1, 1, 1, 2}, {1, 2})).In("filter", Floats({1, 1, 1, 3}, {1, 10, 100}));
  run.Attr("strides", Ints{1, 2}).Attr("pads", Ints{0, 0, 0, 0});
  const TensorValue y = run.Out("y").Run();
  EXPECT_EQ(y.dims(), (Dims{1, 1, 1, 5}));
  ExpectNear(y, {1, 10, 102, 20, 200});
}

TEST(MaxPoolWithArgmax, HasNoLastWindowInThePaddingIfToldSo) {
  const TensorValue x = Floats({1, 1, 1, 4}, {4, 3, 2, 1}, Format::kNchw);
  const Ints kernel{1, 1, 2, 1}, strides{1, 1, 3, 1}, pads{0, 0, 1, 0};
  EXPECT_EQ(Argmax(x, kernel, strides, pads, {{"ceil_mode", true}})[0].dims(), (Dims{1, 1, 1, 3}));
  const auto inside = Argmax(x, kernel, strides, pads, {{"ceil_mode", true}, {"last_starts_inside", true}});
  ExpectNear(inside[0], {4, 2});
}

std::vector<double> GivenBack(DataType type, Format format, const TensorValue& places) {
  OpRun run("MaxPoolGradWithArgmaxV1");
  const bool last = format == Format::kNhwc;
  run.Late("x", Random(type, {1, 2, 2, 2}, 1, format));
  run.Late("grad", Tensor(type, last ? Dims{1, 1, 2, 2} : Dims{1, 2, 1, 2}, {1, 2, 3, 4}, format));
  run.Late("argmax", places).Attr("ksize", Ints{1, 2, 1, 1}).Attr("strides", Ints{1, 1, 1, 1});
  return Numbers(run.Attr("pads", Ints{0, 0, 0, 0}).Out("y").Run());
}

TEST(MaxPoolGradWithArgmax, AddsUpWhereTheMaximaWere) {
  for (const DataType type : {DataType::kFloat, DataType::kFloat16, DataType::kBfloat16, DataType::kDouble}) {
    const TensorValue planes = Int32s({1, 2, 1, 2}, {3, 3, 0, 1});
    EXPECT_EQ(GivenBack(type, Format::kNchw, planes), (std::vector<double>{0, 0, 0, 3, 3, 4, 0, 0}));
    const TensorValue last = Tensor(DataType::kInt64, {1, 1, 2, 2}, {3, 0, 3, 1});
    EXPECT_EQ(GivenBack(type, Format::kNhwc, last), (std::vector<double>{0, 2, 0, 4, 0, 0, 4, 0}));
  }
}

TEST(MaxPoolGradWithArgmax, RefusesPlacesOutside) {
  EXPECT_THROW(GivenBack(DataType::kFloat, Format::kNchw, Int32s({1, 2, 1, 2}, {3, 4, 0, 1})), Error);
  EXPECT_THROW(GivenBack(DataType::kFloat, Format::kNchw, Int32s({1, 2, 2, 1}, {3, 3, 0, 1})), Error);
  EXPECT_THROW(GivenBack(DataType::kFloat, Format::kNchw, Floats({1, 2, 1, 2}, {3, 3, 0, 1})), Error);
}

}  // namespace
}  // namespace foothold
