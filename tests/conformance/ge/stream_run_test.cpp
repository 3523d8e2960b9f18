// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Runs on streams: their order with everything else on the stream, and who gives the memory of outputs.
#include <cstdint>

#include "conformance/ge/device_floats.h"
#include "conformance/ge/graph_fixture.h"
#include "logging_ops.h"

namespace {

using testing::ElementsAre;

template <typename Generation>
class StreamRun : public testing::Test {
 protected:
  using Tensor = typename Generation::Tensor;

  std::vector<Tensor> Tensors(const DeviceFloats& floats, const Dims& dims = {2}) const {
    return List(Generation::At(dims, floats.address(), floats.bytes()));
  }
  ge::Status Run(const std::vector<Tensor>& inputs, std::vector<Tensor>& outputs, uint32_t id = 1) {
    return session_.RunGraphWithStreamAsync(id, stream_, inputs, outputs);
  }

  const Session runtime_;
  const Engine engine_;
  aclrtStream stream_ = runtime_.Stream();
  typename Generation::Session session_{GeOptions{}};
};
TYPED_TEST_SUITE(StreamRun, Generations, GenerationNames);

TYPED_TEST(StreamRun, WritesIntoTheMemoryOfTheProgram) {
  ASSERT_GE_OK(this->session_.AddGraph(1, AddGraphOf({2}, 1)));
  const DeviceFloats x({1, 2}), y({0, 0});
  auto outputs = this->Tensors(y);
  ASSERT_GE_OK(this->Run(this->Tensors(x), outputs));
  ASSERT_OK(aclrtSynchronizeStream(this->stream_));
  EXPECT_THAT(y.Read(), ElementsAre(2, 3));
  EXPECT_EQ(TypeParam::Address(outputs.at(0)), y.address());
}

TYPED_TEST(StreamRun, IsCapturedAndRunAgainAlsoAfterTheGraphWasRemoved) {
  ASSERT_GE_OK(this->session_.AddGraph(1, AddGraphOf({2}, 1)));
  const DeviceFloats x({1, 2}), y({0, 0});
  auto outputs = this->Tensors(y);
  aclmdlRI instance = nullptr;
  ASSERT_OK(aclmdlRICaptureBegin(this->stream_, ACL_MODEL_RI_CAPTURE_MODE_GLOBAL));
  ASSERT_GE_OK(this->Run(this->Tensors(x), outputs));
  ASSERT_OK(aclmdlRICaptureEnd(this->stream_, &instance));
  EXPECT_THAT(y.Read(), ElementsAre(0, 0));
  for (int i = 0; i < 2; ++i) {
    ASSERT_OK(aclmdlRIExecuteAsync(instance, this->stream_));
    ASSERT_OK(aclrtSynchronizeStream(this->stream_));
    EXPECT_THAT(y.Read(), ElementsAre(2, 3));
    if (i == 0) {
      EXPECT_GE_OK(this->session_.RemoveGraph(1));
    }
    ASSERT_OK(aclrtMemset(y.address(), y.bytes(), i, y.bytes()));
  }
  EXPECT_OK(aclmdlRIDestroy(instance));
}

TYPED_TEST(StreamRun, ReturnsBeforeItsTurnHasCome) {
  ASSERT_GE_OK(this->session_.AddGraph(1, AddGraphOf({2}, 1)));
  const DeviceFloats x({1, 2}), y({0, 0});
  Gate gate;
  gate.Hold(this->stream_);
  auto outputs = this->Tensors(y);
  ASSERT_GE_OK(this->Run(this->Tensors(x), outputs));
  EXPECT_THAT(y.Read(), ElementsAre(0, 0));
  EXPECT_THAT(TypeParam::DimsOf(outputs.at(0)), ElementsAre(2));
  gate.Open();
  ASSERT_OK(aclrtSynchronizeStream(this->stream_));
  EXPECT_THAT(y.Read(), ElementsAre(2, 3));
}

TYPED_TEST(StreamRun, KeepsItsPlaceAmongCopiesAndCallbacks) {
  ASSERT_GE_OK(this->session_.AddGraph(1, AddGraphOf({2}, 1)));
  const DeviceFloats x({0, 0}), y({0, 0});
  ReportThread reports(this->runtime_.context());
  ASSERT_OK(aclrtSubscribeReport(reports.id(), this->stream_));
  std::vector<Floats> host(10, Floats(2)), seen;
  struct Look {
    const DeviceFloats* y;
    std::vector<Floats>* seen;
  } look{&y, &seen};
  for (size_t i = 0; i < host.size(); ++i) {
    host[i] = {static_cast<float>(i), static_cast<float>(10 * i)};
    ASSERT_OK(aclrtMemcpyAsync(x.address(), x.bytes(), host[i].data(), x.bytes(), ACL_MEMCPY_HOST_TO_DEVICE,
                               this->stream_));
    auto outputs = this->Tensors(y);
    ASSERT_GE_OK(this->Run(this->Tensors(x), outputs));
    ASSERT_OK(aclrtLaunchCallback(
        [](void* data) {
          const auto* found = static_cast<Look*>(data);
          found->seen->push_back(found->y->Read());
        },
        &look, ACL_CALLBACK_BLOCK, this->stream_));
  }
  ASSERT_OK(aclrtSynchronizeStream(this->stream_));
  ASSERT_EQ(seen.size(), host.size());
  for (size_t i = 0; i < host.size(); ++i)
    EXPECT_THAT(seen[i], ElementsAre(host[i][0] + 1, host[i][1] + 1));
  ASSERT_OK(aclrtUnSubscribeReport(reports.id(), this->stream_));
}

TYPED_TEST(StreamRun, AllocatesOutputsThatAreNotGiven) {
  ASSERT_GE_OK(this->session_.AddGraph(1, AddGraphOf({2}, 1)));
  const DeviceFloats x({1, 2});
  std::vector<typename TypeParam::Tensor> outputs;
  ASSERT_GE_OK(this->Run(this->Tensors(x), outputs));
  ASSERT_OK(aclrtSynchronizeStream(this->stream_));
  ASSERT_EQ(outputs.size(), 1u);
  EXPECT_EQ(outputs[0].GetSize(), 2 * sizeof(float));
  EXPECT_THAT(DeviceFloats::ReadAt(TypeParam::Address(outputs[0]), 2 * sizeof(float)), ElementsAre(2, 3));
  ASSERT_GE_OK(this->session_.RemoveGraph(1));
  outputs.clear();
}

// y = x + 1, z = x + x
ge::Graph TwoOutputs() {
  const auto x = FloatData("x", 0, {2});
  const auto one = FloatConst("one", {1}, {1});
  const auto y = ge::op::Add("y").set_input_x1(x).set_input_x2(one);
  const auto z = ge::op::Add("z").set_input_x1(x).set_input_x2(x);
  return ge::Graph("two").SetInputs({x}).SetOutputs(std::vector<ge::Operator>{y, z});
}

TYPED_TEST(StreamRun, AllocatesTheOutputsWithoutAnAddress) {
  ASSERT_GE_OK(this->session_.AddGraph(1, TwoOutputs()));
  const DeviceFloats x({1, 2}), z({0, 0});
  auto outputs = List(typename TypeParam::Tensor(), TypeParam::At({2}, z.address(), z.bytes()));
  ASSERT_GE_OK(this->Run(this->Tensors(x), outputs));
  ASSERT_OK(aclrtSynchronizeStream(this->stream_));
  EXPECT_THAT(DeviceFloats::ReadAt(TypeParam::Address(outputs.at(0)), 2 * sizeof(float)), ElementsAre(2, 3));
  EXPECT_THAT(z.Read(), ElementsAre(2, 4));
  EXPECT_THAT(TypeParam::DimsOf(outputs[1]), ElementsAre(2));
}

TYPED_TEST(StreamRun, RefusesMemoryThatIsTooSmallAndTakesLarger) {
  ASSERT_GE_OK(this->session_.AddGraph(1, AddGraphOf({2}, 1)));
  const DeviceFloats x({1, 2}), small({0}), large({0, 0, 0, 7});
  auto outputs = this->Tensors(small, {1});
  EXPECT_REFUSED(ge::FAILED, "8 bytes", this->Run(this->Tensors(x), outputs));
  outputs = this->Tensors(large, {4});
  ASSERT_GE_OK(this->Run(this->Tensors(x), outputs));
  ASSERT_OK(aclrtSynchronizeStream(this->stream_));
  EXPECT_THAT(large.Read(), ElementsAre(2, 3, 0, 7));
  EXPECT_THAT(TypeParam::DimsOf(outputs.at(0)), ElementsAre(2));
}

TYPED_TEST(StreamRun, RefusesAnotherNumberOfOutputs) {
  ASSERT_GE_OK(this->session_.AddGraph(1, TwoOutputs()));
  const DeviceFloats x({1, 2}), y({0, 0});
  auto outputs = this->Tensors(y);
  EXPECT_REFUSED(ge::FAILED, "2 outputs", this->Run(this->Tensors(x), outputs));
}

TYPED_TEST(StreamRun, RunsOnTheDefaultStream) {
  ASSERT_GE_OK(this->session_.AddGraph(1, AddGraphOf({2}, 1)));
  const DeviceFloats x({1, 2}), y({0, 0});
  auto outputs = this->Tensors(y);
  ASSERT_GE_OK(this->session_.RunGraphWithStreamAsync(1, nullptr, this->Tensors(x), outputs));
  ASSERT_OK(aclrtSynchronizeStream(nullptr));
  EXPECT_THAT(y.Read(), ElementsAre(2, 3));
}

TYPED_TEST(StreamRun, RefusesAStreamThatIsNone) {
  ASSERT_GE_OK(this->session_.AddGraph(1, AddGraphOf({2}, 1)));
  const DeviceFloats x({1, 2}), y({0, 0});
  auto outputs = this->Tensors(y);
  ASSERT_OK(aclrtDestroyStream(this->stream_));
  GraphError();
  EXPECT_NE(this->Run(this->Tensors(x), outputs), ge::SUCCESS);
  EXPECT_NE(GraphError(), "");
}

TYPED_TEST(StreamRun, TellsShapesWhenItReturns) {
  ASSERT_GE_OK(this->session_.AddGraph(1, AddGraphOf({-1}, 1)));
  const DeviceFloats x({1, 2, 3}), y({0, 0, 0, 0});
  for (int64_t length = 1; length <= 3; ++length) {
    auto outputs = this->Tensors(y, {4});
    const auto inputs =
        List(TypeParam::At({length}, x.address(), static_cast<size_t>(length) * sizeof(float)));
    ASSERT_GE_OK(this->Run(inputs, outputs));
    EXPECT_THAT(TypeParam::DimsOf(outputs.at(0)), ElementsAre(length));
    ASSERT_OK(aclrtSynchronizeStream(this->stream_));
  }
  EXPECT_THAT(y.Read(), ElementsAre(2, 3, 4, 0));
}

TYPED_TEST(StreamRun, LetsDataDecideShapes) {
  ASSERT_GE_OK(this->session_.AddGraph(1, ReshapeGraph()));
  const auto inputs = List(TypeParam::Make({6}, {1, 2, 3, 4, 5, 6}), TypeParam::MakeInts({2}, {3, 2}));
  std::vector<typename TypeParam::Tensor> outputs;
  ASSERT_GE_OK(this->Run(inputs, outputs));
  ASSERT_OK(aclrtSynchronizeStream(this->stream_));
  EXPECT_THAT(TypeParam::DimsOf(outputs.at(0)), ElementsAre(3, 2));
  EXPECT_THAT(DeviceFloats::ReadAt(TypeParam::Address(outputs[0]), 24), ElementsAre(1, 2, 3, 4, 5, 6));
}

TYPED_TEST(StreamRun, UpdatesInputsThatAreReferences) {
  ge::op::RefData state("state");
  state.set_attr_index(0).update_input_desc_x(FloatDesc({2}));
  state.update_output_desc_y(FloatDesc({2}));
  const auto step = FloatConst("step", {2}, {1, 10});
  const auto sum = ge::op::AssignAdd("sum").set_input_ref(state).set_input_value(step);
  ASSERT_GE_OK(this->session_.AddGraph(
      1, ge::Graph("state").SetInputs({state}).SetOutputs(std::vector<ge::Operator>{sum})));
  const DeviceFloats x({1, 2}), y({0, 0});
  for (int i = 0; i < 2; ++i) {
    auto outputs = this->Tensors(y);
    ASSERT_GE_OK(this->Run(this->Tensors(x), outputs));
  }
  ASSERT_OK(aclrtSynchronizeStream(this->stream_));
  EXPECT_THAT(y.Read(), ElementsAre(3, 22));
  EXPECT_THAT(x.Read(), ElementsAre(3, 22));
}

TYPED_TEST(StreamRun, FailsTheStreamIfTheGraphFails) {
  const auto x = FloatData("x", 0, {2});
  ge::op::Data allowed("allowed");
  const ge::TensorDesc desc(ge::Shape(Dims{}), ge::FORMAT_ND, ge::DT_BOOL);
  allowed.set_attr_index(1).update_input_desc_x(desc);
  allowed.update_output_desc_y(desc);
  auto check = ge::op::Assert("check").set_input_input_condition(allowed);
  check.create_dynamic_input_input_data(1).set_dynamic_input_input_data(0, x);
  const auto y = ge::op::Add("sum").set_input_x1(x).set_input_x2(x);
  ASSERT_GE_OK(this->session_.AddGraph(
      1, ge::Graph("check").SetInputs({x, allowed}).SetOutputs(std::vector<ge::Operator>{y})));
  const DeviceFloats in({1, 2}), out({0, 0}), no({0});
  auto inputs = this->Tensors(in);
  inputs.push_back(TypeParam::At({}, no.address(), 1));
  inputs.back().SetDataType(ge::DT_BOOL);
  auto outputs = this->Tensors(out);
  GraphError();
  ASSERT_GE_OK(this->Run(inputs, outputs));
  EXPECT_NE(aclrtSynchronizeStream(this->stream_), ACL_SUCCESS);
  EXPECT_THAT(GraphError(), testing::HasSubstr("check"));
}

TYPED_TEST(StreamRun, RemovingTheGraphWaitsForIt) {
  ASSERT_GE_OK(this->session_.AddGraph(1, AddGraphOf({2}, 1)));
  const DeviceFloats x({1, 2}), y({0, 0});
  Gate gate;
  gate.Hold(this->stream_);
  auto outputs = this->Tensors(y);
  ASSERT_GE_OK(this->Run(this->Tensors(x), outputs));
  std::thread opens([&] {
    EXPECT_TRUE(gate.Reached());
    gate.Open();
  });
  EXPECT_GE_OK(this->session_.RemoveGraph(1));
  EXPECT_THAT(y.Read(), ElementsAre(2, 3));
  opens.join();
}

TEST(StreamRunOfTheFirst, FollowsCompileAndLoad) {
  const Session runtime;
  const Engine engine;
  const aclrtStream stream = runtime.Stream();
  ge::Session session(GeOptions{});
  ASSERT_GE_OK(session.AddGraph(1, AddGraphOf({2}, 1)));
  ASSERT_GE_OK(session.CompileGraph(1));
  ASSERT_GE_OK(session.LoadGraph(1, {}, stream));
  const DeviceFloats x({1, 2}), y({0, 0}), z({0, 0});
  auto outputs = List(Second::At({2}, y.address(), y.bytes()));
  ASSERT_GE_OK(
      session.ExecuteGraphWithStreamAsync(1, stream, List(Second::At({2}, x.address(), x.bytes())), outputs));
  auto more = List(First::At({2}, z.address(), z.bytes()));
  ASSERT_GE_OK(
      session.RunGraphWithStreamAsync(1, stream, List(First::At({2}, x.address(), x.bytes())), more));
  ASSERT_OK(aclrtSynchronizeStream(stream));
  EXPECT_THAT(y.Read(), ElementsAre(2, 3));
  EXPECT_THAT(z.Read(), ElementsAre(2, 3));
}

TEST(StreamRunOfTheSecond, CopiesHostInputsBeforeItReturns) {
  const Session runtime;
  const Engine engine;
  const aclrtStream stream = runtime.Stream();
  ge::GeSession session({});
  ASSERT_GE_OK(session.AddGraph(1, AddGraphOf({2}, 1)));
  ASSERT_GE_OK(session.LoadGraph(1, {{"ge.exec.hostInputIndexes", "0"}}, stream));
  Floats host = {1, 2};
  const DeviceFloats y({0, 0});
  Gate gate;
  gate.Hold(stream);
  auto outputs = List(Second::At({2}, y.address(), y.bytes()));
  ASSERT_GE_OK(session.RunGraphWithStreamAsync(
      1, stream, List(Second::At({2}, host.data(), 2 * sizeof(float))), outputs));
  host = {100, 200};
  gate.Open();
  ASSERT_OK(aclrtSynchronizeStream(stream));
  EXPECT_THAT(y.Read(), ElementsAre(2, 3));
  EXPECT_REFUSED(ge::FAILED, "E10062", session.RunGraphAsync(1, {}, [](auto, auto&) { FAIL(); }));
}

TEST(StreamRunOfTheSecond, GivesOutputsWithAManagerThatCanBeTakenOver) {
  const Session runtime;
  const Engine engine;
  const aclrtStream stream = runtime.Stream();
  ge::GeSession session({});
  ASSERT_GE_OK(session.AddGraph(1, AddGraphOf({2}, 1)));
  const DeviceFloats x({1, 2});
  std::vector<gert::Tensor> outputs;
  ASSERT_GE_OK(
      session.RunGraphWithStreamAsync(1, stream, List(Second::At({2}, x.address(), x.bytes())), outputs));
  gert::TensorAddrManager manager = nullptr;
  EXPECT_EQ(outputs.at(0).GetPlacement(), gert::kOnDeviceHbm);
  void* const handle = outputs[0].MutableTensorData().Release(manager);
  ASSERT_NE(manager, nullptr);
  void* address = nullptr;
  EXPECT_EQ(manager(handle, gert::kGetTensorAddress, &address), ge::GRAPH_SUCCESS);
  ASSERT_OK(aclrtSynchronizeStream(stream));
  EXPECT_THAT(DeviceFloats::ReadAt(address, 2 * sizeof(float)), ElementsAre(2, 3));
  EXPECT_EQ(manager(handle, gert::kFreeTensor, nullptr), ge::GRAPH_SUCCESS);
}

// y = x * x in float16
ge::Graph HalfSquare() {
  const ge::TensorDesc desc(ge::Shape({2}), ge::FORMAT_ND, ge::DT_FLOAT16);
  ge::op::Data x("x");
  x.set_attr_index(0).update_input_desc_x(desc);
  x.update_output_desc_y(desc);
  const auto y = ge::op::Mul("y").set_input_x1(x).set_input_x2(x);
  return ge::Graph("square").SetInputs({x}).SetOutputs(std::vector<ge::Operator>{y});
}

uint32_t OverflowStatus(aclrtStream stream) {
  const DeviceFloats out(Floats(16));
  EXPECT_OK(aclrtGetOverflowStatus(out.address(), out.bytes(), stream));
  EXPECT_OK(aclrtSynchronizeStream(stream));
  uint32_t status = 0;
  EXPECT_OK(aclrtMemcpy(&status, sizeof status, out.address(), sizeof status, ACL_MEMCPY_DEVICE_TO_HOST));
  return status;
}

// The session is bound to device 0, as nobody has said otherwise.
TEST(StreamRunOnAnotherDevice, RaisesTheOverflowStatusOfTheStream) {
  InChild({{"FOOTHOLD_DEVICES", "2"}}, [] {
    const Session runtime;
    const Engine engine;
    const aclrtStream first = runtime.Stream();
    ASSERT_OK(aclrtSetDevice(1));
    const aclrtStream second = runtime.Stream();
    ASSERT_OK(aclrtSetStreamOverflowSwitch(second, 1));
    {
      ge::Session session{GeOptions{}};
      ASSERT_GE_OK(session.AddGraph(1, HalfSquare()));
      const std::vector<uint16_t> large(2, 0x7800);  // 32768
      const auto inputs = List(HostTensor<uint16_t>({2}, large, ge::DT_FLOAT16));
      std::vector<ge::Tensor> outputs;
      ASSERT_GE_OK(session.RunGraphWithStreamAsync(1, second, inputs, outputs));
      EXPECT_NE(OverflowStatus(second), 0u);
    }
    EXPECT_OK(aclrtSetDevice(0));
    EXPECT_EQ(OverflowStatus(first), 0u);
    EXPECT_OK(aclrtResetDeviceForce(1));
  });
}

}  // namespace
