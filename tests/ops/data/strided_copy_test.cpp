// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "kernels/strided_copy.h"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "ops/data/reference.h"

namespace foothold {
namespace {

using Memory = std::vector<std::byte>;

Memory Noise(std::size_t bytes) {
  Memory memory(bytes);
  for (std::size_t i = 0; i < bytes; ++i)
    memory[i] = static_cast<std::byte>(i * 31 + i / 251);
  return memory;
}

// Strides in elements; the source starts in the middle of its memory, so that strides may be negative.
void ExpectLikePlainLoops(std::size_t size, const std::vector<CopyAxis>& axes) {
  constexpr std::size_t kElements = 1 << 18;
  const Memory src = Noise(kElements * size);
  Memory found(kElements * size), expected(kElements * size);
  const auto middle = static_cast<std::ptrdiff_t>(kElements / 2 * size);
  std::vector<CopyAxis> bytes = axes;
  Dims dims;
  for (CopyAxis& axis : bytes) {
    axis.src *= static_cast<std::ptrdiff_t>(size);
    axis.dst *= static_cast<std::ptrdiff_t>(size);
    dims.push_back(static_cast<std::int64_t>(axis.count));
  }
  ForIndices(dims, [&](const Index& index) {
    std::ptrdiff_t from = middle, to = 0;
    for (std::size_t i = 0; i < index.size(); ++i) {
      from += index[i] * bytes[i].src;
      to += index[i] * bytes[i].dst;
    }
    std::memcpy(expected.data() + to, src.data() + from, size);
  });
  StridedCopy(size, bytes, middle, 0).Run(src.data(), found.data());
  EXPECT_TRUE(found == expected) << "size " << size;
}

TEST(StridedCopy, MovesWhatPlainLoopsMove) {
  const std::vector<std::vector<CopyAxis>> blocks = {
      {},
      {{5, 1, 1}},
      {{0, 1, 1}},
      {{70, 1, 90}, {90, 70, 1}},                      // transpose with ragged edges
      {{3, 1, 1000}, {1000, 3, 1}},                    // a narrow side
      {{1000, 1, 3}, {3, 1000, 1}},                    // the other side narrow
      {{4, 300, 300}, {20, 1, 15}, {15, 20, 1}},       // a batch of transposes
      {{5, 7, 42}, {6, 35, 7}, {7, 1, 1}},             // rows move as they are
      {{9, 2, 6}, {3, 18, 2}, {2, 1, 1}},              // pairs move together
      {{10, -1, 1}},                                   // backwards
      {{6, -10, 10}, {10, 1, 1}},                      // rows backwards
      {{8, 0, 16}, {16, 0, 1}},                        // one value everywhere
      {{8, 1, 16}, {16, 0, 1}},                        // one value per row
      {{8, 0, 16}, {16, 1, 1}},                        // one row everywhere
      {{11, 3, 2}},                                    // gaps on both sides
      {{2, 1, 60}, {3, 2, 20}, {4, 6, 5}, {5, 24, 1}}  // all axes reversed
  };
  for (const std::size_t size : {1, 2, 4, 8, 16})
    for (const auto& axes : blocks)
      ExpectLikePlainLoops(size, axes);
}

TEST(StridedCopy, TransposesColumnsThatCollideInTheCache) {
  for (const std::size_t size : {1, 2, 4, 8, 16})
    ExpectLikePlainLoops(size, {{100, 1, 90}, {90, 1024, 1}});
}

TEST(StridedCopy, IsTheSameOnSeveralThreads) {
  ExpectLikePlainLoops(8, {{512, 1, 256}, {256, 512, 1}});
  ExpectLikePlainLoops(16, {{1 << 17, -1, 1}});
}

TEST(StridedCopy, JoinsAxesThatAreOne) {
  EXPECT_EQ(StridedCopy(4, {{2, 48, 48}, {3, 16, 16}, {4, 4, 4}}).axes(),
            (std::vector<CopyAxis>{{24, 4, 4}}));
  EXPECT_EQ(StridedCopy(4, {{2, 12, 4}, {1, 7, 9}, {3, 4, 8}}).axes().size(), 2u);
  EXPECT_EQ(StridedCopy(4, {{3, 8, 16}, {2, 24, 8}, {2, 4, 4}}).element_size(), 8u);
}

}  // namespace
}  // namespace foothold
