// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// AttentionUpdate: results of attention over parts of the keys become the result over all of them. Each part
// has the logarithm of its sum of exponentials for every row; that of the whole is the second output.
#include <algorithm>
#include <cmath>

#include "base/thread_pool.h"
#include "ops/data/rule_arguments.h"
#include "ops/element_types.h"

namespace foothold {
namespace {

// There may be more parts than conversions of inputs allow, so this kernel reads 16-bit floats itself.
template <typename T>
class AttentionUpdateKernel : public Kernel {
 public:
  explicit AttentionUpdateKernel(const OpContext& context)
      : sums_(DataPorts(context, "lse")), parts_(DataPorts(context, "go")) {
    const Dims& part = context.InDims(parts_[0]);
    rows_ = Product(part, 0, part.size() - 1), width_ = static_cast<std::size_t>(part.back());
  }

  std::size_t WorkspaceBytes() const override { return rows_ * parts_.size() * sizeof(float); }

  void Run(const RunArgs& args) const override {
    ParallelFor(rows_, 1 + 16384 / (1 + width_ * parts_.size()), [&](std::size_t begin, std::size_t end) {
      for (std::size_t row = begin; row < end; ++row)
        RunRow(args, row);
    });
  }

 private:
  // Of the parts, and the logarithm of the whole sum.
  float Weigh(const RunArgs& args, std::size_t row, float* weights) const {
    float most = -HUGE_VALF, sum = 0;
    for (const int port : sums_)
      most = std::max(most, args.In<float>(port)[row]);
    for (std::size_t part = 0; part < parts_.size(); ++part)
      sum += weights[part] = std::exp(args.In<float>(sums_[part])[row] - most);
    for (std::size_t part = 0; part < parts_.size(); ++part)
      weights[part] /= sum;
    return most + std::log(sum);
  }

  void RunRow(const RunArgs& args, std::size_t row) const {
    float* weights = reinterpret_cast<float*>(args.workspace) + row * parts_.size();
    args.Out<float>(1)[row] = Weigh(args, row, weights);
    for (std::size_t i = row * width_; i < (row + 1) * width_; ++i) {
      float sum = 0;
      for (std::size_t part = 0; part < parts_.size(); ++part)
        sum += static_cast<float>(args.In<T>(parts_[part])[i]) * weights[part];
      args.Out<T>(0)[i] = static_cast<T>(sum);
    }
  }

  std::vector<int> sums_, parts_;
  std::size_t rows_ = 0, width_ = 0;
};

void InferAttentionUpdate(OpContext& context) {
  const std::vector<int> sums = DataPorts(context, "lse"), parts = DataPorts(context, "go");
  const TensorType& first = context.In(parts[0]);
  const std::int64_t type = RequiredInt(context, "update_type");
  if (type != 0 && type != 1) context.Refuse("attribute 'update_type' is {}; 0 and 1 are possible", type);
  if (const std::int64_t count = context.node().Int("sp", static_cast<std::int64_t>(parts.size()));
      count != static_cast<std::int64_t>(parts.size()))
    context.Refuse("attribute 'sp' is {}, and there are {} parts", count, parts.size());
  if (sums.size() != parts.size())
    context.Refuse("there are {} sums and {} parts", sums.size(), parts.size());
  if (first.dims.empty()) context.Refuse("a part is a scalar, expected rows");
  const Dims rows(first.dims.begin(), first.dims.end() - 1);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (context.In(parts[i]).dims != first.dims || context.In(parts[i]).type != first.type)
      context.Refuse("part {} is {}, the first is {}", i, ToString(context.In(parts[i])), ToString(first));
    if (context.In(sums[i]).type != DataType::kFloat ||
        ElementCount(context.InDims(sums[i])) != ElementCount(rows))
      context.Refuse("sum {} is {}, expected one float for each of {} rows", i, ToString(context.In(sums[i])),
                     ElementCount(rows));
  }
  context.SetOut(0, first);
  context.SetOut(1, context.In(sums[0]));
}

std::unique_ptr<Kernel> LowerAttentionUpdate(OpContext& context) {
  switch (const DataType type = context.In(DataPorts(context, "go")[0]).type) {
    case DataType::kFloat:
      return std::make_unique<AttentionUpdateKernel<float>>(context);
    case DataType::kFloat16:
      return std::make_unique<AttentionUpdateKernel<Half>>(context);
    case DataType::kBfloat16:
      return std::make_unique<AttentionUpdateKernel<Bfloat16>>(context);
    default:
      context.Unsupported("no kernel for {}; float, float16 and bfloat16 have one", DataTypeName(type));
  }
}

const RegisterOp attention_update(OpDef("AttentionUpdate")
                                      .Infer(InferAttentionUpdate)
                                      .Lower(LowerAttentionUpdate)
                                      .Types({DataType::kFloat, DataType::kFloat16, DataType::kBfloat16}));

}  // namespace
}  // namespace foothold
