// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Everything of a model that cannot be imported, in one text, and how much of it has been imported. One
// thread at a time.
#pragma once

#include <string>
#include <vector>

#include "onnx/model.h"

namespace foothold::onnx {

class ImportReport {
 public:
  void Add(const ModelGraph& graph, const ModelNode& node, const std::string& why);
  void AddNoMapping(const ModelGraph& graph, const ModelNode& node);
  void AddText(std::string line) { lines_.push_back(std::move(line)); }
  std::size_t size() const { return lines_.size(); }
  // For every node that is imported; graphs of nodes may be imported many times. Throws when it is enough.
  void CountNode();
  // Throws kFeatureUnsupported with all lines; nothing if there are none.
  void ThrowIfAny() const;

 private:
  std::vector<std::string> lines_;
  std::size_t nodes_ = 0;
};

// "node 'conv1' (Conv, opset 13)": how messages name a node.
std::string Describe(const ModelGraph& graph, const ModelNode& node);

}  // namespace foothold::onnx
