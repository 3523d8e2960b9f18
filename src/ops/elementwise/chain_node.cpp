// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "ops/elementwise/chain_node.h"

#include "kernels/element_function.h"

namespace foothold {
namespace {

constexpr char kFunctions[] = "functions", kOperands[] = "operands", kParams[] = "params",
               kOperandDims[] = "operand_dims", kSpacings[] = "spacings", kDims[] = "dims",
               kResult[] = "result", kType[] = "type";

template <typename T>
const T& Get(const OpContext& context, const char* name) {
  const Attribute* attribute = context.node().FindAttribute(name);
  const T* value = attribute == nullptr ? nullptr : std::get_if<T>(attribute);
  if (value == nullptr) context.Refuse("attribute '{}' is missing or of another kind", name);
  return *value;
}

std::vector<int> Values(const OpContext& context, const std::vector<std::int64_t>& from, std::size_t known) {
  std::vector<int> values;
  for (const std::int64_t value : from) {
    if (value < 0 || value >= static_cast<std::int64_t>(known))
      context.Refuse("value {} is read, but only {} are there", value, known);
    values.push_back(static_cast<int>(value));
  }
  return values;
}

bool FitsFrom(const Dims& from, const Dims& to) {
  if (from.size() > to.size()) return ElementCount(from) == 1;
  for (std::size_t i = 0; i < from.size(); ++i)
    if (from[i] != 1 && from[i] != to[to.size() - from.size() + i]) return false;
  return true;
}

void ReadOperands(const OpContext& context, ElementFormula& formula) {
  const auto& dims = Get<std::vector<std::vector<std::int64_t>>>(context, kOperandDims);
  const auto& spacings = Get<std::vector<std::int64_t>>(context, kSpacings);
  const auto count = static_cast<std::size_t>(context.inputs());
  if (dims.size() != count || spacings.size() != count)
    context.Refuse("there are {} inputs, but {} of them are described", count, dims.size());
  for (std::size_t i = 0; i < count; ++i) {
    const int port = static_cast<int>(i);
    if (!IsStatic(dims[i]) || !FitsFrom(dims[i], formula.dims) ||
        ElementCount(dims[i]) != ElementCount(context.InDims(port)))
      context.Refuse("operand {} is {}, which cannot be seen as {}", i, ToString(context.In(port)),
                     ToString(dims[i]));
    const bool wide = spacings[i] == 2 && BytesPerElement(context.In(port).type) == 8;
    if (spacings[i] != 1 && !wide) context.Refuse("operand {} has elements {} apart", i, spacings[i]);
    formula.operands.push_back({port, dims[i], spacings[i]});
  }
}

void ReadSteps(const OpContext& context, ElementFormula& formula) {
  const auto& functions = Get<std::vector<std::string>>(context, kFunctions);
  const auto& operands = Get<std::vector<std::vector<std::int64_t>>>(context, kOperands);
  const auto& params = Get<std::vector<std::vector<float>>>(context, kParams);
  if (operands.size() != functions.size() || params.size() != functions.size())
    context.Refuse("{} functions have {} operands and {} parameters", functions.size(), operands.size(),
                   params.size());
  if (formula.operands.size() + functions.size() > kMaxFusedValues)
    context.Refuse("there are more than {} values", kMaxFusedValues);
  for (std::size_t i = 0; i < functions.size(); ++i) {
    const ElementFunction* function = FindElementFunction(functions[i]);
    if (function == nullptr) context.Refuse("there is no function '{}'", functions[i]);
    if (operands[i].size() != static_cast<std::size_t>(function->operands) ||
        params[i].size() != static_cast<std::size_t>(function->params))
      context.Refuse("function '{}' has {} operands and {} parameters, not {} and {}", functions[i],
                     function->operands, function->params, operands[i].size(), params[i].size());
    formula.steps.push_back(
        {functions[i], Values(context, operands[i], formula.operands.size() + i), params[i]});
  }
}

ElementFormula ReadFormula(const OpContext& context) {
  ElementFormula formula;
  formula.dims = Get<std::vector<std::int64_t>>(context, kDims);
  if (!IsStatic(formula.dims)) context.Refuse("attribute '{}' is {}", kDims, ToString(formula.dims));
  ReadOperands(context, formula);
  ReadSteps(context, formula);
  const auto result =
      Values(context, {Get<std::int64_t>(context, kResult)}, formula.operands.size() + formula.steps.size());
  formula.results = {{result[0], 0}};
  return formula;
}

void Infer(OpContext& context) {
  const ElementFormula formula = ReadFormula(context);
  if (context.outputs() != 1) context.Refuse("there are {} outputs, expected 1", context.outputs());
  const auto type = static_cast<DataType>(Get<std::int64_t>(context, kType));
  context.SetOut(0, type, formula.dims, context.Out(0).format);
}

OpDef ChainDef() {
  AddFormulaRule("ElementChain", ReadFormula);
  OpDef def("ElementChain");
  def.ReadsViews({}, ReadsElementView).WritesViews();
  def.Infer(Infer).Lower([](OpContext& context) { return LowerFormula(context, ReadFormula(context)); });
  // An operand of as many bytes with elements of the same size is not repeated.
  for (int port = 0; port < static_cast<int>(kMaxFusedValues); ++port)
    def.InPlace(port, 0);
  return def;
}

const RegisterOp element_chain(ChainDef());

}  // namespace

void MakeChain(Node& node, const ElementFormula& formula) {
  std::vector<std::string> functions;
  std::vector<std::vector<std::int64_t>> operands, operand_dims;
  std::vector<std::vector<float>> params;
  std::vector<std::int64_t> spacings;
  for (const auto& step : formula.steps) {
    functions.push_back(step.function);
    operands.emplace_back(step.operands.begin(), step.operands.end());
    params.push_back(step.params);
  }
  for (std::size_t i = 0; i < formula.operands.size(); ++i) {
    node.AddInput("operand" + std::to_string(i), PortKind::kDynamic, "operand");
    operand_dims.push_back(formula.operands[i].dims);
    spacings.push_back(formula.operands[i].spacing);
  }
  node.set_type("ElementChain");
  node.attributes = {{kFunctions, functions},
                     {kOperands, operands},
                     {kParams, params},
                     {kOperandDims, operand_dims},
                     {kSpacings, spacings},
                     {kDims, formula.dims},
                     {kResult, std::int64_t{formula.results.at(0).value}},
                     {kType, static_cast<std::int64_t>(node.outputs().at(0).desc.type)}};
}

}  // namespace foothold
