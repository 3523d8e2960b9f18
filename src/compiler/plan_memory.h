// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Gives values that live in the arena their places. Values whose lives do not overlap share memory; an
// operator that works in place gets its input's. A value that is a part of another one is made where it
// belongs.
#pragma once

#include <cstddef>
#include <vector>

namespace foothold {

// Memory one step asks for. Buffers are numbered by the caller.
struct MemoryStep {
  struct InPlace {
    int input;   // buffer
    int output;  // buffer
  };
  std::vector<int> reads;
  std::vector<int> writes;
  std::vector<InPlace> in_place;  // allowed if the input ends here
  std::size_t workspace = 0;      // bytes
};

// A buffer that is bytes of another one, which is no part itself. Such a part never works in place.
struct BufferPart {
  int whole = -1;  // buffer; -1: it is no part
  std::size_t offset = 0;
};

struct MemoryPlan {
  std::vector<std::size_t> buffers;     // offsets
  std::vector<std::size_t> workspaces;  // offsets, by step
  std::size_t bytes = 0;
};

// `sizes` by buffer; a buffer of 0 bytes costs nothing. A buffer's life is from the first step that writes it
// to the last that names it; a part lives as long as its whole. `parts` by buffer, or empty.
MemoryPlan PlanMemory(const std::vector<std::size_t>& sizes, const std::vector<MemoryStep>& steps,
                      const std::vector<BufferPart>& parts = {});

}  // namespace foothold
