// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "ops/attention/head_attention.h"

#include "kernels/head_attention.h"
#include "ops/op.h"

namespace foothold {
namespace {

constexpr char kLayout[] = "layout";  // the numbers of EachNumber, in its order
constexpr char kScale[] = "scale";
constexpr char kHidden[] = "hidden";

template <typename Attention, typename Visit>
void EachNumber(Attention& attention, const Visit& visit) {
  auto& s = attention.shape;
  for (auto* number : {&s.batch, &s.heads, &s.rows, &s.columns, &s.depth, &s.value_depth})
    visit(*number);
  for (auto* strides : {&s.query, &s.key, &s.value, &s.out, &s.shift, &s.mask})
    for (auto* number : {&strides->batch, &strides->head, &strides->row, &strides->column})
      visit(*number);
  for (auto* number : {&attention.query_offset, &attention.key_offset, &attention.value_offset})
    visit(*number);
}

HeadAttention HeadAttentionOf(const Node& node) {
  HeadAttention attention;
  const std::vector<std::int64_t> layout = node.Ints(kLayout);
  std::size_t next = 0;
  EachNumber(attention, [&](std::size_t& number) { number = static_cast<std::size_t>(layout.at(next++)); });
  attention.shape.kv_heads = attention.shape.heads;
  attention.shape.scale = node.Float(kScale, 1.0f);
  attention.hidden = node.Float(kHidden, attention.hidden);
  return attention;
}

class HeadAttentionKernel : public Kernel {
 public:
  HeadAttentionKernel(const HeadAttention& attention, int shift, int mask)
      : attention_(attention), plan_(attention.shape, attention.hidden), shift_(shift), mask_(mask) {}

  std::size_t WorkspaceBytes() const override { return plan_.WorkspaceBytes(); }
  void Run(const RunArgs& args) const override {
    plan_.Run({.query = args.In<float>(0) + attention_.query_offset,
               .key = args.In<float>(1) + attention_.key_offset,
               .value = args.In<float>(2) + attention_.value_offset,
               .shift = shift_ < 0 ? nullptr : args.In<float>(shift_),
               .mask = mask_ < 0 ? nullptr : args.In<std::uint8_t>(mask_),
               .out = args.Out<float>(0)},
              args.workspace);
  }

 private:
  HeadAttention attention_;
  HeadAttentionPlan plan_;
  int shift_, mask_;
};

// The pass knows the type; it is that of the node it made this one of.
void InferHeadAttention(OpContext& context) {
  context.SetOut(0, context.Out(0));
}

std::unique_ptr<Kernel> LowerHeadAttention(OpContext& context) {
  return std::make_unique<HeadAttentionKernel>(
      HeadAttentionOf(context.node()), context.node().InputIndex("shift"), context.node().InputIndex("mask"));
}

const RegisterOp head_attention(
    OpDef("HeadAttention").Infer(InferHeadAttention).Lower(LowerHeadAttention).Types({DataType::kFloat}));

}  // namespace

void SetHeadAttention(Node& node, const HeadAttention& attention) {
  std::vector<std::int64_t> layout;
  EachNumber(attention, [&](std::size_t number) { layout.push_back(static_cast<std::int64_t>(number)); });
  node.attributes[kLayout] = layout;
  node.attributes[kScale] = attention.shape.scale;
  node.attributes[kHidden] = attention.hidden;
}

}  // namespace foothold
