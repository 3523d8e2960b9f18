// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Compiling and running graphs: the first generation, with ge::Tensor. Every function may be called on any
// thread; what went wrong is told by GEGetErrorMsg.
#ifndef FOOTHOLD_GE_GE_API_H_
#define FOOTHOLD_GE_GE_API_H_

#include <stddef.h>
#include <stdint.h>

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "ge/ge_allocator.h"
#include "ge/ge_api_error_codes.h"
#include "ge/ge_api_types.h"
#include "ge/ge_graph_compile_summary.h"
#include "graph/ascend_string.h"
#include "graph/graph.h"
#include "graph/string_overloads.h"
#include "graph/tensor.h"

namespace foothold {
class Session;
}

namespace ge {

class DataFlowInfo;
class ContinuousTensorList;  // ge/ge_continuous_tensor_list_api.h

using pCallBackFunc = uint32_t (*)(uint32_t graph_id, const std::map<std::string, ge::Tensor>& params_list);
namespace session {
using pCallBackFunc = uint32_t (*)(uint32_t graph_id, const std::map<AscendString, ge::Tensor>& params_list);
}

namespace string_overloads {

inline std::map<AscendString, AscendString> ToAscend(const std::map<std::string, std::string>& texts) {
  std::map<AscendString, AscendString> converted;
  for (const std::pair<const std::string, std::string>& text : texts) {
    converted[ToAscend(text.first)] = ToAscend(text.second);
  }
  return converted;
}

}  // namespace string_overloads

GE_FUNC_HOST_VISIBILITY Status GEInitialize(const std::map<AscendString, AscendString>& options);
GE_FUNC_HOST_VISIBILITY inline Status GEInitialize(const std::map<std::string, std::string>& options) {
  return GEInitialize(string_overloads::ToAscend(options));
}
GE_FUNC_HOST_VISIBILITY Status GEFinalize();

GE_FUNC_HOST_VISIBILITY ge::AscendString GEGetErrorMsgV2();
GE_FUNC_HOST_VISIBILITY ge::AscendString GEGetWarningMsgV2();
GE_FUNC_HOST_VISIBILITY inline std::string GEGetErrorMsg() {
  return string_overloads::FromAscend(GEGetErrorMsgV2());
}
GE_FUNC_HOST_VISIBILITY inline std::string GEGetWarningMsg() {
  return string_overloads::FromAscend(GEGetWarningMsgV2());
}

class GE_FUNC_HOST_VISIBILITY Session {
 public:
  explicit Session(const std::map<AscendString, AscendString>& options);
  explicit Session(const std::map<std::string, std::string>& options)
      : Session(string_overloads::ToAscend(options)) {}
  ~Session();
  Session(const Session&)            = delete;
  Session& operator=(const Session&) = delete;

  Status AddGraph(uint32_t graph_id, const Graph& graph);
  Status AddGraph(uint32_t graph_id, const Graph& graph, const std::map<AscendString, AscendString>& options);
  Status AddGraph(uint32_t graph_id, const Graph& graph, const std::map<std::string, std::string>& options) {
    return AddGraph(graph_id, graph, string_overloads::ToAscend(options));
  }
  Status AddGraphWithCopy(uint32_t graph_id, const Graph& graph);
  Status AddGraphWithCopy(uint32_t graph_id, const Graph& graph,
                          const std::map<AscendString, AscendString>& options);
  Status RemoveGraph(uint32_t graph_id);
  bool IsGraphNeedRebuild(uint32_t graph_id);
  uint64_t GetSessionId() const;

  Status BuildGraph(uint32_t graph_id, const std::vector<InputTensorInfo>& inputs);
  Status BuildGraph(uint32_t graph_id, const std::vector<ge::Tensor>& inputs);
  Status CompileGraph(uint32_t graph_id);
  Status LoadGraph(const uint32_t graph_id, const std::map<AscendString, AscendString>& options,
                   void* stream) const;

  Status RunGraph(uint32_t graph_id, const std::vector<Tensor>& inputs, std::vector<Tensor>& outputs);
  Status RunGraphAsync(uint32_t graph_id, const std::vector<ge::Tensor>& inputs, RunAsyncCallback callback);
  // For ContinuousTensorList, and nothing else: {} stays a list of tensors.
  template <typename List,
            typename = typename std::enable_if<std::is_same<List, ContinuousTensorList>::value>::type>
  Status RunGraph(uint32_t graph_id, const List& inputs, std::vector<Tensor>& outputs) {
    return RunGraph(graph_id, inputs.GetTensorList(), outputs);
  }
  template <typename List,
            typename = typename std::enable_if<std::is_same<List, ContinuousTensorList>::value>::type>
  Status RunGraphAsync(uint32_t graph_id, const List& inputs, RunAsyncCallback callback) {
    return RunGraphAsync(graph_id, inputs.GetTensorList(), callback);
  }
  Status RunGraphWithStreamAsync(uint32_t graph_id, void* stream, const std::vector<Tensor>& inputs,
                                 std::vector<Tensor>& outputs);
  Status ExecuteGraphWithStreamAsync(uint32_t graph_id, void* stream, const std::vector<gert::Tensor>& inputs,
                                     std::vector<gert::Tensor>& outputs);

  Status RegisterCallBackFunc(const char* key, const session::pCallBackFunc& callback);
  Status RegisterCallBackFunc(const std::string& key, const pCallBackFunc& callback) {
    const pCallBackFunc function = callback;
    if (function == nullptr) {
      return RegisterCallBackFunc(key.c_str(), static_cast<session::pCallBackFunc>(nullptr));
    }
    return RegisterConverted(key.c_str(),
                             [function](uint32_t graph_id, const std::map<AscendString, ge::Tensor>& values) {
                               std::map<std::string, ge::Tensor> converted;
                               for (const std::pair<const AscendString, ge::Tensor>& value : values) {
                                 converted[string_overloads::FromAscend(value.first)] = value.second;
                               }
                               return function(graph_id, converted);
                             });
  }

  Status GetVariables(const std::vector<AscendString>& var_names, std::vector<Tensor>& var_values);
  Status GetVariables(const std::vector<std::string>& var_names, std::vector<Tensor>& var_values) {
    return GetVariables(string_overloads::ToAscend(var_names), var_values);
  }

  CompiledGraphSummaryPtr GetCompiledGraphSummary(uint32_t graph_id);
  Status SetGraphConstMemoryBase(uint32_t graph_id, const void* const memory, size_t size);
  Status UpdateGraphFeatureMemoryBase(uint32_t graph_id, const void* const memory, size_t size);
  Status SetGraphFixedFeatureMemoryBase(uint32_t graph_id, const void* const memory, size_t size);
  Status SetGraphFixedFeatureMemoryBaseWithType(uint32_t graph_id, MemoryType type, const void* const memory,
                                                size_t size);
  Status UpdateGraphRefreshableFeatureMemoryBase(uint32_t graph_id, const void* const memory, size_t size);
  Status RegisterExternalAllocator(const void* const stream, AllocatorPtr allocator) const;
  Status UnregisterExternalAllocator(const void* const stream) const;

  // Not supported.
  Status RunGraphDistribute(uint32_t graph_id, const std::map<int32_t, std::vector<Tensor>>& device_to_inputs,
                            std::map<int32_t, std::vector<Tensor>>& device_to_outputs);
  Status FeedDataFlowGraph(uint32_t graph_id, const std::vector<Tensor>& inputs, const DataFlowInfo& info,
                           int32_t timeout);
  Status FeedDataFlowGraph(uint32_t graph_id, const std::vector<uint32_t>& indexes,
                           const std::vector<Tensor>& inputs, const DataFlowInfo& info, int32_t timeout);
  Status FetchDataFlowGraph(uint32_t graph_id, std::vector<Tensor>& outputs, DataFlowInfo& info,
                            int32_t timeout);
  Status FetchDataFlowGraph(uint32_t graph_id, const std::vector<uint32_t>& indexes,
                            std::vector<Tensor>& outputs, DataFlowInfo& info, int32_t timeout);
  Status ShardGraphs() const;
  Status ShardGraphsToFile(const char_t* file_path = "./") const;
  Status SaveGraphsToPb(const char_t* file_path) const;
  Status PaRemapped(const uint64_t va, const uint64_t new_pa, const uint64_t len) const;
  Status GraphDebugJSONPrint(const uint32_t graph_id, uint32_t flags, AscendString& json_result) const;

 private:
  using Converted = std::function<uint32_t(uint32_t, const std::map<AscendString, ge::Tensor>&)>;
  Status RegisterConverted(const char* key, const Converted& callback);

  // One word: prebuilt programs reserve no more for a session.
  std::unique_ptr<std::shared_ptr<foothold::Session>> session_;
};

}  // namespace ge

extern "C" {
GE_FUNC_HOST_VISIBILITY ge::Status GeSessionLoadGraph(
    ge::Session& session, uint32_t graph_id, const std::map<ge::AscendString, ge::AscendString>& options,
    void* stream);
GE_FUNC_HOST_VISIBILITY ge::Status GeSessionExecuteGraphWithStreamAsync(
    ge::Session& session, uint32_t graph_id, void* stream, const std::vector<gert::Tensor>& inputs,
    std::vector<gert::Tensor>& outputs);
GE_FUNC_HOST_VISIBILITY ge::Status GeSessionGraphDebugJSONPrint(ge::Session& session, uint32_t graph_id,
                                                                uint32_t flags,
                                                                ge::AscendString& json_result);
// Ports and attributes of an operator as (name, kind): required, optional or dynamic; for attributes VT_INT
// and the like.
GE_FUNC_HOST_VISIBILITY ge::Status GetRegisteredIrDef(
    const char* op_type, std::vector<std::pair<ge::AscendString, ge::AscendString>>& inputs,
    std::vector<std::pair<ge::AscendString, ge::AscendString>>& outputs,
    std::vector<std::pair<ge::AscendString, ge::AscendString>>& attrs);
}

#endif  // FOOTHOLD_GE_GE_API_H_
