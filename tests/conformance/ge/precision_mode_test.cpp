// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What modes of precision do to the weights of products, in sessions and in offline models.
#include "conformance/acl_mdl/model_fixture.h"
#include "matrix_calculation_ops.h"

namespace {

constexpr float kWeight = 1.0f + 1.0f / 8192;  // a float16 has no such number; the nearest is 1

ge::Graph Scaled() {
  const ge::op::Data x = FloatData("x", 0, {1, 1});
  const auto w = ge::op::Const("w").set_attr_value(HostTensor<float>({1, 1}, {kWeight}, ge::DT_FLOAT));
  const auto y = ge::op::MatMulV2("y").set_input_x1(x).set_input_x2(w);
  return ge::Graph("scaled").SetInputs({x}).SetOutputs(std::vector<ge::Operator>{y});
}

float InASession(const GeOptions& options) {
  const Engine engine;
  ge::Session session(options);
  EXPECT_GE_OK(session.AddGraph(1, Scaled()));
  std::vector<ge::Tensor> outputs;
  EXPECT_GE_OK(session.RunGraph(1, {HostTensor<float>({1, 1}, {3}, ge::DT_FLOAT)}, outputs));
  return *reinterpret_cast<const float*>(outputs.at(0).GetData());
}

TEST(PrecisionMode, KeepsWeightsAsTheyAreUnlessItSaysOtherwise) {
  EXPECT_EQ(InASession({}), 3 * kWeight);
  for (const char* mode : {"must_keep_origin_dtype", "force_fp32"})
    EXPECT_EQ(InASession({{"ge.exec.precision_mode", mode}}), 3 * kWeight) << mode;
  EXPECT_EQ(InASession({{"ge.exec.precision_mode_v2", "origin"}}), 3 * kWeight);
}

TEST(PrecisionMode, RoundsWeightsWhereFloat16IsAllowed) {
  for (const char* mode :
       {"force_fp16", "allow_fp32_to_fp16", "allow_mix_precision", "allow_mix_precision_fp16"})
    EXPECT_EQ(InASession({{"ge.exec.precision_mode", mode}}), 3.0f) << mode;
  EXPECT_EQ(InASession({{"ge.exec.precision_mode_v2", "mixed_float16"}}), 3.0f);
}

TEST(PrecisionMode, GoesIntoOfflineModels) {
  const Session session;
  for (const auto& [mode, expected] :
       std::map<std::string, float>{{"must_keep_origin_dtype", 3 * kWeight}, {"force_fp16", 3.0f}}) {
    GeOptions global = {{ge::ir_option::PRECISION_MODE, mode.c_str()}};
    ASSERT_EQ(ge::aclgrphBuildInitialize(global), ge::GRAPH_SUCCESS) << GraphError();
    ge::ModelBufferData bytes;
    EXPECT_EQ(ge::aclgrphBuildModel(Scaled(), GeOptions(), bytes), ge::GRAPH_SUCCESS) << GraphError();
    ge::aclgrphBuildFinalize();
    const LoadedModel model(bytes);
    DeviceSet inputs, outputs;
    inputs.Add(Floats{3});
    outputs.Add(sizeof(float));
    EXPECT_OK(aclmdlExecute(model.id(), inputs.get(), outputs.get()));
    EXPECT_EQ(outputs.Read(0, 1), Floats{expected}) << mode;
  }
}

}  // namespace
