// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Tensors as large, as far away and as empty as they can be described.
#include <gtest/gtest.h>

#include <vector>

#include "acl/acl_dump.h"
#include "aclnn/nn_case.h"
#include "aclnnop/aclnn_add.h"
#include "aclnnop/aclnn_cat.h"
#include "aclnnop/aclnn_copy.h"
#include "conformance/config_file.h"

namespace nn {
namespace {

constexpr int kInvalid = 161002;
constexpr std::int64_t kHuge = std::int64_t{1} << 58;

class Limits : public Nn {
 protected:
  const Tensor memory_ = In(ACL_DOUBLE, {4}, Values(4, 1));

  static aclTensor* Create(const Dims& dims, aclDataType type, const std::int64_t* strides,
                           std::int64_t offset, void* data) {
    return aclCreateTensor(dims.data(), dims.size(), type, strides, offset, ACL_FORMAT_ND, dims.data(),
                           dims.size(), data);
  }
  // Copies between the two, and answers the code of the phase that fails.
  static int Copy(aclTensor* to, const aclTensor* from) {
    std::uint64_t workspace = 0;
    aclOpExecutor* executor = nullptr;
    const int code = aclnnInplaceCopyGetWorkspaceSize(to, from, &workspace, &executor);
    return code != 0 ? code : aclnnInplaceCopy(nullptr, 0, executor, stream());
  }
  // One that lies elsewhere than its offset says would be found.
  void ExpectOutOfReach(const Dims& dims, aclDataType type, const Dims& strides, std::int64_t offset) {
    const Tensor memory = In(type, {4}, Values(type == ACL_COMPLEX128 ? 8 : 4, 1));
    const Tensor result = Out(type, dims.empty() ? dims : Dims{dims[0]});
    aclTensor* far = Create(dims, type, strides.data(), offset, memory.data());
    if (far == nullptr) return;
    aclTensor* out = result.Create();
    EXPECT_EQ(Copy(out, far), kInvalid) << "offset " << offset;
    EXPECT_EQ(Copy(far, out), kInvalid) << "offset " << offset;
    EXPECT_OK(aclrtSynchronizeStream(stream()));
    EXPECT_OK(aclDestroyTensor(far));
    EXPECT_OK(aclDestroyTensor(out));
  }
};

TEST_F(Limits, OfOffsetsAreThoseOfMemory) {
  for (const aclDataType type : {ACL_INT8, ACL_FLOAT16, ACL_FLOAT, ACL_DOUBLE, ACL_COMPLEX128})
    for (const std::int64_t offset : {kHuge, 2 * kHuge - 1, 2 * kHuge, 4 * kHuge, 8 * kHuge, INT64_MAX}) {
      ExpectOutOfReach({}, type, {}, offset);
      ExpectOutOfReach({1}, type, {1}, offset);
    }
}

TEST_F(Limits, OfStridesAreThoseOfMemory) {
  for (const aclDataType type : {ACL_INT8, ACL_FLOAT, ACL_DOUBLE, ACL_COMPLEX128})
    for (const std::int64_t stride : {kHuge, 2 * kHuge - 1, 2 * kHuge, INT64_MAX})
      ExpectOutOfReach({2}, type, {stride}, 0);
}

TEST_F(Limits, OfCountsAreThoseOfMemory) {
  EXPECT_EQ(Create({kHuge, kHuge}, ACL_FLOAT, nullptr, 0, nullptr), nullptr);
  EXPECT_EQ(Create({INT64_MAX, 2, 0}, ACL_FLOAT, nullptr, 0, nullptr), nullptr);
  const std::vector<std::int64_t> repeated = {0, 0, 0};
  EXPECT_EQ(Create({kHuge, kHuge, 4}, ACL_FLOAT, repeated.data(), 0, nullptr), nullptr);
  aclTensor* large = Create({kHuge}, ACL_DOUBLE, nullptr, 0, memory_.data());
  aclTensor* other = Create({kHuge}, ACL_DOUBLE, nullptr, 0, memory_.data());
  ASSERT_NE(large, nullptr);
  EXPECT_NE(Copy(large, other), 0);
  // As many elements from one.
  const std::int64_t zero = 0;
  aclTensor* same = Create({kHuge}, ACL_FLOAT, &zero, 0, memory_.data());
  ASSERT_NE(same, nullptr);
  EXPECT_NE(Copy(large, same), 0);
  for (const aclTensor* tensor : {large, other, same})
    EXPECT_OK(aclDestroyTensor(tensor));
}

TEST_F(Limits, OfRanksAreEightForOperators) {
  const Dims eight(8, 1), nine(9, 1), ten(10, 1), eleven(11, 1);
  EXPECT_EQ(Create(eleven, ACL_FLOAT, nullptr, 0, nullptr), nullptr);
  const Tensor in = In(ACL_FLOAT, eight, {3}), out = Out(ACL_FLOAT, eight);
  Run(NN(InplaceCopy), out.As(Role::kRef), in);
  EXPECT_EQ(out.Read(), Values{3});
  for (const Dims& dims : {nine, ten}) {
    aclTensor *from = Create(dims, ACL_FLOAT, nullptr, 0, in.data()),
              *to = Create(dims, ACL_FLOAT, nullptr, 0, out.data());
    EXPECT_EQ(Copy(to, from), kInvalid);
    EXPECT_OK(aclDestroyTensor(from));
    EXPECT_OK(aclDestroyTensor(to));
  }
}

TEST_F(Limits, OfStorageAreNotLookedAt) {
  Tensor in = In(ACL_FLOAT, {2, 3}, {1, 2, 3, 4, 5, 6}, Layout::kPaddedRows);
  in.storage = {1};
  const Tensor out = Out(ACL_FLOAT, {2, 3});
  Run(NN(InplaceCopy), out.As(Role::kRef), in);
  EXPECT_EQ(out.Read(), (Values{1, 2, 3, 4, 5, 6}));
}

TEST_F(Limits, OfNothingIsNoAddress) {
  const Dims none = {0, 3};
  aclTensor *from = Create(none, ACL_FLOAT, nullptr, 0, nullptr),
            *to = Create(none, ACL_FLOAT, nullptr, 77, nullptr);
  EXPECT_OK(Copy(to, from));
  EXPECT_OK(aclrtSynchronizeStream(stream()));
  EXPECT_OK(aclDestroyTensor(from));
  EXPECT_OK(aclDestroyTensor(to));
}

TEST_F(Limits, OfTensorsInDumpsAreThoseOfMemory) {
  const TemporaryDirectory directory;
  const ConfigFile config(R"({"dump": {"dump_path": ")" + directory.path() +
                          R"(", "dump_op_switch": "on"}})");
  ASSERT_OK(aclmdlInitDump());
  ASSERT_OK(aclmdlSetDump(config.path()));
  for (const std::int64_t stride : {kHuge / 2, kHuge, 2 * kHuge - 2}) {
    aclTensor* tensor = Create({2}, ACL_COMPLEX128, &stride, 0, memory_.data());
    ASSERT_NE(tensor, nullptr);
    EXPECT_EQ(aclDumpOpTensors("Own", "own", &tensor, 1, 0, stream()), kInvalid);
    EXPECT_OK(aclDestroyTensor(tensor));
  }
  EXPECT_OK(aclrtSynchronizeStream(stream()));
  EXPECT_OK(aclmdlFinalizeDump());
}

TEST_F(Limits, OfListsAreThoseOfPlaces) {
  constexpr std::size_t kMany = 65536 + 2;
  const Tensor in = In(ACL_FLOAT, {1}, {1}), out = Out(ACL_FLOAT, {2});
  std::vector<const aclTensor*> members;
  for (std::size_t i = 0; i < kMany; ++i)
    members.push_back(in.Create());
  aclTensorList* list = aclCreateTensorList(members.data(), kMany);
  const Dims whole = {static_cast<std::int64_t>(kMany)};
  aclTensor* joined = Create(whole, ACL_FLOAT, nullptr, 0, nullptr);
  std::uint64_t workspace = 0;
  aclOpExecutor* executor = nullptr;
  EXPECT_EQ(aclnnCatGetWorkspaceSize(list, 0, joined, &workspace, &executor), kInvalid);
  EXPECT_OK(aclDestroyTensorList(list));
  EXPECT_OK(aclDestroyTensor(joined));

  const aclTensor* two[] = {in.Create(), in.Create()};
  list = aclCreateTensorList(two, 2);
  joined = out.Create();
  ASSERT_OK(aclnnCatGetWorkspaceSize(list, 0, joined, &workspace, &executor));
  EXPECT_EQ(aclSetDynamicInputTensorAddr(executor, 0, 65536, list, out.data()), kInvalid);
  EXPECT_OK(aclnnCat(nullptr, 0, executor, stream()));
  EXPECT_OK(aclrtSynchronizeStream(stream()));
  EXPECT_EQ(out.Read(), (Values{1, 1}));
  EXPECT_OK(aclDestroyTensorList(list));
  EXPECT_OK(aclDestroyTensor(joined));
}

}  // namespace
}  // namespace nn
