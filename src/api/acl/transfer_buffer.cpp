// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Shared buffers. Both families of functions are for the same ones; each answers with the code of its layer.
#include "acl/acl_rt.h"
#include "acl/acl_tdt_queue.h"
#include "api/guard.h"
#include "api/status.h"
#include "transfer/buffer.h"

using namespace foothold;

namespace {

void GetData(const void* handle, void** data, size_t* size, Code code) {
  const TransferBuffer& buffer = FindBuffer(handle, code);
  *CheckNotNull(data, "dataPtr", code) = buffer.memory.get();
  *CheckNotNull(size, "size", code) = buffer.capacity;
}

void GetDataLength(const void* handle, size_t* length, Code code) {
  const TransferBuffer& buffer = FindBuffer(handle, code);
  *CheckNotNull(length, "len", code) = buffer.length;
}

void GetChainLength(void* head, uint32_t* number, Code code) {
  const TransferBuffer& first = TransferBuffers::Get().Find(BufferOfChain(head, 0, code));
  *CheckNotNull(number, "num", code) = static_cast<uint32_t>(ChainLength(first));
}

}  // namespace

// Memory for media is memory like any other here.
FOOTHOLD_PART_WITHOUT_EFFECT(acltdtAllocBuf, type);
aclError acltdtAllocBuf(size_t size, uint32_t type, acltdtBuf* buf) {
  return Guard(FOOTHOLD_CALL(size, type, buf), [&] {
    CheckNotNull(buf, "buf", kInvalidParam);
    if (type != ACL_TDT_NORMAL_MEM && type != ACL_TDT_DVPP_MEM)
      Fail(kInvalidParam, "type must be ACL_TDT_NORMAL_MEM (0) or ACL_TDT_DVPP_MEM (1), not {}", type);
    *buf = AllocateBuffer(size, kInvalidParam);
  });
}

aclError aclrtAllocBuf(aclrtMbuf* buf, size_t size) {
  return Guard(FOOTHOLD_CALL(buf, size), [&] {
    FOOTHOLD_NOT_NULL(buf);
    *buf = AllocateBuffer(size, kRtParamInvalid);
  });
}

aclError acltdtFreeBuf(acltdtBuf buf) {
  return Guard(FOOTHOLD_CALL(buf), [&] { FreeBuffer(buf, kInvalidParam); });
}

aclError acltdtSetBufDataLen(acltdtBuf buf, size_t len) {
  return Guard(FOOTHOLD_CALL(buf, len), [&] { SetDataLength(buf, len, kInvalidParam); });
}

aclError acltdtGetBufDataLen(acltdtBuf buf, size_t* len) {
  return Guard(FOOTHOLD_CALL(buf, len), [&] { GetDataLength(buf, len, kInvalidParam); });
}

aclError acltdtGetBufData(const acltdtBuf buf, void** dataPtr, size_t* size) {
  return Guard(FOOTHOLD_CALL(buf, dataPtr, size), [&] { GetData(buf, dataPtr, size, kInvalidParam); });
}

aclError acltdtSetBufUserData(acltdtBuf buf, const void* dataPtr, size_t size, size_t offset) {
  return Guard(FOOTHOLD_CALL(buf, dataPtr, size, offset),
               [&] { SetUserBytes(buf, dataPtr, size, offset, kInvalidParam); });
}

aclError acltdtGetBufUserData(const acltdtBuf buf, void* dataPtr, size_t size, size_t offset) {
  return Guard(FOOTHOLD_CALL(buf, dataPtr, size, offset),
               [&] { GetUserBytes(buf, dataPtr, size, offset, kInvalidParam); });
}

aclError acltdtCopyBufRef(const acltdtBuf buf, acltdtBuf* newBuf) {
  return Guard(FOOTHOLD_CALL(buf, newBuf), [&] {
    FindBuffer(buf, kInvalidParam);
    *CheckNotNull(newBuf, "newBuf", kInvalidParam) = ShareBuffer(buf, kInvalidParam);
  });
}

aclError acltdtAppendBufChain(acltdtBuf headBuf, acltdtBuf buf) {
  return Guard(FOOTHOLD_CALL(headBuf, buf), [&] { AppendToChain(headBuf, buf, kInvalidParam); });
}

aclError acltdtGetBufChainNum(acltdtBuf headBuf, uint32_t* num) {
  return Guard(FOOTHOLD_CALL(headBuf, num), [&] { GetChainLength(headBuf, num, kInvalidParam); });
}

aclError acltdtGetBufFromChain(acltdtBuf headBuf, uint32_t index, acltdtBuf* buf) {
  return Guard(FOOTHOLD_CALL(headBuf, index, buf), [&] {
    void* const found = BufferOfChain(headBuf, index, kInvalidParam);
    *CheckNotNull(buf, "buf", kInvalidParam) = found;
  });
}

aclError aclrtFreeBuf(aclrtMbuf buf) {
  return Guard(FOOTHOLD_CALL(buf), [&] { FreeBuffer(buf, kRtParamInvalid); });
}

aclError aclrtSetBufDataLen(aclrtMbuf buf, size_t len) {
  return Guard(FOOTHOLD_CALL(buf, len), [&] { SetDataLength(buf, len, kRtParamInvalid); });
}

aclError aclrtGetBufDataLen(aclrtMbuf buf, size_t* len) {
  return Guard(FOOTHOLD_CALL(buf, len), [&] { GetDataLength(buf, len, kRtParamInvalid); });
}

aclError aclrtGetBufData(const aclrtMbuf buf, void** dataPtr, size_t* size) {
  return Guard(FOOTHOLD_CALL(buf, dataPtr, size), [&] { GetData(buf, dataPtr, size, kRtParamInvalid); });
}

aclError aclrtSetBufUserData(aclrtMbuf buf, const void* dataPtr, size_t size, size_t offset) {
  return Guard(FOOTHOLD_CALL(buf, dataPtr, size, offset),
               [&] { SetUserBytes(buf, dataPtr, size, offset, kRtParamInvalid); });
}

aclError aclrtGetBufUserData(const aclrtMbuf buf, void* dataPtr, size_t size, size_t offset) {
  return Guard(FOOTHOLD_CALL(buf, dataPtr, size, offset),
               [&] { GetUserBytes(buf, dataPtr, size, offset, kRtParamInvalid); });
}

aclError aclrtCopyBufRef(const aclrtMbuf buf, aclrtMbuf* newBuf) {
  return Guard(FOOTHOLD_CALL(buf, newBuf), [&] {
    FindBuffer(buf, kRtParamInvalid);
    *CheckNotNull(newBuf, "newBuf", kRtParamInvalid) = ShareBuffer(buf, kRtParamInvalid);
  });
}

aclError aclrtAppendBufChain(aclrtMbuf headBuf, aclrtMbuf buf) {
  return Guard(FOOTHOLD_CALL(headBuf, buf), [&] { AppendToChain(headBuf, buf, kRtParamInvalid); });
}

aclError aclrtGetBufChainNum(aclrtMbuf headBuf, uint32_t* num) {
  return Guard(FOOTHOLD_CALL(headBuf, num), [&] { GetChainLength(headBuf, num, kRtParamInvalid); });
}

aclError aclrtGetBufFromChain(aclrtMbuf headBuf, uint32_t index, aclrtMbuf* buf) {
  return Guard(FOOTHOLD_CALL(headBuf, index, buf), [&] {
    void* const found = BufferOfChain(headBuf, index, kRtParamInvalid);
    *CheckNotNull(buf, "buf", kRtParamInvalid) = found;
  });
}
