// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "session/output_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "options/option_text.h"

namespace foothold {
namespace {

constexpr const char* kTypes = "ge.outputDatatype";
constexpr const char* kPlaces = "ge.exec.outputReuseInputMemIndexes";

struct NamedType {
  std::string_view name;
  DataType type;
};
constexpr std::array<NamedType, 8> kNamedTypes = {{{"FP32", DataType::kFloat},
                                                   {"FP16", DataType::kFloat16},
                                                   {"BF16", DataType::kBfloat16},
                                                   {"INT8", DataType::kInt8},
                                                   {"UINT8", DataType::kUint8},
                                                   {"HIF8", DataType::kHifloat8},
                                                   {"FP8E5M2", DataType::kFloat8E5m2},
                                                   {"FP8E4M3FN", DataType::kFloat8E4m3fn}}};

DataType TypeNamed(std::string_view name, std::string_view part) {
  const auto found = std::find_if(kNamedTypes.begin(), kNamedTypes.end(),
                                  [&](const NamedType& known) { return known.name == name; });
  if (found != kNamedTypes.end()) return found->type;
  std::string names;
  for (const NamedType& known : kNamedTypes)
    names += fmt::format(" {}", known.name);
  RefuseOption(kTypes, part, "names no type of these:" + names);
}

void ConvertOutput(NormalGraph& normal, std::size_t index, DataType type) {
  Graph& graph = *normal.graph;
  Node& cast = graph.Make("Cast", fmt::format("{}/{}", normal.output_names[index], kTypes));
  cast.AddInput("x", PortKind::kRequired);
  cast.AddOutput("y", PortKind::kRequired);
  cast.attributes["dst_type"] = static_cast<std::int64_t>(type);
  cast.Connect(0, graph.outputs[index]);
  graph.outputs.Set(index, {&cast, 0});
}

void ConvertNamed(NormalGraph& normal, std::string_view part) {
  const auto colon = part.rfind(':');
  const DataType type = TypeNamed(Trim(part.substr(colon + 1)), part);
  const std::string_view wanted = Trim(part.substr(0, colon));
  bool found = false;
  for (std::size_t i = 0; i < normal.caller_outputs; ++i) {
    if (normal.output_names[i] != wanted) continue;
    ConvertOutput(normal, i, type);
    found = true;
  }
  if (!found)
    RefuseOption(kTypes, wanted,
                 fmt::format("is no output; the outputs are {}", fmt::join(normal.output_names, ", ")));
}

std::uint32_t Index(std::string_view text, std::string_view part, std::size_t count, const char* what) {
  const auto index = ParseInteger(text);
  if (!index || *index < 0 || *index >= static_cast<std::int64_t>(count))
    RefuseOption(kPlaces, part, fmt::format("must name one of the {} {}", count, what));
  return static_cast<std::uint32_t>(*index);
}

}  // namespace

void ConvertOutputs(NormalGraph& normal, const Options& options) {
  const std::string text = options.Find(kTypes).value_or("");
  for (const std::string_view part : Split(text, ';')) {
    if (part.empty()) continue;
    if (part.find(':') != std::string_view::npos) {
      ConvertNamed(normal, part);
      continue;
    }
    const DataType type = TypeNamed(part, part);
    for (std::size_t i = 0; i < normal.caller_outputs; ++i)
      ConvertOutput(normal, i, type);
  }
}

SharedPlaces FindSharedPlaces(const NormalGraph& normal, const Options& options) {
  SharedPlaces places;
  const std::string text = options.Find(kPlaces).value_or("");
  for (const std::string_view part : Split(text, '|')) {
    if (part.empty()) continue;
    const auto numbers = Split(part, ',');
    if (numbers.size() != 2) RefuseOption(kPlaces, part, "must be the number of an input and of an output");
    const std::uint32_t input = Index(numbers[0], part, normal.graph->inputs.size(), "inputs");
    const std::uint32_t output = Index(numbers[1], part, normal.caller_outputs, "outputs");
    const bool twice = std::any_of(places.begin(), places.end(), [&](const auto& place) {
      return place.first == input || place.second == output;
    });
    if (twice) RefuseOption(kPlaces, part, "names an input or output that another pair has");
    places.emplace_back(input, output);
  }
  return places;
}

}  // namespace foothold
