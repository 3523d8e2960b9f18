// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "ops/whole_reads.h"

#include <gtest/gtest.h>

#include "ops/op.h"

namespace foothold {
namespace {

TEST(OpsThatReadAll, Exist) {
  for (const std::string_view type : OpsThatReadAll())
    EXPECT_NE(FindOp(type), nullptr) << type;
}

// What they read depends on their data, or they only pass bytes on.
TEST(OpsThatReadAll, AreNoneThatChoose) {
  for (const char* const type : {"Gather",
                                 "GatherV2",
                                 "GatherNd",
                                 "GatherElements",
                                 "Slice",
                                 "StridedSlice",
                                 "SplitV",
                                 "ScatterNdUpdate",
                                 "ScatterElements",
                                 "Select",
                                 "SelectV2",
                                 "Where",
                                 "MaskedSelect",
                                 "IndexFill",
                                 "Pad",
                                 "PadV3",
                                 "If",
                                 "While",
                                 "Case",
                                 "Identity",
                                 "Reshape",
                                 "Transpose",
                                 "ConcatV2",
                                 "Tile",
                                 "Conv2D",
                                 "MaxPoolV3",
                                 "AvgPoolV2",
                                 "ResizeNearestNeighborV2",
                                 "IncreFlashAttention",
                                 "PromptFlashAttention",
                                 "FusedInferAttentionScore"})
    EXPECT_FALSE(ReadsAll(type)) << type;
}

}  // namespace
}  // namespace foothold
