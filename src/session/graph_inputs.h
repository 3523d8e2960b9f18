// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What a run is given: as the program says it, held against what the graph takes, and where kernels find it.
// Values; any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/format.h"
#include "device/run_memory.h"
#include "ir/tensor_value.h"

namespace foothold {

struct GraphContents;
class GraphSlot;

// An input the caller keeps alive and leaves alone during the call.
struct RunInput {
  DataType type = DataType::kUndefined;
  Format format = Format::kNd;
  std::span<const std::int64_t> dims;
  const std::byte* data = nullptr;
  std::size_t bytes = 0;
  const SharedBytes* owner = nullptr;  // keeps the bytes after the call; null: nobody does
  bool on_device = false;              // said to be device memory: looked up before it is used
  bool may_be_larger = false;          // the memory, than the tensor
  // What the tensor says it is counts, if it has a type, and so does this where only it fits the bytes. Else
  // a description that does not fit is none, and the graph's counts.
  bool trusted = false;
  Format other_format = Format::kNd;
  std::span<const std::int64_t> other_dims = {};
};

// An input in memory that was looked up, for a run that comes later.
struct WatchedInput {
  std::size_t index;
  RunMemory memory;
};

// Types, sizes and shapes as the graph takes them; `watched` gets the memory of those on the device. Throws
// what is wrong with them.
std::vector<TensorValue> ResolveInputs(const GraphSlot& graph, std::span<const RunInput> inputs,
                                       std::vector<WatchedInput>& watched);
// Lets the values stand where kernels find them.
void PlaceForKernels(std::vector<TensorValue>& values, const std::vector<WatchedInput>& watched);
// The call of this thread is about to read them.
void TellReads(const std::vector<WatchedInput>& inputs);

}  // namespace foothold
