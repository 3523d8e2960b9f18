// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "foothold/dump_reference.h"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <stdexcept>

#include "base/error.h"
#include "formats/npy.h"
#include "onnx_runtime/all_outputs.h"
#include "onnx_runtime/onnx_runtime.h"

namespace foothold::dump {
namespace {

using peer::ModelNode;
using peer::OnnxRuntime;
using peer::PeerTensor;
using Nodes = std::map<std::string, ModelNode>;

// Element types of ONNX that a dump may have, in the order of their numbers.
constexpr std::pair<int, DataType> kTypes[] = {
    {1, DataType::kFloat},    {2, DataType::kUint8},   {3, DataType::kInt8},    {4, DataType::kUint16},
    {5, DataType::kInt16},    {6, DataType::kInt32},   {7, DataType::kInt64},   {9, DataType::kBool},
    {10, DataType::kFloat16}, {11, DataType::kDouble}, {12, DataType::kUint32}, {13, DataType::kUint64},
    {16, DataType::kBfloat16}};

std::optional<DataType> TypeOf(const PeerTensor& tensor) {
  for (const auto& [number, type] : kTypes)
    if (number == tensor.type) return type;
  return std::nullopt;
}

std::string ReadModel(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) Fail(kInvalidFile, "the model '{}' cannot be opened: {}", path, std::strerror(errno));
  return std::string(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
}

bool Fits(const TensorValue& value, const PeerTensor& input) {
  const Dims& dims = value.dims();
  return TypeOf(input) == value.type().type &&
         std::equal(
             dims.begin(), dims.end(), input.shape.begin(), input.shape.end(),
             [](std::int64_t given, std::int64_t declared) { return declared < 0 || given == declared; });
}

// The dump has it where a node that reads the input was dumped with its own inputs.
const TensorValue* FindInDump(const PeerTensor& input, const Nodes& nodes,
                              const std::vector<DumpedTensor>& run) {
  for (const DumpedTensor& tensor : run) {
    const auto node = nodes.find(tensor.node);
    const bool reads = tensor.is_input && node != nodes.end() && tensor.index < node->second.inputs.size() &&
                       node->second.inputs[tensor.index] == input.name;
    if (reads && Fits(tensor.value, input)) return &tensor.value;
  }
  return nullptr;
}

std::optional<TensorValue> FindGiven(const PeerTensor& input, const std::vector<std::string>& given) {
  for (const std::string& text : given)
    if (text.starts_with(input.name + "=")) return ReadNpy(text.substr(input.name.size() + 1));
  return std::nullopt;
}

void Fill(PeerTensor& input, const TensorValue& value) {
  input.shape = value.dims();
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(value.data());
  input.bytes.assign(bytes, bytes + value.size());
}

void FillInputs(std::vector<PeerTensor>& inputs, const ReferenceSource& source, const Nodes& nodes,
                const std::vector<DumpedTensor>& run) {
  for (PeerTensor& input : inputs) {
    const auto given = FindGiven(input, source.inputs);
    if (given && !Fits(*given, input))
      Fail(kInvalidFile, "the file for input '{}' holds {}, which the model does not take", input.name,
           ToString(given->type()));
    const TensorValue* const value = given ? &*given : FindInDump(input, nodes, run);
    if (value == nullptr)
      Fail(kInvalidFile,
           "input '{0}' of the model is not in the dump (it is with \"dump_mode\": \"all\"); give it with "
           "--input {0}=file.npy",
           input.name);
    Fill(input, *value);
  }
}

void CheckNames(const ReferenceSource& source, const std::vector<PeerTensor>& inputs) {
  for (const std::string& text : source.inputs) {
    const std::string name = text.substr(0, text.find('='));
    const auto is_named = [&](const PeerTensor& input) { return input.name == name; };
    if (text.find('=') == std::string::npos || std::none_of(inputs.begin(), inputs.end(), is_named))
      Fail(kInvalidFile, "--input \"{}\" is not name=file.npy with the name of an input of the model", text);
  }
}

// By the names of values.
std::map<std::string, PeerTensor> RunPeer(const ReferenceSource& source, const std::string& bytes,
                                          const std::vector<DumpedTensor>& run, Nodes& nodes) {
  std::string why;
  const auto runtime = OnnxRuntime::Load(why, source.library);
  if (runtime == nullptr) Fail(kInvalidFile, "{}", why);
  std::vector<std::string> present;
  {
    const OnnxRuntime::Model plain(*runtime, bytes, 1);  // refuses what is no model
    present = plain.output_names();
  }
  nodes = peer::NodesOf(bytes);
  OnnxRuntime::Model model(*runtime, peer::WithAllOutputs(bytes, nodes, present), 1);
  std::vector<PeerTensor> inputs = model.Inputs();
  CheckNames(source, inputs);
  FillInputs(inputs, source, nodes, run);
  model.Bind(std::move(inputs));
  std::map<std::string, PeerTensor> values;
  for (PeerTensor& tensor : model.BoundOutputs())
    values[tensor.name] = std::move(tensor);
  return values;
}

std::vector<DumpedTensor> FirstRun(const std::vector<DumpedTensor>& dump) {
  std::vector<DumpedTensor> run;
  for (const DumpedTensor& tensor : dump)
    if (tensor.run == dump.front().run) run.push_back(tensor);
  return run;
}

// Of the type and shape of `dumped`; nothing if it has another form there.
std::optional<DumpedTensor> Expected(const DumpedTensor& dumped, const PeerTensor& value) {
  if (TypeOf(value) != dumped.value.type().type || value.bytes.size() != dumped.value.size())
    return std::nullopt;
  DumpedTensor expected = dumped;
  SharedBytes bytes = AllocateBytes(value.bytes.size());
  if (!value.bytes.empty()) std::memcpy(bytes.get(), value.bytes.data(), value.bytes.size());
  expected.value = TensorValue(dumped.value.type(), std::move(bytes), value.bytes.size());
  return expected;
}

}  // namespace

Reference MakeReference(const ReferenceSource& source, const std::vector<DumpedTensor>& dump) try {
  const std::vector<DumpedTensor> run = FirstRun(dump);
  Nodes nodes;
  const auto values = RunPeer(source, ReadModel(source.model), run, nodes);
  Reference reference;
  for (const DumpedTensor& tensor : run) {
    if (tensor.is_input) continue;
    const auto node = nodes.find(tensor.node);
    if (node == nodes.end() || tensor.index >= node->second.outputs.size()) {
      ++reference.not_in_model;
      continue;
    }
    const auto value = values.find(node->second.outputs[tensor.index]);
    auto expected = value == values.end() ? std::nullopt : Expected(tensor, value->second);
    if (!expected) {
      ++reference.other_form;
      continue;
    }
    reference.dumped.push_back(tensor);
    reference.expected.push_back(std::move(*expected));
  }
  return reference;
} catch (const std::runtime_error& error) {
  Fail(kInvalidFile, "'{}': {}", source.model, error.what());
}

}  // namespace foothold::dump
