// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What is known of a graph once it is compiled. Most of it exists only where all shapes are known; the other
// graphs answer with a failure.
#ifndef FOOTHOLD_GE_GE_GRAPH_COMPILE_SUMMARY_H_
#define FOOTHOLD_GE_GE_GRAPH_COMPILE_SUMMARY_H_

#include <stddef.h>
#include <stdint.h>

#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "ge/ge_api_types.h"
#include "ge/ge_external_weight_desc.h"
#include "ge/ge_feature_memory.h"
#include "graph/ascend_string.h"
#include "graph/gnode.h"
#include "graph/tensor.h"
#include "graph/types.h"

namespace ge {

// One logical stream of a graph, and what runs on it.
class GE_FUNC_HOST_VISIBILITY LogicalStreamAllocationInfo {
 public:
  class Builder;
  class InfoData;

  LogicalStreamAllocationInfo();
  ~LogicalStreamAllocationInfo();
  LogicalStreamAllocationInfo(const LogicalStreamAllocationInfo& stream_info);
  LogicalStreamAllocationInfo& operator=(const LogicalStreamAllocationInfo& stream_info);

  AscendString ToStringInfo() const;
  int64_t GetLogicalStreamId() const;
  AscendString GetUsrStreamLabel() const;
  bool IsAssignedByStreamPass() const;
  std::vector<int64_t> GetAttachedStreamIds() const;
  size_t GetPhysicalStreamNum() const;
  size_t GetHcclFollowedStreamNum() const;
  const std::vector<GNode>& GetAllNodes() const;

 private:
  std::unique_ptr<InfoData> data_;
};

// Which streams the graphs of a compilation use, by the names of the graphs.
class GE_FUNC_HOST_VISIBILITY StreamAllocationSummary {
 public:
  class Builder;
  class SummaryData;

  StreamAllocationSummary();
  ~StreamAllocationSummary();

  const std::map<AscendString, AscendString>& ToStreamGraph() const;
  const std::map<AscendString, std::vector<LogicalStreamAllocationInfo>>& GetAllLogicalStreamInfos() const;

 private:
  std::unique_ptr<SummaryData> data_;
};

class GE_FUNC_HOST_VISIBILITY CompiledGraphSummary {
 public:
  class Builder;
  class SummaryData;

  ~CompiledGraphSummary();
  CompiledGraphSummary(const CompiledGraphSummary&)              = delete;
  CompiledGraphSummary& operator=(const CompiledGraphSummary&) & = delete;

  bool IsStatic() const;
  Status GetConstMemorySize(size_t& size) const;
  Status GetFeatureMemorySize(size_t& size) const;
  Status GetFixedFeatureMemorySize(size_t& size) const;
  std::vector<FeatureMemoryPtr> GetAllFeatureMemoryTypeSize() const;
  Status GetRefreshableFeatureMemorySize(size_t& size) const;
  Status GetFeatureMemoryBaseRefreshable(bool& v) const;
  Status GetStreamNum(size_t& num) const;
  Status GetEventNum(size_t& num) const;
  Status GetOutputShapes(std::vector<ge::Shape>& shapes) const;
  Status GetOutputDtypes(std::vector<ge::DataType>& dtypes) const;
  // Pairs of an input and an output that share their memory.
  Status GetIOIndexesWithSameAddr(std::vector<std::pair<uint32_t, uint32_t>>& io_indexes) const;
  Status GetExternalWeightPaths(std::vector<ExternalWeightDescPtr>& paths) const;
  Status GetStreamAllocationSummary(std::shared_ptr<StreamAllocationSummary>& stream_allocation) const;

 private:
  CompiledGraphSummary();
  std::shared_ptr<SummaryData> data_;
};

using CompiledGraphSummaryPtr = std::shared_ptr<CompiledGraphSummary>;

// The same as the methods of LogicalStreamAllocationInfo, for all graphs and their streams at once.
extern "C" {
GE_FUNC_HOST_VISIBILITY ge::Status GEStreamAllocationSummaryGetStringInfos(
    const ge::CompiledGraphSummary& compiled_graph_summary,
    std::map<AscendString, std::vector<AscendString>>& graph_to_string_infos);
GE_FUNC_HOST_VISIBILITY ge::Status GEStreamAllocationSummaryGetLogicalStreamIds(
    const ge::CompiledGraphSummary& compiled_graph_summary,
    std::map<AscendString, std::vector<int64_t>>& graph_to_logical_stream_ids);
GE_FUNC_HOST_VISIBILITY ge::Status GEStreamAllocationSummaryGetUsrStreamLabels(
    const ge::CompiledGraphSummary& compiled_graph_summary,
    std::map<AscendString, std::vector<AscendString>>& graph_to_user_stream_labels);
GE_FUNC_HOST_VISIBILITY ge::Status GEStreamAllocationSummaryIsAssignedByStreamPass(
    const ge::CompiledGraphSummary& compiled_graph_summary,
    std::map<AscendString, std::vector<bool>>& graph_to_is_assigned_by_stream_pass);
GE_FUNC_HOST_VISIBILITY ge::Status GEStreamAllocationSummaryGetAttachedStreamIds(
    const ge::CompiledGraphSummary& compiled_graph_summary,
    std::map<AscendString, std::vector<std::vector<int64_t>>>& graph_to_attached_stream_ids);
GE_FUNC_HOST_VISIBILITY ge::Status GEStreamAllocationSummaryGetPhysicalStreamNums(
    const ge::CompiledGraphSummary& compiled_graph_summary,
    std::map<AscendString, std::vector<int64_t>>& graph_to_physical_stream_nums);
GE_FUNC_HOST_VISIBILITY ge::Status GEStreamAllocationSummaryGetHcclFollowedStreamNums(
    const ge::CompiledGraphSummary& compiled_graph_summary,
    std::map<AscendString, std::vector<int64_t>>& graph_to_hccl_followed_stream_nums);
GE_FUNC_HOST_VISIBILITY ge::Status GEStreamAllocationSummaryGetAllNodes(
    const ge::CompiledGraphSummary& compiled_graph_summary,
    std::map<AscendString, std::vector<std::vector<GNode>>>& graph_to_all_nodes);
GE_FUNC_HOST_VISIBILITY ge::Status GEStreamAllocationSummaryGetStreamGraphs(
    const ge::CompiledGraphSummary& compiled_graph_summary,
    std::map<AscendString, AscendString>& graph_to_stream_graphs);
}

}  // namespace ge

#endif  // FOOTHOLD_GE_GE_GRAPH_COMPILE_SUMMARY_H_
