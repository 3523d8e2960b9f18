// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Channels, queues and routes.
#include <cstring>
#include <thread>

#include "acl/acl_tdt.h"
#include "acl/acl_tdt_queue.h"
#include "failure/sweep.h"

namespace {

// Calls of functions that answer null where others answer a code.
template <typename Make>
auto* Made(Trial& trial, const char* what, Make&& make) {
  decltype(make()) object = nullptr;
  trial.Try(what, [&] {
    object = make();
    return object == nullptr ? ACL_ERROR_BAD_ALLOC : ACL_SUCCESS;
  });
  return object;
}

void Receive(Trial& trial, acltdtChannelHandle* channel, acltdtDataset* out, int expected) {
  // What could not be received is still there.
  aclError code = ACL_SUCCESS;
  const bool came =
      trial.Try("acltdtReceiveTensor", [&] { return code = acltdtReceiveTensor(channel, out, 0); });
  if (!came) code = acltdtReceiveTensor(channel, out, 0);
  trial.Expect(code == ACL_SUCCESS, "a message was lost");
  if (code != ACL_SUCCESS) return;
  int number = -1;
  std::memcpy(&number, acltdtGetDataAddrFromItem(acltdtGetDataItem(out, 0)), sizeof(number));
  trial.Expect(number == expected, "messages came in another order");
}

void Channel(Trial& trial) {
  acltdtChannelHandle* const channel = Made(trial, "acltdtCreateChannelWithCapacity",
                                            [] { return acltdtCreateChannelWithCapacity(0, "c", 4); });
  acltdtDataset* const in = Made(trial, "acltdtCreateDataset", [] { return acltdtCreateDataset(); });
  acltdtDataset* const out = Made(trial, "acltdtCreateDataset", [] { return acltdtCreateDataset(); });
  int number = 7;
  const int64_t dims[] = {1};
  acltdtDataItem* const item = Made(trial, "acltdtCreateDataItem", [&] {
    return acltdtCreateDataItem(ACL_TENSOR_DATA_TENSOR, dims, 1, ACL_INT32, &number, sizeof(number));
  });
  if (channel != nullptr && in != nullptr && out != nullptr && item != nullptr &&
      trial.Try("acltdtAddDataItem", [&] { return acltdtAddDataItem(in, item); })) {
    for (number = 0; number < 3; ++number) {
      if (trial.Try("acltdtSendTensor", [&] { return acltdtSendTensor(channel, in, 0); }))
        Receive(trial, channel, out, number);
    }
  }
  if (item != nullptr) trial.End("acltdtDestroyDataItem", [&] { return acltdtDestroyDataItem(item); });
  for (acltdtDataset* set : {in, out}) {
    if (set != nullptr) trial.End("acltdtDestroyDataset", [&] { return acltdtDestroyDataset(set); });
  }
  if (channel != nullptr) trial.End("acltdtDestroyChannel", [&] { return acltdtDestroyChannel(channel); });
}
const bool channel = Register("Channel", Channel);

uint32_t Queue(Trial& trial) {
  acltdtQueueAttr* const attr = Made(trial, "acltdtCreateQueueAttr", [] { return acltdtCreateQueueAttr(); });
  if (attr == nullptr) return 0;
  uint32_t queue = 0;
  trial.Try("acltdtCreateQueue", [&] { return acltdtCreateQueue(attr, &queue); });
  trial.End("acltdtDestroyQueueAttr", [&] { return acltdtDestroyQueueAttr(attr); });
  return queue;
}

bool Bind(Trial& trial, uint32_t from, uint32_t to) {
  acltdtQueueRouteList* const list =
      Made(trial, "acltdtCreateQueueRouteList", [] { return acltdtCreateQueueRouteList(); });
  acltdtQueueRoute* const route =
      Made(trial, "acltdtCreateQueueRoute", [&] { return acltdtCreateQueueRoute(from, to); });
  const bool bound = list != nullptr && route != nullptr &&
                     trial.Try("acltdtAddQueueRoute", [&] { return acltdtAddQueueRoute(list, route); }) &&
                     trial.Try("acltdtBindQueueRoutes", [&] { return acltdtBindQueueRoutes(list); });
  if (route != nullptr) trial.End("acltdtDestroyQueueRoute", [&] { return acltdtDestroyQueueRoute(route); });
  if (list != nullptr)
    trial.End("acltdtDestroyQueueRouteList", [&] { return acltdtDestroyQueueRouteList(list); });
  return bound;
}

void Pass(Trial& trial, uint32_t from, uint32_t to) {
  acltdtBuf buffer = nullptr;
  if (!trial.Try("acltdtAllocBuf", [&] { return acltdtAllocBuf(64, ACL_TDT_NORMAL_MEM, &buffer); })) return;
  if (!trial.Try("acltdtEnqueue", [&] { return acltdtEnqueue(from, buffer, 0); })) {
    trial.End("acltdtFreeBuf", [&] { return acltdtFreeBuf(buffer); });
    return;
  }
  acltdtBuf came = nullptr;
  trial.Expect(acltdtDequeue(to, &came, 0) == ACL_SUCCESS && came == buffer,
               "a buffer was lost on its route");
  trial.End("acltdtFreeBuf", [&] { return acltdtFreeBuf(came); });
}

void Routes(Trial& trial) {
  const uint32_t from = Queue(trial), middle = Queue(trial), to = Queue(trial);
  if (from != 0 && middle != 0 && to != 0 && Bind(trial, from, middle) && Bind(trial, middle, to)) {
    for (int i = 0; i < 3; ++i)
      Pass(trial, from, to);
    char data[8] = "data";
    size_t size = 0;
    if (trial.Try("acltdtEnqueueData", [&] { return acltdtEnqueueData(from, data, 8, data, 8, 0, 0); }))
      trial.End("acltdtDequeueData", [&] { return acltdtDequeueData(to, data, 8, &size, data, 8, 0); });
  }
  for (uint32_t queue : {from, middle, to}) {
    if (queue != 0) trial.End("acltdtDestroyQueue", [&] { return acltdtDestroyQueue(queue); });
  }
}
const bool routes = Register("QueuesWithRoutes", Routes);

}  // namespace
