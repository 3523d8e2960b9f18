// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "compiler/lower.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <unordered_map>

#include "base/error.h"
#include "compiler/control_flow.h"
#include "compiler/infer.h"
#include "compiler/keep_nodes.h"
#include "compiler/plan_memory.h"
#include "compiler/sources.h"
#include "ir/node_table.h"
#include "ir/node_walk.h"
#include "ir/stored_weight.h"
#include "kernels/copy.h"
#include "ops/joining_kernel.h"
#include "ops/matrix/half_weights.h"
#include "ops/matrix/packed_weights.h"
#include "ops/op.h"
#include "program/in_place.h"

namespace foothold {
namespace {

class CopyKernel final : public Kernel {
 public:
  explicit CopyKernel(std::size_t bytes) : bytes_(bytes) {}
  void Run(const RunArgs& args) const override {
    // A caller may want an input that was changed in place where it is.
    if (bytes_ > 0 && args.outputs[0] != args.inputs[0]) CopyBytes(args.outputs[0], args.inputs[0], bytes_);
  }

 private:
  std::size_t bytes_;
};

// Whether its kernels read a constant weight by SharedPacking only.
bool OnlyPacksWeights(const Node& node) {
  const std::string& type = node.type();
  const bool product =
      type == "MatMul" || type == "MatMulV2" || type == "BatchMatMul" || type == "BatchMatMulV2";
  return type == "BlockedConv2D" || type == "BlockedConv2DTranspose" || type == "BlockedExpandedDepthwise" ||
         (product && !MayHalveWeights(node));
}

class Lowering {
 public:
  explicit Lowering(Graph& graph) : graph_(graph), nodes_(graph) {
    program_.name = graph.name();
    for (const OutputRef& output : graph.outputs)
      nodes_[*output.node].given_back = true;
  }

  std::shared_ptr<const Program> Run() {
    for (const Node* node : graph_.inputs)
      program_.inputs.push_back(node->outputs().at(0).desc);
    const std::vector<Node*> order = graph_.Order();
    for (Node* node : PortWalk(order))
      Visit(*node);
    if (!report_.empty())
      throw Error(code_, fmt::format("graph '{}' cannot be compiled:{}", graph_.name(), report_));
    for (std::size_t i = 0; i < graph_.outputs.size(); ++i)
      GiveBack(i);
    PlacePlanned();
    return std::make_shared<const Program>(std::move(program_));
  }

 private:
  // A value of the program; several share a buffer if they are views of each other.
  struct Value {
    int buffer = -1;  // -1: not of the program's own making, `place` says where
    ValuePlace place;
    std::size_t bytes = 0;
    std::size_t offset = 0;  // from where it is, in bytes
  };
  // What has become of a node so far.
  struct Lowered {
    std::vector<int> outputs;  // values
    std::size_t reads = 0;     // of a constant, by lowered nodes
    bool given_back = false;   // makes an output of the graph
  };
  struct Buffer {
    std::size_t bytes = 0;
    int output = -1;  // the output of the program it is, or -1: in the arena
    int whole = -1;   // the buffer it is to be a part of, or -1
    std::size_t offset = 0;
  };

  int AddValue(Value value) {
    values_.push_back(value);
    return static_cast<int>(values_.size()) - 1;
  }

  int AddPlaced(Home home, std::size_t index, std::size_t bytes) {
    return AddValue({-1, {home, index}, bytes});
  }

  // What several nodes share is one constant of the program.
  int AddConstant(TensorValue value) {
    const auto [found, fresh] = constants_.emplace(std::pair(value.data(), value.size()), -1);
    if (!fresh && value.size() > 0) return found->second;
    KeepWeight(value);
    program_.constants.push_back(std::move(value));
    found->second =
        AddPlaced(Home::kConstant, program_.constants.size() - 1, program_.constants.back().size());
    return found->second;
  }

  int AddVariable(const ProgramVariable& variable) {
    const auto [found, fresh] = variables_.emplace(variable.name, -1);
    if (fresh) {
      program_.variables.push_back(variable);
      found->second = AddPlaced(Home::kVariable, program_.variables.size() - 1, ByteSize(variable.type));
    } else if (variable.written) {
      Written(found->second);
    }
    return found->second;
  }

  void Written(int value) {
    const ValuePlace& place = values_[static_cast<std::size_t>(value)].place;
    if (values_[static_cast<std::size_t>(value)].buffer < 0 && place.home == Home::kVariable)
      program_.variables[place.index].written = true;
  }

  int ValueOf(const OutputRef& output) {
    const Node& node = *output.node;
    int& value = nodes_[node].outputs.at(static_cast<std::size_t>(output.port));
    if (value < 0 && IsConstant(node)) value = AddConstant(ConstantValue(node));
    return value;
  }

  // What arrives at a connected input.
  int ValueOf(const Input& input) {
    const int value = ValueOf(input.source);
    return input.view ? FirstOf(value, *input.view, input.desc) : value;
  }

  // The same memory from the first element of a view on.
  int FirstOf(int value, const StridedView& view, const TensorType& type) {
    if (view.offset == 0) return value;
    Value first = values_[static_cast<std::size_t>(value)];
    first.offset += view.offset * BytesPerElement(type.type);
    return AddValue(first);
  }

  void Visit(Node& node) {
    nodes_[node].outputs.assign(node.outputs().size(), -1);
    if (IsData(node)) {
      nodes_[node].outputs[0] = AddPlaced(Home::kInput, static_cast<std::size_t>(node.Int("index", 0)),
                                          ByteSize(node.outputs()[0].desc));
    } else if (IsVariable(node)) {
      nodes_[node].outputs[0] = AddVariable({node.name(), VariableType(node), false, InitialValue(node)});
    } else if (!IsConstant(node)) {
      {
        const WeightUses uses;  // what kernels read is kept or packed
        LowerNode(node);
      }
      if (!RunsGraphs(node)) DropReadConstants(node);
    }
  }

  // Weights that nobody is going to pack any more are not there beside the packed ones.
  void DropReadConstants(const Node& node) {
    for (const Input& input : node.inputs()) {
      if (!input.source || !IsConstant(*input.source.node)) continue;
      Node& constant = *input.source.node;
      Lowered& lowered = nodes_[constant];
      const bool last = ++lowered.reads == constant.outputs()[0].consumers.size();
      if (last && !lowered.given_back) constant.attributes.erase("value");
    }
  }

  void LowerNode(Node& node) try {
    if (RunsGraphs(node)) return LowerGraphs(node);
    const OpDef& op = *FindOp(node.type());
    OpContext context(node, KnownValues(node));
    LoadWeights(node);
    std::unique_ptr<const Kernel> kernel;
    if (op.lower()) kernel = op.lower()(context);
    AliasOutputs(node, op);
    for (const int port : context.updated())
      Written(ValueOf(node.inputs()[static_cast<std::size_t>(port)]));
    AllocateOutputs(node);
    if (!kernel) return;
    Step& step = AddStep(node, std::move(kernel));
    for (std::size_t i = 0; i < node.inputs().size(); ++i)
      step.inputs.push_back(InputOf(node, i, context));
    for (const TensorValue& constant : context.added_constants())
      step.inputs.push_back(AddConstant(constant));
    AddMemory(node, step, op);
    JoinBuffers(step);
  } catch (const Error& error) {
    if (report_.empty()) code_ = error.code();
    report_ += "\n  " + error.message();
  }

  // What is packed already is not needed, where nothing else looks at it.
  static void LoadWeights(const Node& node) {
    for (const TensorValue* value : KnownValues(node))
      if (value != nullptr && !(OnlyPacksWeights(node) && !PackingsOf(*value).empty())) LoadWeight(*value);
  }

  int InputOf(const Node& node, std::size_t port, const OpContext& context) {
    const Input& input = node.inputs()[port];
    const auto& unused = context.unused();
    const bool reads = std::find(unused.begin(), unused.end(), static_cast<int>(port)) == unused.end();
    // Who looks at the node wants to see the weights it was given, not only those the kernel has packed.
    return input.source && (reads || KeepsNode(node)) ? ValueOf(input) : -1;
  }

  void LowerGraphs(Node& node) {
    LoweredControlFlow lowered = LowerControlFlow(node);
    AllocateOutputs(node);
    Step& step = AddStep(node, std::move(lowered.kernel));
    for (const Input& input : node.inputs())
      step.inputs.push_back(input.source ? ValueOf(input) : -1);
    for (const ProgramVariable& variable : lowered.variables)
      step.inputs.push_back(AddVariable(variable));
    AddMemory(node, step, OpDef(node.type()));
  }

  Step& AddStep(const Node& node, std::unique_ptr<const Kernel> kernel) {
    Step& step = program_.steps.emplace_back();
    step.name = node.name();
    step.type = node.type();
    step.kernel = std::move(kernel);
    step.outputs = nodes_[node].outputs;
    for (std::size_t i = 0; i < node.inputs().size(); ++i) {
      const Input& input = node.inputs()[i];
      const TensorType type = input.source ? node.InputType(static_cast<int>(i)) : TensorType();
      step.input_types.push_back(InMemory(type, input.view));
      AddView(step.input_views, i, input.view);
    }
    for (std::size_t i = 0; i < node.outputs().size(); ++i) {
      step.output_types.push_back(InMemory(node.outputs()[i].desc, node.outputs()[i].view));
      AddView(step.output_views, i, node.outputs()[i].view);
    }
    return step;
  }

  using View = std::shared_ptr<const StridedView>;
  // What is there from the first element on.
  static TensorType InMemory(const TensorType& type, const View& view) {
    if (!view || view->dense()) return type;
    return {type.type, Format::kNd, {static_cast<std::int64_t>(view->Span())}};
  }
  static void AddView(std::vector<View>& views, std::size_t port, const View& view) {
    if (!view || view->dense()) return;
    views.resize(port + 1);
    views[port] = view;
  }

  // Views, and outputs that have the name of an input and are that input.
  void AliasOutputs(Node& node, const OpDef& op) {
    for (const auto [input, output] : op.views())
      Alias(node, input, output);
    for (std::size_t i = 0; i < node.outputs().size(); ++i) {
      const Output& output = node.outputs()[i];
      if (!output.view) continue;
      nodes_[node].outputs[i] = FirstOf(ValueOf(output.into), *output.view, output.desc);
      Written(nodes_[node].outputs[i]);
    }
    for (std::size_t i = 0; i < node.outputs().size(); ++i) {
      const int input = node.InputIndex(node.outputs()[i].name);
      if (input < 0) continue;
      const OutputRef& source = node.inputs()[static_cast<std::size_t>(input)].source;
      if (!source || IsConstant(*source.node))
        Fail(kInvalidParam, "{} writes to its input '{}', which must be a variable and not {}",
             node.Description(), node.outputs()[i].name, source ? source.node->Description() : "empty");
      const TensorType& from = source.node->outputs()[static_cast<std::size_t>(source.port)].desc;
      if (ByteSize(node.outputs()[i].desc) != ByteSize(from))
        Fail(kInvalidParam, "{} writes to its input '{}', which is {} and becomes {}: the sizes differ",
             node.Description(), node.outputs()[i].name, ToString(from), ToString(node.outputs()[i].desc));
      Alias(node, input, static_cast<int>(i));
      Written(nodes_[node].outputs[i]);
    }
  }

  void Alias(Node& node, int input, int output) {
    nodes_[node].outputs.at(static_cast<std::size_t>(output)) =
        ValueOf(node.inputs().at(static_cast<std::size_t>(input)));
  }

  void AllocateOutputs(const Node& node) {
    for (std::size_t i = 0; i < node.outputs().size(); ++i) {
      int& value = nodes_[node].outputs[i];
      if (value >= 0) continue;
      const std::size_t bytes = ByteSize(node.outputs()[i].desc);
      buffers_.push_back({bytes, -1});
      value = AddValue({static_cast<int>(buffers_.size()) - 1, {}, bytes});
    }
  }

  int BufferOf(int value) const { return value < 0 ? -1 : values_[static_cast<std::size_t>(value)].buffer; }

  void AddMemory(const Node& node, const Step& step, const OpDef& op) {
    MemoryStep& memory = memory_.emplace_back();
    memory.workspace = step.kernel->WorkspaceBytes();
    for (const int value : step.inputs)
      if (BufferOf(value) >= 0) memory.reads.push_back(BufferOf(value));
    for (const int value : step.outputs)
      if (BufferOf(value) >= 0) memory.writes.push_back(BufferOf(value));
    for (const auto [input, output] : op.in_place()) {
      if (input >= static_cast<int>(node.inputs().size()) ||
          output >= static_cast<int>(node.outputs().size()) || !HasElementsOfOneSize(step, input, output) ||
          node.inputs()[static_cast<std::size_t>(input)].view ||
          node.outputs()[static_cast<std::size_t>(output)].view)
        continue;
      const int from = BufferOf(step.inputs[static_cast<std::size_t>(input)]);
      const int to = BufferOf(step.outputs[static_cast<std::size_t>(output)]);
      // Read through two ports, it might be read in two orders.
      const bool once = std::count(memory.reads.begin(), memory.reads.end(), from) == 1;
      if (from >= 0 && to >= 0 && from != to && once) memory.in_place.push_back({from, to});
    }
  }

  // What is only joined to something larger is made where it belongs. A buffer can be part of one only.
  void JoinBuffers(const Step& step) {
    const auto* kernel = dynamic_cast<const JoiningKernel*>(step.kernel.get());
    if (kernel == nullptr) return;
    for (const auto& [input, offset] : kernel->JoinedInputs()) {
      const int part = BufferOf(step.inputs[static_cast<std::size_t>(input)]);
      const int whole = BufferOf(step.outputs[0]);
      if (part < 0 || whole < 0 || part == whole || offset % kTensorAlignment != 0) continue;
      if (ViewAt(step.input_views, static_cast<std::size_t>(input)) != nullptr) continue;
      Buffer& buffer = buffers_[static_cast<std::size_t>(part)];
      const std::size_t bytes = ByteSize(step.input_types[static_cast<std::size_t>(input)]);
      if (buffer.whole < 0 && buffer.bytes == bytes) buffer.whole = whole, buffer.offset = offset;
    }
  }

  // Outputs of the program are where the caller wants them, neither parts nor wholes. A whole is made after
  // its parts, so it is known before them here, and what it is a part of.
  void FindParts() {
    parts_.resize(buffers_.size());
    for (std::size_t b = buffers_.size(); b-- > 0;) {
      const int whole = buffers_[b].output < 0 ? buffers_[b].whole : -1;
      if (whole < 0 || buffers_[static_cast<std::size_t>(whole)].output >= 0) continue;
      const BufferPart& outer = parts_[static_cast<std::size_t>(whole)];
      parts_[b] = {outer.whole < 0 ? whole : outer.whole, outer.offset + buffers_[b].offset};
    }
  }

  bool HasItsPlace(int buffer) const {
    const auto b = static_cast<std::size_t>(buffer);
    return buffers_[b].output >= 0 || parts_[b].whole >= 0;
  }

  // The step that makes an output writes it where the caller wants it, unless the value is also something
  // else: an input, a constant, a variable or another output. Those are copied at the end.
  void GiveBack(std::size_t index) {
    const OutputRef& output = graph_.outputs[index];
    const TensorType type = output.node->outputs().at(static_cast<std::size_t>(output.port)).desc;
    program_.outputs.push_back(type);
    const int value = ValueOf(output);
    const int buffer = BufferOf(value);
    const bool all = buffer >= 0 && values_[static_cast<std::size_t>(value)].offset == 0 &&
                     buffers_[static_cast<std::size_t>(buffer)].bytes == ByteSize(type);
    if (all && buffers_[static_cast<std::size_t>(buffer)].output < 0) {
      buffers_[static_cast<std::size_t>(buffer)].output = static_cast<int>(index);
      return;
    }
    const std::size_t bytes = ByteSize(type);
    Step& step = program_.steps.emplace_back();
    step.name = fmt::format("output {}", index);
    step.type = "Copy";
    step.kernel = std::make_unique<CopyKernel>(bytes);
    step.inputs = {value};
    step.outputs = {AddPlaced(Home::kOutput, index, bytes)};
    step.input_types = step.output_types = {type};
    MemoryStep& memory = memory_.emplace_back();
    if (buffer >= 0) memory.reads.push_back(buffer);
  }

  void PlacePlanned() {
    FindParts();
    std::vector<std::size_t> sizes;
    for (std::size_t b = 0; b < buffers_.size(); ++b)
      sizes.push_back(buffers_[b].output < 0 ? buffers_[b].bytes : 0);
    for (MemoryStep& step : memory_)
      std::erase_if(step.in_place, [&](const MemoryStep::InPlace& pair) {
        return HasItsPlace(pair.input) || HasItsPlace(pair.output);
      });
    const MemoryPlan plan = PlanMemory(sizes, memory_, parts_);
    for (std::size_t i = 0; i < program_.steps.size(); ++i)
      program_.steps[i].workspace = plan.workspaces[i];
    for (const Value& value : values_) {
      ValuePlace place = value.place;
      if (value.buffer >= 0) {
        const auto b = static_cast<std::size_t>(value.buffer);
        place = buffers_[b].output < 0
                    ? ValuePlace{Home::kArena, plan.buffers[b] + value.offset}
                    : ValuePlace{Home::kOutput, static_cast<std::size_t>(buffers_[b].output), value.offset};
      } else {
        place.offset = value.offset;
      }
      program_.values.push_back(place);
    }
    program_.arena_bytes = plan.bytes;
  }

  Graph& graph_;
  Program program_;
  std::vector<Value> values_;
  std::vector<Buffer> buffers_;
  std::vector<BufferPart> parts_;   // by buffer
  std::vector<MemoryStep> memory_;  // by step
  NodeTable<Lowered> nodes_;
  std::unordered_map<std::string, int> variables_;
  std::map<std::pair<const std::byte*, std::size_t>, int> constants_;
  std::string report_;
  Code code_ = kSuccess;
};

}  // namespace

std::shared_ptr<const Program> LowerGraph(Graph& graph) {
  return Lowering(graph).Run();
}

}  // namespace foothold
