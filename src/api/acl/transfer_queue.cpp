// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <unistd.h>

#include <cstring>

#include "acl/acl_tdt_queue.h"
#include "api/acl/attribute_value.h"
#include "api/acl/time_limits.h"
#include "api/guard.h"
#include "api/status.h"
#include "device/memory_map.h"
#include "device/observer.h"
#include "transfer/buffer.h"
#include "transfer/queue_objects.h"

using namespace foothold;

namespace {

constexpr uint32_t kAllPermissions =
    ACL_TDT_QUEUE_PERMISSION_MANAGE | ACL_TDT_QUEUE_PERMISSION_DEQUEUE | ACL_TDT_QUEUE_PERMISSION_ENQUEUE;

uint32_t CheckDepth(uint32_t depth) {
  if (depth == 0 || depth > QueueAttributes::kMaxDepth)
    Fail(kInvalidParam, "the depth of a queue must be from 1 to {}, not {}", QueueAttributes::kMaxDepth,
         depth);
  return depth;
}

[[noreturn]] void NoSuchAttribute(acltdtQueueAttrType type) {
  Fail(kInvalidParam, "type must be ACL_TDT_QUEUE_NAME_PTR (0) or ACL_TDT_QUEUE_DEPTH_UINT32 (1), not {}",
       static_cast<int>(type));
}

void CheckUserData(const void* data, size_t size) {
  if (size > TransferBuffer::kUserBytes)
    Fail(kInvalidParam, "userDataSize must be at most {}, not {}", TransferBuffer::kUserBytes, size);
  if (size != 0) CheckNotNull(data, "userData", kInvalidParam);
}

// A buffer with a copy of what a program passes; freed again unless a queue took it.
class OwnBuffer {
 public:
  OwnBuffer(const void* data, size_t size) : handle_(AllocateBuffer(size == 0 ? 1 : size, kInvalidParam)) {
    SetDataLength(handle_, size, kInvalidParam);
    if (size != 0) std::memcpy(TransferBuffers::Get().Find(handle_).memory.get(), data, size);
  }
  explicit OwnBuffer(void* handle) : handle_(handle) {}
  ~OwnBuffer() {
    if (handle_ != nullptr) EndQueuedBuffer(handle_);
  }
  OwnBuffer(const OwnBuffer&) = delete;
  OwnBuffer& operator=(const OwnBuffer&) = delete;

  void* get() const { return handle_; }
  void Release() { handle_ = nullptr; }

 private:
  void* handle_;
};

void CheckHolds(void* handle, size_t size) {
  const TransferBuffer& buffer = TransferBuffers::Get().Find(handle);
  if (!buffer.followers.empty())
    Fail(kInvalidParam, "a chain of {} shared buffers comes next: take it with acltdtDequeue",
         ChainLength(buffer));
  if (size < buffer.length)
    Fail(kInvalidParam, "dataSize is {}, but {} bytes come next", size, buffer.length);
}

}  // namespace

acltdtQueueAttr* acltdtCreateQueueAttr(void) {
  return GuardValue(FOOTHOLD_CALL(), static_cast<acltdtQueueAttr*>(nullptr),
                    [&] { return static_cast<acltdtQueueAttr*>(QueueAttributeSets::Get().Add({})); });
}

aclError acltdtDestroyQueueAttr(const acltdtQueueAttr* attr) {
  return Guard(FOOTHOLD_CALL(attr), [&] { QueueAttributeSets::Get().Remove(attr); });
}

aclError acltdtSetQueueAttr(acltdtQueueAttr* attr, acltdtQueueAttrType type, size_t len, const void* param) {
  return Guard(FOOTHOLD_CALL(attr, type, len, param), [&] {
    QueueAttributes& attributes = QueueAttributeSets::Get().Find(attr);
    switch (type) {
      case ACL_TDT_QUEUE_NAME_PTR:
        attributes.name = CheckNotNull(ReadAttribute<const char*>(param, len), "the name", kInvalidParam);
        return;
      case ACL_TDT_QUEUE_DEPTH_UINT32:
        attributes.depth = CheckDepth(ReadAttribute<uint32_t>(param, len));
        return;
    }
    NoSuchAttribute(type);
  });
}

aclError acltdtGetQueueAttr(const acltdtQueueAttr* attr, acltdtQueueAttrType type, size_t len,
                            size_t* paramRetSize, void* param) {
  return Guard(FOOTHOLD_CALL(attr, type, len, paramRetSize, param), [&] {
    const QueueAttributes& attributes = QueueAttributeSets::Get().Find(attr);
    switch (type) {
      case ACL_TDT_QUEUE_NAME_PTR:
        return WriteAttribute(attributes.name.c_str(), len, paramRetSize, param);
      case ACL_TDT_QUEUE_DEPTH_UINT32:
        return WriteAttribute(attributes.depth, len, paramRetSize, param);
    }
    NoSuchAttribute(type);
  });
}

aclError acltdtCreateQueue(const acltdtQueueAttr* attr, uint32_t* qid) {
  return Guard(FOOTHOLD_CALL(attr, qid), [&] {
    const QueueAttributes& attributes = QueueAttributeSets::Get().Find(attr);
    CheckNotNull(qid, "qid", kInvalidParam);
    *qid = Queues::Get().Create(attributes.name, attributes.depth);
  });
}

aclError acltdtDestroyQueue(uint32_t qid) {
  return Guard(FOOTHOLD_CALL(qid), [&] { Queues::Get().Destroy(qid); });
}

// A process has every permission for its own queues, and there are no others.
FOOTHOLD_WITHOUT_EFFECT(acltdtGrantQueue);
aclError acltdtGrantQueue(uint32_t qid, int32_t pid, uint32_t permission, int32_t timeout) {
  return Guard(FOOTHOLD_CALL(qid, pid, permission, timeout), [&] {
    Queues::Get().Find(qid);
    DeadlineOf(timeout);
    if (permission == 0 || (permission & ~kAllPermissions) != 0)
      Fail(kInvalidParam, "permission must be made of 1 (manage), 2 (dequeue) and 4 (enqueue), not {}",
           permission);
    if (pid != getpid()) {
      Fail(kRtFeatureNotSupport, "queues are shared within a process: {} is not this one ({})", pid,
           getpid());
    }
  });
}

aclError acltdtAttachQueue(uint32_t qid, int32_t timeout, uint32_t* permission) {
  return Guard(FOOTHOLD_CALL(qid, timeout, permission), [&] {
    Queues::Get().Find(qid);
    DeadlineOf(timeout);
    *CheckNotNull(permission, "permission", kInvalidParam) = kAllPermissions;
  });
}

aclError acltdtEnqueue(uint32_t qid, acltdtBuf buf, int32_t timeout) {
  return Guard(FOOTHOLD_CALL(qid, buf, timeout), [&]() -> int {
    const Nanoseconds deadline = DeadlineOf(timeout);
    return Queues::Get().Find(qid)->Enqueue(buf, deadline);
  });
}

aclError acltdtDequeue(uint32_t qid, acltdtBuf* buf, int32_t timeout) {
  return Guard(FOOTHOLD_CALL(qid, buf, timeout), [&]() -> int {
    const Nanoseconds deadline = DeadlineOf(timeout);
    const auto queue = Queues::Get().Find(qid);
    CheckNotNull(buf, "buf", kInvalidParam);
    return queue->Dequeue(*buf, deadline, [](void*) { return true; });
  });
}

FOOTHOLD_PART_WITHOUT_EFFECT(acltdtEnqueueData, rsv);
aclError acltdtEnqueueData(uint32_t qid, const void* data, size_t dataSize, const void* userData,
                           size_t userDataSize, int32_t timeout, uint32_t rsv) {
  return Guard(FOOTHOLD_CALL(qid, data, dataSize, userData, userDataSize, timeout, rsv), [&]() -> int {
    const Nanoseconds deadline = DeadlineOf(timeout);
    const auto queue = Queues::Get().Find(qid);
    CheckUserData(userData, userDataSize);
    const void* from = nullptr;
    if (dataSize != 0) from = CheckRange(data, dataSize, Use::kRead, "data", kInvalidParam).kernel;
    OwnBuffer buffer(from, dataSize);
    if (userDataSize != 0) SetUserBytes(buffer.get(), userData, userDataSize, 0, kInvalidParam);
    const Code code = queue->Enqueue(buffer.get(), deadline);
    if (code == kSuccess) buffer.Release();
    return code;
  });
}

aclError acltdtDequeueData(uint32_t qid, void* data, size_t dataSize, size_t* retDataSize, void* userData,
                           size_t userDataSize, int32_t timeout) {
  return Guard(FOOTHOLD_CALL(qid, data, dataSize, retDataSize, userData, userDataSize, timeout),
               [&]() -> int {
                 const Nanoseconds deadline = DeadlineOf(timeout);
                 const auto queue = Queues::Get().Find(qid);
                 CheckUserData(userData, userDataSize);
                 CheckNotNull(retDataSize, "retDataSize", kInvalidParam);
                 void* to = nullptr;
                 if (dataSize != 0)
                   to = CheckRange(data, dataSize, Use::kWrite, "data", kInvalidParam).kernel;
                 void* handle = nullptr;
                 const Code code = queue->Dequeue(handle, deadline, [&](void* next) {
                   CheckHolds(next, dataSize);
                   return true;
                 });
                 if (code != kSuccess) return code;
                 const OwnBuffer taken(handle);
                 const TransferBuffer& buffer = TransferBuffers::Get().Find(handle);
                 TellWritten(data, buffer.length);
                 if (buffer.length != 0) std::memcpy(to, buffer.memory.get(), buffer.length);
                 *retDataSize = buffer.length;
                 if (userDataSize != 0) std::memcpy(userData, buffer.user.data(), userDataSize);
                 return code;
               });
}
