// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// How much memory a compiled graph needs for its intermediate values, by kind.
#ifndef FOOTHOLD_GE_GE_FEATURE_MEMORY_H_
#define FOOTHOLD_GE_GE_FEATURE_MEMORY_H_

#include <stddef.h>

#include <memory>
#include <vector>

#include "ge/ge_api_types.h"

namespace ge {

class GE_FUNC_HOST_VISIBILITY FeatureMemory {
 public:
  class Builder;
  class FeatureMemoryData;

  ~FeatureMemory();
  FeatureMemory(const FeatureMemory&)              = delete;
  FeatureMemory& operator=(const FeatureMemory&) & = delete;

  MemoryType GetType() const;
  size_t GetSize() const;
  bool IsFixed() const;

 private:
  FeatureMemory();
  std::shared_ptr<FeatureMemoryData> data_;
};

using FeatureMemoryPtr = std::shared_ptr<FeatureMemory>;

}  // namespace ge

#endif  // FOOTHOLD_GE_GE_FEATURE_MEMORY_H_
