// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Keys and values of tokens into slots of a cache, and out of it: ScatterPaKvCache writes token i to
// slot_mapping[i], or nowhere if that is -1, ScatterPaCache does that with keys alone; GatherPaKvCache reads
// sequences whose blocks a table names, one after the other, and gives zeros for blocks that are none.
#include <algorithm>
#include <cstring>
#include <optional>

#include "base/error.h"
#include "ops/attention/paged_cache.h"
#include "ops/data/index_reader.h"
#include "ops/data/rule_arguments.h"
#include "ops/input_checks.h"
#include "ops/type_lists.h"

namespace foothold {
namespace {

// A cache and the tensor of tokens that goes with it.
struct Pair {
  int cache, tokens;  // inputs
  int output;         // what is written, which is one of the two
  PagedCache layout;
  std::size_t size;   // bytes of an element
  std::size_t bytes;  // of the output
};

Pair PairOf(const OpContext& context, const char* cache, const char* tokens, const char* output) {
  const int port = context.node().OutputIndex(output);
  return {context.Port(cache),
          context.Port(tokens),
          port,
          PagedCacheOf(context, cache, tokens),
          ElementBytes(context, context.In(cache).type),
          ByteSize(context.In(output))};
}

// The output is the input of its name, or a copy of it.
std::byte* Updated(const RunArgs& args, int input, const Pair& pair) {
  std::byte* to = args.outputs[pair.output];
  if (pair.bytes > 0 && to != args.inputs[input]) std::memcpy(to, args.inputs[input], pair.bytes);
  return to;
}

class ScatterKernel : public Kernel {
 public:
  ScatterKernel(const OpContext& context, std::vector<Pair> pairs)
      : slots_(context, context.Port("slot_mapping")),
        count_(static_cast<std::size_t>(ElementCount(context.In("slot_mapping").dims))),
        pairs_(std::move(pairs)),
        name_(context.node().Description()) {}

  void Run(const RunArgs& args) const override {
    for (const Pair& pair : pairs_) {
      std::byte* to = Updated(args, pair.cache, pair);
      for (std::size_t token = 0; token < count_; ++token)
        if (const std::optional<std::size_t> slot = Slot(args, token, pair))
          Write(args.inputs[pair.tokens] + token * pair.layout.row() * pair.size, pair, *slot, to);
    }
  }

 private:
  // Nothing for -1, which fills up batches that are not full.
  std::optional<std::size_t> Slot(const RunArgs& args, std::size_t token, const Pair& pair) const {
    const std::int64_t slot = slots_.Raw(args, token);
    if (slot == -1) return std::nullopt;
    if (slot < 0 || static_cast<std::size_t>(slot) >= pair.layout.slots())
      Fail(kInvalidParam, "{}: token {} goes to slot {} of a cache that has {}", name_, token, slot,
           pair.layout.slots());
    return static_cast<std::size_t>(slot);
  }

  static void Write(const std::byte* row, const Pair& pair, std::size_t slot, std::byte* cache) {
    const std::size_t bytes = pair.layout.piece * pair.size;
    for (std::size_t i = 0; i < pair.layout.pieces && bytes > 0; ++i)
      std::memcpy(cache + pair.layout.Offset(slot, i) * pair.size, row + i * bytes, bytes);
  }

  IndexReader slots_;
  std::size_t count_;
  std::vector<Pair> pairs_;
  std::string name_;
};

void CheckScatter(const OpContext& context) {
  CheckAbsent(context, {"compress_lens", "compress_seq_offset", "seq_lens"},
              "compressed tokens are not published well enough");
  if (const std::string mode = context.node().Text("scatter_mode", "None"); mode != "None" && !mode.empty())
    context.Unsupported("no kernel for scatter_mode '{}'; None would run", mode);
  if (context.node().Ints("strides", {1, 1}) != std::vector<std::int64_t>{1, 1} ||
      context.node().Ints("offsets", {0, 0}) != std::vector<std::int64_t>{0, 0})
    context.Unsupported("no kernel for 'strides' and 'offsets' other than [1, 1] and [0, 0]");
  CheckCount(context, "slot_mapping", static_cast<std::size_t>(context.In("key").dims.at(0)), "token");
}

std::vector<Pair> ScatterPairs(const OpContext& context) {
  std::vector<Pair> pairs{PairOf(context, "key_cache", "key", "key_cache")};
  if (context.node().InputIndex("value_cache") < 0) return pairs;
  pairs.push_back(PairOf(context, "value_cache", "value", "value_cache"));
  if (context.In("value").dims[0] != context.In("key").dims[0])
    context.Refuse("'key' is {} and 'value' is {}; they must have as many tokens",
                   ToString(context.In("key")), ToString(context.In("value")));
  return pairs;
}

OpDef Scatter(const char* type) {
  return OpDef(type)
      .Infer([](OpContext& context) {
        const std::vector<Pair> pairs = ScatterPairs(context);
        CheckScatter(context);
        for (const Pair& pair : pairs)
          context.SetOut(pair.output, context.In(pair.cache));
      })
      .Lower(
          [](OpContext& context) { return std::make_unique<ScatterKernel>(context, ScatterPairs(context)); })
      .Stateful()
      .Types(WholeByteTypes());
}

class GatherKernel : public Kernel {
 public:
  explicit GatherKernel(const OpContext& context)
      : pairs_{PairOf(context, "key_cache", "key", "key"), PairOf(context, "value_cache", "value", "value")},
        table_(context, context.Port("block_tables")),
        lengths_(context, context.Port("seq_lens")),
        ends_(context.node().Bool("is_seq_lens_cumsum", false)),
        batch_(static_cast<std::size_t>(context.In("block_tables").dims[0])),
        width_(static_cast<std::size_t>(context.In("block_tables").dims[1])),
        tokens_(static_cast<std::size_t>(context.In("key").dims[0])) {
    if (const int port = OptionalPort(context, "seq_offset"); port >= 0) starts_.emplace_back(context, port);
  }

  void Run(const RunArgs& args) const override {
    for (const Pair& pair : pairs_) {
      std::byte* to = Updated(args, pair.tokens, pair);
      const std::size_t bytes = pair.layout.row() * pair.size;
      std::size_t token = 0;
      for (std::size_t sequence = 0; sequence < batch_; ++sequence) {
        const std::int64_t length = Length(args, sequence);
        for (std::int64_t i = 0; i < length && token < tokens_; ++i, ++token)
          Read(args, pair, sequence, static_cast<std::size_t>(i), to + token * bytes);
      }
    }
  }

 private:
  std::int64_t Length(const RunArgs& args, std::size_t sequence) const {
    return ends_ ? lengths_.Raw(args, sequence + 1) - lengths_.Raw(args, sequence)
                 : lengths_.Raw(args, sequence);
  }

  // -1: the table has no such block.
  std::int64_t Block(const RunArgs& args, const PagedCache& cache, std::size_t sequence,
                     std::size_t i) const {
    const auto size = static_cast<std::int64_t>(cache.block_size);
    if (size == 0) return -1;
    const std::int64_t start = starts_.empty() ? 0 : starts_[0].Raw(args, sequence) / size;
    const std::int64_t place = start + static_cast<std::int64_t>(i) / size;
    if (place < 0 || place >= static_cast<std::int64_t>(width_)) return -1;
    const std::int64_t block = table_.Raw(args, sequence * width_ + static_cast<std::size_t>(place));
    return block < static_cast<std::int64_t>(cache.blocks) ? block : -1;
  }

  void Read(const RunArgs& args, const Pair& pair, std::size_t sequence, std::size_t i, std::byte* to) const {
    const PagedCache& cache = pair.layout;
    const std::int64_t block = Block(args, cache, sequence, i);
    const std::size_t bytes = cache.piece * pair.size;
    if (bytes == 0) return;
    if (block < 0) {
      std::memset(to, 0, cache.pieces * bytes);
      return;
    }
    const std::size_t slot = static_cast<std::size_t>(block) * cache.block_size + i % cache.block_size;
    for (std::size_t which = 0; which < cache.pieces; ++which)
      std::memcpy(to + which * bytes, args.inputs[pair.cache] + cache.Offset(slot, which) * pair.size, bytes);
  }

  Pair pairs_[2];
  IndexReader table_, lengths_;
  std::vector<IndexReader> starts_;  // one, if there are any
  bool ends_;                        // of sequences, with a 0 before them
  std::size_t batch_, width_, tokens_;
};

void InferGather(OpContext& context) {
  PagedCacheOf(context, "key_cache", "key");
  PagedCacheOf(context, "value_cache", "value");
  const Dims& table = context.In("block_tables").dims;
  if (table.size() != 2)
    context.Refuse("'block_tables' is {}, expected a row for each sequence", ToString(table));
  const auto batch = static_cast<std::size_t>(table[0]);
  const bool ends = context.node().Bool("is_seq_lens_cumsum", false);
  CheckCount(context, "seq_lens", batch + (ends ? 1 : 0), ends ? "sequence after a 0" : "sequence");
  CheckCount(context, "seq_offset", batch, "sequence");
  if (context.In("key").dims[0] != context.In("value").dims[0])
    context.Refuse("'key' is {} and 'value' is {}; they must have as many tokens",
                   ToString(context.In("key")), ToString(context.In("value")));
  context.SetOut(0, context.In("key"));
  context.SetOut(1, context.In("value"));
}

const RegisterOp paged_cache_copies({
    Scatter("ScatterPaKvCache"),
    Scatter("ScatterPaCache"),
    OpDef("GatherPaKvCache")
        .Infer(InferGather)
        .Lower([](OpContext& context) { return std::make_unique<GatherKernel>(context); })
        .Stateful()
        .Types(WholeByteTypes()),
});

}  // namespace
}  // namespace foothold
