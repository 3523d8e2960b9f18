// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The same small graph twice, for Foothold and as an ONNX file: a chain of element-wise operators of two
// inputs.
#pragma once

#include <ge/ge_api.h>

#include <cstdint>
#include <string>
#include <vector>

#include "onnx_runtime.h"

namespace bench {

ge::Graph BuildChain(int nodes, std::int64_t size);
std::string ChainAsOnnx(int nodes, std::int64_t size);
// Blocks of a product with weights of its own, a sum, an activation and the value from before the block.
std::string BlocksAsOnnx(int nodes, std::int64_t size);
// What the inputs hold, first a then b.
std::vector<float> ChainInput(int index, std::int64_t size);
// Both, in Foothold's and in the peer's terms.
std::vector<ge::Tensor> ChainInputs(std::int64_t size);
std::vector<PeerTensor> PeerChainInputs(std::int64_t size);

}  // namespace bench
