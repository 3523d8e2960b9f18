// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "single_op/single_op.h"

#include <algorithm>
#include <cstring>

#include "base/error.h"
#include "base/process_number.h"
#include "compiler/normalize.h"
#include "compiler/sources.h"
#include "launch/prepared_programs.h"
#include "model/offline_model.h"
#include "ops/op.h"
#include "single_op/op_codes.h"
#include "single_op/op_graph.h"
#include "single_op/port_layout.h"

namespace foothold {
namespace {

bool SameLayout(Format a, Format b) {
  const auto says_nothing = [](Format format) {
    return format == Format::kNd || format == Format::kUndefined;
  };
  return a == b || says_nothing(a) || says_nothing(b);
}

bool Within(const std::vector<Range>& ranges, const Dims& dims) {
  if (ranges.size() != dims.size()) return true;
  for (std::size_t i = 0; i < dims.size(); ++i)
    if (dims[i] < ranges[i].first || (ranges[i].second >= 0 && dims[i] > ranges[i].second)) return false;
  return true;
}

// Only what the operator declares; files may hold more.
std::string AttributeKey(const Node& node) {
  Attributes declared;
  const Prototype* prototype = FindPrototype(node.type());
  for (const auto& [name, value] : node.attributes)
    if (prototype != nullptr && prototype->FindAttribute(name) != nullptr) declared[name] = value;
  return KeyOf(declared);
}

std::size_t IndexOf(const Node& data) {
  return static_cast<std::size_t>(data.Int("index", 0));
}

}  // namespace

struct SingleOp::Compiled {
  Compiled(const std::shared_ptr<const Graph>& graph, Compiled* before)
      : executable(graph), of_parent(before) {}

  const std::uint64_t process = ProcessNumber::Now();
  Executable executable;
  PreparedPrograms programs;
  Compiled* const of_parent;  // maybe half changed when it forked: never ended
};

SingleOp::SingleOp(const OpCall& call) : graph_(Normalize(*MakeOpGraph(call)).graph) {
  FindNode();
  for (const TensorDesc* tensor : call.inputs)
    if (!IsAbsent(*tensor) && !HasConstant(*tensor)) ranges_.push_back(tensor->shape_ranges());
}

SingleOp::SingleOp(const OfflineModel& model) : graph_(model.graph().Clone()) {
  FindNode();
  for (const ModelPort& port : model.description().inputs)
    ranges_.push_back(port.ranges);
}

SingleOp::~SingleOp() {
  Compiled* const compiled = compiled_.load();
  if (compiled != nullptr && compiled->process == ProcessNumber::Now()) delete compiled;
}

SingleOp::Compiled& SingleOp::CompiledHere() {
  Compiled* found = compiled_.load(std::memory_order_acquire);
  if (found != nullptr && found->process == ProcessNumber::Now()) return *found;
  auto fresh = std::make_unique<Compiled>(graph_, found);
  if (compiled_.compare_exchange_strong(found, fresh.get())) return *fresh.release();
  return *found;
}

void SingleOp::FindNode() {
  for (const Node* node : graph_->nodes()) {
    if (IsSource(*node)) continue;
    if (node_ != nullptr)
      Fail(kOpLoadFailed, "graph '{}' has {} and {}; a single operator is expected", graph_->name(),
           node_->Description(), node->Description());
    node_ = node;
  }
  if (node_ == nullptr) Fail(kOpLoadFailed, "graph '{}' has no operator", graph_->name());
  attributes_ = AttributeKey(*node_);
  open_ = std::any_of(graph_->inputs.begin(), graph_->inputs.end(),
                      [](const Node* data) { return !IsStatic(data->outputs().at(0).desc.dims); });
}

bool SingleOp::TakesDims(const Node& data, const TensorDesc& tensor) const {
  const Dims& dims = tensor.shape().dims();
  return IsStatic(dims) && Compatible(dims, data.outputs().at(0).desc.dims) &&
         Within(ranges_.at(IndexOf(data)), dims);
}

bool SingleOp::TakesInput(const TensorDesc& tensor, const Input& input) const {
  if (!input.source) return false;
  const Node& source = *input.source.node;
  const TensorType& type = source.outputs().at(0).desc;
  if (!IsConstant(source) && (type.type != tensor.type() || !SameLayout(type.format, tensor.format)))
    return false;
  if (IsConstant(source) != HasConstant(tensor)) return false;
  if (!HasConstant(tensor)) return TakesDims(source, tensor);
  const TensorValue own = ConstantValue(source), given = ConstantOf(tensor);
  return own.type().type == given.type().type && own.dims() == given.dims() &&
         (own.size() == 0 || std::memcmp(own.data(), given.data(), own.size()) == 0);
}

// Puts the tensors of a call where the ports of the operator are.
class SingleOp::Matcher {
 public:
  Matcher(const SingleOp& op, const OpCall& call)
      : op_(op),
        call_(call),
        input_of_(op.node_->inputs().size(), -1),
        output_of_(op.node_->outputs().size(), -1) {
    binding_.inputs.resize(op.graph_->inputs.size(), -1);
  }

  std::optional<OpBinding> Match(const Prototype& prototype) {
    if (!PlaceInputs(LayOutInputs(prototype, call_.inputs))) return std::nullopt;
    if (!PlaceOutputs(LayOutOutputs(prototype, call_.outputs))) return std::nullopt;
    return std::move(binding_);
  }

 private:
  bool PlaceInputs(const std::vector<PortSlot>& slots) {
    for (const PortSlot& slot : slots) {
      if (slot.tensor < 0) continue;
      const int port = op_.node_->InputIndex(slot.name);
      if (port < 0) return false;
      const Input& input = op_.node_->inputs()[static_cast<std::size_t>(port)];
      if (!op_.TakesInput(*call_.inputs[static_cast<std::size_t>(slot.tensor)], input)) return false;
      if (IsData(*input.source.node)) binding_.inputs[IndexOf(*input.source.node)] = slot.tensor;
      input_of_[static_cast<std::size_t>(port)] = slot.tensor;
    }
    for (std::size_t i = 0; i < input_of_.size(); ++i)
      if (op_.node_->inputs()[i].source && input_of_[i] < 0) return false;
    return true;
  }

  bool PlaceOutputs(const std::vector<PortSlot>& slots) {
    std::size_t wanted = 0;
    for (const PortSlot& slot : slots) {
      if (slot.tensor < 0) continue;
      const int port = op_.node_->OutputIndex(slot.name);
      if (port < 0) return false;
      output_of_[static_cast<std::size_t>(port)] = slot.tensor;
      ++wanted;
    }
    for (const OutputRef& output : op_.graph_->outputs) {
      if (output_of_[static_cast<std::size_t>(output.port)] < 0) return false;
      binding_.outputs.push_back(output_of_[static_cast<std::size_t>(output.port)]);
    }
    return wanted == op_.graph_->outputs.size();
  }

  const SingleOp& op_;
  const OpCall& call_;
  std::vector<int> input_of_, output_of_;  // by port: tensor of the call, -1 none
  OpBinding binding_;
};

std::optional<OpBinding> SingleOp::Match(const OpCall& call) const {
  if (call.type != type()) return std::nullopt;
  const Prototype& prototype = PrototypeOf(call);
  if (KeyOf(CompleteAttributes(prototype, call.attribute_values())) != attributes_) return std::nullopt;
  return Matcher(*this, call).Match(prototype);
}

std::shared_ptr<PreparedProgram> SingleOp::Prepare(const OpCall& call, const OpBinding& binding,
                                                   const std::vector<const TensorValue*>& values) {
  std::vector<TensorType> types;
  for (const int tensor : binding.inputs)
    types.push_back(TypeOf(*call.inputs[static_cast<std::size_t>(tensor)]));
  Compiled& compiled = CompiledHere();
  auto plan = compiled.executable.Prepare(types, values);
  const auto has_plan = [&](const PreparedPrograms::Entry& entry) { return entry.program->plan() == plan; };
  if (auto known = compiled.programs.Find(has_plan)) return known;
  return compiled.programs.Put(std::move(types), std::make_shared<PreparedProgram>(std::move(plan), nullptr));
}

}  // namespace foothold
