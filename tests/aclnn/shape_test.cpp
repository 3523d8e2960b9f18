// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Elements that move, repeat, or stay away.
#include <cfloat>
#include <cmath>

#include "aclnn/places.h"
#include "aclnnop/aclnn_cat.h"
#include "aclnnop/aclnn_constant_pad_nd.h"
#include "aclnnop/aclnn_expand.h"
#include "aclnnop/aclnn_flatten.h"
#include "aclnnop/aclnn_flip.h"
#include "aclnnop/aclnn_permute.h"
#include "aclnnop/aclnn_reflection_pad1d.h"
#include "aclnnop/aclnn_reflection_pad2d.h"
#include "aclnnop/aclnn_reflection_pad3d.h"
#include "aclnnop/aclnn_repeat.h"
#include "aclnnop/aclnn_repeat_interleave.h"
#include "aclnnop/aclnn_replication_pad1d.h"
#include "aclnnop/aclnn_replication_pad2d.h"
#include "aclnnop/aclnn_replication_pad3d.h"
#include "aclnnop/aclnn_roll.h"
#include "aclnnop/aclnn_slice.h"
#include "aclnnop/aclnn_slice_v2.h"
#include "aclnnop/aclnn_split_tensor.h"
#include "aclnnop/aclnn_split_with_size.h"
#include "aclnnop/aclnn_stack.h"
#include "aclnnop/aclnn_tril.h"
#include "aclnnop/aclnn_triu.h"

namespace nn {
namespace {

constexpr aclDataType kTypes[] = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_INT8,
                                  ACL_INT16, ACL_INT32,   ACL_INT64};
const double kInfinity = std::numeric_limits<double>::infinity();

TEST_F(Nn, PermuteTakesDimensionsInAnotherOrder) {
  for (const Layout layout : kAllLayouts)
    for (const Layout out_layout : kAllLayouts) {
      const Tensor self = In(ACL_FLOAT, {2, 3, 4, 5}, Whole(120), layout);
      const Tensor out = Out(ACL_FLOAT, {2, 3, 5, 4}, out_layout);
      Run(NN(Permute), self, Ints{0, 1, 3, 2}, out);
      EXPECT_EQ(out.Read(), Moved(self.Read(), self.dims(), out.dims(), [](const Dims& p) {
                  return Dims{p[0], p[1], p[3], p[2]};
                }));
    }
}

TEST_F(Nn, PermuteTakesEveryTypeAndCountsFromTheEnd) {
  for (const aclDataType type : kTypes) {
    const Tensor self = In(type, {2, 3, 4}, Whole(24)), out = Out(type, {4, 2, 3});
    Run(NN(Permute), self, Ints{-1, 0, 1}, out);
    EXPECT_EQ(out.Read(), Moved(self.Read(), self.dims(), out.dims(),
                                [](const Dims& p) {
                                  return Dims{p[1], p[2], p[0]};
                                }))
        << type;
  }
  Run(NN(Permute), In(ACL_FLOAT, {0, 3}, {}), Ints{1, 0}, Out(ACL_FLOAT, {3, 0}));
  ExpectRefused(161002, "'dims' has 2 entries", NN(Permute), In(ACL_FLOAT, {2, 1, 1}, Whole(2)), Ints{0, 1},
                Out(ACL_FLOAT, {2, 1, 1}));
}

TEST_F(Nn, CatJoinsAlongEveryDimension) {
  for (std::int64_t dim = -4; dim < 4; ++dim)
    for (const Layout layout : kAllLayouts) {
      const auto axis = static_cast<std::size_t>((dim + 4) % 4);
      Dims dims{2, 3, 4, 5}, more = dims, all = dims;
      more[axis] = 2;
      all[axis] += 2;
      const Tensor a = In(ACL_FLOAT, dims, Whole(CountOf(dims)), layout),
                   b = In(ACL_FLOAT, more, Whole(CountOf(more), 2), layout);
      const Tensor out = Out(ACL_FLOAT, all, layout);
      Run(NN(Cat), List{&a, &b}, dim, out);
      std::vector<Values> lines = Lines(a.Read(), dims, axis), others = Lines(b.Read(), more, axis);
      for (std::size_t i = 0; i < lines.size(); ++i)
        lines[i].insert(lines[i].end(), others[i].begin(), others[i].end());
      EXPECT_EQ(out.Read(), FromLines(lines, all, axis)) << dim;
    }
}

TEST_F(Nn, CatTakesEveryTypeAndMixtures) {
  for (const aclDataType type : kTypes) {
    const Tensor a = In(type, {1, 3}, {1, 2, 3}), b = In(type, {2, 3}, {4, 5, 6, 7, 8, 9}),
                 out = Out(type, {3, 3});
    Run(NN(Cat), List{&a, &b}, 0, out);
    EXPECT_EQ(out.Read(), (Values{1, 2, 3, 4, 5, 6, 7, 8, 9})) << type;
  }
  const Tensor whole = In(ACL_INT32, {2}, {7, -8}), half = In(ACL_FLOAT16, {1}, {0.5}),
               nothing = In(ACL_FLOAT, {0}, {}), out = Out(ACL_FLOAT, {3});
  Run(NN(Cat), List{&whole, &nothing, &half}, 0, out);
  EXPECT_EQ(out.Read(), (Values{7, -8, 0.5}));
}

TEST_F(Nn, CatTakesOneTensorAndNothing) {
  const Tensor one = In(ACL_FLOAT, {2, 2}, {1, 2, 3, 4}), out = Out(ACL_FLOAT, {2, 2});
  Run(NN(Cat), List{&one}, 1, out);
  EXPECT_EQ(out.Read(), (Values{1, 2, 3, 4}));
  const Tensor nothing = In(ACL_FLOAT, {0}, {});
  Run(NN(Cat), List{&nothing, &nothing}, 0, Out(ACL_FLOAT, {0}));
  ExpectRefused(161002, "'out'", NN(Cat), List{&one, &one}, 0, out);
}

TEST_F(Nn, StackAddsADimension) {
  const Tensor a = In(ACL_FLOAT16, {2, 2}, {1, 2, 3, 4}, Layout::kTransposed),
               b = In(ACL_FLOAT, {2, 2}, {5, 6, 7, 8});
  const Tensor out = Out(ACL_FLOAT, {2, 2, 2}, Layout::kPaddedRows);
  Run(NN(Stack), List{&a, &b}, -1, out);
  EXPECT_EQ(out.Read(), (Values{1, 5, 2, 6, 3, 7, 4, 8}));
  Run(NN(Stack), List{&a, &b}, 0, out);
  EXPECT_EQ(out.Read(), (Values{1, 2, 3, 4, 5, 6, 7, 8}));
}

TEST_F(Nn, RepeatTilesEveryType) {
  for (const aclDataType type : kTypes)
    for (const Layout layout : {Layout::kContiguous, Layout::kTransposed, Layout::kPaddedRows}) {
      const Tensor self = In(type, {2, 3, 2, 4}, Whole(48), layout);
      const Tensor out = Out(type, {4, 9, 4, 8}, layout);
      Run(NN(Repeat), self, Ints{2, 3, 2, 2}, out);
      EXPECT_EQ(out.Read(), Moved(self.Read(), self.dims(), out.dims(),
                                  [](const Dims& p) {
                                    return Dims{p[0] % 2, p[1] % 3, p[2] % 2, p[3] % 4};
                                  }))
          << type;
    }
}

TEST_F(Nn, RepeatAddsDimensionsInFront) {
  const Tensor self = In(ACL_FLOAT, {2}, {1, 2}), out = Out(ACL_FLOAT, {2, 1, 4});
  Run(NN(Repeat), self, Ints{2, 1, 2}, out);
  EXPECT_EQ(out.Read(), (Values{1, 2, 1, 2, 1, 2, 1, 2}));
  Run(NN(Repeat), self, Ints{0}, Out(ACL_FLOAT, {0}));
  Run(NN(Repeat), In(ACL_FLOAT, {}, {3}), Ints{2}, Out(ACL_FLOAT, {2}));
  ExpectRefused(161002, "'repeats'", NN(Repeat), In(ACL_FLOAT, {1, 2}, {1, 2}), Ints{2}, out);
  ExpectRefused(161002, "negative", NN(Repeat), self, Ints{-2}, out);
}

TEST_F(Nn, RepeatInterleaveRepeatsInARow) {
  for (const aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16})
    for (const std::int64_t dim : {3, -1}) {
      const Tensor self = In(type, {1, 5, 1, 4}, Whole(20), Layout::kPaddedRows),
                   out = Out(type, {1, 5, 1, 8});
      Run(NN(RepeatInterleaveIntWithDim), self, 2, dim, 8, out);
      EXPECT_EQ(out.Read(), Moved(self.Read(), self.dims(), out.dims(), [](const Dims& p) {
                  return Dims{p[0], p[1], p[2], p[3] / 2};
                }));
    }
  const Tensor self = In(ACL_FLOAT, {2, 2}, {1, 2, 3, 4}), out = Out(ACL_FLOAT, {6, 2});
  Run(NN(RepeatInterleaveIntWithDim), self, 3, 0, 6, out);
  EXPECT_EQ(out.Read(), (Values{1, 2, 1, 2, 1, 2, 3, 4, 3, 4, 3, 4}));
  Run(NN(RepeatInterleaveIntWithDim), self, 0, 0, 0, Out(ACL_FLOAT, {0, 2}));
}

TEST_F(Nn, SliceCutsAsPythonDoes) {
  const Tensor self = In(ACL_FLOAT16, {2, 3, 7}, Whole(42), Layout::kTransposed);
  struct Case {
    std::int64_t start, end, step, count, first;
  };
  for (const Case& one : {Case{0, 3, 1, 3, 0},
                          {4, 99, 1, 3, 4},
                          {-3, -1, 1, 2, 4},
                          {1, 7, 3, 2, 1},
                          {-99, 2, 1, 2, 0},
                          {0, INT64_MAX, 2, 4, 0},
                          {5, 2, 1, 0, 0}}) {
    const Tensor out = Out(ACL_FLOAT16, {2, 3, one.count}, Layout::kPaddedRows);
    Run(NN(Slice), self, -1, one.start, one.end, one.step, out);
    EXPECT_EQ(out.Read(), Moved(self.Read(), self.dims(), out.dims(),
                                [&](const Dims& p) {
                                  return Dims{p[0], p[1], one.first + p[2] * one.step};
                                }))
        << one.start;
  }
  ExpectRefused(161002, "step", NN(Slice), self, 0, 0, 2, 0, Out(ACL_FLOAT16, {2, 3, 7}));
  ExpectRefused(161002, "dim", NN(Slice), self, 3, 0, 2, 1, Out(ACL_FLOAT16, {2, 3, 7}));
}

TEST_F(Nn, SliceV2CutsSeveralDimensions) {
  const Tensor self = In(ACL_INT32, {4, 6}, Whole(24)), out = Out(ACL_INT32, {2, 3});
  Run(NN(SliceV2), self, Ints{1, -6}, Ints{3, 6}, Ints{0, -1}, Ints{1, 2}, out);
  EXPECT_EQ(out.Read(), Moved(self.Read(), self.dims(), out.dims(), [](const Dims& p) {
              return Dims{p[0] + 1, p[1] * 2};
            }));
  ExpectRefused(161002, "'ends'", NN(SliceV2), self, Ints{1, 2}, Ints{3}, Ints{0, 1}, Ints{1, 1}, out);
}

TEST_F(Nn, ConstantPadNdCountsPairsFromTheLastDimension) {
  for (const aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16})
    for (const Layout layout : kAllLayouts) {
      const Tensor self = In(type, {2, 3, 4, 5}, Whole(120), layout);
      const Tensor out = Out(type, {5, 3, 6, 8}, layout);
      Run(NN(ConstantPadNd), self, Ints{1, 2, 0, 2, 0, 0, 2, 1}, Scalar(0.0f), out);
      EXPECT_EQ(out.Read(), Moved(self.Read(), self.dims(), out.dims(), [](const Dims& p) {
                  return Dims{p[0] - 2, p[1], p[2], p[3] - 1};
                }));
    }
}

// Pooling pads so, in whatever type; the number is -infinity where it does not fit.
TEST_F(Nn, ConstantPadNdTakesTheLeastFloat) {
  for (const aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16}) {
    const Tensor self = In(type, {1, 1, 2, 2}, {1, 2, 3, 4}), out = Out(type, {1, 1, 2, 4});
    Run(NN(ConstantPadNd), self, Ints{1, 1}, Scalar(-FLT_MAX), out);
    const Values values = out.Read();
    EXPECT_EQ(values[1], 1.0);
    EXPECT_EQ(values[6], 4.0);
    for (const std::size_t i : {0U, 3U, 4U, 7U})
      EXPECT_EQ(values[i], type == ACL_FLOAT ? -static_cast<double>(FLT_MAX) : -kInfinity) << type;
  }
}

TEST_F(Nn, ConstantPadNdCutsOffWhatIsNegative) {
  const Tensor self = In(ACL_INT64, {2, 4}, Whole(8)), out = Out(ACL_INT64, {3, 3});
  Run(NN(ConstantPadNd), self, Ints{-2, 1, 1, 0}, Scalar(9), out);
  EXPECT_EQ(out.Read(), Moved(
                            self.Read(), self.dims(), out.dims(),
                            [](const Dims& p) {
                              return Dims{p[0] - 1, p[1] + 2};
                            },
                            9));
  ExpectRefused(161002, "'pad'", NN(ConstantPadNd), self, Ints{1, 1, 1}, Scalar(0.0f), out);
  ExpectRefused(161002, "'pad'", NN(ConstantPadNd), self, Ints{-3, -2}, Scalar(0.0f), out);
  ExpectRefused(161002, "'out'", NN(ConstantPadNd), self, Ints{1, 1}, Scalar(0.0f), out);
  const Tensor filled = Out(ACL_FLOAT, {2});
  Run(NN(ConstantPadNd), In(ACL_FLOAT, {0}, {}), Ints{1, 1}, Scalar(3.0f), filled);
  EXPECT_EQ(filled.Read(), (Values{3, 3}));
}

TEST_F(Nn, ReflectionPad1dMirrorsWithoutTheEdge) {
  for (const Layout layout : kAllLayouts) {
    const Tensor self = In(ACL_FLOAT, {2, 3, 5}, Whole(30), layout), out = Out(ACL_FLOAT, {2, 3, 11}, layout);
    Run(NN(ReflectionPad1d), self, Ints{4, 2}, out);
    EXPECT_EQ(out.Read(), Moved(self.Read(), self.dims(), out.dims(), [](const Dims& p) {
                const std::int64_t i = std::abs(p[2] - 4);
                return Dims{p[0], p[1], i < 5 ? i : 8 - i};
              }));
  }
  const Tensor self = In(ACL_FLOAT, {2, 3}, Whole(6)), out = Out(ACL_FLOAT, {2, 6});
  ExpectRefused(161002, "'padding' has 3", NN(ReflectionPad1d), self, Ints{3, 0}, out);
}

TEST_F(Nn, RollMovesRound) {
  const Tensor x = In(ACL_FLOAT16, {3, 4}, Whole(12), Layout::kPaddedRows), out = Out(ACL_FLOAT16, {3, 4});
  Run(NN(Roll), x, Ints{1, -1}, Ints{-1, 0}, out);
  EXPECT_EQ(out.Read(), Moved(x.Read(), x.dims(), out.dims(), [](const Dims& p) {
              return Dims{(p[0] + 1) % 3, (p[1] + 3) % 4};
            }));
  Run(NN(Roll), x, Ints{5}, Ints{}, out);
  EXPECT_EQ(out.Read(), Moved(x.Read(), {12}, {12}, [](const Dims& p) { return Dims{(p[0] + 7) % 12}; }));
}

TEST_F(Nn, FlipReversesAndExpandRepeats) {
  const Tensor self = In(ACL_INT8, {2, 3}, {1, 2, 3, 4, 5, 6}, Layout::kTransposed),
               out = Out(ACL_INT8, {2, 3});
  Run(NN(Flip), self, Ints{-1, 0}, out);
  EXPECT_EQ(out.Read(), (Values{6, 5, 4, 3, 2, 1}));
  const Tensor column = In(ACL_FLOAT, {2, 1}, {1, 2}), wide = Out(ACL_FLOAT, {2, 2, 3}, Layout::kEveryOther);
  Run(NN(Expand), column, Ints{2, -1, 3}, wide);
  EXPECT_EQ(wide.Read(), (Values{1, 1, 1, 2, 2, 2, 1, 1, 1, 2, 2, 2}));
  ExpectRefused(161002, "[2,1]", NN(Expand), column, Ints{3, 3}, Out(ACL_FLOAT, {3, 3}));
}

// What is not kept is 0, whatever it was.
TEST_F(Nn, TrianglesOfInfinitiesAreExact) {
  for (std::int64_t diagonal = -2; diagonal <= 4; ++diagonal) {
    const auto kept = [&](std::size_t i, bool lower) {
      const auto row = static_cast<std::int64_t>(i / 4 % 3), column = static_cast<std::int64_t>(i % 4);
      return lower ? column <= row + diagonal : column >= row + diagonal;
    };
    for (const Layout layout : kAllLayouts) {
      const Tensor self = In(ACL_FLOAT, {2, 3, 4}, Whole(24), layout),
                   out = Out(ACL_FLOAT, {2, 3, 4}, layout);
      const Tensor masked = Ref(ACL_FLOAT, {2, 3, 4}, Values(24, -kInfinity), layout);
      Values lower = self.Read(), upper = masked.Read();
      for (std::size_t i = 0; i < 24; ++i) {
        if (!kept(i, true)) lower[i] = 0;
        if (!kept(i, false)) upper[i] = 0;
      }
      Run(NN(Tril), self, diagonal, out);
      EXPECT_EQ(out.Read(), lower);
      Run(NN(InplaceTriu), masked, diagonal);
      EXPECT_EQ(masked.Read(), upper);
    }
  }
}

TEST_F(Nn, TrianglesTakeTypesAndViewsInPlace) {
  for (const aclDataType type : kTypes) {
    const Tensor ref = Ref(type, {2, 2}, {1, 2, 3, 4}), out = Out(type, {2, 2});
    Run(NN(Triu), ref.As(Role::kIn), 1, out);
    EXPECT_EQ(out.Read(), (Values{0, 2, 0, 0}));
    Run(NN(InplaceTril), ref, -1);
    EXPECT_EQ(ref.Read(), (Values{0, 0, 3, 0}));
  }
  ExpectRefused(161002, "'self' has 1", NN(Tril), In(ACL_FLOAT, {2}, {1, 2}), 0, Out(ACL_FLOAT, {2}));
  Run(NN(Triu), In(ACL_FLOAT, {0, 2}, {}), 0, Out(ACL_FLOAT, {0, 2}));
}

TEST_F(Nn, SplitsWriteEveryMember) {
  const Tensor self = In(ACL_FLOAT, {2, 5}, Whole(10), Layout::kTransposed);
  const Tensor a = Out(ACL_FLOAT, {2, 2}, Layout::kPaddedRows), b = Out(ACL_FLOAT, {2, 2}),
               c = Out(ACL_FLOAT, {2, 1});
  const auto from = [&](const Tensor& out, std::int64_t first) {
    return Moved(self.Read(), self.dims(), out.dims(), [&](const Dims& p) {
      return Dims{p[0], p[1] + first};
    });
  };
  Run(NN(SplitTensor), self, 2, -1, List{&a, &b, &c});
  EXPECT_EQ(a.Read(), from(a, 0));
  EXPECT_EQ(b.Read(), from(b, 2));
  EXPECT_EQ(c.Read(), from(c, 4));
  Run(NN(SplitWithSize), self, Ints{1, 2, 2}, 1, List{&c, &a, &b});
  EXPECT_EQ(c.Read(), from(c, 0));
  EXPECT_EQ(a.Read(), from(a, 1));
  EXPECT_EQ(b.Read(), from(b, 3));
  ExpectRefused(161002, "'out' has 2", NN(SplitTensor), self, 2, 1, List{&a, &b});
}

TEST_F(Nn, PadsMirrorOrRepeatTheEdgesOfImages) {
  const Tensor self = In(ACL_FLOAT16, {1, 2, 3, 4}, Whole(24), Layout::kTransposed),
               out = Out(ACL_FLOAT16, {1, 2, 5, 7}, Layout::kPaddedRows);
  Run(NN(ReflectionPad2d), self, Ints{2, 1, 0, 2}, out);
  EXPECT_EQ(out.Read(), Moved(self.Read(), self.dims(), out.dims(), [](const Dims& p) {
              const std::int64_t column = std::abs(p[3] - 2);
              return Dims{p[0], p[1], p[2] < 3 ? p[2] : 4 - p[2], column < 4 ? column : 6 - column};
            }));
  Run(NN(ReplicationPad2d), self, Ints{2, 1, 0, 2}, out);
  EXPECT_EQ(
      out.Read(), Moved(self.Read(), self.dims(), out.dims(), [](const Dims& p) {
        return Dims{p[0], p[1], std::min<std::int64_t>(p[2], 2), std::clamp<std::int64_t>(p[3] - 2, 0, 3)};
      }));
  ExpectRefused(161002, "'padding' has 3", NN(ReflectionPad2d), self, Ints{0, 0, 0, 3}, out);
  ExpectRefused(161002, "'padding' has 2 entries", NN(ReplicationPad2d), self, Ints{0, 0}, out);
}

TEST_F(Nn, PadsTakeLinesAndVolumes) {
  const Tensor line = In(ACL_INT32, {1, 3}, {1, 2, 3}), longer = Out(ACL_INT32, {1, 6});
  Run(NN(ReplicationPad1d), line, Ints{1, 2}, longer);
  EXPECT_EQ(longer.Read(), (Values{1, 1, 2, 3, 3, 3}));
  const Tensor volume = In(ACL_FLOAT, {1, 2, 2, 2}, Whole(8)), larger = Out(ACL_FLOAT, {1, 3, 2, 3});
  Run(NN(ReflectionPad3d), volume, Ints{1, 0, 0, 0, 0, 1}, larger);
  EXPECT_EQ(larger.Read(), Moved(volume.Read(), volume.dims(), larger.dims(), [](const Dims& p) {
              return Dims{p[0], p[1] < 2 ? p[1] : 0, p[2], std::abs(p[3] - 1)};
            }));
  Run(NN(ReplicationPad3d), volume, Ints{1, 0, 0, 0, 0, 1}, larger);
  EXPECT_EQ(larger.Read(), Moved(volume.Read(), volume.dims(), larger.dims(), [](const Dims& p) {
              return Dims{p[0], std::min<std::int64_t>(p[1], 1), p[2], std::max<std::int64_t>(p[3] - 1, 0)};
            }));
}

TEST_F(Nn, FlattenLeavesTwoDimensions) {
  const Tensor self = In(ACL_INT32, {2, 3, 2}, Whole(12), Layout::kTransposed);
  for (const auto& [axis, dims] :
       std::vector<std::pair<int, Dims>>{{0, {1, 12}}, {1, {2, 6}}, {-1, {6, 2}}, {3, {12, 1}}}) {
    const Tensor out = Out(ACL_INT32, dims, Layout::kPaddedRows);
    Run(NN(Flatten), self, axis, out);
    EXPECT_EQ(out.Read(), self.Read()) << axis;
  }
  ExpectRefused(161002, "'axis' is 4", NN(Flatten), self, 4, Out(ACL_INT32, {12, 1}));
}

TEST_F(Nn, RepeatInterleaveTakesAllElements) {
  const Tensor self = In(ACL_FLOAT, {2, 2}, {1, 2, 3, 4}, Layout::kTransposed), out = Out(ACL_FLOAT, {8});
  Run(NN(RepeatInterleaveInt), self, 2, 8, out);
  EXPECT_EQ(out.Read(), (Values{1, 1, 2, 2, 3, 3, 4, 4}));
}

}  // namespace
}  // namespace nn
