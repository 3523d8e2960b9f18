// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "acl/acl.h"
#include "conformance/library.h"

// Some of the functions are deprecated and have to work all the same.
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

namespace {

using testing::HasSubstr;
using Dims = std::vector<int64_t>;

// A description that is destroyed at the end of the scope.
class Desc {
 public:
  explicit Desc(const Dims& dims, aclDataType type = ACL_FLOAT, aclFormat format = ACL_FORMAT_ND)
      : desc_(aclCreateTensorDesc(type, static_cast<int>(dims.size()), dims.data(), format)) {
    EXPECT_NE(desc_, nullptr);
  }
  ~Desc() { aclDestroyTensorDesc(desc_); }
  Desc(const Desc&) = delete;
  Desc& operator=(const Desc&) = delete;
  operator aclTensorDesc*() const { return desc_; }

 private:
  aclTensorDesc* const desc_;
};

Dims DimsOf(const aclTensorDesc* desc) {
  Dims dims;
  for (size_t i = 0; i < aclGetTensorDescNumDims(desc); ++i) {
    int64_t dim = -99;
    EXPECT_EQ(aclGetTensorDescDimV2(desc, i, &dim), ACL_SUCCESS);
    dims.push_back(dim);
  }
  return dims;
}

TEST(aclCreateTensorDesc, KeepsACopyOfWhatItWasGiven) {
  Dims dims = {2, 3, 4};
  aclTensorDesc* const desc = aclCreateTensorDesc(ACL_INT16, 3, dims.data(), ACL_FORMAT_NCHW);
  ASSERT_NE(desc, nullptr);
  dims = {9, 9, 9};
  EXPECT_EQ(DimsOf(desc), Dims({2, 3, 4}));
  EXPECT_EQ(aclGetTensorDescType(desc), ACL_INT16);
  EXPECT_EQ(aclGetTensorDescFormat(desc), ACL_FORMAT_NCHW);
  EXPECT_EQ(aclGetTensorDescElementCount(desc), 24u);
  EXPECT_EQ(aclGetTensorDescSize(desc), 48u);
  EXPECT_STREQ(aclGetTensorDescName(desc), "");
  EXPECT_EQ(aclGetTensorDescAddress(desc), nullptr);
  aclDestroyTensorDesc(desc);
}

TEST(aclCreateTensorDesc, TakesScalarsEmptyTensorsAndUnknownShapes) {
  const struct {
    Dims dims;
    size_t rank;
    size_t elements;
  } kCases[] = {{{}, 0, 1},    {{0}, 1, 0}, {{5, 0, 7}, 3, 0}, {{-1, 3}, 2, 0}, {{-2}, ACL_UNKNOWN_RANK, 0},
                {{1, 1}, 2, 1}};
  for (const auto& [dims, rank, elements] : kCases) {
    const Desc desc(dims);
    EXPECT_EQ(aclGetTensorDescNumDims(desc), rank);
    EXPECT_EQ(aclGetTensorDescElementCount(desc), elements);
    EXPECT_EQ(aclGetTensorDescSize(desc), elements * 4);
  }
}

TEST(aclCreateTensorDesc, IgnoresTheDimensionsOfAScalar) {
  const int64_t dims[] = {7};
  aclTensorDesc* const desc = aclCreateTensorDesc(ACL_FLOAT, 0, dims, ACL_FORMAT_ND);
  EXPECT_EQ(aclGetTensorDescElementCount(desc), 1u);
  aclDestroyTensorDesc(desc);
}

TEST(aclCreateTensorDesc, TakesTheUndefinedTypeOfAnAbsentInput) {
  const Desc desc({}, ACL_DT_UNDEFINED, ACL_FORMAT_UNDEFINED);
  EXPECT_EQ(aclGetTensorDescType(desc), ACL_DT_UNDEFINED);
  EXPECT_EQ(aclGetTensorDescFormat(desc), ACL_FORMAT_UNDEFINED);
  EXPECT_EQ(aclGetTensorDescSize(desc), 0u);
}

TEST(aclCreateTensorDesc, RefusesWhatIsNoShapeOrType) {
  const int64_t good[] = {1, 2, 3};
  const int64_t below[] = {1, -3};
  const int64_t rank_among_others[] = {1, -2};
  const auto refused = [](aclDataType type, int rank, const int64_t* dims) {
    RecentError();
    EXPECT_EQ(aclCreateTensorDesc(type, rank, dims, ACL_FORMAT_ND), nullptr);
    EXPECT_NE(RecentError(), "");
  };
  refused(ACL_FLOAT, -1, good);
  refused(ACL_FLOAT, 3, nullptr);
  refused(ACL_FLOAT, 129, good);
  refused(ACL_FLOAT, INT32_MAX, good);
  refused(ACL_FLOAT, 2, below);
  refused(ACL_FLOAT, 2, rank_among_others);
  refused(static_cast<aclDataType>(5), 3, good);
  refused(static_cast<aclDataType>(1000), 3, good);
}

TEST(aclGetTensorDescSize, RefusesNumbersThatDoNotFit) {
  const Desc elements({INT64_MAX, INT64_MAX});
  RecentError();
  EXPECT_EQ(aclGetTensorDescElementCount(elements), 0u);
  EXPECT_NE(RecentError(), "");
  const Desc bytes({INT64_MAX}, ACL_COMPLEX128);
  EXPECT_EQ(aclGetTensorDescElementCount(bytes), static_cast<size_t>(INT64_MAX));
  RecentError();
  EXPECT_EQ(aclGetTensorDescSize(bytes), 0u);
  EXPECT_NE(RecentError(), "");
  const Desc none({INT64_MAX, INT64_MAX, 0});
  EXPECT_EQ(aclGetTensorDescElementCount(none), 0u);
}

TEST(aclGetTensorDescSize, PacksNarrowTypes) {
  const Desc int4({3}, ACL_INT4);
  EXPECT_EQ(aclGetTensorDescSize(int4), 2u);
  const Desc bits({9}, ACL_UINT1);
  EXPECT_EQ(aclGetTensorDescSize(bits), 2u);
  const Desc six({4}, ACL_FLOAT6_E3M2);
  EXPECT_EQ(aclGetTensorDescSize(six), 3u);
}

TEST(TensorDescGetters, HaveAnAnswerForNullAndForeignPointers) {
  aclTensorDesc* const gone = aclCreateTensorDesc(ACL_FLOAT, 0, nullptr, ACL_FORMAT_ND);
  aclDestroyTensorDesc(gone);
  int64_t on_the_stack[16] = {};
  for (aclTensorDesc* desc :
       {static_cast<aclTensorDesc*>(nullptr), gone, reinterpret_cast<aclTensorDesc*>(on_the_stack),
        reinterpret_cast<aclTensorDesc*>(uintptr_t{16})}) {
    RecentError();
    EXPECT_EQ(aclGetTensorDescType(desc), ACL_DT_UNDEFINED);
    EXPECT_NE(RecentError(), "");
    EXPECT_EQ(aclGetTensorDescFormat(desc), ACL_FORMAT_UNDEFINED);
    EXPECT_EQ(aclGetTensorDescSize(desc), 0u);
    EXPECT_EQ(aclGetTensorDescElementCount(desc), 0u);
    EXPECT_EQ(aclGetTensorDescNumDims(desc), 0u);
    EXPECT_STREQ(aclGetTensorDescName(desc), "");
    EXPECT_EQ(aclGetTensorDescAddress(desc), nullptr);
    EXPECT_EQ(aclGetTensorDescByIndex(desc, 0), nullptr);
    int64_t dim = 55;
    EXPECT_EQ(aclGetTensorDescDimV2(desc, 0, &dim), ACL_ERROR_INVALID_PARAM);
    EXPECT_EQ(dim, 55);
    RecentError();
    aclSetTensorDescName(desc, "x");
    EXPECT_NE(RecentError(), "");
    aclDestroyTensorDesc(desc);
    EXPECT_NE(RecentError(), "");
  }
}

TEST(aclGetTensorDescDim, AnswersMinusOneForWhatIsNotThere) {
  const Desc desc({4, 5});
  EXPECT_EQ(aclGetTensorDescDim(desc, 1), 5);
  EXPECT_EQ(aclGetTensorDescDim(desc, 2), -1);
  EXPECT_EQ(aclGetTensorDescDim(nullptr, 0), -1);
}

TEST(aclSetTensorStorageShape, IsTheOldNameOfSetTensorShape) {
  const Desc desc({4, 5});
  const int64_t storage[] = {1, 2, 16, 16};
  EXPECT_EQ(aclSetTensorStorageFormat(desc, ACL_FORMAT_FRACTAL_NZ), ACL_SUCCESS);
  EXPECT_EQ(aclSetTensorStorageFormat(nullptr, ACL_FORMAT_FRACTAL_NZ), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclSetTensorStorageShape(desc, 4, storage), ACL_SUCCESS);
  EXPECT_EQ(aclSetTensorStorageShape(desc, 4, nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(DimsOf(desc), Dims({4, 5}));
}
TEST(aclGetTensorDescDimV2, RefusesABadIndex) {
  const Desc desc({4, 5});
  int64_t dim = 55;
  EXPECT_EQ(aclGetTensorDescDimV2(desc, 2, &dim), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclGetTensorDescDimV2(desc, SIZE_MAX, &dim), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclGetTensorDescDimV2(desc, 0, nullptr), ACL_ERROR_INVALID_PARAM);
  const Desc unknown({-2});
  EXPECT_EQ(aclGetTensorDescDimV2(unknown, 0, &dim), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(dim, 55);
}

TEST(aclSetTensorDescName, KeepsACopy) {
  const Desc desc({1});
  char name[] = "weights";
  aclSetTensorDescName(desc, name);
  name[0] = 'X';
  EXPECT_STREQ(aclGetTensorDescName(desc), "weights");
  RecentError();
  aclSetTensorDescName(desc, nullptr);
  EXPECT_THAT(RecentError(), HasSubstr("name"));
  EXPECT_STREQ(aclGetTensorDescName(desc), "weights");
}

// What a program described first stays what it is; the second shape and format say how it lies in memory.
TEST(aclSetTensorShape, DescribesTheStorageOnly) {
  const Desc desc({4, 5}, ACL_FLOAT16, ACL_FORMAT_ND);
  const int64_t storage[] = {1, 1, 16, 16};
  EXPECT_EQ(aclSetTensorFormat(desc, ACL_FORMAT_FRACTAL_NZ), ACL_SUCCESS);
  EXPECT_EQ(aclSetTensorShape(desc, 4, storage), ACL_SUCCESS);
  EXPECT_EQ(DimsOf(desc), Dims({4, 5}));
  EXPECT_EQ(aclGetTensorDescFormat(desc), ACL_FORMAT_ND);
  const int64_t bad[] = {-7};
  EXPECT_EQ(aclSetTensorShape(desc, 1, bad), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclSetTensorShape(desc, -1, storage), ACL_ERROR_INVALID_PARAM);
}

TEST(aclSetTensorOriginShape, ReplacesTheDescription) {
  const Desc desc({4, 5}, ACL_FLOAT, ACL_FORMAT_ND);
  const int64_t other[] = {2, 2, 5};
  EXPECT_EQ(aclSetTensorOriginShape(desc, 3, other), ACL_SUCCESS);
  EXPECT_EQ(aclSetTensorOriginFormat(desc, ACL_FORMAT_NCHW), ACL_SUCCESS);
  EXPECT_EQ(DimsOf(desc), Dims({2, 2, 5}));
  EXPECT_EQ(aclGetTensorDescFormat(desc), ACL_FORMAT_NCHW);
}

TEST(aclSetTensorShapeRange, IsReadBackDimensionByDimension) {
  const Desc desc({-1, 8});
  int64_t ranges[][2] = {{1, -1}, {8, 8}};
  EXPECT_EQ(aclSetTensorShapeRange(desc, 2, ranges), ACL_SUCCESS);
  ranges[0][0] = 77;
  int64_t range[2] = {};
  EXPECT_EQ(aclGetTensorDescDimRange(desc, 0, 2, range), ACL_SUCCESS);
  EXPECT_EQ(range[0], 1);
  EXPECT_EQ(range[1], -1);
  EXPECT_EQ(aclGetTensorDescDimRange(desc, 1, 2, range), ACL_SUCCESS);
  EXPECT_EQ(range[0], 8);
  EXPECT_EQ(range[1], 8);
}

TEST(aclSetTensorShapeRange, RefusesWhatDoesNotFitTheShape) {
  const Desc desc({-1, 8});
  int64_t ranges[][2] = {{1, 2}, {3, 4}, {5, 6}};
  EXPECT_EQ(aclSetTensorShapeRange(desc, 3, ranges), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclSetTensorShapeRange(desc, 1, ranges), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclSetTensorShapeRange(desc, 2, nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclSetTensorShapeRange(desc, SIZE_MAX, ranges), ACL_ERROR_INVALID_PARAM);
  int64_t upside_down[][2] = {{1, 2}, {4, 3}};
  EXPECT_EQ(aclSetTensorShapeRange(desc, 2, upside_down), ACL_ERROR_INVALID_PARAM);
  const Desc unknown({-2});
  EXPECT_EQ(aclSetTensorShapeRange(unknown, 3, ranges), ACL_SUCCESS) << "any number for an unknown rank";
}

TEST(aclGetTensorDescDimRange, FollowsFromTheShapeIfNothingWasSet) {
  const Desc desc({-1, 8});
  int64_t range[2] = {55, 55};
  EXPECT_EQ(aclGetTensorDescDimRange(desc, 0, 2, range), ACL_SUCCESS);
  EXPECT_EQ(range[0], 0);
  EXPECT_EQ(range[1], -1);
  EXPECT_EQ(aclGetTensorDescDimRange(desc, 1, 2, range), ACL_SUCCESS);
  EXPECT_EQ(range[0], 8);
  EXPECT_EQ(range[1], 8);
  EXPECT_EQ(aclGetTensorDescDimRange(desc, 2, 2, range), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclGetTensorDescDimRange(desc, 0, 1, range), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclGetTensorDescDimRange(desc, 0, 2, nullptr), ACL_ERROR_INVALID_PARAM);
}

TEST(aclSetTensorValueRange, TakesPairs) {
  const Desc desc({2});
  int64_t ranges[][2] = {{1, 2}, {3, -1}};
  EXPECT_EQ(aclSetTensorValueRange(desc, 2, ranges), ACL_SUCCESS);
  EXPECT_EQ(aclSetTensorValueRange(desc, 2, nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclSetTensorValueRange(nullptr, 2, ranges), ACL_ERROR_INVALID_PARAM);
}

TEST(aclSetTensorConst, NeedsData) {
  const Desc desc({2});
  float values[] = {1, 2};
  EXPECT_EQ(aclSetTensorConst(desc, values, sizeof(values)), ACL_SUCCESS);
  EXPECT_EQ(aclSetTensorConst(desc, nullptr, 8), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclSetTensorConst(desc, values, 0), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclSetTensorConst(nullptr, values, 8), ACL_ERROR_INVALID_PARAM);
}

TEST(aclSetTensorPlaceMent, KnowsThreePlaces) {
  const Desc desc({2});
  EXPECT_EQ(aclSetTensorPlaceMent(desc, ACL_MEMTYPE_DEVICE), ACL_SUCCESS);
  EXPECT_EQ(aclSetTensorPlaceMent(desc, ACL_MEMTYPE_HOST), ACL_SUCCESS);
  EXPECT_EQ(aclSetTensorPlaceMent(desc, ACL_MEMTYPE_HOST_COMPILE_INDEPENDENT), ACL_SUCCESS);
  EXPECT_EQ(aclSetTensorPlaceMent(desc, static_cast<aclMemType>(3)), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclSetTensorPlaceMent(nullptr, ACL_MEMTYPE_HOST), ACL_ERROR_INVALID_PARAM);
}

TEST(aclSetTensorDynamicInput, NeedsAName) {
  const Desc desc({2});
  EXPECT_EQ(aclSetTensorDynamicInput(desc, "x"), ACL_SUCCESS);
  EXPECT_EQ(aclSetTensorDynamicInput(desc, nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclSetTensorDynamicInput(nullptr, "x"), ACL_ERROR_INVALID_PARAM);
}

TEST(aclGetTensorDescByIndex, FindsTheOnlyOne) {
  const Desc desc({2});
  EXPECT_EQ(aclGetTensorDescByIndex(desc, 0), static_cast<aclTensorDesc*>(desc));
  EXPECT_EQ(aclGetTensorDescByIndex(desc, 1), nullptr);
}

TEST(aclDataTypeSize, KnowsEveryType) {
  const struct {
    aclDataType type;
    size_t size;
  } kSizes[] = {{ACL_FLOAT, 4},       {ACL_FLOAT16, 2},     {ACL_INT8, 1},          {ACL_INT32, 4},
                {ACL_UINT8, 1},       {ACL_INT16, 2},       {ACL_UINT16, 2},        {ACL_UINT32, 4},
                {ACL_INT64, 8},       {ACL_UINT64, 8},      {ACL_DOUBLE, 8},        {ACL_BOOL, 1},
                {ACL_COMPLEX64, 8},   {ACL_COMPLEX128, 16}, {ACL_BF16, 2},          {ACL_COMPLEX32, 4},
                {ACL_HIFLOAT8, 1},    {ACL_FLOAT8_E5M2, 1}, {ACL_FLOAT8_E4M3FN, 1}, {ACL_FLOAT8_E8M0, 1},
                {ACL_INT4, 1},        {ACL_UINT1, 1},       {ACL_FLOAT6_E3M2, 1},   {ACL_FLOAT6_E2M3, 1},
                {ACL_FLOAT4_E2M1, 1}, {ACL_FLOAT4_E1M2, 1}, {ACL_STRING, 0},        {ACL_DT_UNDEFINED, 0}};
  RecentError();
  for (const auto& [type, size] : kSizes)
    EXPECT_EQ(aclDataTypeSize(type), size) << type;
  EXPECT_EQ(RecentError(), "");
  for (const int none : {5, 14, 15, 28, 42, -2}) {
    EXPECT_EQ(aclDataTypeSize(static_cast<aclDataType>(none)), 0u);
    EXPECT_NE(RecentError(), "");
  }
}

TEST(TensorDescs, ComeAndGoInManyThreads) {
  std::vector<std::thread> threads;
  for (int64_t thread = 1; thread <= 4; ++thread) {
    threads.emplace_back([thread] {
      for (int64_t i = 1; i <= 500; ++i) {
        const Desc desc({thread, i});
        EXPECT_EQ(DimsOf(desc), Dims({thread, i}));
      }
    });
  }
  for (auto& thread : threads)
    thread.join();
}

}  // namespace
