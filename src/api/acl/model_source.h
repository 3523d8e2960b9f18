// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What calls that load or describe models make of their arguments.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>

#include "api/guard.h"
#include "model/loaded_model.h"
#include "model/model_codes.h"
#include "model/om_file.h"

namespace foothold {

inline std::shared_ptr<const OmFile> OpenModel(const char* path) {
  return OmFile::Open(CheckNotNull(path, "the path of the model", kInvalidParam));
}

inline std::shared_ptr<const OmFile> ReadModel(const void* model, std::size_t size) {
  CheckNotNull(model, "model", kInvalidParam);
  if (size == 0) Fail(kGeModelDataSizeInvalid, "the model has 0 bytes");
  return OmFile::FromMemory(model, size);
}

// Programs allocate what they are told without a look at the number, and aclrtMalloc refuses 0.
inline std::size_t Allocatable(std::size_t bytes) {
  return std::max(bytes, kTensorAlignment);
}

constexpr std::int64_t kLowestPriority = 7;  // 0 is the highest

inline void CheckPriority(std::int64_t priority) {
  if (priority < 0 || priority > kLowestPriority)
    Fail(kInvalidParam, "the priority of a model is 0 (highest) to {}, not {}", kLowestPriority, priority);
}

// Kept and answered; the cores of a CPU are shared by all models alike.
inline void SetPriority(LoadedModel& model, std::int64_t priority) {
  CheckPriority(priority);
  model.priority = static_cast<int>(priority);
}

}  // namespace foothold
