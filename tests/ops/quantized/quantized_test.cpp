// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "base/error.h"
#include "ops/op_run.h"

namespace foothold {
namespace {

using List = std::vector<double>;

TEST(AscendQuantV2, RoundsAsItIsTold) {
  const auto run = [](const char* mode, bool root) {
    return Numbers(OpRun("AscendQuantV2")
                       .In("x", Floats({2, 2}, {1.25, -1.25, 300, 0.5}))
                       .In("scale", Floats({2}, {2, 1}))
                       .In("offset", Floats({1}, {0.25}))
                       .Attr("round_mode", std::string(mode))
                       .Attr("sqrt_mode", root)
                       .Out("y")
                       .Run());
  };
  EXPECT_EQ(run("round", false), (List{3, -1, 127, 1}));
  EXPECT_EQ(run("floor", false), (List{2, -1, 127, 0}));
  EXPECT_EQ(run("ceil", false), (List{3, -1, 127, 1}));
  EXPECT_EQ(run("trunc", false), (List{2, -1, 127, 0}));
  EXPECT_EQ(run("round", true), (List{5, -1, 127, 1}));
  EXPECT_THROW(run("sideways", false), Error);
}

TEST(AscendQuantV2, TakesAnyAxis) {
  const TensorValue y = OpRun("AscendQuantV2")
                            .In("x", Tensor(DataType::kFloat16, {2, 2}, {1, 2, 3, 4}))
                            .In("scale", Tensor(DataType::kFloat16, {2}, {1, 10}))
                            .NoInput("offset")
                            .Attr("axis", std::int64_t{0})
                            .Out("y")
                            .Run();
  EXPECT_EQ(y.type().type, DataType::kInt8);
  EXPECT_EQ(Numbers(y), (List{1, 2, 30, 40}));
}

TEST(Quantize, DividesRoundsAndSaturates) {
  const auto run = [](const char* type, DataType zero, double point) {
    return Numbers(OpRun("Quantize")
                       .In("x", Floats({1, 2, 3}, {0, 2, 3, 1000, -254, -1000}))
                       .In("scales", Floats({2}, {2, 4}))
                       .In("zero_points", Tensor(zero, {2}, {point, point}))
                       .Attr("dtype", std::string(type))
                       .Out("y")
                       .Run());
  };
  EXPECT_EQ(run("torch.quint8", DataType::kUint8, 128), (List{128, 129, 130, 255, 64, 0}));
  EXPECT_EQ(run("torch.qint8", DataType::kInt8, 1), (List{1, 2, 3, 127, -63, -128}));
  EXPECT_EQ(run("int32", DataType::kInt32, 5), (List{5, 6, 7, 255, -59, -245}));
  EXPECT_THROW(run("float", DataType::kInt8, 0), Error);
}

TEST(AscendAntiQuant, AddsTheOffsetBeforeItScales) {
  for (const bool root : {false, true}) {
    const TensorValue x = Tensor(DataType::kInt8, {2, 2}, {1, -2, 100, -128});
    const double factor = root ? 0.25 : 0.5;
    const List expected{4 * factor, 1 * factor, 103 * factor, -125 * factor};
    const TensorValue y = OpRun("AscendAntiQuant")
                              .In("x", x)
                              .Attr("scale", 0.5f)
                              .Attr("offset", 3.0f)
                              .Attr("sqrt_mode", root)
                              .Out("y")
                              .Run();
    EXPECT_EQ(y.type().type, DataType::kFloat);
    EXPECT_EQ(Numbers(y), expected);
    const TensorValue half = OpRun("AscendAntiQuantV2")
                                 .In("x", x)
                                 .In("scale", Floats({2}, {0.5, 0.5}))
                                 .In("offset", Floats({1}, {3}))
                                 .Attr("sqrt_mode", root)
                                 .Out("y")
                                 .Run();
    EXPECT_EQ(half.type().type, DataType::kFloat16);
    EXPECT_EQ(Numbers(half), expected);
  }
}

TEST(AscendRequant, ReadsTheFloatInTheScale) {
  const auto bits = [](float value) { return double{std::bit_cast<std::uint32_t>(value) * 1.0}; };
  const auto run = [&](bool relu) {
    return Numbers(OpRun("AscendRequant")
                       .In("x", Tensor(DataType::kInt32, {1, 2, 1, 2}, {10, 15, -8, 5000}, Format::kNchw))
                       .In("req_scale", Tensor(DataType::kUint64, {2}, {bits(0.5f), bits(0.25f)}))
                       .Attr("relu_flag", relu)
                       .Out("y")
                       .Run());
  };
  EXPECT_EQ(run(false), (List{5, 8, -2, 127}));
  EXPECT_EQ(run(true), (List{5, 8, 0, 127}));
}

TEST(Dequantize, HasThreeModes) {
  const auto run = [](const char* mode, DataType type, const List& x, double low, double high) {
    return OpRun("Dequantize")
        .In("x", Tensor(type, {static_cast<std::int64_t>(x.size())}, x))
        .Late("min_range", Floats({}, {low}))
        .Late("max_range", Floats({}, {high}))
        .Attr("mode", std::string(mode))
        .Out("y")
        .Run();
  };
  ExpectNear(run("MIN_COMBINED", DataType::kUint8, {0, 51, 255}, -1, 4), {-1, 0, 4}, 1e-6);
  ExpectNear(run("MIN_COMBINED", DataType::kInt8, {-128, 127}, 0, 5.1), {0, 5.1}, 1e-6);
  ExpectNear(run("MIN_FIRST", DataType::kUint8, {0, 255}, -0.995, 4.105), {-1, 4.1}, 1e-5);
  ExpectNear(run("SCALED", DataType::kInt8, {-128, 0, 127}, -6.4, 10), {-10.0 * 128 / 127, 0, 10}, 1e-5);
  ExpectNear(run("SCALED", DataType::kUint8, {255, 1}, 0, 255), {255, 1}, 1e-5);
  EXPECT_THROW(run("OTHER", DataType::kUint8, {0}, 0, 1), Error);
}

TEST(DynamicQuant, ScalesEachRowByItself) {
  for (const DataType type : {DataType::kFloat, DataType::kFloat16}) {
    const auto found = OpRun("DynamicQuant")
                           .In("x", Tensor(type, {2, 2, 2}, {127, -63, 1, 2, 0, 0, -254, 100}))
                           .Out("y")
                           .Out("scale")
                           .RunAll();
    EXPECT_EQ(Numbers(found[0]), (List{127, -63, 64, 127, 0, 0, -127, 50}));
    EXPECT_EQ(found[1].dims(), (Dims{2, 2}));
    ExpectNear(found[1], {1, 2.0 / 127, 0, 2}, 1e-3);
  }
}

TEST(DynamicQuant, SmoothsGroupsOfRows) {
  const auto run = [](const List& ends) {
    return OpRun("DynamicQuant")
        .In("x", Floats({3, 2}, {1, 2, 1, 2, 1, 2}))
        .In("smooth_scales", Floats({2, 2}, {1, 1, 127, 0}))
        .Late("group_index", Int32s({2}, ends))
        .Out("y")
        .Out("scale")
        .RunAll();
  };
  const auto found = run({1, 3});
  EXPECT_EQ(Numbers(found[0]), (List{64, 127, 127, 0, 127, 0}));
  ExpectNear(found[1], {2.0 / 127, 1, 1}, 1e-6);
  EXPECT_THROW(run({1, 2}), Error);
}

TEST(DynamicQuant, CanHaveOneScaleForAllRows) {
  const auto run = [](const char* type, const char* mode, bool smooth) {
    OpRun run(type);
    run.In("x", Floats({2, 2}, {127, -63, 1, 254}));
    if (smooth) run.In("smooth_scales", Floats({2}, {1, 0.5}));
    run.Attr("quant_mode", std::string(mode)).Out("y").Out("scale");
    if (std::string(type) == "DynamicQuantV2") run.Out("offset");
    return run.RunAll();
  };
  const auto plain = run("DynamicQuant", "pertensor", false);
  EXPECT_EQ(plain[1].dims(), (Dims{1}));
  EXPECT_EQ(Numbers(plain[0]), (List{64, -32, 0, 127}));  // 63.5, -31.5 and 0.5 go to the even neighbour
  ExpectNear(plain[1], {2});
  EXPECT_EQ(Numbers(run("DynamicQuant", "pertensor", true)[0]), (List{127, -32, 1, 127}));
  const auto shifted = run("DynamicQuantV2", "pertensor", false);
  const double scale = 317.0 / 255;
  ExpectNear(shifted[1], {scale});
  ExpectNear(shifted[2], {127 - 254 / scale}, 1e-5);
  EXPECT_EQ(Numbers(shifted[0]), (List{25, -128, -77, 127}));
  EXPECT_THROW(run("DynamicQuant", "perchannel", false), Error);
}

TEST(AscendQuantV2, TakesScalesAndOffsetsAlongTheLastAxesOfAnyShape) {
  const TensorValue x = Floats({2, 2, 3}, {1, 2, 3, 4, 5, 6, -1, -2, -3, -4, -5, -6});
  const auto run = [&](std::int64_t axis, const TensorValue& scale, const TensorValue& offset) {
    return Numbers(OpRun("AscendQuantV2")
                       .In("x", x)
                       .In("scale", scale)
                       .In("offset", offset)
                       .Attr("axis", axis)
                       .Out("y")
                       .Run());
  };
  EXPECT_EQ(run(-1, Floats({1, 1, 3}, {1, 2, 3}), Floats({3}, {0, 1, 2})),
            (List{1, 5, 11, 4, 11, 20, -1, -3, -7, -4, -9, -16}));
  EXPECT_EQ(run(-2, Floats({2, 1}, {1, 10}), Floats({1}, {1})),
            (List{2, 3, 4, 41, 51, 61, 0, -1, -2, -39, -49, -59}));
  EXPECT_THROW(run(-2, Floats({3}, {1, 2, 3}), Floats({1}, {0})), Error);
  EXPECT_THROW(run(3, Floats({3}, {1, 2, 3}), Floats({1}, {0})), Error);
}

TEST(DynamicQuantV2, HasAnOffset) {
  const auto found = OpRun("DynamicQuantV2")
                         .In("x", Floats({1, 3}, {-1, 0, 4.1}))
                         .Out("y")
                         .Out("scale")
                         .Out("offset")
                         .RunAll();
  const double scale = 5.1 / 255;
  ExpectNear(found[1], {scale}, 1e-6);
  ExpectNear(found[2], {127 - 4.1 / scale}, 1e-4);
  EXPECT_EQ(Numbers(found[0]), (List{-128, -78, 127}));
}

}  // namespace
}  // namespace foothold
