// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Collectives as operators of graphs, and the group of all ranks from the options of the engine.
#include <signal.h>

#include <numeric>
#include <thread>

#include "conformance/ge/device_floats.h"
#include "conformance/ge/graph_fixture.h"
#include "conformance/hccl/processes.h"
#include "experiment_ops.h"
#include "hccl/hcom.h"
#include "hcom_ops.h"
#include "state_ops.h"

namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using Ints = std::vector<int64_t>;
using Operators = std::vector<ge::Operator>;

constexpr const char* kWorld = "hccl_world_group";

std::string GroupOf(HcclComm comm) {
  char name[COMM_NAME_MAX_LENGTH] = {};
  EXPECT_HCCL(HcclGetCommName(comm, name));
  return name;
}

ge::op::Data IntData(const char* name, int64_t index, int64_t count) {
  const ge::TensorDesc desc(ge::Shape({count}), ge::FORMAT_ND, ge::DT_INT64);
  ge::op::Data data(name);
  data.set_attr_index(index).update_input_desc_x(desc);
  data.update_output_desc_y(desc);
  return data;
}

ge::Tensor IntTensor(const Ints& values) {
  return HostTensor<int64_t>({static_cast<int64_t>(values.size())}, values, ge::DT_INT64);
}

ge::Tensor FloatTensor(const Floats& values) {
  return HostTensor<float>({static_cast<int64_t>(values.size())}, values, ge::DT_FLOAT);
}

// One rank's graphs, each built for one run.
class GraphRank {
 public:
  Floats Run(const Operators& inputs, const ge::Operator& output, const std::vector<ge::Tensor>& tensors) {
    std::vector<ge::Tensor> outputs;
    const uint32_t id = next_++;
    EXPECT_GE_OK(session_.AddGraph(id, ge::Graph("g").SetInputs(inputs).SetOutputs(Operators{output})));
    EXPECT_GE_OK(session_.RunGraph(id, tensors, outputs));
    return outputs.empty() ? Floats() : ValuesOf<First>(outputs[0]);
  }

 private:
  const Engine engine_;
  ge::Session session_{GeOptions{}};
  uint32_t next_ = 0;
};

// Element i of a rank.
Floats Own(std::uint32_t rank, int64_t count) {
  Floats values(static_cast<std::size_t>(count));
  std::iota(values.begin(), values.end(), static_cast<float>(100 * rank));
  return values;
}

// A graph of one operator over x and, if there are some, inputs of counts.
template <typename Make>
Floats RunOne(GraphRank& graphs, const Floats& x, const std::vector<Ints>& counts, const Make& make) {
  const auto data = FloatData("x", 0, {static_cast<int64_t>(x.size())});
  Operators inputs = {data};
  std::vector<ge::op::Data> numbers;
  std::vector<ge::Tensor> tensors = {FloatTensor(x)};
  for (std::size_t i = 0; i < counts.size(); ++i) {
    numbers.push_back(IntData(("n" + std::to_string(i)).c_str(), static_cast<int64_t>(i + 1),
                              static_cast<int64_t>(counts[i].size())));
    inputs.push_back(numbers.back());
    tensors.push_back(IntTensor(counts[i]));
  }
  return graphs.Run(inputs, make(data, numbers), tensors);
}

TEST(HcclGraphs, HaveEveryCollectiveOfEqualParts) {
  AsProcesses(3, [](const RankProcess& process) {
    const HcclComm comm = process.Join();
    const std::string name = GroupOf(comm);
    const char* const group = name.c_str();
    const auto rank = process.rank();
    const float r = static_cast<float>(rank);
    const Floats own = Own(rank, 6);
    {
      using namespace ge::op;
      GraphRank graphs;
      const auto run = [&](const auto& make) {
        return RunOne(graphs, own, {}, [&](const Data& x, const auto&) { return make(x); });
      };
      const auto reduce = [&](const char* how) {
        return run([&](const Data& x) {
          return HcomAllReduce("y").set_input_x(x).set_attr_reduction(how).set_attr_group(group);
        });
      };
      EXPECT_THAT(reduce("sum"), ElementsAre(300, 303, 306, 309, 312, 315));
      EXPECT_THAT(reduce("max"), ElementsAre(200, 201, 202, 203, 204, 205));
      const Floats gathered = run([&](const Data& x) {
        return HcomAllGather("y").set_input_x(x).set_attr_rank_size(3).set_attr_group(group);
      });
      ASSERT_EQ(gathered.size(), 18u);
      EXPECT_EQ(gathered[17], 205);
      EXPECT_EQ(run([&](const Data& x) {
                  return HcomGather("y")
                      .set_input_x(x)
                      .set_attr_root_rank(0)
                      .set_attr_group(group)
                      .set_attr_rank_size(3);
                }),
                gathered);
      EXPECT_THAT(run([&](const Data& x) {
                    return HcomReduceScatter("y")
                        .set_input_x(x)
                        .set_attr_reduction("sum")
                        .set_attr_group(group)
                        .set_attr_rank_size(3);
                  }),
                  ElementsAre(300 + 6 * r, 303 + 6 * r));
      EXPECT_EQ(run([&](const Data& x) {
                  return HcomReduce("y")
                      .set_input_x(x)
                      .set_attr_root_rank(1)
                      .set_attr_reduction("min")
                      .set_attr_group(group);
                })[5],
                rank == 1 ? 5 : 100 * r + 5);
      EXPECT_THAT(run([&](const Data& x) { return HcomAllToAll("y").set_input_x(x).set_attr_group(group); }),
                  ElementsAre(2 * r, 2 * r + 1, 100 + 2 * r, 101 + 2 * r, 200 + 2 * r, 201 + 2 * r));
      EXPECT_THAT(run([&](const Data& x) {
                    return HcomBroadcast("y")
                        .create_dynamic_input_x(1)
                        .set_dynamic_input_x(0, x)
                        .create_dynamic_output_y(1)
                        .set_attr_root_rank(2)
                        .set_attr_group(group);
                  }),
                  ElementsAre(200, 201, 202, 203, 204, 205));
    }
    EXPECT_HCCL(HcclCommDestroy(comm));
  });
}

TEST(HcclGraphs, HaveEveryCollectiveWithCounts) {
  AsProcesses(2, [](const RankProcess& process) {
    const HcclComm comm = process.Join();
    const std::string name = GroupOf(comm);
    const char* const group = name.c_str();
    const bool first = process.rank() == 0;
    const Floats own = Own(process.rank(), 4);
    {
      using namespace ge::op;
      using Numbers = std::vector<Data>;
      GraphRank graphs;
      // Rank 0 sends one element to itself and three to rank 1, which sends one to rank 0 and keeps nothing.
      const std::vector<Ints> ways = first ? std::vector<Ints>{{1, 3}, {0, 1}, {1, 1}, {1, 0}}
                                           : std::vector<Ints>{{1, 0}, {3, 0}, {3, 0}, {0, 3}};
      EXPECT_EQ(RunOne(graphs, own, ways,
                       [&](const Data& x, const Numbers& n) {
                         return HcomAllToAllV("y")
                             .set_input_send_data(x)
                             .set_input_send_counts(n[0])
                             .set_input_send_displacements(n[1])
                             .set_input_recv_counts(n[2])
                             .set_input_recv_displacements(n[3])
                             .set_attr_group(group);
                       }),
                first ? (Floats{103, 0}) : (Floats{1, 2, 3}));
      EXPECT_EQ(RunOne(graphs, own, {{1, 3, 2, 0}},
                       [&](const Data& x, const Numbers& n) {
                         return HcomAllToAllVC("y")
                             .set_input_send_data(x)
                             .set_input_send_count_matrix(n[0])
                             .set_attr_rank(process.rank())
                             .set_attr_group(group);
                       }),
                first ? (Floats{0, 100, 101}) : (Floats{1, 2, 3}));
      const std::vector<Ints> parts = {{first ? 3 : 1}, {3, 1}};
      EXPECT_THAT(RunOne(graphs, own, parts,
                         [&](const Data& x, const Numbers& n) {
                           return HcomAllGatherV("y")
                               .set_input_x(x)
                               .set_input_send_count(n[0])
                               .set_input_recv_counts(n[1])
                               .set_attr_group(group);
                         }),
                  ElementsAre(0, 1, 2, 100));
      EXPECT_EQ(RunOne(graphs, own, parts,
                       [&](const Data& x, const Numbers& n) {
                         return HcomReduceScatterV("y")
                             .set_input_x(x)
                             .set_input_recv_count(n[0])
                             .set_input_send_counts(n[1])
                             .set_attr_reduction("sum")
                             .set_attr_group(group);
                       }),
                first ? (Floats{100, 102, 104}) : (Floats{106}));
    }
    EXPECT_HCCL(HcclCommDestroy(comm));
  });
}

TEST(HcclGraphs, SendAndReceiveByTag) {
  AsProcesses(2, [](const RankProcess& process) {
    const HcclComm comm = process.Join();
    const std::string group = GroupOf(comm);
    {
      const Engine engine;
      ge::Session session{GeOptions{}};
      const auto x = FloatData("x", 0, {2});
      if (process.rank() == 0) {
        const auto send = ge::op::HcomSend("send")
                              .set_input_x(x)
                              .set_attr_group(group.c_str())
                              .set_attr_sr_tag(7)
                              .set_attr_dest_rank(1);
        ASSERT_GE_OK(
            session.AddGraph(0, ge::Graph("g").SetInputs({x}).SetOutputs(Operators{}).SetTargets({send})));
        std::vector<ge::Tensor> none;
        ASSERT_GE_OK(session.RunGraph(0, {FloatTensor({4, 5})}, none));
      } else {
        const auto receive = ge::op::HcomReceive("receive")
                                 .set_attr_group(group.c_str())
                                 .set_attr_sr_tag(7)
                                 .set_attr_src_rank(0)
                                 .set_attr_shape({2})
                                 .set_attr_dtype(ge::DT_FLOAT);
        const auto sum = ge::op::Add("sum").set_input_x1(x).set_input_x2(receive);
        ASSERT_GE_OK(session.AddGraph(0, ge::Graph("g").SetInputs({x}).SetOutputs(Operators{sum})));
        std::vector<ge::Tensor> outputs;
        ASSERT_GE_OK(session.RunGraph(0, {FloatTensor({1, 1})}, outputs));
        EXPECT_THAT(ValuesOf<First>(outputs.at(0)), ElementsAre(5, 6));
      }
    }
    EXPECT_HCCL(HcclCommDestroy(comm));
  });
}

std::string Table(std::uint32_t ranks) {
  std::string devices;
  for (std::uint32_t rank = 0; rank < ranks; ++rank)
    devices += (rank == 0 ? "" : ",") + std::string(R"({"device_id":"0","rank_id":")") +
               std::to_string(rank) + R"("})";
  return R"({"status":"completed","version":"1.0","server_count":"1","server_list":[{"server_id":"node-g","device":[)" +
         devices + "]}]}";
}

GeOptions JobOptions(const std::string& table, std::uint32_t rank) {
  return {{"ge.exec.rankTableAddr", std::to_string(reinterpret_cast<std::uintptr_t>(table.data())).c_str()},
          {"ge.exec.rankTableLen", std::to_string(table.size()).c_str()},
          {"ge.exec.rankId", std::to_string(rank).c_str()},
          {"ge.exec.isUseHcom", "1"},
          {"ge.exec.hcclExecuteTimeOut", "60"}};
}

Settings GraphPorts(const char* first) {
  return {{"HCCL_HOST_SOCKET_PORT_RANGE", ""}, {"HCCL_IF_BASE_PORT", first}};
}

// w -= 0.1 * mean over ranks of (w - x): one step of a gradient descent towards the mean of all data.
ge::Graph Step() {
  const auto x = FloatData("x", 0, {2});
  ge::op::Variable w("w");
  w.update_output_desc_y(FloatDesc({2}));
  const auto gradient = ge::op::Sub("gradient").set_input_x1(w).set_input_x2(x);
  const auto sum =
      ge::op::HcomAllReduce("sum").set_input_x(gradient).set_attr_reduction("sum").set_attr_group(kWorld);
  const auto rate = FloatConst("rate", {1}, {0.05f});
  const auto step = ge::op::Mul("step").set_input_x1(sum).set_input_x2(rate);
  const auto updated = ge::op::AssignSub("updated").set_input_var(w).set_input_value(step);
  return ge::Graph("step").SetInputs({x, w}).SetOutputs(Operators{updated});
}

TEST(HcclGraphs, TrainOnSeveralProcessesWithEqualWeights) {
  AsProcesses(
      2,
      [](const RankProcess& process) {
        const std::string table = Table(2);
        const Engine engine(JobOptions(table, process.rank()));
        u32 size = 0;
        EXPECT_HCCL(HcomGetRankSize(kWorld, &size));
        EXPECT_EQ(size, 2u);
        ge::Session session{GeOptions{}};
        ASSERT_GE_OK(session.AddGraph(0, Step()));
        Floats expected = {0, 0};
        for (int i = 0; i < 5; ++i) {
          std::vector<ge::Tensor> outputs;
          const float shift = static_cast<float>(process.rank());
          ASSERT_GE_OK(session.RunGraph(0, {FloatTensor({1 + shift, 3 + shift})}, outputs));
          for (std::size_t k = 0; k < 2; ++k) {
            const float x = k == 0 ? 1 : 3;
            expected[k] -= ((expected[k] - x) + (expected[k] - (x + 1))) * 0.05f;
          }
          EXPECT_EQ(ValuesOf<First>(outputs.at(0)), expected) << "step " << i;
        }
      },
      {}, GraphPorts("20200"));
}

TEST(HcclGraphs, FailWhenARankHasDied) {
  AsProcesses(2,
              [](const RankProcess& process) {
                const HcclComm comm = process.Join();
                const std::string group = GroupOf(comm);
                if (process.rank() == 1) raise(SIGKILL);
                const Engine engine;
                ge::Session session{GeOptions{}};
                const auto x = FloatData("x", 0, {2});
                const auto sum =
                    ge::op::HcomAllReduce("sum").set_input_x(x).set_attr_reduction("sum").set_attr_group(
                        group.c_str());
                ASSERT_GE_OK(session.AddGraph(0, ge::Graph("g").SetInputs({x}).SetOutputs(Operators{sum})));
                ASSERT_GE_OK(session.AddGraph(1, AddGraphOf({2}, 1)));
                std::vector<ge::Tensor> outputs;
                EXPECT_NE(session.RunGraph(0, {FloatTensor({1, 2})}, outputs), ge::SUCCESS);
                EXPECT_THAT(GraphError(), AllOf(HasSubstr("rank 1"), HasSubstr("sum")));
                EXPECT_GE_OK(session.RunGraph(1, {FloatTensor({1, 2})}, outputs));
                EXPECT_HCCL(HcclCommDestroy(comm));
              },
              {1});
}

// With one worker: a rank that waits in its run does not hold up the other.
TEST(HcclGraphs, RunOnStreamsOfOneProcess) {
  InChild({{"FOOTHOLD_DEVICES", "8"}, {"FOOTHOLD_THREADS", "1"}}, [] {
    EXPECT_OK(aclInit(nullptr));
    {
      const Ranks ranks(3);
      const std::string group = GroupOf(ranks.comm(0));
      const Engine engine;
      std::vector<std::unique_ptr<ge::GeSession>> sessions;
      std::vector<std::unique_ptr<DeviceFloats>> from, to;
      for (std::uint32_t rank = 0; rank < 3; ++rank) {
        ranks.Use(rank);
        sessions.push_back(std::make_unique<ge::GeSession>(
            GeOptions{{"ge.session_device_id", std::to_string(rank).c_str()}}));
        const auto x = FloatData("x", 0, {2});
        const auto sum = ge::op::HcomAllReduce("sum").set_input_x(x).set_attr_reduction("sum").set_attr_group(
            group.c_str());
        ASSERT_GE_OK(sessions[rank]->AddGraph(0, ge::Graph("g").SetInputs({x}).SetOutputs(Operators{sum})));
        from.push_back(std::make_unique<DeviceFloats>(Own(rank, 2)));
        to.push_back(std::make_unique<DeviceFloats>(Floats{0, 0}));
      }
      for (int i = 0; i < 3; ++i) {
        for (std::uint32_t rank = 0; rank < 3; ++rank) {
          ranks.Use(rank);
          auto inputs = List(Second::At({2}, from[rank]->address(), 8));
          auto outputs = List(Second::At({2}, to[rank]->address(), 8));
          ASSERT_GE_OK(sessions[rank]->RunGraphWithStreamAsync(0, ranks.stream(rank), inputs, outputs));
        }
      }
      ranks.Synchronize();
      for (const auto& each : to)
        EXPECT_THAT(each->Read(), ElementsAre(300, 303));
    }
    EXPECT_OK(aclFinalize());
  });
}

TEST(HcclGraphs, NameTheGroupThatIsMissing) {
  const Engine engine;
  ge::Session session{GeOptions{}};
  const auto x = FloatData("x", 0, {2});
  const auto sum =
      ge::op::HcomAllReduce("sum").set_input_x(x).set_attr_reduction("sum").set_attr_group("nobody");
  ASSERT_GE_OK(session.AddGraph(0, ge::Graph("g").SetInputs({x}).SetOutputs(Operators{sum})));
  std::vector<ge::Tensor> outputs;
  EXPECT_NE(session.RunGraph(0, {FloatTensor({1, 2})}, outputs), ge::SUCCESS);
  EXPECT_THAT(GraphError(), HasSubstr("nobody"));
}

TEST(HcclGraphs, AreRefusedWithOptionsThatCannotBe) {
  InChild({}, [] {
    const std::string table = Table(2);
    GeOptions options = JobOptions(table, 0);
    options["ge.exec.rankId"] = "first";
    EXPECT_NE(ge::GEInitialize(options), ge::SUCCESS);
    EXPECT_THAT(GraphError(), AllOf(HasSubstr("ge.exec.rankId"), HasSubstr("first")));
    options["ge.exec.rankId"] = "2";
    EXPECT_NE(ge::GEInitialize(options), ge::SUCCESS);
    const std::string none = "no table";
    options = JobOptions(none, 0);
    EXPECT_NE(ge::GEInitialize(options), ge::SUCCESS);
    EXPECT_GE_OK(ge::GEInitialize(GeOptions{}));
    EXPECT_GE_OK(ge::GEFinalize());
    ForgetMessages();
  });
}

}  // namespace
