// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Nodes against the ONNX standard: number of inputs and outputs, names and kinds of attributes. What the ONNX
// library does afterwards relies on it. Used by the entry point and by the graph reader. Any thread.
#pragma once

#include <onnx/onnx_pb.h>

#include "onnx_reader/type_inference.h"

namespace foothold::onnx {

// The domain as the rest of the reader knows it: the default one is "".
std::string DomainOf(const std::string& domain);
std::string_view NameOfDomain(std::string_view domain);

// Throws kParseFile if the model imports a domain twice (E16005), or a version that cannot be.
Opsets OpsetsOf(const ::onnx::ModelProto& model);

// Throws kParseFile, naming the node. Graphs in attributes are not looked at. Operators and versions the ONNX
// library does not know pass: the importer's report names them.
void CheckNode(const ::onnx::NodeProto& node, const Opsets& opsets);

// All nodes of the model, of its inner graphs and of its functions.
void CheckNodes(const ::onnx::ModelProto& model);

}  // namespace foothold::onnx
