// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The three ways to run a graph do the same in the same situation: RunGraph, RunGraphAsync and
// RunGraphWithStreamAsync with dumps, iterations, failures, an allocator of the program's, and a graph that
// is removed while it runs. Each situation is met more than once: runs that come again may go a shorter way.
#include <set>
#include <thread>

#include "conformance/acl_dump/dump_fixture.h"
#include "conformance/ge/counting_allocator.h"
#include "conformance/ge/device_floats.h"
#include "logging_ops.h"
#include "save_ops.h"
#include "state_ops.h"

namespace {

template <typename G>
struct Now {
  using Generation = G;
  static constexpr const char* kName = "RunGraph";
  static constexpr bool kUsesStream = false;
  template <typename Session, typename Tensors>
  static ge::Status Run(Session& session, aclrtStream, const Tensors& inputs, Tensors& outputs) {
    return session.RunGraph(1, inputs, outputs);
  }
};

template <typename G>
struct Later {
  using Generation = G;
  static constexpr const char* kName = "RunGraphAsync";
  static constexpr bool kUsesStream = false;
  template <typename Session, typename Tensors>
  static ge::Status Run(Session& session, aclrtStream, const Tensors& inputs, Tensors& outputs) {
    Gate done;
    ge::Status status = ge::FAILED;
    const auto called = session.RunGraphAsync(1, inputs, [&](ge::Status found, Tensors& made) {
      status = found;
      outputs.swap(made);
      done.Open();
    });
    if (called != ge::SUCCESS) return called;
    EXPECT_TRUE(done.Wait());
    return status;
  }
};

template <typename G>
struct OnStream {
  using Generation = G;
  static constexpr const char* kName = "RunGraphWithStreamAsync";
  static constexpr bool kUsesStream = true;
  template <typename Session, typename Tensors>
  static ge::Status Run(Session& session, aclrtStream stream, const Tensors& inputs, Tensors& outputs) {
    outputs.clear();
    const ge::Status called = session.RunGraphWithStreamAsync(1, stream, inputs, outputs);
    if (called != ge::SUCCESS) return called;
    return aclrtSynchronizeStream(stream) == ACL_SUCCESS ? ge::SUCCESS : ge::FAILED;
  }
};

// counted += x, which is the output as well.
ge::Graph CountingGraph() {
  ge::op::Variable counted("counted");
  counted.set_attr_value(HostTensor<float>({2}, {0, 0}, ge::DT_FLOAT));
  counted.update_output_desc_y(FloatDesc({2}));
  const auto x = FloatData("x", 0, {2});
  const auto sum = ge::op::AssignAdd("count").set_input_ref(counted).set_input_value(x);
  return ge::Graph("count").SetInputs({x, counted}).SetOutputs(std::vector<ge::Operator>{sum});
}

// Fails when it runs, unless `allowed`.
ge::Graph FailingGraph() {
  const auto x = FloatData("x", 0, {2});
  const auto allowed = FloatData("allowed", 1, {});
  const auto flag = ge::op::Cast("flag").set_input_x(allowed).set_attr_dst_type(ge::DT_BOOL);
  auto check = ge::op::Assert("check").set_input_input_condition(flag);
  check.create_dynamic_input_input_data(1).set_dynamic_input_input_data(0, x);
  const auto y = ge::op::Add("sum").set_input_x1(x).set_input_x2(x);
  return ge::Graph("check").SetInputs({x, allowed}).SetOutputs(std::vector<ge::Operator>{y});
}

// Hands the sum to "Save".
ge::Graph SavingGraph() {
  const auto x = FloatData("x", 0, {2});
  const auto y = ge::op::Add("sum").set_input_x1(x).set_input_x2(x);
  const auto save = ge::op::Save("save").create_dynamic_input_tensors(1).set_dynamic_input_tensors(0, y);
  return ge::Graph("save").SetInputs({x}).SetOutputs(std::vector<ge::Operator>{y, save});
}

std::function<uint32_t()> saving;  // called by the function below
ge::Status RegisterSaving(ge::Session& session) {
  const ge::session::pCallBackFunc call = [](uint32_t, const std::map<ge::AscendString, ge::Tensor>&) {
    return saving();
  };
  return session.RegisterCallBackFunc("Save", call);
}
ge::Status RegisterSaving(ge::GeSession& session) {
  const ge::session::RunCallBack call = [](uint32_t, const auto&) { return saving(); };
  return session.RegisterCallBackFunc("Save", call);
}

template <typename Way>
class RunWays : public testing::Test {
 protected:
  using Generation = typename Way::Generation;
  using Tensors = std::vector<typename Generation::Tensor>;

  ~RunWays() override { ForgetMessages(); }
  void Start(const ge::Graph& graph, const GeOptions& options = {}) {
    session_ = std::make_unique<typename Generation::Session>(options);
    ASSERT_GE_OK(session_->AddGraph(1, graph));
  }
  // Afterwards it is run five times by each run.
  void StartFive(ge::Graph graph, const GeOptions& options = {}) {
    graph.SetNeedIteration(true);
    Start(graph, options);
    const ge::TensorDesc desc(ge::Shape(Dims{}), ge::FORMAT_ND, ge::DT_INT64);
    ge::op::Variable steps("npu_runconfig/iterations_per_loop");
    steps.update_output_desc_y(desc);
    ge::op::Constant four;
    four.set_attr_value(HostTensor<int64_t>({}, {4}, ge::DT_INT64));
    ge::op::Assign().set_input_ref(steps).set_input_value(four);
    ASSERT_GE_OK(session_->AddGraph(100, ge::Graph("steps").SetInputs({steps})));
    Tensors outputs;
    ASSERT_GE_OK(session_->RunGraph(100, {}, outputs));
  }
  ge::Status Run(const Floats& x, Tensors& outputs) {
    return Way::Run(*session_, stream_, List(Generation::Make({2}, x)), outputs);
  }
  Floats Result(const Floats& x) {
    Tensors outputs;
    EXPECT_GE_OK(Run(x, outputs));
    return outputs.empty() ? Floats() : ValuesOf<Generation>(outputs[0]);
  }

  const Session runtime_;
  const Engine engine_;
  const aclrtStream stream_ = runtime_.Stream();
  std::unique_ptr<typename Generation::Session> session_;
};

using Ways =
    testing::Types<Now<First>, Now<Second>, Later<First>, Later<Second>, OnStream<First>, OnStream<Second>>;
struct WayNames {
  template <typename Way>
  static std::string GetName(int) {
    return std::string(Way::kName) + "Of" + Way::Generation::kName;
  }
};
TYPED_TEST_SUITE(RunWays, Ways, WayNames);

GeOptions DumpingTo(const TemporaryDirectory& directory) {
  return {{"ge.exec.enableDump", "1"}, {"ge.exec.dumpPath", directory.path().c_str()}};
}

// The directories with a file of the node in them, one for each run that was dumped.
std::set<std::string> RunsWith(const TemporaryDirectory& directory, const std::string& node) {
  std::set<std::string> runs;
  for (const auto& [path, bytes] : FilesBelow(directory.path()))
    if (path.find("." + node + ".") != std::string::npos)
      runs.insert(std::filesystem::path(path).parent_path().filename().string());
  return runs;
}

TYPED_TEST(RunWays, DumpEachRun) {
  const TemporaryDirectory directory;
  this->Start(AddGraphOf({2}, 1), DumpingTo(directory));
  for (int run = 0; run < 3; ++run)
    EXPECT_THAT(this->Result({1, 2}), testing::ElementsAre(2, 3));
  EXPECT_THAT(RunsWith(directory, "sum"), testing::ElementsAre("0", "1", "2"));
}

TYPED_TEST(RunWays, RepeatGraphsWithIterations) {
  this->StartFive(CountingGraph());
  for (int run = 1; run <= 3; ++run)
    EXPECT_THAT(this->Result({1, 2}), testing::ElementsAre(float(5 * run), float(10 * run)));
}

TYPED_TEST(RunWays, DumpEachIteration) {
  const TemporaryDirectory directory;
  this->StartFive(CountingGraph(), DumpingTo(directory));
  this->Result({1, 2});
  EXPECT_THAT(this->Result({1, 2}), testing::ElementsAre(10, 20));
  EXPECT_EQ(RunsWith(directory, "count").size(), 10u);
}

TYPED_TEST(RunWays, GoOnAfterAFailure) {
  this->Start(FailingGraph());
  using Generation = typename TypeParam::Generation;
  for (const float allowed : {1, 1, 0, 1, 0, 0, 1, 1}) {
    auto outputs = List(Generation::Make({2}, {7, 7}));
    const auto inputs = List(Generation::Make({2}, {1, 2}), Generation::Make({}, {allowed}));
    const ge::Status status = TypeParam::Run(*this->session_, this->stream_, inputs, outputs);
    EXPECT_EQ(status == ge::SUCCESS, allowed == 1) << GraphError();
    if (allowed == 1) {
      EXPECT_THAT(ValuesOf<Generation>(outputs.at(0)), testing::ElementsAre(2, 4));
    } else if (!TypeParam::kUsesStream) {
      EXPECT_TRUE(outputs.empty()) << "a run that failed has no outputs";
    }
    ForgetMessages();
  }
}

TYPED_TEST(RunWays, FailWhereSaveAnswersAFailure) {
  this->Start(SavingGraph());
  ASSERT_GE_OK(RegisterSaving(*this->session_));
  int calls = 0;
  saving = [&] { return ++calls % 2 == 0 ? 3u : 0u; };
  for (int run = 1; run <= 4; ++run) {
    std::vector<typename TypeParam::Generation::Tensor> outputs;
    EXPECT_EQ(this->Run({1, 2}, outputs) == ge::SUCCESS, run % 2 == 1);
    EXPECT_EQ(calls, run);
    ForgetMessages();
  }
}

// Only runs on its stream use the program's allocator, and they give back what they took.
TYPED_TEST(RunWays, UseTheAllocatorOfTheStream) {
  const auto pool = std::make_shared<CountingAllocator>();
  this->Start(SquareGraph());
  ASSERT_GE_OK(this->session_->RegisterExternalAllocator(this->stream_, pool));
  for (int run = 0; run < 3; ++run)
    EXPECT_THAT(this->Result({1, 2}), testing::ElementsAre(2, 3));
  ASSERT_GE_OK(this->session_->RemoveGraph(1));
  EXPECT_EQ(pool->mallocs > 0, TypeParam::kUsesStream);
  EXPECT_EQ(pool->live(), 0u);
}

TYPED_TEST(RunWays, AreOverBeforeTheirGraphIsRemoved) {
  this->Start(SavingGraph());
  ASSERT_GE_OK(RegisterSaving(*this->session_));
  for (const bool again : {false, true}) {
    Gate inside, removing;
    std::atomic<bool> over{false};
    saving = [&] {
      if (again) {
        inside.Open();
        EXPECT_TRUE(removing.Wait());
        over = true;
      }
      return 0u;
    };
    std::thread remover([&] {
      if (!again) return;
      EXPECT_TRUE(inside.Wait());
      removing.Open();
      EXPECT_GE_OK(this->session_->RemoveGraph(1));
      EXPECT_TRUE(over);
    });
    EXPECT_THAT(this->Result({1, 2}), testing::ElementsAre(2, 4));
    remover.join();
  }
  std::vector<typename TypeParam::Generation::Tensor> outputs;
  EXPECT_REFUSED(kNoSuchGraph, "no graph 1", this->Run({1, 2}, outputs));
}

TYPED_TEST(RunWays, TakeOneListForBoth) {
  if (TypeParam::kUsesStream) GTEST_SKIP() << "outputs on streams say where they are to go";
  using Generation = typename TypeParam::Generation;
  this->Start(AddGraphOf({2}, 1));
  auto tensors = List(Generation::Make({2}, {1, 2}));
  for (int run = 0; run < 3; ++run)
    ASSERT_GE_OK(TypeParam::Run(*this->session_, this->stream_, tensors, tensors));
  EXPECT_THAT(ValuesOf<Generation>(tensors.at(0)), testing::ElementsAre(4, 5));
}

}  // namespace
