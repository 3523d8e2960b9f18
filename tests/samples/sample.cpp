// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "samples/sample.h"

#include <algorithm>
#include <stdexcept>

#include "samples/blocks.h"

namespace samples {
namespace {

std::vector<Sample>& AllSamples() {
  static std::vector<Sample> samples;
  return samples;
}

// Forms of operators that work element by element.
std::vector<Form> ElementForms(std::size_t inputs) {
  std::vector<Form> forms;
  for (const Dims& dims : {Dims{2, 3, 4}, Dims{37}, Dims{0, 3}, Dims{1}, Dims{}})
    forms.push_back({std::vector<Dims>(inputs, dims), {}});
  if (inputs < 2) return forms;
  const auto other = [&](const Dims& first, const Dims& rest) {
    std::vector<Dims> dims(inputs, rest);
    dims[0] = first;
    forms.push_back({dims, {}});
  };
  other({2, 3, 4}, {4});
  other({2, 3, 4}, {});
  other({2, 3, 4}, {3, 1});
  other({3, 1}, {2, 1, 5});
  return forms;
}

}  // namespace

const Setting* Given::Find(const std::string& name) const {
  for (const auto& [known, setting] : settings_)
    if (known == name) return &setting;
  return nullptr;
}

double Given::Number(const std::string& name) const {
  const Setting* setting = Find(name);
  return setting == nullptr ? 0 : setting->numbers.at(0);
}

const std::vector<double>& Given::List(const std::string& name) const {
  const Setting* setting = Find(name);
  if (setting == nullptr) throw std::invalid_argument("a reference asks for '" + name + "'");
  return setting->numbers;
}

Sample& Sample::AddCall(Function function, Arguments arguments, bool in_place) {
  calls.push_back({function, std::move(arguments), in_place});
  return *this;
}

Sample& Sample::Changes(std::vector<std::size_t> inputs) {
  changed = std::move(inputs);
  apart = true;
  return *this;
}

Sample& Sample::Inputs(Arguments arguments) {
  graph_inputs = std::move(arguments);
  return *this;
}

Sample& Sample::Types(std::vector<aclDataType> sampled) {
  types = std::move(sampled);
  return *this;
}

Sample& Sample::CallTypes(std::vector<aclDataType> sampled) {
  call_types = std::move(sampled);
  return *this;
}

Sample& Sample::TypeOf(std::size_t input, aclDataType type) {
  if (input_types.size() <= input) input_types.resize(input + 1, kSame);
  input_types[input] = type;
  return *this;
}

Sample& Sample::Gives(std::vector<aclDataType> given) {
  output_types = std::move(given);
  return *this;
}

Sample& Sample::Form(std::vector<Dims> inputs, Settings with) {
  forms.push_back({std::move(inputs), std::move(with)});
  return *this;
}

Sample& Sample::With(const char* setting_name, Setting setting) {
  settings.emplace_back(setting_name, std::move(setting));
  return *this;
}

Sample::Content& Sample::ContentOf(std::size_t input) {
  while (contents.size() <= input)
    contents.push_back(content);
  return contents[input];
}

Sample& Sample::Range(double low, double high) {
  content = {low, high, true, false, nullptr};
  return *this;
}

Sample& Sample::Range(std::size_t input, double low, double high) {
  ContentOf(input) = {low, high, true, false, nullptr};
  return *this;
}

Sample& Sample::Whole(std::size_t input, int low, int high) {
  ContentOf(input) = {static_cast<double>(low), static_cast<double>(high), true, true, nullptr};
  return *this;
}

Sample& Sample::Holds(std::size_t input, std::function<Values(const samples::Form&)> values) {
  ContentOf(input).values = std::move(values);
  return *this;
}

Sample& Sample::Elements(std::size_t inputs, std::function<double(const double*)> function) {
  if (forms.empty()) forms = ElementForms(inputs);
  apart = false;
  reference = [function = std::move(function)](const Given& in) {
    return std::vector<Block>{ElementByElement(in, function)};
  };
  return *this;
}

Sample& Sample::Each(double (*function)(double)) {
  return Elements(1, [=](const double* x) { return function(x[0]); });
}

Sample& Sample::Each(double (*function)(double, double)) {
  return Elements(2, [=](const double* x) { return function(x[0], x[1]); });
}

Sample& Sample::Each(double (*function)(double, double, double)) {
  return Elements(3, [=](const double* x) { return function(x[0], x[1], x[2]); });
}

Sample& Sample::Is(std::function<Block(const Given&)> function) {
  reference = [function = std::move(function)](const Given& in) { return std::vector<Block>{function(in)}; };
  return *this;
}

Sample& Sample::Are(Reference function) {
  reference = std::move(function);
  return *this;
}

Sample& Sample::Within(double times) {
  factor = times;
  return *this;
}

Sample& Sample::Without(Part part, const char* why) {
  missing.emplace_back(part, why);
  return *this;
}

Sample& Sample::Apart() {
  apart = true;
  return *this;
}

Sample& Sample::Onto() {
  apart = false;
  return *this;
}

bool Sample::Has(Part part) const {
  return std::none_of(missing.begin(), missing.end(), [&](const auto& one) { return one.first == part; });
}

Sample Operator(const char* op) {
  Sample sample;
  sample.op = sample.name = op;
  return sample;
}

Sample Functions(const char* name) {
  Sample sample;
  sample.name = name;
  return sample;
}

Table::Table(std::vector<Sample> samples) {
  for (Sample& sample : samples)
    AllSamples().push_back(std::move(sample));
}

const std::vector<Sample>& Table::All() {
  return AllSamples();
}

std::vector<aclDataType> FloatTypes() {
  return {ACL_FLOAT, ACL_FLOAT16, ACL_BF16};
}

std::vector<aclDataType> IntegerTypes() {
  return {ACL_INT8, ACL_UINT8, ACL_INT16, ACL_UINT16, ACL_INT32, ACL_UINT32, ACL_INT64, ACL_UINT64};
}

std::vector<aclDataType> NumberTypes() {
  return FloatTypes() + std::vector<aclDataType>{ACL_DOUBLE} + IntegerTypes();
}

std::vector<aclDataType> operator+(std::vector<aclDataType> a, const std::vector<aclDataType>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

bool IsFloating(aclDataType type) {
  return type == ACL_FLOAT || type == ACL_DOUBLE || IsHalf(type);
}

bool IsHalf(aclDataType type) {
  return type == ACL_FLOAT16 || type == ACL_BF16;
}

bool IsUnsigned(aclDataType type) {
  return type == ACL_BOOL || type == ACL_UINT8 || type == ACL_UINT16 || type == ACL_UINT32 ||
         type == ACL_UINT64;
}

}  // namespace samples
