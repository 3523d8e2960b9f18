// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "acl/acl_mdl.h"
#include "api/guard.h"
#include "check/check.h"
#include "check/queued_uses.h"
#include "model/data_set.h"

using namespace foothold;

aclmdlDataset* aclmdlCreateDataset() {
  return GuardValue(FOOTHOLD_CALL(), static_cast<aclmdlDataset*>(nullptr),
                    [&] { return static_cast<aclmdlDataset*>(DataSets::Get().Add({})); });
}

aclError aclmdlDestroyDataset(const aclmdlDataset* dataset) {
  return Guard(FOOTHOLD_RELEASE(dataset), [&] {
    if (check::On()) check::LookAtChange(dataset);
    DataSets::Get().Find(dataset).Clear();
    DataSets::Get().Remove(dataset);
  });
}

aclError aclmdlAddDatasetBuffer(aclmdlDataset* dataset, aclDataBuffer* dataBuffer) {
  return Guard(FOOTHOLD_CALL(dataset, dataBuffer), [&] {
    DataSet& set = DataSets::Get().Find(dataset);
    if (check::On()) check::LookAtChange(dataset);
    DataBuffers::Get().Find(dataBuffer);
    set.items.push_back({dataBuffer, nullptr});
  });
}

size_t aclmdlGetDatasetNumBuffers(const aclmdlDataset* dataset) {
  return GuardValue(FOOTHOLD_CALL(dataset), size_t{0},
                    [&] { return DataSets::Get().Find(dataset).items.size(); });
}

aclDataBuffer* aclmdlGetDatasetBuffer(const aclmdlDataset* dataset, size_t index) {
  return GuardValue(FOOTHOLD_CALL(dataset, index), static_cast<aclDataBuffer*>(nullptr), [&] {
    return static_cast<aclDataBuffer*>(DataSets::Get().Find(dataset).At(index).buffer);
  });
}

aclError aclmdlSetDatasetTensorDesc(aclmdlDataset* dataset, aclTensorDesc* tensorDesc, size_t index) {
  return Guard(FOOTHOLD_CALL(dataset, tensorDesc, index), [&] {
    DataSet& set = DataSets::Get().Find(dataset);
    TensorDesc desc = TensorDescs::Get().Find(tensorDesc);
    desc.followers.clear();
    if (check::On()) check::LookAtChange(dataset);
    set.Describe(index, std::move(desc));
  });
}

aclTensorDesc* aclmdlGetDatasetTensorDesc(const aclmdlDataset* dataset, size_t index) {
  return GuardValue(FOOTHOLD_CALL(dataset, index), static_cast<aclTensorDesc*>(nullptr), [&] {
    return static_cast<aclTensorDesc*>(DataSets::Get().Find(dataset).At(index).desc);
  });
}
