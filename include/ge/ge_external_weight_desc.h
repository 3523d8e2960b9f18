// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// A weight that a compiled graph keeps in a file of its own.
#ifndef FOOTHOLD_GE_GE_EXTERNAL_WEIGHT_DESC_H_
#define FOOTHOLD_GE_GE_EXTERNAL_WEIGHT_DESC_H_

#include <stddef.h>

#include <memory>

#include "ge/ge_api_types.h"
#include "graph/ascend_string.h"

namespace ge {

class GE_FUNC_HOST_VISIBILITY ExternalWeightDesc {
 public:
  class Builder;
  class ExternalWeightDescData;

  ~ExternalWeightDesc();
  ExternalWeightDesc(const ExternalWeightDesc&)              = delete;
  ExternalWeightDesc& operator=(const ExternalWeightDesc&) & = delete;

  AscendString GetLocation() const;
  size_t GetSize() const;
  size_t GetOffset() const;
  AscendString GetId() const;

 private:
  ExternalWeightDesc();
  std::shared_ptr<ExternalWeightDescData> data_;
};

using ExternalWeightDescPtr = std::shared_ptr<ExternalWeightDesc>;

}  // namespace ge

#endif  // FOOTHOLD_GE_GE_EXTERNAL_WEIGHT_DESC_H_
