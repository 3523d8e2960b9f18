// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <algorithm>
#include <cstring>
#include <fstream>

#include "conformance/acl_mdl/model_fixture.h"
#include "conformance/config_file.h"
#include "matrix_calculation_ops.h"

namespace {

using ::testing::HasSubstr;

const Dims kDims = {2, 1024};
const size_t kCount = 2048;

Floats Expected(float x, float scale) {
  return Floats(kCount, (x + 1) * scale);
}

void RunsWith(uint32_t id, float x, float scale) {
  DeviceSet inputs, outputs;
  inputs.Add(Floats(kCount, x));
  outputs.Add(kCount * sizeof(float));
  ASSERT_OK(aclmdlExecute(id, inputs.get(), outputs.get()));
  EXPECT_EQ(outputs.Read(0, kCount), Expected(x, scale));
}

std::string Save(const TemporaryDirectory& directory, const ge::ModelBufferData& model) {
  const std::string path = directory.path() + "/model";
  EXPECT_EQ(ge::aclgrphSaveModel(path.c_str(), model), ge::GRAPH_SUCCESS);
  return path + ".om";
}

TEST(ModelLoad, RunsAModelFromMemoryThatIsFreedAtOnce) {
  Session session;
  uint32_t id = 0;
  {
    const ge::ModelBufferData model = BuildModel(ScaleGraph(kDims, 3));
    std::vector<uint8_t> copy(model.data.get(), model.data.get() + model.length);
    ASSERT_OK(aclmdlLoadFromMem(copy.data(), copy.size(), &id));
    std::fill(copy.begin(), copy.end(), 0xff);
  }
  RunsWith(id, 1, 3);
  EXPECT_OK(aclmdlUnload(id));
}

TEST(ModelLoad, RunsAModelFromAFile) {
  Session session;
  const TemporaryDirectory directory;
  const LoadedModel model(Save(directory, BuildModel(ScaleGraph(kDims, 2))));
  RunsWith(model.id(), 4, 2);
  RunsWith(model.id(), 5, 2);
}

TEST(ModelLoad, GivesEveryLoadAnIdOfItsOwn) {
  Session session;
  const ge::ModelBufferData bytes = BuildModel(ScaleGraph(kDims, 2));
  uint32_t first = 0;
  ASSERT_OK(aclmdlLoadFromMem(bytes.data.get(), bytes.length, &first));
  EXPECT_OK(aclmdlUnload(first));
  const LoadedModel second(bytes), third(bytes);
  EXPECT_NE(second.id(), first);
  EXPECT_NE(third.id(), second.id());
  EXPECT_FAILS_WITH(ACL_ERROR_GE_EXEC_MODEL_ID_INVALID, "it was unloaded", aclmdlUnload(first));
  EXPECT_FAILS_WITH(ACL_ERROR_GE_EXEC_MODEL_ID_INVALID, "no load has given", aclmdlUnload(4000000000u));
  RunsWith(second.id(), 1, 2);
}

TEST(ModelLoad, SaysWhatIsWrongWithAFile) {
  Session session;
  const TemporaryDirectory directory;
  uint32_t id = 0;
  EXPECT_FAILS_WITH(ACL_ERROR_GE_EXEC_MODEL_PATH_INVALID, "absent.om",
                    aclmdlLoadFromFile((directory.path() + "/absent.om").c_str(), &id));
  EXPECT_FAILS_WITH(ACL_ERROR_INVALID_PARAM, "null", aclmdlLoadFromFile(nullptr, &id));
  const std::string text = directory.path() + "/text.om";
  std::ofstream(text) << "no model";
  EXPECT_FAILS_WITH(ACL_ERROR_PARSE_MODEL, "text.om", aclmdlLoadFromFile(text.c_str(), &id));
  EXPECT_FAILS_WITH(ACL_ERROR_INVALID_PARAM, "modelId", aclmdlLoadFromFile(text.c_str(), nullptr));
  EXPECT_FAILS_WITH(ACL_ERROR_GE_EXEC_MODEL_DATA_SIZE_INVALID, "0 bytes", aclmdlLoadFromMem("x", 0, &id));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclmdlLoadFromMem(nullptr, 10, &id));
  const ge::ModelBufferData model = BuildModel(ScaleGraph(kDims, 2));
  EXPECT_FAILS_WITH(ACL_ERROR_GE_EXEC_MODEL_DATA_SIZE_INVALID, "cut off",
                    aclmdlLoadFromMem(model.data.get(), model.length - 1, &id));
  const LoadedModel good(model);
  RunsWith(good.id(), 1, 2);
}

TEST(ModelLoad, NeedsAContext) {
  EXPECT_OK(aclInit(nullptr));
  const ge::ModelBufferData model = BuildModel(ScaleGraph(kDims, 2));
  std::thread([&] {
    uint32_t id = 0;
    EXPECT_FAILS(ACL_ERROR_RT_CONTEXT_NULL, aclmdlLoadFromMem(model.data.get(), model.length, &id));
  }).join();
  EXPECT_OK(aclFinalize());
}

TEST(ModelLoad, UsesMemoryOfTheProgramThatIsAsLargeAsItSaid) {
  Session session;
  const TemporaryDirectory directory;
  const ge::ModelBufferData bytes = BuildModel(ScaleGraph(kDims, 5));
  const std::string path = Save(directory, bytes);
  size_t work = 0, weights = 0, work_again = 0, weights_again = 0;
  ASSERT_OK(aclmdlQuerySize(path.c_str(), &work, &weights));
  ASSERT_OK(aclmdlQuerySizeFromMem(bytes.data.get(), bytes.length, &work_again, &weights_again));
  EXPECT_EQ(work, work_again);
  EXPECT_EQ(weights, weights_again);
  EXPECT_GE(weights, 4096u);
  aclmdlExeOMDesc sizes;
  std::memset(&sizes, 1, sizeof(sizes));
  ASSERT_OK(aclmdlQueryExeOMDesc(path.c_str(), &sizes));
  EXPECT_EQ(sizes.workSize, work);
  EXPECT_EQ(sizes.weightSize, weights);
  EXPECT_EQ(sizes.modelDescSize + sizes.kernelSize + sizes.kernelArgsSize + sizes.staticTaskSize, 0u);
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclmdlQueryExeOMDesc(path.c_str(), nullptr));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclmdlQueryExeOMDesc(nullptr, &sizes));
  void *work_memory = nullptr, *weight_memory = nullptr;
  ASSERT_OK(aclrtMalloc(&work_memory, work, ACL_MEM_MALLOC_HUGE_FIRST));
  ASSERT_OK(aclrtMalloc(&weight_memory, weights, ACL_MEM_MALLOC_HUGE_FIRST));
  uint32_t first = 0, second = 0;
  ASSERT_OK(aclmdlLoadFromFileWithMem(path.c_str(), &first, work_memory, work, weight_memory, weights));
  ASSERT_OK(aclmdlLoadFromMemWithMem(bytes.data.get(), bytes.length, &second, work_memory, work,
                                     weight_memory, weights));
  RunsWith(first, 1, 5);
  RunsWith(second, 2, 5);
  // The weights are really read from there.
  ASSERT_OK(aclrtMemset(weight_memory, weights, 0, weights));
  DeviceSet inputs, outputs;
  inputs.Add(Floats(kCount, 1));
  outputs.Add(kCount * sizeof(float));
  ASSERT_OK(aclmdlExecute(first, inputs.get(), outputs.get()));
  EXPECT_EQ(outputs.Read(0, kCount), Floats(kCount, 0));
  EXPECT_OK(aclmdlUnload(first));
  // Memory that is gone is noticed.
  ASSERT_OK(aclrtFree(weight_memory));
  EXPECT_FAILS_WITH(ACL_ERROR_RT_SYS_DMA, "weightPtr", aclmdlExecute(second, inputs.get(), outputs.get()));
  EXPECT_OK(aclmdlUnload(second));
  EXPECT_OK(aclrtFree(work_memory));
}

TEST(ModelLoad, RefusesMemoryThatIsTooSmallOrNotTheDevices) {
  Session session;
  const ge::ModelBufferData bytes = BuildModel(ScaleGraph(kDims, 5));
  size_t work = 0, weights = 0;
  ASSERT_OK(aclmdlQuerySizeFromMem(bytes.data.get(), bytes.length, &work, &weights));
  void* memory = nullptr;
  ASSERT_OK(aclrtMalloc(&memory, weights, ACL_MEM_MALLOC_HUGE_FIRST));
  uint32_t id = 0;
  const auto load = [&](void* weight_memory, size_t size) {
    return aclmdlLoadFromMemWithMem(bytes.data.get(), bytes.length, &id, nullptr, 0, weight_memory, size);
  };
  EXPECT_FAILS_WITH(ACL_ERROR_GE_PARAM_INVALID, "weightPtr", load(memory, weights - 64));
  EXPECT_FAILS_WITH(ACL_ERROR_GE_PARAM_INVALID, "leave their allocation", load(memory, weights + 100000));
  std::vector<char> host(weights);
  EXPECT_FAILS_WITH(ACL_ERROR_GE_PARAM_INVALID, "device memory", load(host.data(), weights));
  ASSERT_OK(load(memory, weights));
  RunsWith(id, 1, 5);
  EXPECT_OK(aclmdlUnload(id));
}

TEST(ModelLoad, LoadsAsAConfigurationSays) {
  Session session;
  const TemporaryDirectory directory;
  const ge::ModelBufferData bytes = BuildModel(ScaleGraph(kDims, 7));
  const std::string path = Save(directory, bytes);
  aclmdlConfigHandle* handle = aclmdlCreateConfigHandle();
  ASSERT_NE(handle, nullptr);
  uint32_t id = 0;
  EXPECT_FAILS_WITH(ACL_ERROR_INVALID_PARAM, "ACL_MDL_LOAD_TYPE_SIZET", aclmdlLoadWithConfig(handle, &id));
  size_t type = ACL_MDL_LOAD_FROM_FILE;
  EXPECT_OK(aclmdlSetConfigOpt(handle, ACL_MDL_LOAD_TYPE_SIZET, &type, sizeof type));
  EXPECT_FAILS_WITH(ACL_ERROR_INVALID_PARAM, "ACL_MDL_PATH_PTR", aclmdlLoadWithConfig(handle, &id));
  const char* name = path.c_str();
  EXPECT_FAILS_WITH(ACL_ERROR_INVALID_PARAM, "valueSize is 3",
                    aclmdlSetConfigOpt(handle, ACL_MDL_PATH_PTR, &name, 3));
  EXPECT_OK(aclmdlSetConfigOpt(handle, ACL_MDL_PATH_PTR, &name, sizeof name));
  int32_t priority = 8;
  EXPECT_FAILS_WITH(ACL_ERROR_INVALID_PARAM, "not 8",
                    aclmdlSetConfigOpt(handle, ACL_MDL_PRIORITY_INT32, &priority, sizeof priority));
  priority = 3;
  EXPECT_OK(aclmdlSetConfigOpt(handle, ACL_MDL_PRIORITY_INT32, &priority, sizeof priority));
  ASSERT_OK(aclmdlLoadWithConfig(handle, &id));
  RunsWith(id, 1, 7);
  aclmdlAttrValue_t value{};
  EXPECT_OK(aclmdlGetAttribute(id, ACL_MDL_ATTR_PRIORITY_INT32, &value));
  EXPECT_EQ(value.mdlPriority, 3u);
  EXPECT_OK(aclmdlUnload(id));

  type = ACL_MDL_LOAD_FROM_MEM_WITH_MEM;
  const void* model = bytes.data.get();
  size_t size = bytes.length;
  EXPECT_OK(aclmdlSetConfigOpt(handle, ACL_MDL_LOAD_TYPE_SIZET, &type, sizeof type));
  EXPECT_OK(aclmdlSetConfigOpt(handle, ACL_MDL_MEM_ADDR_PTR, &model, sizeof model));
  EXPECT_OK(aclmdlSetConfigOpt(handle, ACL_MDL_MEM_SIZET, &size, sizeof size));
  ASSERT_OK(aclmdlLoadWithConfig(handle, &id));
  RunsWith(id, 2, 7);
  EXPECT_OK(aclmdlUnload(id));
  EXPECT_OK(aclmdlDestroyConfigHandle(handle));
  EXPECT_FAILS_WITH(ACL_ERROR_INVALID_PARAM, "was destroyed", aclmdlLoadWithConfig(handle, &id));
}

TEST(ModelLoad, NoticesAFileThatIsOverwrittenUnderIt) {
  Session session;
  const TemporaryDirectory directory;
  const ge::ModelBufferData other = BuildModel(ScaleGraph(kDims, 9));
  const std::string path = Save(directory, BuildModel(ScaleGraph(kDims, 2)));
  const LoadedModel model(path);
  RunsWith(model.id(), 1, 2);
  Save(directory, other);  // a new file of the old name
  RunsWith(model.id(), 1, 2);
  const LoadedModel changed(path);
  std::ofstream(path, std::ios::binary | std::ios::in).write("damage", 6);
  DeviceSet inputs, outputs;
  inputs.Add(Floats(kCount, 1));
  outputs.Add(kCount * sizeof(float));
  EXPECT_FAILS_WITH(ACL_ERROR_READ_MODEL_FAILURE, "overwritten",
                    aclmdlExecute(changed.id(), inputs.get(), outputs.get()));
  RunsWith(model.id(), 1, 2);
}

TEST(ModelLoad, SaysThatTheDeviceHasNoRoom) {
  InChild({{"FOOTHOLD_DEVICE_MEMORY", "64M"}}, [] {
    Session session;
    const ge::op::Data x = FloatData("x", 0, {1024, 1024});
    const ge::op::Data w = FloatData("w", 1, {1024, 1024});
    const ge::op::MatMulV2 first = ge::op::MatMulV2("first").set_input_x1(x).set_input_x2(w);
    const ge::op::MatMulV2 second = ge::op::MatMulV2("second").set_input_x1(first).set_input_x2(w);
    const ge::ModelBufferData model =
        BuildModel(ge::Graph("large").SetInputs({x, w}).SetOutputs(std::vector<ge::Operator>{second}));
    void* most = nullptr;
    ASSERT_OK(aclrtMalloc(&most, 62u << 20, ACL_MEM_MALLOC_HUGE_FIRST));
    uint32_t id = 0;
    EXPECT_FAILS_WITH(ACL_ERROR_RT_MEMORY_ALLOCATION, "device 0",
                      aclmdlLoadFromMem(model.data.get(), model.length, &id));
    ASSERT_OK(aclrtFree(most));
    ASSERT_OK(aclmdlLoadFromMem(model.data.get(), model.length, &id));
    size_t free_before = 0, total = 0, free_after = 0;
    ASSERT_OK(aclrtGetMemInfo(ACL_HBM_MEM, &free_before, &total));
    EXPECT_OK(aclmdlUnload(id));
    ASSERT_OK(aclrtGetMemInfo(ACL_HBM_MEM, &free_after, &total));
    EXPECT_GE(free_after, free_before + (4u << 20));
  });
}

TEST(ModelLoad, CanBeUnloadedInAnotherContextAndAfterAReset) {
  Session session;
  const ge::ModelBufferData bytes = BuildModel(ScaleGraph(kDims, 2));
  uint32_t first = 0, second = 0;
  ASSERT_OK(aclmdlLoadFromMem(bytes.data.get(), bytes.length, &first));
  ASSERT_OK(aclmdlLoadFromMem(bytes.data.get(), bytes.length, &second));
  aclrtContext context = nullptr;
  ASSERT_OK(aclrtCreateContext(&context, 0));
  EXPECT_OK(aclmdlUnload(first));
  EXPECT_OK(aclrtDestroyContext(context));
  EXPECT_OK(aclrtResetDeviceForce(0));
  EXPECT_OK(aclrtSetDevice(0));
  EXPECT_OK(aclmdlUnload(second));
}

TEST(ModelLoad, UnloadsOnOneOfSeveralThreads) {
  Session session;
  const ge::ModelBufferData bytes = BuildModel(ScaleGraph(kDims, 2));
  uint32_t id = 0;
  ASSERT_OK(aclmdlLoadFromMem(bytes.data.get(), bytes.length, &id));
  std::atomic<int> unloaded{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&] {
      EXPECT_OK(aclrtSetCurrentContext(session.context()));
      if (aclmdlUnload(id) == ACL_SUCCESS) ++unloaded;
    });
  for (std::thread& thread : threads)
    thread.join();
  EXPECT_EQ(unloaded, 1);
}

}  // namespace
