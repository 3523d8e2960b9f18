// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "samples/on_graph.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>

#include "aclnn/elements.h"
#include "compiler/executable.h"
#include "compiler/normalize.h"
#include "launch/variables.h"
#include "ops/op.h"
#include "program/execution.h"
#include "prototypes/graph_builder.h"
#include "prototypes/prototype.h"

namespace samples {
namespace {

using namespace foothold;  // NOLINT: this file is where both sides meet
using nn::Values;

DataType TypeOf(aclDataType type) {
  return static_cast<DataType>(static_cast<int>(type));
}

TensorValue ValueOf(const TensorType& type, const std::vector<std::byte>& bytes) {
  TensorValue value(type);
  std::copy_n(bytes.begin(), std::min(bytes.size(), value.size()), value.mutable_data());
  return value;
}

std::vector<std::int64_t> IntegersOf(const Setting& setting) {
  return {setting.numbers.begin(), setting.numbers.end()};
}

template <typename T>
std::vector<T> ListOf(const Setting& setting) {
  std::vector<T> list;
  for (const double number : setting.numbers)
    list.push_back(static_cast<T>(number));
  return list;
}

Attribute AttributeOf(PrototypeAttributeType type, const Setting& setting) {
  const double number = setting.numbers.empty() ? 0 : setting.numbers[0];
  switch (type) {
    case PrototypeAttributeType::kInt:
      return static_cast<std::int64_t>(number);
    case PrototypeAttributeType::kFloat:
      return static_cast<float>(number);
    case PrototypeAttributeType::kBool:
      return number != 0;
    case PrototypeAttributeType::kString:
      return setting.text;
    case PrototypeAttributeType::kType:
      return static_cast<DataType>(static_cast<int>(number));
    case PrototypeAttributeType::kListInt:
      return IntegersOf(setting);
    case PrototypeAttributeType::kListFloat:
      return ListOf<float>(setting);
    case PrototypeAttributeType::kListBool:
      return ListOf<bool>(setting);
    default:
      throw std::invalid_argument("samples do not set attributes of this type");
  }
}

// The graph of a case, with what goes into it.
class OneOperator {
 public:
  explicit OneOperator(const Case& one)
      : one_(one), prototype_(FindPrototype(one.sample->op)), inputs_(one.MakeInputs()), graph_("sample") {
    if (prototype_ == nullptr) throw std::invalid_argument("no prototype of " + one.sample->op);
    for (const nn::Tensor& input : inputs_)
      values_.push_back(AddInput(input));
    Build();
  }

  const std::vector<nn::Tensor>& inputs() const { return inputs_; }
  const std::vector<TensorValue>& given() const { return given_; }
  std::shared_ptr<Graph> graph() const { return graph_.graph(); }

 private:
  OutputRef Data(const TensorType& type, const std::vector<std::byte>& bytes) {
    const auto index = static_cast<std::int64_t>(given_.size());
    Node& data = graph_.Data("x" + std::to_string(index), index, type);
    given_.push_back(ValueOf(type, bytes));
    return {&data, 0};
  }

  OutputRef AddInput(const nn::Tensor& tensor) {
    const DataType type = TypeOf(tensor.type());
    if (tensor.strides() == nn::ContiguousStrides(tensor.dims()) && tensor.offset() == 0)
      return Data({type, Format::kNd, tensor.dims()}, tensor.Memory());
    const std::vector<std::byte> memory = tensor.Memory();
    const auto span = static_cast<std::int64_t>(memory.size() / aclDataTypeSize(tensor.type()));
    const OutputRef whole = Data({type, Format::kNd, {span}}, memory);
    return graph_.Op("AsStrided", {whole, graph_.Ints(tensor.dims()), graph_.Ints(tensor.strides()),
                                   graph_.Ints({tensor.offset()})});
  }

  const Setting* Find(const std::string& name) const {
    for (const auto& [known, setting] : one_.form.settings)
      if (known == name) return &setting;
    return nullptr;
  }

  // A constant in the type the port asks for.
  OutputRef Constant(const PrototypePort& port, const Setting& setting) {
    if (setting.kind == Setting::Kind::kNone) return {};
    const DataTypeSet types = prototype_->TypesOf(port);
    const bool real = setting.kind == Setting::Kind::kReal;
    const DataType type = real                                                ? TypeOf(one_.type)
                          : types.Contains(DataType::kInt64) || types.empty() ? DataType::kInt64
                                                                              : DataType::kInt32;
    if (setting.kind != Setting::Kind::kList) return graph_.Number(type, setting.numbers.at(0));
    if (type == DataType::kInt64) return graph_.Ints(IntegersOf(setting));
    const std::vector<std::int32_t> narrow = ListOf<std::int32_t>(setting);
    return graph_.Const(TensorValue::Of<std::int32_t>(type, {static_cast<std::int64_t>(narrow.size())},
                                                      {narrow.data(), narrow.size()}));
  }

  void Connect(OpBuilder& op, const PrototypePort& port, const Argument& argument) {
    if (argument.kind == Argument::Kind::kInputs) {
      std::vector<OutputRef> members;
      for (const std::size_t place : argument.places)
        members.push_back(values_.at(place));
      if (port.kind == PortKind::kDynamic)
        op.InList(port.name, members);
      else
        op.In(port.name, members.at(0));
      return;
    }
    const Setting* setting =
        argument.kind == Argument::Kind::kNamed ? Find(argument.setting.text) : &argument.setting;
    if (setting != nullptr) op.In(port.name, Constant(port, *setting));
  }

  Arguments DefaultArguments() const {
    Arguments arguments;
    std::size_t next = 0;
    for (const PrototypePort& port : prototype_->inputs) {
      if (Find(port.name) != nullptr) {
        arguments.push_back(V(port.name.c_str()));
      } else if (port.kind == PortKind::kDynamic) {
        std::vector<std::size_t> rest;
        while (next < values_.size())
          rest.push_back(next++);
        arguments.push_back(Xs(std::move(rest)));
      } else if (next < values_.size()) {
        arguments.push_back(X(next++));
      }
    }
    return arguments;
  }

  void Build() {
    OpBuilder op = graph_.Op(one_.sample->op);
    const Arguments arguments =
        one_.sample->graph_inputs.empty() ? DefaultArguments() : one_.sample->graph_inputs;
    for (std::size_t i = 0; i < arguments.size(); ++i)
      Connect(op, prototype_->inputs.at(i), arguments[i]);
    for (const auto& [name, setting] : one_.form.settings)
      if (const PrototypeAttribute* attribute = prototype_->FindAttribute(name))
        op.Set(name, AttributeOf(attribute->type, setting));
    const std::size_t outputs = one_.Expected(inputs_).size();
    for (const PrototypePort& port : prototype_->outputs)
      if (port.kind == PortKind::kDynamic) op.Outputs(port.name, outputs);
    for (std::size_t i = 0; i < outputs; ++i)
      graph_.graph()->outputs.push_back(op.Out(static_cast<int>(i)));
  }

  const Case& one_;
  const Prototype* prototype_;
  std::vector<nn::Tensor> inputs_;
  GraphBuilder graph_;
  std::vector<OutputRef> values_;
  std::vector<TensorValue> given_;
};

// Memory of outputs and arenas, with bytes around it that nobody may write.
class Guarded {
 public:
  explicit Guarded(std::size_t bytes) : block_(AllocateBytes(bytes + 2 * kGuard)), bytes_(bytes) {
    std::memset(block_.get(), kFill, bytes + 2 * kGuard);
  }
  std::byte* data() const { return block_.get() + kGuard; }
  void Check() const {
    for (std::size_t i = 0; i < kGuard; ++i)
      if (block_[i] != std::byte{kFill} || block_[kGuard + bytes_ + i] != std::byte{kFill}) {
        ADD_FAILURE() << "the run wrote beside an output or its arena of " << bytes_ << " bytes";
        return;
      }
  }

 private:
  static constexpr std::size_t kGuard = 256;
  static constexpr int kFill = 0x5a;
  SharedBytes block_;
  std::size_t bytes_;
};

std::vector<TensorValue> RunGuarded(const std::shared_ptr<const Program>& program,
                                    const std::vector<TensorValue>& inputs) {
  std::vector<Guarded> memory;
  std::vector<const std::byte*> in;
  std::vector<std::byte*> out, variables;
  for (const TensorValue& input : inputs)
    in.push_back(input.data());
  for (const TensorType& type : program->outputs)
    out.push_back(memory.emplace_back(ByteSize(type)).data());
  const Guarded& arena = memory.emplace_back(program->arena_bytes);
  Variables store;
  for (const ProgramVariable& variable : program->variables)
    variables.push_back(store.Memory(variable));
  Execution execution(program);
  execution.Bind(arena.data(), variables);
  execution.Run(in, out);
  std::vector<TensorValue> results;
  for (std::size_t i = 0; i < out.size(); ++i) {
    TensorValue& result = results.emplace_back(TensorType(program->outputs[i]));
    std::copy_n(out[i], result.size(), result.mutable_data());
  }
  for (const Guarded& one : memory)
    one.Check();
  return results;
}

std::vector<TensorValue> Run(const OneOperator& op) {
  std::vector<TensorType> types;
  for (const TensorValue& value : op.given())
    types.push_back(value.type());
  const NormalGraph normal = Normalize(*op.graph());
  Executable executable(normal.graph);
  const auto plan = executable.Prepare(types);
  if (!plan->rest) return RunGuarded(plan->program, op.given());
  Variables variables;
  return RunStages(*plan, op.given(), variables);
}

Values NumbersOf(const TensorValue& value, aclDataType type) {
  const std::size_t parts = nn::PartsOf(type), bytes = aclDataTypeSize(type);
  Values numbers(value.size() / bytes * parts);
  for (std::size_t i = 0; i * bytes < value.size(); ++i)
    nn::ReadElement(type, value.data() + i * bytes, &numbers[i * parts]);
  return numbers;
}

void ExpectOutput(const Case& one, std::size_t output, const TensorValue& found, const Block& expected) {
  EXPECT_EQ(found.type().type, TypeOf(one.OutputType(output))) << "type of output " << output;
  EXPECT_EQ(found.dims(), expected.dims) << "dimensions of output " << output;
  if (found.type().type == TypeOf(one.OutputType(output)) && found.dims() == expected.dims)
    one.ExpectResult(output, NumbersOf(found, one.OutputType(output)), expected);
}

}  // namespace

void RunGraph(const Case& one) {
  try {
    const OneOperator op(one);
    const std::vector<Block> expected = one.Expected(op.inputs());
    std::vector<TensorValue> before;
    for (const TensorValue& value : op.given())
      before.push_back(value.Clone());
    const std::vector<TensorValue> found = Run(op);
    for (std::size_t i = 0; i < before.size(); ++i)
      EXPECT_EQ(std::memcmp(before[i].data(), op.given()[i].data(), before[i].size()), 0)
          << "the run changed input " << i;
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i)
      ExpectOutput(one, i, found[i], expected[i]);
  } catch (const std::exception& error) {
    ADD_FAILURE() << error.what();
  }
}

std::vector<aclDataType> DeclaredTypes(const std::string& op) {
  std::vector<aclDataType> types;
  const OpDef* def = FindOp(op);
  if (def == nullptr) return types;
  for (const DataType type : def->types()) {
    const auto one = static_cast<aclDataType>(static_cast<int>(type));
    if (one == ACL_BOOL || IsFloating(one) || std::ranges::count(IntegerTypes(), one) > 0)
      types.push_back(one);
  }
  return types;
}

}  // namespace samples
