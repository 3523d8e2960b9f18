// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// FlashAttentionScore, PromptFlashAttention, IncreFlashAttention and FusedInferAttentionScore, without
// quantisation, paged keys and dropout.
#include <initializer_list>

#include "base/error.h"
#include "kernels/float_memory.h"
#include "kernels/fused_attention.h"
#include "ops/attention/attention_rules.h"
#include "ops/float_type.h"
#include "ops/strided_view.h"

namespace foothold {
namespace {

// Outputs; -1: not there.
struct Results {
  int out = 0;
  int most = -1, sum = -1;
  int log_sum = -1;
};

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

// By batch, head and row; in packed tensors by row and head.
AttentionStrides SumStrides(const Attention& attention) {
  const AttentionShape& s = attention.shape;
  if (attention.packed) return {0, 1, s.heads, 0};
  return {s.heads * s.rows, s.rows, 1, 0};
}

// Rows after the last packed sequence are one more, which sees nothing.
FusedAttention FusedOf(const OpContext& context, const Attention& attention) {
  FusedAttention fused{attention.shape, FloatTypeOf(context, context.Port("query")), ElementType::kFloat,
                       SumStrides(attention)};
  if (attention.packed) ++fused.shape.batch;
  if (attention.shift >= 0) fused.shift_type = FloatTypeOf(context, attention.shift);
  return fused;
}

class AttentionKernel : public Kernel {
 public:
  AttentionKernel(const OpContext& context, Attention attention, Results results)
      : attention_(std::move(attention)),
        fused_(FusedOf(context, attention_)),
        plan_(fused_),
        results_(results),
        name_(context.node().Description()),
        query_(context.Port("query")),
        query_lengths_(context, attention_.query_lengths, attention_.shape.rows),
        kv_lengths_(context, attention_.kv_lengths, attention_.shape.columns) {}

  std::size_t WorkspaceBytes() const override { return plan_.WorkspaceBytes(); }

  void Run(const RunArgs& args) const override {
    query_lengths_.Check(args, attention_.packed, name_);
    kv_lengths_.Check(args, attention_.packed, name_);
    plan_.Run([this, &args](std::size_t i) { return SequenceOf(args, i); }, args.workspace);
  }

 private:
  // Where a sequence is, and which rows and keys it has.
  struct Place {
    std::size_t batch, row, rows, own_rows;
    std::size_t key, keys;
  };

  Place PlaceOf(const RunArgs& args, std::size_t i) const {
    const AttentionShape& s = attention_.shape;
    if (!attention_.packed) return {i, 0, s.rows, query_lengths_.At(args, i), 0, kv_lengths_.At(args, i)};
    const std::size_t row = i == 0 ? 0 : query_lengths_.At(args, i - 1);
    const std::size_t key = i == 0 ? 0 : kv_lengths_.At(args, i - 1);
    if (i == s.batch) return {0, row, s.rows - row, 0, 0, 0};
    const std::size_t rows = query_lengths_.At(args, i) - row;
    return {0, row, rows, rows, key, kv_lengths_.At(args, i) - key};
  }

  AttentionSequence SequenceOf(const RunArgs& args, std::size_t i) const {
    const AttentionShape& s = attention_.shape;
    const Place place = PlaceOf(args, i);
    const std::size_t list = attention_.keys.size() > 1 ? place.batch : 0;
    const auto at = [&](const AttentionStrides& strides, std::size_t row) {
      return place.batch * strides.batch + row * strides.row;
    };
    const auto numbers = [&](int port, std::size_t repeats) {
      return port < 0 ? nullptr : args.Out<float>(port) + at(fused_.sums, place.row) * repeats;
    };
    return {.query = ElementAt(fused_.type, args.inputs[query_], at(s.query, place.row)),
            .key = ElementAt(fused_.type, args.inputs[attention_.keys[list]], at(s.key, place.key)),
            .value = ElementAt(fused_.type, args.inputs[attention_.values[list]], at(s.value, place.key)),
            .shift = attention_.shift < 0 ? nullptr
                                          : ElementAt(fused_.shift_type, args.inputs[attention_.shift],
                                                      at(s.shift, place.row)),
            .mask = attention_.mask < 0 ? nullptr
                                        : args.In<std::uint8_t>(attention_.mask) + at(s.mask, place.row),
            .out = ElementAt(fused_.type, args.outputs[results_.out], at(s.out, place.row)),
            .most = numbers(results_.most, kSumRepeats),
            .sum = numbers(results_.sum, kSumRepeats),
            .log_sum = numbers(results_.log_sum, 1),
            .rows = place.rows,
            .keys = place.keys,
            .own_rows = place.own_rows};
  }

  Attention attention_;
  FusedAttention fused_;
  FusedAttentionPlan plan_;
  Results results_;
  std::string name_;
  int query_;
  SequenceLengths query_lengths_, kv_lengths_;
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
      context.SetOut(0, DataType::kFloat, RowDims(attention, kSumRepeats), Format::kNd);
      context.SetOut(1, DataType::kFloat, RowDims(attention, kSumRepeats), Format::kNd);
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

bool HaveOneView(const OpContext& context, const char* group) {
  const std::vector<int> ports = context.node().InputGroup(group);
  return std::all_of(ports.begin(), ports.end(), [&](int port) {
    return ViewOf(context, port).strides == ViewOf(context, ports[0]).strides;
  });
}

// Keys and values may come in lists, which are read at the same distances.
bool HaveKeysOneView(const OpContext& context) {
  return HaveOneView(context, "key") && HaveOneView(context, "value");
}

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
        if (attention.mask < 0 && context.Has("atten_mask")) context.SetUnused(context.Port("atten_mask"));
        return std::make_unique<AttentionKernel>(context, std::move(attention), outputs.results(context));
      })
      .ReadsViews({"query", "key", "value", "real_shift", "pse_shift"}, HasDenseRows)
      .ViewsTogether(HaveKeysOneView)
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
