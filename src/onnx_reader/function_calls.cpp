// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "onnx_reader/function_calls.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "base/error.h"
#include "onnx_reader/model_bytes.h"

namespace foothold::onnx {
namespace {

namespace pb = ::onnx;

constexpr std::int64_t kMostNodes = 1 << 20;

// Of nodes with everything they contain or call.
struct Extent {
  std::int64_t nodes = 0;
  int height = 0;

  void Add(const Extent& other) {
    nodes = std::min(nodes + other.nodes, kMostNodes + 1);
    height = std::max(height, other.height);
  }
};

class Calls {
 public:
  explicit Calls(const pb::ModelProto& model) {
    for (const pb::FunctionProto& function : model.functions())
      functions_[{function.domain(), function.name()}].proto = &function;
  }

  template <typename Nodes>
  Extent Measure(const Nodes& nodes, int depth) {
    Extent all;
    for (const pb::NodeProto& node : nodes)
      all.Add(MeasureNode(node, depth + 1));
    ++all.height;
    if (all.nodes > kMostNodes) Fail(kParseFile, "the model has more than {} nodes", kMostNodes);
    if (depth + all.height > kMaxDepth)
      Fail(kParseFile, "graphs or functions lie more than {} deep", kMaxDepth);
    return all;
  }

 private:
  struct Function {
    const pb::FunctionProto* proto = nullptr;
    Extent extent;      // nothing: not measured yet
    bool open = false;  // being measured
  };

  Extent MeasureNode(const pb::NodeProto& node, int depth) {
    if (depth > kMaxDepth) Fail(kParseFile, "graphs or functions lie more than {} deep", kMaxDepth);
    Extent extent{1, 0};
    for (const pb::AttributeProto& attribute : node.attribute()) {
      if (attribute.has_g()) extent.Add(Measure(attribute.g().node(), depth));
      for (const pb::GraphProto& graph : attribute.graphs())
        extent.Add(Measure(graph.node(), depth));
    }
    if (functions_.empty()) return extent;
    const auto found = functions_.find({node.domain(), node.op_type()});
    if (found != functions_.end()) extent.Add(MeasureFunction(found->second, depth));
    return extent;
  }

  Extent MeasureFunction(Function& function, int depth) {
    if (function.open) Fail(kParseFile, "function '{}' calls itself", function.proto->name());
    if (function.extent.nodes == 0) {
      function.open = true;
      function.extent = Measure(function.proto->node(), depth);
      function.extent.nodes += 1;
      function.open = false;
    }
    return function.extent;
  }

  std::map<std::pair<std::string, std::string>, Function> functions_;
};

}  // namespace

void CheckFunctionCalls(const pb::ModelProto& model) {
  Calls(model).Measure(model.graph().node(), 0);
}

}  // namespace foothold::onnx
