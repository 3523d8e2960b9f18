// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What a program has said about a load it is going to ask for (aclmdlConfigHandle). One thread at a time.
#pragma once

#include <optional>
#include <string>

#include "base/host_objects.h"
#include "model/loaded_model.h"

namespace foothold {

struct ModelConfig {
  std::optional<std::size_t> load_type;
  std::optional<std::string> path;
  const void* model = nullptr;
  std::size_t model_bytes = 0;
  LentMemory memory;
  int priority = 0;
};

using ModelConfigs = HostObjects<ModelConfig, HandleKind::kModelConfig>;

}  // namespace foothold
