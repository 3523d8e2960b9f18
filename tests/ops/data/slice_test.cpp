// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <gtest/gtest.h>

#include "base/error.h"
#include "ops/data/reference.h"
#include "ops/op_run.h"

namespace foothold {
namespace {

using Int = std::int64_t;

TEST(Slice, TakesAPart) {
  for (const DataType type : kOneTypePerSize) {
    const TensorValue x = Counted({3, 4, 5}, type);
    const auto from = [](Index index) { return Index{index[0] + 1, index[1], index[2] + 2}; };
    const TensorValue y = OpRun("Slice")
                              .Late("x", x)
                              .In("offsets", List({1, 0, 2}))
                              .In("size", List({2, -1, 2}))
                              .Out("y")
                              .Run();
    ASSERT_EQ(y.dims(), (Dims{2, 4, 2}));
    ExpectNear(y, Picked(x, y.dims(), from));
    const TensorValue d = OpRun("SliceD")
                              .Late("x", x)
                              .Attr("offsets", Ints{1, 0, 2})
                              .Attr("size", Ints{2, 4, 2})
                              .Out("y")
                              .Run();
    ExpectNear(d, Numbers(y));
  }
}

TEST(Slice, RefusesWhatIsOutside) {
  const auto run = [](const Ints& offsets, const Ints& size) {
    return OpRun("SliceD")
        .In("x", Counted({3, 4}))
        .Attr("offsets", offsets)
        .Attr("size", size)
        .Out("y")
        .Run();
  };
  EXPECT_EQ(run({3, 0}, {-1, 4}).dims(), (Dims{0, 4}));
  EXPECT_THROW(run({0, 0}, {4, 4}), Error);
  EXPECT_THROW(run({-1, 0}, {1, 4}), Error);
  EXPECT_THROW(run({4, 0}, {-1, 4}), Error);
  EXPECT_THROW(run({1, 0}, {INT64_MAX, 4}), Error);
  EXPECT_THROW(run({1, 0}, {-2, 4}), Error);
  EXPECT_THROW(run({1}, {1}), Error);
}

struct StridedCase {
  Dims dims;
  Ints begin, end, strides;
  Attributes masks;
  Dims wanted;
  std::vector<double> values;
};

const StridedCase kStrided[] = {
    {{6}, {1}, {5}, {2}, {}, {2}, {1, 3}},
    {{6}, {-2}, {100}, {1}, {}, {2}, {4, 5}},
    {{6}, {4}, {0}, {-2}, {}, {2}, {4, 2}},
    {{6}, {-1}, {-7}, {-1}, {}, {6}, {5, 4, 3, 2, 1, 0}},
    {{6}, {100}, {-100}, {-3}, {}, {2}, {5, 2}},
    {{6}, {3}, {3}, {1}, {}, {0}, {}},
    {{6}, {2}, {4}, {1}, {{"begin_mask", Int{1}}}, {4}, {0, 1, 2, 3}},
    {{6}, {2}, {4}, {-1}, {{"end_mask", Int{1}}}, {3}, {2, 1, 0}},
    {{2, 3}, {1}, {2}, {1}, {}, {1, 3}, {3, 4, 5}},
    {{2, 3}, {1}, {2}, {1}, {{"shrink_axis_mask", Int{1}}}, {3}, {3, 4, 5}},
    {{2, 3}, {-1, 0}, {0, 2}, {1, 1}, {{"shrink_axis_mask", Int{1}}}, {2}, {3, 4}},
    {{2, 3}, {0, 1}, {0, 3}, {1, 1}, {{"ellipsis_mask", Int{1}}}, {2, 2}, {1, 2, 4, 5}},
    {{2, 3}, {0, 1}, {0, 2}, {1, 1}, {{"new_axis_mask", Int{1}}}, {1, 1, 3}, {3, 4, 5}},
    {{2, 2, 2},
     {0, 0, 1},
     {0, 0, 2},
     {1, 1, 1},
     {{"ellipsis_mask", Int{2}}, {"shrink_axis_mask", Int{5}}},
     {2},
     {1, 3}},
    {{6}, {0}, {6}, {INT64_MAX}, {}, {1}, {0}},
    {{6}, {5}, {-7}, {INT64_MIN}, {}, {1}, {5}},
    {{0}, {0}, {3}, {1}, {}, {0}, {}},
    {{0}, {3}, {-4}, {-1}, {}, {0}, {}},
};

TEST(StridedSlice, TakesElementsApart) {
  for (const StridedCase& each : kStrided) {
    SCOPED_TRACE(ToString(each.dims) + " from " + ToString(each.begin) + " to " + ToString(each.end));
    OpRun base("StridedSlice"), attribute("StridedSliceD");
    base.Late("x", Counted(each.dims));
    base.In("begin", List(each.begin)).In("end", List(each.end)).In("strides", List(each.strides)).Out("y");
    attribute.Late("x", Counted(each.dims)).Attr("begin", each.begin).Attr("end", each.end);
    attribute.Attr("strides", each.strides).Out("y");
    for (OpRun* run : {&base, &attribute}) {
      for (const auto& [name, value] : each.masks)
        run->Attr(name, value);
      const TensorValue y = run->Run();
      EXPECT_EQ(y.dims(), each.wanted);
      ExpectNear(y, each.values);
    }
  }
}

TEST(StridedSlice, MovesEveryElementSize) {
  for (const DataType type : kOneTypePerSize) {
    const TensorValue x = Counted({4, 6, 8}, type);
    const TensorValue y = OpRun("StridedSliceD")
                              .Late("x", x)
                              .Attr("begin", Ints{3, 1, 7})
                              .Attr("end", Ints{0, 6, 0})
                              .Attr("strides", Ints{-2, 2, -3})
                              .Out("y")
                              .Run();
    ASSERT_EQ(y.dims(), (Dims{2, 3, 3}));
    ExpectNear(y, Picked(x, y.dims(), [](const Index& i) {
                 return Index{3 - 2 * i[0], 1 + 2 * i[1], 7 - 3 * i[2]};
               }));
  }
}

TEST(StridedSlice, RefusesWhatCannotBe) {
  const auto run = [](const Dims& dims, const Ints& begin, const Ints& end, const Ints& strides,
                      const char* mask = "begin_mask", Int bits = 0) {
    return OpRun("StridedSliceD")
        .In("x", Counted(dims))
        .Attr("begin", begin)
        .Attr("end", end)
        .Attr("strides", strides)
        .Attr(mask, bits)
        .Out("y")
        .Run();
  };
  EXPECT_THROW(run({6}, {0}, {6}, {0}), Error);
  EXPECT_THROW(run({6}, {0, 0}, {6, 1}, {1, 1}), Error);
  EXPECT_THROW(run({6}, {0}, {6, 1}, {1}), Error);
  EXPECT_THROW(run({6}, {6}, {7}, {1}, "shrink_axis_mask", 1), Error);
  EXPECT_THROW(run({6}, {-7}, {7}, {1}, "shrink_axis_mask", 1), Error);
  EXPECT_THROW(run({6, 6}, {0, 0}, {1, 1}, {1, 1}, "ellipsis_mask", 3), Error);
}

TEST(StridedSliceV2, NamesItsAxes) {
  const TensorValue x = Counted({2, 3, 4});
  const TensorValue y = OpRun("StridedSliceV2")
                            .Late("x", x)
                            .In("begin", List({3, 0}))
                            .In("end", List({-100, 1}))
                            .In("axes", List({-1, 0}))
                            .In("strides", List({-2, 1}))
                            .Out("y")
                            .Run();
  ASSERT_EQ(y.dims(), (Dims{1, 3, 2}));
  ExpectNear(y, Picked(x, y.dims(), [](const Index& i) { return Index{i[0], i[1], 3 - 2 * i[2]}; }));
}

TEST(StridedSliceV2, NeedsNeitherAxesNorStrides) {
  const TensorValue y = OpRun("StridedSliceV2")
                            .Late("x", Counted({2, 3}))
                            .In("begin", List({0, 1}))
                            .In("end", List({2, 3}))
                            .NoInput("axes")
                            .NoInput("strides")
                            .Out("y")
                            .Run();
  ASSERT_EQ(y.dims(), (Dims{2, 2}));
  ExpectNear(y, {1, 2, 4, 5});
}

TEST(StridedSliceV2, BeginsInsideWhenItWalksBackwards) {
  const auto y = OpRun("StridedSliceV2")
                     .In("x", Counted({4}))
                     .In("begin", List({-10}))
                     .In("end", List({-20}))
                     .In("axes", List({0}))
                     .In("strides", List({-1}))
                     .Out("y")
                     .Run();
  ExpectNear(y, {0});
}

TEST(StridedSliceV2, RefusesAnAxisTwice) {
  OpRun run("StridedSliceV2");
  run.In("x", Counted({4}))
      .In("begin", List({0, 0}))
      .In("end", List({1, 1}))
      .In("axes", List({0, -1}))
      .Out("y");
  EXPECT_THROW(run.Run(), Error);
}

}  // namespace
}  // namespace foothold
