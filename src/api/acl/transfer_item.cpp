// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <algorithm>

#include "acl/acl_tdt.h"
#include "api/guard.h"
#include "transfer/item.h"

using namespace foothold;

namespace {

constexpr size_t kMaxDims = 128;

TransferItem& FindItem(const acltdtDataItem* item) {
  return TransferItems::Get().Find(item);
}

void CheckTensorType(acltdtTensorType type) {
  if (type < ACL_TENSOR_DATA_UNDEFINED || type > ACL_TENSOR_DATA_END_TENSOR) {
    Fail(kInvalidParam,
         "tdtType must be from ACL_TENSOR_DATA_UNDEFINED (-1) to ACL_TENSOR_DATA_END_TENSOR (4), not {}",
         static_cast<int>(type));
  }
}

}  // namespace

acltdtDataItem* acltdtCreateDataItem(acltdtTensorType tdtType, const int64_t* dims, size_t dimNum,
                                     aclDataType dataType, void* data, size_t size) {
  return GuardValue(FOOTHOLD_CALL(tdtType, dims, dimNum, dataType, data, size),
                    static_cast<acltdtDataItem*>(nullptr), [&] {
                      CheckTensorType(tdtType);
                      if (dimNum != 0) CheckNotNull(dims, "dims", kInvalidParam);
                      if (dimNum > kMaxDims)
                        Fail(kInvalidParam, "dimNum must be at most {}, not {}", kMaxDims, dimNum);
                      if (size != 0) CheckNotNull(data, "data", kInvalidParam);
                      void* const item = TransferItems::Get().Add(
                          {tdtType, std::vector<int64_t>(dims, dims + dimNum), dataType, data, size});
                      return static_cast<acltdtDataItem*>(item);
                    });
}

aclError acltdtDestroyDataItem(acltdtDataItem* dataItem) {
  return Guard(FOOTHOLD_CALL(dataItem), [&] { TransferItems::Get().Remove(dataItem); });
}

acltdtTensorType acltdtGetTensorTypeFromItem(const acltdtDataItem* dataItem) {
  return GuardValue(FOOTHOLD_CALL(dataItem), ACL_TENSOR_DATA_UNDEFINED,
                    [&] { return static_cast<acltdtTensorType>(FindItem(dataItem).tensor_type); });
}

aclDataType acltdtGetDataTypeFromItem(const acltdtDataItem* dataItem) {
  return GuardValue(FOOTHOLD_CALL(dataItem), ACL_DT_UNDEFINED,
                    [&] { return static_cast<aclDataType>(FindItem(dataItem).data_type); });
}

void* acltdtGetDataAddrFromItem(const acltdtDataItem* dataItem) {
  return GuardValue(FOOTHOLD_CALL(dataItem), static_cast<void*>(nullptr),
                    [&] { return FindItem(dataItem).data; });
}

size_t acltdtGetDataSizeFromItem(const acltdtDataItem* dataItem) {
  return GuardValue(FOOTHOLD_CALL(dataItem), size_t{0}, [&] { return FindItem(dataItem).size; });
}

size_t acltdtGetDimNumFromItem(const acltdtDataItem* dataItem) {
  return GuardValue(FOOTHOLD_CALL(dataItem), size_t{0}, [&] { return FindItem(dataItem).dims.size(); });
}

aclError acltdtGetDimsFromItem(const acltdtDataItem* dataItem, int64_t* dims, size_t dimNum) {
  return Guard(FOOTHOLD_CALL(dataItem, dims, dimNum), [&] {
    const auto& from = FindItem(dataItem).dims;
    if (dimNum < from.size())
      Fail(kInvalidParam, "dimNum is {}, but the item has {} dimensions", dimNum, from.size());
    if (!from.empty()) CheckNotNull(dims, "dims", kInvalidParam);
    std::copy(from.begin(), from.end(), dims);
  });
}

// Nothing is cut into slices here: every item is the whole of its tensor.
aclError acltdtGetSliceInfoFromItem(const acltdtDataItem* dataItem, size_t* sliceNum, size_t* sliceId) {
  return Guard(FOOTHOLD_CALL(dataItem, sliceNum, sliceId), [&] {
    FindItem(dataItem);
    CheckNotNull(sliceNum, "sliceNum", kInvalidParam);
    CheckNotNull(sliceId, "sliceId", kInvalidParam);
    *sliceNum = 1;
    *sliceId = 0;
  });
}

acltdtDataset* acltdtCreateDataset(void) {
  return GuardValue(FOOTHOLD_CALL(), static_cast<acltdtDataset*>(nullptr),
                    [&] { return static_cast<acltdtDataset*>(TransferSets::Get().Add({})); });
}

aclError acltdtDestroyDataset(acltdtDataset* dataset) {
  return Guard(FOOTHOLD_CALL(dataset), [&] {
    TransferSets::Get().Find(dataset).Clear();
    TransferSets::Get().Remove(dataset);
  });
}

aclError acltdtAddDataItem(acltdtDataset* dataset, acltdtDataItem* dataItem) {
  return Guard(FOOTHOLD_CALL(dataset, dataItem), [&] {
    TransferSet& set = TransferSets::Get().Find(dataset);
    FindItem(dataItem);
    set.items.push_back(dataItem);
  });
}

acltdtDataItem* acltdtGetDataItem(const acltdtDataset* dataset, size_t index) {
  return GuardValue(FOOTHOLD_CALL(dataset, index), static_cast<acltdtDataItem*>(nullptr), [&] {
    const auto& items = TransferSets::Get().Find(dataset).items;
    if (index >= items.size())
      Fail(kInvalidParam, "index is {}, but the dataset has {} items", index, items.size());
    TransferItems::Get().Find(items[index]);
    return static_cast<acltdtDataItem*>(items[index]);
  });
}

size_t acltdtGetDatasetSize(const acltdtDataset* dataset) {
  return GuardValue(FOOTHOLD_CALL(dataset), size_t{0},
                    [&] { return TransferSets::Get().Find(dataset).items.size(); });
}

const char* acltdtGetDatasetName(const acltdtDataset* dataset) {
  return GuardValue(FOOTHOLD_CALL(dataset), static_cast<const char*>(nullptr),
                    [&] { return TransferSets::Get().Find(dataset).name.c_str(); });
}
