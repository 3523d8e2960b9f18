// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "ops/elementwise/element_step.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "base/error.h"
#include "ops/elementwise/chain_join.h"
#include "ops/strided_view.h"

namespace foothold {
namespace {

// Filled while the library is loaded, read only afterwards.
std::map<std::string, FormulaRule, std::less<>>& Rules() {
  static auto* rules = new std::map<std::string, FormulaRule, std::less<>>;
  return *rules;
}

ElementType Required(const OpContext& context, DataType type) {
  const auto element = ElementTypeOf(type);
  if (!element) context.Unsupported("no element-wise kernel for {}", DataTypeName(type));
  return *element;
}

class ChainKernel final : public Kernel {
 public:
  ChainKernel(const ChainSpec& spec, std::vector<int> updated)
      : chain_(spec), spec_(Flattened(spec)), in_tiles_(GoesInTiles(spec)), updated_(std::move(updated)) {}

  const ChainSpec* chain() const { return updated_.empty() && !in_tiles_ ? &spec_ : nullptr; }

  void Run(const RunArgs& args) const override {
    if (updated_.empty()) return chain_.Run(args.inputs, args.outputs);
    std::byte* targets[kMaxTargets];
    for (std::size_t i = 0; i < updated_.size(); ++i)
      targets[i] =
          updated_[i] < 0 ? args.outputs[-1 - updated_[i]] : const_cast<std::byte*>(args.inputs[updated_[i]]);
    chain_.Run(args.inputs, targets);
  }

  static constexpr std::size_t kMaxTargets = 8;

 private:
  const ElementChain chain_;
  const ChainSpec spec_;
  const bool in_tiles_;
  // By result, where inputs are updated too: the input, or -1 - output. Empty where all results are outputs.
  std::vector<int> updated_;
};

ChainSpec::Step MakeStep(const ElementFormula::Step& step) {
  ChainSpec::Step made{FindElementFunction(step.function), {}, {}};
  if (made.function == nullptr) Fail(kInternalError, "there is no element function '{}'", step.function);
  if (step.operands.size() != static_cast<std::size_t>(made.function->operands) ||
      step.params.size() != static_cast<std::size_t>(made.function->params)) {
    Fail(kInternalError, "element function '{}' has {} operands and {} parameters, not {} and {}",
         step.function, made.function->operands, made.function->params, step.operands.size(),
         step.params.size());
  }
  std::copy(step.operands.begin(), step.operands.end(), made.operands.begin());
  std::copy(step.params.begin(), step.params.end(), made.params.begin());
  return made;
}

std::vector<std::int64_t> Spaced(std::vector<std::int64_t> strides, std::int64_t spacing) {
  for (std::int64_t& stride : strides)
    stride *= spacing;
  return strides;
}

DataType TypeOf(const OpContext& context, const ElementFormula::Operand& operand) {
  const DataType type = context.In(operand.port).type;
  // Spaced operands are floats inside wider elements.
  return operand.spacing == 1 ? type : DataType::kFloat;
}

}  // namespace

void AddFormulaRule(const std::string& type, FormulaRule rule) {
  Rules()[type] = std::move(rule);
}

std::optional<ElementFormula> FormulaOf(const OpContext& context) {
  const auto found = Rules().find(context.node().type());
  return found == Rules().end() ? std::nullopt : found->second(context);
}

std::optional<ElementType> ElementTypeOf(DataType type) {
  switch (type) {
    case DataType::kFloat:
      return ElementType::kFloat;
    case DataType::kFloat16:
      return ElementType::kFloat16;
    case DataType::kBfloat16:
      return ElementType::kBfloat16;
    case DataType::kBool:
      return ElementType::kBool;
    case DataType::kInt8:
      return ElementType::kInt8;
    case DataType::kUint8:
      return ElementType::kUint8;
    case DataType::kInt32:
      return ElementType::kInt32;
    default:
      return std::nullopt;
  }
}

bool IsFloatType(DataType type) {
  return type == DataType::kFloat || type == DataType::kFloat16 || type == DataType::kBfloat16;
}

std::optional<ElementFormula> FunctionOfInputs(const OpContext& context, std::string function,
                                               std::vector<float> params) {
  const ElementFunction* found = FindElementFunction(function);
  if (found != nullptr && found->operands != context.inputs())
    context.Refuse("there are {} inputs, expected {}", context.inputs(), found->operands);
  ElementFormula formula;
  formula.dims = context.Out(0).dims;
  std::vector<int> operands;
  for (int port = 0; port < context.inputs(); ++port) {
    if (!IsFloatType(context.In(port).type)) return std::nullopt;
    formula.operands.push_back({port, context.InDims(port)});
    operands.push_back(port);
  }
  formula.steps.push_back({std::move(function), std::move(operands), std::move(params)});
  formula.results.push_back({context.inputs(), 0});
  return formula;
}

const ChainSpec* ChainOf(const Kernel& kernel) {
  const auto* const chain = dynamic_cast<const ChainKernel*>(&kernel);
  return chain == nullptr ? nullptr : chain->chain();
}

std::unique_ptr<Kernel> LowerFormula(const OpContext& context, const ElementFormula& formula) {
  if (formula.dims.size() > kMaxChainDims || formula.results.size() > ChainKernel::kMaxTargets)
    context.Unsupported("no element-wise kernel for {} dimensions and {} results", formula.dims.size(),
                        formula.results.size());
  ChainSpec spec;
  spec.dims = formula.dims;
  for (const auto& operand : formula.operands)
    spec.operands.push_back(
        {operand.port, Required(context, TypeOf(context, operand)),
         Spaced(OperandStrides(context, operand.port, operand.dims, formula.dims), operand.spacing)});
  for (const auto& step : formula.steps)
    spec.steps.push_back(MakeStep(step));
  std::vector<int> updated;
  bool updates = false;
  for (const auto& result : formula.results) {
    updates = updates || result.updated_input >= 0;
    updated.push_back(result.updated_input >= 0 ? result.updated_input : -1 - result.output);
  }
  for (std::size_t i = 0; i < formula.results.size(); ++i) {
    const auto& result = formula.results[i];
    const DataType type =
        result.updated_input >= 0 ? context.In(result.updated_input).type : context.Out(result.output).type;
    spec.results.push_back(
        {updates ? static_cast<int>(i) : result.output, Required(context, type), result.value,
         result.updated_input >= 0 ? ElementStrides() : ResultStrides(context, result.output, spec.dims)});
  }
  return std::make_unique<ChainKernel>(spec, updates ? std::move(updated) : std::vector<int>());
}

bool ReadsElementView(const OpContext& context, int port, const StridedView& view) {
  const auto formula = FormulaOf(context);
  if (!formula) return false;
  const bool updated = std::any_of(formula->results.begin(), formula->results.end(),
                                   [&](const auto& result) { return result.updated_input == port; });
  return !updated &&
         std::all_of(formula->operands.begin(), formula->operands.end(), [&](const auto& operand) {
           return operand.port != port || Reshaped(view, operand.dims).has_value();
         });
}

std::vector<std::int64_t> OperandStrides(const OpContext& context, int port, const Dims& dims,
                                         const Dims& to) {
  const auto& view = context.node().inputs()[static_cast<std::size_t>(port)].view;
  if (!view || ElementCount(dims) == 1) return BroadcastStrides(dims, to);
  const auto seen = Reshaped(*view, dims);
  const auto repeated = seen ? Repeated(*seen, to) : std::nullopt;
  if (!repeated) context.Refuse("a view of {} cannot be seen as {}", ToString(view->dims), ToString(dims));
  return {repeated->strides.begin(), repeated->strides.end()};
}

std::vector<std::int64_t> ResultStrides(const OpContext& context, int output, const Dims& dims) {
  const auto& view = context.node().outputs()[static_cast<std::size_t>(output)].view;
  if (!view || view->dense()) return {};
  const auto seen = Reshaped(*view, dims);
  if (!seen) context.Refuse("a view of {} cannot be seen as {}", ToString(view->dims), ToString(dims));
  return {seen->strides.begin(), seen->strides.end()};
}

Dims BroadcastDims(const OpContext& context, const std::vector<int>& ports) {
  Dims all;
  for (const int port : ports) {
    const Dims& dims = context.InDims(port);
    if (dims.size() > all.size()) all.insert(all.begin(), dims.size() - all.size(), 1);
    for (std::size_t i = 0; i < dims.size(); ++i) {
      std::int64_t& common = all[all.size() - dims.size() + i];
      if (common == 1) common = dims[i];
      if (dims[i] != 1 && dims[i] != common)
        context.Refuse("input '{}' is {}, which cannot be repeated to fit {}",
                       context.node().inputs()[static_cast<std::size_t>(port)].name, ToString(dims),
                       ToString(all));
    }
  }
  return all;
}

std::vector<std::int64_t> BroadcastStrides(const Dims& from, const Dims& to) {
  FOOTHOLD_CHECK(from.size() <= to.size() || ElementCount(from) == 1);
  std::vector<std::int64_t> strides(to.size(), 0);
  std::int64_t stride = 1;
  for (std::size_t i = std::min(from.size(), to.size()); i-- > 0;) {
    const std::int64_t length = from[from.size() - std::min(from.size(), to.size()) + i];
    const std::size_t axis = to.size() - std::min(from.size(), to.size()) + i;
    FOOTHOLD_CHECK(length == 1 || length == to[axis]);
    strides[axis] = length == 1 ? 0 : stride;
    stride *= length;
  }
  return strides;
}

}  // namespace foothold
