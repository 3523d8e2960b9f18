// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Imports nodes of operators that the program brings: the operator of that name, whatever the domain, with
// inputs, outputs and attributes as its prototype declares them.
#pragma once

#include <string_view>

#include "onnx/mapping.h"

namespace foothold::onnx {

// Null if the program brings no operator of that name.
const Mapping* FindCustomMapping(std::string_view op);

}  // namespace foothold::onnx
