// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Removing a graph, or ending its session, inside a function of the program that a queued run of the graph
// waits for: it would wait for itself, so it is refused, and the session ends afterwards.
#include <functional>
#include <memory>

#include "conformance/ge/counting_allocator.h"
#include "conformance/ge/device_floats.h"

namespace {

using testing::ElementsAre;

template <typename Generation>
class RemoveInside : public testing::Test {
 protected:
  using Session = typename Generation::Session;

  void SetUp() override { ASSERT_GE_OK(session_->AddGraph(1, AddGraphOf({2}, 1))); }

  void Queue(aclrtStream stream) {
    auto outputs = List(Generation::At({2}, y_.address(), y_.bytes()));
    EXPECT_GE_OK(session_->RunGraphWithStreamAsync(
        1, stream, List(Generation::At({2}, x_.address(), x_.bytes())), outputs));
  }
  // Calls `function` once the run behind it is queued.
  struct Held {
    Gate gate;
    std::function<void()> function;
    static void Run(void* self) {
      EXPECT_TRUE(static_cast<Held*>(self)->gate.Wait());
      static_cast<Held*>(self)->function();
    }
  };
  void ExpectDone() {
    EXPECT_OK(aclrtSynchronizeStream(stream_));
    EXPECT_THAT(y_.Read(), ElementsAre(2, 3));
  }

  const ::Session runtime_;
  const Engine engine_;
  const aclrtStream stream_ = runtime_.Stream();
  const DeviceFloats x_{{1, 2}}, y_{{0, 0}};
  std::unique_ptr<Session> session_ = std::make_unique<Session>(GeOptions{});
};
TYPED_TEST_SUITE(RemoveInside, Generations, GenerationNames);

TYPED_TEST(RemoveInside, AHostFunctionIsRefusedTheGraphBehindIt) {
  typename TestFixture::Held held;
  held.function = [&] { EXPECT_REFUSED(ge::FAILED, "cannot be removed", this->session_->RemoveGraph(1)); };
  ASSERT_OK(aclrtLaunchHostFunc(this->stream_, TestFixture::Held::Run, &held));
  this->Queue(this->stream_);
  held.gate.Open();
  this->ExpectDone();
  EXPECT_GE_OK(this->session_->RemoveGraph(1));
}

TYPED_TEST(RemoveInside, ABlockingCallbackIsRefusedTheGraphBehindIt) {
  ReportThread reports(this->runtime_.context());
  ASSERT_OK(aclrtSubscribeReport(reports.id(), this->stream_));
  typename TestFixture::Held held;
  held.function = [&] { EXPECT_REFUSED(ge::FAILED, "cannot be removed", this->session_->RemoveGraph(1)); };
  ASSERT_OK(aclrtLaunchCallback(TestFixture::Held::Run, &held, ACL_CALLBACK_BLOCK, this->stream_));
  this->Queue(this->stream_);
  held.gate.Open();
  this->ExpectDone();
  EXPECT_GE_OK(this->session_->RemoveGraph(1));
  ASSERT_OK(aclrtUnSubscribeReport(reports.id(), this->stream_));
}

TYPED_TEST(RemoveInside, AHostFunctionMayRemoveOtherGraphs) {
  ASSERT_GE_OK(this->session_->AddGraph(2, AddGraphOf({2}, 1)));
  typename TestFixture::Held held;
  held.function = [&] { EXPECT_GE_OK(this->session_->RemoveGraph(2)); };
  ASSERT_OK(aclrtLaunchHostFunc(this->stream_, TestFixture::Held::Run, &held));
  this->Queue(this->stream_);
  held.gate.Open();
  this->ExpectDone();
}

TYPED_TEST(RemoveInside, TheSessionEndsAfterTheHostFunction) {
  typename TestFixture::Held held;
  held.function = [&] { this->session_.reset(); };
  ASSERT_OK(aclrtLaunchHostFunc(this->stream_, TestFixture::Held::Run, &held));
  this->Queue(this->stream_);
  held.gate.Open();
  this->ExpectDone();
}

TYPED_TEST(RemoveInside, TheEngineMayBeFinalisedThereAfterTheSession) {
  typename TestFixture::Held held;
  held.function = [&] {
    this->session_.reset();
    EXPECT_GE_OK(ge::GEFinalize());
    EXPECT_GE_OK(ge::GEInitialize(GeOptions{}));
  };
  ASSERT_OK(aclrtLaunchHostFunc(this->stream_, TestFixture::Held::Run, &held));
  this->Queue(this->stream_);
  held.gate.Open();
  this->ExpectDone();
}

TYPED_TEST(RemoveInside, ARunBehindAnEventOfTheHeldStreamCountsToo) {
  const aclrtStream other = this->runtime_.Stream();
  const aclrtEvent event = this->runtime_.Event();
  typename TestFixture::Held held;
  held.function = [&] {
    EXPECT_REFUSED(ge::FAILED, "cannot be removed", this->session_->RemoveGraph(1));
    EXPECT_EQ(this->session_->IsGraphNeedRebuild(1), false) << "it is still there";
  };
  ASSERT_OK(aclrtLaunchHostFunc(other, TestFixture::Held::Run, &held));
  ASSERT_OK(aclrtRecordEvent(event, other));
  ASSERT_OK(aclrtStreamWaitEvent(this->stream_, event));
  this->Queue(this->stream_);
  held.gate.Open();
  this->ExpectDone();
  EXPECT_GE_OK(this->session_->RemoveGraph(1));
}

TYPED_TEST(RemoveInside, AnAllocatorIsRefusedTheGraphItServes) {
  const auto pool = std::make_shared<CountingAllocator>();
  int refused = 0;
  pool->asked = [&] {
    EXPECT_REFUSED(ge::FAILED, "cannot be removed", this->session_->RemoveGraph(1));
    ++refused;
  };
  ASSERT_GE_OK(this->session_->RegisterExternalAllocator(this->stream_, pool));
  std::vector<typename TypeParam::Tensor> outputs;
  for (int i = 0; i < 2; ++i) {
    outputs.clear();
    ASSERT_GE_OK(this->session_->RunGraphWithStreamAsync(
        1, this->stream_, List(TypeParam::At({2}, this->x_.address(), this->x_.bytes())), outputs));
    EXPECT_OK(aclrtSynchronizeStream(this->stream_)) << "the outputs may go then";
  }
  EXPECT_GE(refused, 2);
  pool->asked = nullptr;
  outputs.clear();
  EXPECT_GE_OK(this->session_->RemoveGraph(1));
}

TYPED_TEST(RemoveInside, TheSessionEndsAfterTheAllocatorHasAnswered) {
  const auto pool = std::make_shared<CountingAllocator>();
  pool->asked = [&] { this->session_.reset(); };
  ASSERT_GE_OK(this->session_->RegisterExternalAllocator(this->stream_, pool));
  auto outputs = List(typename TypeParam::Tensor());
  auto& session = *this->session_;
  ASSERT_GE_OK(session.RunGraphWithStreamAsync(
      1, this->stream_, List(TypeParam::At({2}, this->x_.address(), this->x_.bytes())), outputs));
  EXPECT_OK(aclrtSynchronizeStream(this->stream_));
  EXPECT_THAT(DeviceFloats::ReadAt(TypeParam::Address(outputs.at(0)), 8), ElementsAre(2, 3));
}

}  // namespace
