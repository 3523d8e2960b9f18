// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <gtest/gtest.h>

#include "base/error.h"
#include "ops/data/reference.h"
#include "ops/op_run.h"

namespace foothold {
namespace {

using Int = std::int64_t;

// An index of the result, folded into x from the last axis on.
std::vector<double> Repeated(const TensorValue& x, const Dims& dims) {
  return Picked(x, dims, [&](const Index& index) {
    Index from(index.end() - static_cast<std::ptrdiff_t>(x.dims().size()), index.end());
    for (std::size_t i = 0; i < from.size(); ++i)
      from[i] %= x.dims()[i];
    return from;
  });
}

struct RepeatCase {
  Dims dims;
  Ints argument;
  Dims wanted;  // {-1}: refused
};

void Check(const std::string& type, const std::string& argument, const RepeatCase& each) {
  for (const DataType element : kOneTypePerSize) {
    SCOPED_TRACE(type + " of " + ToString(each.dims) + " by " + ToString(each.argument));
    const TensorValue x = Counted(each.dims, element);
    OpRun run(type);
    run.Late("x", x);
    if (type.back() == 'D')
      run.Attr(argument, each.argument);
    else
      run.In(argument, List(each.argument));
    run.Out("y");
    if (each.wanted == Dims{-1}) {
      EXPECT_THROW(run.Run(), Error);
      continue;
    }
    const TensorValue y = run.Run();
    ASSERT_EQ(y.dims(), each.wanted);
    ExpectNear(y, Repeated(x, each.wanted));
  }
}

TEST(Tile, RepeatsTensors) {
  for (const RepeatCase& each :
       {RepeatCase{{2, 3}, {2, 2}, {4, 6}}, RepeatCase{{2, 3}, {1, 3}, {2, 9}},
        RepeatCase{{2, 3}, {3, 1}, {6, 3}}, RepeatCase{{2}, {2, 3}, {2, 6}}, RepeatCase{{}, {}, {}},
        RepeatCase{{2, 1}, {0, 5}, {0, 5}}, RepeatCase{{2, 3, 4}, {2, 1, 3}, {4, 3, 12}},
        RepeatCase{{2, 3}, {2}, {-1}}, RepeatCase{{2}, {-1}, {-1}}, RepeatCase{{4}, {INT64_MAX}, {-1}}}) {
    Check("Tile", "multiples", each);
    Check("TileD", "multiples", each);
  }
}

TEST(BroadcastTo, StretchesOnes) {
  for (const RepeatCase& each :
       {RepeatCase{{3}, {2, 3}, {2, 3}}, RepeatCase{{2, 1}, {2, 5}, {2, 5}},
        RepeatCase{{1, 3}, {4, 3}, {4, 3}}, RepeatCase{{}, {2, 2}, {2, 2}},
        RepeatCase{{2, 3}, {-1, 3}, {2, 3}}, RepeatCase{{1}, {0}, {0}},
        RepeatCase{{1, 4, 1}, {3, 4, 70}, {3, 4, 70}}, RepeatCase{{3}, {1}, {-1}}, RepeatCase{{3}, {2}, {-1}},
        RepeatCase{{2, 3}, {3}, {-1}}, RepeatCase{{1}, {-2}, {-1}}}) {
    Check("BroadcastTo", "shape", each);
    Check("BroadcastToD", "shape", each);
  }
}

TEST(Expand, StretchesBothWays) {
  for (const RepeatCase& each : {RepeatCase{{3, 1}, {1, 4}, {3, 4}}, RepeatCase{{2, 3}, {3}, {2, 3}},
                                 RepeatCase{{3}, {2, 1}, {2, 3}}, RepeatCase{{3}, {2}, {-1}}}) {
    Check("Expand", "shape", each);
    Check("ExpandD", "shape", each);
  }
}

TEST(Fill, RepeatsOneValue) {
  for (const DataType type : kOneTypePerSize) {
    const TensorValue value = Tensor(type, {1}, {5});
    const auto y = OpRun("Fill").In("dims", List({2, 3})).Late("value", value).Out("y").Run();
    EXPECT_EQ(y.type().type, type);
    EXPECT_EQ(y.dims(), (Dims{2, 3}));
    ExpectNear(y, std::vector<double>(6, 5));
    ExpectNear(OpRun("FillD").Late("value", value).Attr("dims", Ints{2}).Out("y").Run(), {5, 5});
    ExpectNear(OpRun("ZerosLike").Late("x", Counted({3}, type)).Out("y").Run(), {0, 0, 0});
    ExpectNear(OpRun("OnesLike").Late("x", Counted({3}, type)).Out("y").Run(), {1, 1, 1});
  }
  ExpectNear(OpRun("FillV2").In("dims", List({2})).Attr("value", 0.5f).Out("y").Run(), {0.5, 0.5});
  ExpectNear(OpRun("FillV2D").Attr("dims", Ints{}).Attr("value", 0.5f).Out("y").Run(), {0.5});
  EXPECT_THROW(OpRun("FillD").In("value", Floats({}, {1})).Attr("dims", Ints{-1}).Out("y").Run(), Error);
  EXPECT_THROW(OpRun("FillD").In("value", Floats({2}, {1, 2})).Attr("dims", Ints{1}).Out("y").Run(), Error);
  EXPECT_THROW(OpRun("FillD").In("value", Floats({}, {1})).Attr("dims", Ints{Int{1} << 62, 8}).Out("y").Run(),
               Error);
}

}  // namespace
}  // namespace foothold
