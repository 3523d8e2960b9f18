// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// A While that is being made from a Loop or a Scan: what it carries from step to step, and the graph that
// makes the next of it. It carries the number of the step, the number of steps, perhaps a condition, then
// states, then lists to which every step appends an element, then what the body reads from outside. One
// thread at a time.
#pragma once

#include "onnx/maps/inner_graph.h"

namespace foothold::onnx {

class WhileBuilder {
 public:
  struct Form {
    std::size_t states = 0, lists = 0;
    bool condition = false;
  };
  WhileBuilder(NodeImport& node, const ModelGraph& body, Form form);

  GraphImport& body() { return body_; }
  GraphBuilder& inner() { return body_.builder(); }
  // In the body.
  OutputRef step() const { return step_; }
  OutputRef limit() const { return limit_; }
  OutputRef condition() const { return condition_; }

  // `first` is what the state is before the first step; in the body it is called `name`.
  void CarryState(OutputRef first, const NamedValue& state);
  // A list without elements, which will be like `element`.
  void CarryList(const ValueType& element);
  // A value of the surrounding graph without a name of its own, in the body.
  OutputRef Capture(const std::string& name, OutputRef outside);

  // Imports the body. Its outputs from `first` on are the next states, then the next elements.
  void ImportBody(std::size_t first);
  // `condition` is outside and `next_condition` in the body; nothing without a condition.
  OpBuilder Finish(OutputRef limit, OutputRef condition = {}, OutputRef next_condition = {});

  // Where the first state is among the outputs of the While; the lists follow the states.
  int FirstState() const { return form_.condition ? 3 : 2; }

 private:
  OutputRef AddNumber(const char* name, std::int64_t index, DataType type);
  OutputRef Carry(OutputRef first, const std::string& name, const ValueType& type);
  std::shared_ptr<Graph> MakeCondition() const;

  NodeImport& node_;
  Form form_;
  std::string name_;
  Captures captures_;
  GraphImport body_;
  OutputRef step_, limit_, condition_;
  std::vector<OutputRef> initial_;  // outside: states and lists
  std::vector<OutputRef> lists_;    // in the body
  std::vector<OutputRef> next_;     // in the body
};

}  // namespace foothold::onnx
