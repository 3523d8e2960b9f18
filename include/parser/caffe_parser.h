// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Graphs from Caffe models: declared for programs that offer them beside others, and not supported. Every
// function answers GRAPH_FAILED and leaves `graph` as it was; GEGetErrorMsg names the way, which is ONNX.
#ifndef FOOTHOLD_PARSER_CAFFE_PARSER_H_
#define FOOTHOLD_PARSER_CAFFE_PARSER_H_

#include <map>

#include "graph/ascend_string.h"
#include "graph/ge_error_codes.h"
#include "graph/graph.h"
#include "graph/types.h"

namespace ge {

GE_FUNC_HOST_VISIBILITY graphStatus aclgrphParseCaffe(const char* model_file, const char* weights_file,
                                                      ge::Graph& graph);

GE_FUNC_HOST_VISIBILITY graphStatus
aclgrphParseCaffe(const char* model_file, const char* weights_file,
                  const std::map<ge::AscendString, ge::AscendString>& parser_params, ge::Graph& graph);

}  // namespace ge

#endif  // FOOTHOLD_PARSER_CAFFE_PARSER_H_
