// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "parser/onnx_parser.h"
#include "api/ge/graph_guard.h"
#include "api/ge/graph_impl.h"
#include "onnx/import.h"
#include "onnx/reader.h"

namespace ge {
namespace {

using foothold::Fail;
using foothold::kInvalidParam;

foothold::onnx::ImportOptions OptionsOf(const std::map<AscendString, AscendString>& params) {
  std::map<std::string, std::string> texts;
  for (const auto& [key, text] : params)
    texts.emplace(std::string(key.GetString(), key.GetLength()),
                  std::string(text.GetString(), text.GetLength()));
  return foothold::onnx::ParseOptions(texts);
}

void Parse(foothold::onnx::ReadRequest request, const std::map<AscendString, AscendString>& params,
           Graph& graph) {
  const auto options = OptionsOf(params);
  request.input_shapes = options.input_shapes;
  auto imported = foothold::onnx::ImportModel(*foothold::onnx::ReadModel(std::move(request)), options);
  GraphImpl& impl = GraphImpl::Ensure(graph);
  impl.graph = std::move(imported);
  impl.unused_subgraphs.clear();
  impl.declared_valid = true;
}

}  // namespace

graphStatus aclgrphParseONNX(const char* model_file,
                             const std::map<AscendString, AscendString>& parser_params, Graph& graph) {
  return foothold::GuardGraph("aclgrphParseONNX", [&] {
    if (model_file == nullptr || *model_file == '\0') Fail(kInvalidParam, "the name of the file is empty");
    foothold::onnx::ReadRequest request;
    request.path = model_file;
    Parse(std::move(request), parser_params, graph);
  });
}

graphStatus aclgrphParseONNXFromMem(const char* buffer, size_t size,
                                    const std::map<AscendString, AscendString>& parser_params, Graph& graph) {
  return foothold::GuardGraph("aclgrphParseONNXFromMem", [&] {
    if (buffer == nullptr || size == 0) Fail(kInvalidParam, "there are no bytes to read a model from");
    foothold::onnx::ReadRequest request;
    request.data = buffer;
    request.size = size;
    Parse(std::move(request), parser_params, graph);
  });
}

}  // namespace ge
