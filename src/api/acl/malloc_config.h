// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What an aclrtMallocConfig asks for. Used by the entry points that take one.
#pragma once

#include <cstdint>
#include <optional>

#include "acl/acl_rt.h"

namespace foothold {

struct MallocConfig {
  std::uint16_t module = 0;
  std::optional<int> device;
};

// A null config asks for nothing. Throws 107000 for attributes that do not exist.
MallocConfig ReadMallocConfig(const aclrtMallocConfig* config);

}  // namespace foothold
