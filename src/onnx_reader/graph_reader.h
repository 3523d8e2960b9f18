// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// From the messages of a model to the structures of onnx/model.h. Checks names and order of values on the
// way. Used by the entry point. One thread at a time.
#pragma once

#include <onnx/onnx_pb.h>

#include <memory>

#include "onnx/reader_interface.h"

namespace foothold::onnx {

// `proto` has been checked (node_check.h) and has its types; its weights are taken out. Throws kParseFile for
// what does not follow the standard.
std::shared_ptr<const Model> ReadModel(const ReadRequest& request, ::onnx::ModelProto& proto);

}  // namespace foothold::onnx
