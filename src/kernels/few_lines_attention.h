// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Attention of few queries with many keys: parts of the keys of a head on several threads, put together at
// the end. The parts do not depend on the number of threads. For fused_attention.h; any thread.
#pragma once

#include <cstddef>

#include "kernels/attention_lines.h"

namespace foothold {

class FewLinesAttention {
 public:
  // The depth of keys and values is dense.
  explicit FewLinesAttention(const FusedAttention& attention);

  std::size_t WorkspaceBytes() const;
  void Run(const SequenceSource& source, std::byte* workspace) const;

 private:
  // What one part of the keys comes to.
  struct Part {
    RunningSoftmax* states;  // by line
    Lines<float> sums;
  };
  struct Scratch {
    Lines<float> queries, scores, shifts;
    float* factors;
  };
  Part PartAt(std::byte* workspace, std::size_t head, std::size_t part) const;
  Scratch ScratchAt(std::byte* workspace, std::size_t slot) const;
  void RunPart(const AttentionLines& lines, std::size_t part, const Part& to, const Scratch& scratch) const;
  void AddTile(const AttentionLines& lines, std::size_t begin, std::size_t count, const Part& to,
               const Scratch& scratch) const;
  void Join(const AttentionLines& lines, std::byte* workspace, std::size_t head) const;
  std::size_t heads() const { return attention_.shape.batch * attention_.shape.kv_heads; }

  FusedAttention attention_;
  std::size_t most_lines_, query_stride_, sum_stride_;
  std::size_t part_keys_ = 1, parts_ = 1;
  std::size_t part_floats_ = 0, scratch_floats_ = 0;
  std::size_t slots_ = 1;
};

}  // namespace foothold
