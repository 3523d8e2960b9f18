// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Loop and Scan as While. What a step gives besides the state is appended to a list that is carried along.
#include <limits>

#include "onnx/mapping.h"
#include "onnx/maps/inner_graph.h"
#include "onnx/maps/shaping.h"

namespace foothold::onnx {
namespace {

// The list before the first step.
OutputRef EmptyList(NodeImport& node, const ValueType& element) {
  if (element.type == DataType::kUndefined)
    node.Unsupported("the element type of a result of the body is not known");
  Dims dims = {0};
  if (element.RankKnown())
    for (const std::int64_t dim : element.dims)
      dims.push_back(std::max<std::int64_t>(dim, 0));
  return node.builder().Const(TensorValue(TensorType{element.type, Format::kNd, dims}));
}

// A While under construction: what it carries, and the graph that makes the next of it. The first two are
// the number of the step and the number of steps.
class WhileBuilder {
 public:
  WhileBuilder(NodeImport& node, const ModelGraph& body, std::size_t states, std::size_t lists,
               bool condition)
      : node_(node),
        name_(node.node().name.empty() ? node.op() : node.node().name),
        has_condition_(condition),
        captures_(static_cast<std::int64_t>(FirstState() + states + lists)),
        body_(body, node.graph().report(), name_ + "/body", &node.graph(), &captures_) {
    step_ = Input("step", DataType::kInt64);
    limit_ = Input("limit", DataType::kInt64);
    if (condition) condition_ = Input("condition", DataType::kBool);
  }

  GraphImport& body() { return body_; }
  Captures& captures() { return captures_; }
  OutputRef step() const { return step_; }
  OutputRef limit() const { return limit_; }
  OutputRef condition() const { return condition_; }
  std::size_t FirstState() const { return has_condition_ ? 3 : 2; }

  // A value that is carried: what it is at first. Names of the body are bound by the caller.
  OutputRef Carry(OutputRef first, const std::string& name, const ValueType& type) {
    initial_.push_back(first);
    return body_.AddInput(name, static_cast<std::int64_t>(FirstState() + initial_.size() - 1), type);
  }

  // `next` in the order of Carry.
  OpBuilder Finish(OutputRef limit, OutputRef condition, OutputRef next_condition,
                   const std::vector<OutputRef>& next) {
    auto& outputs = body_.builder().graph()->outputs;
    GraphBuilder& inner = body_.builder();
    inner.SetPrefix("loop/");
    outputs = {inner.Op("Add", {step_, inner.Int(1)}), inner.Op("Identity", {limit_})};
    if (has_condition_) outputs.push_back(next_condition);
    outputs.insert(outputs.end(), next.begin(), next.end());
    for (const std::string& name : captures_.names())
      outputs.push_back(inner.Op("Identity", {body_.Find(name)}));
    return MakeWhile(limit, condition);
  }

 private:
  OutputRef Input(const char* name, DataType type) {
    const std::int64_t index = std::string(name) == "step" ? 0 : std::string(name) == "limit" ? 1 : 2;
    foothold::Node& data = body_.builder().Data(std::string("loop/") + name, index, {type, Format::kNd, {}});
    return {&data, 0};
  }

  std::shared_ptr<foothold::Graph> MakeCondition() const {
    GraphBuilder graph(name_ + "/cond");
    const TensorType number{DataType::kInt64, Format::kNd, {}};
    const OutputRef step{&graph.Data("step", 0, number), 0}, limit{&graph.Data("limit", 1, number), 0};
    OutputRef goes_on = graph.Op("Less", {step, limit});
    if (has_condition_) {
      const OutputRef condition{&graph.Data("condition", 2, {DataType::kBool, Format::kNd, {}}), 0};
      goes_on = graph.Op("LogicalAnd", {goes_on, condition});
    }
    graph.graph()->outputs = {goes_on};
    return graph.graph();
  }

  OpBuilder MakeWhile(OutputRef limit, OutputRef condition) {
    std::vector<OutputRef> inputs = {node_.builder().Int(0), limit};
    if (has_condition_) inputs.push_back(condition);
    inputs.insert(inputs.end(), initial_.begin(), initial_.end());
    inputs.insert(inputs.end(), captures_.values().begin(), captures_.values().end());
    OpBuilder op = node_.Op("While");
    op.InList("input", inputs).Outputs("output", inputs.size());
    AddSubgraph(op.node(), "cond", MakeCondition());
    AddSubgraph(op.node(), "body", body_.builder().graph());
    return op;
  }

  NodeImport& node_;
  std::string name_;
  bool has_condition_;
  Captures captures_;
  GraphImport body_;
  OutputRef step_, limit_, condition_;
  std::vector<OutputRef> initial_;
};

OutputRef Append(WhileBuilder& loop, OutputRef list, OutputRef element) {
  return loop.body().builder().Op("OnnxAppend", {list, element});
}

// Loop(M, cond, states...) -> (states..., lists...); body(step, cond, states...) -> (cond, states...,
// elements...)
void MapLoop(NodeImport& node) {
  const ModelGraph& body = node.Body("body");
  if (body.inputs.size() < 2 || body.outputs.size() + 1 < body.inputs.size() ||
      node.inputs() > static_cast<int>(body.inputs.size()))
    node.Unsupported("its body has {} inputs and {} outputs, which do not go together", body.inputs.size(),
                     body.outputs.size());
  const std::size_t states = body.inputs.size() - 2, lists = body.outputs.size() - 1 - states;
  WhileBuilder loop(node, body, states, lists, true);
  loop.body().Bind(body.inputs[0].name, loop.step());
  loop.body().Bind(body.inputs[1].name, loop.condition());
  for (std::size_t i = 0; i < states; ++i)
    loop.Carry(node.In(static_cast<int>(i) + 2), body.inputs[i + 2].name, body.inputs[i + 2].type);
  std::vector<OutputRef> carried_lists;
  for (std::size_t i = 0; i < lists; ++i)
    carried_lists.push_back(
        loop.Carry(EmptyList(node, body.outputs[1 + states + i].type), "loop/list" + std::to_string(i), {}));
  ImportInner(loop.body());
  std::vector<OutputRef> next;
  for (std::size_t i = 0; i < states; ++i)
    next.push_back(loop.body().Find(body.outputs[i + 1].name));
  for (std::size_t i = 0; i < lists; ++i)
    next.push_back(Append(loop, carried_lists[i], loop.body().Find(body.outputs[1 + states + i].name)));
  GraphBuilder& graph = node.builder();
  const OutputRef limit =
      node.Has(0)
          ? AsScalar(graph, node.In(0))
          : graph.Const(TensorValue::Of<std::int64_t>(
                DataType::kInt64, {}, std::vector<std::int64_t>{std::numeric_limits<std::int64_t>::max()}));
  const OutputRef condition = node.Has(1) ? AsScalar(graph, node.In(1)) : graph.Number(DataType::kBool, 1);
  const OutputRef next_condition = AsScalar(loop.body().builder(), loop.body().Find(body.outputs[0].name));
  const OpBuilder op = loop.Finish(limit, condition, next_condition, next);
  for (int i = 0; i < node.outputs(); ++i)
    node.Out(i, op.Out(i + 3));
}

struct ScanForm {
  std::size_t states, scanned, lists;
  Ints input_axes, input_directions, output_axes, output_directions;
};

ScanForm FormOf(const NodeImport& node, const ModelGraph& body, std::size_t first) {
  const auto scanned = static_cast<std::size_t>(node.Int("num_scan_inputs", 0));
  const std::size_t given = node.node().inputs.size() - first;
  if (scanned == 0 || scanned > given || body.inputs.size() != given || body.outputs.size() < given - scanned)
    node.Unsupported("{} inputs, of which {} are scanned, do not fit its body", given, scanned);
  const std::size_t states = given - scanned, lists = body.outputs.size() - states;
  const auto list = [&](const char* name, std::size_t length) {
    Ints values = node.IntList(name, Ints(length, 0));
    if (values.size() != length) node.Unsupported("attribute '{}' has {} entries", name, values.size());
    return values;
  };
  const bool old = node.version() < 9;
  return {states,
          scanned,
          lists,
          list("scan_input_axes", scanned),
          list(old ? "directions" : "scan_input_directions", scanned),
          list("scan_output_axes", lists),
          list("scan_output_directions", lists)};
}

// The list has its steps first; they go to another axis, and perhaps backwards.
OutputRef Placed(NodeImport& node, OutputRef list, const ValueType& element, std::int64_t axis,
                 bool reversed) {
  if (reversed) list = node.Op("ReverseV2", {list, node.builder().Ints({0})});
  if (axis == 0) return list;
  if (!element.RankKnown()) node.Unsupported("the number of dimensions of a result of the body is not known");
  const auto rank = static_cast<std::int64_t>(element.dims.size()) + 1;
  const std::int64_t to = axis < 0 ? axis + rank : axis;
  Ints perm;
  for (std::int64_t i = 1; i < rank; ++i)
    perm.push_back(i);
  perm.insert(perm.begin() + to, 0);
  return TransposeTo(node, list, perm);
}

// One Scan over inputs without a batch. Gives the states, then the lists.
std::vector<OutputRef> RunScan(NodeImport& node, const ModelGraph& body, const ScanForm& form,
                               const std::vector<OutputRef>& inputs) {
  WhileBuilder loop(node, body, form.states, form.lists, false);
  for (std::size_t i = 0; i < form.states; ++i)
    loop.Carry(inputs[i], body.inputs[i].name, body.inputs[i].type);
  std::vector<OutputRef> carried_lists;
  for (std::size_t i = 0; i < form.lists; ++i)
    carried_lists.push_back(
        loop.Carry(EmptyList(node, body.outputs[form.states + i].type), "loop/list" + std::to_string(i), {}));
  GraphBuilder& inner = loop.body().builder();
  inner.SetPrefix("loop/");
  for (std::size_t i = 0; i < form.scanned; ++i) {
    const std::string name = "loop/scanned" + std::to_string(i);
    const std::int64_t index = loop.captures().IndexOf(name, inputs[form.states + i]);
    const OutputRef whole = loop.body().AddInput(name, index, {});
    OutputRef at = loop.step();
    if (form.input_directions[i] != 0)
      at = inner.Op("Sub", {inner.Op("Sub", {loop.limit(), inner.Int(1)}), loop.step()});
    loop.body().Bind(body.inputs[form.states + i].name,
                     inner.Op("GatherV2", {whole, at, inner.Int(form.input_axes[i])}));
  }
  ImportInner(loop.body());
  std::vector<OutputRef> next;
  for (std::size_t i = 0; i < form.states; ++i)
    next.push_back(loop.body().Find(body.outputs[i].name));
  for (std::size_t i = 0; i < form.lists; ++i)
    next.push_back(Append(loop, carried_lists[i], loop.body().Find(body.outputs[form.states + i].name)));
  const OutputRef steps = DimensionOf(node, inputs[form.states], form.input_axes[0]);
  const OpBuilder op = loop.Finish(steps, {}, {}, next);
  std::vector<OutputRef> results;
  for (std::size_t i = 0; i < form.states + form.lists; ++i)
    results.push_back(op.Out(static_cast<int>(i + loop.FirstState())));
  for (std::size_t i = 0; i < form.lists; ++i)
    results[form.states + i] = Placed(node, results[form.states + i], body.outputs[form.states + i].type,
                                      form.output_axes[i], form.output_directions[i] != 0);
  return results;
}

void MapScan(NodeImport& node) {
  const ModelGraph& body = node.Body("body");
  const auto results = RunScan(node, body, FormOf(node, body, 0), node.AllInputs());
  for (int i = 0; i < node.outputs(); ++i)
    node.Out(i, results[static_cast<std::size_t>(i)]);
}

// Version 8 scans every element of a batch on its own.
void MapOldScan(NodeImport& node) {
  const ModelGraph& body = node.Body("body");
  const ScanForm form = FormOf(node, body, 1);
  if (node.Has(0)) node.Unsupported("sequences of different lengths are not supported");
  const Dims dims = node.TypeOf(1).dims;
  constexpr std::int64_t kMostUnrolled = 64;
  if (!RankKnown(dims) || dims.empty() || dims[0] < 1 || dims[0] > kMostUnrolled)
    node.Unsupported("the size of the batch must be known and at most {}", kMostUnrolled);
  std::vector<std::vector<OutputRef>> results(form.states + form.lists);
  for (std::int64_t i = 0; i < dims[0]; ++i) {
    std::vector<OutputRef> inputs;
    for (int input = 1; input < node.inputs(); ++input)
      inputs.push_back(node.Op("GatherV2", {node.In(input), node.builder().Int(i), node.builder().Int(0)}));
    const auto one = RunScan(node, body, form, inputs);
    for (std::size_t r = 0; r < one.size(); ++r)
      results[r].push_back(one[r]);
  }
  for (int i = 0; i < node.outputs(); ++i)
    node.Out(i, node.Op("Pack")
                    .InList("x", results[static_cast<std::size_t>(i)])
                    .Set("axis", std::int64_t{0})
                    .Set("N", dims[0]));
}

const RegisterMapping loop("Loop", MapLoop);
const RegisterMapping old_scan("Scan", MapOldScan, 8, 8);
const RegisterMapping scan("Scan", MapScan, 9);

}  // namespace
}  // namespace foothold::onnx
