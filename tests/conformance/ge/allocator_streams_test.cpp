// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// External allocators and the streams they are registered for; and graphs whose shapes come with the runs.
#include <memory>

#include "conformance/ge/counting_allocator.h"
#include "conformance/ge/device_floats.h"
#include "matrix_calculation_ops.h"

namespace {

using testing::ElementsAre;

// y = (x w) w, with ones for w: a weight, and an intermediate value that has to stand somewhere.
ge::Graph ProductGraph(int64_t rows) {
  const auto x = FloatData("x", 0, {rows, 2});
  const auto w = FloatConst("w", {2, 2}, {1, 1, 1, 1});
  const auto first = ge::op::MatMulV2("first").set_input_x1(x).set_input_x2(w);
  const auto y = ge::op::MatMulV2("y").set_input_x1(first).set_input_x2(w);
  return ge::Graph("product").SetInputs({x}).SetOutputs(std::vector<ge::Operator>{y});
}

template <typename Generation>
class AllocatorStreams : public testing::Test {
 protected:
  using Tensors = std::vector<typename Generation::Tensor>;

  void RunWithOnes(int64_t rows, Tensors& outputs) {
    const auto count = static_cast<size_t>(rows) * 2;
    const auto inputs = List(Generation::Make({rows, 2}, Floats(count, 1)));
    ASSERT_GE_OK(session_.RunGraphWithStreamAsync(1, stream_, inputs, outputs));
    ASSERT_OK(aclrtSynchronizeStream(stream_));
    ASSERT_EQ(outputs.size(), 1u);
    EXPECT_EQ(ValuesOf<Generation>(outputs[0]), Floats(count, 4));
  }

  const Session runtime_;
  const Engine engine_;
  const aclrtStream stream_ = runtime_.Stream();
  std::shared_ptr<CountingAllocator> pool_ = std::make_shared<CountingAllocator>();
  typename Generation::Session session_{GeOptions{}};
};
TYPED_TEST_SUITE(AllocatorStreams, Generations, GenerationNames);

TYPED_TEST(AllocatorStreams, EndWithTheirRegistrations) {
  for (int i = 0; i < 1000; ++i) {
    const aclrtStream stream = this->runtime_.Stream();
    ASSERT_GE_OK(this->session_.RegisterExternalAllocator(stream, this->pool_));
    ASSERT_OK(i % 2 == 0 ? aclrtDestroyStream(stream) : aclrtDestroyStreamForce(stream));
  }
  EXPECT_EQ(this->pool_.use_count(), 1);
}

TYPED_TEST(AllocatorStreams, EndWithTheirContextToo) {
  aclrtContext context = nullptr;
  ASSERT_OK(aclrtCreateContext(&context, 0));
  ASSERT_GE_OK(this->session_.RegisterExternalAllocator(this->runtime_.Stream(), this->pool_));
  EXPECT_GT(this->pool_.use_count(), 1);
  ASSERT_OK(aclrtDestroyContext(context));
  EXPECT_EQ(this->pool_.use_count(), 1);
  ASSERT_OK(aclrtSetCurrentContext(this->runtime_.context()));
}

TYPED_TEST(AllocatorStreams, MustExist) {
  const aclrtStream gone = this->runtime_.Stream();
  ASSERT_OK(aclrtDestroyStream(gone));
  int no_stream = 0;
  ASSERT_GE_OK(this->session_.AddGraph(1, ProductGraph(3)));
  ASSERT_GE_OK(this->session_.CompileGraph(1));
  for (void* stream : {static_cast<void*>(gone), static_cast<void*>(&no_stream)}) {
    EXPECT_REFUSED(ge::FAILED, "stream", this->session_.RegisterExternalAllocator(stream, this->pool_));
    EXPECT_REFUSED(ge::FAILED, "stream", this->session_.LoadGraph(1, {}, stream));
    EXPECT_GE_OK(this->session_.UnregisterExternalAllocator(stream));
  }
  EXPECT_EQ(this->pool_.use_count(), 1);
  EXPECT_GE_OK(this->session_.LoadGraph(1, {}, this->stream_));
}

TYPED_TEST(AllocatorStreams, MayBeTheDefaultStream) {
  ASSERT_GE_OK(this->session_.RegisterExternalAllocator(nullptr, this->pool_));
  ASSERT_GE_OK(this->session_.AddGraph(1, ProductGraph(3)));
  ASSERT_GE_OK(this->session_.CompileGraph(1));
  EXPECT_GE_OK(this->session_.LoadGraph(1, {}, nullptr));
  EXPECT_EQ(this->pool_->mallocs, 2) << "constants and arena";
}

TYPED_TEST(AllocatorStreams, GiveOpenShapesWeightsArenasAndOutputs) {
  ASSERT_GE_OK(this->session_.RegisterExternalAllocator(this->stream_, this->pool_));
  ASSERT_GE_OK(this->session_.AddGraph(1, ProductGraph(-1)));
  typename TestFixture::Tensors outputs;
  this->RunWithOnes(3, outputs);
  EXPECT_EQ(this->pool_->mallocs, 3) << "constants, arena, output";
  for (const int64_t length : {3, 5, 3, 7}) {
    const int before = this->pool_->mallocs;
    outputs.clear();
    this->RunWithOnes(length, outputs);
    EXPECT_EQ(this->pool_->mallocs, before + 2) << "the weights are there already";
    EXPECT_TRUE(this->pool_->Holds(TypeParam::Address(outputs.at(0))));
  }
  outputs.clear();
  ASSERT_GE_OK(this->session_.RemoveGraph(1));
  EXPECT_EQ(this->pool_->live(), 0u);
  EXPECT_EQ(this->pool_->mallocs, this->pool_->frees);
}

TYPED_TEST(AllocatorStreams, GiveArenasToEachRunThatWaits) {
  ASSERT_GE_OK(this->session_.RegisterExternalAllocator(this->stream_, this->pool_));
  ASSERT_GE_OK(this->session_.AddGraph(1, ProductGraph(-1)));
  const DeviceFloats x({1, 1});
  const auto inputs = List(TypeParam::At({1, 2}, x.address(), x.bytes()));
  Gate gate;
  gate.Hold(this->stream_);
  std::vector<typename TestFixture::Tensors> outputs(3);
  for (auto& one : outputs)
    ASSERT_GE_OK(this->session_.RunGraphWithStreamAsync(1, this->stream_, inputs, one));
  outputs[1].clear();  // before it was written
  gate.Open();
  ASSERT_OK(aclrtSynchronizeStream(this->stream_));
  EXPECT_THAT(DeviceFloats::ReadAt(TypeParam::Address(outputs[2].at(0)), 8), ElementsAre(4, 4));
  outputs.clear();
  ASSERT_GE_OK(this->session_.RemoveGraph(1));
  EXPECT_EQ(this->pool_->live(), 0u);
}

TYPED_TEST(AllocatorStreams, FailRunsWithOpenShapesIfTheyHaveNoMemory) {
  ASSERT_GE_OK(this->session_.RegisterExternalAllocator(this->stream_, this->pool_));
  ASSERT_GE_OK(this->session_.AddGraph(1, ProductGraph(-1)));
  const auto inputs = List(TypeParam::Make({1, 2}, {1, 1}));
  typename TestFixture::Tensors outputs;
  int left = 0;
  this->pool_->asked = [&] { this->pool_->empty = left-- == 0; };
  for (int fails_at = 0; fails_at < 3; ++fails_at) {
    left = fails_at;
    EXPECT_REFUSED(ge::FAILED, "allocator",
                   this->session_.RunGraphWithStreamAsync(1, this->stream_, inputs, outputs));
    EXPECT_TRUE(outputs.empty());
  }
  left = 100;
  this->RunWithOnes(1, outputs);
  outputs.clear();
  ASSERT_GE_OK(this->session_.RemoveGraph(1));
  EXPECT_EQ(this->pool_->live(), 0u);
}

TYPED_TEST(AllocatorStreams, FailLoadingWithTheDocumentedCode) {
  ASSERT_GE_OK(this->session_.RegisterExternalAllocator(this->stream_, this->pool_));
  ASSERT_GE_OK(this->session_.AddGraph(1, ProductGraph(3)));
  ASSERT_GE_OK(this->session_.CompileGraph(1));
  this->pool_->empty = true;
  EXPECT_REFUSED(ge::FAILED, "allocator", this->session_.LoadGraph(1, {}, this->stream_));
  this->pool_->empty = false;
  EXPECT_GE_OK(this->session_.LoadGraph(1, {}, this->stream_));
  ASSERT_GE_OK(this->session_.RemoveGraph(1));
}

}  // namespace
