// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What is behind the type rules of operator prototypes (graph/types.h).
#pragma once

#include <vector>

#include "graph/types.h"

namespace ge {

struct TensorTypeImpl {
  std::vector<DataType> types;
};

struct PromoteImpl {
  std::vector<const char*> symbols;
};

}  // namespace ge
