// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// How an operator is described, and what its rules see. Operator files register themselves at load time with
//
//   const RegisterOp softmax_v2(OpDef("SoftmaxV2").Infer(SameAsInput).Lower(LowerSoftmax).InPlace(0, 0));
//
// Rules are called on any thread, several at a time, for different nodes.
#pragma once

#include <fmt/core.h>

#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ir/node.h"
#include "ir/strided_view.h"
#include "ir/tensor_value.h"
#include "ops/kernel.h"

namespace foothold {

// Thrown by OpContext::Needed: the rule cannot decide before this input has been computed. The compiler then
// ends a stage of the program before the node and asks again when the value is there.
struct ValueNotKnown : std::exception {
  explicit ValueNotKnown(int input) : port(input) {}
  int port;
  const char* what() const noexcept override { return "a value that decides the shape is not known yet"; }
};

// A node as its rules see it. All shapes that arrive are known.
class OpContext {
 public:
  // `values` by input port: the value where it is known, else null. They outlive this.
  OpContext(Node& node, std::vector<const TensorValue*> values) : node_(node), values_(std::move(values)) {}

  const Node& node() const { return node_; }

  // Ports by position or by name; a name that does not exist is an internal error.
  int inputs() const { return static_cast<int>(node_.inputs().size()); }
  int outputs() const { return static_cast<int>(node_.outputs().size()); }
  int Port(std::string_view input) const;
  bool Has(int port) const;  // connected
  bool Has(std::string_view input) const;
  const TensorType& In(int port) const { return node_.InputType(port); }
  const TensorType& In(std::string_view input) const { return In(Port(input)); }
  const Dims& InDims(int port) const { return In(port).dims; }
  const TensorType& Out(int port) const;

  // The value of an input if it is known now (a constant), else null.
  const TensorValue* Value(int port) const;
  const TensorValue* Value(std::string_view input) const { return Value(Port(input)); }
  // The value of an input that decides shapes or the way of computing: axes, sizes, paddings.
  const TensorValue& Needed(int port) const;
  const TensorValue& Needed(std::string_view input) const { return Needed(Port(input)); }
  // The same as integers.
  std::vector<std::int64_t> NeededInts(std::string_view input) const;

  // Infer only: says what an output is. Format: usually that of the data input.
  void SetOut(int port, TensorType type);
  void SetOut(int port, DataType type, Dims dims, Format format);

  // Lower only. Adds a constant that runs find at inputs[result]: packed weights, tables. It lives and moves
  // with the constants of the program.
  int AddConstant(TensorValue value);
  // Lower only. The kernel does not read this input, so nobody need keep it.
  void SetUnused(int port);
  // Lower only. The kernel writes this input where it stands although it is no output. Refuses constants.
  void SetUpdated(int port);

  // Throw with the node named: kInvalidParam for what the program did wrong, kFeatureUnsupported for what has
  // no kernel; the report of a failed compilation lists all such nodes.
  template <typename... Args>
  [[noreturn]] void Refuse(fmt::format_string<Args...> format, Args&&... args) const {
    RefuseText(fmt::format(format, std::forward<Args>(args)...));
  }
  template <typename... Args>
  [[noreturn]] void Unsupported(fmt::format_string<Args...> format, Args&&... args) const {
    UnsupportedText(fmt::format(format, std::forward<Args>(args)...));
  }

  const std::vector<TensorValue>& added_constants() const { return added_constants_; }
  const std::vector<int>& unused() const { return unused_; }
  const std::vector<int>& updated() const { return updated_; }

 private:
  [[noreturn]] void RefuseText(std::string text) const;
  [[noreturn]] void UnsupportedText(std::string text) const;

  Node& node_;
  std::vector<const TensorValue*> values_;
  std::vector<TensorValue> added_constants_;
  std::vector<int> unused_;
  std::vector<int> updated_;
};

class OpDef {
 public:
  using InferRule = std::function<void(OpContext&)>;
  using LowerRule = std::function<std::unique_ptr<Kernel>(OpContext&)>;
  using EvaluateRule = std::function<std::vector<TensorValue>(const OpContext&)>;
  // Whether the kernel for these types reads this view at an input.
  using ReadsViewRule = std::function<bool(const OpContext&, int port, const StridedView&)>;
  // What an output is as elements of what the input is a view of; nothing where no strides say that.
  using SelectRule =
      std::function<std::optional<StridedView>(const OpContext&, int output, const StridedView&)>;

  explicit OpDef(std::string type) : type_(std::move(type)) {}

  // Sets every output with SetOut. Throws through Refuse what cannot be.
  OpDef& Infer(InferRule rule);
  // Makes the kernel. Throws through Unsupported for types it has no loop for.
  OpDef& Lower(LowerRule rule);
  // Instead of Infer and Lower, where the data decide the shape of an output (Where, Unique): all inputs are
  // given as values, the outputs come back as such, and say what they are. Several runs share the node.
  OpDef& Evaluate(EvaluateRule rule);
  // Output `output` is input `input` with the same bytes under another shape: nothing to do, no memory.
  OpDef& View(int input = 0, int output = 0);
  // The kernel may get the same memory for both (equal size in bytes); it reads an element before it writes
  // it.
  OpDef& InPlace(int input, int output);
  // Inputs of these declared ports (none named: all) may have strides (ops/strided_view.h): passes fold what
  // would only gather a copy into them. No rule: any strides.
  OpDef& ReadsViews(std::vector<std::string> ports = {}, ReadsViewRule rule = nullptr);
  // Of inputs that have views already: whether the kernel reads all of them as they are.
  OpDef& ViewsTogether(std::function<bool(const OpContext&)> rule);
  // Output 0 may have strides (WrittenViewOf), where it is element-wise (ops/elementwise/element_step.h).
  OpDef& WritesViews();
  // The outputs are elements of an input, in an order and as often as strides can say: who reads views needs
  // no copy of them.
  OpDef& Selects(std::string input, SelectRule rule);
  // Runs although nobody reads its outputs, and is never computed at compile time.
  OpDef& Stateful();
  // The outputs follow from the types of the inputs alone (Shape), so they are constants once those are
  // known.
  OpDef& FromTypes();
  // The element types of its data it runs with, for the documentation (tools/ops/list_operators.cpp).
  OpDef& Types(std::vector<DataType> types);

  const std::string& type() const { return type_; }
  const InferRule& infer() const { return infer_; }
  const LowerRule& lower() const { return lower_; }
  const EvaluateRule& evaluate() const { return evaluate_; }
  bool stateful() const { return stateful_; }
  bool from_types() const { return from_types_; }
  struct PortPair {
    int input;
    int output;
  };
  const std::vector<PortPair>& views() const { return views_; }
  const std::vector<PortPair>& in_place() const { return in_place_; }
  const std::vector<DataType>& types() const { return types_; }
  // Whether an input that is connected may have this view.
  bool ReadsView(const OpContext& context, int port, const StridedView& view) const;
  bool ReadsTogether(const OpContext& context) const { return !together_ || together_(context); }
  bool reads_views() const { return reads_views_; }
  const std::vector<std::string>& view_ports() const { return view_ports_; }  // empty: all
  bool writes_views() const { return writes_views_; }
  const std::string& selected_input() const { return selected_input_; }
  const SelectRule& select() const { return select_; }

 private:
  std::string type_;
  InferRule infer_;
  LowerRule lower_;
  EvaluateRule evaluate_;
  std::vector<PortPair> views_;
  std::vector<PortPair> in_place_;
  std::vector<DataType> types_;
  std::vector<std::string> view_ports_;
  ReadsViewRule reads_view_;
  std::function<bool(const OpContext&)> together_;
  std::string selected_input_;
  SelectRule select_;
  bool reads_views_ = false;
  bool writes_views_ = false;
  bool stateful_ = false;
  bool from_types_ = false;
};

// Null: the operator has no kernel here.
const OpDef* FindOp(std::string_view type);
// All that are registered, by name.
std::vector<const OpDef*> AllOps();

// A type registered twice is a mistake of ours: the first counts, and a test looks here.
const std::vector<std::string>& OpsRegisteredTwice();

// At namespace scope of an operator's file.
class RegisterOp {
 public:
  explicit RegisterOp(OpDef op);
  explicit RegisterOp(std::vector<OpDef> ops);
};

// Rules many operators share.
void SameAsInput(OpContext& context);  // every output is like input 0

}  // namespace foothold
