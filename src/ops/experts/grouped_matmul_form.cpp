// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "ops/data/rule_arguments.h"
#include "ops/experts/grouped_matmul.h"
#include "ops/input_checks.h"
#include "ops/through_float.h"

namespace foothold {
namespace {

std::size_t Size(std::int64_t dim) {
  return static_cast<std::size_t>(dim);
}

// One product for each matrix: tensors of two dimensions, or all groups in one of three.
std::vector<GroupedProduct> ProductsOf(const OpContext& context, bool transposed) {
  const std::vector<int> weights = DataPorts(context, "weight");
  std::vector<GroupedProduct> products;
  for (const int port : weights) {
    const Dims& dims = context.InDims(port);
    if (context.In(port).type != context.In(weights[0]).type)
      context.Refuse("weights are {} and {}; they must have one type", ToString(context.In(weights[0])),
                     ToString(context.In(port)));
    const bool one = dims.size() == 3 && weights.size() == 1;
    if (dims.size() != 2 && !one)
      context.Refuse("a weight is {}, expected a matrix, or one tensor with those of all groups",
                     ToString(context.In(port)));
    const std::size_t a = Size(dims[dims.size() - 2]), b = Size(dims.back());
    for (std::size_t matrix = 0; matrix < (one ? Size(dims[0]) : 1); ++matrix) {
      GroupedProduct made;
      made.weight = port, made.matrix = matrix;
      made.depth = transposed ? b : a, made.columns = transposed ? a : b;
      products.push_back(made);
    }
  }
  return products;
}

// What a list of inputs has for group `i`: a tensor of its own, or a row of one for all groups.
GroupNumbers NumbersOf(const OpContext& context, const char* name, std::size_t i, std::size_t groups,
                       std::size_t columns) {
  const std::vector<int> ports = context.node().InputGroup(name);
  if (ports.empty()) return {};
  const int port = ports.size() == groups ? ports[i] : ports[0];
  const auto all = Size(ElementCount(context.InDims(port)));
  const bool own = ports.size() == groups;
  const std::size_t count = own ? all : groups == 0 ? 0 : all / groups;
  if ((!own && ports.size() != 1) || (count != columns && count != 1) || (!own && count * groups != all))
    context.Refuse("'{}' is a list of {} with {} for group {} of {}, expected {} numbers", name, ports.size(),
                   ToString(context.In(port)), i, groups, columns);
  return {port, own ? 0 : i * count, count};
}

void AddNumbers(const OpContext& context, std::vector<GroupedProduct>& groups) {
  for (std::size_t i = 0; i < groups.size(); ++i) {
    GroupedProduct& group = groups[i];
    group.bias = NumbersOf(context, "bias", i, groups.size(), group.columns);
    group.scale = NumbersOf(context, "scale", i, groups.size(), group.columns);
    group.antiquant_scale = NumbersOf(context, "antiquant_scale", i, groups.size(), group.columns);
    group.antiquant_offset = NumbersOf(context, "antiquant_offset", i, groups.size(), group.columns);
  }
}

void CheckDepth(const OpContext& context, int x, const GroupedProduct& group) {
  const Dims& dims = context.InDims(x);
  if (dims.size() < 2 || Size(dims.back()) != group.depth)
    context.Refuse("x is {} for weights of {} rows", ToString(context.In(x)), group.depth);
}

// A list of x with as many weights: results lie in a list too, or below each other in one tensor.
void PairUp(const OpContext& context, GroupedMatmulForm& form, const std::vector<int>& x, bool joined) {
  if (x.size() != form.groups.size())
    context.Refuse("there are {} x and {} weights", x.size(), form.groups.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    GroupedProduct& group = form.groups[i];
    CheckDepth(context, x[i], group);
    Dims dims = context.InDims(x[i]);
    group.x = x[i], group.rows = Product(dims, 0, dims.size() - 1);
    dims.back() = static_cast<std::int64_t>(group.columns);
    if (joined && (dims.size() != 2 || group.columns != form.groups[0].columns))
      context.Refuse("product {} is {}, which does not fit below the first", i, ToString(dims));
    if (joined && i > 0) {
      group.y_row = Size(form.outputs[0][0]), form.outputs[0][0] += dims[0];
      continue;
    }
    group.y = static_cast<int>(form.outputs.size());
    form.outputs.push_back(std::move(dims));
  }
}

void DivideByList(const OpContext& context, GroupedMatmulForm& form, int x) {
  const Dims& dims = context.InDims(x);
  if (dims.size() != 2)
    context.Refuse("x is {}, expected rows that 'group_list' divides", ToString(context.In(x)));
  for (GroupedProduct& group : form.groups) {
    CheckDepth(context, x, group);
    group.x = x;
    if (group.columns != form.groups[0].columns)
      context.Refuse("weights have {} and {} columns, and there is one result", form.groups[0].columns,
                     group.columns);
  }
  form.listed = true, form.rows = Size(dims[0]);
  const std::size_t columns = form.groups.empty() ? 0 : form.groups[0].columns;
  form.outputs = {{dims[0], static_cast<std::int64_t>(columns)}};
}

GroupActivation ActivationOf(const OpContext& context) {
  const std::int64_t type = context.node().Int("act_type", 0);
  if (type != 0 && !context.Has("per_token_scale"))
    context.Unsupported("no kernel for act_type {} without 'per_token_scale'", type);
  if (type == 0) return GroupActivation::kNone;
  if (type == 1) return GroupActivation::kRelu;
  if (type == 2) return GroupActivation::kTanhGelu;
  if (type == 5) return GroupActivation::kSilu;
  context.Unsupported("no kernel for act_type {}; 0, 1 (Relu), 2 (Gelu with tanh) and 5 (Silu) would run",
                      type);
}

// Sums of int8 are scaled to floats, as the type of the scale says if the node says nothing.
DataType IntegerResult(const OpContext& context) {
  const std::vector<int> scales = context.node().InputGroup("scale");
  if (scales.empty()) return DataType::kInt32;
  const DataType scale = context.In(scales[0]).type;
  if (scale == DataType::kBfloat16) return DataType::kBfloat16;
  return scale == DataType::kFloat ? DataType::kFloat16 : DataType::kInt8;
}

void SetTypes(const OpContext& context, GroupedMatmulForm& form, const std::vector<int>& x) {
  form.x_type = context.In(x[0]).type;
  form.weight_type = form.groups.empty() ? form.x_type : context.In(form.groups[0].weight).type;
  for (const int port : x)
    if (context.In(port).type != form.x_type) context.Refuse("inputs x have more than one type");
  const bool integers = form.x_type == DataType::kInt8;
  if (!integers && !ComputesInFloat(form.x_type))
    context.Unsupported("no kernel for x of {}; float, float16, bfloat16 and int8 have one",
                        DataTypeName(form.x_type));
  if (form.weight_type != form.x_type && (integers || form.weight_type != DataType::kInt8))
    context.Unsupported("no kernel for x of {} and weights of {}", DataTypeName(form.x_type),
                        DataTypeName(form.weight_type));
  form.y_type = TypeAttribute(context, "output_type", integers ? IntegerResult(context) : form.x_type);
}

void CheckAntiquantisation(const OpContext& context, const GroupedMatmulForm& form,
                           const GroupedProduct& group) {
  const bool mixed = form.x_type != DataType::kInt8 && form.weight_type == DataType::kInt8;
  if (mixed != (group.antiquant_scale.port >= 0))
    context.Refuse("weights of {} for x of {}: 'antiquant_scale' is {}", DataTypeName(form.weight_type),
                   DataTypeName(form.x_type), mixed ? "missing" : "not wanted");
  if (group.antiquant_offset.port >= 0 && !mixed) context.Refuse("'antiquant_offset' is not wanted");
  for (const int port : {group.antiquant_scale.port, group.antiquant_offset.port})
    if (port >= 0 && !ComputesInFloat(context.In(port).type))
      context.Unsupported("no kernel for antiquantisation by {}", DataTypeName(context.In(port).type));
}

void CheckScaleAndBias(const OpContext& context, const GroupedMatmulForm& form, const GroupedProduct& group) {
  const bool integers = form.x_type == DataType::kInt8;
  if (group.scale.port >= 0) {
    const DataType type = context.In(group.scale.port).type;
    if (!integers) context.Refuse("'scale' is for x of int8");
    if (!ComputesInFloat(type) && type != DataType::kUint64 && type != DataType::kInt64)
      context.Unsupported("no kernel for a scale of {}", DataTypeName(type));
  }
  if (group.bias.port < 0) return;
  const DataType type = context.In(group.bias.port).type;
  const bool whole = integers && type == DataType::kInt32;
  if (!whole && (!ComputesInFloat(type) || form.y_type == DataType::kInt32))
    context.Unsupported("no kernel adds a bias of {} to a product of {} that becomes {}", DataTypeName(type),
                        DataTypeName(form.x_type), DataTypeName(form.y_type));
}

// Sums of int8 stay as they are without a scale; all others become floats, or int8 again.
void CheckResult(const OpContext& context, const GroupedMatmulForm& form) {
  const bool integers = form.x_type == DataType::kInt8;
  const bool scaled = !form.groups.empty() && form.groups[0].scale.port >= 0;
  const bool plain = integers && !scaled;
  const bool known = plain ? form.y_type == DataType::kInt32 && form.tokens < 0
                           : ComputesInFloat(form.y_type) || (integers && form.y_type == DataType::kInt8);
  if (!known)
    context.Unsupported("no kernel from x of {}{} to {}", DataTypeName(form.x_type),
                        plain ? " without a scale" : "", DataTypeName(form.y_type));
}

void CheckAttributes(const OpContext& context) {
  if (context.node().Bool("transpose_x", false)) context.Unsupported("no kernel for transpose_x true");
  if (!context.node().InputGroup("offset").empty())
    context.Unsupported("no kernel with 'offset': what it goes with is not published");
  const std::int64_t type = context.node().Int("group_type", -1), split = context.node().Int("split_item", 0);
  if (type != -1 && type != 0)
    context.Unsupported("no kernel for group_type {}; -1 (none) and 0 (rows) would run", type);
  if (split < 0 || split > 3) context.Refuse("attribute 'split_item' is {}; 0 to 3 are possible", split);
}

void SetTokens(const OpContext& context, GroupedMatmulForm& form, std::size_t tensors) {
  form.tokens = OptionalPort(context, "per_token_scale");
  if (form.tokens < 0) return;
  if (tensors != 1) context.Unsupported("no kernel for 'per_token_scale' with {} x", tensors);
  if (form.x_type != DataType::kInt8) context.Refuse("'per_token_scale' is for x of int8");
  CheckCount(context, "per_token_scale", form.listed ? form.rows : form.groups[0].rows, "row of x");
  if (context.In(form.tokens).type != DataType::kFloat)
    context.Refuse("'per_token_scale' is {}, expected float", ToString(context.In(form.tokens)));
}

// Which rows meet which matrix.
void SetRows(const OpContext& context, GroupedMatmulForm& form, const std::vector<int>& x) {
  const std::int64_t split = context.node().Int("split_item", 0);
  if (x.size() != 1 || !context.Has("group_list")) return PairUp(context, form, x, split >= 2);
  if (split < 2)
    context.Unsupported("no kernel for split_item {} with one x and 'group_list'; 2 and 3 would run", split);
  DivideByList(context, form, x[0]);
}

}  // namespace

GroupedMatmulForm GroupedMatmulFormOf(const OpContext& context) {
  CheckAttributes(context);
  const std::vector<int> x = DataPorts(context, "x");
  GroupedMatmulForm form;
  form.transposed = context.node().Bool("transpose_weight", false);
  form.groups = ProductsOf(context, form.transposed);
  form.activation = ActivationOf(context);
  AddNumbers(context, form.groups);
  SetRows(context, form, x);
  SetTypes(context, form, x);
  SetTokens(context, form, x.size());
  for (const GroupedProduct& group : form.groups) {
    CheckAntiquantisation(context, form, group);
    CheckScaleAndBias(context, form, group);
  }
  CheckResult(context, form);
  return form;
}

}  // namespace foothold
