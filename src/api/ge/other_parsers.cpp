// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Models of frameworks that are not read. Each function says what to do instead.
#include "api/ge/graph_guard.h"
#include "parser/caffe_parser.h"
#include "parser/tensorflow_parser.h"

namespace ge {
namespace {

graphStatus NotSupported(const char* function, const char* framework, const char* model_file) {
  return foothold::GuardGraph(function, [&] {
    foothold::Fail(
        foothold::kFeatureUnsupported,
        "{} is not supported: {} models are not read, so '{}' is not looked at. Convert it to ONNX "
        "and use aclgrphParseONNX, or atc --framework=5",
        function, framework, model_file == nullptr ? "" : model_file);
  });
}

}  // namespace

graphStatus aclgrphParseTensorFlow(const char* model_file, Graph&) {
  return NotSupported("aclgrphParseTensorFlow", "TensorFlow", model_file);
}
graphStatus aclgrphParseTensorFlow(const char* model_file, const std::map<AscendString, AscendString>&,
                                   Graph&) {
  return NotSupported("aclgrphParseTensorFlow", "TensorFlow", model_file);
}
graphStatus aclgrphParseCaffe(const char* model_file, const char*, Graph&) {
  return NotSupported("aclgrphParseCaffe", "Caffe", model_file);
}
graphStatus aclgrphParseCaffe(const char* model_file, const char*,
                              const std::map<AscendString, AscendString>&, Graph&) {
  return NotSupported("aclgrphParseCaffe", "Caffe", model_file);
}

}  // namespace ge
