// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "onnx_reader/newer_types.h"

#include <algorithm>
#include <array>

namespace foothold::onnx {
namespace {

namespace pb = ::onnx;

// What is known of the shape of the output.
enum class Form { kSame, kSameChannels, kSameRank, kReduced, kOpen };

struct Rule {
  const char* op;
  int type_from;  // the input that has the element type
  Form form;
};
constexpr std::array kRules = {Rule{"AveragePool", 0, Form::kSameChannels},
                               Rule{"BitwiseAnd", 0, Form::kOpen},
                               Rule{"BitwiseNot", 0, Form::kSame},
                               Rule{"BitwiseOr", 0, Form::kOpen},
                               Rule{"BitwiseXor", 0, Form::kOpen},
                               Rule{"CastLike", 1, Form::kSame},
                               Rule{"DFT", 0, Form::kSameRank},
                               Rule{"DequantizeLinear", 1, Form::kSame},
                               Rule{"Gelu", 0, Form::kSame},
                               Rule{"GridSample", 0, Form::kSameRank},
                               Rule{"GroupNormalization", 0, Form::kSame},
                               Rule{"LpPool", 0, Form::kSameChannels},
                               Rule{"Mish", 0, Form::kSame},
                               Rule{"Pad", 0, Form::kSameRank},
                               Rule{"QuantizeLinear", 2, Form::kSame},
                               Rule{"Resize", 0, Form::kSameRank},
                               Rule{"Split", 0, Form::kSameRank}};

bool HasAttribute(const pb::NodeProto& node, const char* name) {
  return std::any_of(node.attribute().begin(), node.attribute().end(),
                     [&](const pb::AttributeProto& attribute) { return attribute.name() == name; });
}

const Rule* FindRule(const pb::NodeProto& node) {
  static constexpr Rule kReduction = {"Reduce", 0, Form::kReduced};
  const bool pooling = node.op_type() == "AveragePool" || node.op_type() == "LpPool";
  if (pooling && !HasAttribute(node, "dilations") && !HasAttribute(node, "ceil_mode")) return nullptr;
  if (node.op_type().rfind("Reduce", 0) == 0) return node.input_size() > 1 ? &kReduction : nullptr;
  const auto found =
      std::find_if(kRules.begin(), kRules.end(), [&](const Rule& rule) { return node.op_type() == rule.op; });
  return found == kRules.end() ? nullptr : &*found;
}

std::int64_t IntOf(const pb::NodeProto& node, const char* name, std::int64_t otherwise) {
  for (const pb::AttributeProto& attribute : node.attribute())
    if (attribute.name() == name) return attribute.i();
  return otherwise;
}

int ElementTypeOf(const std::vector<KnownInput>& inputs, int input) {
  const auto at = static_cast<std::size_t>(input);
  return at < inputs.size() && inputs[at].type->has_tensor_type() ? inputs[at].type->tensor_type().elem_type()
                                                                  : pb::TensorProto::UNDEFINED;
}

// QuantizeLinear says its type in three ways.
int ElementType(const pb::NodeProto& node, const Rule& rule, const std::vector<KnownInput>& inputs) {
  const int type = ElementTypeOf(inputs, rule.type_from);
  if (node.op_type() != "QuantizeLinear" || type != pb::TensorProto::UNDEFINED) return type;
  if (node.input_size() > 2 && !node.input(2).empty()) return pb::TensorProto::UNDEFINED;
  const std::int64_t asked = IntOf(node, "output_dtype", 0);
  if (asked == 0) return pb::TensorProto::UINT8;
  const int type_asked = static_cast<int>(asked);
  return pb::TensorProto::DataType_IsValid(type_asked) ? type_asked : pb::TensorProto::UNDEFINED;
}

// How many dimensions a reduction leaves; -1: nobody knows.
int RankAfter(const pb::NodeProto& node, const std::vector<KnownInput>& inputs, int rank) {
  if (IntOf(node, "keepdims", 1) != 0) return rank;
  const pb::TensorProto* axes = inputs.size() > 1 ? inputs[1].data : nullptr;
  if (axes == nullptr || axes->dims_size() != 1) return -1;
  if (axes->dims(0) == 0) return IntOf(node, "noop_with_empty_axes", 0) != 0 ? rank : 0;
  return axes->dims(0) <= rank ? rank - static_cast<int>(axes->dims(0)) : -1;
}

void SetShape(const pb::NodeProto& node, Form form, const std::vector<KnownInput>& inputs,
              pb::TypeProto::Tensor& type) {
  const pb::TypeProto& given = *inputs[0].type;
  if (form == Form::kOpen || !given.has_tensor_type() || !given.tensor_type().has_shape()) return;
  const pb::TensorShapeProto& from = given.tensor_type().shape();
  if (form == Form::kSame) {
    *type.mutable_shape() = from;
    return;
  }
  const int rank = form == Form::kReduced ? RankAfter(node, inputs, from.dim_size()) : from.dim_size();
  if (rank < 0) return;
  type.mutable_shape();
  for (int i = 0; i < rank; ++i) {
    auto& dim = *type.mutable_shape()->add_dim();
    if (form == Form::kSameChannels && i < 2) dim = from.dim(i);
  }
}

}  // namespace

bool IsNewer(const pb::NodeProto& node, int version) {
  return version > NewestKnownOpset() && FindRule(node) != nullptr;
}

std::vector<pb::TypeProto> NewerTypes(const pb::NodeProto& node, const std::vector<KnownInput>& inputs) {
  std::vector<pb::TypeProto> types(static_cast<std::size_t>(node.output_size()));
  const Rule* rule = FindRule(node);
  if (rule == nullptr || inputs.empty()) return types;
  const int element = ElementType(node, *rule, inputs);
  if (element == pb::TensorProto::UNDEFINED) return types;
  for (pb::TypeProto& type : types) {
    type.mutable_tensor_type()->set_elem_type(element);
    SetShape(node, rule->form, inputs, *type.mutable_tensor_type());
  }
  return types;
}

}  // namespace foothold::onnx
