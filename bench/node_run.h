// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// One operator, lowered once and run again and again on the same memory, for benchmarks of kernels. One
// thread at a time.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "ir/graph.h"
#include "ir/tensor_value.h"
#include "ops/op.h"

namespace bench {

class NodeRun {
 public:
  explicit NodeRun(const std::string& type) : node_(graph_.Make(type, "op")) {}

  // Values are converted to the type; `strides` in elements make the tensor a view of them.
  NodeRun& In(const std::string& port, foothold::DataType type, const foothold::Dims& dims,
              const std::vector<float>& values, const std::vector<std::int64_t>& strides = {});
  NodeRun& Attr(const std::string& name, foothold::Attribute value);
  NodeRun& Out(const std::string& port);
  void Lower();

  void Run() const;
  std::vector<float> Output() const;  // the first one

 private:
  foothold::Graph graph_;
  foothold::Node& node_;
  std::vector<foothold::TensorValue> inputs_, outputs_;
  std::unique_ptr<foothold::Kernel> kernel_;
  foothold::SharedBytes workspace_;
  std::vector<const std::byte*> in_;
  std::vector<std::byte*> out_;
};

}  // namespace bench
