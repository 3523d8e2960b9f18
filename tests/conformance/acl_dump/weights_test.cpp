// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Weights in dumps are those of the graph, however kernels arrange them.
#include "conformance/acl_dump/dump_fixture.h"
#include "matrix_calculation_ops.h"
#include "nn_calculation_ops.h"

namespace {

Floats Counting(size_t count) {
  Floats values(count);
  for (size_t i = 0; i < count; ++i)
    values[i] = static_cast<float>(i % 7) - 3;
  return values;
}

// The tensors of the dumped node, one after the other: inputs, then the output.
Floats DumpedTensors(const ge::Graph& graph, const char* file, const Floats& x, size_t outputs) {
  const DumpFile config(R"("dump_list": [{}], "dump_mode": "all")");
  EXPECT_OK(aclmdlInitDump());
  EXPECT_OK(aclmdlSetDump(config.path()));
  {
    const LoadedModel model(BuildModel(graph));
    DeviceSet in, out;
    in.Add(x);
    out.Add(outputs * sizeof(float));
    EXPECT_OK(aclmdlExecute(model.id(), in.get(), out.get()));
  }
  EXPECT_OK(aclmdlFinalizeDump());
  return DumpParts(FileOf(config.Files(), file)).AsFloats();
}

TEST(DumpedWeights, OfMatMulAreThere) {
  Session session;
  const ge::op::Data x = FloatData("x", 0, {2, 3});
  const Floats weights = Counting(12);
  const ge::op::Const w = FloatConst("w", {3, 4}, weights);
  const auto y = ge::op::MatMulV2("product").set_input_x1(x).set_input_x2(w);
  const ge::Graph graph = ge::Graph("dumped").SetInputs({x}).SetOutputs(std::vector<ge::Operator>{y});
  const Floats tensors = DumpedTensors(graph, "MatMulV2.product", Counting(6), 8);
  ASSERT_EQ(tensors.size(), 6u + 12u + 8u);
  EXPECT_EQ(Floats(tensors.begin() + 6, tensors.begin() + 18), weights);
}

TEST(DumpedWeights, OfConvolutionsAreThere) {
  Session session;
  ge::op::Data x = FloatData("x", 0, {1, 8, 4, 4});
  const Floats weights = Counting(8 * 8 * 9), bias = Counting(8);
  const ge::op::Const w = FloatConst("w", {8, 8, 3, 3}, weights), b = FloatConst("b", {8}, bias);
  const auto y = ge::op::Conv2D("convolution")
                     .set_input_x(x)
                     .set_input_filter(w)
                     .set_input_bias(b)
                     .set_attr_strides({1, 1, 1, 1})
                     .set_attr_pads({1, 1, 1, 1})
                     .set_attr_dilations({1, 1, 1, 1})
                     .set_attr_data_format("NCHW");
  const ge::Graph graph = ge::Graph("dumped").SetInputs({x}).SetOutputs(std::vector<ge::Operator>{y});
  const Floats tensors = DumpedTensors(graph, "Conv2D.convolution", Counting(128), 128);
  ASSERT_EQ(tensors.size(), 128u + weights.size() + bias.size() + 128u);
  EXPECT_EQ(Floats(tensors.begin() + 128, tensors.begin() + 128 + 576), weights);
  EXPECT_EQ(Floats(tensors.begin() + 704, tensors.begin() + 712), bias);
}

}  // namespace
