// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// EmbeddingDenseGrad: the gradients of rows that were looked up, added up by the row they came from. Those of
// 'padding_idx' do not count; with 'scale_grad_by_freq' each is divided by how often its row was taken.
#include <algorithm>

#include "base/thread_pool.h"
#include "ops/data/index_reader.h"
#include "ops/data/rule_arguments.h"
#include "ops/through_float.h"
#include "ops/type_lists.h"

namespace foothold {
namespace {

constexpr std::size_t kColumns = 64;  // of the rows, for one thread at a time

void InferEmbeddingGrad(OpContext& context) {
  const TensorType& grad = context.In("grad");
  const Dims& indices = context.In("indices").dims;
  const bool fits =
      grad.dims.size() == indices.size() + 1 && std::equal(indices.begin(), indices.end(), grad.dims.begin());
  if (!fits && (grad.dims.empty() || ElementCount(indices) * grad.dims.back() != ElementCount(grad.dims)))
    context.Refuse("grad is {} and indices {}; expected a row for each index", ToString(grad),
                   ToString(indices));
  const std::int64_t rows = RequiredInt(context, "num_weights");
  if (rows < 0) context.Refuse("num_weights is {}; it must not be negative", rows);
  context.SetOut(0, grad.type, {rows, grad.dims.back()}, Format::kNd);
}

class EmbeddingGrad : public Kernel {
 public:
  explicit EmbeddingGrad(const OpContext& context)
      : indices_(context, context.Port("indices")),
        count_(static_cast<std::size_t>(ElementCount(context.In("indices").dims))),
        rows_(static_cast<std::size_t>(context.Out(0).dims[0])),
        length_(static_cast<std::size_t>(context.Out(0).dims[1])),
        padding_(context.node().Int("padding_idx", -1)),
        by_frequency_(context.node().Bool("scale_grad_by_freq", false)) {}

  std::size_t WorkspaceBytes() const override { return by_frequency_ ? rows_ * sizeof(std::int64_t) : 0; }

  void Run(const RunArgs& args) const override {
    auto* taken = reinterpret_cast<std::int64_t*>(args.workspace);
    if (by_frequency_) Count(args, taken);
    ParallelFor((length_ + kColumns - 1) / kColumns, 1, [&](std::size_t begin, std::size_t end) {
      for (std::size_t piece = begin; piece < end; ++piece)
        RunColumns(args, taken, piece * kColumns, std::min(kColumns, length_ - piece * kColumns));
    });
  }

 private:
  void Count(const RunArgs& args, std::int64_t* taken) const {
    std::fill_n(taken, rows_, 0);
    for (std::size_t i = 0; i < count_; ++i)
      if (indices_.Raw(args, i) != padding_) ++taken[indices_.At(args, i, rows_)];
  }

  void RunColumns(const RunArgs& args, const std::int64_t* taken, std::size_t first,
                  std::size_t count) const {
    float* sums = args.Out<float>(0) + first;
    for (std::size_t row = 0; row < rows_; ++row)
      std::fill_n(sums + row * length_, count, 0.0f);
    for (std::size_t i = 0; i < count_; ++i) {
      if (indices_.Raw(args, i) == padding_) continue;
      const std::size_t row = indices_.At(args, i, rows_);
      const float share = by_frequency_ ? 1.0f / static_cast<float>(taken[row]) : 1.0f;
      const float* from = args.In<float>(0) + i * length_ + first;
      for (std::size_t c = 0; c < count; ++c)
        sums[row * length_ + c] += from[c] * share;
    }
  }

  IndexReader indices_;
  std::size_t count_, rows_, length_;
  std::int64_t padding_;
  bool by_frequency_;
};

std::unique_ptr<Kernel> LowerEmbeddingGrad(OpContext& context) {
  const DataType type = context.In(0).type;
  if (!ComputesInFloat(type))
    context.Unsupported("no kernel for {}; float, float16 and bfloat16 have one", DataTypeName(type));
  return ThroughFloat(context, std::make_unique<EmbeddingGrad>(context));
}

const RegisterOp embedding_grad(
    OpDef("EmbeddingDenseGrad").Infer(InferEmbeddingGrad).Lower(LowerEmbeddingGrad).Types(FloatTypes()));

}  // namespace
}  // namespace foothold
