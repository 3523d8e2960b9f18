// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// A node as the functions of a program's operator see it: types and attributes, copied, so that a kernel can
// keep them. Rules use it on one thread; after that it is only read, by any.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "custom_ops/operator_form.h"
#include "ops/op.h"

namespace foothold {

class CustomNode {
 public:
  explicit CustomNode(const OpContext& context);
  CustomNode(const CustomNode&) = delete;
  CustomNode& operator=(const CustomNode&) = delete;

  custom::NodeView& view() { return view_; }
  const custom::NodeView& view() const { return view_; }
  // What the rule said of outputs, by position.
  const std::vector<std::optional<TensorType>>& outputs_set() const { return outputs_set_; }
  // What it refused the node with.
  const std::optional<std::string>& refusal() const { return refusal_; }

 private:
  static CustomNode& Of(const custom::NodeView* view) { return *static_cast<CustomNode*>(view->library); }
  void AddTensors(const OpContext& context);
  void FillView();

  std::string name_, type_;
  Attributes attributes_;
  std::vector<TensorType> types_;  // inputs, then outputs
  std::vector<custom::Tensor> tensors_;
  std::vector<const custom::Tensor*> pointers_;
  std::size_t inputs_;
  std::vector<std::optional<TensorType>> outputs_set_;
  std::optional<std::string> refusal_;
  custom::NodeView view_{};
};

}  // namespace foothold
