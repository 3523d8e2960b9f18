// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The bytes of a model and what they parse to. Used by the entry point. Any thread.
#pragma once

#include <onnx/onnx_pb.h>

#include <string>

#include "onnx/reader_interface.h"

namespace foothold::onnx {

// Throws kInvalidFile for a file that cannot be read, kParseFile for bytes that are no model.
::onnx::ModelProto ParseModel(const ReadRequest& request);

// How messages name the model: its path, or "the buffer".
std::string SourceName(const ReadRequest& request);

}  // namespace foothold::onnx
