// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Products of matrices, for mappings that go on with them. Any thread.
#pragma once

#include <string_view>

#include "aclnn/mapping.h"

namespace foothold::aclnn {

struct Transposed {
  bool left = false, right = false;
};

// Of two tensors of the call, as they lie in memory; its type is `wanted` where that is one of floats.
Value Product(Call& call, std::string_view left, std::string_view right, DataType wanted,
              Transposed transposed = {});

}  // namespace foothold::aclnn
