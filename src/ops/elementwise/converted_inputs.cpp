// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "ops/elementwise/converted_inputs.h"

#include "base/error.h"
#include "base/thread_pool.h"
#include "ir/graph.h"
#include "ops/elementwise/cast.h"

namespace foothold {
namespace {

constexpr std::size_t kGrain = 65536;
constexpr std::size_t kMaxInputs = 4;

struct Conversion {
  CastLoop loop = nullptr;  // null: not needed
  std::size_t count = 0, from_size = 0, to_size = 0;
  std::size_t offset = 0;  // in the workspace
};

class ConvertedKernel final : public Kernel {
 public:
  ConvertedKernel(std::vector<Conversion> conversions, std::size_t bytes, std::unique_ptr<Kernel> kernel)
      : conversions_(std::move(conversions)), bytes_(bytes), kernel_(std::move(kernel)) {}

  void Run(const RunArgs& args) const override {
    const std::byte* inputs[kMaxInputs];
    for (std::size_t i = 0; i < conversions_.size(); ++i) {
      const Conversion& to_do = conversions_[i];
      inputs[i] = to_do.loop == nullptr ? args.inputs[i] : args.workspace + to_do.offset;
      if (to_do.loop != nullptr) Convert(to_do, args.inputs[i], args.workspace + to_do.offset);
    }
    kernel_->Run({inputs, args.outputs, args.workspace + bytes_});
  }

  std::size_t WorkspaceBytes() const override { return bytes_ + kernel_->WorkspaceBytes(); }

 private:
  static void Convert(const Conversion& conversion, const std::byte* from, std::byte* to) {
    ParallelFor(conversion.count, kGrain, [&](std::size_t begin, std::size_t end) {
      conversion.loop(from + begin * conversion.from_size, to + begin * conversion.to_size, end - begin);
    });
  }

  std::vector<Conversion> conversions_;
  std::size_t bytes_;
  std::unique_ptr<Kernel> kernel_;
};

// The same node with inputs of one type. Its rules find no values, so what they decide holds for all.
Node& MakeConverted(Graph& graph, const OpContext& context) {
  const Node& node = context.node();
  Node& made = graph.Make(node.type(), node.name());
  made.attributes = node.attributes;
  for (int port = 0; port < context.inputs(); ++port) {
    TensorType type = context.In(port);
    type.type = context.Out(0).type;
    const Input& input = node.inputs()[static_cast<std::size_t>(port)];
    Input& converted = made.AddInput(input.name, PortKind::kRequired);
    converted.desc = PortDesc(type);
    converted.view = input.view;
  }
  for (const Output& output : node.outputs()) {
    Output& written = made.AddOutput(output.name, output.kind);
    written.desc = output.desc;
    written.view = output.view;
  }
  return made;
}

}  // namespace

bool NeedsConversion(const OpContext& context) {
  for (int port = 0; port < context.inputs(); ++port)
    if (context.In(port).type != context.Out(0).type) return true;
  return false;
}

std::unique_ptr<Kernel> LowerConverted(const OpContext& context) {
  FOOTHOLD_CHECK(context.inputs() <= static_cast<int>(kMaxInputs));
  const DataType to = context.Out(0).type;
  std::vector<Conversion> conversions(static_cast<std::size_t>(context.inputs()));
  std::size_t bytes = 0;
  for (std::size_t i = 0; i < conversions.size(); ++i) {
    const TensorType& from = context.In(static_cast<int>(i));
    if (from.type == to) continue;
    const CastLoop loop = CastLoopOf(from.type, to);
    if (loop == nullptr)
      context.Unsupported("no kernel for {} with {}", DataTypeName(from.type), DataTypeName(to));
    const auto count = static_cast<std::size_t>(ElementCount(from.dims));
    conversions[i] = {loop, count, BytesPerElement(from.type), BytesPerElement(to), bytes};
    bytes += (count * BytesPerElement(to) + kTensorAlignment - 1) / kTensorAlignment * kTensorAlignment;
  }
  Graph graph;
  Node& converted = MakeConverted(graph, context);
  OpContext inner(converted, {});
  return std::make_unique<ConvertedKernel>(std::move(conversions), bytes,
                                           FindOp(converted.type())->lower()(inner));
}

}  // namespace foothold
