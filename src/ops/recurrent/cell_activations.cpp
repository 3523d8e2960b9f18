// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "ops/recurrent/cell_activations.h"

#include <cctype>
#include <string>

namespace foothold {
namespace {

struct NamedFunction {
  std::string_view name;  // in lower case
  CellFunction function;
  bool has_alpha, has_beta;
  float alpha, beta;
};

constexpr NamedFunction kFunctions[] = {
    {"sigmoid", CellFunction::kSigmoid, false, false, 0, 0},
    {"tanh", CellFunction::kTanh, false, false, 0, 0},
    {"relu", CellFunction::kRelu, false, false, 0, 0},
    {"affine", CellFunction::kAffine, true, true, 1, 0},
    {"leakyrelu", CellFunction::kLeakyRelu, true, false, 0.01f, 0},
    {"thresholdedrelu", CellFunction::kThresholdedRelu, true, false, 1, 0},
    {"scaledtanh", CellFunction::kScaledTanh, true, true, 1, 1},
    {"hardsigmoid", CellFunction::kHardSigmoid, true, true, 0.2f, 0.5f},
    {"elu", CellFunction::kElu, true, false, 1, 0},
    {"softsign", CellFunction::kSoftsign, false, false, 0, 0},
    {"softplus", CellFunction::kSoftplus, false, false, 0, 0},
};

const NamedFunction& Find(const OpContext& context, std::string_view name) {
  std::string lower;
  for (const char c : name)
    if (c != '_') lower.push_back(static_cast<char>(std::tolower(static_cast<unsigned char>(c))));
  for (const NamedFunction& one : kFunctions)
    if (one.name == lower) return one;
  context.Refuse(
      "activation '{}' is not known; Sigmoid, Tanh, Relu, Affine, LeakyRelu, ThresholdedRelu, "
      "ScaledTanh, HardSigmoid, Elu, Softsign and Softplus are",
      name);
}

std::vector<std::string> Names(const OpContext& context) {
  const Attribute* given = context.node().FindAttribute("activations");
  if (given == nullptr) return {};
  if (const auto* names = std::get_if<std::vector<std::string>>(given)) return *names;
  context.Refuse("attribute 'activations' is {}, expected a list of names", AttributeKind(*given));
}

// Gives out the parameters of a list one by one.
class Parameters {
 public:
  Parameters(const OpContext& context, const char* name) : values_(context.node().Floats(name)) {}
  float Next(bool takes, float otherwise) {
    return takes && used_ < values_.size() ? values_[used_++] : otherwise;
  }

 private:
  std::vector<float> values_;
  std::size_t used_ = 0;
};

}  // namespace

CellActivation ActivationNamed(const OpContext& context, std::string_view name) {
  const NamedFunction& found = Find(context, name);
  return {found.function, found.alpha, found.beta};
}

std::vector<CellRules> RulesOf(const OpContext& context, const std::vector<CellFunction>& usual,
                               std::size_t directions) {
  const std::vector<std::string> names = Names(context);
  if (!names.empty() && names.size() != usual.size() * directions)
    context.Refuse("attribute 'activations' has {} names, expected {} for each of {} directions",
                   names.size(), usual.size(), directions);
  Parameters alpha(context, "activation_alpha"), beta(context, "activation_beta");
  std::vector<CellRules> rules(directions);
  for (std::size_t i = 0; i < directions * usual.size(); ++i) {
    CellActivation& to = rules[i / usual.size()].activations[i % usual.size()];
    to.function = usual[i % usual.size()];
    if (names.empty()) continue;
    const NamedFunction& found = Find(context, names[i]);
    to = {found.function, alpha.Next(found.has_alpha, found.alpha), beta.Next(found.has_beta, found.beta)};
  }
  const float clip = context.node().Float("clip", -1.0f);
  for (CellRules& one : rules)
    if (clip > 0) one.clip = clip;
  return rules;
}

}  // namespace foothold
