// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Graphs on a device with little memory: what they need counts as what aclrtMalloc gives does.
#include <future>

#include "conformance/device_fixture.h"
#include "conformance/ge/graph_fixture.h"
#include "conformance/in_fork.h"
#include "reduce_ops.h"
#include "state_ops.h"

namespace {

constexpr int64_t kMany = 200 * 1024;  // floats, 800 KiB
const char* const kNoRoom = "has no room";

template <typename Generation>
class DeviceMemoryLimit : public testing::Test {
 protected:
  using Tensors = std::vector<typename Generation::Tensor>;

  void SetUp() override { SKIP_WHERE_FORKS_HAVE_NO_THREADS(); }
  // In a process whose device has 1 MiB.
  template <typename Body>
  void OnSmallDevice(Body body) {
    EXPECT_EQ(InFork({{"FOOTHOLD_DEVICE_MEMORY", "1M"}}, body), 0);
  }
  static Tensors Ones(int64_t count) {
    return List(Generation::Make({count}, Floats(static_cast<size_t>(count), 1)));
  }
  static size_t FreeMemory() {
    size_t free = 0, total = 0;
    EXPECT_OK(aclrtGetMemInfo(ACL_HBM_MEM, &free, &total));
    return free;
  }
};
TYPED_TEST_SUITE(DeviceMemoryLimit, Generations, GenerationNames);

TYPED_TEST(DeviceMemoryLimit, RefusesTensorsThatDoNotFit) {
  this->OnSmallDevice([&] {
    const Engine engine;
    typename TypeParam::Session session{GeOptions{}};
    for (const uint32_t id : {1, 2})
      ASSERT_GE_OK(session.AddGraph(id, AddGraphOf({-1}, 1)));
    typename TestFixture::Tensors outputs;
    EXPECT_REFUSED(ge::FAILED, kNoRoom, session.RunGraph(1, this->Ones(kMany), outputs));
    EXPECT_GE_OK(session.RunGraph(1, this->Ones(1000), outputs));
    std::promise<ge::Status> status;
    ASSERT_GE_OK(session.RunGraphAsync(2, this->Ones(kMany),
                                       [&](ge::Status answer, auto&) { status.set_value(answer); }));
    EXPECT_EQ(status.get_future().get(), ge::FAILED);
  });
}

TYPED_TEST(DeviceMemoryLimit, RefusesWhatAMallocHasTakenAlready) {
  this->OnSmallDevice([&] {
    const Session runtime;
    const Engine engine;
    typename TypeParam::Session session{GeOptions{}};
    ASSERT_GE_OK(session.AddGraph(1, AddGraphOf({-1}, 1)));
    void* taken = nullptr;
    ASSERT_OK(aclrtMalloc(&taken, 900 * 1024, ACL_MEM_MALLOC_HUGE_FIRST));
    typename TestFixture::Tensors outputs;
    const auto inputs = this->Ones(50 * 1024);
    EXPECT_REFUSED(ge::FAILED, kNoRoom, session.RunGraph(1, inputs, outputs));
    ASSERT_OK(aclrtFree(taken));
    EXPECT_GE_OK(session.RunGraph(1, inputs, outputs));
  });
}

// x + x + ... with intermediate values that have to stand somewhere.
ge::Graph WideGraph(int64_t count) {
  const auto x = FloatData("x", 0, {count});
  const auto a = ge::op::ReduceSumD("a").set_input_x(ge::op::Square("s").set_input_x(x)).set_attr_axes({0});
  const auto y = ge::op::Add("y").set_input_x1(a).set_input_x2(a);
  return ge::Graph("wide").SetInputs({x}).SetOutputs(std::vector<ge::Operator>{y});
}

TYPED_TEST(DeviceMemoryLimit, CountsWeightsAndGivesThemBack) {
  this->OnSmallDevice([&] {
    const Session runtime;
    const Engine engine;
    typename TypeParam::Session session{GeOptions{}};
    const size_t before = this->FreeMemory();
    const Dims dims = {100 * 1024};
    const auto add = [&](uint32_t id) {
      const auto x = FloatData("x", 0, {1});
      const auto w = FloatConst("w", dims, Floats(100 * 1024, static_cast<float>(id)));
      const auto y = ge::op::Add("y").set_input_x1(x).set_input_x2(w);
      EXPECT_GE_OK(
          session.AddGraph(id, ge::Graph("weights").SetInputs({x}).SetOutputs(std::vector<ge::Operator>{y})));
    };
    typename TestFixture::Tensors outputs;
    for (const uint32_t id : {1, 2})
      add(id);
    ASSERT_GE_OK(session.RunGraph(1, this->Ones(1), outputs));
    EXPECT_LE(this->FreeMemory(), before - 400 * 1024);
    EXPECT_REFUSED(ge::FAILED, kNoRoom, session.RunGraph(2, this->Ones(1), outputs));
    ASSERT_GE_OK(session.RemoveGraph(1));
    EXPECT_EQ(this->FreeMemory(), before);
    EXPECT_GE_OK(session.RunGraph(2, this->Ones(1), outputs));
  });
}

TYPED_TEST(DeviceMemoryLimit, CountsVariables) {
  this->OnSmallDevice([&] {
    const Engine engine;
    typename TypeParam::Session session{GeOptions{}};
    ge::op::Variable v("v");
    v.update_output_desc_y(FloatDesc({2 * kMany}));
    const auto x = FloatData("x", 0, {1});
    const auto assign =
        ge::op::AssignAdd("assign").set_input_ref(v).set_input_value(FloatConst("c", {1}, {1}));
    ASSERT_GE_OK(session.AddGraph(
        1, ge::Graph("variable").SetInputs({v}).SetOutputs(std::vector<ge::Operator>{assign})));
    typename TestFixture::Tensors outputs;
    EXPECT_REFUSED(ge::FAILED, kNoRoom, session.RunGraph(1, typename TestFixture::Tensors(), outputs));
  });
}

TYPED_TEST(DeviceMemoryLimit, FailsRunsOnStreamsInTheCall) {
  this->OnSmallDevice([&] {
    const Session runtime;
    const Engine engine;
    typename TypeParam::Session session{GeOptions{}};
    ASSERT_GE_OK(session.AddGraph(1, AddGraphOf({-1}, 1)));
    const aclrtStream stream = runtime.Stream();
    typename TestFixture::Tensors outputs;
    EXPECT_REFUSED(ge::FAILED, kNoRoom,
                   session.RunGraphWithStreamAsync(1, stream, this->Ones(2 * kMany), outputs));
    const auto inputs = this->Ones(1000);  // until the stream has come to them
    EXPECT_GE_OK(session.RunGraphWithStreamAsync(1, stream, inputs, outputs));
    EXPECT_OK(aclrtSynchronizeStream(stream));
  });
}

// Arenas that are kept for other shapes give way.
TYPED_TEST(DeviceMemoryLimit, TakesOneShapeAfterTheOther) {
  this->OnSmallDevice([&] {
    const Engine engine;
    typename TypeParam::Session session{GeOptions{}};
    ASSERT_GE_OK(session.AddGraph(1, WideGraph(-1)));
    typename TestFixture::Tensors outputs;
    for (int64_t count = 90 * 1024; count < 100 * 1024; count += 1024)
      EXPECT_GE_OK(session.RunGraph(1, this->Ones(count), outputs));
  });
}

// What runs have left for the next ones is nobody's: whoever wants the memory gets it.
TYPED_TEST(DeviceMemoryLimit, WorkMemoryThatIsIdleGivesWayToAMalloc) {
  this->OnSmallDevice([&] {
    const Session runtime;
    const Engine engine;
    typename TypeParam::Session session{GeOptions{}};
    const size_t before = this->FreeMemory();
    ASSERT_GE_OK(session.AddGraph(1, WideGraph(-1)));
    typename TestFixture::Tensors outputs;
    ASSERT_GE_OK(session.RunGraph(1, this->Ones(90 * 1024), outputs));
    void* taken = nullptr;
    ASSERT_OK(aclrtMalloc(&taken, before, ACL_MEM_MALLOC_HUGE_FIRST));
    EXPECT_REFUSED(ge::FAILED, kNoRoom, session.RunGraph(1, this->Ones(90 * 1024), outputs));
    EXPECT_OK(aclrtFree(taken));
    EXPECT_GE_OK(session.RunGraph(1, this->Ones(90 * 1024), outputs));
  });
}

TYPED_TEST(DeviceMemoryLimit, GivesWorkMemoryBackWithTheGraph) {
  this->OnSmallDevice([&] {
    const Session runtime;
    const Engine engine;
    typename TypeParam::Session session{GeOptions{}};
    const size_t before = this->FreeMemory();
    ASSERT_GE_OK(session.AddGraph(1, WideGraph(-1)));
    typename TestFixture::Tensors outputs;
    ASSERT_GE_OK(session.RunGraph(1, this->Ones(90 * 1024), outputs));
    ASSERT_GE_OK(session.RemoveGraph(1));
    EXPECT_EQ(this->FreeMemory(), before);
  });
}

TYPED_TEST(DeviceMemoryLimit, WorkMemoryThatIsIdleGivesWayToVariables) {
  this->OnSmallDevice([&] {
    const Session runtime;
    const Engine engine;
    typename TypeParam::Session session{GeOptions{}};
    ASSERT_GE_OK(session.AddGraph(1, WideGraph(-1)));
    typename TestFixture::Tensors outputs;
    ASSERT_GE_OK(session.RunGraph(1, this->Ones(90 * 1024), outputs));
    ge::op::Variable v("v");
    v.update_output_desc_y(FloatDesc({kMany}));
    const auto sum = ge::op::ReduceSumD("sum").set_input_x(v).set_attr_axes({0});
    ASSERT_GE_OK(
        session.AddGraph(2, ge::Graph("variable").SetInputs({v}).SetOutputs(std::vector<ge::Operator>{sum})));
    EXPECT_GE_OK(session.RunGraph(2, typename TestFixture::Tensors(), outputs));
  });
}

}  // namespace
