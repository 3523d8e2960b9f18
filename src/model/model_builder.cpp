// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/log.h"
#include "compiler/normalize.h"
#include "compiler/passes/remove_dead_nodes.h"
#include "device/run_memory.h"
#include "dump/graph_dump.h"
#include "ir/imported_outputs.h"
#include "model/build_options.h"
#include "model/gear_options.h"
#include "model/inserted_aipp.h"
#include "model/offline_model.h"
#include "model/open_outputs.h"
#include "ops/matrix/half_weights.h"
#include "options/input_shapes.h"
#include "options/precision.h"

namespace foothold {
namespace {

bool AllStatic(const std::vector<Dims>& shapes) {
  return std::all_of(shapes.begin(), shapes.end(), IsStatic);
}

// Where shapes differ between gears, nobody can say.
Dims Common(const std::vector<std::vector<Dims>>& gears, std::size_t port) {
  Dims common = gears.front()[port];
  for (const std::vector<Dims>& gear : gears)
    common = CommonDims(common, gear[port]);
  return common;
}

// Layouts are handed from operator to operator; an output may have fewer dimensions than the image it came
// from.
bool FitsLayout(const TensorType& type) {
  switch (type.format) {
    case Format::kNchw:
    case Format::kNhwc:
    case Format::kHwcn:
      return type.dims.size() == 4;
    case Format::kNcdhw:
    case Format::kNdhwc:
      return type.dims.size() == 5;
    default:
      return true;
  }
}

}  // namespace

class OfflineModel::Builder {
 public:
  Builder(const Graph& graph, const OptionMap& options)
      : model_(new OfflineModel),
        description_(model_->description_),
        graph_(NormalizeForFile(graph, options)),
        gears_(ReadGearOptions(graph_->inputs, options)),
        shapes_(graph_->inputs, Options(gears_.options)),
        aipp_(options) {
    description_.name = graph.name();
    description_.options = options;
    description_.gears.kind = gears_.kind;
    description_.gears.values = gears_.values;
  }

  std::shared_ptr<const OfflineModel> Build() {
    for (std::size_t i = 0; i < graph_->outputs.size(); ++i)
      description_.outputs.push_back({OutputName(i), {}});
    SetInputFormats(*graph_, description_.options);
    CastInputs(*graph_, description_.options);
    CastOutputs(*graph_, description_.options);
    aipp_.Insert(*graph_, shapes_, description_.gears);
    DescribeInputs();
    if (AllowsHalfWeights(description_.options)) AllowHalfWeights(*graph_);
    DumpStage(*graph_, kPreparedStage, kDumpedDevice);
    model_->executable_ = std::make_shared<Executable>(
        graph_, [this](const Graph& seen, Executable::Stage stage) { See(seen, stage); });
    for (const std::vector<Dims>& shapes : ShapesToCompile())
      Compile(shapes);
    DescribeOutputs();
    model_->saved_ = folded_ ? folded_ : graph_;
    return model_;
  }

 private:
  static std::shared_ptr<Graph> NormalizeForFile(const Graph& graph, const OptionMap& options) {
    NoteBuildOptions(options);
    DumpStage(graph, kBeginStage, kDumpedDevice);
    const std::shared_ptr<Graph> chosen = graph.Clone();
    ChooseOutputs(*chosen, options);
    EmbedAippFiles(*chosen);
    NormalGraph normal =
        Normalize(*chosen, {Options(options).Find(kWeightFolderOption).value_or(""), FindForReading});
    if (!normal.summaries.empty() || !normal.saves.empty())
      Fail(kInvalidParam, "graph '{}' has Summary or Save nodes, which only sessions run", graph.name());
    return normal.graph;
  }

  // What operators of the program read from files goes into that of the model.
  static void EmbedAippFiles(const Graph& graph) {
    for (Node* node : graph.nodes())
      if (node->type() == "Aipp") EmbedAippFile(*node);
  }

  std::string OutputName(std::size_t index) const {
    if (std::string imported = ImportedName(*graph_, index); !imported.empty()) return imported;
    const OutputRef& output = graph_->outputs[index];
    return fmt::format("output_{}_{}_{}", index, output.node->name(), output.port);
  }

  void DescribeInputs() {
    std::vector<Dims> network;
    for (std::size_t i = 0; i < network_inputs_; ++i)
      network.push_back(shapes_.dims(i));
    declared_ = aipp_.InputDims(std::move(network));
    for (std::size_t i = 0; i < graph_->inputs.size(); ++i) {
      Node& data = *graph_->inputs[i];
      const auto aipp = aipp_.Describe(i);
      const InputShapes::Ranges ranges = aipp ? InputShapes::Ranges() : RangesOf(i);
      data.outputs().at(0).desc.dims = declared_[i];
      // Options are for the inputs of the network; what is loaded finds those of the graph here.
      if (!aipp_.empty()) data.outputs()[0].desc.EditDetails().ranges = ranges;
      description_.inputs.push_back({data.name(), data.outputs()[0].desc, ranges, aipp});
    }
  }

  // Only those that say more than the dimensions do.
  InputShapes::Ranges RangesOf(std::size_t input) const {
    const Dims& dims = shapes_.dims(input);
    const InputShapes::Ranges& ranges = shapes_.ranges(input);
    return IsStatic(dims) || ranges.size() != dims.size() ? InputShapes::Ranges() : ranges;
  }

  std::vector<std::vector<Dims>> ShapesToCompile() const {
    std::vector<std::vector<Dims>> all;
    for (const Dims& gear : shapes_.gears())
      all.push_back(aipp_.InputDims(shapes_.WithGear(gear)));
    if (all.empty() && AllStatic(declared_)) all.push_back(declared_);
    return all;
  }

  std::vector<TensorType> TypesOf(const std::vector<Dims>& shapes) const {
    std::vector<TensorType> types;
    for (std::size_t i = 0; i < shapes.size(); ++i) {
      types.push_back(description_.inputs[i].type);
      types.back().dims = shapes[i];
    }
    return types;
  }

  void Compile(const std::vector<Dims>& shapes) {
    const auto plan = model_->executable_->Prepare(TypesOf(shapes));
    std::vector<Dims> outputs;
    for (std::size_t i = 0; i < description_.outputs.size(); ++i) {
      if (plan->rest == nullptr) description_.outputs[i].type = plan->program->outputs[i];
      outputs.push_back(plan->rest == nullptr ? plan->program->outputs[i].dims : Dims{kUnknownRank});
    }
    compiled_.push_back(shapes);
    results_.push_back(std::move(outputs));
  }

  void See(const Graph& seen, Executable::Stage stage) {
    KeepFolded(seen, stage);
    if (guessing_) return;
    DumpStage(seen, stage == Executable::Stage::kBuilt ? kBuiltStage : kInferredStage, kDumpedDevice);
  }

  // With one set of shapes, what was computed while compiling need not be computed again when it is loaded.
  void KeepFolded(const Graph& seen, Executable::Stage stage) {
    if (stage != Executable::Stage::kInferred || !shapes_.gears().empty() || !AllStatic(declared_) || folded_)
      return;
    folded_ = seen.Clone();
    RemoveDeadNodes(*folded_);  // nodes that were computed, whose names their results have now
  }

  void DescribeOutputs() {
    if (results_.empty()) GuessOutputTypes();
    const std::vector<Dims> open =
        results_.empty() ? OpenOutputs(*graph_, GraphShapes()) : std::vector<Dims>();
    for (std::size_t i = 0; i < description_.outputs.size(); ++i) {
      TensorType& type = description_.outputs[i].type;
      type.dims = results_.empty() ? open[i] : Common(results_, i);
      if (!FitsLayout(type)) type.format = Format::kNd;
    }
    if (gears_.kind == ModelGears::Kind::kNone) return;
    description_.gears.inputs = compiled_;
    description_.gears.outputs = results_;
  }

  InputShapes GraphShapes() const {
    return aipp_.empty() ? shapes_ : InputShapes(graph_->inputs, Options(OptionMap()));
  }

  // The shapes come with the run, but programs ask for element types before. Those rarely depend on sizes.
  void GuessOutputTypes() try {
    guessing_ = true;
    std::vector<Dims> small = declared_;
    for (Dims& dims : small)
      std::replace_if(
          dims.begin(), dims.end(), [](std::int64_t dim) { return dim < 0; }, 1);
    const auto plan = model_->executable_->Prepare(TypesOf(small));
    for (std::size_t i = 0; plan->rest == nullptr && i < description_.outputs.size(); ++i)
      description_.outputs[i].type = plan->program->outputs[i];
  } catch (const Error& error) {
    if (error.code() == kFeatureUnsupported) throw;  // no kernel, whatever the sizes
    Log(LogLevel::kInfo, "the element types of the outputs of '{}' are not known before it runs: {}",
        description_.name, error.message());
  }

  static constexpr int kDumpedDevice = 0;  // models are built without one

  std::shared_ptr<OfflineModel> model_;
  ModelDescription& description_;
  const std::shared_ptr<Graph> graph_;
  const GearOptions gears_;
  const InputShapes shapes_;  // of the network
  const std::size_t network_inputs_ = graph_->inputs.size();
  InsertedAipp aipp_;
  std::vector<Dims> declared_;
  std::vector<std::vector<Dims>> compiled_, results_;
  std::shared_ptr<Graph> folded_;
  bool guessing_ = false;  // with shapes nobody asked for
};

std::shared_ptr<const OfflineModel> OfflineModel::Build(const Graph& graph, const OptionMap& options) {
  return Builder(graph, options).Build();
}

}  // namespace foothold
