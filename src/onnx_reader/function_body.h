// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// A node whose operator is a function, as the nodes the function is made of. Used by the graph reader. One
// thread at a time.
#pragma once

#include <onnx/defs/schema.h>
#include <onnx/onnx_pb.h>

#include <optional>
#include <string>
#include <vector>

#include "onnx_reader/type_inference.h"

namespace foothold::onnx {

struct FunctionBody {
  std::vector<::onnx::NodeProto> nodes;  // inputs and outputs have the names they have outside
  Opsets opsets;
};

// The function of the ONNX standard for this node, if it has one. `types` by input; a default one where not
// known.
std::optional<::onnx::FunctionProto> StandardFunction(const ::onnx::NodeProto& node, int version,
                                                      const std::vector<::onnx::TypeProto>& types);

// `prefix` makes inner names differ from all others. `schema`, where given, knows the defaults of attributes.
FunctionBody ExpandFunction(const ::onnx::NodeProto& node, const ::onnx::FunctionProto& function,
                            const ::onnx::OpSchema* schema, const Opsets& opsets, const std::string& prefix);

}  // namespace foothold::onnx
