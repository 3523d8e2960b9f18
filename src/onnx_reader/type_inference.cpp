// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "onnx_reader/type_inference.h"

#include <fmt/format.h>
#include <onnx/defs/schema.h>
#include <onnx/shape_inference/implementation.h>

#include <algorithm>
#include <new>
#include <set>

#include "base/error.h"
#include "ir/tensor_type.h"
#include "onnx_reader/newer_types.h"

namespace foothold::onnx {
namespace {

namespace pb = ::onnx;

std::size_t ListLength(const pb::NodeProto& node, const std::string& name) {
  for (const pb::AttributeProto& attribute : node.attribute())
    if (attribute.name() == name) return static_cast<std::size_t>(attribute.ints_size());
  return 0;
}

bool AllPositive(const pb::NodeProto& node, const std::string& name) {
  for (const pb::AttributeProto& attribute : node.attribute())
    if (attribute.name() == name)
      return std::all_of(attribute.ints().begin(), attribute.ints().end(),
                         [](std::int64_t value) { return value > 0 && value < (std::int64_t{1} << 31); });
  return true;
}

int RankOf(const KnownInput& input) {
  const bool known = input.type->has_tensor_type() && input.type->tensor_type().has_shape();
  return known ? input.type->tensor_type().shape().dim_size() : -1;
}

// The ONNX library reads past the end of windows and shapes that do not go together.
bool WindowFits(const pb::NodeProto& node, const std::vector<KnownInput>& inputs) {
  const int rank = inputs.empty() ? -1 : RankOf(inputs[0]);
  if (rank < 3) return false;
  const auto spatial = static_cast<std::size_t>(rank - 2);
  for (const char* name : {"kernel_shape", "strides", "dilations", "output_padding"}) {
    const std::size_t length = ListLength(node, name);
    if (length != 0 && length != spatial) return false;
  }
  for (const char* name : {"kernel_shape", "strides", "dilations"})
    if (!AllPositive(node, name)) return false;
  const std::size_t pads = ListLength(node, "pads"), shape = ListLength(node, "output_shape");
  return (pads == 0 || pads == 2 * spatial) && (shape == 0 || shape == spatial);
}

// Not all operators look whether an axis is one.
bool AxesExist(const pb::NodeProto& node, const std::vector<KnownInput>& inputs) {
  int rank = 0;
  for (const KnownInput& input : inputs)
    rank = std::max(rank, RankOf(input));
  for (const pb::AttributeProto& attribute : node.attribute()) {
    if (attribute.name() == "axis" && (attribute.i() < -rank - 1 || attribute.i() > rank)) return false;
    if (attribute.name() == "axis" && node.op_type() == "LayerNormalization" && attribute.i() < -rank)
      return false;
    if (attribute.name() != "axes" && attribute.name() != "perm") continue;
    const std::int64_t limit = rank + attribute.ints_size();
    for (const std::int64_t axis : attribute.ints())
      if (axis < -limit || axis > limit) return false;
  }
  return true;
}

bool IsSafe(const pb::NodeProto& node, const std::vector<KnownInput>& inputs) {
  if (!AxesExist(node, inputs)) return false;
  const std::string& op = node.op_type();
  const bool convolution = op.find("Conv") != std::string::npos;
  const bool pooling = op.find("Pool") != std::string::npos || op == "MaxUnpool";
  if (!convolution && !pooling) return true;
  if (!WindowFits(node, inputs)) return false;
  const std::size_t filter = op == "QLinearConv" ? 3 : 1;
  return !convolution || (inputs.size() > filter && RankOf(inputs[filter]) == RankOf(inputs[0]));
}

// The type of a constant, without a copy of its data.
std::vector<pb::TypeProto> ConstantTypes(const pb::NodeProto& node) {
  std::vector<pb::TypeProto> types(static_cast<std::size_t>(node.output_size()));
  for (const pb::AttributeProto& attribute : node.attribute()) {
    if (types.empty() || !attribute.has_t()) continue;
    auto& tensor = *types[0].mutable_tensor_type();
    tensor.set_elem_type(attribute.t().data_type());
    tensor.mutable_shape();
    for (const std::int64_t dim : attribute.t().dims())
      tensor.mutable_shape()->add_dim()->set_dim_value(dim);
  }
  return types;
}

pb::ValueInfoProto& FindInput(pb::GraphProto& graph, const InputShape& shape) {
  std::vector<pb::ValueInfoProto*> inputs;
  std::string names;
  std::set<std::string> constants;
  for (const pb::TensorProto& tensor : graph.initializer())
    constants.insert(tensor.name());
  for (pb::ValueInfoProto& input : *graph.mutable_input())
    if (constants.count(input.name()) == 0) {
      inputs.push_back(&input);
      names += (names.empty() ? "" : ", ") + input.name();
    }
  if (shape.name.empty() && shape.position < inputs.size()) return *inputs[shape.position];
  for (pb::ValueInfoProto* input : inputs)
    if (input->name() == shape.name) return *input;
  Fail(kInvalidParam, "the model has no input {} to give the shape {}; its inputs are: {}",
       shape.name.empty() ? fmt::format("number {}", shape.position) : "'" + shape.name + "'",
       ToString(shape.dims), names);
}

void SetShape(pb::ValueInfoProto& input, const Dims& dims) {
  pb::TypeProto::Tensor& type = *input.mutable_type()->mutable_tensor_type();
  const pb::TensorShapeProto before = type.shape();
  if (type.has_shape() && before.dim_size() != static_cast<int>(dims.size()))
    Fail(kInvalidParam, "input '{}' has {} dimensions in the model and {} in the option", input.name(),
         before.dim_size(), dims.size());
  type.clear_shape();
  type.mutable_shape();
  for (std::size_t i = 0; i < dims.size(); ++i) {
    auto& dim = *type.mutable_shape()->add_dim();
    if (dims[i] >= 0) {
      dim.set_dim_value(dims[i]);
    } else if (static_cast<int>(i) < before.dim_size()) {
      dim = before.dim(static_cast<int>(i));
    }
  }
}

}  // namespace

int NewestKnownOpset() {
  static const int newest = pb::OpSchemaRegistry::DomainToVersionRange::Instance().Map().at("").second;
  return newest;
}

void SetInputShapes(pb::GraphProto& graph, const std::vector<InputShape>& shapes) {
  for (const InputShape& shape : shapes)
    SetShape(FindInput(graph, shape), shape.dims);
}

std::vector<pb::TypeProto> InferTypes(const pb::NodeProto& node, int version,
                                      const std::vector<KnownInput>& inputs) {
  std::vector<pb::TypeProto> none(static_cast<std::size_t>(node.output_size()));
  const bool with_data =
      node.op_type() == "Constant" && !node.attribute().empty() && node.attribute(0).has_t();
  if (with_data) return ConstantTypes(node);
  if (IsNewer(node, version)) return NewerTypes(node, inputs);
  const pb::OpSchema* schema =
      pb::OpSchemaRegistry::Schema(node.op_type(), std::min(version, NewestKnownOpset()), node.domain());
  if (schema == nullptr || !schema->has_type_and_shape_inference_function() || !IsSafe(node, inputs))
    return none;
  std::unordered_map<std::string, pb::TypeProto*> types;
  std::unordered_map<std::string, const pb::TensorProto*> data;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const std::string& name = node.input(static_cast<int>(i));
    if (inputs[i].type->value_case() != pb::TypeProto::VALUE_NOT_SET)
      types[name] = const_cast<pb::TypeProto*>(inputs[i].type);
    if (inputs[i].data != nullptr) data[name] = inputs[i].data;
  }
  try {
    // The library asks for what it may change, and changes only graphs of nodes.
    pb::shape_inference::InferenceContextImpl context(const_cast<pb::NodeProto&>(node), types, data, {});
    schema->GetTypeAndShapeInferenceFunction()(context);
    return std::move(context.allOutputTypes_);
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception&) {  // mappings that need a type say so
    return none;
  }
}

}  // namespace foothold::onnx
