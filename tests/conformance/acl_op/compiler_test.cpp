// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <fstream>
#include <sstream>

#include "conformance/acl_op/op_fixture.h"
#include "conformance/config_file.h"
#include "conformance/in_fork.h"

namespace {

TEST(InferShape, TellsTheOutputs) {
  const auto a = OpTensor::Absent();
  aclTensorDesc* inputs[] = {aclCreateTensorDesc(ACL_FLOAT, 2, TensorDims{2, 3}.data(), ACL_FORMAT_ND),
                             aclCreateTensorDesc(ACL_FLOAT, 1, TensorDims{3}.data(), ACL_FORMAT_ND)};
  aclTensorDesc* output = aclCreateTensorDesc(ACL_FLOAT, 1, TensorDims{-2}.data(), ACL_FORMAT_ND);
  EXPECT_OK(aclopInferShape("Add", 2, inputs, nullptr, 1, &output, nullptr));
  int64_t dim = 0;
  EXPECT_EQ(aclGetTensorDescNumDims(output), 2u);
  EXPECT_OK(aclGetTensorDescDimV2(output, 1, &dim));
  EXPECT_EQ(dim, 3);
  EXPECT_OP_FAILS(ACL_ERROR_OP_NOT_FOUND, "'Addition'",
                  aclopInferShape("Addition", 2, inputs, nullptr, 1, &output, nullptr));
  aclDestroyTensorDesc(inputs[0]);
  aclDestroyTensorDesc(inputs[1]);
  aclDestroyTensorDesc(output);
}

class HostTensor {
 public:
  HostTensor(const TensorDims& dims, std::vector<int32_t> values) : values_(std::move(values)) {
    desc = aclCreateTensorDesc(ACL_INT32, static_cast<int>(dims.size()), dims.data(), ACL_FORMAT_ND);
    buffer = aclCreateDataBuffer(values_.empty() ? nullptr : values_.data(), values_.size() * 4);
  }
  ~HostTensor() {
    aclDestroyTensorDesc(desc);
    aclDestroyDataBuffer(buffer);
  }
  HostTensor(const HostTensor&) = delete;
  HostTensor& operator=(const HostTensor&) = delete;
  TensorDims dims() const {
    TensorDims dims(aclGetTensorDescNumDims(desc));
    for (size_t i = 0; i < dims.size(); ++i)
      EXPECT_OK(aclGetTensorDescDimV2(desc, i, &dims[i]));
    return dims;
  }

  aclTensorDesc* desc;
  aclDataBuffer* buffer;

 private:
  std::vector<int32_t> values_;
};

TEST(InferShape, ReadsValuesOfTheHost) {
  const HostTensor x({2, 6}, {}), shape({2}, {3, 4}), y({-2}, {});
  aclTensorDesc* descs[] = {x.desc, shape.desc};
  aclDataBuffer* buffers[] = {x.buffer, shape.buffer};
  aclTensorDesc* out = y.desc;
  EXPECT_OK(aclopInferShape("Reshape", 2, descs, buffers, 1, &out, nullptr));
  EXPECT_EQ(y.dims(), (TensorDims{3, 4}));
}

TEST(InferShape, SaysWhatTheRunDecides) {
  const HostTensor x({2, 6}, {}), shape({2}, {}), y({-1}, {});
  aclTensorDesc* descs[] = {x.desc, shape.desc};
  aclDataBuffer* buffers[] = {x.buffer, shape.buffer};
  aclTensorDesc* out = y.desc;
  EXPECT_OK(aclopInferShape("Reshape", 2, descs, buffers, 1, &out, nullptr));
  EXPECT_EQ(aclGetTensorDescNumDims(out), ACL_UNKNOWN_RANK);
}

TEST(InferShape, GivesRangesForOpenInputs) {
  const HostTensor a({-1, 3}, {}), b({-1, 5}, {}), y({-2}, {});
  int64_t first[2][2] = {{2, 4}, {3, 3}};
  int64_t second[2][2] = {{2, -1}, {5, 5}};
  EXPECT_OK(aclSetTensorShapeRange(a.desc, 2, first));
  aclTensorDesc* in = a.desc;
  aclTensorDesc* out = y.desc;
  EXPECT_OK(aclopInferShape("Square", 1, &in, nullptr, 1, &out, nullptr));
  EXPECT_EQ(y.dims(), (TensorDims{-1, 3}));
  int64_t range[2] = {};
  EXPECT_OK(aclGetTensorDescDimRange(out, 0, 2, range));
  EXPECT_EQ(range[0], 2);
  EXPECT_EQ(range[1], 4);
  EXPECT_OK(aclSetTensorShapeRange(b.desc, 2, second));
  in = b.desc;
  EXPECT_OK(aclopInferShape("Square", 1, &in, nullptr, 1, &out, nullptr));
  EXPECT_OK(aclGetTensorDescDimRange(out, 0, 2, range));
  EXPECT_EQ(range[1], -1) << "no end stays no end";
}

std::string JitCompile() {
  char value[64] = {};
  EXPECT_OK(aclGetCompileopt(ACL_OP_JIT_COMPILE, value, sizeof value));
  return value;
}

TEST(CompileOptions, DISABLED_HasReadyKernels) {
  EXPECT_EQ(JitCompile(), "disable");
}

TEST(CompileOptions, DISABLED_CompilesForEachShape) {
  EXPECT_EQ(JitCompile(), "enable");
}

TEST(CompileOptions, HaveNothingCompiledOnChipsWithReadyKernels) {
  EXPECT_EQ(InNewProgram("CompileOptions.DISABLED_HasReadyKernels", {}), 0);
  EXPECT_EQ(
      InNewProgram("CompileOptions.DISABLED_CompilesForEachShape", {{"FOOTHOLD_SOC_NAME", "Ascend310P3"}}),
      0);
}

TEST(CompileOptions, AreKeptForTheProcess) {
  char value[64];
  EXPECT_GT(aclGetCompileoptSize(ACL_OP_JIT_COMPILE), 1u) << "a default";
  EXPECT_OK(aclSetCompileopt(ACL_OP_JIT_COMPILE, "disable"));
  EXPECT_EQ(aclGetCompileoptSize(ACL_OP_JIT_COMPILE), sizeof "disable");
  EXPECT_OK(aclGetCompileopt(ACL_OP_JIT_COMPILE, value, sizeof "disable"));
  EXPECT_STREQ(value, "disable");
  EXPECT_OP_FAILS(ACL_ERROR_INVALID_PARAM, "8 bytes", aclGetCompileopt(ACL_OP_JIT_COMPILE, value, 3));
  EXPECT_OP_FAILS(ACL_ERROR_INVALID_PARAM, "value", aclGetCompileopt(ACL_OP_JIT_COMPILE, nullptr, 30));
  EXPECT_OP_FAILS(ACL_ERROR_INVALID_PARAM, "value", aclSetCompileopt(ACL_OP_JIT_COMPILE, nullptr));
  EXPECT_OP_FAILS(ACL_ERROR_INVALID_PARAM, "99 is no option",
                  aclSetCompileopt(static_cast<aclCompileOpt>(99), "x"));
  EXPECT_EQ(aclGetCompileoptSize(static_cast<aclCompileOpt>(99)), 0u);
  EXPECT_OK(aclSetCompileopt(ACL_OP_JIT_COMPILE, "enable"));
}

TEST(CompileFlag, IsOneOfTwo) {
  EXPECT_OK(aclopSetCompileFlag(ACL_OP_COMPILE_FUZZ));
  EXPECT_OK(aclopSetCompileFlag(ACL_OP_COMPILE_DEFAULT));
  EXPECT_OP_FAILS(ACL_ERROR_INVALID_PARAM, "flag is 7",
                  aclopSetCompileFlag(static_cast<aclOpCompileFlag>(7)));
}

TEST(GraphOfAnOperator, IsWrittenAsText) {
  const Session session;
  const TemporaryDirectory directory;
  const std::string path = directory.path() + "/relu.txt";
  const auto x = OpTensor::Of<float>({2}, {1, 2});
  Op op("Relu", {x}, {x});
  aclGraphDumpOption* option = aclCreateGraphDumpOpt();
  ASSERT_NE(option, nullptr);
  const auto write = [&](const char* file, const aclGraphDumpOption* with) {
    return aclGenGraphAndDumpForOp(op.type(), 1, op.input_descs(), op.input_buffers(), 1, op.output_descs(),
                                   op.output_buffers(), nullptr, ACL_ENGINE_SYS, file, with);
  };
  EXPECT_OK(write(path.c_str(), option));
  EXPECT_THAT(directory.AllText(), testing::HasSubstr("Relu"));
  EXPECT_OP_FAILS(ACL_ERROR_WRITE_FILE, "/no/such/file", write("/no/such/file", nullptr));
  EXPECT_OP_FAILS(ACL_ERROR_INVALID_PARAM, "graphDumpPath", write(nullptr, nullptr));
  EXPECT_OK(aclDestroyGraphDumpOpt(option));
  EXPECT_OP_FAILS(ACL_ERROR_INVALID_PARAM, "was destroyed", write(path.c_str(), option));
}

}  // namespace
