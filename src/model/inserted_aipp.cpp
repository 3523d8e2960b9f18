// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "model/inserted_aipp.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/graph_codes.h"
#include "compiler/sources.h"
#include "ops/aipp/block.h"
#include "ops/aipp/file.h"

namespace foothold {
namespace {

constexpr const char* kOptionNames[] = {"ge.insertOpFile", "insert_op_conf", "INSERT_OP_FILE"};

// Whatever is wrong with it is said of the option.
template <typename Body>
void OfOption(const std::string& option, Body&& body) {
  try {
    body();
  } catch (const Error& error) {
    throw Error(kGeParamInvalid, fmt::format("option {}: {}", option, error.message()), kBadOption);
  }
}

std::size_t FindInput(const Graph& graph, const AippSettings& settings) {
  const std::string& name = settings.related_input_name;
  for (std::size_t i = 0; !name.empty() && i < graph.inputs.size(); ++i)
    if (graph.inputs[i]->name() == name) return i;
  if (!name.empty()) Fail(kInvalidParam, "related_input_name: the network has no input '{}'", name);
  const auto rank = static_cast<std::size_t>(settings.related_input_rank);
  if (rank >= graph.inputs.size())
    Fail(kInvalidParam, "related_input_rank: the network has {} inputs, and {} is none of them",
         graph.inputs.size(), rank);
  return rank;
}

// Which sizes may be open follows from what tells them.
void CheckOpen(const AippSettings& settings, const AippNetwork& network, ModelGears::Kind gears) {
  if (gears == ModelGears::Kind::kDims) Fail(kInvalidParam, "AIPP and dynamic_dims exclude each other");
  const bool open_size = network.size.width < 0 || network.size.height < 0;
  if ((network.batch < 0 && gears != ModelGears::Kind::kBatch) ||
      (open_size && gears != ModelGears::Kind::kImage) || network.channels < 0)
    Fail(kInvalidParam,
         "the input has open dimensions; with AIPP only dynamic_batch_size and dynamic_image_size may tell "
         "them");
  if (!open_size) return;
  if (settings.dynamic) Fail(kInvalidParam, "dynamic AIPP and dynamic_image_size exclude each other");
  if (settings.crop || settings.padding || settings.src_image_size_w != 0 || settings.src_image_size_h != 0)
    Fail(kInvalidParam,
         "with dynamic_image_size there is no crop and no padding, and src_image_size_w and src_image_size_h "
         "are 0");
}

TensorType NetworkType(const Node& data, const Dims& dims) {
  TensorType type = data.outputs().at(0).desc;
  type.dims = dims;
  if (type.format == Format::kNd) type.format = Format::kNchw;
  return type;
}

std::int64_t MostPictures(const AippNetwork& network, const ModelGears& gears) {
  std::int64_t most = network.batch;
  for (const Dims& gear : gears.values)
    if (gears.kind == ModelGears::Kind::kBatch) most = std::max(most, gear.at(0));
  return most;
}

}  // namespace

InsertedAipp::InsertedAipp(const OptionMap& options) {
  for (const char* name : kOptionNames) {
    const auto found = options.find(name);
    if (found == options.end() || found->second.empty()) continue;
    option_ = name;
    path_ = found->second;
    OfOption(option_, [&] { settings_ = ReadAippFile(path_); });
    return;
  }
}

void InsertedAipp::Insert(Graph& graph, const InputShapes& shapes, const ModelGears& gears) {
  const std::vector<Node*> inputs = graph.inputs;
  for (const AippSettings& settings : settings_) {
    OfOption(option_, [&] {
      const std::size_t input = FindInput(graph, settings);
      try {
        InsertOne(graph, settings, shapes, gears);
      } catch (const Error& error) {
        Fail(kInvalidParam, "{}, input {} ('{}'): {}", path_, input, graph.inputs[input]->name(),
             error.message());
      }
    });
  }
}

void InsertedAipp::InsertOne(Graph& graph, const AippSettings& settings, const InputShapes& shapes,
                             const ModelGears& gears) {
  const std::size_t input = FindInput(graph, settings);
  if (pictures_.count(input) != 0 || parameters_.count(input) != 0)
    Fail(kInvalidParam, "two aipp_op are for it");
  Node& data = *graph.inputs[input];
  Picture picture{settings, NetworkType(data, shapes.dims(input))};
  const AippNetwork network = NetworkOf(picture.network, "it");
  CheckOpen(settings, network, gears.kind);
  picture.most_pictures = MostPictures(network, gears);
  if (!settings.dynamic) picture.settings = Complete(settings, network.size);
  const AippSize source{picture.settings.src_image_size_w, picture.settings.src_image_size_h};
  if (!settings.dynamic && source.width > 0 && source.height > 0)
    CheckFits(PictureOf(picture.settings, source), network.size, network.channels);
  const OutputRef value{&data, 0};
  Node& aipp = graph.Make("Aipp", data.name() + "_aipp");
  SetUpAipp(aipp, picture.settings, picture.network);
  ReplaceUses(value, {&aipp, 0});
  graph.outputs.Replace(value, {&aipp, 0});
  aipp.Connect(0, value);
  if (settings.dynamic) AddParameters(graph, aipp, picture, input);
  PortDesc& desc = data.outputs().at(0).desc;
  desc.type = DataType::kUint8;
  desc.format = settings.dynamic ? Format::kNd : Format::kNhwc;
  desc.dims = DimsOf(picture, picture.network.dims);
  if (!desc.details().ranges.empty()) desc.EditDetails().ranges.clear();
  pictures_.emplace(input, std::move(picture));
}

void InsertedAipp::AddParameters(Graph& graph, Node& aipp, Picture& picture, std::size_t input) {
  const std::size_t place = graph.inputs.size();
  const std::string name =
      parameters_.empty() ? kAippInput : fmt::format("{}_{}", kAippInput, parameters_.size());
  const auto bytes =
      static_cast<std::int64_t>(AippBlockBytes(static_cast<std::size_t>(picture.most_pictures)));
  Node& data =
      MakeData(graph, name, static_cast<std::int64_t>(place), {DataType::kUint8, Format::kNd, {bytes}});
  graph.inputs.push_back(&data);
  aipp.Connect(1, {&data, 0});
  picture.parameters = place;
  parameters_.emplace(place, input);
}

Dims InsertedAipp::DimsOf(const Picture& picture, const Dims& network) const {
  TensorType type = picture.network;
  type.dims = network;
  const AippNetwork sizes = NetworkOf(type, "the input");
  const AippSettings& s = picture.settings;
  if (s.dynamic) {
    const std::int64_t most = picture.most_pictures;
    return {sizes.batch, (s.max_src_image_size + most - 1) / most};
  }
  const bool known = s.src_image_size_w > 0 && s.src_image_size_h > 0;
  return PictureDims(s.input_format, sizes.batch,
                     known ? AippSize{s.src_image_size_w, s.src_image_size_h} : sizes.size);
}

std::vector<Dims> InsertedAipp::InputDims(std::vector<Dims> network) const {
  for (const auto& [input, picture] : pictures_)
    network[input] = DimsOf(picture, network[input]);
  for (const auto& [place, input] : parameters_) {
    const auto most = static_cast<std::size_t>(pictures_.at(input).most_pictures);
    network.push_back({static_cast<std::int64_t>(AippBlockBytes(most))});
  }
  return network;
}

std::optional<PortAipp> InsertedAipp::Describe(std::size_t input) const {
  if (const auto of = parameters_.find(input); of != parameters_.end())
    return PortAipp{PortAipp::Kind::kParameters, of->second};
  const auto found = pictures_.find(input);
  if (found == pictures_.end()) return std::nullopt;
  const Picture& picture = found->second;
  const AippSettings& s = picture.settings;
  PortAipp port{PortAipp::Kind::kStatic, picture.parameters, {}, picture.network, ToText(s)};
  if (s.dynamic) {
    port.kind = PortAipp::Kind::kDynamic;
    port.picture = {s.max_src_image_size};
    return port;
  }
  const AippNetwork network = NetworkOf(picture.network, "the input");
  const bool known = s.src_image_size_w > 0 && s.src_image_size_h > 0;
  port.picture = PictureDimsForPrograms(
      s.input_format, network.batch, known ? AippSize{s.src_image_size_w, s.src_image_size_h} : network.size);
  return port;
}

}  // namespace foothold
