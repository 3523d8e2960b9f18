// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "conformance/acl_mdl/model_fixture.h"

namespace {

const Dims kDims = {1024};
const size_t kCount = 1024, kBytes = kCount * sizeof(float);

struct Sets {
  explicit Sets(float x) {
    inputs.Add(Floats(kCount, x));
    outputs.Add(kBytes);
  }
  Floats Result() const { return outputs.Read(0, kCount); }
  DeviceSet inputs, outputs;
};

TEST(Dataset, KeepsBuffersInOrder) {
  Session session;
  aclmdlDataset* set = aclmdlCreateDataset();
  ASSERT_NE(set, nullptr);
  EXPECT_EQ(aclmdlGetDatasetNumBuffers(set), 0u);
  aclDataBuffer* first = aclCreateDataBuffer(nullptr, 0);
  aclDataBuffer* second = aclCreateDataBuffer(nullptr, 0);
  EXPECT_OK(aclmdlAddDatasetBuffer(set, first));
  EXPECT_OK(aclmdlAddDatasetBuffer(set, second));
  EXPECT_EQ(aclmdlGetDatasetNumBuffers(set), 2u);
  EXPECT_EQ(aclmdlGetDatasetBuffer(set, 1), second);
  EXPECT_EQ(aclmdlGetDatasetBuffer(set, 2), nullptr);
  EXPECT_EQ(aclmdlGetDatasetTensorDesc(set, 0), nullptr);
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclmdlAddDatasetBuffer(set, nullptr));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclmdlAddDatasetBuffer(nullptr, first));
  EXPECT_OK(aclmdlDestroyDataset(set));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclmdlDestroyDataset(set));
  EXPECT_EQ(aclmdlGetDatasetNumBuffers(set), 0u);
  EXPECT_OK(aclDestroyDataBuffer(first));  // the data set did not own them
  EXPECT_OK(aclDestroyDataBuffer(second));
}

TEST(ModelExecute, AllocatesOutputsThatHaveNoMemory) {
  Session session;
  const LoadedModel model(BuildModel(ScaleGraph(kDims, 2)));
  DeviceSet inputs, outputs;
  inputs.Add(Floats(kCount, 1));
  outputs.AddBuffer(nullptr, 0);
  ASSERT_OK(aclmdlExecute(model.id(), inputs.get(), outputs.get()));
  EXPECT_EQ(aclGetDataBufferSizeV2(outputs.buffer(0)), kBytes);
  EXPECT_EQ(outputs.Read(0, kCount), Floats(kCount, 4));
}

TEST(ModelExecute, UsesWhatWasComputedWhenItWasBuilt) {
  Session session;
  const ge::op::Data x = FloatData("x", 0, {2});
  const ge::op::Const one = FloatConst("one", {2}, {1, 2});
  const ge::op::Add twice = ge::op::Add("twice").set_input_x1(one).set_input_x2(one);
  const ge::op::Add sum = ge::op::Add("sum").set_input_x1(x).set_input_x2(twice);
  const ge::Graph graph = ge::Graph("g").SetInputs({x}).SetOutputs(std::vector<ge::Operator>{sum});
  const LoadedModel model(BuildModel(graph));
  DeviceSet inputs, outputs;
  inputs.Add(Floats{10, 20});
  outputs.AddBuffer(nullptr, 0);
  ASSERT_OK(aclmdlExecute(model.id(), inputs.get(), outputs.get()));
  EXPECT_EQ(outputs.Read(0, 2), (Floats{12, 24}));
}

TEST(ModelExecute, AcceptsBuffersThatAreTooLarge) {
  Session session;
  const LoadedModel model(BuildModel(ScaleGraph(kDims, 2)));
  DeviceSet inputs, outputs;
  inputs.Add(Floats(kCount + 5, 1));
  outputs.Add(kBytes + 100);
  ASSERT_OK(aclmdlExecute(model.id(), inputs.get(), outputs.get()));
  EXPECT_EQ(outputs.Read(0, kCount), Floats(kCount, 4));
}

// Kernels write outputs before they have read all inputs.
TEST(ModelExecute, IsRightWhereAnOutputLiesInAnInput) {
  Session session;
  const ge::op::Data x = FloatData("x", 0, {2, 512}), z = FloatData("z", 1, {2, 512});
  const ge::op::Sub sub = ge::op::Sub("sub").set_input_x1(x).set_input_x2(z);
  const ge::op::Mul mul = ge::op::Mul("mul").set_input_x1(sub).set_input_x2(z);
  const LoadedModel model(
      BuildModel(ge::Graph("g").SetInputs({x, z}).SetOutputs(std::vector<ge::Operator>{sub, mul})));
  Floats values(2048);
  for (size_t i = 0; i < values.size(); ++i)
    values[i] = static_cast<float>(i % 7);
  // Both inputs and both outputs in one piece of memory, shifted against each other.
  DeviceSet all, inputs, outputs;
  all.Add(values);
  char* const memory = static_cast<char*>(aclGetDataBufferAddr(all.buffer(0)));
  const std::vector<char*> places{memory, memory + 4 * 1024, memory + 4 * 64, memory + 4 * 1088};
  aclmdlDataset* const in = aclmdlCreateDataset();
  aclmdlDataset* const out = aclmdlCreateDataset();
  std::vector<aclDataBuffer*> buffers;
  for (size_t i = 0; i < places.size(); ++i) {
    buffers.push_back(aclCreateDataBuffer(places[i], 4096 - (i == 3 ? 256 : 0)));
    ASSERT_OK(aclmdlAddDatasetBuffer(i < 2 ? in : out, buffers.back()));
  }
  EXPECT_FAILS_WITH(ACL_ERROR_MODEL_OUTPUT_NOT_MATCH, "has 3840", aclmdlExecute(model.id(), in, out));
  ASSERT_OK(aclUpdateDataBuffer(buffers[3], memory + 4 * 1024, 4096));
  ASSERT_OK(aclmdlExecute(model.id(), in, out));
  const Floats found = all.Read(0, 2048);
  for (size_t i = 0; i < 1024; ++i) {
    const float difference = values[i] - values[1024 + i];
    if (i < 960) {  // the rest lies in the other output
      EXPECT_EQ(found[64 + i], difference) << i;
    }
    EXPECT_EQ(found[1024 + i], difference * values[1024 + i]) << i;
  }
  EXPECT_OK(aclmdlDestroyDataset(in));
  EXPECT_OK(aclmdlDestroyDataset(out));
  for (aclDataBuffer* buffer : buffers)
    EXPECT_OK(aclDestroyDataBuffer(buffer));
}

TEST(ModelExecute, SaysWhatIsWrongAndRunsTheNextTime) {
  Session session;
  const LoadedModel model(BuildModel(ScaleGraph(kDims, 2)));
  const uint32_t id = model.id();
  Sets good(1);
  aclmdlDataset *in = good.inputs.get(), *out = good.outputs.get();
  DeviceSet none, small, many, host;
  small.Add(kBytes - 4);
  many.Add(kBytes).Add(kBytes);
  std::vector<float> values(kCount);
  aclDataBuffer* buffer = aclCreateDataBuffer(values.data(), kBytes);
  aclmdlDataset* host_set = aclmdlCreateDataset();
  ASSERT_OK(aclmdlAddDatasetBuffer(host_set, buffer));
  EXPECT_FAILS_WITH(ACL_ERROR_MODEL_INPUT_NOT_MATCH, "0 buffers", aclmdlExecute(id, none.get(), out));
  EXPECT_FAILS_WITH(ACL_ERROR_MODEL_INPUT_NOT_MATCH, "2 buffers", aclmdlExecute(id, many.get(), out));
  EXPECT_FAILS_WITH(ACL_ERROR_MODEL_INPUT_NOT_MATCH, "has 4092", aclmdlExecute(id, small.get(), out));
  EXPECT_FAILS_WITH(ACL_ERROR_MODEL_INPUT_NOT_MATCH, "device memory", aclmdlExecute(id, host_set, out));
  EXPECT_FAILS_WITH(ACL_ERROR_MODEL_OUTPUT_NOT_MATCH, "0 buffers", aclmdlExecute(id, in, none.get()));
  EXPECT_FAILS_WITH(ACL_ERROR_MODEL_OUTPUT_NOT_MATCH, "has 4092", aclmdlExecute(id, in, small.get()));
  EXPECT_FAILS_WITH(ACL_ERROR_MODEL_OUTPUT_NOT_MATCH, "device memory", aclmdlExecute(id, in, host_set));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclmdlExecute(id, nullptr, out));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclmdlExecute(id, in, nullptr));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM,
               aclmdlExecute(id, reinterpret_cast<aclmdlDataset*>(uintptr_t{0x77777777}), out));
  EXPECT_FAILS_WITH(ACL_ERROR_GE_EXEC_MODEL_ID_INVALID, "4000000000", aclmdlExecute(4000000000u, in, out));
  EXPECT_OK(aclDestroyDataBuffer(buffer));
  EXPECT_FAILS_WITH(ACL_ERROR_MODEL_INPUT_NOT_MATCH, "destroyed", aclmdlExecute(id, host_set, out));
  EXPECT_OK(aclmdlDestroyDataset(host_set));
  ASSERT_OK(aclmdlExecute(id, in, out));
  EXPECT_EQ(good.Result(), Floats(kCount, 4));
}

TEST(ModelExecute, SeesMemoryThatWasFreed) {
  Session session;
  const LoadedModel model(BuildModel(ScaleGraph(kDims, 2)));
  Sets sets(1);
  void* memory = nullptr;
  ASSERT_OK(aclrtMalloc(&memory, kBytes, ACL_MEM_MALLOC_HUGE_FIRST));
  ASSERT_OK(aclrtFree(memory));
  aclDataBuffer* buffer = aclCreateDataBuffer(memory, kBytes);
  aclmdlDataset* freed = aclmdlCreateDataset();
  ASSERT_OK(aclmdlAddDatasetBuffer(freed, buffer));
  EXPECT_FAILS_WITH(ACL_ERROR_MODEL_INPUT_NOT_MATCH, "aclrtFree freed it",
                    aclmdlExecute(model.id(), freed, sets.outputs.get()));
  EXPECT_OK(aclmdlDestroyDataset(freed));
  EXPECT_OK(aclDestroyDataBuffer(buffer));
}

TEST(ModelExecute, IsRefusedAfterItsDeviceWasReset) {
  Session session;
  const LoadedModel model(BuildModel(ScaleGraph(kDims, 2)));
  EXPECT_OK(aclrtResetDeviceForce(0));
  EXPECT_OK(aclrtSetDevice(0));
  Sets sets(1);
  // Either it needs no memory of the device, or that is said to be gone.
  const aclError answer = aclmdlExecute(model.id(), sets.inputs.get(), sets.outputs.get());
  EXPECT_TRUE(answer == ACL_SUCCESS || RecentError().find("work memory") != std::string::npos) << answer;
}

TEST(ModelExecuteAsync, TakesItsTurnAmongCopiesAndCallbacks) {
  Session session;
  const LoadedModel model(BuildModel(ScaleGraph(kDims, 2)));
  const aclrtStream stream = session.Stream();
  Sets sets(0);
  void* pinned = nullptr;
  ASSERT_OK(aclrtMallocHost(&pinned, 2 * kBytes));
  auto* from = static_cast<float*>(pinned);
  float* to = from + kCount;
  std::fill_n(from, kCount, 5.0f);
  Gate gate;
  gate.Hold(stream);
  const auto address = [](const DeviceSet& set) { return aclGetDataBufferAddr(set.buffer(0)); };
  ASSERT_OK(aclrtMemcpyAsync(address(sets.inputs), kBytes, from, kBytes, ACL_MEMCPY_HOST_TO_DEVICE, stream));
  ASSERT_OK(aclmdlExecuteAsync(model.id(), sets.inputs.get(), sets.outputs.get(), stream));
  ASSERT_OK(aclrtMemcpyAsync(to, kBytes, address(sets.outputs), kBytes, ACL_MEMCPY_DEVICE_TO_HOST, stream));
  static float seen;
  seen = 0;
  ASSERT_OK(aclrtLaunchHostFunc(
      stream, [](void* result) { seen = *static_cast<float*>(result); }, to));
  gate.Open();
  ASSERT_OK(aclrtSynchronizeStream(stream));
  EXPECT_EQ(Floats(to, to + kCount), Floats(kCount, 12));
  EXPECT_EQ(seen, 12);
  EXPECT_OK(aclrtFreeHost(pinned));
}

TEST(ModelExecuteAsync, QueuesManyRunsOfOneModel) {
  Session session;
  const LoadedModel model(BuildModel(ScaleGraph(kDims, 2)));
  const aclrtStream stream = session.Stream();
  std::vector<std::unique_ptr<Sets>> all;
  for (int i = 0; i < 100; ++i)
    all.push_back(std::make_unique<Sets>(static_cast<float>(i)));
  for (const auto& sets : all)
    ASSERT_OK(aclmdlExecuteAsync(model.id(), sets->inputs.get(), sets->outputs.get(), stream));
  ASSERT_OK(aclrtSynchronizeStream(stream));
  for (size_t i = 0; i < all.size(); ++i)
    EXPECT_EQ(all[i]->Result(), Floats(kCount, 2 * (static_cast<float>(i) + 1)));
}

TEST(ModelExecuteAsync, IsCapturedAndRunAgain) {
  Session session;
  auto model = std::make_unique<LoadedModel>(BuildModel(ScaleGraph(kDims, 2)));
  const aclrtStream stream = session.Stream(), other = session.Stream();
  Sets sets(3), direct(5);
  aclmdlRI instance = nullptr;
  ASSERT_OK(aclmdlRICaptureBegin(stream, ACL_MODEL_RI_CAPTURE_MODE_GLOBAL));
  ASSERT_OK(aclmdlExecuteAsync(model->id(), sets.inputs.get(), sets.outputs.get(), stream));
  ASSERT_OK(aclmdlRICaptureEnd(stream, &instance));
  for (int i = 0; i < 2; ++i) {
    ASSERT_OK(aclmdlRIExecuteAsync(instance, stream));
    ASSERT_OK(aclmdlExecuteAsync(model->id(), direct.inputs.get(), direct.outputs.get(), other));
    ASSERT_OK(aclrtSynchronizeStream(stream));
    ASSERT_OK(aclrtSynchronizeStream(other));
    EXPECT_EQ(sets.Result(), Floats(kCount, 8));
    EXPECT_EQ(direct.Result(), Floats(kCount, 12));
  }
  model.reset();  // the captured run keeps what it needs
  ASSERT_OK(aclmdlRIExecuteAsync(instance, stream));
  ASSERT_OK(aclrtSynchronizeStream(stream));
  ASSERT_OK(aclmdlRIDestroy(instance));
}

TEST(ModelExecuteAsync, RunsOnTheDefaultStream) {
  Session session;
  const LoadedModel model(BuildModel(ScaleGraph(kDims, 2)));
  Sets sets(1);
  ASSERT_OK(aclmdlExecuteAsync(model.id(), sets.inputs.get(), sets.outputs.get(), nullptr));
  ASSERT_OK(aclrtSynchronizeStream(nullptr));
  EXPECT_EQ(sets.Result(), Floats(kCount, 4));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM,
               aclmdlExecuteAsyncV2(model.id(), sets.inputs.get(), sets.outputs.get(), nullptr, nullptr));
}

TEST(ModelExecuteAsync, DoesNotRunOneLoadOnTwoStreamsAtOnce) {
  Session session;
  const LoadedModel model(BuildModel(ScaleGraph(kDims, 2)));
  const aclrtStream first = session.Stream(), second = session.Stream();
  Sets sets(1), others(2);
  Gate gate;
  gate.Hold(first);
  ASSERT_OK(aclmdlExecuteAsync(model.id(), sets.inputs.get(), sets.outputs.get(), first));
  EXPECT_FAILS_WITH(ACL_ERROR_GE_PARAM_INVALID, "another stream",
                    aclmdlExecuteAsync(model.id(), others.inputs.get(), others.outputs.get(), second));
  gate.Open();
  ASSERT_OK(aclrtSynchronizeStream(first));
  ASSERT_OK(aclmdlExecuteAsync(model.id(), others.inputs.get(), others.outputs.get(), second));
  ASSERT_OK(aclrtSynchronizeStream(second));
  EXPECT_EQ(sets.Result(), Floats(kCount, 4));
  EXPECT_EQ(others.Result(), Floats(kCount, 6));
}

TEST(ModelExecuteAsync, NeedsNoDatasetAndNoModelOnceItIsQueued) {
  Session session;
  LoadedModel model(BuildModel(ScaleGraph(kDims, 2)));
  const aclrtStream stream = session.Stream();
  Sets sets(1);
  aclmdlDataset *in = aclmdlCreateDataset(), *out = aclmdlCreateDataset();
  ASSERT_OK(aclmdlAddDatasetBuffer(in, sets.inputs.buffer(0)));
  ASSERT_OK(aclmdlAddDatasetBuffer(out, sets.outputs.buffer(0)));
  Gate gate;
  gate.Hold(stream);
  ASSERT_OK(aclmdlExecuteAsync(model.id(), in, out, stream));
  EXPECT_OK(aclmdlDestroyDataset(in));
  EXPECT_OK(aclmdlDestroyDataset(out));
  EXPECT_OK(aclmdlUnload(model.id()));
  model.Forget();
  gate.Open();
  ASSERT_OK(aclrtSynchronizeStream(stream));
  EXPECT_EQ(sets.Result(), Floats(kCount, 4));
}

TEST(ModelExecuteAsync, ReportsMemoryThatWentAwayAtTheNextSynchronisation) {
  Session session;
  const LoadedModel model(BuildModel(ScaleGraph(kDims, 2)));
  const aclrtStream stream = session.Stream();
  Sets sets(1);
  void* memory = nullptr;
  ASSERT_OK(aclrtMalloc(&memory, kBytes, ACL_MEM_MALLOC_HUGE_FIRST));
  aclDataBuffer* buffer = aclCreateDataBuffer(memory, kBytes);
  aclmdlDataset* lost = aclmdlCreateDataset();
  ASSERT_OK(aclmdlAddDatasetBuffer(lost, buffer));
  Gate gate;
  gate.Hold(stream);
  ASSERT_OK(aclmdlExecuteAsync(model.id(), lost, sets.outputs.get(), stream));
  ASSERT_OK(aclrtFree(memory));
  gate.Open();
  EXPECT_FAILS_WITH(ACL_ERROR_RT_SYS_DMA, "'x'", aclrtSynchronizeStream(stream));
  EXPECT_OK(aclmdlDestroyDataset(lost));
  EXPECT_OK(aclDestroyDataBuffer(buffer));
  ASSERT_OK(aclmdlExecute(model.id(), sets.inputs.get(), sets.outputs.get()));
  EXPECT_EQ(sets.Result(), Floats(kCount, 4));
}

TEST(ModelExecuteV2, WaitsNoLongerThanItWasTold) {
  Session session;
  const LoadedModel model(BuildModel(ScaleGraph(kDims, 2)));
  const aclrtStream stream = session.Stream();
  Sets sets(1);
  ASSERT_OK(aclmdlExecuteV2(model.id(), sets.inputs.get(), sets.outputs.get(), stream, nullptr));
  EXPECT_EQ(sets.Result(), Floats(kCount, 4));
  aclmdlExecConfigHandle* config = aclmdlCreateExecConfigHandle();
  int32_t timeout = 5;
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM,
               aclmdlSetExecConfigOpt(config, ACL_MDL_STREAM_SYNC_TIMEOUT, &timeout, 8));
  EXPECT_FAILS(ACL_ERROR_FEATURE_UNSUPPORTED,
               aclmdlSetExecConfigOpt(config, ACL_MDL_WORK_ADDR_PTR, &timeout, 4));
  EXPECT_OK(aclmdlSetExecConfigOpt(config, ACL_MDL_STREAM_SYNC_TIMEOUT, &timeout, sizeof timeout));
  Gate gate;
  gate.Hold(stream);
  EXPECT_FAILS_WITH(ACL_ERROR_RT_STREAM_SYNC_TIMEOUT, "5 ms",
                    aclmdlExecuteV2(model.id(), sets.inputs.get(), sets.outputs.get(), stream, config));
  gate.Open();
  ASSERT_OK(aclrtSynchronizeStream(stream));
  ASSERT_OK(aclmdlExecuteAsyncV2(model.id(), sets.inputs.get(), sets.outputs.get(), stream, config));
  ASSERT_OK(aclrtSynchronizeStream(stream));
  EXPECT_OK(aclmdlDestroyExecConfigHandle(config));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclmdlDestroyExecConfigHandle(config));
}

TEST(ModelExecute, SerialisesThreads) {
  Session session;
  const LoadedModel model(BuildModel(ScaleGraph(kDims, 2)));
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&, i] {
      EXPECT_OK(aclrtSetCurrentContext(session.context()));
      Sets sets(static_cast<float>(i));
      for (int run = 0; run < 20; ++run)
        EXPECT_OK(aclmdlExecute(model.id(), sets.inputs.get(), sets.outputs.get()));
      EXPECT_EQ(sets.Result(), Floats(kCount, 2 * (static_cast<float>(i) + 1)));
    });
  for (std::thread& thread : threads)
    thread.join();
}

TEST(ModelExecute, NeedsAContextOfItsDevice) {
  InChild({{"FOOTHOLD_DEVICES", "2"}}, [] {
    Session session;
    const LoadedModel model(BuildModel(ScaleGraph(kDims, 2)));
    Sets sets(1);
    EXPECT_OK(aclrtSetDevice(1));
    EXPECT_FAILS_WITH(ACL_ERROR_RT_MODEL_CONTEXT, "device 0",
                      aclmdlExecute(model.id(), sets.inputs.get(), sets.outputs.get()));
    EXPECT_OK(aclrtSetCurrentContext(session.context()));
    EXPECT_OK(aclmdlExecute(model.id(), sets.inputs.get(), sets.outputs.get()));
  });
}

}  // namespace
