// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Values a graph hands to functions the program has registered by a name, "Summary" and "Save".
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>

#include "ir/tensor_value.h"

namespace foothold {

// Values by the name the program knows them by; the memory is the receiver's.
using NamedValues = std::map<std::string, TensorValue>;
// 0 is success.
using ValuesCallback = std::function<std::uint32_t(std::uint32_t graph_id, NamedValues values)>;
using ValueCallbacks = std::map<std::string, ValuesCallback>;

}  // namespace foothold
