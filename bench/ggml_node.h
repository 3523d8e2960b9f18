// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Tensors of ggml as they lie in memory, and what a node of them computes through aclnn.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "llama/backend.h"
#include "llama/tensor.h"

namespace bench {

// The layout is ggml's.
struct GgmlTensor {
  int type;
  void* buffer;
  std::int64_t ne[4];
  std::size_t nb[4];
  int op;
  std::int32_t params[16];
  std::int32_t flags;
  GgmlTensor* sources[10];
  GgmlTensor* view_of;  // the tensor whose memory it shows, or null
  std::size_t view_offset;
  char* data;
  char name[64];
  void* extra;
};

// Where a tensor of ggml is on the device.
using Placed = std::function<llama::Tensor(const GgmlTensor&)>;

// `kind` as ggml describes the node: "ADD", "SWIGLU". False if nobody has written it.
bool ComputeNode(llama::Backend& backend, const std::string& kind, const GgmlTensor& node,
                 const Placed& placed);

}  // namespace bench
