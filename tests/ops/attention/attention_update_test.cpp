// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <gmock/gmock.h>

#include "ops/quantized/rounded.h"

namespace foothold {
namespace {

using List = std::vector<double>;
using testing::HasSubstr;

std::vector<TensorValue> RunOf(const std::vector<TensorValue>& sums, const std::vector<TensorValue>& parts,
                               std::int64_t type = 1) {
  OpRun run("AttentionUpdate");
  for (std::size_t i = 0; i < sums.size(); ++i)
    run.Late("lse" + std::to_string(i), sums[i]);
  for (std::size_t i = 0; i < parts.size(); ++i)
    run.Late("go" + std::to_string(i), parts[i]);
  run.Attr("update_type", type).Attr("sp", static_cast<std::int64_t>(parts.size()));
  return run.Out("output").Out("lse_m").RunAll();
}

TEST(AttentionUpdate, WeighsPartsByTheirSums) {
  for (const DataType type : {DataType::kFloat, DataType::kFloat16, DataType::kBfloat16})
    for (const unsigned count : {1u, 3u, 40u}) {
      std::vector<TensorValue> sums, parts;
      for (unsigned i = 0; i < count; ++i) {
        sums.push_back(Random(DataType::kFloat, {5}, i + 1));
        parts.push_back(Random(type, {5, 8}, i + 100));
      }
      List out(40), whole(5);
      for (std::size_t row = 0; row < 5; ++row) {
        for (const TensorValue& sum : sums)
          whole[row] += std::exp(Numbers(sum)[row]);
        for (std::size_t i = 0; i < 40; ++i)
          for (std::size_t part = 0; i / 8 == row && part < count; ++part)
            out[i] += Numbers(parts[part])[i] * std::exp(Numbers(sums[part])[row]) / whole[row];
        whole[row] = std::log(whole[row]);
      }
      const auto found = RunOf(sums, parts);
      EXPECT_EQ(found[0].type().type, type);
      ExpectNear(found[0], out, type == DataType::kFloat ? 1e-5 : 8e-3);
      ExpectNear(found[1], whole, 1e-5);
    }
}

TEST(AttentionUpdate, LeavesOutPartsWithoutKeysAndStaysFinite) {
  const auto found = RunOf({Floats({2}, {-HUGE_VAL, 500}), Floats({2}, {1, 500})},
                           {Floats({2, 1}, {7, 1}), Floats({2, 1}, {3, 3})});
  ExpectNear(found[0], {3, 2});
  ExpectNear(found[1], {1, 500 + std::log(2.0)}, 1e-5);
}

TEST(AttentionUpdate, RefusesPartsThatDiffer) {
  const TensorValue sum = Floats({2}, {1, 2}), part = Floats({2, 1}, {1, 2});
  EXPECT_THAT(MessageOf([&] {
                RunOf({sum, sum}, {part, Floats({2, 2}, {1, 2, 3, 4})});
              }),
              HasSubstr("part 1"));
  EXPECT_THAT(MessageOf([&] { RunOf({sum}, {part, part}); }), HasSubstr("1 sums and 2 parts"));
  EXPECT_THAT(MessageOf([&] { RunOf({Floats({1}, {1})}, {part}); }), HasSubstr("sum 0"));
  EXPECT_THAT(MessageOf([&] { RunOf({sum}, {part}, 2); }), HasSubstr("update_type"));
}

}  // namespace
}  // namespace foothold
