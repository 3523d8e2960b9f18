// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "onnx/maps/while_builder.h"

#include <algorithm>

namespace foothold::onnx {

WhileBuilder::WhileBuilder(NodeImport& node, const ModelGraph& body, Form form)
    : node_(node),
      form_(form),
      name_(node.node().name.empty() ? node.node().op : node.node().name),
      captures_(FirstState() + static_cast<std::int64_t>(form.states + form.lists)),
      body_(body, node.graph().report(), name_ + "/body", &node.graph(), &captures_) {
  step_ = AddNumber("loop/step", 0, DataType::kInt64);
  limit_ = AddNumber("loop/limit", 1, DataType::kInt64);
  if (form.condition) condition_ = AddNumber("loop/condition", 2, DataType::kBool);
}

OutputRef WhileBuilder::AddNumber(const char* name, std::int64_t index, DataType type) {
  return {&inner().Data(name, index, {type, Format::kNd, {}}), 0};
}

OutputRef WhileBuilder::Carry(OutputRef first, const std::string& name, const ValueType& type) {
  initial_.push_back(first);
  return body_.AddInput(name, FirstState() + static_cast<std::int64_t>(initial_.size()) - 1, type);
}

void WhileBuilder::CarryState(OutputRef first, const NamedValue& state) {
  body_.Bind(state.value, Carry(first, state.name, state.type));
}

void WhileBuilder::CarryList(const ValueType& element) {
  if (element.type == DataType::kUndefined)
    node_.Unsupported("the element type of a result of the body is not known");
  Dims dims = {0};
  if (element.RankKnown())
    for (const std::int64_t dim : element.dims)
      dims.push_back(std::max<std::int64_t>(dim, 0));
  const OutputRef empty = node_.builder().Const(TensorValue(TensorType{element.type, Format::kNd, dims}));
  const ValueType list{ValueType::Kind::kTensor, element.type, {kUnknownRank}};
  lists_.push_back(Carry(empty, "loop/list" + std::to_string(lists_.size()), list));
}

OutputRef WhileBuilder::Capture(const std::string& name, OutputRef outside) {
  return body_.AddCapturedInput(captures_.Add(outside), name, {});
}

void WhileBuilder::ImportBody(std::size_t first) {
  ImportInner(body_);
  inner().SetPrefix("loop/");
  for (std::size_t i = 0; i < form_.states; ++i)
    next_.push_back(body_.Find(body_.from().outputs[first + i].value));
  for (std::size_t i = 0; i < form_.lists; ++i) {
    const OutputRef element = body_.Find(body_.from().outputs[first + form_.states + i].value);
    next_.push_back(inner().Op("OnnxAppend", {lists_[i], element}));
  }
}

OpBuilder WhileBuilder::Finish(OutputRef limit, OutputRef condition, OutputRef next_condition) {
  inner().SetPrefix("loop/");
  std::vector<OutputRef> next = {inner().Op("Add", {step_, inner().Int(1)}), limit_};
  std::vector<OutputRef> inputs = {node_.builder().Int(0), limit};
  if (form_.condition) next.push_back(next_condition);
  if (form_.condition) inputs.push_back(condition);
  next.insert(next.end(), next_.begin(), next_.end());
  inputs.insert(inputs.end(), initial_.begin(), initial_.end());
  for (std::size_t i = 0; i < captures_.values().size(); ++i) {
    next.push_back(body_.CapturedInput(i));
    inputs.push_back(captures_.values()[i]);
  }
  inner().graph()->outputs = next;
  OpBuilder op = node_.Op("While");
  op.InList("input", inputs).Outputs("output", inputs.size());
  AddSubgraph(op.node(), "cond", MakeCondition());
  AddSubgraph(op.node(), "body", inner().graph());
  return op;
}

std::shared_ptr<Graph> WhileBuilder::MakeCondition() const {
  GraphBuilder graph(name_ + "/cond");
  const TensorType number{DataType::kInt64, Format::kNd, {}};
  const OutputRef step{&graph.Data("step", 0, number), 0}, limit{&graph.Data("limit", 1, number), 0};
  OutputRef goes_on = graph.Op("Less", {step, limit});
  if (form_.condition) {
    const OutputRef condition{&graph.Data("condition", 2, {DataType::kBool, Format::kNd, {}}), 0};
    goes_on = graph.Op("LogicalAnd", {goes_on, condition});
  }
  graph.graph()->outputs = {goes_on};
  return graph.graph();
}

}  // namespace foothold::onnx
