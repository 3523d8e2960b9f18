// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "api/ge/session_guard.h"
#include "api/ge/stream_allocation.h"
#include "api/ge/tensor_impl.h"
#include "base/graph_codes.h"

namespace ge {

class FeatureMemory::FeatureMemoryData {
 public:
  MemoryType type = MemoryType::MEMORY_TYPE_DEFAULT;
  size_t size = 0;
  bool fixed = false;
};

class FeatureMemory::Builder {
 public:
  [[gnu::visibility("hidden")]] static FeatureMemoryPtr Make(size_t size) {
    FeatureMemoryPtr made(new FeatureMemory);
    made->data_ = std::make_shared<FeatureMemoryData>();
    made->data_->size = size;
    return made;
  }
};

FeatureMemory::FeatureMemory() = default;
FeatureMemory::~FeatureMemory() = default;
MemoryType FeatureMemory::GetType() const {
  return data_->type;
}
size_t FeatureMemory::GetSize() const {
  return data_->size;
}
bool FeatureMemory::IsFixed() const {
  return data_->fixed;
}

class ExternalWeightDesc::ExternalWeightDescData {
 public:
  AscendString location;
  AscendString id;
  size_t size = 0;
  size_t offset = 0;
};

ExternalWeightDesc::ExternalWeightDesc() = default;
ExternalWeightDesc::~ExternalWeightDesc() = default;
AscendString ExternalWeightDesc::GetLocation() const {
  return data_->location;
}
size_t ExternalWeightDesc::GetSize() const {
  return data_->size;
}
size_t ExternalWeightDesc::GetOffset() const {
  return data_->offset;
}
AscendString ExternalWeightDesc::GetId() const {
  return data_->id;
}

class CompiledGraphSummary::SummaryData {
 public:
  foothold::GraphSummary summary;
};

class CompiledGraphSummary::Builder {
 public:
  [[gnu::visibility("hidden")]] static CompiledGraphSummaryPtr Make(const foothold::GraphSummary& summary) {
    CompiledGraphSummaryPtr made(new CompiledGraphSummary);
    made->data_ = std::make_shared<SummaryData>(SummaryData{summary});
    return made;
  }
};

namespace {

template <typename Read>
Status ReadStatic(const char* method, const foothold::GraphSummary& summary, Read&& read) {
  return foothold::GuardSession(method, [&] {
    if (!summary.is_static)
      foothold::Fail(foothold::kGeFailed, "the shapes of the graph are not all known, so this is not either");
    read();
  });
}

}  // namespace

CompiledGraphSummary::CompiledGraphSummary() = default;
CompiledGraphSummary::~CompiledGraphSummary() = default;

bool CompiledGraphSummary::IsStatic() const {
  return data_->summary.is_static;
}

Status CompiledGraphSummary::GetConstMemorySize(size_t& size) const {
  return ReadStatic("CompiledGraphSummary::GetConstMemorySize", data_->summary,
                    [&] { size = data_->summary.constant_bytes; });
}

Status CompiledGraphSummary::GetFeatureMemorySize(size_t& size) const {
  return ReadStatic("CompiledGraphSummary::GetFeatureMemorySize", data_->summary,
                    [&] { size = data_->summary.feature_bytes; });
}

Status CompiledGraphSummary::GetFixedFeatureMemorySize(size_t& size) const {
  size = 0;
  return SUCCESS;
}

std::vector<FeatureMemoryPtr> CompiledGraphSummary::GetAllFeatureMemoryTypeSize() const {
  if (!data_->summary.is_static || data_->summary.feature_bytes == 0) return {};
  return {FeatureMemory::Builder::Make(data_->summary.feature_bytes)};
}

Status CompiledGraphSummary::GetRefreshableFeatureMemorySize(size_t& size) const {
  return ReadStatic("CompiledGraphSummary::GetRefreshableFeatureMemorySize", data_->summary,
                    [&] { size = data_->summary.refreshable ? data_->summary.feature_bytes : 0; });
}

Status CompiledGraphSummary::GetFeatureMemoryBaseRefreshable(bool& v) const {
  return ReadStatic("CompiledGraphSummary::GetFeatureMemoryBaseRefreshable", data_->summary,
                    [&] { v = data_->summary.refreshable; });
}

Status CompiledGraphSummary::GetStreamNum(size_t& num) const {
  return ReadStatic("CompiledGraphSummary::GetStreamNum", data_->summary, [&] { num = 1; });
}

Status CompiledGraphSummary::GetEventNum(size_t& num) const {
  return ReadStatic("CompiledGraphSummary::GetEventNum", data_->summary, [&] { num = 0; });
}

Status CompiledGraphSummary::GetOutputShapes(std::vector<ge::Shape>& shapes) const {
  return ReadStatic("CompiledGraphSummary::GetOutputShapes", data_->summary, [&] {
    shapes.clear();
    for (const foothold::TensorType& type : data_->summary.outputs)
      shapes.emplace_back(type.dims);
  });
}

Status CompiledGraphSummary::GetOutputDtypes(std::vector<ge::DataType>& dtypes) const {
  return ReadStatic("CompiledGraphSummary::GetOutputDtypes", data_->summary, [&] {
    dtypes.clear();
    for (const foothold::TensorType& type : data_->summary.outputs)
      dtypes.push_back(foothold::ToPublic(type.type));
  });
}

Status CompiledGraphSummary::GetIOIndexesWithSameAddr(
    std::vector<std::pair<uint32_t, uint32_t>>& io_indexes) const {
  return ReadStatic("CompiledGraphSummary::GetIOIndexesWithSameAddr", data_->summary,
                    [&] { io_indexes = data_->summary.shared_places; });
}

Status CompiledGraphSummary::GetExternalWeightPaths(std::vector<ExternalWeightDescPtr>& paths) const {
  paths.clear();  // weights stay in the program
  return SUCCESS;
}

Status CompiledGraphSummary::GetStreamAllocationSummary(
    std::shared_ptr<StreamAllocationSummary>& stream_allocation) const {
  return foothold::GuardSession("CompiledGraphSummary::GetStreamAllocationSummary", [&] {
    stream_allocation = foothold::SummarizeStreams(*data_->summary.graph);
  });
}

}  // namespace ge

namespace foothold {

ge::CompiledGraphSummaryPtr ToPublic(const GraphSummary& summary) {
  return ge::CompiledGraphSummary::Builder::Make(summary);
}

}  // namespace foothold
