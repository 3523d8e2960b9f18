// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <gmock/gmock.h>

#include "ops/quantized/rounded.h"

namespace foothold {
namespace {

using List = std::vector<double>;
using testing::HasSubstr;

constexpr std::size_t kNorm = 64, kTurned = 32, kBatch = 2, kLength = 3, kSize = 2;

struct Case {
  std::string mode = "Norm";
  DataType type = DataType::kFloat;
  bool quantised = false;
  List index{4, 0, 2, 1, 3, 5};

  TensorValue kv = Random(DataType::kFloat, {2, 1, 3, 96}, 1), gamma = Random(DataType::kFloat, {64}, 2);
  TensorValue cosine = Random(DataType::kFloat, {2, 1, 3, 32}, 3),
              sine = Random(DataType::kFloat, {2, 1, 3, 32}, 4);
  TensorValue turned_scale = Random(DataType::kFloat, {32}, 5),
              norm_scale = Random(DataType::kFloat, {64}, 6);

  Dims CacheDims(std::int64_t width) const {
    return mode == "Norm" ? Dims{2, 1, 6, width} : Dims{5, 2, 1, width};
  }
  TensorValue Cache(std::int64_t width) const {
    const Dims dims = CacheDims(width);
    if (!quantised) return Random(type, dims, 7);
    return Tensor(DataType::kInt8, dims, List(static_cast<std::size_t>(ElementCount(dims)), 3));
  }
  std::size_t Slot(std::size_t row) const {
    if (mode == "Norm") return row / kLength * 6 + static_cast<std::size_t>(index[row]);
    if (!mode.starts_with("PA_BLK")) return static_cast<std::size_t>(index[row]);
    const std::size_t token = row % kLength;
    return static_cast<std::size_t>(index[row / kLength * 2 + token / kSize]) + token % kSize;
  }
  std::size_t Place(std::size_t row, std::size_t i, std::size_t width) const {
    const std::size_t slot = Slot(row), size = mode == "Norm" ? 6 : kSize;
    const std::size_t piece = !mode.ends_with("NZ") ? width : quantised ? 32 : 16;
    return ((slot / size * (width / piece) + i / piece) * size + slot % size) * piece + i % piece;
  }
};

Case With(std::string mode, DataType type, bool quantised, List index) {
  Case one;
  one.mode = std::move(mode), one.type = type, one.quantised = quantised, one.index = std::move(index);
  one.kv = Random(type, {2, 1, 3, 96}, 1), one.gamma = Random(type, {64}, 2);
  one.cosine = Random(type, {2, 1, 3, 32}, 3), one.sine = Random(type, {2, 1, 3, 32}, 4);
  for (TensorValue* scale : {&one.turned_scale, &one.norm_scale})
    for (std::size_t i = 0; i < static_cast<std::size_t>(ElementCount(scale->dims())); ++i)
      scale->MutableAs<float>()[i] *= 100;
  return one;
}

std::vector<TensorValue> RunOf(const Case& one) {
  OpRun run("KvRmsNormRopeCache");
  run.Late("kv", one.kv).In("gamma", one.gamma).Late("cos", one.cosine).Late("sin", one.sine);
  run.Late("index", Tensor(DataType::kInt64, {static_cast<std::int64_t>(one.index.size())}, one.index));
  run.Late("k_cache", one.Cache(32)).Late("ckv_cache", one.Cache(64));
  one.quantised ? run.In("k_rope_scale", one.turned_scale) : run.NoInput("k_rope_scale");
  one.quantised ? run.In("c_kv_scale", one.norm_scale) : run.NoInput("c_kv_scale");
  run.Attr("cache_mode", one.mode).Attr("is_output_kv", true);
  return run.Out("k_cache").Out("ckv_cache").Out("k_rope").Out("c_kv").RunAll();
}

List Normalized(const Case& one) {
  const List kv = Numbers(one.kv), gamma = Numbers(one.gamma);
  List y;
  for (std::size_t row = 0; row < kBatch * kLength; ++row) {
    double squares = 0;
    for (std::size_t i = 0; i < kNorm; ++i)
      squares += kv[row * 96 + i] * kv[row * 96 + i];
    for (std::size_t i = 0; i < kNorm; ++i)
      y.push_back(kv[row * 96 + i] / std::sqrt(squares / kNorm + 1e-5) * gamma[i]);
  }
  return y;
}

List Turned(const Case& one) {
  const List kv = Numbers(one.kv), cosine = Numbers(one.cosine), sine = Numbers(one.sine);
  List y(kBatch * kLength * kTurned);
  for (std::size_t row = 0; row < kBatch * kLength; ++row)
    for (std::size_t i = 0; i < kTurned / 2; ++i) {
      const double a = kv[row * 96 + kNorm + 2 * i], b = kv[row * 96 + kNorm + 2 * i + 1];
      const std::size_t at = row * kTurned + i;
      y[at] = a * cosine[at] - b * sine[at];
      y[at + 16] = b * cosine[at + 16] + a * sine[at + 16];
    }
  return y;
}

List Cached(const Case& one, const List& rows, std::size_t width, const TensorValue& scale) {
  List expected = Numbers(one.Cache(static_cast<std::int64_t>(width)));
  const List factors = Numbers(scale);
  for (std::size_t row = 0; row < kBatch * kLength; ++row)
    for (std::size_t i = 0; i < width; ++i)
      expected[one.Place(row, i, width)] = rows[row * width + i] * (one.quantised ? factors[i] : 1);
  return expected;
}

void ExpectCached(const Case& one) {
  const auto found = RunOf(one);
  const double tolerance = one.type == DataType::kFloat ? 1e-5 : 1.6e-2;
  const List turned = Cached(one, Turned(one), kTurned, one.turned_scale);
  const List norm = Cached(one, Normalized(one), kNorm, one.norm_scale);
  if (one.quantised) {
    ExpectRounded(found[0], turned);
    ExpectRounded(found[1], norm);
  } else {
    ExpectNear(found[0], turned, tolerance);
    ExpectNear(found[1], norm, tolerance);
  }
  ExpectNear(found[2], Turned(one), tolerance);
  ExpectNear(found[3], Normalized(one), tolerance);
}

TEST(KvRmsNormRopeCache, WritesCachesOfEveryLayout) {
  for (const DataType type : {DataType::kFloat, DataType::kFloat16, DataType::kBfloat16})
    for (const bool quantised : {false, true}) {
      ExpectCached(With("Norm", type, quantised, {4, 0, 2, 1, 3, 5}));
      for (const char* mode : {"PA", "PA_BNSD", "PA_NZ"})
        ExpectCached(With(mode, type, quantised, {9, 0, 2, 7, 3, 5}));
      for (const char* mode : {"PA_BLK_BNSD", "PA_BLK_NZ"})
        ExpectCached(With(mode, type, quantised, {6, 0, 2, 8}));
    }
}

TEST(KvRmsNormRopeCache, WritesNothingForPlacesThatFillUp) {
  for (const char* mode : {"Norm", "PA", "PA_BLK_NZ"}) {
    const Case one = With(mode, DataType::kFloat, false, List(std::string(mode) == "PA_BLK_NZ" ? 4 : 6, -1));
    const auto found = RunOf(one);
    EXPECT_EQ(Numbers(found[0]), Numbers(one.Cache(32)));
    EXPECT_EQ(Numbers(found[1]), Numbers(one.Cache(64)));
    ExpectNear(found[3], Normalized(one), 1e-5);
  }
}

TEST(KvRmsNormRopeCache, RefusesWhatDoesNotFit) {
  const auto run = [](std::string mode, List index) {
    return MessageOf([&] { RunOf(With(std::move(mode), DataType::kFloat, false, std::move(index))); });
  };
  EXPECT_THAT(run("PA_ODD", {0, 1, 2, 3, 4, 5}), HasSubstr("'PA_ODD'"));
  EXPECT_THAT(run("PA", {0, 1, 2, 3, 4, 10}), HasSubstr("slot 10 of 10"));
  EXPECT_THAT(run("PA", {0, 1, 2, 3, 4, -2}), HasSubstr("slot -2"));
  EXPECT_THAT(run("PA", {0, 1}), HasSubstr("'index'"));
  Case one = With("PA", DataType::kFloat, false, {0, 1, 2, 3, 4, 5});
  one.gamma = Random(DataType::kFloat, {63}, 1);
  EXPECT_THAT(MessageOf([&] { RunOf(one); }), HasSubstr("'gamma'"));
}

}  // namespace
}  // namespace foothold
