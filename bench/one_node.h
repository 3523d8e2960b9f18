// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// One operator, compiled and run by itself, for benchmarks of kernels. All inputs come with the run, none is
// a constant. One thread at a time.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "ir/graph.h"
#include "ir/tensor_value.h"
#include "ops/kernel.h"

namespace bench {

class OneNode {
 public:
  explicit OneNode(const std::string& type) : node_(graph_.Make(type, "node")) {}

  OneNode& In(const std::string& port, foothold::TensorValue value);
  OneNode& NoInput(const std::string& port);
  OneNode& Attr(const std::string& name, foothold::Attribute value);
  // The node has one output; after this it can run.
  void Compile(const std::string& output);

  void Run() { kernel_->Run({inputs_.data(), &result_, workspace_.get()}); }
  const foothold::TensorValue& output() const { return output_; }

 private:
  foothold::Graph graph_;
  foothold::Node& node_;
  std::vector<foothold::TensorValue> values_;
  std::vector<const std::byte*> inputs_;  // by port
  foothold::TensorValue output_;
  std::byte* result_ = nullptr;
  std::unique_ptr<foothold::Kernel> kernel_;
  foothold::SharedBytes workspace_;
};

}  // namespace bench
