// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "model/description.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/json_tree.h"
#include "model/bundle.h"
#include "model/model_codes.h"
#include "model/om_file.h"

namespace foothold {
namespace {

constexpr const char* kKinds[] = {"none", "batch", "image", "dims"};
constexpr const char* kAippKinds[] = {"static", "dynamic", "parameters"};

std::string JsonOf(const ModelPort& port);
std::string JsonOf(std::int64_t number) {
  return std::to_string(number);
}
template <typename T, typename U>
std::string JsonOf(const std::pair<T, U>& pair) {
  return "[" + JsonOf(pair.first) + ", " + JsonOf(pair.second) + "]";
}
template <typename T>
std::string JsonOf(const std::vector<T>& values) {
  std::string text;
  for (const T& value : values)
    text += (text.empty() ? "" : ", ") + JsonOf(value);
  return "[" + text + "]";
}
std::string JsonOf(const TensorType& type) {
  return fmt::format(R"("type": {}, "format": {}, "dims": {})", static_cast<int>(type.type),
                     static_cast<int>(type.format), JsonOf(type.dims));
}
std::string JsonOf(const PortAipp& aipp) {
  return fmt::format(R"({{"kind": "{}", "attached": {}, "picture": {}, "network": {{{}}}, "settings": {}}})",
                     kAippKinds[static_cast<int>(aipp.kind)], aipp.attached, JsonOf(aipp.picture),
                     JsonOf(aipp.network), JsonQuoted(aipp.settings));
}
std::string JsonOf(const ModelPort& port) {
  const std::string ranges = port.ranges.empty() ? "" : ", \"ranges\": " + JsonOf(port.ranges);
  const std::string aipp = port.aipp ? ", \"aipp\": " + JsonOf(*port.aipp) : "";
  return fmt::format(R"({{"name": {}, {}{}{}}})", JsonQuoted(port.name), JsonOf(port.type), ranges, aipp);
}

TensorType TypeOf(const JsonTree& json) {
  return {static_cast<DataType>(json.at("type").get<int>()),
          static_cast<Format>(json.at("format").get<int>()), json.at("dims").get<Dims>()};
}

std::optional<PortAipp> AippOf(const JsonTree* json) {
  if (json == nullptr) return std::nullopt;
  const auto kind =
      std::find(std::begin(kAippKinds), std::end(kAippKinds), json->at("kind").get<std::string>());
  if (kind == std::end(kAippKinds)) Fail(kParseModel, "its image preprocessing is of no kind known here");
  return PortAipp{static_cast<PortAipp::Kind>(kind - std::begin(kAippKinds)),
                  json->at("attached").get<std::size_t>(), json->at("picture").get<Dims>(),
                  TypeOf(json->at("network")), json->at("settings").get<std::string>()};
}

ModelPort PortOf(const JsonTree& json) {
  const JsonTree* ranges = json.Find("ranges");
  return {json.at("name").get<std::string>(), TypeOf(json),
          ranges == nullptr ? decltype(ModelPort::ranges)() : ranges->get<decltype(ModelPort::ranges)>(),
          AippOf(json.Find("aipp"))};
}

std::vector<ModelPort> PortsOf(const JsonTree& json) {
  std::vector<ModelPort> ports;
  for (const JsonTree& port : json.items())
    ports.push_back(PortOf(port));
  return ports;
}

ModelGears GearsOf(const JsonTree& json) {
  ModelGears gears;
  const auto kind = std::find(std::begin(kKinds), std::end(kKinds), json.at("kind").get<std::string>());
  if (kind == std::end(kKinds)) Fail(kParseModel, "its gears are of no kind known here");
  gears.kind = static_cast<ModelGears::Kind>(kind - std::begin(kKinds));
  gears.values = json.at("values").get<std::vector<Dims>>();
  gears.inputs = json.at("inputs").get<std::vector<std::vector<Dims>>>();
  gears.outputs = json.at("outputs").get<std::vector<std::vector<Dims>>>();
  return gears;
}

// Sizes are multiplied later: what cannot be the size of a tensor is refused here, once.
void CheckPorts(const std::vector<ModelPort>& ports) {
  for (const ModelPort& port : ports) {
    if (!BitsPerElement(port.type.type)) Fail(kParseModel, "'{}' has no known element type", port.name);
    for (const std::int64_t dim : port.type.dims)
      if (dim < kUnknownRank) Fail(kParseModel, "'{}' has dimension {}", port.name, dim);
    if (IsStatic(port.type.dims)) ByteSize(port.type);
    if (!port.ranges.empty() && port.ranges.size() != port.type.dims.size())
      Fail(kParseModel, "'{}' has {} ranges for {} dimensions", port.name, port.ranges.size(),
           port.type.dims.size());
  }
}

[[noreturn]] void RefuseAipp(const ModelPort& port) {
  Fail(kParseModel, "the image preprocessing of '{}' does not fit together", port.name);
}

// What the pictures of an input are and become; sizes that are open come with a gear.
void CheckPictures(const ModelPort& port, const ModelGears& gears) {
  const PortAipp& aipp = *port.aipp;
  const bool dynamic = aipp.kind == PortAipp::Kind::kDynamic;
  const Dims& network = aipp.network.dims;
  if (aipp.picture.size() != (dynamic ? 1 : 4) || network.size() != 4 || !BitsPerElement(aipp.network.type) ||
      port.type.dims.size() != (dynamic ? 2 : 4))
    RefuseAipp(port);
  if (IsStatic(aipp.picture)) ElementCount(aipp.picture);
  if (IsStatic(network)) return static_cast<void>(ByteSize(aipp.network));
  const auto open = static_cast<std::size_t>(std::count(network.begin(), network.end(), kUnknownDim));
  const bool told = std::all_of(gears.values.begin(), gears.values.end(),
                                [&](const Dims& value) { return value.size() == open; });
  if (gears.values.empty() || !told) RefuseAipp(port);
}

// The same for every gear, and no less than a head and one picture (ops/aipp/block.h).
void CheckParameters(const ModelPort& port, std::size_t index, const ModelGears& gears) {
  constexpr std::int64_t kFewestBytes = 160;
  const bool same = std::all_of(gears.inputs.begin(), gears.inputs.end(), [&](const std::vector<Dims>& gear) {
    return index < gear.size() && gear[index] == port.type.dims;
  });
  if (port.type.dims.size() != 1 || port.type.dims[0] < kFewestBytes || !same) RefuseAipp(port);
}

// Each of a pair leads to the other. What is multiplied and looked up later is checked here, once.
void CheckAipp(const std::vector<ModelPort>& inputs, const ModelGears& gears) {
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const ModelPort& port = inputs[i];
    if (!port.aipp) continue;
    const bool parameters = port.aipp->kind == PortAipp::Kind::kParameters;
    if (port.type.type != DataType::kUint8) RefuseAipp(port);
    parameters ? CheckParameters(port, i, gears) : CheckPictures(port, gears);
    if (port.aipp->kind == PortAipp::Kind::kStatic) continue;
    const auto other = parameters ? PortAipp::Kind::kDynamic : PortAipp::Kind::kParameters;
    const std::size_t attached = port.aipp->attached;
    if (attached >= inputs.size() || !inputs[attached].IsAipp(other) || inputs[attached].aipp->attached != i)
      RefuseAipp(port);
  }
}

void CheckGears(const ModelGears& gears, const std::vector<ModelPort>& ports,
                const std::vector<std::vector<Dims>>& dims) {
  if (dims.size() != gears.values.size() || (dims.empty() && gears.kind != ModelGears::Kind::kNone))
    Fail(kParseModel, "its gears do not fit together");
  for (const std::vector<Dims>& gear : dims) {
    if (gear.size() != ports.size())
      Fail(kParseModel, "a gear has {} shapes for {} ports", gear.size(), ports.size());
    for (std::size_t i = 0; i < gear.size(); ++i)
      ByteSize({ports[i].type.type, ports[i].type.format, gear[i]});
  }
}

}  // namespace

std::size_t ModelGears::Largest() const {
  const auto size = [](const Dims& gear) {
    double product = 1;
    for (const std::int64_t dim : gear)
      product *= static_cast<double>(dim);
    return product;
  };
  const auto largest = std::max_element(values.begin(), values.end(),
                                        [&](const Dims& a, const Dims& b) { return size(a) < size(b); });
  return static_cast<std::size_t>(largest - values.begin());
}

bool ModelDescription::FixedSizes() const {
  return gears.kind != ModelGears::Kind::kNone ||
         std::all_of(inputs.begin(), inputs.end(),
                     [](const ModelPort& port) { return IsStatic(port.type.dims); });
}

bool ModelDescription::HasAipp() const {
  return std::any_of(inputs.begin(), inputs.end(),
                     [](const ModelPort& port) { return port.aipp.has_value(); });
}

std::string ToJson(const ModelDescription& description) {
  const ModelGears& gears = description.gears;
  std::string options;
  for (const auto& [key, value] : description.options)
    options += (options.empty() ? "\n  " : ",\n  ") + JsonQuoted(key) + ": " + JsonQuoted(value);
  return fmt::format(R"({{
 "name": {},
 "inputs": {},
 "outputs": {},
 "gears": {{
  "kind": "{}",
  "values": {},
  "inputs": {},
  "outputs": {}
 }},
 "options": {{{}}}
}})",
                     JsonQuoted(description.name), JsonOf(description.inputs), JsonOf(description.outputs),
                     kKinds[static_cast<int>(gears.kind)], JsonOf(gears.values), JsonOf(gears.inputs),
                     JsonOf(gears.outputs), options);
}

ModelDescription DescriptionFromJson(std::string_view text, const std::string& origin) try {
  const JsonTree json = JsonTree::Parse(text);
  ModelDescription description;
  description.name = json.at("name").get<std::string>();
  description.inputs = PortsOf(json.at("inputs"));
  description.outputs = PortsOf(json.at("outputs"));
  description.gears = GearsOf(json.at("gears"));
  for (const auto& [key, value] : json.at("options").members())
    description.options[key] = value.get<std::string>();
  CheckPorts(description.inputs);
  CheckPorts(description.outputs);
  CheckGears(description.gears, description.inputs, description.gears.inputs);
  CheckGears(description.gears, description.outputs, description.gears.outputs);
  CheckAipp(description.inputs, description.gears);
  return description;
} catch (const JsonTree::Mismatch&) {
  Fail(kParseModel, "the model {} is damaged: its description is not what it should be", origin);
} catch (const Error& error) {
  Fail(kParseModel, "the model {} is damaged: {}", origin, error.message());
}

ModelDescription ReadDescription(const OmFile& file) {
  if (IsBundle(file))
    Fail(kParseModel, "the model {} is a bundle of several; aclmdlBundleLoadFromFile loads it",
         file.origin());
  const ConstBytes description = file.Get(kDescriptionSection);
  const std::string_view text(reinterpret_cast<const char*>(description.data()), description.size());
  return DescriptionFromJson(text, file.origin());
}

}  // namespace foothold
