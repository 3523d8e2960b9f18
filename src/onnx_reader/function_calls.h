// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Looks at the functions of a model before anybody follows their calls. Used by the entry point. Any thread.
#pragma once

#include <onnx/onnx_pb.h>

namespace foothold::onnx {

// Throws kParseFile for functions that call themselves, directly or not, and for a model that would have more
// than a million nodes with its functions in place.
void CheckFunctionCalls(const ::onnx::ModelProto& model);

}  // namespace foothold::onnx
