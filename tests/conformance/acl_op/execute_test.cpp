// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <algorithm>
#include <thread>

#include "conformance/acl_op/op_fixture.h"

namespace {

struct Sum {
  OpTensorPtr a = OpTensor::Of<float>({2, 3}, {1, 2, 3, 4, 5, 6});
  OpTensorPtr b = OpTensor::Of<float>({3}, {10, 20, 30});
  OpTensorPtr y = OpTensor::Room<float>({2, 3}, 6);
  Op op = Op("Add", {a, b}, {y});
};

TEST(CompileAndExecute, RunsAnOperatorOnAStream) {
  const Session session;
  Sum sum;
  aclrtStream stream = session.Stream();
  EXPECT_OK(sum.op.CompileAndExecute(stream));
  EXPECT_OK(aclrtSynchronizeStream(stream));
  EXPECT_EQ(sum.y->Read<float>(6), (FloatList{11, 22, 33, 14, 25, 36}));
}

TEST(CompileAndExecute, IsCapturedAndRunAgain) {
  const Session session;
  Sum sum;
  aclrtStream stream = session.Stream();
  aclmdlRI instance = nullptr;
  ASSERT_OK(aclmdlRICaptureBegin(stream, ACL_MODEL_RI_CAPTURE_MODE_GLOBAL));
  EXPECT_OK(sum.op.CompileAndExecute(stream));
  ASSERT_OK(aclmdlRICaptureEnd(stream, &instance));
  EXPECT_EQ(sum.y->Read<float>(6), FloatList(6));
  for (int i = 0; i < 2; ++i) {
    EXPECT_OK(aclrtMemset(sum.y->memory(), 24, 0, 24));
    EXPECT_OK(aclmdlRIExecuteAsync(instance, stream));
    EXPECT_OK(aclrtSynchronizeStream(stream));
    EXPECT_EQ(sum.y->Read<float>(6), (FloatList{11, 22, 33, 14, 25, 36}));
  }
  EXPECT_OK(aclmdlRIDestroy(instance));
}

TEST(CompileAndExecute, RunsAfterWhatIsQueuedAndBeforeWhatFollows) {
  const Session session;
  Sum sum;
  aclrtStream stream = session.Stream();
  void* pinned = nullptr;
  ASSERT_OK(aclrtMallocHost(&pinned, 24));
  float* const host = static_cast<float*>(pinned);
  std::fill_n(host, 6, 100.0f);
  Gate gate;
  gate.Hold(stream);
  EXPECT_OK(aclrtMemcpyAsync(sum.a->memory(), 24, host, 24, ACL_MEMCPY_HOST_TO_DEVICE, stream));
  EXPECT_OK(sum.op.CompileAndExecute(stream));
  EXPECT_OK(aclrtMemcpyAsync(host, 24, sum.y->memory(), 24, ACL_MEMCPY_DEVICE_TO_HOST, stream));
  EXPECT_EQ(sum.y->Read<float>(6), FloatList(6)) << "the call only queues";
  gate.Open();
  EXPECT_OK(aclrtSynchronizeStream(stream));
  EXPECT_EQ(FloatList(host, host + 6), (FloatList{110, 120, 130, 110, 120, 130}));
  EXPECT_OK(aclrtFreeHost(pinned));
}

TEST(CompileAndExecute, NeedsNoDescriptionsBuffersOrAttributesAfterwards) {
  const Session session;
  aclrtStream stream = session.Stream();
  Gate gate;
  gate.Hold(stream);
  const auto x = OpTensor::Of<float>({2}, {-4, 8});
  const auto y = OpTensor::Room<float>({2}, 2);
  const int64_t dims[] = {2};
  aclTensorDesc* desc = aclCreateTensorDesc(ACL_FLOAT, 1, dims, ACL_FORMAT_ND);
  aclDataBuffer* in = aclCreateDataBuffer(x->memory(), 8);
  aclDataBuffer* out = aclCreateDataBuffer(y->memory(), 8);
  aclopAttr* attributes = aclopCreateAttr();
  EXPECT_OK(aclopSetAttrFloat(attributes, "negative_slope", 0.25f));
  EXPECT_OK(aclopCompileAndExecute("LeakyRelu", 1, &desc, &in, 1, &desc, &out, attributes, ACL_ENGINE_SYS,
                                   ACL_COMPILE_SYS, nullptr, stream));
  aclDestroyTensorDesc(desc);
  EXPECT_OK(aclDestroyDataBuffer(in));
  EXPECT_OK(aclDestroyDataBuffer(out));
  aclopDestroyAttr(attributes);
  gate.Open();
  EXPECT_OK(aclrtSynchronizeStream(stream));
  EXPECT_EQ(y->Read<float>(2), (FloatList{-1, 8}));
}

TEST(CompileAndExecute, PassesOverOptionalInputs) {
  const Session session;
  const auto a = OpTensor::Of<float>({1, 2}, {1, 2});
  const auto b = OpTensor::Of<float>({2, 2}, {1, 2, 3, 4});
  const auto bias = OpTensor::Of<float>({2}, {100, 200});
  const auto y = OpTensor::Room<float>({1, 2}, 2);
  EXPECT_OK(Op("MatMulV2", {a, b, OpTensor::Absent(), OpTensor::Absent()}, {y}).CompileAndExecute());
  EXPECT_OK(aclrtSynchronizeStream(nullptr));
  EXPECT_EQ(y->Read<float>(2), (FloatList{7, 10}));
  EXPECT_OK(Op("MatMulV2", {a, b, bias}, {y}).CompileAndExecute());
  EXPECT_OK(aclrtSynchronizeStream(nullptr));
  EXPECT_EQ(y->Read<float>(2), (FloatList{107, 210}));
}

TEST(CompileAndExecute, TakesListsOfInputsAndOutputs) {
  const Session session;
  const auto a = OpTensor::Of<float>({2}, {1, 2});
  const auto b = OpTensor::Of<float>({2}, {3, 4});
  const auto c = OpTensor::Of<float>({2}, {5, 6});
  const auto joined = OpTensor::Room<float>({6}, 6);
  const Attributes concat;
  EXPECT_OK(aclopSetAttrInt(concat, "concat_dim", 0));
  EXPECT_OK(aclopSetAttrInt(concat, "N", 3));
  EXPECT_OK(Op("ConcatD", {a, b, c}, {joined}, concat).CompileAndExecute());
  EXPECT_OK(aclrtSynchronizeStream(nullptr));
  EXPECT_EQ(joined->Read<float>(6), (FloatList{1, 2, 3, 4, 5, 6}));
  const Attributes split;
  EXPECT_OK(aclopSetAttrInt(split, "split_dim", 0));
  EXPECT_OK(aclopSetAttrInt(split, "num_split", 3));
  EXPECT_OK(Op("SplitD", {joined}, {b, c, a}, split).CompileAndExecute());
  EXPECT_OK(aclrtSynchronizeStream(nullptr));
  EXPECT_EQ(a->Read<float>(2), (FloatList{5, 6}));
  EXPECT_EQ(b->Read<float>(2), (FloatList{1, 2}));
}

TEST(CompileAndExecute, MayWriteAnInput) {
  const Session session;
  const auto x = OpTensor::Of<float>({3}, {-1, 2, -3});
  EXPECT_OK(Op("Abs", {x}, {x}).CompileAndExecute());
  EXPECT_OK(aclrtSynchronizeStream(nullptr));
  EXPECT_EQ(x->Read<float>(3), (FloatList{1, 2, 3}));
  const auto m = OpTensor::Of<float>({2, 2}, {1, 2, 3, 4});
  EXPECT_OK(Op("MatMulV2", {m, m}, {m}).CompileAndExecute());
  EXPECT_OK(aclrtSynchronizeStream(nullptr));
  EXPECT_EQ(m->Read<float>(4), (FloatList{7, 10, 15, 22})) << "as if the inputs were other memory";
}

TEST(CompileAndExecute, ChangesReferencesWhereTheyAre) {
  const Session session;
  const auto variable = OpTensor::Of<float>({3}, {1, 2, 3});
  const auto value = OpTensor::Of<float>({3}, {10, 20, 30});
  EXPECT_OK(Op("AssignAdd", {variable, value}, {variable}).CompileAndExecute());
  EXPECT_OK(aclrtSynchronizeStream(nullptr));
  EXPECT_EQ(variable->Read<float>(3), (FloatList{11, 22, 33}));
}

TEST(CompileAndExecute, TakesConstants) {
  const Session session;
  const auto x = OpTensor::Of<float>({2, 2}, {1, 2, 3, 4});
  const auto axes = OpTensor::Room<int64_t>({1}, 1);
  int64_t axis = 1;
  EXPECT_OK(aclSetTensorConst(axes->desc(), &axis, sizeof axis));
  const auto y = OpTensor::Room<float>({2}, 2);
  EXPECT_OK(Op("ReduceSum", {x, axes}, {y}).CompileAndExecute());
  EXPECT_OK(aclrtSynchronizeStream(nullptr));
  EXPECT_EQ(y->Read<float>(2), (FloatList{3, 7}));
  axis = 0;
  EXPECT_OK(aclSetTensorConst(axes->desc(), &axis, sizeof axis));
  EXPECT_OK(Op("ReduceSum", {x, axes}, {y}).CompileAndExecute());
  EXPECT_OK(aclrtSynchronizeStream(nullptr));
  EXPECT_EQ(y->Read<float>(2), (FloatList{4, 6})) << "another constant is another operator";
}

TEST(CompileAndExecute, CopiesInputsOfTheHostWhenItIsCalled) {
  const Session session;
  aclrtStream stream = session.Stream();
  Gate gate;
  gate.Hold(stream);
  const auto x = OpTensor::Of<float>({2}, {1, 2});
  const auto y = OpTensor::Room<float>({2}, 2);
  float scale = 3;
  const auto factor = OpTensor::Room<float>({1}, 1);
  EXPECT_OK(aclSetTensorPlaceMent(factor->desc(), ACL_MEMTYPE_HOST));
  aclDataBuffer* on_host = aclCreateDataBuffer(&scale, sizeof scale);
  aclTensorDesc* descs[] = {x->desc(), factor->desc()};
  aclDataBuffer* buffers[] = {x->buffer(), on_host};
  aclTensorDesc* out_descs[] = {y->desc()};
  aclDataBuffer* out_buffers[] = {y->buffer()};
  EXPECT_OK(aclopCompileAndExecute("Mul", 2, descs, buffers, 1, out_descs, out_buffers, nullptr,
                                   ACL_ENGINE_SYS, ACL_COMPILE_SYS, nullptr, stream));
  scale = 1000;
  gate.Open();
  EXPECT_OK(aclrtSynchronizeStream(stream));
  EXPECT_EQ(y->Read<float>(2), (FloatList{3, 6}));
  EXPECT_OK(aclDestroyDataBuffer(on_host));
}

TEST(CompileAndExecute, LetsValuesOfTheHostDecideSizes) {
  const Session session;
  aclrtStream stream = session.Stream();
  Gate gate;
  gate.Hold(stream);
  int32_t dims[] = {2, 3};
  const auto shape = OpTensor::Room<int32_t>({2}, 2);
  EXPECT_OK(aclSetTensorPlaceMent(shape->desc(), ACL_MEMTYPE_HOST));
  aclDataBuffer* on_host = aclCreateDataBuffer(dims, sizeof dims);
  const auto value = OpTensor::Of<float>({1}, {7});
  const auto y = OpTensor::Room<float>({2, 3}, 6);
  aclTensorDesc* descs[] = {shape->desc(), value->desc()};
  aclDataBuffer* buffers[] = {on_host, value->buffer()};
  aclTensorDesc* out_descs[] = {y->desc()};
  aclDataBuffer* out_buffers[] = {y->buffer()};
  EXPECT_OK(aclopCompileAndExecute("Fill", 2, descs, buffers, 1, out_descs, out_buffers, nullptr,
                                   ACL_ENGINE_SYS, ACL_COMPILE_SYS, nullptr, stream));
  gate.Open();
  EXPECT_OK(aclrtSynchronizeStream(stream));
  EXPECT_EQ(y->Read<float>(6), FloatList(6, 7.0f));
  EXPECT_OK(aclDestroyDataBuffer(on_host));
}

TEST(CompileAndExecuteV2, TellsTheSizesOfOutputs) {
  const Session session;
  const auto x = OpTensor::Of<float>({2, 3}, {0, 5, 0, 6, 0, 0});
  const auto y = OpTensor::Room<int64_t>({-1, 2}, 12);
  EXPECT_OK(Op("Where", {x}, {y}).CompileAndExecuteV2());
  EXPECT_EQ(y->dims(), (TensorDims{2, 2})) << "data decide: it has run when the call returns";
  EXPECT_EQ(y->Read<int64_t>(4), (std::vector<int64_t>{0, 1, 1, 0}));
  Sum sum;
  const auto open = OpTensor::Room<float>({-1, -1}, 6);
  EXPECT_OK(Op("Add", {sum.a, sum.b}, {open}).CompileAndExecuteV2());
  EXPECT_EQ(open->dims(), (TensorDims{2, 3}));
  EXPECT_EQ(open->Read<float>(6), (FloatList{11, 22, 33, 14, 25, 36})) << "it has run, too";
}

TEST(CompileAndExecute, CannotTellSizes) {
  const Session session;
  Sum sum;
  const auto open = OpTensor::Room<float>({-1, -1}, 6);
  EXPECT_OP_FAILS(ACL_ERROR_OP_UNSUPPORTED_DYNAMIC, "V2",
                  Op("Add", {sum.a, sum.b}, {open}).CompileAndExecute());
}

TEST(CompileAndExecute, TakesEmptyTensors) {
  const Session session;
  const auto x = OpTensor::Room<float>({0, 3}, 0);
  const auto y = OpTensor::Room<float>({0, 3}, 0);
  EXPECT_OK(Op("Relu", {x}, {y}).CompileAndExecute());
  EXPECT_OK(aclrtSynchronizeStream(nullptr));
}

TEST(CompileAndExecute, RefusesOperatorsThatAreNone) {
  const Session session;
  Sum sum;
  EXPECT_OP_FAILS(ACL_ERROR_OP_NOT_FOUND, "'Addition'", Op("Addition", {sum.a}, {sum.y}).CompileAndExecute());
  const Attributes merge;
  EXPECT_OK(aclopSetAttrInt(merge, "k_num", 1));
  EXPECT_OP_FAILS(ACL_ERROR_FEATURE_UNSUPPORTED, "no kernel",
                  Op("SingleMerge", {sum.a}, {sum.y, sum.y}, merge).CompileAndExecute());
  EXPECT_OP_FAILS(ACL_ERROR_OP_INPUT_NOT_MATCH, "Relu has 1 inputs, and 2 tensors were given",
                  Op("Relu", {sum.a, sum.b}, {sum.y}).CompileAndExecute());
  EXPECT_OP_FAILS(ACL_ERROR_INVALID_PARAM, "x2", Op("Add", {sum.a}, {sum.y}).CompileAndExecute());
}

TEST(CompileAndExecute, RefusesTensorsThatDoNotFit) {
  const Session session;
  Sum sum;
  const auto ints = OpTensor::Of<int32_t>({3}, {1, 2, 3});
  EXPECT_OP_FAILS(ACL_ERROR_INVALID_PARAM, "int32", Op("Add", {sum.a, ints}, {sum.y}).CompileAndExecute());
  EXPECT_OP_FAILS(ACL_ERROR_OP_OUTPUT_NOT_MATCH, "described as int32[3]",
                  Op("Add", {sum.b, sum.b}, {ints}).CompileAndExecute());
  EXPECT_OP_FAILS(ACL_ERROR_OP_OUTPUT_NOT_MATCH, "described as float[3]",
                  Op("Add", {sum.a, sum.b}, {sum.b}).CompileAndExecute());
  const auto open = OpTensor::Room<float>({-1, 3}, 6);
  EXPECT_OP_FAILS(ACL_ERROR_OP_INPUT_NOT_MATCH, "not known",
                  Op("Add", {open, sum.b}, {sum.y}).CompileAndExecute());
}

TEST(CompileAndExecute, RefusesMemoryItCannotUse) {
  const Session session;
  Sum sum;
  const auto small = OpTensor::Room<float>({2, 3}, 5);
  EXPECT_OP_FAILS(ACL_ERROR_OP_INPUT_NOT_MATCH, "takes 24 bytes; its data buffer has 20",
                  Op("Add", {small, sum.b}, {sum.y}).CompileAndExecute());
  EXPECT_OP_FAILS(ACL_ERROR_OP_OUTPUT_NOT_MATCH, "takes 24 bytes; its data buffer has 20",
                  Op("Add", {sum.a, sum.b}, {small}).CompileAndExecute());
  float on_host[6];
  EXPECT_OK(aclUpdateDataBuffer(sum.y->buffer(), on_host, sizeof on_host));
  EXPECT_OP_FAILS(ACL_ERROR_INVALID_PARAM, "output 0", sum.op.CompileAndExecute());
  EXPECT_OK(aclUpdateDataBuffer(sum.y->buffer(), nullptr, 24));
  EXPECT_OP_FAILS(ACL_ERROR_INVALID_PARAM, "output 0", sum.op.CompileAndExecute());
}

TEST(CompileAndExecute, RefusesArgumentsThatAreNone) {
  const Session session;
  Sum sum;
  const auto call = [&](const char* type, int inputs, aclTensorDesc** descs, aclopEngineType engine,
                        aclopCompileType kind, const char* path) {
    return aclopCompileAndExecute(type, inputs, descs, sum.op.input_buffers(), 1, sum.op.output_descs(),
                                  sum.op.output_buffers(), nullptr, engine, kind, path, nullptr);
  };
  aclTensorDesc** const descs = sum.op.input_descs();
  EXPECT_OP_FAILS(ACL_ERROR_INVALID_PARAM, "opType",
                  call(nullptr, 2, descs, ACL_ENGINE_SYS, ACL_COMPILE_SYS, nullptr));
  EXPECT_OP_FAILS(ACL_ERROR_INVALID_PARAM, "inputDesc",
                  call("Add", 2, nullptr, ACL_ENGINE_SYS, ACL_COMPILE_SYS, nullptr));
  EXPECT_OP_FAILS(ACL_ERROR_INVALID_PARAM, "-1",
                  call("Add", -1, descs, ACL_ENGINE_SYS, ACL_COMPILE_SYS, nullptr));
  aclTensorDesc* with_null[] = {descs[0], nullptr};
  EXPECT_OP_FAILS(ACL_ERROR_INVALID_PARAM, "inputDesc 1",
                  call("Add", 2, with_null, ACL_ENGINE_SYS, ACL_COMPILE_SYS, nullptr));
  EXPECT_OP_FAILS(ACL_ERROR_INVALID_PARAM, "engineType",
                  call("Add", 2, descs, static_cast<aclopEngineType>(9), ACL_COMPILE_SYS, nullptr));
  EXPECT_OP_FAILS(ACL_ERROR_INVALID_PARAM, "opPath",
                  call("Add", 2, descs, ACL_ENGINE_SYS, ACL_COMPILE_SYS, "somewhere"));
  EXPECT_OP_FAILS(ACL_ERROR_FEATURE_UNSUPPORTED, "ACL_COMPILE_UNREGISTERED",
                  call("Add", 2, descs, ACL_ENGINE_SYS, ACL_COMPILE_UNREGISTERED, nullptr));
}

TEST(CompileAndExecute, ReportsMemoryThatWasFreedMeanwhile) {
  const Session session;
  aclrtStream stream = session.Stream();
  Gate gate;
  gate.Hold(stream);
  const auto x = OpTensor::Of<float>({2}, {1, 2});
  void* freed = nullptr;
  EXPECT_OK(aclrtMalloc(&freed, 8, ACL_MEM_MALLOC_HUGE_FIRST));
  aclDataBuffer* buffer = aclCreateDataBuffer(freed, 8);
  aclTensorDesc* desc = x->desc();
  aclDataBuffer* in = x->buffer();
  EXPECT_OK(aclopCompileAndExecute("Relu", 1, &desc, &in, 1, &desc, &buffer, nullptr, ACL_ENGINE_SYS,
                                   ACL_COMPILE_SYS, nullptr, stream));
  EXPECT_OK(aclrtFree(freed));
  gate.Open();
  EXPECT_NE(aclrtSynchronizeStream(stream), ACL_SUCCESS);
  EXPECT_THAT(RecentError(), testing::HasSubstr("aclopCompileAndExecute"));
  EXPECT_OK(aclDestroyDataBuffer(buffer));
}

TEST(CompileAndExecute, WorksInManyThreadsAtOnce) {
  const Session session;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&session, t] {
      EXPECT_OK(aclrtSetCurrentContext(session.context()));
      aclrtStream stream = session.Stream();
      const auto x = OpTensor::Of<float>({2}, {float(t), 1});
      const auto y = OpTensor::Room<float>({2}, 2);
      Op op("Add", {x, x}, {y});
      for (int i = 0; i < 50; ++i)
        EXPECT_OK(op.CompileAndExecute(stream));
      EXPECT_OK(aclrtSynchronizeStream(stream));
      EXPECT_EQ(y->Read<float>(2), (FloatList{2.0f * float(t), 2}));
    });
  for (std::thread& thread : threads)
    thread.join();
}

}  // namespace
