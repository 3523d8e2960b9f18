// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Options about outputs: their types (ge.outputDatatype) and outputs in the memory of inputs
// (ge.exec.outputReuseInputMemIndexes).
#include "conformance/ge/device_floats.h"
#include "functional_ops.h"

namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

constexpr const char* kTypes = "ge.outputDatatype";
constexpr const char* kPlaces = "ge.exec.outputReuseInputMemIndexes";

template <typename Generation>
class OutputOptions : public testing::Test {
 protected:
  using Tensor = typename Generation::Tensor;

  std::vector<Tensor> Tensors(const DeviceFloats& floats) const {
    return List(Generation::At({2}, floats.address(), floats.bytes()));
  }
  ge::Status Compile(const char* key, const char* value) {
    (void)session_.RemoveGraph(9);
    EXPECT_GE_OK(session_.AddGraph(9, AddGraphOf({2}, 1), GeOptions{{key, value}}));
    return session_.CompileGraph(9);
  }

  const Session runtime_;
  const Engine engine_;
  aclrtStream stream_ = runtime_.Stream();
  typename Generation::Session session_{GeOptions{}};
};
TYPED_TEST_SUITE(OutputOptions, Generations, GenerationNames);

ge::DataType TypeOf(const ge::Tensor& tensor) {
  return tensor.GetTensorDesc().GetDataType();
}
ge::DataType TypeOf(const gert::Tensor& tensor) {
  return tensor.GetDataType();
}

TYPED_TEST(OutputOptions, GiveAllOutputsOneType) {
  ASSERT_GE_OK(this->session_.AddGraph(1, AddGraphOf({2}, 1), GeOptions{{kTypes, "FP16"}}));
  std::vector<typename TypeParam::Tensor> outputs;
  ASSERT_GE_OK(this->session_.RunGraph(1, List(TypeParam::Make({2}, {1, 2})), outputs));
  ASSERT_EQ(TypeOf(outputs.at(0)), ge::DT_FLOAT16);
  ASSERT_EQ(outputs[0].GetSize(), 4u);
  const auto* halves = static_cast<const uint16_t*>(TypeParam::Address(outputs[0]));
  EXPECT_THAT(std::vector<uint16_t>(halves, halves + 2), ElementsAre(0x4000, 0x4200));
}

// Two outputs, one of them by a call of a graph.
ge::Graph SumAndCall() {
  const auto x = FloatData("x", 0, {2});
  const auto sum = ge::op::Add("sum").set_input_x1(x).set_input_x2(x);
  ge::op::PartitionedCall call("call");
  call.create_dynamic_input_args(1).set_dynamic_input_args(0, x).create_dynamic_output_output(1);
  call.set_subgraph_builder_f([] { return AddGraphOf({2}, 1, "inner"); });
  return ge::Graph("two").SetInputs({x}).SetOutputs(std::vector<ge::Operator>{sum, call});
}

TYPED_TEST(OutputOptions, GiveNamedOutputsTheirTypes) {
  ASSERT_GE_OK(this->session_.AddGraph(1, SumAndCall(), GeOptions{{kTypes, "call:0:INT8;"}}));
  std::vector<typename TypeParam::Tensor> outputs;
  ASSERT_GE_OK(this->session_.RunGraph(1, List(TypeParam::Make({2}, {1, 2})), outputs));
  EXPECT_THAT(ValuesOf<TypeParam>(outputs.at(0)), ElementsAre(2, 4));
  ASSERT_EQ(TypeOf(outputs.at(1)), ge::DT_INT8);
  const auto* bytes = static_cast<const int8_t*>(TypeParam::Address(outputs[1]));
  EXPECT_THAT(std::vector<int8_t>(bytes, bytes + 2), ElementsAre(2, 3));
}

TYPED_TEST(OutputOptions, OfTypesNameOutputsAndTypesThatExist) {
  EXPECT_REFUSED(kParamInvalid, "FP64", this->Compile(kTypes, "FP64"));
  EXPECT_REFUSED(kParamInvalid, "sum:1", this->Compile(kTypes, "sum:1:FP16"));
  EXPECT_REFUSED(kParamInvalid, "the outputs are sum:0", this->Compile(kTypes, "other:0:FP16"));
  EXPECT_GE_OK(this->Compile(kTypes, "sum:0:FP32"));
}

TYPED_TEST(OutputOptions, OfPlacesAreSummedUp) {
  std::vector<std::pair<uint32_t, uint32_t>> places = {{7, 7}};
  ASSERT_GE_OK(this->Compile(kPlaces, "0,0"));
  ASSERT_GE_OK(this->session_.GetCompiledGraphSummary(9)->GetIOIndexesWithSameAddr(places));
  EXPECT_THAT(places, ElementsAre(Pair(0u, 0u)));
  ASSERT_GE_OK(this->Compile(kPlaces, ""));
  ASSERT_GE_OK(this->session_.GetCompiledGraphSummary(9)->GetIOIndexesWithSameAddr(places));
  EXPECT_THAT(places, IsEmpty());
}

TYPED_TEST(OutputOptions, OfPlacesNameInputsAndOutputsOnce) {
  for (const char* wrong : {"0", "1,0", "0,1", "a,0", "0,0|0,0"})
    EXPECT_REFUSED(kParamInvalid, kPlaces, this->Compile(kPlaces, wrong));
}

// The first output is written before x has been read for the last time.
ge::Graph ReadTwice() {
  const auto x = FloatData("x", 0, {2});
  const auto first = ge::op::Add("first").set_input_x1(x).set_input_x2(x);
  const auto second = ge::op::Mul("second").set_input_x1(first).set_input_x2(x);
  return ge::Graph("twice").SetInputs({x}).SetOutputs(std::vector<ge::Operator>{first, second});
}

TYPED_TEST(OutputOptions, LetAnOutputLieWhereItsInputLies) {
  ASSERT_GE_OK(this->session_.AddGraph(1, ReadTwice(), GeOptions{{kPlaces, "0,0"}}));
  const DeviceFloats x({3, 5});
  std::vector<typename TypeParam::Tensor> outputs;
  ASSERT_GE_OK(this->session_.RunGraphWithStreamAsync(1, this->stream_, this->Tensors(x), outputs));
  ASSERT_OK(aclrtSynchronizeStream(this->stream_));
  ASSERT_EQ(outputs.size(), 2u);
  EXPECT_EQ(TypeParam::Address(outputs[0]), x.address());
  EXPECT_THAT(x.Read(), ElementsAre(6, 10));
  EXPECT_THAT(DeviceFloats::ReadAt(TypeParam::Address(outputs[1]), 8), ElementsAre(18, 50));
}

TYPED_TEST(OutputOptions, LetTheProgramGiveOneMemoryForBoth) {
  ASSERT_GE_OK(this->session_.AddGraph(1, ReadTwice()));
  const DeviceFloats x({3, 5}), y({0, 0});
  auto outputs = this->Tensors(x);
  outputs.push_back(TypeParam::At({2}, y.address(), y.bytes()));
  ASSERT_GE_OK(this->session_.RunGraphWithStreamAsync(1, this->stream_, this->Tensors(x), outputs));
  ASSERT_OK(aclrtSynchronizeStream(this->stream_));
  EXPECT_THAT(x.Read(), ElementsAre(6, 10));
  EXPECT_THAT(y.Read(), ElementsAre(18, 50));
}

TEST(SharedPlaces, HaveNoManager) {
  const Session runtime;
  const Engine engine;
  ge::GeSession session{GeOptions{}};
  ASSERT_GE_OK(session.AddGraph(1, AddGraphOf({2}, 1), GeOptions{{kPlaces, "0,0"}}));
  const DeviceFloats x({3, 5});
  std::vector<gert::Tensor> outputs;
  aclrtStream stream = runtime.Stream();
  ASSERT_GE_OK(
      session.RunGraphWithStreamAsync(1, stream, List(Second::At({2}, x.address(), x.bytes())), outputs));
  ASSERT_OK(aclrtSynchronizeStream(stream));
  gert::TensorAddrManager manager = [](gert::TensorAddress, gert::TensorOperateType, void**) {
    return ge::GRAPH_FAILED;
  };
  EXPECT_EQ(outputs.at(0).MutableTensorData().Release(manager), x.address());
  EXPECT_EQ(manager, nullptr);
}

}  // namespace
