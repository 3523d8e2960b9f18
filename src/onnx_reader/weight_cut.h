// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Takes the bytes of large weights out of a model before it is parsed: they go from the file to where they
// stay, instead of through messages. Used by model_bytes. Any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "onnx_reader/model_source.h"

namespace foothold::onnx {

// What is smaller stays in its message: it may decide shapes.
constexpr std::uint64_t kCutBytes = 1 << 16;

// Bytes of an initialiser of the main graph.
struct WeightPlace {
  int initializer = 0;
  std::uint64_t offset = 0, size = 0;
};

struct CutModel {
  std::string bytes;  // the model without these weights
  std::vector<WeightPlace> weights;
};

// Nothing if that is not worth while, or if the bytes are not what a model is made of: parsing tells what is
// wrong with them.
std::optional<CutModel> CutWeights(const ModelSource& source);

}  // namespace foothold::onnx
