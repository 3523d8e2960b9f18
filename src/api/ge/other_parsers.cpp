// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Models of frameworks that are not read. Each function says what to do instead
// (docs/decisions/0027-models-come-as-onnx.md).
#include "api/ge/graph_guard.h"
#include "api/status.h"
#include "parser/caffe_parser.h"
#include "parser/tensorflow_parser.h"

namespace ge {
namespace {

using foothold::GuardGraph;

[[noreturn]] void RefuseModel(const char* function, const char* framework, const char* model_file) {
  foothold::Fail(foothold::kFeatureUnsupported,
                 "{} is not supported: {} models are not read, so '{}' is not looked at. Convert it to ONNX "
                 "and use aclgrphParseONNX, or atc --framework=5",
                 function, framework, model_file == nullptr ? "" : model_file);
}

}  // namespace

FOOTHOLD_ALWAYS_REFUSED(aclgrphParseTensorFlow);
graphStatus aclgrphParseTensorFlow(const char* model_file, Graph&) {
  return GuardGraph(__func__, [&] { RefuseModel("aclgrphParseTensorFlow", "TensorFlow", model_file); });
}
graphStatus aclgrphParseTensorFlow(const char* model_file, const std::map<AscendString, AscendString>&,
                                   Graph&) {
  return GuardGraph(__func__, [&] { RefuseModel("aclgrphParseTensorFlow", "TensorFlow", model_file); });
}
FOOTHOLD_ALWAYS_REFUSED(aclgrphParseCaffe);
graphStatus aclgrphParseCaffe(const char* model_file, const char*, Graph&) {
  return GuardGraph(__func__, [&] { RefuseModel("aclgrphParseCaffe", "Caffe", model_file); });
}
graphStatus aclgrphParseCaffe(const char* model_file, const char*,
                              const std::map<AscendString, AscendString>&, Graph&) {
  return GuardGraph(__func__, [&] { RefuseModel("aclgrphParseCaffe", "Caffe", model_file); });
}

}  // namespace ge
