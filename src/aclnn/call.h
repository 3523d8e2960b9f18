// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// A call on its way to a graph: what mappings see. They read arguments by the names of the table, make nodes
// of operators of src/ops, and say which value each output gets:
//
//   void MapRelu(Call& call) { call.Out("out", call.Op("Relu", {call.In("self")})); }
//
// Types are known as soon as a node is made. Views become contiguous values on the way in and are written
// back as views; the compiler lets operators read and write them where they are, where these can. One thread
// at a time.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "aclnn/arguments.h"
#include "aclnn/form.h"
#include "base/error.h"
#include "prototypes/graph_builder.h"

namespace foothold::aclnn {

class Call;

using Value = OutputRef;
inline const TensorType& TypeOf(const Value& value) {
  return value.node->outputs()[static_cast<std::size_t>(value.port)].desc;
}
inline const Dims& DimsOf(const Value& value) {
  return TypeOf(value).dims;
}

// A node under construction. The first use of an output says that all inputs and attributes are there.
class Op {
 public:
  Op(Call& call, OpBuilder builder) : call_(call), builder_(builder) {}

  Op& In(std::string_view port, Value value);  // nothing happens for no value
  Op& InList(std::string_view port, const std::vector<Value>& values);
  Op& Set(std::string_view attribute, Attribute value);
  Op& Outputs(std::string_view port, std::size_t count);  // instances of a dynamic output
  // For operators that ask what is wanted.
  Op& WantsDims(const Dims& dims);

  Value Out(int port = 0);
  Value Out(std::string_view port);
  operator Value() { return Out(); }

 private:
  Call& call_;
  OpBuilder builder_;
  bool inferred_ = false;
};

class Call : public Arguments {
 public:
  Call(const Function& function, const Argument* arguments);

  // Arguments. In lists, `index` is the position of the member; a member may be null.
  bool HasMember(std::string_view name, std::size_t index) const;
  std::size_t ListSize(std::string_view name) const;  // 0 for null
  Tensor View(std::string_view name, std::size_t index = 0) const;
  DataType TypeOfArgument(std::string_view name) const { return View(name).type; }
  Dims DimsOfArgument(std::string_view name) const { return View(name).dims.ToDims(); }
  bool GetFlag(std::string_view name) const { return GetInt(name) != 0; }
  DataType GetType(std::string_view name) const { return static_cast<DataType>(GetInt(name)); }
  // From a dimension that may count from the end; throws if there is none.
  std::int64_t GetAxis(std::string_view name, std::size_t rank) const;
  std::vector<std::int64_t> GetAxes(std::string_view name, std::size_t rank) const;

  // The tensor as a contiguous value of its view's dimensions.
  Value In(std::string_view name, std::size_t index = 0);
  // The same for operators along a dimension: what has none counts as one of 1, as axes of it do.
  Value InLines(std::string_view name, std::size_t index = 0);
  // No value where the program gave null, or a list of nothing, which some give instead.
  Value InIfGiven(std::string_view name) {
    return Has(name) && DimsOfArgument(name) != Dims{0} ? In(name) : Value();
  }
  std::vector<Value> InAll(std::string_view name);
  // The memory from the view's first element to its last as one dimension.
  Value Span(std::string_view name, std::size_t index = 0);
  // Memory with holes or in a layout of its own, described by the mapping: `type` in elements from the first
  // of the view.
  Value Memory(std::string_view name, std::size_t index, const TensorType& type);

  // Numbers: of scalars, of their lists and of what is passed as it is. What a mapping reads of them decides
  // about the form, so that calls with other values compile anew. A late number does not: `Asks` says what
  // has to be known of it, and the value comes with each run.
  aclnn::Number GetNumber(std::string_view name) const;
  std::vector<aclnn::Number> GetNumbers(std::string_view name) const;
  double GetReal(std::string_view name) const;
  std::vector<std::int64_t> GetInts(std::string_view name) const;
  std::size_t CountOfInts(std::string_view name) const { return Arguments::GetInts(name).size(); }
  LateNumber Late(std::string_view name, std::size_t member = 0) const;
  // Made of others, which are such of the call.
  LateNumber Late(LateNumber::Make make, const LateNumber& first, const LateNumber& second) const;
  LateNumber Late(LateNumber::Make make, const LateNumber& only) const { return Late(make, only, only); }
  bool Asks(const LateNumber& number, Question question) const;
  aclnn::Number Known(const LateNumber& number) const;  // read after all
  Value LateValue(DataType type, const LateNumber& number);
  // An array of integers, of which the form knows how many there are.
  Value LateInts(std::string_view name);
  Value Seed(std::string_view name) { return LateValue(DataType::kInt64, Late(name)); }

  // Values of the library.
  Value Const(TensorValue value) { return graph_.Const(std::move(value)); }
  Value Ints(const std::vector<std::int64_t>& values) { return graph_.Ints(values); }
  Value Int(std::int64_t value) { return graph_.Int(value); }
  Value Number(DataType type, double value) { return graph_.Number(type, value); }
  Value Number(DataType type, const aclnn::Number& value);
  Value Filled(DataType type, const Dims& dims, double value) {
    return Const(foothold::Filled(type, dims, value));
  }

  // Nodes.
  aclnn::Op Op(const std::string& type, std::initializer_list<Value> inputs = {});
  // An operator of our own, which has no prototype: its ports are those that are named. An output named like
  // an input is that input, changed, unless it is a tensor that the program only lets be read.
  aclnn::Op OwnOp(const std::string& type, std::initializer_list<std::pair<const char*, Value>> inputs,
                  std::initializer_list<const char*> outputs);
  Value To(Value value, DataType type);  // converted, if it has another type
  Value Reshape(Value value, const Dims& dims);
  Value Transpose(Value value, const std::vector<std::int64_t>& order);
  Value BroadcastTo(Value value, const Dims& dims);
  // A value whose type the mapping knows, although its operator needs a run to say.
  static Value Told(Value value, const TensorType& type);
  // The same value for operators that ask what its dimensions are.
  static Value As(Value value, Format format);

  // The value of an output (or of a tensor that is changed in place): converted to its type, written to its
  // view. Throws kParamInvalid unless the dimensions are those of the view, or both are one element; where
  // only the run tells them, the run does.
  void Out(std::string_view name, Value value, std::size_t index = 0);
  // Only the number of elements has to be that of the view.
  void OutElements(std::string_view name, Value value, std::size_t index = 0);
  // From elements of a value that lie apart by these strides, repeated to fit; `value` is of the output's
  // type.
  void OutFromView(std::string_view name, Value value, const Dims& dims, const Dims& strides,
                   std::size_t index = 0);
  // The bytes of the value, in whatever layout, where the view begins.
  void OutMemory(std::string_view name, Value value) { AddOutput(name, 0, value); }
  // Outputs that may be null.
  void OutIfGiven(std::string_view name, Value value) {
    if (Has(name)) OutElements(name, value);
  }
  // Of a size that only the run tells; there is room for the most in the tensor. `type` is what the operator
  // makes, where the node does not know.
  void OutTold(std::string_view name, Value value, DataType type);
  void OutTold(std::string_view name, Value value) { OutTold(name, value, TypeOf(value).type); }
  // A call that names no stream returns when its run has ended, not when it is queued.
  void EndsOnDefaultStream() { ends_on_default_stream_ = true; }

  // Throw with the function named: for what the program did wrong, and for forms of arguments that have no
  // kernel here. docs/aclnn.md lists the texts of the second kind.
  template <typename... Args>
  [[noreturn]] void Refuse(fmt::format_string<Args...> format, Args&&... args) const {
    FailFormatted(kParamInvalid, format, fmt::make_format_args(args...));
  }
  template <typename... Args>
  [[noreturn]] void NotSupported(fmt::format_string<Args...> format, Args&&... args) const {
    FailFormatted(kFindKernel, format, fmt::make_format_args(args...));
  }

  // What the mapping has made, compiled.
  std::shared_ptr<Form> Finish();
  // What it wanted to know.
  const AskedList& asked() const { return asked_; }

 private:
  friend class aclnn::Op;
  struct Port {
    std::string name;  // of the node
    ArgumentPlace place;
    CallInput input;
  };
  struct Written {
    ArgumentPlace place;
    bool told;  // only the run tells its size
  };

  void Infer(Node& node);
  void Compile(Form& form);
  bool IsOnlyRead(const Value& value) const;
  void OutLate(std::string_view name, std::size_t index, const Tensor& view, Value value);
  std::size_t RoomFor(const Written& output) const;
  std::size_t LateBytes(std::size_t output) const;
  ArgumentPlace PlaceOf(std::string_view name, std::size_t index) const;
  std::uint32_t TensorNumber(ArgumentPlace place) const;  // among those of the call
  void Reads(std::string_view name) const;
  Value AddInput(std::string_view name, std::size_t index, const TensorType& type);
  Value AddPort(std::string_view name, ArgumentPlace place, const CallInput& input, const TensorType& type);
  Value AddValue(const LateNumber& number, const TensorType& type);
  void AddOutput(std::string_view name, std::size_t index, Value value);
  void Write(std::string_view name, std::size_t index, const Tensor& view, Value value);
  void WriteStrided(std::string_view name, std::size_t index, const Tensor& view, Value value,
                    const Dims& value_dims, const Dims& value_strides);
  void CheckLayout(std::string_view name, const Tensor& view) const;
  void CheckConversion(std::string_view name, DataType from, DataType to) const;

  std::vector<FormTensor> tensors_;
  std::vector<std::uint32_t> first_tensor_;  // by parameter: among these
  GraphBuilder graph_;
  std::vector<Port> inputs_;
  std::vector<Written> outputs_;
  std::vector<FormValue> values_;
  mutable AskedList asked_;
  bool ends_on_default_stream_ = false;
  bool knows_types_ = true;  // of all nodes, by their rules
};

}  // namespace foothold::aclnn
