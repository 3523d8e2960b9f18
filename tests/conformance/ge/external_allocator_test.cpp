// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// External allocators: what is taken from them, when it is given back, and what a bad one does.
#include <memory>

#include "conformance/ge/counting_allocator.h"

namespace {

using testing::ElementsAre;

template <typename Generation>
class ExternalAllocator : public testing::Test {
 protected:
  using Tensor = typename Generation::Tensor;

  ge::Status Run(std::vector<Tensor>& outputs, aclrtStream stream = nullptr, uint32_t id = 1) {
    return session_.RunGraphWithStreamAsync(id, stream == nullptr ? stream_ : stream, inputs_, outputs);
  }
  void Wait() const { EXPECT_OK(aclrtSynchronizeStream(stream_)); }

  const Session runtime_;
  const Engine engine_;
  const aclrtStream stream_ = runtime_.Stream();
  const std::vector<Tensor> inputs_ = List(Generation::Make({2}, {1, 2}));
  std::shared_ptr<CountingAllocator> pool_ = std::make_shared<CountingAllocator>();
  typename Generation::Session session_{GeOptions{}};
};
TYPED_TEST_SUITE(ExternalAllocator, Generations, GenerationNames);

TYPED_TEST(ExternalAllocator, GetsBackAllItGave) {
  ASSERT_GE_OK(this->session_.RegisterExternalAllocator(this->stream_, this->pool_));
  ASSERT_GE_OK(this->session_.AddGraph(1, SquareGraph()));
  for (int i = 0; i < 3; ++i) {
    std::vector<typename TypeParam::Tensor> outputs;
    ASSERT_GE_OK(this->Run(outputs));
    this->Wait();
    ASSERT_EQ(outputs.size(), 2u);
    EXPECT_THAT(ValuesOf<TypeParam>(outputs[0]), ElementsAre(2, 3));
    for (const auto& output : outputs)
      EXPECT_TRUE(this->pool_->Holds(TypeParam::Address(output)));
  }
  ASSERT_GE_OK(this->session_.RemoveGraph(1));
  EXPECT_GE(this->pool_->mallocs, 6);
  EXPECT_EQ(this->pool_->live(), 0u);
  EXPECT_EQ(this->pool_->mallocs, this->pool_->frees);
}

TYPED_TEST(ExternalAllocator, IsNotAskedForOutputsThatAreGiven) {
  ASSERT_GE_OK(this->session_.RegisterExternalAllocator(this->stream_, this->pool_));
  ASSERT_GE_OK(this->session_.AddGraph(1, SquareGraph()));
  std::vector<typename TypeParam::Tensor> outputs;
  ASSERT_GE_OK(this->Run(outputs));
  this->Wait();
  const int before = this->pool_->mallocs;
  ASSERT_GE_OK(this->Run(outputs));
  this->Wait();
  EXPECT_EQ(this->pool_->mallocs, before);
  auto mixed = List(typename TypeParam::Tensor(), std::move(outputs[1]));
  ASSERT_GE_OK(this->Run(mixed));
  this->Wait();
  EXPECT_EQ(this->pool_->mallocs, before + 1);
}

TYPED_TEST(ExternalAllocator, IsReplacedByTheNextOne) {
  const auto other = std::make_shared<CountingAllocator>();
  ASSERT_GE_OK(this->session_.AddGraph(1, SquareGraph()));
  ASSERT_GE_OK(this->session_.RegisterExternalAllocator(this->stream_, this->pool_));
  ASSERT_GE_OK(this->session_.RegisterExternalAllocator(this->stream_, other));
  std::vector<typename TypeParam::Tensor> outputs;
  ASSERT_GE_OK(this->Run(outputs));
  this->Wait();
  EXPECT_EQ(this->pool_->mallocs, 0);
  EXPECT_TRUE(other->Holds(TypeParam::Address(outputs.at(0))));
  outputs.clear();
  ASSERT_GE_OK(this->session_.RemoveGraph(1));
}

TYPED_TEST(ExternalAllocator, IsUnregisteredAnyNumberOfTimes) {
  EXPECT_GE_OK(this->session_.UnregisterExternalAllocator(this->stream_));
  ASSERT_GE_OK(this->session_.RegisterExternalAllocator(this->stream_, this->pool_));
  EXPECT_GE_OK(this->session_.UnregisterExternalAllocator(this->stream_));
  EXPECT_GE_OK(this->session_.UnregisterExternalAllocator(this->stream_));
  ASSERT_GE_OK(this->session_.AddGraph(1, SquareGraph()));
  std::vector<typename TypeParam::Tensor> outputs;
  ASSERT_GE_OK(this->Run(outputs));
  this->Wait();
  EXPECT_EQ(this->pool_->mallocs, 0);
}

TYPED_TEST(ExternalAllocator, LivesUntilItsLastBlockIsBack) {
  std::weak_ptr<CountingAllocator> watched = this->pool_;
  ASSERT_GE_OK(this->session_.RegisterExternalAllocator(this->stream_, std::move(this->pool_)));
  ASSERT_GE_OK(this->session_.AddGraph(1, SquareGraph()));
  std::vector<typename TypeParam::Tensor> outputs;
  ASSERT_GE_OK(this->Run(outputs));
  this->Wait();
  ASSERT_GE_OK(this->session_.UnregisterExternalAllocator(this->stream_));
  ASSERT_GE_OK(this->session_.RemoveGraph(1));
  EXPECT_FALSE(watched.expired());
  outputs.clear();
  EXPECT_TRUE(watched.expired());
}

TYPED_TEST(ExternalAllocator, FailsTheRunIfItHasNoMemory) {
  ASSERT_GE_OK(this->session_.RegisterExternalAllocator(this->stream_, this->pool_));
  ASSERT_GE_OK(this->session_.AddGraph(1, SquareGraph()));
  std::vector<typename TypeParam::Tensor> outputs;
  for (bool CountingAllocator::*fault :
       {&CountingAllocator::empty, &CountingAllocator::small, &CountingAllocator::throws}) {
    this->pool_.get()->*fault = true;
    GraphError();
    EXPECT_NE(this->Run(outputs), ge::SUCCESS);
    EXPECT_THAT(GraphError(), testing::HasSubstr("allocator"));
    EXPECT_TRUE(outputs.empty());
    EXPECT_EQ(this->pool_->live(), 0u);
    this->pool_.get()->*fault = false;
  }
  ASSERT_GE_OK(this->Run(outputs));
  this->Wait();
  EXPECT_THAT(ValuesOf<TypeParam>(outputs.at(0)), ElementsAre(2, 3));
  outputs.clear();
  ASSERT_GE_OK(this->session_.RemoveGraph(1));
  EXPECT_EQ(this->pool_->live(), 0u);
}

TYPED_TEST(ExternalAllocator, MayNotServeTwoStreamsAtOnce) {
  const aclrtStream other = this->runtime_.Stream();
  ASSERT_GE_OK(this->session_.RegisterExternalAllocator(this->stream_, this->pool_));
  ASSERT_GE_OK(this->session_.RegisterExternalAllocator(other, this->pool_));
  ASSERT_GE_OK(this->session_.AddGraph(1, AddGraphOf({2}, 1)));
  ASSERT_GE_OK(this->session_.AddGraph(2, AddGraphOf({2}, 1)));
  std::vector<typename TypeParam::Tensor> outputs, more;
  Gate gate;
  gate.Hold(this->stream_);
  ASSERT_GE_OK(this->Run(outputs));
  GraphError();
  EXPECT_NE(this->Run(more, other, 2), ge::SUCCESS);
  EXPECT_THAT(GraphError(), testing::HasSubstr("stream"));
  gate.Open();
  this->Wait();
  EXPECT_GE_OK(this->Run(more, other, 2));
  EXPECT_OK(aclrtSynchronizeStream(other));
}

TYPED_TEST(ExternalAllocator, ServesOutputsWhoseShapeDataDecides) {
  ASSERT_GE_OK(this->session_.RegisterExternalAllocator(this->stream_, this->pool_));
  ASSERT_GE_OK(this->session_.AddGraph(1, ReshapeGraph()));
  std::vector<typename TypeParam::Tensor> outputs;
  ASSERT_GE_OK(this->session_.RunGraphWithStreamAsync(
      1, this->stream_, List(TypeParam::Make({6}, {1, 2, 3, 4, 5, 6}), TypeParam::MakeInts({2}, {3, 2})),
      outputs));
  this->Wait();
  EXPECT_TRUE(this->pool_->Holds(TypeParam::Address(outputs.at(0))));
}

TYPED_TEST(ExternalAllocator, IsNotAskedForNothing) {
  ASSERT_GE_OK(this->session_.RegisterExternalAllocator(this->stream_, this->pool_));
  ASSERT_GE_OK(this->session_.AddGraph(1, AddGraphOf({0}, 1)));
  std::vector<typename TypeParam::Tensor> outputs;
  ASSERT_GE_OK(
      this->session_.RunGraphWithStreamAsync(1, this->stream_, List(TypeParam::Make({0}, {})), outputs));
  this->Wait();
  EXPECT_EQ(outputs.at(0).GetSize(), 0u);
  EXPECT_FALSE(this->pool_->Holds(nullptr));
}

TYPED_TEST(ExternalAllocator, HasNoPartInRunGraph) {
  ASSERT_GE_OK(this->session_.RegisterExternalAllocator(nullptr, this->pool_));
  ASSERT_GE_OK(this->session_.AddGraph(1, SquareGraph()));
  std::vector<typename TypeParam::Tensor> outputs;
  ASSERT_GE_OK(this->session_.RunGraph(1, List(TypeParam::Make({2}, {1, 2})), outputs));
  EXPECT_EQ(this->pool_->mallocs, 0);
}

TYPED_TEST(ExternalAllocator, MayNotBeNull) {
  EXPECT_REFUSED(ge::FAILED, "null", this->session_.RegisterExternalAllocator(this->stream_, nullptr));
}

TYPED_TEST(ExternalAllocator, ServesSessionsThatHaveNoneForTheStream) {
  const auto other_pool = std::make_shared<CountingAllocator>();
  {
    typename TypeParam::Session other{GeOptions{}};
    ASSERT_GE_OK(other.RegisterExternalAllocator(this->stream_, other_pool));
    ASSERT_GE_OK(this->session_.AddGraph(1, AddGraphOf({2}, 1)));
    std::vector<typename TypeParam::Tensor> outputs;
    ASSERT_GE_OK(this->Run(outputs));
    this->Wait();
    EXPECT_TRUE(other_pool->Holds(TypeParam::Address(outputs.at(0))));
    ASSERT_GE_OK(this->session_.RegisterExternalAllocator(this->stream_, this->pool_));
    outputs.clear();
    ASSERT_GE_OK(this->Run(outputs));
    this->Wait();
    EXPECT_TRUE(this->pool_->Holds(TypeParam::Address(outputs.at(0))));
    ASSERT_GE_OK(this->session_.UnregisterExternalAllocator(this->stream_));
    ASSERT_GE_OK(other.RegisterExternalAllocator(this->stream_, other_pool));
  }
  const int before = other_pool->mallocs;
  std::vector<typename TypeParam::Tensor> outputs;
  ASSERT_GE_OK(this->Run(outputs));
  this->Wait();
  EXPECT_EQ(other_pool->mallocs, before) << "its session has ended";
  ASSERT_GE_OK(this->session_.RemoveGraph(1));
}

}  // namespace
