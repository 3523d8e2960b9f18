// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <gmock/gmock.h>

#include "ops/quantized/rounded.h"

namespace foothold {
namespace {

using List = std::vector<double>;
using testing::HasSubstr;

constexpr std::int64_t kBlocks = 3, kSize = 4, kHeads = 2, kTokens = 5;

// Element `i` of the row of a token in a cache with pieces as long as `last`.
std::size_t PlaceOf(std::size_t slot, std::size_t i, std::size_t row, std::size_t last) {
  const std::size_t pieces = row / last;
  return ((slot / 4 * pieces + i / last) * 4 + slot % 4) * last + i % last;
}

struct Layout {
  std::string mode;
  std::int64_t last;  // 0: rows in one piece

  Dims CacheDims(std::int64_t width) const {
    if (last == 0) return {kBlocks, kSize, kHeads, width};
    return {kBlocks, kHeads * width / last, kSize, last};
  }
  std::size_t Place(std::size_t slot, std::size_t i, std::size_t row) const {
    return PlaceOf(slot, i, row, last == 0 ? row : static_cast<std::size_t>(last));
  }
};

const Layout kLayouts[] = {{"Norm", 0}, {"PA_NZ", 2}};

List Written(const TensorValue& cache, const TensorValue& tokens, const List& slots, const Layout& layout) {
  List expected = Numbers(cache);
  const List from = Numbers(tokens);
  const std::size_t row = from.size() / slots.size();
  for (std::size_t token = 0; token < slots.size(); ++token)
    for (std::size_t i = 0; i < row; ++i)
      expected[layout.Place(static_cast<std::size_t>(slots[token]), i, row)] = from[token * row + i];
  return expected;
}

TEST(ScatterPaKvCache, WritesTokensToTheirSlots) {
  const List slots{7, 0, 11, 3, 4};
  for (const DataType type : {DataType::kFloat, DataType::kFloat16, DataType::kBfloat16})
    for (const Layout& layout : kLayouts) {
      const TensorValue key = Random(type, {kTokens, kHeads, 6}, 1),
                        value = Random(type, {kTokens, kHeads, 4}, 2);
      const TensorValue keys = Random(type, layout.CacheDims(6), 3),
                        values = Random(type, layout.CacheDims(4), 4);
      const auto found = OpRun("ScatterPaKvCache")
                             .Late("key", key)
                             .Late("key_cache", keys)
                             .Late("slot_mapping", Int32s({kTokens}, slots))
                             .Late("value", value)
                             .Late("value_cache", values)
                             .Attr("cache_mode", layout.mode)
                             .Out("key_cache")
                             .Out("value_cache")
                             .RunAll();
      EXPECT_EQ(Numbers(found[0]), Written(keys, key, slots, layout));
      EXPECT_EQ(Numbers(found[1]), Written(values, value, slots, layout));
    }
}

struct KeyRun {
  TensorValue key = Random(DataType::kFloat, {2, kHeads, 4}, 1);
  TensorValue cache = Random(DataType::kFloat, {kBlocks, kSize, kHeads, 4}, 2);
  List slots{1, 5};

  TensorValue operator()(const Attributes& attributes = {}) const {
    OpRun run("ScatterPaCache");
    run.node().attributes = attributes;
    run.Late("key", key).Late("key_cache", cache);
    run.Late("slot_mapping", Tensor(DataType::kInt64, {static_cast<std::int64_t>(slots.size())}, slots));
    return run.Out("key_cache").Run();
  }
};

TEST(ScatterPaCache, WritesKeysAlone) {
  const KeyRun run;
  EXPECT_EQ(Numbers(run()), Written(run.cache, run.key, run.slots, kLayouts[0]));
  KeyRun bytes;
  bytes.key = Tensor(DataType::kInt8, {1, 1, 2}, {5, -7});
  bytes.cache = Tensor(DataType::kInt8, {1, 2, 1, 2}, {0, 0, 0, 0});
  bytes.slots = {1};
  EXPECT_EQ(Numbers(bytes()), (List{0, 0, 5, -7}));
}

TEST(ScatterPaCache, LeavesOutTokensThatFillUpABatch) {
  KeyRun run;
  run.slots = {-1, 5};
  const List all = Numbers(run.key);
  const TensorValue second = Floats({1, kHeads, 4}, List(all.begin() + 8, all.end()));
  EXPECT_EQ(Numbers(run()), Written(run.cache, second, {5}, kLayouts[0]));
}

TEST(ScatterPaCache, RefusesWhatIsNotThere) {
  KeyRun run;
  EXPECT_THAT(MessageOf([&] { run({{"cache_mode", std::string("other")}}); }), HasSubstr("'other'"));
  EXPECT_THAT(MessageOf([&] { run({{"scatter_mode", std::string("Rope")}}); }), HasSubstr("'Rope'"));
  EXPECT_THAT(MessageOf([&] { run({{"strides", std::vector<std::int64_t>{2, 1}}}); }), HasSubstr("strides"));
  run.slots = {1, 12};
  EXPECT_THAT(MessageOf([&] { run(); }), HasSubstr("token 1 goes to slot 12"));
  run.slots = {-2, 1};
  EXPECT_THAT(MessageOf([&] { run(); }), HasSubstr("slot -2"));
  run.slots = {1};
  EXPECT_THAT(MessageOf([&] { run(); }), HasSubstr("slot_mapping"));
  run.key = Random(DataType::kFloat, {2, kHeads, 5}, 1);
  EXPECT_THAT(MessageOf([&] { run(); }), HasSubstr("no rows like"));
  run.key = Random(DataType::kFloat, {1, 2, kHeads, 4}, 1);
  EXPECT_THAT(MessageOf([&] { run(); }), HasSubstr("compressed"));
}

struct Reading {
  List table{2, 0, 1, 9, 1, 0};  // two sequences; there is no block 9
  List lengths{6, 3}, offsets;
  bool ends = false;
};

std::vector<TensorValue> Gathered(const Reading& one, const Layout& layout, const TensorValue& keys,
                                  const TensorValue& values, const TensorValue& key,
                                  const TensorValue& value) {
  OpRun run("GatherPaKvCache");
  run.Late("key_cache", keys).Late("value_cache", values).Late("block_tables", Int32s({2, 3}, one.table));
  run.Late("seq_lens", Int32s({static_cast<std::int64_t>(one.lengths.size())}, one.lengths));
  run.Late("key", key).Late("value", value);
  one.offsets.empty() ? run.NoInput("seq_offset") : run.Late("seq_offset", Int32s({2}, one.offsets));
  run.Attr("cache_mode", layout.mode).Attr("is_seq_lens_cumsum", one.ends);
  return run.Out("key").Out("value").RunAll();
}

List Read(const Reading& one, const List& lengths, const Layout& layout, const TensorValue& cache,
          const TensorValue& tokens) {
  List expected = Numbers(tokens);
  const List from = Numbers(cache);
  const std::size_t row = expected.size() / 10;
  std::size_t token = 0;
  for (std::size_t sequence = 0; sequence < 2; ++sequence)
    for (std::size_t j = 0; j < static_cast<std::size_t>(lengths[sequence]) && token < 10; ++j, ++token) {
      const std::size_t start = one.offsets.empty() ? 0 : static_cast<std::size_t>(one.offsets[sequence]) / 4;
      const std::size_t place = start + j / 4;
      const double block = place < 3 ? one.table[sequence * 3 + place] : -1;
      for (std::size_t i = 0; i < row; ++i)
        expected[token * row + i] =
            block < 0 || block >= 3 ? 0
                                    : from[layout.Place(static_cast<std::size_t>(block) * 4 + j % 4, i, row)];
    }
  return expected;
}

TEST(GatherPaKvCache, ReadsSequencesBlockByBlock) {
  for (const DataType type : {DataType::kFloat, DataType::kFloat16, DataType::kInt8})
    for (const Layout& layout : kLayouts)
      for (const bool ends : {false, true})
        for (const List& offsets : {List{}, List{4, 8}}) {
          Reading one;
          const List lengths = one.lengths;
          if (ends) one.lengths = {0, 6, 9}, one.ends = true;
          one.offsets = offsets;
          const TensorValue keys = Random(type, layout.CacheDims(6), 1),
                            values = Random(type, layout.CacheDims(4), 2);
          const TensorValue key = Random(type, {10, kHeads, 6}, 3), value = Random(type, {10, kHeads, 4}, 4);
          const auto found = Gathered(one, layout, keys, values, key, value);
          EXPECT_EQ(Numbers(found[0]), Read(one, lengths, layout, keys, key));
          EXPECT_EQ(Numbers(found[1]), Read(one, lengths, layout, values, value));
        }
}

TEST(GatherPaKvCache, RefusesLengthsThatDoNotGoWithTheTable) {
  const TensorValue cache = Random(DataType::kFloat, {kBlocks, kSize, kHeads, 4}, 1);
  const TensorValue tokens = Random(DataType::kFloat, {10, kHeads, 4}, 1);
  Reading one;
  one.lengths = {1, 2, 3};
  EXPECT_THAT(MessageOf([&] { Gathered(one, kLayouts[0], cache, cache, tokens, tokens); }),
              HasSubstr("seq_lens"));
}

}  // namespace
}  // namespace foothold
