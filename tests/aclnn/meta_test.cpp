// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Tensors, scalars, arrays and lists: what they keep, who owns them, and what is answered for handles that
// are none.
#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "aclnn/aclnn_base.h"
#include "aclnn/nn_case.h"
#include "aclnnop/aclnn_cat.h"

namespace nn {
namespace {

constexpr int kNull = 161001, kInvalid = 161002;

aclTensor* Plain(std::vector<std::int64_t> dims, void* data = nullptr) {
  return aclCreateTensor(dims.data(), dims.size(), ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, dims.data(),
                         dims.size(), data);
}

template <typename Get>
std::vector<std::int64_t> ListOf(const aclTensor* tensor, const Get& get) {
  std::int64_t* values = nullptr;
  std::uint64_t count = 0;
  EXPECT_OK(get(tensor, &values, &count));
  const std::unique_ptr<std::int64_t[]> owned(values);
  return {values, values + count};
}

TEST(NnTensor, KeepsWhatItWasMadeOf) {
  const std::int64_t dims[] = {2, 3}, strides[] = {8, 2}, storage[] = {40};
  int memory = 0;
  aclTensor* tensor = aclCreateTensor(dims, 2, ACL_FLOAT16, strides, 5, ACL_FORMAT_NCHW, storage, 1, &memory);
  ASSERT_NE(tensor, nullptr);
  EXPECT_EQ(ListOf(tensor, aclGetViewShape), (std::vector<std::int64_t>{2, 3}));
  EXPECT_EQ(ListOf(tensor, aclGetViewStrides), (std::vector<std::int64_t>{8, 2}));
  EXPECT_EQ(ListOf(tensor, aclGetStorageShape), (std::vector<std::int64_t>{40}));
  std::int64_t offset = 0;
  aclFormat format = ACL_FORMAT_UNDEFINED;
  aclDataType type = ACL_DT_UNDEFINED;
  void* address = nullptr;
  EXPECT_OK(aclGetViewOffset(tensor, &offset));
  EXPECT_OK(aclGetFormat(tensor, &format));
  EXPECT_OK(aclGetDataType(tensor, &type));
  EXPECT_OK(aclGetRawTensorAddr(tensor, &address));
  EXPECT_EQ(offset, 5);
  EXPECT_EQ(format, ACL_FORMAT_NCHW);
  EXPECT_EQ(type, ACL_FLOAT16);
  EXPECT_EQ(address, &memory);
  EXPECT_OK(aclDestroyTensor(tensor));
}

TEST(NnTensor, IsContiguousWithoutStridesAndMayBeAScalar) {
  aclTensor* tensor = Plain({2, 3, 4});
  EXPECT_EQ(ListOf(tensor, aclGetViewStrides), (std::vector<std::int64_t>{12, 4, 1}));
  aclTensor* scalar = aclCreateTensor(nullptr, 0, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, nullptr, 0, nullptr);
  ASSERT_NE(scalar, nullptr);
  EXPECT_EQ(ListOf(scalar, aclGetViewShape), std::vector<std::int64_t>());
  EXPECT_OK(aclDestroyTensor(tensor));
  EXPECT_OK(aclDestroyTensor(scalar));
}

TEST(NnTensor, CanBeDescribedAnewAndMoved) {
  aclTensor* tensor = Plain({2, 3});
  const std::int64_t dims[] = {7};
  EXPECT_OK(aclInitTensor(tensor, dims, 1, ACL_INT32, nullptr, 0, ACL_FORMAT_ND, dims, 1, nullptr));
  EXPECT_EQ(ListOf(tensor, aclGetViewShape), (std::vector<std::int64_t>{7}));
  int memory = 0;
  void* address = nullptr;
  EXPECT_OK(aclSetRawTensorAddr(tensor, &memory));
  EXPECT_OK(aclGetRawTensorAddr(tensor, &address));
  EXPECT_EQ(address, &memory);
  EXPECT_EQ(aclSetRawTensorAddr(tensor, nullptr), kNull);
  EXPECT_EQ(aclInitTensor(tensor, nullptr, 1, ACL_INT32, nullptr, 0, ACL_FORMAT_ND, nullptr, 0, nullptr),
            kNull);
  EXPECT_OK(aclDestroyTensor(tensor));
}

TEST(NnTensor, RefusesDescriptionsThatMeanNothing) {
  const std::int64_t dims[] = {2, -3}, good[] = {2, 3}, strides[] = {-1, 1};
  const std::int64_t huge[] = {INT64_MAX / 2, INT64_MAX / 2}, many[11] = {};
  const auto make = [](const std::int64_t* d, std::uint64_t n, int type, const std::int64_t* s,
                       std::int64_t offset) {
    return aclCreateTensor(d, n, static_cast<aclDataType>(type), s, offset, ACL_FORMAT_ND, nullptr, 0,
                           nullptr);
  };
  EXPECT_EQ(make(dims, 2, ACL_FLOAT, nullptr, 0), nullptr);
  EXPECT_NE(RecentError().find("-3"), std::string::npos);
  EXPECT_EQ(make(nullptr, 2, ACL_FLOAT, nullptr, 0), nullptr);
  EXPECT_EQ(make(good, 2, 9999, nullptr, 0), nullptr);
  EXPECT_EQ(make(good, 2, ACL_FLOAT, strides, 0), nullptr);
  EXPECT_EQ(make(good, 2, ACL_FLOAT, nullptr, -1), nullptr);
  EXPECT_EQ(make(huge, 2, ACL_FLOAT, nullptr, 0), nullptr);
  EXPECT_EQ(make(many, 11, ACL_FLOAT, nullptr, 0), nullptr);
}

TEST(NnTensor, IsNotFoundOnceDestroyedNorByAnythingElse) {
  aclTensor* tensor = Plain({2});
  EXPECT_OK(aclDestroyTensor(tensor));
  std::int64_t offset = 0;
  float value = 1;
  aclScalar* scalar = aclCreateScalar(&value, ACL_FLOAT);
  int garbage = 0;
  for (const void* handle : {static_cast<const void*>(tensor), static_cast<const void*>(scalar),
                             static_cast<const void*>(&garbage), reinterpret_cast<const void*>(-1)}) {
    EXPECT_EQ(aclGetViewOffset(static_cast<const aclTensor*>(handle), &offset), kInvalid);
    EXPECT_EQ(aclDestroyTensor(static_cast<const aclTensor*>(handle)), kInvalid);
  }
  EXPECT_EQ(aclDestroyTensor(nullptr), kNull);
  EXPECT_OK(aclDestroyScalar(scalar));
}

TEST(NnTensor, AnswersNullResultsByName) {
  aclTensor* tensor = Plain({2});
  std::int64_t* list = nullptr;
  std::uint64_t count = 0;
  EXPECT_EQ(aclGetViewShape(tensor, nullptr, &count), kNull);
  EXPECT_EQ(aclGetViewShape(tensor, &list, nullptr), kNull);
  EXPECT_EQ(aclGetStorageShape(nullptr, &list, &count), kNull);
  EXPECT_EQ(aclGetViewStrides(nullptr, &list, &count), kNull);
  EXPECT_EQ(aclGetViewOffset(tensor, nullptr), kNull);
  EXPECT_EQ(aclGetFormat(tensor, nullptr), kNull);
  EXPECT_EQ(aclGetDataType(tensor, nullptr), kNull);
  EXPECT_EQ(aclGetRawTensorAddr(tensor, nullptr), kNull);
  EXPECT_OK(aclDestroyTensor(tensor));
}

TEST(NnArray, HasAsManyValuesAsItWasMadeOf) {
  const std::int64_t ints[] = {1, 2, 3};
  const float floats[] = {1, 2};
  const bool bools[] = {true};
  std::uint64_t size = 0;
  aclIntArray* int_array = aclCreateIntArray(ints, 3);
  EXPECT_OK(aclGetIntArraySize(int_array, &size));
  EXPECT_EQ(size, 3U);
  aclFloatArray* float_array = aclCreateFloatArray(floats, 2);
  EXPECT_OK(aclGetFloatArraySize(float_array, &size));
  EXPECT_EQ(size, 2U);
  aclBoolArray* bool_array = aclCreateBoolArray(bools, 1);
  EXPECT_OK(aclGetBoolArraySize(bool_array, &size));
  EXPECT_EQ(size, 1U);
  EXPECT_EQ(aclGetIntArraySize(int_array, nullptr), kNull);
  EXPECT_EQ(aclGetFloatArraySize(nullptr, &size), kNull);
  EXPECT_EQ(aclGetBoolArraySize(reinterpret_cast<aclBoolArray*>(int_array), &size), kInvalid);
  EXPECT_OK(aclDestroyIntArray(int_array));
  EXPECT_OK(aclDestroyFloatArray(float_array));
  EXPECT_OK(aclDestroyBoolArray(bool_array));
  EXPECT_EQ(aclDestroyIntArray(int_array), kInvalid);
  EXPECT_EQ(aclDestroyFloatArray(nullptr), kNull);
  EXPECT_EQ(aclDestroyBoolArray(bool_array), kInvalid);
  aclIntArray* none = aclCreateIntArray(nullptr, 0);
  ASSERT_NE(none, nullptr);
  EXPECT_OK(aclDestroyIntArray(none));
  EXPECT_EQ(aclCreateIntArray(nullptr, 2), nullptr);
  EXPECT_EQ(aclCreateFloatArray(floats, UINT64_MAX), nullptr);
}

TEST(NnScalar, IsOfATypeThatHasValues) {
  double value = 3;
  EXPECT_EQ(aclCreateScalar(nullptr, ACL_FLOAT), nullptr);
  EXPECT_EQ(aclCreateScalar(&value, ACL_STRING), nullptr);
  EXPECT_EQ(aclCreateScalar(&value, static_cast<aclDataType>(777)), nullptr);
  aclScalar* scalar = aclCreateScalar(&value, ACL_DOUBLE);
  EXPECT_OK(aclDestroyScalar(scalar));
  EXPECT_EQ(aclDestroyScalar(scalar), kInvalid);
}

TEST(NnList, OwnsItsMembers) {
  const aclTensor* members[] = {Plain({2}), nullptr, Plain({3})};
  aclTensorList* list = aclCreateTensorList(members, 3);
  std::uint64_t size = 0;
  EXPECT_OK(aclGetTensorListSize(list, &size));
  EXPECT_EQ(size, 3U);
  EXPECT_OK(aclDestroyTensorList(list));
  EXPECT_EQ(aclDestroyTensor(members[0]), kInvalid);
  EXPECT_EQ(aclDestroyTensor(members[2]), kInvalid);
  EXPECT_EQ(aclGetTensorListSize(list, &size), kInvalid);

  float value = 1;
  const aclScalar* scalars[] = {aclCreateScalar(&value, ACL_FLOAT), aclCreateScalar(&value, ACL_FLOAT)};
  aclScalarList* scalar_list = aclCreateScalarList(scalars, 2);
  EXPECT_OK(aclGetScalarListSize(scalar_list, &size));
  EXPECT_EQ(size, 2U);
  EXPECT_OK(aclDestroyScalarList(scalar_list));
  EXPECT_EQ(aclDestroyScalar(scalars[0]), kInvalid);
}

TEST(NnList, RefusesMembersThatAreNone) {
  int garbage = 0;
  const aclTensor* members[] = {reinterpret_cast<aclTensor*>(&garbage)};
  EXPECT_EQ(aclCreateTensorList(members, 1), nullptr);
  const aclScalar* scalars[] = {nullptr};
  EXPECT_EQ(aclCreateScalarList(scalars, 1), nullptr);
  EXPECT_EQ(aclCreateTensorList(nullptr, 1), nullptr);
}

TEST_F(Nn, AMemberThatWasDestroyedIsNotUsed) {
  const Tensor a = In(ACL_FLOAT, {2}, {1, 2}), out = Out(ACL_FLOAT, {4});
  const aclTensor* members[] = {a.Create(), a.Create()};
  aclTensorList* list = aclCreateTensorList(members, 2);
  aclTensor* result = out.Create();
  EXPECT_OK(aclDestroyTensor(members[1]));
  std::uint64_t workspace = 0;
  aclOpExecutor* executor = nullptr;
  EXPECT_EQ(aclnnCatGetWorkspaceSize(list, 0, result, &workspace, &executor), kInvalid);
  EXPECT_OK(aclDestroyTensorList(list));
  EXPECT_OK(aclDestroyTensor(result));
}

TEST(NnStart, NeedsNothingAndReadsAConfigurationThatIsThere) {
  EXPECT_OK(aclnnInit(nullptr));
  EXPECT_OK(aclnnFinalize());
  EXPECT_EQ(aclnnInit("/no/such/file.json"), kInvalid);
}

}  // namespace
}  // namespace nn
