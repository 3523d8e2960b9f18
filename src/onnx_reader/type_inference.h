// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Types of values, found by the ONNX library node by node. Used by the graph reader and the entry point. One
// thread at a time.
#pragma once

#include <onnx/onnx_pb.h>

#include <string>
#include <unordered_map>
#include <vector>

#include "onnx/reader_interface.h"

namespace foothold::onnx {

using Opsets = std::unordered_map<std::string, int>;  // by domain; the default domain is ""

// The newest version of the default domain that the ONNX library knows.
int NewestKnownOpset();

// Puts the shapes of the program into the inputs of the graph. Throws kInvalidParam for an input that does
// not exist or a shape that contradicts the model.
void SetInputShapes(::onnx::GraphProto& graph, const std::vector<InputShape>& shapes);

// What is known of an input: a default type where nothing is, and its data if it is a constant. Both belong
// to somebody else.
struct KnownInput {
  const ::onnx::TypeProto* type = &::onnx::TypeProto::default_instance();
  const ::onnx::TensorProto* data = nullptr;
};

// By output; default types where nothing can be found. The node has been checked (node_check.h) and has no
// graphs.
std::vector<::onnx::TypeProto> InferTypes(const ::onnx::NodeProto& node, int version,
                                          const std::vector<KnownInput>& inputs);

}  // namespace foothold::onnx
