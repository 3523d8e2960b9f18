// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Types of what If, Loop and Scan give, from the graphs they run. Used by the graph reader. Any thread.
#pragma once

#include <onnx/onnx_pb.h>

#include <vector>

#include "onnx/model.h"

namespace foothold::onnx {

bool HasGraphs(const ModelNode& node);

// By output; default types where nothing is known.
std::vector<::onnx::TypeProto> TypesOfGraphs(const ModelNode& node, std::size_t outputs);

}  // namespace foothold::onnx
