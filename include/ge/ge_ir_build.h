// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Offline compilation: graphs into models that are saved, moved and run later with the functions of
// acl/acl_mdl.h. Every function may be called on any thread; what went wrong is told by GEGetErrorMsg.
#ifndef FOOTHOLD_GE_GE_IR_BUILD_H_
#define FOOTHOLD_GE_GE_IR_BUILD_H_

#include <stddef.h>
#include <stdint.h>

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "ge/ge_api_types.h"
#include "graph/ascend_string.h"
#include "graph/ge_error_codes.h"
#include "graph/graph.h"
#include "graph/string_overloads.h"
#include "graph/tensor.h"

namespace ge {

const int32_t IR_MAJOR_VERSION = 1;
const int32_t IR_MINOR_VERSION = 0;
const int32_t IR_PATCH_VERSION = 0;

// A compiled model; its bytes may be copied, stored and sent.
struct ModelBufferData {
  std::shared_ptr<uint8_t> data = nullptr;
  uint64_t length               = 0;
};

struct GraphWithOptions {
  ge::Graph graph;
  std::map<AscendString, AscendString> build_options;
};

enum aclgrphAttrType {
  ATTR_TYPE_KEEP_DTYPE      = 0,
  ATTR_TYPE_WEIGHT_COMPRESS = 1,
};

// Once per process, before models are built. The options hold for all of them.
GE_FUNC_HOST_VISIBILITY graphStatus
aclgrphBuildInitialize(std::map<AscendString, AscendString>& global_options);
GE_FUNC_HOST_VISIBILITY void aclgrphBuildFinalize();

GE_FUNC_HOST_VISIBILITY graphStatus
aclgrphBuildModel(const ge::Graph& graph, const std::map<AscendString, AscendString>& build_options,
                  ModelBufferData& model);
// One graph is expected; several are a bundle, which aclgrphBundleBuildModel makes.
GE_FUNC_HOST_VISIBILITY graphStatus
aclgrphBuildModel(const std::vector<ge::Graph>& graphs,
                  const std::map<AscendString, AscendString>& build_options, ModelBufferData& model);
// Writes <output_file>.om.
GE_FUNC_HOST_VISIBILITY graphStatus aclgrphSaveModel(const char_t* output_file, const ModelBufferData& model);

GE_FUNC_HOST_VISIBILITY graphStatus
aclgrphBundleBuildModel(const std::vector<ge::GraphWithOptions>& graph_with_options, ModelBufferData& model);
GE_FUNC_HOST_VISIBILITY graphStatus aclgrphBundleSaveModel(const char_t* output_file,
                                                           const ModelBufferData& model);

GE_FUNC_HOST_VISIBILITY graphStatus aclgrphGetIRVersion(int32_t* major_version, int32_t* minor_version,
                                                        int32_t* patch_version);
// Writes the graph as text to <file>.txt; `len` is the length of the name.
GE_FUNC_HOST_VISIBILITY graphStatus aclgrphDumpGraph(const ge::Graph& graph, const char_t* file,
                                                     const size_t len);
// A graph of one operator.
GE_FUNC_HOST_VISIBILITY graphStatus aclgrphGenerateForOp(const AscendString& op_type,
                                                         const std::vector<TensorDesc>& inputs,
                                                         const std::vector<TensorDesc>& outputs,
                                                         Graph& graph);
// Marks the operators that the file lists, one name in a line.
GE_FUNC_HOST_VISIBILITY graphStatus aclgrphSetOpAttr(Graph& graph, aclgrphAttrType attr_type,
                                                     const char_t* cfg_path);

// The same with std::string.

namespace string_overloads {

inline std::map<AscendString, AscendString> ToAscendOptions(const std::map<std::string, std::string>& texts) {
  std::map<AscendString, AscendString> converted;
  for (const std::pair<const std::string, std::string>& text : texts) {
    converted[ToAscend(text.first)] = ToAscend(text.second);
  }
  return converted;
}

}  // namespace string_overloads

inline graphStatus aclgrphBuildInitialize(std::map<std::string, std::string> global_options) {
  std::map<AscendString, AscendString> converted = string_overloads::ToAscendOptions(global_options);
  return aclgrphBuildInitialize(converted);
}
inline graphStatus aclgrphBuildModel(const ge::Graph& graph,
                                     const std::map<std::string, std::string>& build_options,
                                     ModelBufferData& model) {
  return aclgrphBuildModel(graph, string_overloads::ToAscendOptions(build_options), model);
}
inline graphStatus aclgrphBuildModel(const std::vector<ge::Graph>& graphs,
                                     const std::map<std::string, std::string>& build_options,
                                     ModelBufferData& model) {
  return aclgrphBuildModel(graphs, string_overloads::ToAscendOptions(build_options), model);
}
inline graphStatus aclgrphSaveModel(const std::string& output_file, const ModelBufferData& model) {
  return aclgrphSaveModel(output_file.c_str(), model);
}

}  // namespace ge

#endif  // FOOTHOLD_GE_GE_IR_BUILD_H_
