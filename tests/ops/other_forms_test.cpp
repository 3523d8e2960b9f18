// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Operators that differ from a relative in their ports and attributes only: each with numbers worked out by
// hand, one row of a table.
#include <gtest/gtest.h>

#include <functional>
#include <ostream>

#include "ops/op_run.h"

namespace foothold {
namespace {

struct Expected {
  Dims dims;
  std::vector<double> numbers;
};

struct Form {
  const char* type;
  const char* what;
  std::function<void(OpRun&)> describe;
  std::vector<Expected> outputs;
};

void PrintTo(const Form& form, std::ostream* out) {
  *out << form.type << ", " << form.what;
}

// What helps the hardware and says nothing about the result.
TensorValue Assist() {
  return Floats({1}, {99});
}

TensorValue Plane() {
  return Floats({1, 3, 3, 1}, {1, 2, 3, 4, 5, 6, 7, 8, 9}, Format::kNhwc);
}

void PoolPlane(OpRun& run, const char* padding) {
  run.Late("x", Plane()).Attr("ksize", Ints{1, 2, 2, 1}).Attr("strides", Ints{1, 2, 2, 1});
  run.Attr("padding", std::string(padding)).Attr("data_format", std::string("NHWC")).Out("y");
}

// The places (0,1) and (1,0) of a matrix.
void ScatterPlaces(OpRun& run) {
  run.In("var", Floats({2, 2}, {1, 2, 3, 4})).Late("indices", Int32s({2, 2}, {0, 1, 1, 0}));
  run.Late("updates", Floats({2}, {10, 20})).Out("var");
}

const std::vector<Form>& Forms() {
  static const auto* forms = new std::vector<Form>{
      {"ApplyAdagradD",
       "gives the sum of squares back",
       [](OpRun& run) {
         run.Late("var", Floats({2}, {1, 2})).Late("accum", Floats({2}, {3, 0}));
         run.Late("lr", Floats({}, {0.5})).Late("grad", Floats({2}, {1, 2})).Out("var").Out("accum");
       },
       {{{2}, {0.75, 1.5}}, {{2}, {4, 4}}}},
      {"ApplyAdagradD",
       "leaves the sum alone if told so",
       [](OpRun& run) {
         run.Late("var", Floats({1}, {1})).Late("accum", Floats({1}, {4})).Late("lr", Floats({}, {0.5}));
         run.Late("grad", Floats({1}, {2})).Attr("update_slots", false).Out("var").Out("accum");
       },
       {{{1}, {0.5}}, {{1}, {4}}}},
      {"ApplyAdagradV2",
       "adds epsilon to the root",
       [](OpRun& run) {
         run.Late("var", Floats({2}, {1, 2}))
             .Late("accum", Floats({2}, {3, 0}))
             .Late("lr", Floats({}, {0.5}));
         run.Late("epsilon", Floats({}, {2})).Late("grad", Floats({2}, {1, 2})).Out("var");
       },
       {{{2}, {0.875, 1.75}}}},
      {"AvgPool1DD",
       "counts what is inside only",
       [](OpRun& run) {
         run.Late("x", Floats({1, 1, 1, 4}, {1, 2, 3, 4}, Format::kNchw)).Late("assist_matrix", Assist());
         run.Attr("ksize", std::int64_t{3})
             .Attr("strides", std::int64_t{1})
             .Attr("pads", Ints{1, 1})
             .Out("y");
       },
       {{{1, 1, 1, 4}, {1.5, 2, 3, 3.5}}}},
      {"AvgPool1DD",
       "counts the padding if told so",
       [](OpRun& run) {
         run.Late("x", Floats({1, 1, 1, 2}, {3, 6}, Format::kNchw)).Late("assist_matrix", Assist());
         run.Attr("ksize", std::int64_t{3}).Attr("strides", std::int64_t{1}).Attr("pads", Ints{1, 1});
         run.Attr("count_include_pad", true).Out("y");
       },
       {{{1, 1, 1, 2}, {3, 3}}}},
      {"Dropout",
       "drops nothing when a model is used",
       [](OpRun& run) {
         run.Late("x", Floats({3}, {1, -2, 3})).Attr("dropout_ratio", 0.9f).Out("y");
       },
       {{{3}, {1, -2, 3}}}},
      {"HistogramFixedWidthD",
       "counts what is outside at the ends",
       [](OpRun& run) {
         run.Late("x", Floats({6}, {-1, 0, 1.5, 2, 5, 9})).Late("range", Floats({2}, {0, 5}));
         run.Attr("nbins", std::int64_t{5}).Out("y");
       },
       {{{5}, {2, 1, 1, 0, 2}}}},
      {"LinSpaceD",
       "has both ends",
       [](OpRun& run) {
         run.Late("assist", Assist()).Late("start", Floats({}, {1})).Late("stop", Floats({}, {2}));
         run.In("num", Int32s({}, {5})).Out("output");
       },
       {{{5}, {1, 1.25, 1.5, 1.75, 2}}}},
      {"MatrixDiagD",
       "makes a matrix",
       [](OpRun& run) {
         run.Late("x", Floats({2}, {1, 2})).Late("assist", Assist()).Out("y");
       },
       {{{2, 2}, {1, 0, 0, 2}}}},
      {"MatrixDiagPartD",
       "takes the diagonal of every matrix",
       [](OpRun& run) {
         run.Late("x", Floats({2, 2, 2}, {1, 2, 3, 4, 5, 6, 7, 8})).Late("assist", Assist()).Out("y");
       },
       {{{2, 2}, {1, 4, 5, 8}}}},
      {"MatrixSetDiagD",
       "replaces the diagonal",
       [](OpRun& run) {
         run.Late("x", Floats({2, 2}, {1, 2, 3, 4})).Late("diagonal", Floats({2}, {8, 9}));
         run.Late("assist", Assist()).Out("y");
       },
       {{{2, 2}, {8, 2, 3, 9}}}},
      {"MatrixSetDiagV2",
       "replaces one beside the main one",
       [](OpRun& run) {
         run.Late("input", Floats({3, 3}, {1, 1, 1, 1, 1, 1, 1, 1, 1})).Late("diagonal", Floats({2}, {7, 8}));
         run.In("k", Int32s({}, {1})).Out("output");
       },
       {{{3, 3}, {1, 7, 1, 1, 1, 8, 1, 1, 1}}}},
      {"MatrixSetDiagV2",
       "replaces a band, short diagonals to the left",
       [](OpRun& run) {
         run.Late("input", Floats({3, 3}, {0, 0, 0, 0, 0, 0, 0, 0, 0}));
         run.Late("diagonal", Floats({2, 3}, {1, 2, 3, 4, 5, 99}))
             .In("k", Int32s({2}, {-1, 0}))
             .Out("output");
       },
       {{{3, 3}, {1, 0, 0, 4, 2, 0, 0, 5, 3}}}},
      {"MaxPoolExt2", "without padding", [](OpRun& run) { PoolPlane(run, "VALID"); }, {{{1, 1, 1, 1}, {5}}}},
      {"MaxPoolExt2",
       "padded at the end",
       [](OpRun& run) { PoolPlane(run, "SAME"); },
       {{{1, 2, 2, 1}, {5, 6, 8, 9}}}},
      {"MaxPoolWithArgmaxV2",
       "says where the maxima were",
       [](OpRun& run) {
         run.Late("x", Tensor(DataType::kFloat16, {1, 1, 2, 3}, {1, 5, 2, 4, 0, 6}, Format::kNchw));
         run.Attr("ksize", Ints{1, 2, 2, 1}).Attr("strides", Ints{1, 1, 1, 1}).Attr("pads", Ints{0, 0, 0, 0});
         run.Out("y").Out("argmax");
       },
       {{{1, 1, 1, 2}, {5, 6}}, {{1, 1, 1, 2}, {1, 5}}}},
      {"NonMaxSuppressionV7",
       "goes through classes",
       [](OpRun& run) {
         run.In("boxes", Floats({1, 3, 4}, {0, 0, 1, 1, 0, 0, 1, 0.9, 5, 5, 6, 6}));
         run.In("scores", Floats({1, 2, 3}, {0.5, 0.9, 0.7, 0.8, 0.1, 0.2}));
         run.In("max_output_size", Int32s({1}, {2})).In("iou_threshold", Floats({1}, {0.5}));
         run.In("score_threshold", Floats({1}, {0.15})).NoInput("index_id").Out("selected_indices");
       },
       {{{4, 3}, {0, 0, 1, 0, 0, 2, 0, 1, 0, 0, 1, 2}}}},
      {"ScatterElementsV2",
       "writes along an axis",
       [](OpRun& run) {
         run.In("var", Floats({2, 3}, {1, 2, 3, 4, 5, 6})).Late("indices", Int32s({2, 1}, {2, -3}));
         run.Late("updates", Floats({2, 1}, {30, 40})).Attr("axis", std::int64_t{-1}).Out("var");
       },
       {{{2, 3}, {1, 2, 30, 40, 5, 6}}}},
      {"ScatterElementsV2",
       "adds what comes to one place twice",
       [](OpRun& run) {
         run.In("var", Floats({3}, {1, 2, 3})).Late("indices", Int32s({3}, {1, 1, 2}));
         run.Late("updates", Floats({3}, {10, 20, 30})).Attr("reduction", std::string("add")).Out("var");
       },
       {{{3}, {1, 32, 33}}}},
      {"ScatterNdUpdate",
       "writes to places",
       [](OpRun& run) { ScatterPlaces(run); },
       {{{2, 2}, {1, 10, 20, 4}}}},
      {"ScatterNdAdd", "adds to places", [](OpRun& run) { ScatterPlaces(run); }, {{{2, 2}, {1, 12, 23, 4}}}},
      {"ScatterNdSub",
       "subtracts from places",
       [](OpRun& run) { ScatterPlaces(run); },
       {{{2, 2}, {1, -8, -17, 4}}}},
      {"SliceDV2",
       "takes offsets as a tensor and sizes as an attribute",
       [](OpRun& run) {
         run.Late("x", Floats({2, 3}, {1, 2, 3, 4, 5, 6})).In("offsets", Int32s({2}, {0, 1}));
         run.Attr("size", Ints{-1, 2}).Out("y");
       },
       {{{2, 2}, {2, 3, 5, 6}}}},
      {"StridedSliceV3",
       "names axes and goes backwards",
       [](OpRun& run) {
         run.Late("x", Floats({2, 4}, {1, 2, 3, 4, 5, 6, 7, 8})).In("begin", Int32s({1}, {3}));
         run.In("end", Int32s({1}, {0}))
             .In("axes", Int32s({1}, {-1}))
             .In("strides", Int32s({1}, {-2}))
             .Out("y");
       },
       {{{2, 2}, {4, 2, 8, 6}}}},
      {"StridedSliceV3",
       "takes leading axes where none are named",
       [](OpRun& run) {
         run.Late("x", Floats({3, 2}, {1, 2, 3, 4, 5, 6})).In("begin", Int32s({1}, {1}));
         run.In("end", Int32s({1}, {3})).NoInput("axes").NoInput("strides").Out("y");
       },
       {{{2, 2}, {3, 4, 5, 6}}}},
      {"TopKV2D",
       "finds the largest and their places",
       [](OpRun& run) {
         run.Late("x", Floats({2, 3}, {3, 1, 2, 4, 6, 5})).In("k", Int32s({}, {2}));
         run.Late("assist_seq", Assist()).Out("values").Out("indices");
       },
       {{{2, 2}, {3, 2, 6, 5}}, {{2, 2}, {0, 2, 1, 2}}}},
      {"TopKV2D",
       "finds the smallest along another axis",
       [](OpRun& run) {
         run.Late("x", Floats({2, 3}, {3, 1, 2, 4, 0, 5}))
             .In("k", Int32s({}, {1}))
             .Late("assist_seq", Assist());
         run.Attr("largest", false).Attr("dim", std::int64_t{0}).Out("values").Out("indices");
       },
       {{{1, 3}, {3, 0, 2}}, {{1, 3}, {0, 1, 0}}}},
  };
  return *forms;
}

class OtherForms : public testing::TestWithParam<Form> {};

TEST_P(OtherForms, ComputeWhatWasWorkedOutByHand) {
  OpRun run(GetParam().type);
  GetParam().describe(run);
  const std::vector<TensorValue> found = run.RunAll();
  ASSERT_GE(found.size(), GetParam().outputs.size());
  for (std::size_t i = 0; i < GetParam().outputs.size(); ++i) {
    EXPECT_EQ(found[i].dims(), GetParam().outputs[i].dims) << "output " << i;
    ExpectNear(found[i], GetParam().outputs[i].numbers);
  }
}

INSTANTIATE_TEST_SUITE_P(All, OtherForms, testing::ValuesIn(Forms()));

}  // namespace
}  // namespace foothold
