// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// An ONNX model on the way programs take with offline models: converted, saved, loaded from the file, run by
// the functions of AscendCL. For the tests of the tiny zoo and for zoo_check. One thread at a time.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "graph/tensor.h"

namespace zoo {

using Bytes = std::vector<std::uint8_t>;

// The bytes of each output. The .om file stands in `folder` while it runs. Throws
// std::runtime_error with the text of the call that failed.
std::vector<Bytes> RunOffline(const std::string& model, const std::string& folder,
                              const std::vector<ge::Tensor>& inputs);

}  // namespace zoo
