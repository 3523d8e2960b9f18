// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "single_op/infer_shape.h"

#include <algorithm>

#include "base/error.h"
#include "compiler/infer.h"
#include "compiler/normalize.h"
#include "compiler/sources.h"
#include "single_op/op_codes.h"
#include "single_op/op_graph.h"
#include "single_op/port_layout.h"

namespace foothold {
namespace {

enum class Bound { kLow, kHigh };

// Where a range has no end, a size that is certainly another one than the smallest.
std::int64_t Pick(const TensorDesc& desc, std::size_t index, Bound bound) {
  const auto [low, high] = desc.ShapeRange(index);
  const std::int64_t smallest = std::max<std::int64_t>(low, 1);
  if (bound == Bound::kLow) return smallest;
  return high < 0 ? smallest + 64 : std::max(high, smallest);
}

Dims DimsAt(const TensorDesc& desc, Bound bound) {
  Dims dims = desc.shape().dims();
  if (!RankKnown(dims))
    Fail(kOpInputNotMatch,
         "the number of dimensions of an input is not known, so nothing follows for the outputs");
  for (std::size_t i = 0; i < dims.size(); ++i)
    if (dims[i] == kUnknownDim) dims[i] = Pick(desc, i, bound);
  return dims;
}

class Inference {
 public:
  Inference(const OpCall& call, const std::vector<TensorValue>& values) : call_(call), values_(values) {}

  // By output of the call.
  std::vector<TensorType> At(Bound bound) const {
    std::vector<TensorDesc> inputs = InputsAt(bound);
    OpCall closed = call_;
    for (std::size_t i = 0; i < inputs.size(); ++i)
      closed.inputs[i] = &inputs[i];
    const NormalGraph normal = Normalize(*MakeOpGraph(closed));
    std::vector<TensorType> types;
    for (const Node* data : normal.graph->inputs)
      types.push_back(data->outputs().at(0).desc);
    const Inferred inferred = InferTypes(*normal.graph, types);
    return OutputsOf(*normal.graph, inferred);
  }

 private:
  std::vector<TensorDesc> InputsAt(Bound bound) const {
    std::vector<TensorDesc> inputs;
    for (std::size_t i = 0; i < call_.inputs.size(); ++i) {
      TensorDesc& desc = inputs.emplace_back(*call_.inputs[i]);
      if (IsAbsent(desc)) continue;
      const Dims dims = DimsAt(desc, bound);
      desc.SetShape(Shape(static_cast<int>(dims.size()), dims.data()));
      if (values_[i].size() > 0) desc.SetConstant(values_[i].data(), values_[i].size());
    }
    return inputs;
  }

  std::vector<TensorType> OutputsOf(const Graph& graph, const Inferred& inferred) const {
    std::vector<TensorType> found;
    for (const OutputRef& output : graph.outputs) {
      TensorType type = output.node->outputs().at(static_cast<std::size_t>(output.port)).desc;
      if (inferred.late.count(output.node) != 0) type.dims = {kUnknownRank};
      found.push_back(std::move(type));
    }
    std::vector<TensorType> types(call_.outputs.size(), TensorType{DataType::kUndefined, Format::kNd, {}});
    std::size_t next = 0;
    for (const PortSlot& slot : LayOutOutputs(PrototypeOf(call_), call_.outputs))
      if (slot.tensor >= 0) types[static_cast<std::size_t>(slot.tensor)] = found.at(next++);
    return types;
  }

  const OpCall& call_;
  const std::vector<TensorValue>& values_;
};

bool AnyUnbounded(const OpCall& call) {
  for (const TensorDesc* desc : call.inputs)
    for (std::size_t i = 0; !IsAbsent(*desc) && i < desc->shape().rank(); ++i)
      if (desc->shape().dims()[i] == kUnknownDim && desc->ShapeRange(i).second < 0) return true;
  return false;
}

InferredOutput Between(TensorType low, const TensorType& high, bool unbounded) {
  InferredOutput output{low, {}};
  if (low.dims.size() != high.dims.size() || !IsStatic(low.dims) || !IsStatic(high.dims)) {
    output.type.dims = {kUnknownRank};
    return output;
  }
  for (std::size_t i = 0; i < low.dims.size(); ++i) {
    const bool open = low.dims[i] != high.dims[i];
    if (open) output.type.dims[i] = kUnknownDim;
    const auto [smaller, larger] = std::minmax(low.dims[i], high.dims[i]);
    output.ranges.emplace_back(smaller, open && unbounded ? -1 : larger);
  }
  return output;
}

}  // namespace

std::vector<InferredOutput> InferOutputs(const OpCall& call, const std::vector<TensorValue>& values) {
  const Inference inference(call, values);
  std::vector<InferredOutput> outputs;
  const std::vector<TensorType> low = inference.At(Bound::kLow);
  if (!HasOpenInputs(call)) {
    for (const TensorType& type : low)
      outputs.push_back({type, {}});
    return outputs;
  }
  const std::vector<TensorType> high = inference.At(Bound::kHigh);
  for (std::size_t i = 0; i < low.size(); ++i)
    outputs.push_back(Between(low[i], high[i], AnyUnbounded(call)));
  return outputs;
}

}  // namespace foothold
