// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Elements named by indices, read and written.
#include "aclnn/places.h"
#include "aclnnop/aclnn_embedding.h"
#include "aclnnop/aclnn_gather.h"
#include "aclnnop/aclnn_gather_nd.h"
#include "aclnnop/aclnn_gather_v2.h"
#include "aclnnop/aclnn_index.h"
#include "aclnnop/aclnn_index_add.h"
#include "aclnnop/aclnn_index_copy.h"
#include "aclnnop/aclnn_index_fill.h"
#include "aclnnop/aclnn_index_fill_tensor.h"
#include "aclnnop/aclnn_index_put_impl.h"
#include "aclnnop/aclnn_index_select.h"
#include "aclnnop/aclnn_masked_scatter.h"
#include "aclnnop/aclnn_one_hot.h"
#include "aclnnop/aclnn_scatter.h"
#include "aclnnop/aclnn_scatter_add.h"
#include "aclnnop/aclnn_scatter_nd_update.h"
#include "aclnnop/aclnn_take.h"

namespace nn {
namespace {

constexpr aclDataType kFloats[] = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16};

TEST_F(Nn, GatherV2ReadsRows) {
  for (const aclDataType type : kFloats)
    for (const aclDataType index_type : {ACL_INT32, ACL_INT64})
      for (const Layout layout : kAllLayouts) {
        const Tensor self = In(type, {5, 8}, Whole(40), layout),
                     index = In(index_type, {4}, {3, 0, 4, 3}, Layout::kOffset),
                     out = Out(type, {4, 8}, layout);
        Run(NN(GatherV2), self, 0, index, out);
        const Values rows = index.Read();
        EXPECT_EQ(out.Read(),
                  Moved(self.Read(), self.dims(), out.dims(),
                        [&](const Dims& p) {
                          return Dims{static_cast<std::int64_t>(rows[static_cast<std::size_t>(p[0])]), p[1]};
                        }))
            << type;
      }
}

TEST_F(Nn, GatherV2PutsTheDimensionsOfIndicesInPlaceOfOne) {
  const Tensor self = In(ACL_INT64, {2, 3, 2}, Whole(12)), index = In(ACL_INT64, {2, 2}, {2, -1, 0, 1}),
               out = Out(ACL_INT64, {2, 2, 2, 2});
  Run(NN(GatherV2), self, -2, index, out);
  const std::int64_t places[] = {2, 2, 0, 1};
  EXPECT_EQ(out.Read(), Moved(self.Read(), self.dims(), out.dims(), [&](const Dims& p) {
              return Dims{p[0], places[p[1] * 2 + p[2]], p[3]};
            }));
  Run(NN(GatherV2), self, 0, In(ACL_INT32, {0}, {}), Out(ACL_INT64, {0, 3, 2}));
  ExpectRefused(161002, "indices are int32, int64 or uint8", NN(GatherV2), self, 0, In(ACL_FLOAT, {1}, {0}),
                out);
}

// Experts of a mixture: matrices by indices that are a view into a table.
TEST_F(Nn, IndexSelectReadsMatrices) {
  for (const aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_INT8}) {
    const Tensor self = In(type, {4, 3, 5}, Whole(60)),
                 table = In(ACL_INT32, {3, 2}, {0, 1, 3, 2, 1, 1}, Layout::kPaddedRows);
    const Tensor index = table.View(Role::kIn, {2}, {1}, 5), out = Out(type, {2, 3, 5});
    Run(NN(IndexSelect), self, 0, index, out);
    EXPECT_EQ(out.Read(), Moved(self.Read(), self.dims(), out.dims(), [](const Dims& p) {
                return Dims{3 - p[0], p[1], p[2]};
              }));
  }
  ExpectRefused(161002, "'index'", NN(IndexSelect), In(ACL_FLOAT, {2, 2}, Whole(4)), 0,
                In(ACL_INT32, {1, 1}, {0}), Out(ACL_FLOAT, {1, 2}));
}

TEST_F(Nn, IndexSelectReadsPositions) {
  const Tensor self = In(ACL_INT32, {4, 6}, Whole(24)), index = In(ACL_INT32, {3}, {2, 2, 0}),
               out = Out(ACL_INT32, {3, 6});
  Run(NN(IndexSelect), self, 0, index, out);
  EXPECT_EQ(out.Read(), Moved(self.Read(), self.dims(), out.dims(), [](const Dims& p) {
              return Dims{p[0] < 2 ? 2 : 0, p[1]};
            }));
}

TEST_F(Nn, EmbeddingReadsRowsForEveryIndex) {
  const Tensor weight = In(ACL_BF16, {3, 2}, {1, 2, 3, 4, 5, 6}, Layout::kTransposed),
               indices = In(ACL_INT64, {2, 2}, {2, 0, 1, 1}), out = Out(ACL_BF16, {2, 2, 2});
  Run(NN(Embedding), weight, indices, out);
  EXPECT_EQ(out.Read(), (Values{5, 6, 1, 2, 3, 4, 3, 4}));
}

TEST_F(Nn, GatherReadsElementByElement) {
  const Tensor self = In(ACL_FLOAT16, {2, 3}, {1, 2, 3, 4, 5, 6}, Layout::kPaddedRows),
               index = In(ACL_INT64, {2, 2}, {2, 0, 1, 1}, Layout::kTransposed),
               out = Out(ACL_FLOAT16, {2, 2}, Layout::kPaddedRows);
  Run(NN(Gather), self, -1, index, out);
  EXPECT_EQ(out.Read(), (Values{3, 1, 5, 5}));
  const Tensor rows = In(ACL_INT32, {1, 2}, {1, 0}), one = Out(ACL_FLOAT16, {1, 2});
  Run(NN(Gather), self, 0, rows, one);
  EXPECT_EQ(one.Read(), (Values{4, 2}));
}

// Rows of caches: strided, of any type, with indices of both.
TEST_F(Nn, IndexCopyWritesRows) {
  for (const aclDataType type : kFloats)
    for (const aclDataType source_type : kFloats)
      for (const aclDataType index_type : {ACL_INT32, ACL_INT64})
        for (const Layout layout : kAllLayouts) {
          const Tensor self = Ref(type, {6, 5}, Whole(30), layout),
                       source = In(source_type, {3, 5}, Whole(15, 2), layout),
                       index = In(index_type, {3}, {4, 0, 2});
          Values expected = self.Read();
          const Values rows = source.Read();
          for (std::size_t i = 0; i < 15; ++i)
            expected[static_cast<std::size_t>(index.Read()[i / 5]) * 5 + i % 5] = rows[i];
          Run(NN(InplaceIndexCopy), self, 0, index, source);
          EXPECT_EQ(self.Read(), expected) << type << " " << source_type;
        }
}

TEST_F(Nn, IndexCopyWritesColumnsAndNothing) {
  const Tensor self = Ref(ACL_FLOAT, {2, 3}, {1, 2, 3, 4, 5, 6}, Layout::kPaddedRows),
               source = In(ACL_FLOAT, {2, 2}, {7, 8, 9, 10});
  Run(NN(InplaceIndexCopy), self, -1, In(ACL_INT64, {2}, {2, 0}), source);
  EXPECT_EQ(self.Read(), (Values{8, 2, 7, 10, 5, 9}));
  Run(NN(InplaceIndexCopy), self, 0, In(ACL_INT64, {0}, {}), In(ACL_FLOAT, {0, 3}, {}));
  EXPECT_EQ(self.Read(), (Values{8, 2, 7, 10, 5, 9}));
  ExpectRefused(161002, "'source' is [2,2]", NN(InplaceIndexCopy), self, 0, In(ACL_INT64, {2}, {0, 1}),
                source);
}

TEST_F(Nn, IndexFillTakesIndicesOfTheHost) {
  for (const aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_INT64})
    for (const Layout layout : kAllLayouts) {
      const Tensor self = Ref(type, {2, 4}, {1, 2, 3, 4, 5, 6, 7, 8}, layout);
      Run(NN(InplaceIndexFillTensor), self, -1, Ints{1, 3, 1, -4}, Scalar(-1.0f));
      EXPECT_EQ(self.Read(), (Values{-1, -1, 3, -1, -1, -1, 7, -1}));
    }
}

TEST_F(Nn, ScatterWritesAddsAndMultiplies) {
  const Tensor self = In(ACL_FLOAT, {2, 3}, {1, 2, 3, 4, 5, 6}, Layout::kTransposed),
               index = In(ACL_INT64, {2, 2}, {2, 0, 1, 1}), src = In(ACL_FLOAT, {2, 2}, {10, 20, 30, 30}),
               out = Out(ACL_FLOAT, {2, 3}, Layout::kPaddedRows);
  Run(NN(Scatter), self, 1, index, src, 0, out);
  EXPECT_EQ(out.Read(), (Values{20, 2, 10, 4, 30, 6}));
  Run(NN(Scatter), self, 1, index, src, 1, out);
  EXPECT_EQ(out.Read(), (Values{21, 2, 13, 4, 65, 6}));
  Run(NN(Scatter), self, 1, index, src, 2, out);
  EXPECT_EQ(out.Read(), (Values{20, 2, 30, 4, 4500, 6}));
  Run(NN(ScatterAdd), self, -1, index, src, out);
  EXPECT_EQ(out.Read(), (Values{21, 2, 13, 4, 65, 6}));
  ExpectRefused(161002, "'reduce' is 3", NN(Scatter), self, 1, index, src, 3, out);
}

TEST_F(Nn, ScatterWritesInPlaceFromLargerSources) {
  for (const aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_INT32}) {
    const Tensor self = Ref(type, {3, 2}, {1, 2, 3, 4, 5, 6}, Layout::kPaddedRows),
                 index = In(ACL_INT64, {1, 2}, {2, 0}), src = In(type, {2, 3}, {7, 8, 9, 10, 11, 12});
    Run(NN(InplaceScatter), self, 0, index, src, 0);
    EXPECT_EQ(self.Read(), (Values{1, 8, 3, 4, 7, 6})) << type;
    Run(NN(InplaceScatterValue), self, 0, index, Scalar(3.0f), 1);
    EXPECT_EQ(self.Read(), (Values{1, 11, 3, 4, 10, 6})) << type;
    const Tensor out = Out(type, {3, 2});
    Run(NN(ScatterValue), self.As(Role::kIn), 0, index, Scalar(2.0f), 2, out);
    EXPECT_EQ(out.Read(), (Values{1, 22, 3, 4, 20, 6})) << type;
  }
}

TEST_F(Nn, ScatterNdUpdateWritesSlices) {
  const Tensor var = Ref(ACL_BF16, {3, 2}, {1, 2, 3, 4, 5, 6}, Layout::kPaddedRows);
  Run(NN(ScatterNdUpdate), var, In(ACL_INT64, {2, 1}, {2, 0}), In(ACL_BF16, {2, 2}, {7, 8, 9, 10}));
  EXPECT_EQ(var.Read(), (Values{9, 10, 3, 4, 7, 8}));
}

TEST_F(Nn, IndexTakesWholeDimensionsMasksAndBroadcasts) {
  const Tensor self =
      In(ACL_FLOAT16, {2, 3, 2}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}, Layout::kTransposed);
  const Tensor rows = In(ACL_INT64, {2, 1}, {1, 0}), columns = In(ACL_INT64, {2}, {2, -3});
  const Tensor both = Out(ACL_FLOAT16, {2, 2, 2}), second = Out(ACL_FLOAT16, {2, 2, 2});
  Run(NN(Index), self, List{&rows, &columns}, both);
  EXPECT_EQ(both.Read(), (Values{11, 12, 7, 8, 5, 6, 1, 2}));
  Run(NN(Index), self, List{nullptr, &columns}, second);
  EXPECT_EQ(second.Read(), (Values{5, 6, 1, 2, 11, 12, 7, 8}));
}

TEST_F(Nn, IndexPutWritesOrAdds) {
  const Tensor self = Ref(ACL_FLOAT, {3, 2}, {1, 2, 3, 4, 5, 6}, Layout::kPaddedRows);
  const Tensor rows = In(ACL_INT64, {3}, {0, 2, 0}), ones = In(ACL_FLOAT, {1}, {1});
  Run(NN(IndexPutImpl), self, List{&rows}, ones, true, false);
  EXPECT_EQ(self.Read(), (Values{3, 4, 3, 4, 6, 7}));
}

TEST_F(Nn, IndexTakesMasks) {
  const Tensor self = In(ACL_FLOAT, {2, 3}, {1, 2, 3, 4, 5, 6}, Layout::kPaddedRows);
  const Tensor mask = In(ACL_BOOL, {3}, {1, 0, 1}), out = Out(ACL_FLOAT, {2, 2});
  Run(NN(Index), self, List{nullptr, &mask}, out);
  EXPECT_EQ(out.Read(), (Values{1, 3, 4, 6}));
}

TEST_F(Nn, IndexPutTakesMasks) {
  for (const Layout layout : kAllLayouts) {
    const Tensor self = Ref(ACL_FLOAT, {3, 2}, {1, 2, 3, 4, 5, 6}, layout);
    const Tensor mask = In(ACL_BOOL, {3}, {0, 1, 0}), value = In(ACL_FLOAT, {2}, {8, 9});
    Run(NN(IndexPutImpl), self, List{&mask}, value, false, false);
    EXPECT_EQ(self.Read(), (Values{1, 2, 8, 9, 5, 6}));
  }
}

TEST_F(Nn, OneHotPutsClassesAnywhere) {
  const Tensor self = In(ACL_INT64, {3}, {1, 0, 5}), on = In(ACL_FLOAT, {1}, {2}),
               off = In(ACL_FLOAT, {}, {-1});
  const Tensor last = Out(ACL_FLOAT, {3, 2}, Layout::kPaddedRows), first = Out(ACL_FLOAT, {2, 3});
  Run(NN(OneHot), self, 2, on, off, -1, last);
  EXPECT_EQ(last.Read(), (Values{-1, 2, 2, -1, -1, -1}));
  Run(NN(OneHot), self, 2, on, off, 0, first);
  EXPECT_EQ(first.Read(), (Values{-1, 2, -1, 2, -1, -1}));
}

TEST_F(Nn, IndexAddAddsMultiplesOfSlices) {
  for (const aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_INT32})
    for (const aclDataType index_type : {ACL_INT32, ACL_INT64}) {
      const Tensor self = In(type, {2, 3}, {1, 2, 3, 4, 5, 6}, Layout::kTransposed),
                   index = In(index_type, {3}, {2, 0, 2}), source = In(type, {2, 3}, {1, 2, 3, 4, 5, 6}),
                   out = Out(type, {2, 3}, Layout::kPaddedRows);
      Run(NN(IndexAdd), self, -1, index, source, Scalar(2.0f), out);
      EXPECT_EQ(out.Read(), (Values{5, 2, 11, 14, 5, 26})) << type;
    }
  const Tensor self = In(ACL_FLOAT, {2, 3}, Whole(6));
  ExpectRefused(161002, "'source' is [2,2]", NN(IndexAdd), self, 0, In(ACL_INT64, {2}, {0, 1}),
                In(ACL_FLOAT, {2, 2}, Whole(4)), Scalar(1.0f), Out(ACL_FLOAT, {2, 3}));
}

TEST_F(Nn, MaskedScatterTakesElementsInOrder) {
  for (const aclDataType type : {ACL_FLOAT, ACL_BF16, ACL_INT64})
    for (const Layout layout : kAllLayouts) {
      const Tensor self = Ref(type, {2, 3}, {1, 2, 3, 4, 5, 6}, layout), mask = In(ACL_BOOL, {3}, {1, 0, 1});
      Run(NN(InplaceMaskedScatter), self, mask, In(type, {5}, {7, 8, 9, 10, 11}));
      EXPECT_EQ(self.Read(), (Values{7, 2, 8, 9, 5, 10}));
    }
}

TEST_F(Nn, IndexFillTakesIndicesOfTheDevice) {
  for (const aclDataType type : {ACL_FLOAT, ACL_BF16, ACL_INT32}) {
    const Tensor self = In(type, {2, 3}, {1, 2, 3, 4, 5, 6}, Layout::kTransposed), out = Out(type, {2, 3});
    Run(NN(IndexFill), self, 1, In(ACL_INT64, {2}, {2, 0}), Scalar(9.0f), out);
    EXPECT_EQ(out.Read(), (Values{9, 2, 9, 9, 5, 9}));
    Run(NN(IndexFillTensor), self, 0, Ints{1}, Scalar(7.0f), out);
    EXPECT_EQ(out.Read(), (Values{1, 2, 3, 7, 7, 7}));
  }
}

TEST_F(Nn, TakeCountsThroughAllElements) {
  const Tensor self = In(ACL_FLOAT16, {2, 3}, {1, 2, 3, 4, 5, 6}, Layout::kPaddedRows),
               index = In(ACL_INT64, {2, 2}, {5, 0, -2, 3}), out = Out(ACL_FLOAT16, {2, 2});
  Run(NN(Take), self, index, out);
  EXPECT_EQ(out.Read(), (Values{6, 1, 5, 4}));
}

TEST_F(Nn, GatherNdReadsSlices) {
  const Tensor self =
                   In(ACL_FLOAT16, {2, 3, 2}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}, Layout::kTransposed),
               indices = In(ACL_INT64, {2, 2}, {1, 0, 0, -1}),
               out = Out(ACL_FLOAT16, {2, 2}, Layout::kPaddedRows);
  Run(NN(GatherNd), self, indices, true, out);
  EXPECT_EQ(out.Read(), (Values{7, 8, 5, 6}));
}

TEST_F(Nn, IndexFillWorksInPlace) {
  for (const Layout layout : kAllLayouts) {
    const Tensor self = Ref(ACL_FLOAT, {2, 3}, {1, 2, 3, 4, 5, 6}, layout);
    Run(NN(InplaceIndexFill), self, -1, In(ACL_INT32, {1}, {1}), Scalar(0.5f));
    EXPECT_EQ(self.Read(), (Values{1, 0.5, 3, 4, 0.5, 6}));
  }
}

}  // namespace
}  // namespace nn
