// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <gtest/gtest.h>

#include "base/error.h"
#include "ops/data/reference.h"
#include "ops/op_run.h"

namespace foothold {
namespace {

using Int = std::int64_t;

struct OrderCase {
  Dims dims;
  Ints order;
};

void ExpectTransposed(const TensorValue& x, const TensorValue& y, const Ints& order) {
  Dims dims;
  for (const Int axis : order)
    dims.push_back(x.dims()[static_cast<std::size_t>(axis)]);
  ASSERT_EQ(y.dims(), dims);
  ExpectNear(y, Picked(x, dims, [&](const Index& index) {
               Index from(index.size());
               for (std::size_t i = 0; i < index.size(); ++i)
                 from[static_cast<std::size_t>(order[i])] = index[i];
               return from;
             }));
}

TEST(Transpose, MovesAxes) {
  const std::vector<OrderCase> cases = {
      {{2, 3}, {1, 0}},
      {{33, 65}, {1, 0}},
      {{2, 3, 4}, {2, 0, 1}},
      {{2, 3, 4}, {0, 1, 2}},
      {{2, 3, 4}, {0, 2, 1}},
      {{1, 3, 8, 9}, {0, 2, 3, 1}},
      {{2, 5, 4, 3}, {3, 1, 0, 2}},
      {{2, 3, 4, 5, 6}, {4, 3, 2, 1, 0}},
      {{4, 1, 3}, {1, 2, 0}},
      {{0, 3}, {1, 0}},
      {{7}, {0}},
      {{}, {}},
      {{3, 17, 2}, {1, 0, 2}},
  };
  for (const OrderCase& each : cases) {
    for (const DataType type : kOneTypePerSize) {
      const TensorValue x = Counted(each.dims, type);
      SCOPED_TRACE(ToString(each.dims) + " by " + ToString(each.order));
      ExpectTransposed(x, OpRun("Transpose").Late("x", x).In("perm", List(each.order)).Out("y").Run(),
                       each.order);
      ExpectTransposed(x, OpRun("TransposeD").Late("x", x).Attr("perm", each.order).Out("y").Run(),
                       each.order);
      ExpectTransposed(x, OpRun("Permute").Late("x", x).Attr("order", each.order).Out("y").Run(), each.order);
    }
  }
}

TEST(Transpose, CountsNegativeAxesFromTheEnd) {
  const TensorValue x = Counted({2, 3, 4});
  ExpectTransposed(x, OpRun("TransposeD").In("x", x).Attr("perm", Ints{-1, 0, -2}).Out("y").Run(), {2, 0, 1});
}

TEST(Transpose, RefusesWhatIsNoOrder) {
  for (const Ints& order : {Ints{0}, Ints{0, 0}, Ints{0, 2}, Ints{0, 1, 2}, Ints{0, -3}})
    EXPECT_THROW(OpRun("TransposeD").In("x", Counted({2, 3})).Attr("perm", order).Out("y").Run(), Error);
  EXPECT_THROW(OpRun("TransposeD").In("x", Counted({2, 3})).Out("y").Run(), Error);
}

TensorValue Relaid(const Dims& dims, const char* from, const char* to) {
  return OpRun("TransData")
      .In("src", Counted(dims))
      .Attr("src_format", std::string(from))
      .Attr("dst_format", std::string(to))
      .Out("dst")
      .Run();
}

TEST(TransData, ChangesPlainLayouts) {
  const Dims dims = {2, 3, 4, 5};
  ExpectTransposed(Counted(dims), Relaid(dims, "NCHW", "NHWC"), {0, 2, 3, 1});
  ExpectTransposed(Counted(dims), Relaid(dims, "NHWC", "NCHW"), {0, 3, 1, 2});
  ExpectTransposed(Counted(dims), Relaid(dims, "NCHW", "HWCN"), {2, 3, 1, 0});
  ExpectTransposed(Counted(dims), Relaid(dims, "NCHW", "NCHW"), {0, 1, 2, 3});
  ExpectTransposed(Counted({2, 3, 4, 5, 6}), Relaid({2, 3, 4, 5, 6}, "NDHWC", "NCDHW"), {0, 4, 1, 2, 3});
  EXPECT_EQ(Relaid(dims, "NCHW", "NHWC").type().format, Format::kNhwc);
  ExpectTransposed(Counted({7}), Relaid({7}, "ND", "ND"), {0});
}

TEST(TransData, RefusesOtherLayouts) {
  EXPECT_THROW(Relaid({2, 3, 4, 5}, "NCHW", "NC1HWC0"), Error);
  EXPECT_THROW(Relaid({2, 3, 4, 5}, "ND", "NCHW"), Error);
  EXPECT_THROW(Relaid({2, 3, 4}, "NCHW", "NHWC"), Error);
  EXPECT_THROW(Relaid({2, 3, 4, 5}, "", ""), Error);
}

TEST(DepthToSpace, PutsChannelsIntoBlocks) {
  const TensorValue x = Counted({1, 4, 1, 2}, DataType::kFloat, Format::kNchw);
  const TensorValue y = OpRun("DepthToSpace").In("x", x).Attr("block_size", Int{2}).Out("y").Run();
  EXPECT_EQ(y.dims(), (Dims{1, 1, 2, 4}));
  ExpectNear(y, {0, 2, 1, 3, 4, 6, 5, 7});
}

Index DepthSource(const Index& index, Int block, Int channels, bool crd, bool last) {
  const Int n = index[0], c = last ? index[3] : index[1], h = index[last ? 1 : 2], w = index[last ? 2 : 3];
  const Int inside = h % block * block + w % block;
  const Int from = crd ? c * block * block + inside : inside * channels + c;
  return last ? Index{n, h / block, w / block, from} : Index{n, from, h / block, w / block};
}

TEST(DepthToSpace, KnowsModesAndLayouts) {
  for (const bool crd : {false, true}) {
    for (const bool last : {false, true}) {
      const Dims dims = last ? Dims{2, 3, 5, 8} : Dims{2, 8, 3, 5};
      const Dims wanted = last ? Dims{2, 6, 10, 2} : Dims{2, 2, 6, 10};
      const TensorValue x = Counted(dims);
      const TensorValue y = OpRun("DepthToSpace")
                                .In("x", x)
                                .Attr("block_size", Int{2})
                                .Attr("mode", std::string(crd ? "CRD" : "DCR"))
                                .Attr("data_format", std::string(last ? "NHWC" : "NCHW"))
                                .Out("y")
                                .Run();
      ASSERT_EQ(y.dims(), wanted);
      ExpectNear(y, Picked(x, wanted, [&](const Index& i) { return DepthSource(i, 2, 2, crd, last); }));
    }
  }
}

TEST(SpaceToDepth, UndoesDepthToSpace) {
  for (const char* layout : {"NHWC", "NCHW"}) {
    const bool last = std::string(layout) == "NHWC";
    const TensorValue x = Counted(last ? Dims{2, 4, 6, 3} : Dims{2, 3, 4, 6});
    const auto run = [&](const char* type, const TensorValue& in) {
      return OpRun(type)
          .In("x", in)
          .Attr("block_size", Int{2})
          .Attr("data_format", std::string(layout))
          .Out("y")
          .Run();
    };
    const TensorValue deep = run("SpaceToDepth", x);
    EXPECT_EQ(deep.dims(), (last ? Dims{2, 2, 3, 12} : Dims{2, 12, 2, 3}));
    ExpectNear(run("DepthToSpace", deep), Numbers(x));
  }
}

TEST(DepthToSpace, RefusesBlocksThatDoNotFit) {
  const auto run = [](const char* type, const Dims& dims, Int block) {
    return OpRun(type).In("x", Counted(dims)).Attr("block_size", block).Out("y").Run();
  };
  EXPECT_THROW(run("DepthToSpace", {1, 2, 2, 6}, 2), Error);
  EXPECT_THROW(run("DepthToSpace", {1, 2, 2, 4}, 0), Error);
  EXPECT_THROW(run("DepthToSpace", {1, 2, 2, 4}, Int{1} << 40), Error);
  EXPECT_THROW(run("DepthToSpace", {2, 2, 4}, 2), Error);
  EXPECT_THROW(run("SpaceToDepth", {1, 3, 2, 4}, 2), Error);
}

}  // namespace
}  // namespace foothold
