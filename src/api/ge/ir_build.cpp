// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "ge/ge_ir_build.h"

#include <atomic>
#include <cstring>
#include <fstream>
#include <sstream>

#include "api/ge/graph_guard.h"
#include "api/ge/graph_impl.h"
#include "api/ge/offline_build.h"
#include "api/ge/session_guard.h"
#include "api/ge/single_op_graph.h"
#include "api/status.h"
#include "base/first_time.h"
#include "base/log.h"
#include "formats/graph_model.h"
#include "model/bundle.h"
#include "model/offline_model.h"

namespace foothold {

std::vector<std::byte> BuildModelBytes(const Graph& graph, const OptionMap& options) {
  CheckOptions(options);
  return OfflineModel::Build(graph, options)->Bytes();
}

ge::ModelBufferData ToBuffer(std::vector<std::byte> bytes) {
  const auto kept = std::make_shared<std::vector<std::byte>>(std::move(bytes));
  ge::ModelBufferData buffer;
  buffer.data = std::shared_ptr<uint8_t>(kept, reinterpret_cast<uint8_t*>(kept->data()));
  buffer.length = kept->size();
  return buffer;
}

namespace {

// Null before aclgrphBuildInitialize. Never destroyed: programs finalize in destructors of static objects.
std::atomic<std::shared_ptr<const OptionMap>>& GlobalOptions() {
  static auto* const options = new std::atomic<std::shared_ptr<const OptionMap>>;
  return *options;
}

OptionMap OptionsFor(const std::map<ge::AscendString, ge::AscendString>& own) {
  const std::shared_ptr<const OptionMap> global = GlobalOptions().load();
  if (!global) Fail(kInvalidParam, "aclgrphBuildInitialize has to be called first");
  OptionMap options = ToOptions(own);
  options.insert(global->begin(), global->end());
  return options;
}

std::string WithSuffix(const char* name, std::string_view suffix) {
  if (name == nullptr || *name == '\0') Fail(kInvalidParam, "the name of the file is empty");
  std::string path = name;
  return path.ends_with(suffix) ? path : path + std::string(suffix);
}

void SaveBytes(const char* file, const ge::ModelBufferData& model) {
  const std::string path = WithSuffix(file, ".om");
  if (model.data == nullptr || model.length == 0)
    Fail(kInvalidParam, "the model for '{}' has no bytes", path);
  WriteOmBytes(path, {reinterpret_cast<const std::byte*>(model.data.get()), model.length});
}

void WriteText(const std::string& path, const std::string& text) {
  std::ofstream file(path, std::ios::trunc);
  file << text;
  file.close();
  if (!file) Fail(kInvalidFile, "cannot write '{}'", path);
}

void MarkOperators(Graph& graph, const char* attribute, std::istream& lines, const char* path) {
  std::string name;
  while (std::getline(lines, name)) {
    name.erase(name.find_last_not_of(" \t\r") + 1);
    if (name.empty()) continue;
    Node* node = graph.Find(name);
    if (node == nullptr)
      Fail(kInvalidParam, "'{}' names '{}', which is no operator of the graph", path, name);
    node->attributes[attribute] = std::int64_t{1};
  }
}

}  // namespace
}  // namespace foothold

namespace ge {

using foothold::Fail;
using foothold::GraphOf;
using foothold::GuardGraph;
using foothold::kInvalidParam;

graphStatus aclgrphBuildInitialize(std::map<AscendString, AscendString>& global_options) {
  return GuardGraph("aclgrphBuildInitialize", [&] {
    foothold::OptionMap options = foothold::ToOptions(global_options);
    foothold::CheckOptions(options);
    std::shared_ptr<const foothold::OptionMap> none;
    if (!foothold::GlobalOptions().compare_exchange_strong(
            none, std::make_shared<const foothold::OptionMap>(std::move(options))))
      foothold::RecordGraphWarning("W11001", "aclgrphBuildInitialize was called before; its options stay");
  });
}

void aclgrphBuildFinalize() {
  foothold::GlobalOptions().store(nullptr);
}

graphStatus aclgrphBuildModel(const ge::Graph& graph,
                              const std::map<AscendString, AscendString>& build_options,
                              ModelBufferData& model) {
  return GuardGraph("aclgrphBuildModel", [&] {
    model =
        foothold::ToBuffer(foothold::BuildModelBytes(*GraphOf(graph), foothold::OptionsFor(build_options)));
  });
}

graphStatus aclgrphBuildModel(const std::vector<ge::Graph>& graphs,
                              const std::map<AscendString, AscendString>& build_options,
                              ModelBufferData& model) {
  if (graphs.size() == 1) return aclgrphBuildModel(graphs[0], build_options, model);
  return GuardGraph("aclgrphBuildModel", [&] {
    Fail(kInvalidParam, "{} graphs: a model is built of one; aclgrphBundleBuildModel takes several",
         graphs.size());
  });
}

graphStatus aclgrphSaveModel(const char_t* output_file, const ModelBufferData& model) {
  return GuardGraph("aclgrphSaveModel", [&] { foothold::SaveBytes(output_file, model); });
}

graphStatus aclgrphBundleBuildModel(const std::vector<ge::GraphWithOptions>& graph_with_options,
                                    ModelBufferData& model) {
  return GuardGraph("aclgrphBundleBuildModel", [&] {
    std::vector<std::vector<std::byte>> models;
    for (const GraphWithOptions& each : graph_with_options)
      models.push_back(
          foothold::BuildModelBytes(*GraphOf(each.graph), foothold::OptionsFor(each.build_options)));
    model = foothold::ToBuffer(foothold::WriteBundle(models));
  });
}

graphStatus aclgrphBundleSaveModel(const char_t* output_file, const ModelBufferData& model) {
  return GuardGraph("aclgrphBundleSaveModel", [&] { foothold::SaveBytes(output_file, model); });
}

graphStatus aclgrphGetIRVersion(int32_t* major_version, int32_t* minor_version, int32_t* patch_version) {
  return GuardGraph("aclgrphGetIRVersion", [&] {
    if (major_version == nullptr || minor_version == nullptr || patch_version == nullptr)
      Fail(kInvalidParam, "major_version, minor_version and patch_version must not be null");
    *major_version = IR_MAJOR_VERSION;
    *minor_version = IR_MINOR_VERSION;
    *patch_version = IR_PATCH_VERSION;
  });
}

graphStatus aclgrphDumpGraph(const ge::Graph& graph, const char_t* file, const size_t len) {
  return GuardGraph("aclgrphDumpGraph", [&] {
    if (file == nullptr || len == 0) Fail(kInvalidParam, "the name of the file is empty");
    const std::string name(file, strnlen(file, len));
    foothold::WriteText(foothold::WithSuffix(name.c_str(), ".txt"),
                        foothold::GraphModelText({GraphOf(graph), GraphImpl::Of(graph)->unused_subgraphs}));
  });
}

graphStatus aclgrphGenerateForOp(const AscendString& op_type, const std::vector<TensorDesc>& inputs,
                                 const std::vector<TensorDesc>& outputs, Graph& graph) {
  return GuardGraph("aclgrphGenerateForOp",
                    [&] { graph = foothold::GraphForOp(op_type.GetString(), inputs, outputs); });
}

FOOTHOLD_WITHOUT_EFFECT(aclgrphSetOpAttr);
graphStatus aclgrphSetOpAttr(Graph& graph, aclgrphAttrType attr_type, const char_t* cfg_path) {
  return GuardGraph("aclgrphSetOpAttr", [&] {
    if (attr_type != ATTR_TYPE_KEEP_DTYPE && attr_type != ATTR_TYPE_WEIGHT_COMPRESS)
      Fail(kInvalidParam, "{} is no aclgrphAttrType", static_cast<int>(attr_type));
    if (cfg_path == nullptr) Fail(kInvalidParam, "cfg_path must not be null");
    std::ifstream lines(cfg_path);
    if (!lines) Fail(foothold::kInvalidFile, "cannot read '{}'", cfg_path);
    foothold::MarkOperators(*GraphOf(graph),
                            attr_type == ATTR_TYPE_KEEP_DTYPE ? "_keep_dtype" : "_weight_compress", lines,
                            cfg_path);
    foothold::WarnOnce(
        "aclgrphSetOpAttr",
        "aclgrphSetOpAttr has no effect here: operators keep the types of the graph, and weights "
        "are not compressed");
  });
}

}  // namespace ge
