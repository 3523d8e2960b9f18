// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Compiling and running graphs: the second generation, with gert::Tensor. Every function may be called on any
// thread; what went wrong is told by GEGetErrorMsgV3.
#ifndef FOOTHOLD_GE_GE_API_V2_H_
#define FOOTHOLD_GE_GE_API_V2_H_

#include <stddef.h>
#include <stdint.h>

#include <functional>
#include <map>
#include <memory>
#include <vector>

#include "exe_graph/runtime/tensor.h"
#include "ge/ge_allocator.h"
#include "ge/ge_api_error_codes.h"
#include "ge/ge_api_types.h"
#include "ge/ge_graph_compile_summary.h"
#include "graph/ascend_string.h"
#include "graph/graph.h"
#include "graph/tensor.h"

namespace foothold {
class Session;
}

namespace ge {

struct ModelBufferData;

using RunCallback =
    std::function<Status(uint32_t graph_id, const std::map<AscendString, gert::Tensor>& params_list)>;
using RunCallBack = RunCallback;
namespace session {
using RunCallBack = ge::RunCallback;
}

GE_FUNC_HOST_VISIBILITY Status GEInitializeV2(const std::map<AscendString, AscendString>& options);
GE_FUNC_HOST_VISIBILITY Status GEFinalizeV2();
GE_FUNC_HOST_VISIBILITY ge::AscendString GEGetErrorMsgV3();
GE_FUNC_HOST_VISIBILITY ge::AscendString GEGetWarningMsgV3();

class GE_FUNC_HOST_VISIBILITY GeSession {
 public:
  explicit GeSession(const std::map<AscendString, AscendString>& options);
  ~GeSession();
  GeSession(const GeSession&)            = delete;
  GeSession& operator=(const GeSession&) = delete;

  Status AddGraph(uint32_t graph_id, const Graph& graph);
  Status AddGraph(uint32_t graph_id, const Graph& graph, const std::map<AscendString, AscendString>& options);
  Status AddGraphClone(uint32_t graph_id, const Graph& graph);
  Status AddGraphClone(uint32_t graph_id, const Graph& graph,
                       const std::map<AscendString, AscendString>& options);
  Status RemoveGraph(uint32_t graph_id);
  bool IsGraphNeedRebuild(uint32_t graph_id);
  uint64_t GetSessionId() const;

  Status CompileGraph(uint32_t graph_id);
  Status CompileGraph(uint32_t graph_id, const std::vector<ge::Tensor>& inputs);
  Status LoadGraph(const uint32_t graph_id, const std::map<AscendString, AscendString>& options,
                   void* stream) const;

  Status RunGraph(uint32_t graph_id, const std::vector<gert::Tensor>& inputs,
                  std::vector<gert::Tensor>& outputs);
  Status RunGraphAsync(uint32_t graph_id, const std::vector<gert::Tensor>& inputs,
                       RunAsyncCallbackV2 callback);
  Status RunGraphWithStreamAsync(uint32_t graph_id, void* stream, const std::vector<gert::Tensor>& inputs,
                                 std::vector<gert::Tensor>& outputs);

  Status RegisterCallBackFunc(const char* key, const RunCallback& callback);

  CompiledGraphSummaryPtr GetCompiledGraphSummary(uint32_t graph_id);
  Status SetGraphConstMemoryBase(uint32_t graph_id, const void* const memory, size_t size);
  Status UpdateGraphFeatureMemoryBase(uint32_t graph_id, const void* const memory, size_t size);
  Status SetGraphFixedFeatureMemoryBaseWithType(uint32_t graph_id, MemoryType type, const void* const memory,
                                                size_t size);
  Status UpdateGraphRefreshableFeatureMemoryBase(uint32_t graph_id, const void* const memory, size_t size);
  Status RegisterExternalAllocator(const void* const stream, AllocatorPtr allocator) const;
  Status UnregisterExternalAllocator(const void* const stream) const;

  // Not supported.
  Status GetCompiledModel(uint32_t graph_id, ModelBufferData& model_buffer);
  Status GraphDebugJSONPrint(const uint32_t graph_id, uint32_t flags, AscendString& json_result) const;

 private:
  std::shared_ptr<foothold::Session> session_;
};

}  // namespace ge

#endif  // FOOTHOLD_GE_GE_API_V2_H_
