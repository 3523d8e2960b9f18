// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "acl/acl_tdt.h"
#include "conformance/device_fixture.h"
#include "conformance/in_fork.h"

namespace {

acltdtDataItem* ItemOf(std::vector<float>& values) {
  const int64_t dims[] = {1, static_cast<int64_t>(values.size())};
  return acltdtCreateDataItem(ACL_TENSOR_DATA_TENSOR, dims, 2, ACL_FLOAT, values.data(),
                              values.size() * sizeof(float));
}

TEST(acltdtCreateDataItem, KeepsWhatItIsGivenAndOwnsNothing) {
  std::vector<float> values(3);
  acltdtDataItem* const item = ItemOf(values);
  ASSERT_NE(item, nullptr);
  EXPECT_EQ(acltdtGetTensorTypeFromItem(item), ACL_TENSOR_DATA_TENSOR);
  EXPECT_EQ(acltdtGetDataTypeFromItem(item), ACL_FLOAT);
  EXPECT_EQ(acltdtGetDataAddrFromItem(item), values.data());
  EXPECT_EQ(acltdtGetDataSizeFromItem(item), 12u);
  ASSERT_EQ(acltdtGetDimNumFromItem(item), 2u);
  int64_t dims[4] = {7, 7, 7, 7};
  EXPECT_OK(acltdtGetDimsFromItem(item, dims, 4));
  EXPECT_EQ(dims[0], 1);
  EXPECT_EQ(dims[1], 3);
  EXPECT_EQ(dims[2], 7) << "no more than there are";
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acltdtGetDimsFromItem(item, dims, 1));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acltdtGetDimsFromItem(item, nullptr, 2));
  EXPECT_OK(acltdtDestroyDataItem(item));
}

TEST(acltdtCreateDataItem, MakesMarksWithoutData) {
  for (auto type : {ACL_TENSOR_DATA_END_OF_SEQUENCE, ACL_TENSOR_DATA_ABNORMAL, ACL_TENSOR_DATA_UNDEFINED}) {
    acltdtDataItem* const item = acltdtCreateDataItem(type, nullptr, 0, ACL_DT_UNDEFINED, nullptr, 0);
    ASSERT_NE(item, nullptr);
    EXPECT_EQ(acltdtGetTensorTypeFromItem(item), type);
    EXPECT_EQ(acltdtGetDimNumFromItem(item), 0u);
    EXPECT_OK(acltdtGetDimsFromItem(item, nullptr, 0));
    EXPECT_OK(acltdtDestroyDataItem(item));
  }
}

TEST(acltdtCreateDataItem, RefusesWhatMakesNoSense) {
  const int64_t dims[1] = {1};
  float value = 0;
  const auto refused = [](acltdtDataItem* item, const char* why) {
    EXPECT_EQ(item, nullptr) << why;
    EXPECT_NE(RecentError(), "") << why;
  };
  refused(acltdtCreateDataItem(ACL_TENSOR_DATA_TENSOR, nullptr, 1, ACL_FLOAT, &value, 4), "no dims");
  refused(acltdtCreateDataItem(ACL_TENSOR_DATA_TENSOR, dims, 1, ACL_FLOAT, nullptr, 4), "no data");
  refused(acltdtCreateDataItem(ACL_TENSOR_DATA_TENSOR, dims, 1000, ACL_FLOAT, &value, 4), "too many dims");
  refused(acltdtCreateDataItem(static_cast<acltdtTensorType>(5), dims, 1, ACL_FLOAT, &value, 4), "the type");
}

TEST(acltdtGetSliceInfoFromItem, KnowsOnlyWholeTensors) {
  std::vector<float> values(3);
  acltdtDataItem* const item = ItemOf(values);
  size_t number = 9, id = 9;
  EXPECT_OK(acltdtGetSliceInfoFromItem(item, &number, &id));
  EXPECT_EQ(number, 1u);
  EXPECT_EQ(id, 0u);
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acltdtGetSliceInfoFromItem(item, nullptr, &id));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acltdtGetSliceInfoFromItem(item, &number, nullptr));
  EXPECT_OK(acltdtDestroyDataItem(item));
}

TEST(acltdtDestroyDataItem, RefusesTheSecondTimeAndOtherPointers) {
  std::vector<float> values(3);
  acltdtDataItem* const item = ItemOf(values);
  acltdtDataset* const set = acltdtCreateDataset();
  EXPECT_OK(acltdtDestroyDataItem(item));
  int on_the_stack = 0;
  for (acltdtDataItem* wrong :
       {static_cast<acltdtDataItem*>(nullptr), item, reinterpret_cast<acltdtDataItem*>(&on_the_stack),
        reinterpret_cast<acltdtDataItem*>(uintptr_t{8}), reinterpret_cast<acltdtDataItem*>(set)}) {
    size_t number = 0;
    EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acltdtDestroyDataItem(wrong));
    EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acltdtAddDataItem(set, wrong));
    EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acltdtGetDimsFromItem(wrong, nullptr, 0));
    EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acltdtGetSliceInfoFromItem(wrong, &number, &number));
    EXPECT_EQ(acltdtGetTensorTypeFromItem(wrong), ACL_TENSOR_DATA_UNDEFINED);
    EXPECT_EQ(acltdtGetDataTypeFromItem(wrong), ACL_DT_UNDEFINED);
    EXPECT_EQ(acltdtGetDataAddrFromItem(wrong), nullptr);
    EXPECT_EQ(acltdtGetDataSizeFromItem(wrong), 0u);
    EXPECT_EQ(acltdtGetDimNumFromItem(wrong), 0u);
  }
  EXPECT_OK(acltdtDestroyDataset(set));
  RecentError();
}

TEST(acltdtCreateDataset, ListsItemsThatStayThePrograms) {
  std::vector<float> values(3);
  acltdtDataset* const set = acltdtCreateDataset();
  ASSERT_NE(set, nullptr);
  EXPECT_EQ(acltdtGetDatasetSize(set), 0u);
  EXPECT_STREQ(acltdtGetDatasetName(set), "");
  acltdtDataItem* const first = ItemOf(values);
  acltdtDataItem* const second = ItemOf(values);
  EXPECT_OK(acltdtAddDataItem(set, first));
  EXPECT_OK(acltdtAddDataItem(set, second));
  EXPECT_EQ(acltdtGetDatasetSize(set), 2u);
  EXPECT_EQ(acltdtGetDataItem(set, 1), second);
  EXPECT_EQ(acltdtGetDataItem(set, 2), nullptr);
  EXPECT_NE(RecentError(), "");
  EXPECT_OK(acltdtDestroyDataItem(first));
  EXPECT_EQ(acltdtGetDataItem(set, 0), nullptr) << "it is gone";
  EXPECT_OK(acltdtDestroyDataset(set));
  EXPECT_EQ(acltdtGetDataSizeFromItem(second), 12u) << "the set did not own it";
  EXPECT_OK(acltdtDestroyDataItem(second));
}

TEST(acltdtDestroyDataset, RefusesTheSecondTimeAndOtherPointers) {
  acltdtDataset* const set = acltdtCreateDataset();
  std::vector<float> values(3);
  acltdtDataItem* const item = ItemOf(values);
  EXPECT_OK(acltdtDestroyDataset(set));
  for (acltdtDataset* wrong :
       {static_cast<acltdtDataset*>(nullptr), set, reinterpret_cast<acltdtDataset*>(item)}) {
    EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acltdtDestroyDataset(wrong));
    EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acltdtAddDataItem(wrong, item));
    EXPECT_EQ(acltdtGetDatasetSize(wrong), 0u);
    EXPECT_EQ(acltdtGetDatasetName(wrong), nullptr);
    EXPECT_EQ(acltdtGetDataItem(wrong, 0), nullptr);
  }
  EXPECT_OK(acltdtDestroyDataItem(item));
  RecentError();
}

TEST(DataItems, AreStillThereInAForkedProcess) {
  std::vector<float> values(3);
  acltdtDataItem* const item = ItemOf(values);
  const auto body = [=] {
    EXPECT_EQ(acltdtGetDataSizeFromItem(item), 12u);
    EXPECT_OK(acltdtDestroyDataItem(item));
  };
  EXPECT_EQ(InFork({}, body), 0);
  EXPECT_OK(acltdtDestroyDataItem(item));
}

}  // namespace
