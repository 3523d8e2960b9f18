// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <atomic>

#include "acl/acl_rt_allocator.h"
#include "conformance/acl_mdl/model_fixture.h"
#include "matrix_calculation_ops.h"

namespace {

ge::Graph OpenGraph(const Dims& dims) {
  const ge::op::Data x = FloatData("x", 0, dims);
  const ge::op::Const one = FloatConst("one", {1}, {1});
  const ge::op::Add sum = ge::op::Add("sum").set_input_x1(x).set_input_x2(one);
  return ge::Graph("open").SetInputs({x}).SetOutputs(std::vector<ge::Operator>{sum});
}

ge::ModelBufferData BatchModel() {
  return BuildModel(OpenGraph({-1, 4}), {{"input_shape", "x:-1,4"}, {"ge.dynamicBatchSize", "2,8,4"}});
}

size_t GearIndex(const LoadedModel& model) {
  size_t index = 0;
  EXPECT_OK(aclmdlGetInputIndexByName(model.desc(), ACL_DYNAMIC_TENSOR_NAME, &index));
  return index;
}

// Buffers for the largest gear, as programs allocate them.
struct Sets {
  explicit Sets(const LoadedModel& model) {
    for (size_t i = 0; i < aclmdlGetNumInputs(model.desc()); ++i)
      inputs.Add(aclmdlGetInputSizeByIndex(model.desc(), i));
    for (size_t i = 0; i < aclmdlGetNumOutputs(model.desc()); ++i)
      outputs.Add(aclmdlGetOutputSizeByIndex(model.desc(), i));
  }
  DeviceSet inputs, outputs;
};

Dims OutputDims(const DeviceSet& outputs) {
  const aclTensorDesc* desc = aclmdlGetDatasetTensorDesc(outputs.get(), 0);
  Dims dims(aclGetTensorDescNumDims(desc));
  for (size_t i = 0; i < dims.size(); ++i)
    EXPECT_OK(aclGetTensorDescDimV2(desc, i, &dims[i]));
  return dims;
}

TEST(ModelGears, RunWithEveryBatchSize) {
  Session session;
  const LoadedModel model(BatchModel());
  ASSERT_EQ(aclmdlGetNumInputs(model.desc()), 2u);
  EXPECT_EQ(aclmdlGetInputSizeByIndex(model.desc(), 0), 8u * 4 * 4);
  aclmdlIODims dims;
  ASSERT_OK(aclmdlGetInputDims(model.desc(), 0, &dims));
  EXPECT_EQ(DimsOf(dims), (Dims{-1, 4}));
  ASSERT_OK(aclmdlGetOutputDims(model.desc(), 0, &dims));
  EXPECT_EQ(DimsOf(dims), (Dims{8, 4}));
  aclmdlBatch batch;
  ASSERT_OK(aclmdlGetDynamicBatch(model.desc(), &batch));
  ASSERT_EQ(batch.batchCount, 3u);
  EXPECT_EQ(batch.batch[1], 8u);
  Sets sets(model);
  const size_t index = GearIndex(model);
  for (size_t i = 0; i < batch.batchCount; ++i) {
    const auto size = static_cast<int64_t>(batch.batch[i]);
    ASSERT_OK(aclmdlSetDynamicBatchSize(model.id(), sets.inputs.get(), index, batch.batch[i]));
    ASSERT_OK(aclmdlGetCurOutputDims(model.desc(), 0, &dims));
    EXPECT_EQ(DimsOf(dims), (Dims{size, 4}));
    sets.inputs.Write(0, Floats(static_cast<size_t>(size) * 4, static_cast<float>(size)));
    sets.outputs.Write(0, Floats(32, -1));
    ASSERT_OK(aclmdlExecute(model.id(), sets.inputs.get(), sets.outputs.get()));
    Floats expected(32, -1);
    std::fill_n(expected.begin(), size * 4, static_cast<float>(size + 1));
    EXPECT_EQ(sets.outputs.Read(0, 32), expected);
    EXPECT_EQ(OutputDims(sets.outputs), (Dims{size, 4}));
  }
}

// As the log of a published sample shows it.
TEST(ModelGears, AreSaidByAnInputOfTheSizeSamplesShow) {
  Session session;
  const LoadedModel batches(BatchModel());
  const LoadedModel images(
      BuildModel(OpenGraph({1, -1, -1}), {{"input_shape", "x:1,-1,-1"}, {"ge.dynamicImageSize", "2,3;4,5"}}));
  for (const auto& [model, numbers] : {std::pair(&batches, 1), std::pair(&images, 2)}) {
    const size_t index = GearIndex(*model);
    EXPECT_EQ(index, 1u);
    EXPECT_EQ(aclmdlGetInputSizeByIndex(model->desc(), index), 8u * numbers);
    EXPECT_EQ(aclmdlGetInputDataType(model->desc(), index), ACL_INT64);
    EXPECT_EQ(aclmdlGetInputFormat(model->desc(), index), ACL_FORMAT_ND);
    aclmdlIODims dims;
    ASSERT_OK(aclmdlGetInputDims(model->desc(), index, &dims));
    EXPECT_EQ(DimsOf(dims), (Dims{numbers}));
  }
}

TEST(ModelGears, RunWithTheLargestUnlessOneIsChosen) {
  Session session;
  const LoadedModel model(BatchModel());
  Sets sets(model);
  aclmdlIODims dims;
  ASSERT_OK(aclmdlGetCurOutputDims(model.desc(), 0, &dims));
  EXPECT_EQ(DimsOf(dims), (Dims{8, 4}));
  sets.inputs.Write(0, Floats(32, 1));
  ASSERT_OK(aclmdlExecute(model.id(), sets.inputs.get(), sets.outputs.get()));
  EXPECT_EQ(sets.outputs.Read(0, 32), Floats(32, 2));
}

TEST(ModelGears, RefuseWhatTheModelWasNotCompiledFor) {
  Session session;
  const LoadedModel model(BatchModel());
  const LoadedModel fixed(BuildModel(OpenGraph({2, 4})));
  Sets sets(model);
  aclmdlDataset* inputs = sets.inputs.get();
  EXPECT_FAILS_WITH(ACL_ERROR_GE_DYNAMIC_BATCH_SIZE_INVALID, "[8]",
                    aclmdlSetDynamicBatchSize(model.id(), inputs, 1, 3));
  EXPECT_FAILS_WITH(ACL_ERROR_MODEL_NOT_DYNAMIC, "one set of shapes",
                    aclmdlSetDynamicBatchSize(fixed.id(), inputs, 1, 2));
  EXPECT_FAILS_WITH(ACL_ERROR_MODEL_NOT_DYNAMIC, "batch",
                    aclmdlSetDynamicHWSize(model.id(), inputs, 1, 2, 4));
  EXPECT_FAILS_WITH(ACL_ERROR_INVALID_PARAM, ACL_DYNAMIC_TENSOR_NAME,
                    aclmdlSetDynamicBatchSize(model.id(), inputs, 0, 2));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclmdlSetDynamicBatchSize(model.id(), nullptr, 1, 2));
  EXPECT_FAILS(ACL_ERROR_GE_EXEC_MODEL_ID_INVALID, aclmdlSetDynamicBatchSize(4000000000u, inputs, 1, 2));
  DeviceSet small;
  small.Add(128).Add(4);
  EXPECT_FAILS_WITH(ACL_ERROR_GE_DYNAMIC_INPUT_LENGTH_INVALID, "8 bytes",
                    aclmdlSetDynamicBatchSize(model.id(), small.get(), 1, 2));
  DeviceSet without;
  without.Add(128);
  EXPECT_FAILS_WITH(ACL_ERROR_MODEL_INPUT_NOT_MATCH, "2 inputs",
                    aclmdlExecute(model.id(), without.get(), sets.outputs.get()));
  EXPECT_OK(aclmdlSetDynamicBatchSize(model.id(), inputs, 1, 2));
}

TEST(ModelGears, ChooseImageSizes) {
  Session session;
  const LoadedModel model(
      BuildModel(OpenGraph({1, -1, -1}), {{"input_shape", "x:1,-1,-1"}, {"ge.dynamicImageSize", "2,3;4,5"}}));
  aclmdlHW sizes;
  ASSERT_OK(aclmdlGetDynamicHW(model.desc(), static_cast<size_t>(-1), &sizes));
  ASSERT_EQ(sizes.hwCount, 2u);
  EXPECT_EQ(sizes.hw[1][0], 4u);
  EXPECT_EQ(sizes.hw[1][1], 5u);
  for (const size_t index : {size_t{0}, GearIndex(model)}) {
    sizes.hwCount = 0;
    EXPECT_OK(aclmdlGetDynamicHW(model.desc(), index, &sizes));
    EXPECT_EQ(sizes.hwCount, 2u);
  }
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclmdlGetDynamicHW(model.desc(), 2, &sizes));
  Sets sets(model);
  ASSERT_OK(aclmdlSetDynamicHWSize(model.id(), sets.inputs.get(), GearIndex(model), 2, 3));
  sets.inputs.Write(0, Floats(6, 1));
  ASSERT_OK(aclmdlExecute(model.id(), sets.inputs.get(), sets.outputs.get()));
  EXPECT_EQ(sets.outputs.Read(0, 6), Floats(6, 2));
  EXPECT_FAILS(ACL_ERROR_GE_DYNAMIC_INPUT_LENGTH_INVALID,
               aclmdlSetDynamicHWSize(model.id(), sets.inputs.get(), GearIndex(model), 3, 3));
}

TEST(ModelGears, ChooseDimensionsOfAllInputs) {
  Session session;
  const ge::op::Data x = FloatData("x", 0, {1, -1});
  const ge::op::Data y = FloatData("y", 1, {-1, 1});
  const ge::op::Add sum = ge::op::Add("sum").set_input_x1(x).set_input_x2(y);
  const LoadedModel model(
      BuildModel(ge::Graph("dims").SetInputs({x, y}).SetOutputs(std::vector<ge::Operator>{sum}),
                 {{"input_shape", "x:1,-1;y:-1,1"}, {"ge.dynamicDims", "2,3;4,5"}}));
  const auto all = static_cast<size_t>(-1);
  size_t count = 0;
  ASSERT_OK(aclmdlGetInputDynamicGearCount(model.desc(), all, &count));
  ASSERT_EQ(count, 2u);
  std::vector<aclmdlIODims> gears(count);
  ASSERT_OK(aclmdlGetInputDynamicDims(model.desc(), all, gears.data(), count));
  EXPECT_EQ(DimsOf(gears[0]), (Dims{1, 2, 3, 1}));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclmdlGetInputDynamicDims(model.desc(), all, gears.data(), 1));
  const size_t own = GearIndex(model);
  EXPECT_EQ(aclmdlGetInputSizeByIndex(model.desc(), own), 16u) << "two sizes of a gear are chosen";
  count = 0;
  EXPECT_OK(aclmdlGetInputDynamicGearCount(model.desc(), own, &count));
  EXPECT_EQ(count, 2u);
  EXPECT_OK(aclmdlGetInputDynamicDims(model.desc(), own, gears.data(), count));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclmdlGetInputDynamicGearCount(model.desc(), 3, &count));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclmdlGetInputDynamicDims(model.desc(), 3, gears.data(), count));
  Sets sets(model);
  ASSERT_OK(aclmdlSetInputDynamicDims(model.id(), sets.inputs.get(), GearIndex(model), gears.data()));
  sets.inputs.Write(0, Floats(2, 1));
  sets.inputs.Write(1, Floats(3, 2));
  ASSERT_OK(aclmdlExecute(model.id(), sets.inputs.get(), sets.outputs.get()));
  EXPECT_EQ(sets.outputs.Read(0, 6), Floats(6, 3));
  EXPECT_EQ(OutputDims(sets.outputs), (Dims{3, 2}));
  gears[0].dims[1] = 9;
  EXPECT_FAILS_WITH(ACL_ERROR_GE_DYNAMIC_INPUT_LENGTH_INVALID, "[1,9,3,1]",
                    aclmdlSetInputDynamicDims(model.id(), sets.inputs.get(), GearIndex(model), gears.data()));
}

TEST(OpenShapes, ComeWithTheRun) {
  Session session;
  const LoadedModel model(BuildModel(OpenGraph({-1, 4})));
  EXPECT_EQ(aclmdlGetNumInputs(model.desc()), 1u);
  EXPECT_EQ(aclmdlGetInputSizeByIndex(model.desc(), 0), 0u);
  EXPECT_EQ(aclmdlGetOutputSizeByIndex(model.desc(), 0), 0u);
  DeviceSet inputs, outputs;
  inputs.Add(Floats(12, 1));
  outputs.AddBuffer(nullptr, 0);
  EXPECT_FAILS_WITH(ACL_ERROR_MODEL_INPUT_NOT_MATCH, "aclmdlSetDatasetTensorDesc",
                    aclmdlExecute(model.id(), inputs.get(), outputs.get()));
  const Dims dims = {3, 4}, wrong = {4, 3}, large = {5, 4};
  aclTensorDesc* desc = aclCreateTensorDesc(ACL_FLOAT, 2, wrong.data(), ACL_FORMAT_ND);
  ASSERT_OK(aclmdlSetDatasetTensorDesc(inputs.get(), desc, 0));
  EXPECT_FAILS_WITH(ACL_ERROR_MODEL_INPUT_NOT_MATCH, "[4,3]",
                    aclmdlExecute(model.id(), inputs.get(), outputs.get()));
  aclDestroyTensorDesc(desc);
  desc = aclCreateTensorDesc(ACL_FLOAT, 2, large.data(), ACL_FORMAT_ND);
  ASSERT_OK(aclmdlSetDatasetTensorDesc(inputs.get(), desc, 0));
  EXPECT_FAILS_WITH(ACL_ERROR_MODEL_INPUT_NOT_MATCH, "80 bytes",
                    aclmdlExecute(model.id(), inputs.get(), outputs.get()));
  aclDestroyTensorDesc(desc);
  desc = aclCreateTensorDesc(ACL_FLOAT, 2, dims.data(), ACL_FORMAT_ND);
  ASSERT_OK(aclmdlSetDatasetTensorDesc(inputs.get(), desc, 0));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclmdlSetDatasetTensorDesc(inputs.get(), desc, 1));
  aclDestroyTensorDesc(desc);
  ASSERT_OK(aclmdlExecute(model.id(), inputs.get(), outputs.get()));
  EXPECT_EQ(outputs.Read(0, 12), Floats(12, 2));
  EXPECT_EQ(OutputDims(outputs), dims);
  EXPECT_EQ(aclGetTensorDescSize(aclmdlGetDatasetTensorDesc(outputs.get(), 0)), 48u);
  size_t work = 0, weights = 0;
  const ge::ModelBufferData bytes = BuildModel(OpenGraph({-1, 4}));
  EXPECT_FAILS(ACL_ERROR_GE_PARAM_INVALID,
               aclmdlQuerySizeFromMem(bytes.data.get(), bytes.length, &work, &weights));
}

TEST(OpenShapes, StayInTheirRanges) {
  Session session;
  const LoadedModel model(BuildModel(OpenGraph({-1, 4}), {{"input_shape", "x:1~3,4"}}));
  aclmdlIODimsRange ranges;
  ASSERT_OK(aclmdlGetInputDimsRange(model.desc(), 0, &ranges));
  ASSERT_EQ(ranges.rangeCount, 2u);
  EXPECT_EQ(ranges.range[0][0], 1);
  EXPECT_EQ(ranges.range[0][1], 3);
  DeviceSet inputs, outputs;
  inputs.Add(Floats(16, 1));
  outputs.Add(64);
  const Dims dims = {4, 4};
  aclTensorDesc* desc = aclCreateTensorDesc(ACL_FLOAT, 2, dims.data(), ACL_FORMAT_ND);
  ASSERT_OK(aclmdlSetDatasetTensorDesc(inputs.get(), desc, 0));
  EXPECT_FAILS_WITH(ACL_ERROR_INVALID_PARAM, "1~3", aclmdlExecute(model.id(), inputs.get(), outputs.get()));
  aclDestroyTensorDesc(desc);
}

struct Counting {
  std::atomic<int> allocated{0}, freed{0};
};

// x * w * w, with a value in between that needs memory.
ge::Graph ProductGraph() {
  const ge::op::Data x = FloatData("x", 0, {-1, 2});
  const ge::op::Const w = FloatConst("w", {2, 2}, {0, 1, 1, 0});
  const ge::op::MatMulV2 first = ge::op::MatMulV2("first").set_input_x1(x).set_input_x2(w);
  const ge::op::MatMulV2 second = ge::op::MatMulV2("second").set_input_x1(first).set_input_x2(w);
  return ge::Graph("product").SetInputs({x}).SetOutputs(std::vector<ge::Operator>{second});
}

TEST(OpenShapes, TakeWorkMemoryFromTheAllocatorOfTheStream) {
  Session session;
  const LoadedModel model(BuildModel(ProductGraph()));
  const aclrtStream stream = session.Stream();
  Counting counting;
  aclrtAllocatorDesc desc = aclrtAllocatorCreateDesc();
  ASSERT_OK(aclrtAllocatorSetObjToDesc(desc, &counting));
  ASSERT_OK(aclrtAllocatorSetAllocFuncToDesc(desc, [](aclrtAllocator object, size_t size) -> void* {
    ++static_cast<Counting*>(object)->allocated;
    void* memory = nullptr;
    EXPECT_OK(aclrtMalloc(&memory, size, ACL_MEM_MALLOC_HUGE_FIRST));
    return memory;
  }));
  ASSERT_OK(aclrtAllocatorSetFreeFuncToDesc(desc, [](aclrtAllocator object, aclrtAllocatorBlock block) {
    ++static_cast<Counting*>(object)->freed;
    EXPECT_OK(aclrtFree(block));
  }));
  ASSERT_OK(aclrtAllocatorSetGetAddrFromBlockFuncToDesc(
      desc, [](aclrtAllocatorBlock block) -> void* { return block; }));
  ASSERT_OK(aclrtAllocatorRegister(stream, desc));
  DeviceSet inputs, outputs;
  inputs.Add(Floats{1, 2, 3, 4});
  outputs.AddBuffer(nullptr, 0);
  const Dims dims = {2, 2};
  aclTensorDesc* shape = aclCreateTensorDesc(ACL_FLOAT, 2, dims.data(), ACL_FORMAT_ND);
  ASSERT_OK(aclmdlSetDatasetTensorDesc(inputs.get(), shape, 0));
  aclDestroyTensorDesc(shape);
  for (int run = 1; run <= 2; ++run) {
    ASSERT_OK(aclmdlExecuteAsync(model.id(), inputs.get(), outputs.get(), stream));
    ASSERT_OK(aclrtSynchronizeStream(stream));
    EXPECT_EQ(outputs.Read(0, 4), (Floats{1, 2, 3, 4}));
    EXPECT_EQ(counting.allocated, run);
    EXPECT_EQ(counting.freed, run);
  }
  EXPECT_OK(aclrtAllocatorUnregister(stream));
  EXPECT_OK(aclrtAllocatorDestroyDesc(desc));
}

TEST(OpenShapes, OfOutputsMayDependOnValues) {
  Session session;
  const LoadedModel model(BuildModel(ReshapeGraph()));
  DeviceSet inputs, outputs;
  inputs.Add(Floats{1, 2, 3, 4, 5, 6}).Add(8);
  outputs.AddBuffer(nullptr, 0);
  const int32_t shape[] = {3, 2};
  ASSERT_OK(aclrtMemcpy(aclGetDataBufferAddr(inputs.buffer(1)), 8, shape, 8, ACL_MEMCPY_HOST_TO_DEVICE));
  ASSERT_OK(aclmdlExecute(model.id(), inputs.get(), outputs.get()));
  EXPECT_EQ(OutputDims(outputs), (Dims{3, 2}));
  EXPECT_EQ(outputs.Read(0, 6), (Floats{1, 2, 3, 4, 5, 6}));
  const aclrtStream stream = session.Stream();
  ASSERT_OK(aclmdlExecuteAsync(model.id(), inputs.get(), outputs.get(), stream));
  ASSERT_OK(aclrtSynchronizeStream(stream));
  EXPECT_EQ(outputs.Read(0, 6), (Floats{1, 2, 3, 4, 5, 6}));
}

}  // namespace
