// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What must hold for any bytes somebody parses as an ONNX model. Used by the fuzzer and by the replay of its
// corpus; through the public API, because the reader is a library of its own.
#pragma once

#include <map>
#include <string>

#include "fuzz/require.h"
#include "ge/ge_api.h"
#include "parser/onnx_parser.h"

namespace foothold {

// Refused with a text, or a graph that can be saved and loaded.
inline void FuzzOnnxModel(const std::string& bytes) {
  ge::Graph graph("fuzzed");
  (void)ge::GEGetErrorMsg();
  if (ge::aclgrphParseONNXFromMem(bytes.data(), bytes.size(), {}, graph) != ge::GRAPH_SUCCESS) {
    Require(!ge::GEGetErrorMsg().empty());
    return;
  }
  ge::GraphBuffer saved;
  Require(graph.SaveToMem(saved) == ge::GRAPH_SUCCESS);
  ge::Graph loaded("loaded");
  Require(loaded.LoadFromMem(saved) == ge::GRAPH_SUCCESS);
}

}  // namespace foothold
