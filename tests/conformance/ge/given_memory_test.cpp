// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Memory that programs give to runs of graphs: what is no memory, or not theirs any more, is an error.
#include <future>

#include "conformance/ge/device_floats.h"
#include "conformance/ge/graph_fixture.h"

namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr size_t kBytes = 2 * sizeof(float);

ge::Tensor OnDevice(ge::Tensor tensor) {
  ge::TensorDesc desc = tensor.GetTensorDesc();
  desc.SetPlacement(ge::kPlacementDevice);
  tensor.SetTensorDesc(desc);
  return tensor;
}
gert::Tensor OnDevice(gert::Tensor tensor) {
  return tensor;
}

// Device memory a test may free early.
void* Allocate(size_t bytes) {
  void* address = nullptr;
  EXPECT_OK(aclrtMalloc(&address, bytes, ACL_MEM_MALLOC_HUGE_FIRST));
  EXPECT_OK(aclrtMemset(address, bytes, 0, bytes));
  return address;
}

template <typename Generation>
class GivenMemory : public testing::Test {
 protected:
  using Tensor = typename Generation::Tensor;
  using Tensors = std::vector<Tensor>;

  void SetUp() override {
    for (const uint32_t id : {1, 2, 3})
      ASSERT_GE_OK(session_.AddGraph(id, AddGraphOf({2}, 1)));
  }
  Tensors At(void* address, size_t bytes = kBytes, const Dims& dims = {2}) const {
    return List(OnDevice(Generation::At(dims, address, bytes)));
  }
  void ExpectRefusedByAll(const Tensors& inputs, const char* why) {
    Tensors outputs;
    EXPECT_REFUSED(ge::FAILED, why, session_.RunGraph(1, inputs, outputs));
    EXPECT_REFUSED(ge::FAILED, why, session_.RunGraphAsync(2, inputs, [](auto, auto&) { FAIL(); }));
    EXPECT_REFUSED(ge::FAILED, why, session_.RunGraphWithStreamAsync(3, stream_, inputs, outputs));
  }

  const Session runtime_;
  const Engine engine_;
  const aclrtStream stream_ = runtime_.Stream();
  typename Generation::Session session_{GeOptions{}};
};
TYPED_TEST_SUITE(GivenMemory, Generations, GenerationNames);

TYPED_TEST(GivenMemory, MustNotBeNull) {
  this->ExpectRefusedByAll(this->At(nullptr), "input 0 ('x') of graph");
  this->ExpectRefusedByAll(List(TypeParam::At({2}, nullptr, kBytes)), "input 0 ('x') of graph");
}

TEST(GivenHostMemory, MustNotBeNull) {
  const Session runtime;
  const Engine engine;
  ge::GeSession session({});
  const aclrtStream stream = runtime.Stream();
  for (const uint32_t id : {1, 2, 3})
    ASSERT_GE_OK(session.AddGraph(id, AddGraphOf({2}, 1)));
  for (const auto placement : {gert::kOnHost, gert::kOnDeviceHbm}) {
    auto inputs = List(Second::At({2}, nullptr, kBytes));
    inputs[0].SetData(gert::TensorData(nullptr, nullptr, kBytes, placement));
    std::vector<gert::Tensor> outputs;
    EXPECT_REFUSED(ge::FAILED, "null", session.RunGraph(1, inputs, outputs));
    EXPECT_REFUSED(ge::FAILED, "null", session.RunGraphAsync(2, inputs, [](auto, auto&) { FAIL(); }));
    EXPECT_REFUSED(ge::FAILED, "null", session.RunGraphWithStreamAsync(3, stream, inputs, outputs));
  }
}

TYPED_TEST(GivenMemory, MayBeNullForATensorWithoutElements) {
  ASSERT_GE_OK(this->session_.AddGraph(4, AddGraphOf({0}, 1)));
  std::vector<typename TypeParam::Tensor> outputs;
  ASSERT_GE_OK(this->session_.RunGraph(4, this->At(nullptr, 0, {0}), outputs));
  EXPECT_EQ(outputs.at(0).GetSize(), 0u);
}

TYPED_TEST(GivenMemory, MustHoldTheWholeInput) {
  void* const address = Allocate(kBytes);
  this->ExpectRefusedByAll(this->At(address, 1024 * sizeof(float), {1024}), "leave their allocation");
  EXPECT_OK(aclrtFree(address));
}

TYPED_TEST(GivenMemory, MustNotBeFreedAlready) {
  void* const address = Allocate(kBytes);
  EXPECT_OK(aclrtFree(address));
  this->ExpectRefusedByAll(this->At(address), "aclrtFree");
}

TYPED_TEST(GivenMemory, ServesEveryKindOfRunOnTheDevice) {
  const DeviceFloats x({1, 2});
  const auto inputs = this->At(x.address());
  for (int i = 0; i < 2; ++i) {
    std::vector<typename TypeParam::Tensor> outputs;
    ASSERT_GE_OK(this->session_.RunGraph(1, inputs, outputs));
    EXPECT_THAT(ValuesOf<TypeParam>(outputs.at(0)), ElementsAre(2, 3));
  }
}

TYPED_TEST(GivenMemory, MustHoldTheWholeOutput) {
  const DeviceFloats x({1, 2});
  void* const y = Allocate(kBytes);
  auto outputs = this->At(static_cast<std::byte*>(y) + 4, 1024 * sizeof(float), {1024});
  EXPECT_REFUSED(ge::FAILED, "output 0 of graph 3",
                 this->session_.RunGraphWithStreamAsync(3, this->stream_, this->At(x.address()), outputs));
  EXPECT_OK(aclrtFree(y));
  outputs = this->At(y);
  EXPECT_REFUSED(ge::FAILED, "aclrtFree",
                 this->session_.RunGraphWithStreamAsync(3, this->stream_, this->At(x.address()), outputs));
}

TYPED_TEST(GivenMemory, FailsTheStreamIfItIsFreedBeforeTheRun) {
  for (const bool input : {true, false}) {
    const DeviceFloats other({1, 2});
    void* const early = Allocate(kBytes);
    Gate gate;
    gate.Hold(this->stream_);
    auto outputs = this->At(input ? other.address() : early);
    ASSERT_GE_OK(this->session_.RunGraphWithStreamAsync(3, this->stream_,
                                                        this->At(input ? early : other.address()), outputs));
    EXPECT_OK(aclrtFree(early));
    gate.Open();
    EXPECT_FAILS(ACL_ERROR_RT_SYS_DMA, aclrtSynchronizeStream(this->stream_));
    EXPECT_THAT(GraphError(), HasSubstr(input ? "input 0 ('x') of graph 3" : "output 0 of graph 3"));
  }
}

TYPED_TEST(GivenMemory, FailsTheAsynchronousRunIfItIsFreedBefore) {
  using Tensors = typename TestFixture::Tensors;
  void* const early = Allocate(kBytes);
  Gate gate;
  ASSERT_GE_OK(this->session_.RunGraphAsync(2, List(TypeParam::Make({2}, {1, 2})),
                                            [&](ge::Status, Tensors&) { EXPECT_TRUE(gate.Wait()); }));
  std::promise<ge::Status> status;
  ASSERT_GE_OK(this->session_.RunGraphAsync(2, this->At(early), [&](ge::Status answer, Tensors& outputs) {
    EXPECT_TRUE(outputs.empty());
    status.set_value(answer);
  }));
  EXPECT_OK(aclrtFree(early));
  gate.Open();
  EXPECT_EQ(status.get_future().get(), ge::FAILED);
  ForgetMessages();
}

}  // namespace
