// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "aclnn/by_default.h"

#include <algorithm>
#include <span>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "aclnn/types.h"
#include "ops/op.h"
#include "prototypes/prototype.h"

namespace foothold::aclnn {
namespace {

bool Contains(const std::vector<DataType>& types, DataType type) {
  return std::find(types.begin(), types.end(), type) != types.end();
}

// The first type of those that holds what this one does; itself, where there is none or nothing is declared.
DataType Widened(DataType type, const std::vector<DataType>& runs_with) {
  if (runs_with.empty() || Contains(runs_with, type) || IsComplex(type)) return type;
  if (runs_with == std::vector<DataType>{DataType::kBool}) return DataType::kBool;  // anything is a truth
  constexpr DataType kWider[] = {DataType::kInt8, DataType::kInt32, DataType::kInt64, DataType::kFloat,
                                 DataType::kDouble};
  for (const DataType wider : kWider) {
    const bool holds = type == DataType::kBool || (IsInteger(type) && IsFloat(wider)) || IsHalf(type) ||
                       type == DataType::kFloat;
    const bool keeps_kind = !IsFloat(type) || IsFloat(wider);
    if (holds && keeps_kind && wider != type && Contains(runs_with, wider)) return wider;
  }
  return type;
}

// The word at a place of "none,mean,sum".
std::string Word(const Call& call, const Binding& binding) {
  const char* name = call.parameter(binding.parameter).name;
  const std::int64_t number = call.GetInt(name);
  std::istringstream words(binding.words);
  std::string word;
  for (std::int64_t i = 0; std::getline(words, word, ','); ++i)
    if (i == number) return word;
  call.Refuse("'{}' is {}; it counts, from 0 on, {}", name, number, binding.words);
}

std::int64_t WholeNumber(const Call& call, const Parameter& given) {
  return given.kind == Kind::kScalar ? call.GetNumber(given.name).integer : call.GetInt(given.name);
}

float RealNumber(const Call& call, const Parameter& given) {
  switch (given.kind) {
    case Kind::kScalar:
      return static_cast<float>(call.GetNumber(given.name).real());
    case Kind::kReal:
      return static_cast<float>(call.GetReal(given.name));
    default:
      return static_cast<float>(call.GetInt(given.name));
  }
}

// What tools/aclnn/by_default.py lets an attribute be made of.
Attribute AttributeOf(const Call& call, const Binding& binding, PrototypeAttributeType type) {
  const Parameter& given = call.parameter(binding.parameter);
  switch (type) {
    case PrototypeAttributeType::kInt:
      return WholeNumber(call, given);
    case PrototypeAttributeType::kFloat:
      return RealNumber(call, given);
    case PrototypeAttributeType::kBool:
      return call.GetInt(given.name) != 0;
    case PrototypeAttributeType::kString:
      return binding.words != nullptr ? Word(call, binding) : call.GetText(given.name);
    case PrototypeAttributeType::kType:
      return static_cast<DataType>(call.GetInt(given.name));
    case PrototypeAttributeType::kListInt:
      if (given.kind == Kind::kInteger) return std::vector<std::int64_t>{call.GetInt(given.name)};
      return call.GetInts(given.name);
    case PrototypeAttributeType::kListFloat:
      return call.GetFloats(given.name);
    case PrototypeAttributeType::kListBool:
      return call.GetBools(given.name);
    default:
      Fail(kInner, "{} cannot set {}", call.function().name, binding.name);
  }
}

Attribute SettingOf(const Binding& binding, PrototypeAttributeType type) {
  const std::string text = binding.words;
  switch (type) {
    case PrototypeAttributeType::kInt:
      return std::int64_t{std::stoll(text)};
    case PrototypeAttributeType::kFloat:
      return std::stof(text);
    case PrototypeAttributeType::kBool:
      return text == "true";
    default:
      return text;
  }
}

// One node, for all of the call or for one member of its lists.
class DefaultNode {
 public:
  DefaultNode(Call& call, std::size_t member)
      : call_(call), member_(member), prototype_(*FindPrototype(Like().op)), op_(call.Op(Like().op)) {
    ReadTensors();
    MeetInOneType();
    for (Tensors& tensors : inputs_)
      Connect(tensors);
    for (const Binding& binding : Bindings())
      SetWhatIsNoTensor(binding);
  }

  void Write() {
    for (const Binding& binding : Bindings())
      if (binding.target == Target::kOutput) WriteOutput(binding);
  }

 private:
  struct Tensors {
    const PrototypePort* port;
    std::vector<Value> values;
    bool is_data;
  };

  const Likeness& Like() const { return call_.function().like; }
  std::span<const Binding> Bindings() const { return {Like().bindings, Like().count}; }
  const Parameter& Given(const Binding& binding) const { return call_.parameter(binding.parameter); }
  static bool IsRead(const Binding& binding) {
    return binding.target == Target::kData || binding.target == Target::kInput;
  }
  bool IsTensor(const Binding& binding) const {
    return Given(binding).kind == Kind::kTensor || Given(binding).kind == Kind::kTensorList;
  }

  // What has no dimensions counts as one of 1 for operators along dimensions.
  bool IsAlongDimensions() const {
    const auto names = {"axis", "axes", "dim", "dims"};
    return std::any_of(Bindings().begin(), Bindings().end(), [&](const Binding& binding) {
      return std::find(names.begin(), names.end(), std::string_view(binding.name)) != names.end();
    });
  }

  std::vector<Value> ValuesOf(const Parameter& given) {
    const bool lines = IsAlongDimensions();
    const auto in = [&](std::size_t index) {
      return lines ? call_.InLines(given.name, index) : call_.In(given.name, index);
    };
    if (given.kind == Kind::kTensorList && !Like().each) {
      std::vector<Value> values = call_.InAll(given.name);
      for (Value& value : values)
        if (lines && DimsOf(value).empty()) value = call_.Reshape(value, {1});
      return values;
    }
    if (given.kind == Kind::kTensorList) return {in(member_)};
    return {in(0)};
  }

  void ReadTensors() {
    for (const Binding& binding : Bindings())
      if (IsRead(binding) && IsTensor(binding) && IsThere(Given(binding)))
        inputs_.push_back(
            {prototype_.Input(binding.name), ValuesOf(Given(binding)), binding.target == Target::kData});
  }

  // Some give a tensor of nothing for what may be left out.
  bool IsThere(const Parameter& given) const {
    if (!call_.Has(given.name)) return false;
    return !given.optional || given.kind != Kind::kTensor || call_.DimsOfArgument(given.name) != Dims{0};
  }

  void MeetInOneType() {
    for (const Tensors& tensors : inputs_)
      for (const Value& value : tensors.values)
        if (tensors.is_data)
          type_ = type_ == DataType::kUndefined ? TypeOf(value).type : Promote(type_, TypeOf(value).type);
    for (const Binding& binding : Bindings())
      if (binding.target == Target::kData && Given(binding).kind == Kind::kScalar)
        type_ = PromoteWithScalar(type_, call_.GetNumber(Given(binding).name).type);
    were_truths_ = type_ == DataType::kBool;
    if (IsHalf(type_) && WantsMore()) type_ = DataType::kFloat;
    if (const OpDef* op = FindOp(Like().op)) type_ = Widened(type_, op->types());
  }

  // Some result of a type that data may have is of a wider one: it is not to be rounded on the way.
  bool WantsMore() const {
    return std::any_of(Bindings().begin(), Bindings().end(), [&](const Binding& binding) {
      if (binding.target != Target::kOutput || binding.words != nullptr || !IsThere(Given(binding)))
        return false;
      const DataType type = call_.View(Given(binding).name, MemberOf(binding)).type;
      return type == DataType::kFloat || type == DataType::kDouble;
    });
  }

  std::size_t MemberOf(const Binding& binding) const {
    return Given(binding).kind == Kind::kTensorList ? member_ : 0;
  }

  void Connect(Tensors& tensors) {
    for (Value& value : tensors.values)
      if (tensors.is_data) value = call_.To(value, type_);
    if (tensors.port->kind == PortKind::kDynamic) {
      op_.InList(tensors.port->name, tensors.values);
      if (prototype_.FindAttribute("N") != nullptr)
        op_.Set("N", static_cast<std::int64_t>(tensors.values.size()));
    } else if (!tensors.values.empty()) {
      op_.In(tensors.port->name, tensors.values[0]);
    }
  }

  void SetWhatIsNoTensor(const Binding& binding) {
    if (binding.target == Target::kSetting)
      op_.Set(binding.name, SettingOf(binding, TypeOfAttribute(binding)));
    else if (binding.target == Target::kAttribute && IsSaid(Given(binding)))
      op_.Set(binding.name, AttributeOf(call_, binding, TypeOfAttribute(binding)));
    else if (IsRead(binding) && !IsTensor(binding) && IsSaid(Given(binding)))
      op_.In(binding.name, Constant(Given(binding)));
  }

  PrototypeAttributeType TypeOfAttribute(const Binding& binding) const {
    return prototype_.FindAttribute(binding.name)->type;
  }

  // Null and texts of nothing leave what the operator does by itself.
  bool IsSaid(const Parameter& given) const {
    return call_.Has(given.name) && !(given.kind == Kind::kText && call_.GetText(given.name).empty());
  }

  Value Constant(const Parameter& given) {
    switch (given.kind) {
      case Kind::kInts:
        return call_.Ints(call_.GetInts(given.name));
      case Kind::kFloats: {
        const std::vector<float> numbers = call_.GetFloats(given.name);
        const Dims dims{static_cast<std::int64_t>(numbers.size())};
        return call_.Const(TensorValue::Of<float>(DataType::kFloat, dims, numbers));
      }
      case Kind::kScalar:
        return call_.Number(type_, call_.GetNumber(given.name));
      case Kind::kSeed:
        return call_.Seed(given.name);
      case Kind::kReal:
        return call_.Number(DataType::kFloat, call_.GetReal(given.name));
      default:
        return call_.Int(call_.GetInt(given.name));
    }
  }

  void WriteOutput(const Binding& binding) {
    const Parameter& given = Given(binding);
    if (!IsThere(given)) return;
    const std::size_t member = MemberOf(binding);
    Value value = op_.Out(binding.name);
    if (were_truths_ && call_.View(given.name, member).type == DataType::kBool)
      value = call_.To(value, DataType::kBool);
    const std::string_view way = binding.words == nullptr ? "" : binding.words;
    if (!IsStatic(DimsOf(value)))
      return call_.OutTold(given.name, value, way == "index" ? DataType::kInt64 : TypeOf(value).type);
    // Statistics beside the result have any shape with as many elements.
    if (prototype_.outputs.front().name != binding.name || way == "shaped")
      call_.OutElements(given.name, value, member);
    else
      call_.Out(given.name, value, member);
  }

  Call& call_;
  const std::size_t member_;
  const Prototype& prototype_;
  Op op_;
  std::vector<Tensors> inputs_;
  DataType type_ = DataType::kUndefined;  // of all data
  bool were_truths_ = false;              // before they were widened
};

std::size_t CountMembers(const Call& call) {
  for (std::size_t i = 0; i < call.size(); ++i)
    if (call.parameter(i).kind == Kind::kTensorList) return call.ListSize(call.parameter(i).name);
  return 0;
}

}  // namespace

void MapByDefault(Call& call) {
  const std::size_t count = call.function().like.each ? CountMembers(call) : 1;
  for (std::size_t member = 0; member < count; ++member)
    DefaultNode(call, member).Write();
}

}  // namespace foothold::aclnn
