// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "compiler/infer.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "base/error.h"
#include "compiler/control_flow.h"
#include "compiler/passes/fold_late.h"
#include "compiler/sources.h"
#include "ir/node_walk.h"
#include "ir/stored_weight.h"
#include "ops/evaluate.h"
#include "ops/op.h"
#include "prototypes/user_functions.h"

namespace foothold {
namespace {

// Folding may not make a small graph a huge program.
constexpr std::size_t kFoldedBytes = std::size_t{1} << 20;

void LoadWeights(const std::vector<const TensorValue*>& values) {
  for (const TensorValue* value : values)
    if (value != nullptr) LoadWeight(*value);
}

// The operators with most weights: the types of their outputs do not depend on them.
bool InfersFromTypes(const Node& node) {
  const std::string_view type = node.type();
  return type.starts_with("MatMul") || type.starts_with("BatchMatMul") || type.starts_with("Conv2D") ||
         type.starts_with("Gather");
}

// Who reads a value goes by its size, which must be one that can be counted.
void CheckSizes(const Node& node) {
  for (const Output& output : node.outputs()) {
    const TensorType& type = output.desc;
    if (!IsStatic(type.dims)) continue;
    try {
      if (BitsPerElement(type.type).value_or(0) == 0)
        ElementCount(type.dims);
      else
        ByteSize(type);
    } catch (const Error& error) {
      Fail(error.code(), "{}, output '{}': {}", node.Description(), output.name, error.message());
    }
  }
}

class Inference {
 public:
  Inference(Graph& graph, const std::vector<TensorType>& inputs, Before before)
      : graph_(graph), inputs_(inputs), before_(before) {}

  Inferred Run() {
    const std::vector<Node*> order = graph_.Order();
    for (Node* node : PortWalk(order))
      Visit(*node);
    if (!report_.empty()) ReportTypesWithoutKernels();
    if (!report_.empty())
      throw Error(code_, fmt::format("graph '{}' cannot be compiled:{}", graph_.name(), report_));
    return std::move(inferred_);
  }

 private:
  void Visit(Node& node) {
    if (IsSource(node)) return TypeSource(node);
    switch (ProducerState(node)) {
      case State::kFailed:
        failed_.insert(&node);
        if (!RunsGraphs(node) && FindOp(node.type()) == nullptr) ReportMissing(node);
        return;
      case State::kLate:
        inferred_.late.emplace(&node, kFollows);
        if (!RunsGraphs(node) && FindOp(node.type()) == nullptr) ReportMissing(node);
        return;
      case State::kKnown:
        break;
    }
    try {
      const WeightUses uses;  // rules and folding keep no addresses
      Infer(node);
    } catch (const ValueNotKnown& missing) {
      Postpone(node, missing.port);
    } catch (const Error& error) {
      Report(node, error.code(), error.message());
    }
  }

  // What nobody computes is not known later either.
  void Postpone(Node& node, int port) {
    const auto index = static_cast<std::size_t>(port);
    if (port >= 0 && (index >= node.inputs().size() || !node.inputs()[index].source))
      return Report(
          node, kInvalidParam,
          fmt::format("{} needs the value of input {}, which has no source", node.Description(), port));
    inferred_.late.emplace(&node, port);
  }

  void Infer(Node& node) {
    AdoptFormats(node);
    if (RunsGraphs(node)) return InferControlFlow(node);
    const OpDef* op = FindOp(node.type());
    if (op == nullptr) return InferUserOperator(node);
    const auto values = KnownValues(node);
    if (!InfersFromTypes(node)) LoadWeights(values);
    if (op->evaluate()) {
      if (!AllKnown(node, values)) throw ValueNotKnown(kWhole);
      return Fold(node, values);
    }
    const auto declared = DeclaredFormats(node);
    if (before_ == Before::kNothing || !HasTypes(node)) {
      OpContext context(node, values);
      op->infer()(context);
    }
    CheckSizes(node);
    for (std::size_t i = 0; i < declared.size(); ++i)
      if (Format& format = node.outputs()[i].desc.format; format == Format::kNd) format = declared[i];
    known_.push_back(&node);
    if (IsFoldable(node, *op, values)) Fold(node, values);
  }

  static bool HasTypes(const Node& node) {
    return std::all_of(node.outputs().begin(), node.outputs().end(), [](const Output& output) {
      return output.desc.type != DataType::kUndefined && IsStatic(output.desc.dims);
    });
  }

  // Without a kernel the compilation fails, but what the program's own functions say lets the report go on
  // behind the node.
  void InferUserOperator(Node& node) {
    ReportMissing(node);
    for (std::size_t i = 0; i < node.inputs().size(); ++i) {
      Input& input = node.inputs()[i];
      if (input.source) static_cast<TensorType&>(input.desc) = node.InputType(static_cast<int>(i));
    }
    using Kind = UserFunctionKind;
    bool inferred = false;
    for (const Kind kind : {Kind::kVerify, Kind::kInferFormat, Kind::kInferShape}) {
      const NodeFunction function = FindUserFunction(node.type(), kind);
      if (!function) continue;
      function(node);
      inferred = kind == Kind::kInferShape;
    }
    if (inferred && HasTypes(node)) failed_.erase(&node);
  }

  // The compilation has failed anyway: say also what lowering would have found.
  void ReportTypesWithoutKernels() {
    for (Node* node : known_)
      try {
        const WeightUses uses;
        LoadWeights(KnownValues(*node));
        OpContext context(*node, KnownValues(*node));
        if (const auto& lower = FindOp(node->type())->lower()) lower(context);
      } catch (const Error& error) {
        Report(*node, error.code(), error.message());
      }
  }

  void TypeSource(Node& node) {
    PortDesc& desc = node.outputs().at(0).desc;
    if (IsData(node)) {
      const Format declared = desc.format;
      static_cast<TensorType&>(desc) = inputs_.at(static_cast<std::size_t>(node.Int("index", 0)));
      if (desc.format == Format::kNd) desc.format = declared;
    } else if (IsConstant(node)) {
      const Format declared = desc.format;
      static_cast<TensorType&>(desc) = ConstantValue(node).type();
      if (desc.format == Format::kNd) desc.format = declared;
    } else {
      static_cast<TensorType&>(desc) = VariableType(node);
      if (!IsStatic(desc.dims))
        Report(node, kInvalidParam,
               fmt::format("{}: a variable needs a known shape, not {}", node.Description(),
                           ToString(desc.dims)));
    }
  }

  // What a consumer says about the layout of its input counts where the producer says nothing.
  static void AdoptFormats(Node& node) {
    for (Input& input : node.inputs()) {
      if (!input.source || !input.desc.set || input.desc.format == Format::kNd) continue;
      Format& format = input.source.node->outputs()[static_cast<std::size_t>(input.source.port)].desc.format;
      if (format == Format::kNd) format = input.desc.format;
    }
  }

  static std::vector<Format> DeclaredFormats(const Node& node) {
    std::vector<Format> formats;
    for (const Output& output : node.outputs())
      formats.push_back(output.desc.set ? output.desc.format : Format::kNd);
    return formats;
  }

  enum class State { kKnown, kLate, kFailed };
  State ProducerState(const Node& node) const {
    State state = State::kKnown;
    const auto look = [&](const Node& producer) {
      if (failed_.count(&producer) != 0) state = State::kFailed;
      if (state == State::kKnown && inferred_.late.count(&producer) != 0) state = State::kLate;
    };
    for (const Input& input : node.inputs())
      if (input.source) look(*input.source.node);
    for (const Node* producer : node.control_inputs())
      look(*producer);
    return state;
  }

  static bool AllKnown(const Node& node, const std::vector<const TensorValue*>& values) {
    for (std::size_t i = 0; i < values.size(); ++i)
      if (node.inputs()[i].source && values[i] == nullptr) return false;
    return true;
  }

  static bool IsFoldable(const Node& node, const OpDef& op, const std::vector<const TensorValue*>& values) {
    if (op.stateful() || FoldsLate(node) || node.outputs().empty() || !node.control_outputs().empty())
      return false;
    if (!op.from_types() && !AllKnown(node, values)) return false;
    std::size_t in = 0, out = 0;
    for (const TensorValue* value : values)
      in += value == nullptr ? 0 : value->size();
    for (const Output& output : node.outputs())
      out += ByteSize(output.desc);
    return out <= std::max(in, kFoldedBytes);
  }

  void Fold(Node& node, const std::vector<const TensorValue*>& values) {
    LoadWeights(values);
    std::vector<TensorValue> results = EvaluateNode(node, values);
    for (std::size_t i = 0; i < results.size(); ++i) {
      TensorType type = results[i].type();
      type.format = node.outputs()[i].desc.format;
      results[i].set_type(type);
      const std::string name = i == 0 ? node.name() : fmt::format("{}:{}", node.name(), i);
      Node& constant = MakeConstant(graph_, name, std::move(results[i]));
      const OutputRef from{&node, static_cast<int>(i)}, to{&constant, 0};
      ReplaceUses(from, to);
      graph_.outputs.Replace(from, to);
    }
  }

  void ReportMissing(Node& node) {
    Report(node, kFeatureUnsupported,
           fmt::format("{}: there is no kernel for this operator", node.Description()));
  }

  void Report(Node& node, Code code, const std::string& text) {
    failed_.insert(&node);
    if (report_.empty()) code_ = code;
    report_ += "\n  " + text;
  }

  Graph& graph_;
  const std::vector<TensorType>& inputs_;
  const Before before_;
  Inferred inferred_;
  std::unordered_set<const Node*> failed_;
  std::vector<Node*> known_;
  std::string report_;
  Code code_ = kSuccess;
};

}  // namespace

std::vector<const TensorValue*> KnownValues(const Node& node) {
  std::vector<const TensorValue*> values;
  for (const Input& input : node.inputs()) {
    const bool known = input.source && !input.view && IsConstant(*input.source.node);
    values.push_back(known ? &ConstantValue(*input.source.node) : nullptr);
  }
  return values;
}

Inferred InferTypes(Graph& graph, const std::vector<TensorType>& inputs, Before before) {
  return Inference(graph, inputs, before).Run();
}

}  // namespace foothold
