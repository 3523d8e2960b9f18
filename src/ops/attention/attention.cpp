// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// FlashAttentionScore, PromptFlashAttention, IncreFlashAttention and FusedInferAttentionScore, without
// quantisation, paged keys and dropout.
#include <algorithm>
#include <cmath>
#include <initializer_list>

#include "base/error.h"
#include "kernels/parallel_items.h"
#include "ops/attention/attention_rules.h"
#include "ops/through_float.h"

namespace foothold {
namespace {

// Outputs; -1: not there.
struct Results {
  int out = 0;
  int most = -1, sum = -1;
  int log_sum = -1;
};
constexpr std::size_t kRepeats = 8;  // of each maximum and sum

// Lengths of sequences, or where they end in a packed tensor, as they arrive with a run.
class SequenceLengths {
 public:
  SequenceLengths(const OpContext& context, int port, std::size_t most)
      : port_(port),
        count_(port < 0 ? 0 : static_cast<std::size_t>(ElementCount(context.InDims(port)))),
        most_(most) {}

  std::size_t At(const RunArgs& args, std::size_t batch) const {
    if (port_ < 0 || count_ == 0) return most_;
    return static_cast<std::size_t>(args.In<std::int64_t>(port_)[count_ == 1 ? 0 : batch]);
  }
  // `rising`: each is at least the one before.
  void Check(const RunArgs& args, bool rising, const std::string& name) const {
    std::int64_t last = 0;
    for (std::size_t i = 0; i < count_; ++i) {
      const std::int64_t length = args.In<std::int64_t>(port_)[i];
      if (length < (rising ? last : 0) || length > static_cast<std::int64_t>(most_))
        Fail(kInvalidParam, "{}: length {} of a sequence is {}; there is room for {}", name, i, length,
             most_);
      last = length;
    }
  }

 private:
  int port_;
  std::size_t count_, most_;
};

class AttentionKernel : public Kernel {
 public:
  AttentionKernel(const OpContext& context, Attention attention, Results results)
      : attention_(std::move(attention)),
        results_(results),
        name_(context.node().Description()),
        query_(context.Port("query")),
        query_lengths_(context, attention_.query_lengths, attention_.shape.rows),
        kv_lengths_(context, attention_.kv_lengths, attention_.shape.columns) {
    const AttentionShape& s = attention_.shape;
    rows_ = attention_.packed ? s.rows : s.batch * s.rows;
    const double work = double(rows_) * double(s.heads) * double(s.columns) * double(s.depth + s.value_depth);
    slots_ = SlotsFor(rows_ * s.heads, work);
  }

  std::size_t WorkspaceBytes() const override { return slots_ * Scratch() * sizeof(float); }

  void Run(const RunArgs& args) const override {
    query_lengths_.Check(args, attention_.packed, name_);
    kv_lengths_.Check(args, attention_.packed, name_);
    auto* scratch = reinterpret_cast<float*>(args.workspace);
    const std::size_t heads = attention_.shape.heads;
    ForEachItem(rows_ * heads, slots_, [&](std::size_t slot, std::size_t item) {
      RunRow(args, PlaceOf(args, item / heads), item % heads, scratch + slot * Scratch());
    });
  }

 private:
  // A row of queries: where it is, and which keys belong to its sequence.
  struct Place {
    std::size_t batch, row;     // in the tensor
    std::size_t own_row, rows;  // in its sequence
    std::size_t first_key, keys;
  };

  std::size_t Scratch() const { return (attention_.shape.columns + 15) / 16 * 16; }

  Place PlaceOf(const RunArgs& args, std::size_t row) const {
    const AttentionShape& s = attention_.shape;
    if (!attention_.packed) {
      const std::size_t batch = row / s.rows, own = row % s.rows;
      return {batch, own, own, query_lengths_.At(args, batch), 0, kv_lengths_.At(args, batch)};
    }
    std::size_t begin = 0, first_key = 0;
    for (std::size_t i = 0; i < s.batch; ++i) {
      const std::size_t end = query_lengths_.At(args, i), last_key = kv_lengths_.At(args, i);
      if (row < end) return {0, row, row - begin, end - begin, first_key, last_key - first_key};
      begin = end;
      first_key = last_key;
    }
    return {0, row, 0, 0, 0, 0};  // after the last sequence
  }

  void RunRow(const RunArgs& args, const Place& place, std::size_t head, float* scores) const {
    const AttentionShape& s = attention_.shape;
    const auto at = [&](const AttentionStrides& strides, std::size_t own_head, std::size_t row) {
      return place.batch * strides.batch + own_head * strides.head + row * strides.row;
    };
    const std::size_t kv_head = head / (s.heads / s.kv_heads);
    const std::size_t list = attention_.keys.size() > 1 ? place.batch : 0;
    AttentionRow row{
        .query = args.In<float>(query_) + at(s.query, head, place.row),
        .keys = args.In<float>(attention_.keys[list]) + at(s.key, kv_head, place.first_key),
        .values = args.In<float>(attention_.values[list]) + at(s.value, kv_head, place.first_key),
        .shift =
            attention_.shift < 0 ? nullptr : args.In<float>(attention_.shift) + at(s.shift, head, place.row),
        .mask = attention_.mask < 0 ? nullptr
                                    : args.In<std::uint8_t>(attention_.mask) + at(s.mask, head, place.row),
        .columns = place.own_row < place.rows ? place.keys : 0,
        .row = static_cast<std::int64_t>(place.own_row),
        .offset =
            s.band_at_end ? static_cast<std::int64_t>(place.keys) - static_cast<std::int64_t>(place.rows) : 0,
        .out = args.Out<float>(results_.out) + at(s.out, head, place.row)};
    Write(args, place, head, AttendRow(s, row, scores));
  }

  // By batch, head and row; in packed tensors by row and head.
  void Write(const RunArgs& args, const Place& place, std::size_t head, const AttentionSums& sums) const {
    const AttentionShape& s = attention_.shape;
    const std::size_t at =
        attention_.packed ? place.row * s.heads + head : (place.batch * s.heads + head) * s.rows + place.row;
    if (results_.most >= 0) std::fill_n(args.Out<float>(results_.most) + at * kRepeats, kRepeats, sums.most);
    if (results_.sum >= 0) std::fill_n(args.Out<float>(results_.sum) + at * kRepeats, kRepeats, sums.sum);
    if (results_.log_sum >= 0) args.Out<float>(results_.log_sum)[at] = sums.most + std::log(sums.sum);
  }

  Attention attention_;
  Results results_;
  std::string name_;
  int query_;
  SequenceLengths query_lengths_, kv_lengths_;
  std::size_t rows_ = 0, slots_ = 1;
};

Dims RowDims(const Attention& attention, std::int64_t last) {
  const AttentionShape& s = attention.shape;
  const auto whole = [](std::size_t value) { return static_cast<std::int64_t>(value); };
  if (attention.packed) return {whole(s.rows), whole(s.heads), last};
  return {whole(s.batch), whole(s.heads), whole(s.rows), last};
}

// Ports nothing here computes with, and what cannot be left out of the result.
void RefusePorts(const OpContext& context, std::initializer_list<const char*> names) {
  for (const char* name : names)
    if (context.Has(name)) context.Unsupported("no kernel with {}", name);
}

void CheckOthers(const OpContext& context) {
  RefusePorts(context, {"drop_mask", "padding_mask", "prefix", "q_start_idx", "kv_start_idx", "block_table",
                        "kv_padding_size", "query_padding_size", "key_shared_prefix", "value_shared_prefix",
                        "actual_shared_prefix_len"});
  for (const Input& input : context.node().inputs())
    if (input.source && (input.name.find("quant") != std::string::npos || input.name.starts_with("deq_")))
      context.Unsupported("no kernel with {}; floating-point data would run", input.name);
}

// The outputs of an operator: which are there, and the types of those beside the result.
struct Outputs {
  Results (*results)(const OpContext& context);
  void (*set_others)(OpContext& context, const Attention& attention);
};

constexpr Outputs kResultAlone{[](const OpContext&) { return Results(); },
                               [](OpContext&, const Attention&) {}};

constexpr Outputs kWithMaximaAndSums{
    [](const OpContext&) { return Results{.out = 3, .most = 0, .sum = 1}; },
    [](OpContext& context, const Attention& attention) {
      context.SetOut(0, DataType::kFloat, RowDims(attention, kRepeats), Format::kNd);
      context.SetOut(1, DataType::kFloat, RowDims(attention, kRepeats), Format::kNd);
      context.SetOut(2, context.In("query").type, {0}, Format::kNd);
    }};

bool WantsLogSum(const OpContext& context) {
  return context.outputs() > 1 && context.node().Bool("softmax_lse_flag", false);
}

constexpr Outputs kWithLogSum{
    [](const OpContext& context) { return Results{.out = 0, .log_sum = WantsLogSum(context) ? 1 : -1}; },
    [](OpContext& context, const Attention& attention) {
      if (context.outputs() < 2) return;
      const Dims dims = WantsLogSum(context) ? RowDims(attention, 1) : Dims{0};
      context.SetOut(1, DataType::kFloat, dims, Format::kNd);
    }};

OpDef AttentionOp(const char* type, const AttentionNames& names, const Outputs& outputs) {
  return OpDef(type)
      .Infer([=](OpContext& context) {
        CheckOthers(context);
        const Attention attention = AttentionOf(context, names);
        outputs.set_others(context, attention);
        const TensorType& query = context.In("query");
        context.SetOut(outputs.results(context).out, query.type, attention.out, query.format);
      })
      .Lower([=](OpContext& context) {
        Attention attention = AttentionOf(context, names);
        const DataType type = context.In("query").type;
        if (!ComputesInFloat(type))
          context.Unsupported("no kernel for {}; float, float16 and bfloat16 have one", DataTypeName(type));
        if (attention.mask < 0 && context.Has("atten_mask")) context.SetUnused(context.Port("atten_mask"));
        return ThroughFloat(context, std::make_unique<AttentionKernel>(context, std::move(attention),
                                                                       outputs.results(context)));
      })
      .Types({DataType::kFloat, DataType::kFloat16, DataType::kBfloat16});
}

constexpr std::int64_t kAll = 2147483647;

const RegisterOp attention({
    AttentionOp("FlashAttentionScore",
                {.heads = "head_num",
                 .kv_heads = nullptr,
                 .scale = "scale_value",
                 .before = "pre_tockens",
                 .after = "next_tockens",
                 .default_before = kAll,
                 .default_after = kAll,
                 .shift = "real_shift",
                 .query_lengths = "actual_seq_qlen",
                 .kv_lengths = "actual_seq_kvlen"},
                kWithMaximaAndSums),
    AttentionOp("PromptFlashAttention",
                {.heads = "num_heads",
                 .kv_heads = "num_key_value_heads",
                 .scale = "scale_value",
                 .before = "pre_tokens",
                 .after = "next_tokens",
                 .default_before = 214748647,
                 .default_after = 0,
                 .shift = "pse_shift",
                 .query_lengths = "actual_seq_lengths",
                 .kv_lengths = "actual_seq_lengths_kv"},
                kResultAlone),
    AttentionOp("IncreFlashAttention",
                {.heads = "num_heads",
                 .kv_heads = "num_key_value_heads",
                 .scale = "scale_value",
                 .before = nullptr,
                 .after = nullptr,
                 .default_before = kAll,
                 .default_after = kAll,
                 .shift = "pse_shift",
                 .query_lengths = nullptr,
                 .kv_lengths = "actual_seq_lengths"},
                kResultAlone),
    AttentionOp("FusedInferAttentionScore",
                {.heads = "num_heads",
                 .kv_heads = "num_key_value_heads",
                 .scale = "scale",
                 .before = "pre_tokens",
                 .after = "next_tokens",
                 .default_before = kAll,
                 .default_after = kAll,
                 .shift = "pse_shift",
                 .query_lengths = "actual_seq_lengths",
                 .kv_lengths = "actual_seq_lengths_kv"},
                kWithLogSum),
});

}  // namespace
}  // namespace foothold
