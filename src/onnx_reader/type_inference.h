// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Types of values, found by the ONNX library. Used by the entry point and for bodies of functions. One thread
// at a time.
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

// Fills the value_info of the graph as far as it goes. Throws kParseFile where element types contradict each
// other.
void InferModelTypes(::onnx::ModelProto& model);
// The same for a graph of nodes, which may call functions of the model; what cannot be found is left open.
void InferBodyTypes(::onnx::GraphProto& graph, const Opsets& opsets, const ::onnx::ModelProto& model);

}  // namespace foothold::onnx
