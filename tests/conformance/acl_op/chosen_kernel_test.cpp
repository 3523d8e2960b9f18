// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Operators whose kernels the program chooses: aclopRegisterCompileFunc and its kin.
#include "conformance/acl_op/op_fixture.h"
#include "conformance/kernel_binary.h"

namespace {

constexpr const char* kType = "ConformanceChosen";

struct Tiling {
  int64_t count;
  float factor;
};

int calls = 0;
float factor = 1;
aclError answer = ACL_SUCCESS;

aclError Choose(int inputs, const aclTensorDesc* const*, int outputs, const aclTensorDesc* const* outputDesc,
                const aclopAttr*, aclopKernelDesc* kernel) {
  ++calls;
  if (inputs != 2 || outputs != 1) return ACL_ERROR_INVALID_PARAM;
  int64_t count = 0;
  EXPECT_OK(aclGetTensorDescDimV2(outputDesc[0], 0, &count));
  const Tiling tiling = {count, factor};
  size_t workspaces[] = {256};
  EXPECT_OK(aclopSetKernelArgs(kernel, "the_kernel", 2, &tiling, sizeof tiling));
  EXPECT_OK(aclopSetKernelWorkspaceSizes(kernel, 1, workspaces));
  return answer;
}

int freed = 0;
void Free(void* data, size_t) {
  ++freed;
  delete[] static_cast<char*>(data);
}

class ChosenKernels : public testing::Test {
 protected:
  ChosenKernels() {
    calls = freed = 0;
    factor = 1;
    answer = ACL_SUCCESS;
    EXPECT_OK(aclopRegisterCompileFunc(kType, Choose));
    const std::vector<char> bytes = BytesOf(KernelFile());
    char* const data = new char[bytes.size()];
    std::copy(bytes.begin(), bytes.end(), data);
    EXPECT_OK(aclopCreateKernel(kType, "the_kernel", "add_tiled", data, static_cast<int>(bytes.size()),
                                ACL_ENGINE_AICORE, Free));
    EXPECT_EQ(freed, 1);
  }
  ~ChosenKernels() override { aclopUnregisterCompileFunc(kType); }

  const Session session;
  const OpTensorPtr x = OpTensor::Of<float>({4}, {1, 2, 3, 4});
  const OpTensorPtr y = OpTensor::Of<float>({4}, {10, 20, 30, 40});
  const OpTensorPtr z = OpTensor::Room<float>({4}, 4);
  Op op = Op(kType, {x, y}, {z});
};

TEST_F(ChosenKernels, Run) {
  EXPECT_OK(op.Execute());
  EXPECT_OK(aclrtSynchronizeStream(nullptr));
  EXPECT_EQ(z->Read<float>(4), (FloatList{11, 22, 33, 44}));
  EXPECT_EQ(calls, 1);
}

TEST_F(ChosenKernels, AreChosenAheadByUpdateParams) {
  factor = 2;
  EXPECT_OK(aclopUpdateParams(kType, 2, op.input_descs(), 1, op.output_descs(), nullptr));
  factor = 3;
  EXPECT_OK(op.Execute());
  EXPECT_OK(aclrtSynchronizeStream(nullptr));
  EXPECT_EQ(z->Read<float>(4), (FloatList{22, 44, 66, 88})) << "as it was when the parameters were updated";
  EXPECT_EQ(calls, 1);
  EXPECT_OK(aclopUpdateParams(kType, 2, op.input_descs(), 1, op.output_descs(), nullptr));
  EXPECT_OK(op.Execute());
  EXPECT_OK(aclrtSynchronizeStream(nullptr));
  EXPECT_EQ(z->Read<float>(4), (FloatList{33, 66, 99, 132}));
}

TEST_F(ChosenKernels, FailWithTheAnswerOfTheProgram) {
  answer = 4711;
  EXPECT_OP_FAILS(4711, kType, op.Execute());
  EXPECT_OP_FAILS(4711, kType, aclopUpdateParams(kType, 2, op.input_descs(), 1, op.output_descs(), nullptr));
}

TEST_F(ChosenKernels, RefuseMemoryThatIsNotThere) {
  aclDataBuffer* const wrong = aclCreateDataBuffer(z->memory(), size_t{1} << 40);
  aclDataBuffer* outputs[] = {wrong};
  EXPECT_OP_FAILS(ACL_ERROR_INVALID_PARAM, "outputs[0]",
                  aclopExecuteV2(kType, 2, op.input_descs(), op.input_buffers(), 1, op.output_descs(),
                                 outputs, nullptr, nullptr));
  EXPECT_OK(aclDestroyDataBuffer(wrong));
}

TEST_F(ChosenKernels, EndWithTheirFunction) {
  EXPECT_OP_FAILS(ACL_ERROR_INVALID_PARAM, kType, aclopRegisterCompileFunc(kType, Choose));
  EXPECT_OK(aclopUnregisterCompileFunc(kType));
  EXPECT_OP_FAILS(ACL_ERROR_OP_NOT_FOUND, kType, op.Execute());
  EXPECT_OP_FAILS(ACL_ERROR_INVALID_PARAM, kType, aclopUnregisterCompileFunc(kType));
  EXPECT_OP_FAILS(ACL_ERROR_OP_NOT_FOUND, kType,
                  aclopUpdateParams(kType, 2, op.input_descs(), 1, op.output_descs(), nullptr));
  EXPECT_OK(aclopRegisterCompileFunc(kType, Choose));
}

TEST_F(ChosenKernels, WantKernelsForThisCpu) {
  char nonsense[] = "no binary at all";
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID,
               aclopCreateKernel(kType, "id", "add", nonsense, sizeof nonsense, ACL_ENGINE_SYS, nullptr));
  std::vector<char> bytes = BytesOf(KernelFile());
  const int size = static_cast<int>(bytes.size());
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID,
               aclopCreateKernel(kType, "id", "no_such", bytes.data(), size, ACL_ENGINE_SYS, nullptr));
  bytes[18] = 0x29;  // another machine
  bytes[19] = 0x10;
  EXPECT_FAILS(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
               aclopCreateKernel(kType, "id", "add", bytes.data(), size, ACL_ENGINE_SYS, nullptr));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM,
               aclopCreateKernel(nullptr, "id", "add", bytes.data(), size, ACL_ENGINE_SYS, nullptr));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM,
               aclopCreateKernel(kType, nullptr, "add", bytes.data(), size, ACL_ENGINE_SYS, nullptr));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM,
               aclopCreateKernel(kType, "id", nullptr, bytes.data(), size, ACL_ENGINE_SYS, nullptr));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM,
               aclopCreateKernel(kType, "id", "add", nullptr, size, ACL_ENGINE_SYS, nullptr));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM,
               aclopCreateKernel(kType, "id", "add", bytes.data(), -1, ACL_ENGINE_SYS, nullptr));
}

TEST_F(ChosenKernels, CheckTheirArguments) {
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclopRegisterCompileFunc(nullptr, Choose));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclopRegisterCompileFunc("Other", nullptr));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclopUnregisterCompileFunc(nullptr));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclopSetKernelArgs(nullptr, "id", 1, nullptr, 0));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclopSetKernelWorkspaceSizes(nullptr, 0, nullptr));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclopUpdateParams(nullptr, 0, nullptr, 0, nullptr, nullptr));
}

}  // namespace
