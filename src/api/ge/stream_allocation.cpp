// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Which stream the nodes of a compiled graph are on: all of them on the one logical stream 0.
#include <fmt/format.h>

#include "api/ge/graph_impl.h"
#include "api/ge/session_guard.h"
#include "api/ge/stream_allocation.h"

namespace ge {

class LogicalStreamAllocationInfo::InfoData {
 public:
  std::vector<GNode> nodes;
};

class StreamAllocationSummary::SummaryData {
 public:
  std::map<AscendString, AscendString> texts;
  std::map<AscendString, std::vector<LogicalStreamAllocationInfo>> infos;
};

class LogicalStreamAllocationInfo::Builder {
 public:
  [[gnu::visibility("hidden")]] static LogicalStreamAllocationInfo Make(const foothold::Graph& graph) {
    LogicalStreamAllocationInfo info;
    for (foothold::Node* node : graph.Order())
      info.data_->nodes.push_back(foothold::ToGNode(*node));
    return info;
  }
};

class StreamAllocationSummary::Builder {
 public:
  [[gnu::visibility("hidden")]] static std::shared_ptr<StreamAllocationSummary> Make(
      const foothold::Graph& graph) {
    auto summary = std::make_shared<StreamAllocationSummary>();
    const AscendString name(graph.name().c_str());
    std::string text = "stream 0:";
    for (const foothold::Node* node : graph.Order())
      text += fmt::format("\n  {} ({})", node->name(), node->type());
    summary->data_->texts[name] = AscendString((text + "\n").c_str());
    summary->data_->infos[name].push_back(LogicalStreamAllocationInfo::Builder::Make(graph));
    return summary;
  }
};

LogicalStreamAllocationInfo::LogicalStreamAllocationInfo() : data_(std::make_unique<InfoData>()) {}
LogicalStreamAllocationInfo::~LogicalStreamAllocationInfo() = default;
LogicalStreamAllocationInfo::LogicalStreamAllocationInfo(const LogicalStreamAllocationInfo& stream_info)
    : data_(std::make_unique<InfoData>(*stream_info.data_)) {}
LogicalStreamAllocationInfo& LogicalStreamAllocationInfo::operator=(
    const LogicalStreamAllocationInfo& stream_info) {
  data_ = std::make_unique<InfoData>(*stream_info.data_);
  return *this;
}

AscendString LogicalStreamAllocationInfo::ToStringInfo() const {
  return AscendString(fmt::format("logical stream {}: {} nodes on {} physical stream", GetLogicalStreamId(),
                                  data_->nodes.size(), GetPhysicalStreamNum())
                          .c_str());
}
int64_t LogicalStreamAllocationInfo::GetLogicalStreamId() const {
  return 0;
}
AscendString LogicalStreamAllocationInfo::GetUsrStreamLabel() const {
  return AscendString("");
}
bool LogicalStreamAllocationInfo::IsAssignedByStreamPass() const {
  return false;
}
std::vector<int64_t> LogicalStreamAllocationInfo::GetAttachedStreamIds() const {
  return {};
}
size_t LogicalStreamAllocationInfo::GetPhysicalStreamNum() const {
  return 1;
}
size_t LogicalStreamAllocationInfo::GetHcclFollowedStreamNum() const {
  return 0;
}
const std::vector<GNode>& LogicalStreamAllocationInfo::GetAllNodes() const {
  return data_->nodes;
}

StreamAllocationSummary::StreamAllocationSummary() : data_(std::make_unique<SummaryData>()) {}
StreamAllocationSummary::~StreamAllocationSummary() = default;
const std::map<AscendString, AscendString>& StreamAllocationSummary::ToStreamGraph() const {
  return data_->texts;
}
const std::map<AscendString, std::vector<LogicalStreamAllocationInfo>>&
StreamAllocationSummary::GetAllLogicalStreamInfos() const {
  return data_->infos;
}

namespace {

// One value per stream of each graph.
template <typename Value, typename Read>
Status ReadInfos(const char* function, const CompiledGraphSummary& compiled,
                 std::map<AscendString, std::vector<Value>>& values, Read&& read) {
  return foothold::GuardSession(function, [&] {
    std::shared_ptr<StreamAllocationSummary> summary;
    if (compiled.GetStreamAllocationSummary(summary) != SUCCESS)
      foothold::Fail(foothold::kInternalError, "there is no summary of streams");
    std::map<AscendString, std::vector<Value>> found;
    for (const auto& graph : summary->GetAllLogicalStreamInfos())
      for (const LogicalStreamAllocationInfo& info : graph.second)
        found[graph.first].push_back(read(info));
    values.swap(found);
  });
}

using Info = LogicalStreamAllocationInfo;

}  // namespace
}  // namespace ge

namespace foothold {

std::shared_ptr<ge::StreamAllocationSummary> SummarizeStreams(const Graph& graph) {
  return ge::StreamAllocationSummary::Builder::Make(*graph.Clone());
}

}  // namespace foothold

namespace ge {

extern "C" {

Status GEStreamAllocationSummaryGetStringInfos(
    const CompiledGraphSummary& compiled_graph_summary,
    std::map<AscendString, std::vector<AscendString>>& graph_to_string_infos) {
  return ReadInfos(__func__, compiled_graph_summary, graph_to_string_infos,
                   [](const Info& info) { return info.ToStringInfo(); });
}

Status GEStreamAllocationSummaryGetLogicalStreamIds(
    const CompiledGraphSummary& compiled_graph_summary,
    std::map<AscendString, std::vector<int64_t>>& graph_to_logical_stream_ids) {
  return ReadInfos(__func__, compiled_graph_summary, graph_to_logical_stream_ids,
                   [](const Info& info) { return info.GetLogicalStreamId(); });
}

Status GEStreamAllocationSummaryGetUsrStreamLabels(
    const CompiledGraphSummary& compiled_graph_summary,
    std::map<AscendString, std::vector<AscendString>>& graph_to_user_stream_labels) {
  return ReadInfos(__func__, compiled_graph_summary, graph_to_user_stream_labels,
                   [](const Info& info) { return info.GetUsrStreamLabel(); });
}

Status GEStreamAllocationSummaryIsAssignedByStreamPass(
    const CompiledGraphSummary& compiled_graph_summary,
    std::map<AscendString, std::vector<bool>>& graph_to_is_assigned_by_stream_pass) {
  return ReadInfos(__func__, compiled_graph_summary, graph_to_is_assigned_by_stream_pass,
                   [](const Info& info) { return info.IsAssignedByStreamPass(); });
}

Status GEStreamAllocationSummaryGetAttachedStreamIds(
    const CompiledGraphSummary& compiled_graph_summary,
    std::map<AscendString, std::vector<std::vector<int64_t>>>& graph_to_attached_stream_ids) {
  return ReadInfos(__func__, compiled_graph_summary, graph_to_attached_stream_ids,
                   [](const Info& info) { return info.GetAttachedStreamIds(); });
}

Status GEStreamAllocationSummaryGetPhysicalStreamNums(
    const CompiledGraphSummary& compiled_graph_summary,
    std::map<AscendString, std::vector<int64_t>>& graph_to_physical_stream_nums) {
  return ReadInfos(__func__, compiled_graph_summary, graph_to_physical_stream_nums,
                   [](const Info& info) { return static_cast<int64_t>(info.GetPhysicalStreamNum()); });
}

Status GEStreamAllocationSummaryGetHcclFollowedStreamNums(
    const CompiledGraphSummary& compiled_graph_summary,
    std::map<AscendString, std::vector<int64_t>>& graph_to_hccl_followed_stream_nums) {
  return ReadInfos(__func__, compiled_graph_summary, graph_to_hccl_followed_stream_nums,
                   [](const Info& info) { return static_cast<int64_t>(info.GetHcclFollowedStreamNum()); });
}

Status GEStreamAllocationSummaryGetAllNodes(
    const CompiledGraphSummary& compiled_graph_summary,
    std::map<AscendString, std::vector<std::vector<GNode>>>& graph_to_all_nodes) {
  return ReadInfos(__func__, compiled_graph_summary, graph_to_all_nodes,
                   [](const Info& info) { return info.GetAllNodes(); });
}

Status GEStreamAllocationSummaryGetStreamGraphs(
    const CompiledGraphSummary& compiled_graph_summary,
    std::map<AscendString, AscendString>& graph_to_stream_graphs) {
  return foothold::GuardSession(__func__, [&] {
    std::shared_ptr<StreamAllocationSummary> summary;
    if (compiled_graph_summary.GetStreamAllocationSummary(summary) == SUCCESS)
      graph_to_stream_graphs = summary->ToStreamGraph();
  });
}

}  // extern "C"

}  // namespace ge
