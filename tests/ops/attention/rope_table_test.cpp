// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <gmock/gmock.h>

#include "ops/quantized/rounded.h"

namespace foothold {
namespace {

using List = std::vector<double>;
using Sections = std::vector<std::int64_t>;
using testing::HasSubstr;

constexpr std::size_t kTokens = 3, kHead = 16;

struct Case {
  DataType type = DataType::kFloat;
  std::int64_t turned = 12;
  bool neox = true;
  bool three = false;
  std::int64_t mode = 0;
  Sections sections{2, 2, 2};
  List positions{4, 0, 6, 1, 1, 5, 2, 3, 3};

  TensorValue table() const { return Random(type, {7, turned}, 1); }
  TensorValue x(std::int64_t heads) const {
    return Random(type, {3, heads * 16}, static_cast<unsigned>(heads));
  }
};

std::vector<TensorValue> RunOf(const Case& one) {
  OpRun run("RopeWithSinCosCache");
  const List some(one.positions.begin(), one.positions.begin() + (one.three ? 9 : 3));
  run.Late("positions", Tensor(DataType::kInt64, one.three ? Dims{3, 3} : Dims{3}, some));
  run.Late("query", one.x(4)).Late("key", one.x(2)).Late("cos_sin_cache", one.table());
  run.Attr("mrope_section", one.sections).Attr("head_size", std::int64_t{16}).Attr("is_neox_style", one.neox);
  return run.Attr("cache_mode", one.mode).Out("query_out").Out("key_out").RunAll();
}

// Which of the three positions an angle goes by.
std::size_t AxisOf(const Case& one, std::size_t i) {
  if (!one.three) return 0;
  const auto at = [&](std::size_t section) { return static_cast<std::size_t>(one.sections[section]); };
  if (one.mode == 1) return i < 3 * at(1) ? i % 3 : 0;
  return i < at(0) ? 0 : i < at(0) + at(1) ? 1 : 2;
}

List Turned(const Case& one, const TensorValue& x) {
  const List from = Numbers(x), table = Numbers(one.table());
  const auto half = static_cast<std::size_t>(one.turned / 2);
  List y = from;
  for (std::size_t head = 0; head < from.size() / kHead; ++head)
    for (std::size_t i = 0; i < half; ++i) {
      const std::size_t token = head / (from.size() / kHead / kTokens);
      const auto position = static_cast<std::size_t>(one.positions[AxisOf(one, i) * kTokens + token]);
      const double cosine = table[position * 2 * half + i], sine = table[position * 2 * half + half + i];
      const std::size_t a = head * kHead + (one.neox ? i : 2 * i),
                        b = head * kHead + (one.neox ? i + half : 2 * i + 1);
      y[a] = from[a] * cosine - from[b] * sine;
      y[b] = from[b] * cosine + from[a] * sine;
    }
  return y;
}

TEST(RopeWithSinCosCache, TurnsByTheAnglesOfThePositions) {
  for (const DataType type : {DataType::kFloat, DataType::kFloat16, DataType::kBfloat16})
    for (const std::int64_t turned : {12, 16})
      for (const bool neox : {true, false})
        for (const bool three : {false, true})
          for (const std::int64_t mode : {0, 1}) {
            const Sections sections = turned == 12 ? Sections{2, 2, 2} : Sections{4, 2, 2};
            const Case one{type, turned, neox, three, mode, sections};
            const auto found = RunOf(one);
            EXPECT_EQ(found[0].type().type, type);
            ExpectNear(found[0], Turned(one, one.x(4)), type == DataType::kFloat ? 1e-6 : 1.6e-2);
            ExpectNear(found[1], Turned(one, one.x(2)), type == DataType::kFloat ? 1e-6 : 1.6e-2);
          }
}

TEST(RopeWithSinCosCache, RefusesPositionsAndSectionsThatDoNotFit) {
  const auto message = [](const Case& one) { return MessageOf([&] { RunOf(one); }); };
  EXPECT_THAT(message({.positions = {7, 0, 0}}), HasSubstr("position 7"));
  EXPECT_THAT(message({.positions = {-1, 0, 0}}), HasSubstr("position -1"));
  EXPECT_THAT(message({.three = true, .sections = {2, 2, 1}}), HasSubstr("5 angles"));
  EXPECT_THAT(message({.three = true, .mode = 1, .sections = {2, 3, 1}}), HasSubstr("sections of 3 and 1"));
  EXPECT_THAT(message({.turned = 18}), HasSubstr("heads of 16"));
  EXPECT_THAT(message({.mode = 2}), HasSubstr("cache_mode"));
}

}  // namespace
}  // namespace foothold
