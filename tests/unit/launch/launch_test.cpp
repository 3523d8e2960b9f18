// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Runs of graphs, models and operators as tasks: what they say they touch, and that a copy of one does the
// same again, checks its memory again, and keeps what it needs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "acl/acl_mdl.h"
#include "acl/acl_op.h"
#include "acl/acl_op_compiler.h"
#include "device/device_memory.h"
#include "ge/ge_api.h"
#include "ge/ge_ir_build.h"
#include "graph/operator_factory.h"
#include "unit/device/stored_tasks.h"

namespace foothold {
namespace {

using testing::ElementsAre;
using Options = std::map<ge::AscendString, ge::AscendString>;

constexpr std::int64_t kCount = 3;
constexpr std::size_t kBytes = kCount * sizeof(float);

ge::Operator Data(const char* name, std::int64_t index) {
  const ge::TensorDesc desc(ge::Shape({kCount}), ge::FORMAT_ND, ge::DT_FLOAT);
  ge::Operator data = ge::OperatorFactory::CreateOperator(name, "Data");
  data.SetAttr("index", index);
  data.UpdateInputDesc("x", desc);
  data.UpdateOutputDesc("y", desc);
  return data;
}

// y = a - b; with several steps it takes work memory besides.
ge::Graph Difference() {
  const ge::Operator a = Data("a", 0), b = Data("b", 1);
  ge::Operator sub = ge::OperatorFactory::CreateOperator("sub", "Sub");
  sub.SetInput("x1", a, "y").SetInput("x2", b, "y");
  ge::Graph graph("difference");
  graph.SetInputs({a, b}).SetOutputs(std::vector<ge::Operator>{sub});
  return graph;
}

class Launches : public TaskAccesses {
 protected:
  aclrtStream StoredHandle() { return const_cast<void*>(Stored().handle); }
  // The queued task computes y = a - b.
  void ExpectDifference(MemoryRole of_inputs = MemoryRole::kData, MemoryRole of_output = MemoryRole::kData) {
    const auto as = [](Access access, MemoryRole role) {
      access.role = role;
      return access;
    };
    EXPECT_THAT(Accesses(), ElementsAre(as(Reads(a, kBytes), of_inputs), as(Reads(b, kBytes), of_inputs),
                                        as(Writes(y, kBytes), of_output)));
    RunTwice([&] {
      EXPECT_THAT(Read(y, kCount), ElementsAre(9, 18, 27));
      Write(a, {1, 2, 3});
    });
    EXPECT_THAT(Read(y, kCount), ElementsAre(0, 0, 0));
  }
  // Memory that is gone when a copy of the task runs.
  void ExpectFreedMemoryIsSeen(const char* name) {
    const auto copy = std::make_shared<Copied>(Queued());
    FreeDevicePointer(b, "aclrtFree");
    live_.Push("test", Replay(copy));
    try {
      live_->Synchronize(kForever);
      ADD_FAILURE() << "the run has used memory that was freed";
    } catch (const Error& error) {
      EXPECT_THAT(error.message(), testing::HasSubstr(name));
    }
  }

  float* const a = OnDevice<float>({10, 20, 30});
  float* const b = OnDevice<float>({1, 2, 3});
  float* const y = OnDevice<float>({0, 0, 0});
};

class OperatorLaunch : public Launches {
 protected:
  void Queue() {
    aclTensorDesc* descs[] = {desc_, desc_};
    aclDataBuffer* in[] = {aclCreateDataBuffer(a, kBytes), aclCreateDataBuffer(b, kBytes)};
    aclDataBuffer* out[] = {aclCreateDataBuffer(y, kBytes)};
    ASSERT_EQ(aclopCompileAndExecuteV2("Sub", 2, descs, in, 1, descs, out, nullptr, ACL_ENGINE_SYS,
                                       ACL_COMPILE_SYS, nullptr, StoredHandle()),
              ACL_SUCCESS);
    for (aclDataBuffer* buffer : {in[0], in[1], out[0]})
      aclDestroyDataBuffer(buffer);
  }
  ~OperatorLaunch() override { aclDestroyTensorDesc(desc_); }

  aclTensorDesc* const desc_ = aclCreateTensorDesc(ACL_FLOAT, 1, &kCount, ACL_FORMAT_ND);
};

TEST_F(OperatorLaunch, DoesTheSameAgain) {
  Queue();
  ExpectDifference();
}

TEST_F(OperatorLaunch, SeesMemoryThatWasFreed) {
  Queue();
  ExpectFreedMemoryIsSeen("input 1");
}

class ModelLaunch : public Launches {
 protected:
  void SetUp() override {
    ge::ModelBufferData built;
    Options none;
    ASSERT_EQ(ge::aclgrphBuildInitialize(none), ge::GRAPH_SUCCESS);
    ASSERT_EQ(ge::aclgrphBuildModel(Difference(), Options{}, built), ge::GRAPH_SUCCESS);
    ge::aclgrphBuildFinalize();
    ASSERT_EQ(aclmdlLoadFromMem(built.data.get(), built.length, &model_), ACL_SUCCESS);
  }
  void TearDown() override {
    stored_->ClearPersistent(nullptr);
    aclmdlUnload(model_);
  }
  void Queue() {
    aclmdlDataset* const in = aclmdlCreateDataset();
    aclmdlDataset* const out = aclmdlCreateDataset();
    for (float* const one : {a, b})
      aclmdlAddDatasetBuffer(in, aclCreateDataBuffer(one, kBytes));
    aclmdlAddDatasetBuffer(out, aclCreateDataBuffer(y, kBytes));
    ASSERT_EQ(aclmdlExecuteAsync(model_, in, out, StoredHandle()), ACL_SUCCESS) << aclGetRecentErrMsg();
    for (aclmdlDataset* const set : {in, out}) {
      for (std::size_t i = 0; i < aclmdlGetDatasetNumBuffers(set); ++i)
        aclDestroyDataBuffer(aclmdlGetDatasetBuffer(set, i));
      aclmdlDestroyDataset(set);
    }
  }

  std::uint32_t model_ = 0;
};

TEST_F(ModelLaunch, DoesTheSameAgain) {
  Queue();
  ExpectDifference();
}

TEST_F(ModelLaunch, SeesMemoryThatWasFreed) {
  Queue();
  ExpectFreedMemoryIsSeen("input 1 ('b') of model");
}

TEST_F(ModelLaunch, KeepsAModelThatIsUnloaded) {
  Queue();
  EXPECT_EQ(aclmdlUnload(model_), ACL_SUCCESS);
  ExpectDifference();
}

class GraphLaunch : public Launches {
 protected:
  void SetUp() override {
    ASSERT_EQ(ge::GEInitialize(Options{}), ge::SUCCESS);
    graphs_ = std::make_unique<ge::Session>(Options{});
    ASSERT_EQ(graphs_->AddGraph(1, Difference()), ge::SUCCESS);
  }
  void TearDown() override {
    stored_->ClearPersistent(nullptr);
    graphs_.reset();
    ge::GEFinalize();
  }
  static ge::Tensor On(float* memory) {
    ge::TensorDesc desc(ge::Shape({kCount}), ge::FORMAT_ND, ge::DT_FLOAT);
    desc.SetPlacement(ge::kPlacementDevice);
    ge::Tensor tensor(desc);
    tensor.SetData(reinterpret_cast<std::uint8_t*>(memory), kBytes, [](std::uint8_t*) {});
    return tensor;
  }
  void Queue() {
    std::vector<ge::Tensor> outputs{On(y)};
    ASSERT_EQ(graphs_->RunGraphWithStreamAsync(1, StoredHandle(), {On(a), On(b)}, outputs), ge::SUCCESS)
        << ge::GEGetErrorMsgV2().GetString();
  }

  std::unique_ptr<ge::Session> graphs_;
};

TEST_F(GraphLaunch, DoesTheSameAgain) {
  Queue();
  ExpectDifference(MemoryRole::kGraphInput, MemoryRole::kGraphOutput);
}

TEST_F(GraphLaunch, SeesMemoryThatWasFreed) {
  Queue();
  ExpectFreedMemoryIsSeen("input 1 ('b') of graph 1");
}

}  // namespace
}  // namespace foothold
