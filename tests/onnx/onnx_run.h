// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Runs a model through the public API and compares what comes out. One thread at a time.
#pragma once

#include <string>
#include <vector>

#include "graph/tensor.h"

namespace foothold {

// Files of serialised tensors: <folder>/input_0.pb, input_1.pb, ... `declared` are the ONNX types the model
// says they have. Throws std::runtime_error for one that is no tensor of numbers.
std::vector<ge::Tensor> ReadTensors(const std::string& folder, const std::string& stem,
                                    const std::vector<int>& declared = {});

// Empty: equal within the tolerance of the ONNX backend suite; else what differs first.
std::string Difference(const ge::Tensor& expected, const ge::Tensor& found);

// Parses and runs. Throws std::runtime_error with the text of GEGetErrorMsg.
std::vector<ge::Tensor> RunOnnxModel(const std::string& path, const std::vector<ge::Tensor>& inputs);

// Empty: the case passes; else why not.
std::string RunOnnxCase(const std::string& folder);

}  // namespace foothold
