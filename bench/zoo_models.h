// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The networks that tools/zoo/make_zoo.py wrote, and something to feed them.
#pragma once

#include <ge/ge_api.h>

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "onnx_runtime.h"

namespace bench {

// All in the folder, or those named; the program ends if there is none.
std::vector<std::filesystem::path> FindModels(const std::string& folder,
                                              const std::vector<std::string>& names);
std::string ReadFile(const std::filesystem::path& path);
// Fills inputs as OnnxRuntime::Model::Inputs describes them, the same each time. Dimensions that may vary
// become 1.
void FillInputs(std::vector<PeerTensor>& inputs);
std::vector<ge::Tensor> ToTensors(const std::vector<PeerTensor>& tensors);

// A network in a session of its own; the program ends with the library's text if something fails.
class Network {
 public:
  using Options = std::map<ge::AscendString, ge::AscendString>;
  explicit Network(const std::filesystem::path& path, const Options& session_options = {});
  std::vector<ge::Tensor> Run(const std::vector<ge::Tensor>& inputs);

 private:
  ge::Session session_;
};

}  // namespace bench
