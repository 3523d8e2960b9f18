// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "samples/cases.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>

#include "aclnn/elements.h"
#include "aclnn/nn_case.h"

namespace samples {
namespace {

using nn::Layout;

constexpr Layout kInLayouts[] = {Layout::kTransposed, Layout::kPaddedRows, Layout::kOffset,
                                 Layout::kEveryOther, Layout::kRepeated};
constexpr Layout kOutLayouts[] = {Layout::kTransposed, Layout::kPaddedRows, Layout::kEveryOther};
constexpr const char* kLayoutNames[] = {"contiguous", "sliced",  "transposed",
                                        "offset",     "stepped", "repeated"};

// The one in which layouts differ.
const Form& LargestForm(const std::vector<Form>& forms) {
  const auto size = [](const Form& form) {
    std::size_t count = 0;
    for (const Dims& dims : form.dims)
      count += nn::CountOf(dims) * (dims.size() > 1 ? 1000 : 1);
    return count;
  };
  return *std::max_element(forms.begin(), forms.end(),
                           [&](const Form& a, const Form& b) { return size(a) < size(b); });
}

Form Completed(const Sample& sample, const Form& form) {
  Form complete = form;
  complete.settings.insert(complete.settings.end(), sample.settings.begin(), sample.settings.end());
  return complete;
}

const Sample::Content& ContentOf(const Sample& sample, std::size_t input) {
  return input < sample.contents.size() ? sample.contents[input] : sample.content;
}

// Ones that meet each other, whatever the position of the input.
void MakeSpecial(Values& values, std::size_t input) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const double special[] = {std::nan(""), kInfinity, -kInfinity, 0.0, -0.0};
  std::size_t step = 1;
  for (std::size_t i = 0; i < input; ++i)
    step *= 6;
  for (std::size_t e = 0; e < values.size(); ++e)
    if (e / step % 6 < 5) values[e] = special[e / step % 6];
}

Values ContentFor(const Case& one, std::size_t input, aclDataType type) {
  const Sample::Content& content = ContentOf(*one.sample, input);
  if (content.values) return content.values(one.form);
  const bool two_parts = type == ACL_COMPLEX64 || type == ACL_COMPLEX128;
  const std::size_t count = nn::CountOf(one.form.dims[input]) * (two_parts ? 2 : 1);
  const auto seed = static_cast<unsigned>(input + 1);
  double low = content.low, high = content.high;
  if (type == ACL_BOOL) return nn::SpreadInts(count, 0, 1, seed);
  if (!IsFloating(type) || content.whole) {
    if (!content.given) low = -5, high = 5;
    if (IsUnsigned(type)) low = std::max(low, 0.0);
    return nn::SpreadInts(count, static_cast<int>(std::ceil(low)), static_cast<int>(std::floor(high)), seed);
  }
  Values values = nn::Spread(count, low, high, seed);
  if (one.special) MakeSpecial(values, input);
  return values;
}

// Integers keep their low bits, and what is not 0 is true.
double Wrapped(double value, aclDataType type) {
  if (std::trunc(value) != value || std::abs(value) >= 0x1p62) return value;
  if (type == ACL_BOOL) return value != 0;
  const auto whole = static_cast<std::int64_t>(value);
  const std::size_t bits = 8 * aclDataTypeSize(type);
  if (bits == 64) return IsUnsigned(type) ? static_cast<double>(static_cast<std::uint64_t>(whole)) : value;
  const std::int64_t low = whole & ((std::int64_t{1} << bits) - 1);
  const bool negative = !IsUnsigned(type) && (low >> (bits - 1)) != 0;
  return static_cast<double>(negative ? low - (std::int64_t{1} << bits) : low);
}

// All of an input in one layout, then each with another.
void AddLayouts(std::vector<Case>& cases, Case one, bool all, std::size_t number) {
  const std::size_t inputs = one.form.dims.size(), layouts = std::size(kInLayouts);
  for (std::size_t l = 0; l < layouts; ++l) {
    if (!all && l != number % layouts) continue;
    one.layouts.assign(inputs, kInLayouts[l]);
    cases.push_back(one);
    for (std::size_t i = 0; i < inputs; ++i)
      one.layouts[i] = i == 0 ? Layout::kContiguous : kInLayouts[(l + i) % layouts];
    if (inputs > 1) cases.push_back(one);
  }
  for (const Layout out : kOutLayouts) {
    if (!all && out != kOutLayouts[number % std::size(kOutLayouts)]) continue;
    one.layouts.assign(inputs, Layout::kContiguous);
    one.out = out;
    cases.push_back(one);
  }
}

}  // namespace

std::string Case::Text() const {
  std::ostringstream text;
  text << sample->name << ", type " << type << ", inputs";
  for (std::size_t i = 0; i < form.dims.size(); ++i) {
    text << " [";
    for (std::size_t d = 0; d < form.dims[i].size(); ++d)
      text << (d == 0 ? "" : ",") << form.dims[i][d];
    text << "] " << kLayoutNames[static_cast<int>(layouts[i])];
  }
  text << ", output " << kLayoutNames[static_cast<int>(out)] << (special ? ", with infinities and NaN" : "");
  for (const auto& [name, setting] : form.settings) {
    text << ", " << name << " " << setting.text;
    for (const double number : setting.numbers)
      text << number << " ";
  }
  return text.str();
}

std::vector<aclDataType> Case::InputTypes() const {
  std::vector<aclDataType> types(form.dims.size(), type);
  for (std::size_t i = 0; i < types.size() && i < sample->input_types.size(); ++i)
    if (sample->input_types[i] != kSame) types[i] = sample->input_types[i];
  return types;
}

aclDataType Case::OutputType(std::size_t output) const {
  const bool named = output < sample->output_types.size() && sample->output_types[output] != kSame;
  return named ? sample->output_types[output] : type;
}

std::vector<nn::Tensor> Case::MakeInputs() const {
  const std::vector<aclDataType> types = InputTypes();
  std::vector<nn::Tensor> inputs;
  for (std::size_t i = 0; i < types.size(); ++i)
    inputs.push_back(nn::In(types[i], form.dims[i], ContentFor(*this, i, types[i]), layouts[i]));
  return inputs;
}

std::vector<Block> Case::Expected(const std::vector<nn::Tensor>& inputs) const {
  std::vector<Block> blocks;
  for (const nn::Tensor& input : inputs)
    blocks.push_back({input.dims(), input.Read()});
  return sample->reference(Given(std::move(blocks), form.settings, type));
}

void Case::ExpectResult(std::size_t output, const Values& found, const Block& expected) const {
  const aclDataType result = OutputType(output);
  Values wrapped = expected.values;
  if (!IsFloating(result) && nn::PartsOf(result) == 1)
    for (double& value : wrapped)
      value = Wrapped(value, result);
  nn::ExpectClose(found, wrapped, nn::Tolerance(result) * sample->factor);
}

std::vector<Case> CasesOf(const Sample& sample, const std::vector<aclDataType>& types) {
  std::vector<Case> cases;
  std::size_t number = 0;
  for (const aclDataType type : types) {
    for (const Form& form : sample.forms)
      cases.push_back({&sample, Completed(sample, form), type,
                       std::vector<Layout>(form.dims.size(), Layout::kContiguous), Layout::kContiguous,
                       false});
    const Form& largest = LargestForm(sample.forms);
    Case one{&sample,
             Completed(sample, largest),
             type,
             std::vector<Layout>(largest.dims.size(), Layout::kContiguous),
             Layout::kContiguous,
             false};
    if (sample.Has(Part::kView))
      AddLayouts(cases, one, type == types.front() || type == ACL_FLOAT16, number++);
    one.special = true;
    if (IsFloating(type) && sample.Has(Part::kSpecial)) cases.push_back(one);
  }
  return cases;
}

}  // namespace samples
