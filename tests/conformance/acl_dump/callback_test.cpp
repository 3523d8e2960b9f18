// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// acldumpRegCallback and acldumpUnregCallback: the sequences programs use, and callbacks that misbehave.
#include <atomic>
#include <stdexcept>
#include <thread>

#include "conformance/acl_dump/dump_fixture.h"

namespace {

TEST(DumpCallback, GetsAllOutputsBetweenInitAndFinalize) {
  Session session;
  Receiving receiving;
  ASSERT_OK(aclmdlInitDump());
  {
    const LoadedModel model(DoubleModel());
    EXPECT_EQ(RunOnce(model, 3), Floats(kCount, 8));
    const auto files = Received::Get().files();
    EXPECT_EQ(files.size(), 2u);
    EXPECT_TRUE(Received::Get().AllComplete());
    EXPECT_EQ(DumpParts(FileOf(files, "Add.sum.")).AsFloats(), Floats(kCount, 4));
    EXPECT_EQ(DumpParts(FileOf(files, "Mul.product.")).AsFloats(), Floats(kCount, 8));
  }
  EXPECT_OK(aclmdlFinalizeDump());
}

TEST(DumpCallback, MayBeRegisteredBeforeOrAfterInitDump) {
  Session session;
  ASSERT_OK(aclmdlInitDump());
  {
    Receiving receiving;
    const LoadedModel model(DoubleModel());
    RunOnce(model, 1);
    EXPECT_EQ(Received::Get().files().size(), 2u);
  }
  EXPECT_OK(aclmdlFinalizeDump());
}

TEST(DumpCallback, TakesThePlaceOfTheFilesOfAclInit) {
  const DumpFile config(R"("dump_list": [{}])");
  ASSERT_OK(aclInit(config.path()));
  ASSERT_OK(aclrtSetDevice(0));
  {
    const LoadedModel model(DoubleModel());
    {
      Receiving receiving;
      RunOnce(model, 1);
      EXPECT_EQ(Received::Get().files().size(), 2u);
      EXPECT_TRUE(config.Files().empty()) << "with a callback nothing is written";
      EXPECT_THAT(Received::Get().files().begin()->first, testing::StartsWith(config.directory() + "/"));
    }
    RunOnce(model, 1);
    EXPECT_EQ(Received::Get().files().size(), 2u) << "it was unregistered";
    EXPECT_EQ(config.Files().size(), 2u) << "then dumps go to the disk";
  }
  EXPECT_OK(aclrtResetDeviceForce(0));
  EXPECT_OK(aclFinalize());
}

TEST(DumpCallback, GetsTheSameBytesAsAFile) {
  Session session;
  const DumpFile config(R"("dump_list": [{}], "dump_mode": "all")");
  ASSERT_OK(aclmdlInitDump());
  ASSERT_OK(aclmdlSetDump(config.path()));
  {
    const LoadedModel model(DoubleModel());
    RunOnce(model, 5);
    Receiving receiving;
    RunOnce(model, 5);
    for (const char* name : {"Add.sum.", "Mul.product."})
      EXPECT_EQ(DumpParts(FileOf(Received::Get().files(), name)).tensors,
                DumpParts(FileOf(config.Files(), name)).tensors);
  }
  EXPECT_OK(aclmdlFinalizeDump());
}

// y = x + 1 with 3 MB of data.
ge::Graph LargeGraph() {
  return AddGraphOf({3, 1 << 18}, 1, "large");
}

TEST(DumpCallback, GetsLargeTensorsInPieces) {
  Session session;
  Receiving receiving;
  ASSERT_OK(aclmdlInitDump());
  {
    const LoadedModel model(BuildModel(LargeGraph()));
    Floats values(3 << 18);
    for (size_t i = 0; i < values.size(); ++i)
      values[i] = static_cast<float>(i);
    DeviceSet inputs, outputs;
    inputs.Add(values);
    outputs.Add(values.size() * sizeof(float));
    ASSERT_OK(aclmdlExecute(model.id(), inputs.get(), outputs.get()));
    EXPECT_GT(Received::Get().pieces(), 3u);
    EXPECT_TRUE(Received::Get().AllComplete());
    EXPECT_EQ(DumpParts(FileOf(Received::Get().files(), "Add.sum.")).AsFloats(),
              outputs.Read(0, values.size()));
  }
  EXPECT_OK(aclmdlFinalizeDump());
}

TEST(DumpCallback, HasAllPiecesOfARunBeforeItsStreamIsSynchronised) {
  Session session;
  Receiving receiving;
  ASSERT_OK(aclmdlInitDump());
  {
    const LoadedModel model(DoubleModel());
    const aclrtStream stream = session.Stream();
    DeviceSet inputs, outputs;
    inputs.Add(Floats(kCount, 1));
    outputs.Add(kBytes);
    ASSERT_OK(aclmdlExecuteAsync(model.id(), inputs.get(), outputs.get(), stream));
    ASSERT_OK(aclmdlExecuteAsync(model.id(), inputs.get(), outputs.get(), stream));
    ASSERT_OK(aclrtSynchronizeStream(stream));
    EXPECT_EQ(Received::Get().files().size(), 4u);
    EXPECT_TRUE(Received::Get().AllComplete());
  }
  EXPECT_OK(aclmdlFinalizeDump());
}

TEST(DumpCallback, MayBeCalledBySeveralThreads) {
  Session session;
  Receiving receiving;
  ASSERT_OK(aclmdlInitDump());
  {
    const ge::ModelBufferData bytes = DoubleModel();
    const LoadedModel first(bytes), second(bytes);
    std::thread other([&] {
      EXPECT_OK(aclrtSetCurrentContext(session.context()));
      for (int i = 0; i < 20; ++i)
        RunOnce(second, 2);
    });
    for (int i = 0; i < 20; ++i)
      RunOnce(first, 1);
    other.join();
    EXPECT_EQ(Received::Get().files().size(), 80u);
    EXPECT_TRUE(Received::Get().AllComplete());
  }
  EXPECT_OK(aclmdlFinalizeDump());
}

std::atomic<int> calls{0};
int32_t Refuse(const acldumpChunk*, int32_t) {
  ++calls;
  return 7;
}
int32_t Throw(const acldumpChunk*, int32_t) {
  ++calls;
  throw std::runtime_error("no room");
}
int32_t Leave(const acldumpChunk*, int32_t) {
  ++calls;
  acldumpUnregCallback();
  return 0;
}

int CallsOf(int32_t (*callback)(const acldumpChunk*, int32_t), const ge::Graph& graph, size_t count) {
  calls = 0;
  Receiving receiving(callback);
  EXPECT_OK(aclmdlInitDump());
  {
    const LoadedModel model(BuildModel(graph));
    DeviceSet inputs, outputs;
    inputs.Add(Floats(count, 1));
    outputs.Add(count * sizeof(float));
    EXPECT_OK(aclmdlExecute(model.id(), inputs.get(), outputs.get())) << "the run itself is fine";
    EXPECT_EQ(outputs.Read(0, 1), Floats(1, 2));
  }
  EXPECT_OK(aclmdlFinalizeDump());
  return calls;
}

TEST(DumpCallback, ThatAnswersAnErrorGetsNoMoreOfThatFile) {
  Session session;
  EXPECT_EQ(CallsOf(Refuse, LargeGraph(), 3 << 18), 1);
}

TEST(DumpCallback, ThatThrowsIsTreatedAsOneThatAnswersAnError) {
  Session session;
  EXPECT_EQ(CallsOf(Throw, LargeGraph(), 3 << 18), 1);
}

TEST(DumpCallback, MayUnregisterItself) {
  Session session;
  EXPECT_EQ(CallsOf(Leave, LargeGraph(), 3 << 18), 1);
}

Gate* held = nullptr;
int32_t Hold(const acldumpChunk*, int32_t) {
  ++calls;
  EXPECT_TRUE(held->Wait());
  return 0;
}

TEST(DumpCallback, IsOverWhenItIsUnregistered) {
  Session session;
  Gate gate;
  held = &gate;
  calls = 0;
  ASSERT_OK(acldumpRegCallback(Hold, 0));
  ASSERT_OK(aclmdlInitDump());
  {
    const LoadedModel model(BuildModel(AddGraphOf({kCount}, 1)));
    std::thread run([&] {
      EXPECT_OK(aclrtSetCurrentContext(session.context()));
      EXPECT_EQ(RunOnce(model, 1), Floats(kCount, 2));
    });
    ASSERT_TRUE(gate.Reached());
    std::atomic<bool> open{false};
    std::thread opener([&] {
      open = true;
      gate.Open();
    });
    acldumpUnregCallback();
    EXPECT_TRUE(open) << "a call that goes on is waited for";
    opener.join();
    run.join();
    EXPECT_EQ(calls, 1);
  }
  EXPECT_OK(aclmdlFinalizeDump());
}

const LoadedModel* inner_model = nullptr;
aclError own_run = ACL_SUCCESS, inner_result = ACL_ERROR_FAILURE;
uint32_t own_id = 0;
aclmdlDataset *inner_in = nullptr, *inner_out = nullptr;
int32_t RunOthers(const acldumpChunk*, int32_t) {
  if (calls++ > 0) return 0;
  own_run = aclmdlExecute(own_id, inner_in, inner_out);
  inner_result = aclmdlExecute(inner_model->id(), inner_in, inner_out);
  return 0;
}

TEST(DumpCallback, MayRunOtherModelsButNotTheOneItIsCalledBy) {
  Session session;
  const ge::ModelBufferData bytes = BuildModel(AddGraphOf({kCount}, 1));
  const LoadedModel other(bytes);  // before InitDump, so it is not dumped
  DeviceSet inputs, outputs;
  inputs.Add(Floats(kCount, 1));
  outputs.Add(kBytes);
  inner_model = &other;
  inner_in = inputs.get();
  inner_out = outputs.get();
  calls = 0;
  Receiving receiving(RunOthers);
  ASSERT_OK(aclmdlInitDump());
  {
    const LoadedModel model(bytes);
    own_id = model.id();
    EXPECT_EQ(RunOnce(model, 1), Floats(kCount, 2));
    EXPECT_EQ(own_run, ACL_ERROR_GE_PARAM_INVALID);
    EXPECT_EQ(inner_result, ACL_SUCCESS);
    EXPECT_EQ(calls, 1) << "what the other run computes is not dumped";
  }
  RecentError();
  EXPECT_OK(aclmdlFinalizeDump());
}

TEST(DumpCallback, MustBeAFunctionAndAloneTakeTheData) {
  EXPECT_FAILS_WITH(ACL_ERROR_INVALID_PARAM, "messageCallback", acldumpRegCallback(nullptr, 0));
  EXPECT_FAILS_WITH(ACL_ERROR_INVALID_PARAM, "flag is 1", acldumpRegCallback(Received::Take, 1));
  acldumpUnregCallback();  // nothing was registered, which is no fault
}

}  // namespace
