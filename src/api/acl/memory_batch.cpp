// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
// Many copies in one call.
#include "acl/acl_rt.h"
#include "api/guard.h"
#include "device/copy_batch.h"
#include "device/current.h"

using namespace foothold;

namespace {

BatchAttribute AttributeAt(const void* attributes, size_t index) {
  const auto& attribute = static_cast<const aclrtMemcpyBatchAttr*>(attributes)[index];
  return {static_cast<int>(attribute.dstLoc.type), static_cast<int>(attribute.srcLoc.type)};
}

CopyBatch MakeBatch(void** dsts, size_t* destMaxs, void** srcs, size_t* sizes, size_t numBatches,
                    aclrtMemcpyBatchAttr* attrs, size_t* attrsIndexes, size_t numAttrs) {
  FOOTHOLD_NOT_NULL(dsts);
  FOOTHOLD_NOT_NULL(destMaxs);
  FOOTHOLD_NOT_NULL(srcs);
  FOOTHOLD_NOT_NULL(sizes);
  FOOTHOLD_NOT_NULL(attrs);
  FOOTHOLD_NOT_NULL(attrsIndexes);
  return {dsts, destMaxs, srcs, sizes, numBatches, attrsIndexes, numAttrs, AttributeAt, attrs};
}

}  // namespace

aclError aclrtMemcpyBatch(void** dsts, size_t* destMaxs, void** srcs, size_t* sizes, size_t numBatches,
                          aclrtMemcpyBatchAttr* attrs, size_t* attrsIndexes, size_t numAttrs,
                          size_t* failIndex) {
  return Guard(
      FOOTHOLD_CALL(dsts, destMaxs, srcs, sizes, numBatches, attrs, attrsIndexes, numAttrs, failIndex), [&] {
        *FOOTHOLD_NOT_NULL(failIndex) = SIZE_MAX;
        CurrentContext();
        CopyAll(MakeBatch(dsts, destMaxs, srcs, sizes, numBatches, attrs, attrsIndexes, numAttrs), failIndex);
      });
}

aclError aclrtMemcpyBatchV2(void** dsts, size_t* destMaxs, void** srcs, size_t* sizes, size_t numBatches,
                            aclrtMemcpyBatchAttr* attrs, size_t* attrsIndexes, size_t numAttrs) {
  return Guard(FOOTHOLD_CALL(dsts, destMaxs, srcs, sizes, numBatches, attrs, attrsIndexes, numAttrs), [&] {
    CurrentContext();
    CopyAll(MakeBatch(dsts, destMaxs, srcs, sizes, numBatches, attrs, attrsIndexes, numAttrs), nullptr);
  });
}

aclError aclrtMemcpyBatchAsync(void** dsts, size_t* destMaxs, void** srcs, size_t* sizes, size_t numBatches,
                               aclrtMemcpyBatchAttr* attrs, size_t* attrsIndexes, size_t numAttrs,
                               size_t* failIndex, aclrtStream stream) {
  const auto call = FOOTHOLD_CALL(dsts, destMaxs, srcs, sizes, numBatches, attrs, attrsIndexes, numAttrs,
                                  failIndex, stream);
  return Guard(call, [&] {
    *FOOTHOLD_NOT_NULL(failIndex) = SIZE_MAX;
    PushCopyAll(FindStream(stream), call.name,
                MakeBatch(dsts, destMaxs, srcs, sizes, numBatches, attrs, attrsIndexes, numAttrs), failIndex);
  });
}

aclError aclrtMemcpyBatchAsyncV2(void** dsts, size_t* destMaxs, void** srcs, size_t* sizes, size_t numBatches,
                                 aclrtMemcpyBatchAttr* attrs, size_t* attrsIndexes, size_t numAttrs,
                                 aclrtStream stream) {
  const auto call =
      FOOTHOLD_CALL(dsts, destMaxs, srcs, sizes, numBatches, attrs, attrsIndexes, numAttrs, stream);
  return Guard(call, [&] {
    PushCopyAll(FindStream(stream), call.name,
                MakeBatch(dsts, destMaxs, srcs, sizes, numBatches, attrs, attrsIndexes, numAttrs), nullptr);
  });
}
