// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Exception dumps: what is kept of a failed node, and what a program may add.
#include "conformance/acl_dump/dump_fixture.h"
#include "selection_ops.h"

namespace {

using testing::HasSubstr;

// The library with an exception dump, and device 0.
class ExceptionDump {
 public:
  ExceptionDump() : config_(R"("dump_scene": "aic_err_brief_dump")") {
    EXPECT_OK(aclInit(config_.path()));
    EXPECT_OK(aclrtSetDevice(0));
  }
  ~ExceptionDump() {
    EXPECT_OK(aclrtResetDeviceForce(0));
    EXPECT_OK(aclFinalize());
    RecentError();
  }
  std::map<std::string, std::string> Files() const { return config_.Files(); }
  std::string Directory() const { return config_.directory() + "/extra-info/data-dump/0/"; }

 private:
  DumpFile config_;
};

// Picks elements by number; a number that is none fails.
ge::Graph PickGraph() {
  const ge::op::Data x = FloatData("x", 0, {kCount});
  ge::op::Data indices("indices");
  const ge::TensorDesc desc(ge::Shape({1}), ge::FORMAT_ND, ge::DT_INT32);
  indices.set_attr_index(1).update_input_desc_x(desc);
  indices.update_output_desc_y(desc);
  const ge::op::Gather y = ge::op::Gather("pick").set_input_x(x).set_input_indices(indices);
  return ge::Graph("picking").SetInputs({x, indices}).SetOutputs(std::vector<ge::Operator>{y});
}

TEST(ExceptionDump, KeepsTheInputsOfANodeThatFailed) {
  const ExceptionDump dump;
  const LoadedModel model(BuildModel(PickGraph()));
  DeviceSet inputs, outputs;
  inputs.Add(Floats(kCount, 5)).Add(sizeof(int32_t));
  outputs.Add(sizeof(float));
  const auto run = [&](int32_t index) {
    EXPECT_OK(aclrtMemcpy(aclGetDataBufferAddr(inputs.buffer(1)), 4, &index, 4, ACL_MEMCPY_HOST_TO_DEVICE));
    return aclmdlExecute(model.id(), inputs.get(), outputs.get());
  };
  EXPECT_OK(run(3));
  EXPECT_TRUE(dump.Files().empty());
  EXPECT_NE(run(1 << 20), ACL_SUCCESS);
  const auto files = dump.Files();
  ASSERT_EQ(files.size(), 1u);
  EXPECT_THAT(files.begin()->first, testing::StartsWith(dump.Directory() + "exception_info."));
  const DumpParts parts(files.begin()->second);
  EXPECT_THAT(parts.message, HasSubstr("pick"));
  EXPECT_EQ(parts.tensors.size(), kBytes + sizeof(int32_t));
}

// What the exception callback of the test below found out.
struct Found {
  aclError code = ACL_ERROR_FAILURE;
  char name[64] = "";
  aclTensorDesc *inputs = nullptr, *outputs = nullptr;
  size_t input_count = 0, output_count = 0;
  uint32_t device = 0, stream = 0, task = 0;
} found;

void FindOperator(aclrtExceptionInfo* info) {
  found.device = aclrtGetDeviceIdFromExceptionInfo(info);
  found.stream = aclrtGetStreamIdFromExceptionInfo(info);
  found.task = aclrtGetTaskIdFromExceptionInfo(info);
  found.code =
      aclmdlCreateAndGetOpDesc(found.device, found.stream, found.task, found.name, sizeof found.name,
                               &found.inputs, &found.input_count, &found.outputs, &found.output_count);
}

TEST(ExceptionInfo, LeadsToTheOperatorThatFailed) {
  const Session session;
  const LoadedModel model(BuildModel(PickGraph()));
  DeviceSet inputs, outputs;
  inputs.Add(Floats(kCount, 5)).Add(sizeof(int32_t));
  outputs.Add(sizeof(float));
  const int32_t index = 1 << 20;
  EXPECT_OK(aclrtMemcpy(aclGetDataBufferAddr(inputs.buffer(1)), 4, &index, 4, ACL_MEMCPY_HOST_TO_DEVICE));
  const aclrtStream stream = session.Stream();
  EXPECT_OK(aclrtSetExceptionInfoCallback(FindOperator));
  EXPECT_OK(aclmdlExecuteAsync(model.id(), inputs.get(), outputs.get(), stream));
  EXPECT_NE(aclrtSynchronizeStream(stream), ACL_SUCCESS);
  EXPECT_OK(aclrtSetExceptionInfoCallback(nullptr));
  ASSERT_EQ(found.code, ACL_SUCCESS) << RecentError();
  EXPECT_STREQ(found.name, "pick");
  ASSERT_EQ(found.input_count, 2u);
  ASSERT_EQ(found.output_count, 1u);
  EXPECT_EQ(aclGetTensorDescElementCount(found.inputs), kCount);
  EXPECT_EQ(aclGetTensorDescType(aclGetTensorDescByIndex(found.inputs, 1)), ACL_INT32);
  EXPECT_EQ(aclGetTensorDescElementCount(found.outputs), 1u);
  aclDestroyTensorDesc(found.inputs);
  aclDestroyTensorDesc(found.outputs);
  const auto again = [&](uint32_t task, char* name, size_t length) {
    return aclmdlCreateAndGetOpDesc(found.device, found.stream, task, name, length, &found.inputs,
                                    &found.input_count, &found.outputs, &found.output_count);
  };
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, again(found.task + 1, found.name, sizeof found.name));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, again(found.task, found.name, 4));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, again(found.task, nullptr, 64));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM,
               aclmdlCreateAndGetOpDesc(0, 0, 0, found.name, 64, nullptr, nullptr, nullptr, nullptr));
}

TEST(ExceptionInfo, IsSavedWhereThePathSays) {
  const ExceptionDump dump;
  char path[4096];
  ASSERT_OK(acldumpGetExceptionInfoPath(path, sizeof path));
  EXPECT_EQ(path, dump.Directory());
  EXPECT_FAILS_WITH(ACL_ERROR_INVALID_PARAM, "maxLen", acldumpGetExceptionInfoPath(path, 4));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acldumpGetExceptionInfoPath(nullptr, 4096));
  DeviceSet memory;
  memory.Add(Floats(kCount, 9));
  acldumpTensorInfo info = {};
  info.type = ACL_DUMP_TENSOR_OUTPUT;
  info.tensorSize = kBytes;
  info.format = ACL_FORMAT_ND;
  info.dataType = ACL_FLOAT;
  info.tensorAddr = static_cast<int64_t*>(aclGetDataBufferAddr(memory.buffer(0)));
  info.addrType = ACL_DUMP_ADDR_RAW;
  info.placement = ACL_DUMP_PLACEMENT_DEVICE;
  info.shapeNum = 1;
  info.shape[0] = kCount;
  ASSERT_OK(acldumpSaveExceptionInfo("mine", "tag", &info, 1));
  EXPECT_EQ(DumpParts(FileOf(dump.Files(), "mine.custom.")).AsFloats(), Floats(kCount, 9));
  info.shapeNum = 26;
  EXPECT_FAILS_WITH(ACL_ERROR_INVALID_PARAM, "26", acldumpSaveExceptionInfo("mine", "tag", &info, 1));
  info.shapeNum = 1;
  info.placement = ACL_DUMP_PLACEMENT_HOST;
  EXPECT_FAILS_WITH(ACL_ERROR_INVALID_PARAM, "placement", acldumpSaveExceptionInfo("mine", "tag", &info, 1));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acldumpSaveExceptionInfo("../up", "tag", &info, 1));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acldumpSaveExceptionInfo("/abs", "tag", &info, 1));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acldumpSaveExceptionInfo(nullptr, "tag", &info, 1));
}

TEST(ExceptionInfo, NeedsAnExceptionDump) {
  Session session;
  char path[4096];
  EXPECT_FAILS_WITH(ACL_ERROR_DUMP_NOT_RUN, "dump_scene", acldumpGetExceptionInfoPath(path, sizeof path));
}

}  // namespace
