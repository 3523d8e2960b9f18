// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// How the TensorFlow adapter feeds data and takes results: a channel per direction, made with a capacity
// where that is known and without where it is not; a thread that sends until it is told to stop and tries
// again while the channel is full; a thread that receives with a time limit and tries again while it is
// empty; items that are ended before the dataset that lists them; an end of the sequence; and channels that
// are stopped, then destroyed, while the other side may still be waiting.
#include <atomic>
#include <cstring>
#include <thread>
#include <vector>

#include "acl/acl.h"
#include "acl/acl_tdt.h"
#include "clients/check.h"

namespace {

constexpr int64_t kBatches = 200, kElements = 1000;

acltdtDataset* DatasetOf(const std::vector<acltdtDataItem*>& items) {
  acltdtDataset* const dataset = acltdtCreateDataset();
  REQUIRE(dataset != nullptr);
  for (acltdtDataItem* item : items)
    REQUIRE(acltdtAddDataItem(dataset, item) == ACL_SUCCESS);
  return dataset;
}

// Returns false once the channel was stopped.
bool Send(acltdtChannelHandle* channel, const std::vector<acltdtDataItem*>& items) {
  acltdtDataset* const dataset = DatasetOf(items);
  aclError code = ACL_SUCCESS;
  do {
    code = acltdtSendTensor(channel, dataset, 10);
  } while (code == ACL_ERROR_RT_QUEUE_FULL);
  for (acltdtDataItem* item : items)
    REQUIRE(acltdtDestroyDataItem(item) == ACL_SUCCESS);
  REQUIRE(acltdtDestroyDataset(dataset) == ACL_SUCCESS);
  return code == ACL_SUCCESS;
}

void Feed(acltdtChannelHandle* channel) {
  std::vector<float> values(kElements);
  char name[] = "batch";
  const int64_t dims[] = {10, kElements / 10};
  for (int64_t batch = 0; batch < kBatches; ++batch) {
    values.assign(kElements, static_cast<float>(batch));  // one buffer for all: it was read when it was sent
    REQUIRE(Send(channel,
                 {acltdtCreateDataItem(ACL_TENSOR_DATA_TENSOR, dims, 2, ACL_FLOAT, values.data(),
                                       values.size() * sizeof(float)),
                  acltdtCreateDataItem(ACL_TENSOR_DATA_TENSOR, nullptr, 0, ACL_STRING, name, sizeof(name))}));
  }
  Send(channel, {acltdtCreateDataItem(ACL_TENSOR_DATA_END_OF_SEQUENCE, nullptr, 0, ACL_BOOL, nullptr, 0)});
}

bool IsEnd(acltdtDataset* dataset) {
  acltdtDataItem* const item = acltdtGetDataItem(dataset, 0);
  return acltdtGetTensorTypeFromItem(item) == ACL_TENSOR_DATA_END_OF_SEQUENCE;
}

void CheckBatch(acltdtDataset* dataset, int64_t batch) {
  REQUIRE(acltdtGetDatasetSize(dataset) == 2);
  acltdtDataItem* const item = acltdtGetDataItem(dataset, 0);
  std::vector<int64_t> dims(acltdtGetDimNumFromItem(item));
  REQUIRE(acltdtGetDimsFromItem(item, dims.data(), dims.size()) == ACL_SUCCESS);
  REQUIRE(dims.size() == 2 && dims[1] == kElements / 10);
  std::vector<float> values(kElements);
  REQUIRE(acltdtGetDataSizeFromItem(item) == values.size() * sizeof(float));
  std::memcpy(values.data(), acltdtGetDataAddrFromItem(item), values.size() * sizeof(float));
  for (float value : values)
    REQUIRE(value == static_cast<float>(batch));
  const char* const name = static_cast<char*>(acltdtGetDataAddrFromItem(acltdtGetDataItem(dataset, 1)));
  REQUIRE(std::strcmp(name, "batch") == 0);
}

int64_t Consume(acltdtChannelHandle* channel) {
  for (int64_t batch = 0;;) {
    acltdtDataset* const dataset = acltdtCreateDataset();
    const aclError code = acltdtReceiveTensor(channel, dataset, 10);
    const bool ended = code == ACL_SUCCESS && IsEnd(dataset);
    if (code == ACL_SUCCESS && !ended) CheckBatch(dataset, batch++);
    REQUIRE(code == ACL_SUCCESS || code == ACL_ERROR_RT_QUEUE_EMPTY);
    REQUIRE(acltdtDestroyDataset(dataset) == ACL_SUCCESS);
    if (ended) return batch;
  }
}

// A thread of the adapter that waits for ever until its channel is stopped.
void StopWhileWaiting() {
  acltdtChannelHandle* const channel = acltdtCreateChannel(0, "TF_RECEIVE_CHANNEL_ID");
  REQUIRE(channel != nullptr);
  std::thread receiver([channel] {
    acltdtDataset* const dataset = acltdtCreateDataset();
    REQUIRE(acltdtReceiveTensor(channel, dataset, -1) != ACL_SUCCESS);
    REQUIRE(acltdtDestroyDataset(dataset) == ACL_SUCCESS);
  });
  REQUIRE(acltdtStopChannel(channel) == ACL_SUCCESS);
  receiver.join();
  REQUIRE(acltdtDestroyChannel(channel) == ACL_SUCCESS);
}

}  // namespace

int main() {
  REQUIRE(aclInit(nullptr) == ACL_SUCCESS);
  REQUIRE(aclrtSetDevice(0) == ACL_SUCCESS);
  for (int epoch = 0; epoch < 2; ++epoch) {
    acltdtChannelHandle* const channel = acltdtCreateChannelWithCapacity(0, "iterator", 2);
    REQUIRE(channel != nullptr);
    std::thread feeder([channel] { Feed(channel); });
    REQUIRE(Consume(channel) == kBatches);
    feeder.join();
    size_t size = 1;
    REQUIRE(acltdtQueryChannelSize(channel, &size) == ACL_SUCCESS && size == 0);
    REQUIRE(acltdtStopChannel(channel) == ACL_SUCCESS);
    REQUIRE(acltdtDestroyChannel(channel) == ACL_SUCCESS);
    StopWhileWaiting();
  }
  REQUIRE(aclrtResetDevice(0) == ACL_SUCCESS);
  REQUIRE(aclFinalize() == ACL_SUCCESS);
  return 0;
}
