// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Graphs from ONNX models. The options are those of ge::ir_option: INPUT_SHAPE, INPUT_DATA_NAMES, OUT_NODES,
// OUTPUT, INPUT_FP16_NODES. Every function may be called on any thread; GEGetErrorMsg tells what went wrong,
// with one line for each node that cannot be imported.
#ifndef FOOTHOLD_PARSER_ONNX_PARSER_H_
#define FOOTHOLD_PARSER_ONNX_PARSER_H_

#include <stddef.h>

#include <map>

#include "graph/ascend_string.h"
#include "graph/ge_error_codes.h"
#include "graph/graph.h"
#include "graph/types.h"

namespace ge {

// On failure `graph` stays as it was.
GE_FUNC_HOST_VISIBILITY graphStatus
aclgrphParseONNX(const char* model_file, const std::map<ge::AscendString, ge::AscendString>& parser_params,
                 ge::Graph& graph);

// Files with external data cannot be read from memory.
GE_FUNC_HOST_VISIBILITY graphStatus
aclgrphParseONNXFromMem(const char* buffer, size_t size,
                        const std::map<ge::AscendString, ge::AscendString>& parser_params, ge::Graph& graph);

}  // namespace ge

#endif  // FOOTHOLD_PARSER_ONNX_PARSER_H_
