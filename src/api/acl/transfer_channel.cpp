// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "acl/acl_tdt.h"
#include "api/acl/time_limits.h"
#include "api/guard.h"
#include "device/runtime.h"
#include "transfer/channel.h"

using namespace foothold;

namespace {

constexpr size_t kDefaultCapacity = 128;
constexpr size_t kMinCapacity = 2;
constexpr size_t kMaxCapacity = 8192;

acltdtChannelHandle* OpenChannel(uint32_t device, const char* name, size_t capacity) {
  CheckNotNull(name, "name", kInvalidParam);
  const int id = Runtime::Get().device(static_cast<int>(device)).id();
  return static_cast<acltdtChannelHandle*>(Channels::Get().Open(id, name, capacity));
}

}  // namespace

acltdtChannelHandle* acltdtCreateChannel(uint32_t deviceId, const char* name) {
  return GuardValue(FOOTHOLD_CALL(deviceId, name), static_cast<acltdtChannelHandle*>(nullptr),
                    [&] { return OpenChannel(deviceId, name, kDefaultCapacity); });
}

acltdtChannelHandle* acltdtCreateChannelWithCapacity(uint32_t deviceId, const char* name, size_t capacity) {
  return GuardValue(FOOTHOLD_CALL(deviceId, name, capacity), static_cast<acltdtChannelHandle*>(nullptr), [&] {
    if (capacity < kMinCapacity || capacity > kMaxCapacity)
      Fail(kInvalidParam, "capacity must be from {} to {}, not {}", kMinCapacity, kMaxCapacity, capacity);
    return OpenChannel(deviceId, name, capacity);
  });
}

aclError acltdtStopChannel(acltdtChannelHandle* handle) {
  return Guard(FOOTHOLD_CALL(handle), [&] { Channels::Get().Find(handle)->Stop(); });
}

aclError acltdtDestroyChannel(acltdtChannelHandle* handle) {
  return Guard(FOOTHOLD_CALL(handle), [&] { Channels::Get().Close(handle); });
}

aclError acltdtSendTensor(const acltdtChannelHandle* handle, const acltdtDataset* dataset, int32_t timeout) {
  return Guard(FOOTHOLD_CALL(handle, dataset, timeout), [&]() -> int {
    const Nanoseconds deadline = DeadlineOf(timeout);
    return Channels::Get().Find(handle)->Send(TransferSets::Get().Find(dataset), deadline);
  });
}

aclError acltdtReceiveTensor(const acltdtChannelHandle* handle, acltdtDataset* dataset, int32_t timeout) {
  return Guard(FOOTHOLD_CALL(handle, dataset, timeout), [&]() -> int {
    const Nanoseconds deadline = DeadlineOf(timeout);
    return Channels::Get().Find(handle)->Receive(TransferSets::Get().Find(dataset), deadline);
  });
}

aclError acltdtQueryChannelSize(const acltdtChannelHandle* handle, size_t* size) {
  return Guard(FOOTHOLD_CALL(handle, size), [&] {
    const auto channel = Channels::Get().Find(handle);
    *CheckNotNull(size, "size", kInvalidParam) = channel->size();
  });
}

aclError acltdtCleanChannel(acltdtChannelHandle* handle) {
  return Guard(FOOTHOLD_CALL(handle), [&] { Channels::Get().Find(handle)->Clean(); });
}
