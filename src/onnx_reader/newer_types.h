// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Types of operators that are newer than the ONNX library, or mean something else since: what follows from
// their inputs without computing anything. One thread at a time.
#pragma once

#include <vector>

#include "onnx_reader/type_inference.h"

namespace foothold::onnx {

// Whether the standard changed the operator after the newest version the library knows, so that its inference
// would be wrong, or made it then.
bool IsNewer(const ::onnx::NodeProto& node, int version);
// By output; default types where nothing is known.
std::vector<::onnx::TypeProto> NewerTypes(const ::onnx::NodeProto& node,
                                          const std::vector<KnownInput>& inputs);

}  // namespace foothold::onnx
