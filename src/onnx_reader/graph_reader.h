// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// From the messages of a model to the structures of onnx/model.h. Checks names and order of values on the
// way. Used by the entry point. One thread at a time.
#pragma once

#include <memory>

#include "onnx/reader_interface.h"
#include "onnx_reader/model_bytes.h"

namespace foothold::onnx {

// The message has been checked (node_check.h) and has its types; the model keeps it, without the weights.
// Throws kParseFile for what does not follow the standard.
std::shared_ptr<const Model> ReadModel(const ReadRequest& request, ParsedModel parsed);

}  // namespace foothold::onnx
