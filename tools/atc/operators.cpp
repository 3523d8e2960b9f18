// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "atc/operators.h"

#include <fmt/format.h>

#include <chrono>
#include <string>
#include <vector>

#include "atc/conversion.h"
#include "atc/operator_file.h"
#include "atc/stage.h"
#include "ge/ge_ir_build.h"

namespace foothold::atc {
namespace {

constexpr std::size_t kLongestName = 240;  // of a file, without its ending

using AscendOptions = std::map<ge::AscendString, ge::AscendString>;

struct Compiled {
  std::string name;
  ge::ModelBufferData model;
};

std::string TensorPart(const ge::TensorDesc& tensor) {
  std::string text =
      fmt::format("_{}_{}", static_cast<int>(tensor.GetDataType()), static_cast<int>(tensor.GetFormat()));
  for (const int64_t dim : tensor.GetShape().GetDims())
    text += fmt::format("_{}", dim);
  return text;
}

// "0_Add_3_2_8_16_3_2_8_16_3_2_8_16": the number of the operator keeps names apart that had to be cut.
std::string NameOf(std::size_t index, const OperatorEntry& entry) {
  std::string name = fmt::format("{}_{}", index, entry.type);
  for (const ge::TensorDesc& tensor : entry.inputs)
    name += TensorPart(tensor);
  for (const ge::TensorDesc& tensor : entry.outputs)
    name += TensorPart(tensor);
  return name.substr(0, kLongestName);
}

void SetAttributes(const ge::Graph& graph, const OperatorEntry& entry) {
  for (const ge::GNode& node : graph.GetAllNodes()) {
    ge::AscendString type;
    if (node.GetType(type) != ge::GRAPH_SUCCESS || type != entry.type.c_str()) continue;
    for (const auto& [name, value] : entry.attributes) {
      ge::AttrValue copy = value;
      Check(node.SetAttr(name.c_str(), copy));
    }
  }
}

ge::ModelBufferData Compile(const OperatorEntry& entry, const Flags& flags) {
  AscendOptions options;
  for (const auto& [key, value] : flags.options)
    options[key.c_str()] = value.c_str();
  ge::Graph graph;
  Check(ge::aclgrphGenerateForOp(entry.type.c_str(), entry.inputs, entry.outputs, graph));
  SetAttributes(graph, entry);
  ge::ModelBufferData model;
  Check(ge::aclgrphBuildModel(graph, options, model));
  return model;
}

std::vector<Compiled> CompileAll(const std::vector<OperatorEntry>& entries, const Flags& flags) {
  std::vector<Compiled> compiled;
  for (std::size_t i = 0; i < entries.size(); ++i)
    try {
      compiled.push_back({NameOf(i, entries[i]), Compile(entries[i], flags)});
    } catch (const CannotConvert& error) {
      throw CannotConvert(
          fmt::format("{}: operator {} ({}): {}", flags.single_op, i, entries[i].type, error.what()));
    }
  return compiled;
}

void Write(const std::vector<Compiled>& all, const std::string& folder) {
  MakeFolder(folder);
  for (const Compiled& one : all) {
    const std::string path = fmt::format("{}/{}.om", folder, one.name);
    Check(ge::aclgrphSaveModel(path.c_str(), one.model));
    fmt::print("writing {}\n", path);
  }
}

}  // namespace

void ConvertOperators(const Flags& flags) {
  const auto start = std::chrono::steady_clock::now();
  fmt::print("reading {}\n", flags.single_op);
  const std::vector<OperatorEntry> entries = ReadOperators(flags.single_op);
  AscendOptions none;
  Check(ge::aclgrphBuildInitialize(none));
  std::vector<Compiled> compiled;
  {
    const Stage stage(fmt::format("compiling {} operators", entries.size()), flags.progress);
    compiled = CompileAll(entries, flags);
  }
  Write(compiled, flags.output);
  ge::aclgrphBuildFinalize();
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  fmt::print("\n{:<10}{}\n{:<10}{:.2f} s\n", "operators", compiled.size(), "time", seconds.count());
}

}  // namespace foothold::atc
