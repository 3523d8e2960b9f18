// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "model/offline_model.h"

#include <algorithm>
#include <map>

#include "base/error.h"
#include "compiler/normalize.h"
#include "formats/graph_model.h"
#include "ir/stored_weight.h"
#include "model/model_codes.h"
#include "model/packings.h"
#include "model/saved_graph.h"
#include "ops/matrix/packed_weights.h"

namespace foothold {
namespace {

// Smaller tensors are often read by the compiler (axes, shapes), and cost less in the graph itself.
constexpr std::size_t kSmallestWeight = 1024;

}  // namespace

// What stands in a file, in one piece of memory each or where the graph has it.
class OfflineModel::Contents {
 public:
  explicit Contents(const OfflineModel& model) : description_(ToJson(model.description_)) {
    GraphModel graph;
    graph.graph = std::const_pointer_cast<Graph>(model.saved_);
    SaveGraphModel(graph, [this](const TensorValue& value) { return Collect(value); });
    PlaceWeights();
    graph_ = SaveGraphModel(graph, [this](const TensorValue& value) { return PlaceOf(value); });
  }

  std::vector<OmSection> Sections() {
    std::vector<OmSection> sections = {{kDescriptionSection, {AsBytes(description_)}},
                                       {kGraphSection, {AsBytes(graph_)}},
                                       {kWeightsSection, weights_}};
    for (OmSection& section : packings_.Sections())
      sections.push_back(std::move(section));
    return sections;
  }

 private:
  static ConstBytes AsBytes(const std::string& text) {
    return std::as_bytes(std::span(text.data(), text.size()));
  }

  using Key = std::pair<const std::byte*, std::size_t>;
  static Key KeyOf(const TensorValue& value) { return {value.data(), value.size()}; }

  // A tensor that stands in several places is kept once.
  std::optional<std::uint64_t> Collect(const TensorValue& value) {
    if (value.size() < kSmallestWeight) return std::nullopt;
    KeepWeight(value);
    if (places_.emplace(KeyOf(value), 0).second) kept_.push_back(value);
    return 0;
  }

  std::optional<std::uint64_t> PlaceOf(const TensorValue& value) const {
    const auto found = places_.find(KeyOf(value));
    return found == places_.end() ? std::nullopt : std::optional(found->second);
  }

  // Weights that are packed stand last: nobody reads them from the file as long as it stays on such a CPU,
  // and the system maps more than what is read.
  void PlaceWeights() {
    static const std::byte zeros[kTensorAlignment] = {};
    std::stable_partition(kept_.begin(), kept_.end(),
                          [](const TensorValue& value) { return PackingsOf(value).empty(); });
    std::uint64_t end = 0;
    for (const TensorValue& value : kept_) {
      const std::size_t padding = (kTensorAlignment - value.size() % kTensorAlignment) % kTensorAlignment;
      places_[KeyOf(value)] = end;
      weights_.push_back({value.data(), value.size()});
      weights_.push_back({zeros, padding});
      packings_.Add(value, end);
      end += value.size() + padding;
    }
  }

  std::string description_, graph_;
  std::vector<ConstBytes> weights_;
  std::vector<TensorValue> kept_;  // keeps the bytes alive
  std::map<Key, std::uint64_t> places_;
  PackingSections packings_;
};

std::vector<std::byte> OfflineModel::Bytes() const {
  return WriteOm(Contents(*this).Sections());
}

void OfflineModel::Save(const std::string& path) const {
  WriteOmFile(path, Contents(*this).Sections());
}

std::shared_ptr<const OfflineModel> OfflineModel::Load(std::shared_ptr<const OmFile> file,
                                                       const NodePredicate& keeps) {
  std::shared_ptr<OfflineModel> model(new OfflineModel);
  model->description_ = ReadDescription(*file);
  model->saved_ = ReadSavedGraph(file);
  try {
    model->packings_ = OfferPackings(file, file->Get(kWeightsSection));
    NormalGraph normal = Normalize(*model->saved_);
    if (normal.graph->inputs.size() != model->description_.inputs.size() ||
        normal.graph->outputs.size() != model->description_.outputs.size())
      Fail(kParseModel, "its graph and its description do not fit together");
    KeepNodes(*normal.graph, keeps);
    model->executable_ = std::make_shared<Executable>(std::move(normal.graph));
  } catch (const Error& error) {
    Fail(kParseModel, "the model {} is damaged: {}", file->origin(), error.message());
  }
  model->file_ = std::move(file);
  return model;
}

std::shared_ptr<const Plan> OfflineModel::Prepare(const std::vector<TensorType>& inputs) const {
  const std::vector<ModelPort>& ports = description_.inputs;
  if (inputs.size() != ports.size())
    Fail(kModelInputNotMatch, "the model '{}' has {} inputs and was given {}", description_.name,
         ports.size(), inputs.size());
  for (std::size_t i = 0; i < ports.size(); ++i)
    if (inputs[i].type != ports[i].type.type || !Compatible(inputs[i].dims, ports[i].type.dims))
      Fail(kModelInputNotMatch, "input {} ('{}') of the model '{}' is {} and was given as {}", i,
           ports[i].name, description_.name, ToString(ports[i].type), ToString(inputs[i]));
  if (file_ != nullptr) file_->CheckUnchanged();
  return executable_->Prepare(inputs);
}

}  // namespace foothold
