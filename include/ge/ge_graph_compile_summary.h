// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What is known of a graph once it is compiled. Most of it exists only where all shapes are known; the other
// graphs answer with a failure.
#ifndef FOOTHOLD_GE_GE_GRAPH_COMPILE_SUMMARY_H_
#define FOOTHOLD_GE_GE_GRAPH_COMPILE_SUMMARY_H_

#include <stddef.h>
#include <stdint.h>

#include <memory>
#include <utility>
#include <vector>

#include "ge/ge_api_types.h"
#include "ge/ge_external_weight_desc.h"
#include "ge/ge_feature_memory.h"
#include "graph/tensor.h"
#include "graph/types.h"

namespace ge {

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

 private:
  CompiledGraphSummary();
  std::shared_ptr<SummaryData> data_;
};

using CompiledGraphSummaryPtr = std::shared_ptr<CompiledGraphSummary>;

}  // namespace ge

#endif  // FOOTHOLD_GE_GE_GRAPH_COMPILE_SUMMARY_H_
