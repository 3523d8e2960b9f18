// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
// Copying and filling memory, at once and in streams.
#include "acl/acl_rt.h"
#include "api/guard.h"
#include "device/capture_modes.h"
#include "device/copy.h"
#include "device/current.h"
#include "device/fill.h"

using namespace foothold;

aclError aclrtMemcpy(void* dst, size_t destMax, const void* src, size_t count, aclrtMemcpyKind kind) {
  return Guard(FOOTHOLD_CALL(dst, destMax, src, count, kind), [&] {
    CurrentContext();
    CaptureModes::CheckAllows("aclrtMemcpy");
    Copy(dst, destMax, src, count, static_cast<CopyKind>(kind));
  });
}

aclError aclrtMemcpyAsync(void* dst, size_t destMax, const void* src, size_t count, aclrtMemcpyKind kind,
                          aclrtStream stream) {
  const auto call = FOOTHOLD_CALL(dst, destMax, src, count, kind, stream);
  return Guard(call, [&] {
    PushCopy(FindStream(stream), call.name, dst, destMax, src, count, static_cast<CopyKind>(kind));
  });
}

aclError aclrtMemcpyAsyncWithCondition(void* dst, size_t destMax, const void* src, size_t count,
                                       aclrtMemcpyKind kind, aclrtStream stream) {
  const auto call = FOOTHOLD_CALL(dst, destMax, src, count, kind, stream);
  return Guard(call, [&] {
    PushCopy(FindStream(stream), call.name, dst, destMax, src, count, static_cast<CopyKind>(kind));
  });
}

aclError aclrtMemcpy2d(void* dst, size_t dpitch, const void* src, size_t spitch, size_t width, size_t height,
                       aclrtMemcpyKind kind) {
  return Guard(FOOTHOLD_CALL(dst, dpitch, src, spitch, width, height, kind), [&] {
    CurrentContext();
    CaptureModes::CheckAllows("aclrtMemcpy2d");
    CopyRectangle({dst, dpitch, src, spitch, {width, height}}, static_cast<CopyKind>(kind));
  });
}

aclError aclrtMemcpy2dAsync(void* dst, size_t dpitch, const void* src, size_t spitch, size_t width,
                            size_t height, aclrtMemcpyKind kind, aclrtStream stream) {
  const auto call = FOOTHOLD_CALL(dst, dpitch, src, spitch, width, height, kind, stream);
  return Guard(call, [&] {
    PushRectangleCopy(FindStream(stream), call.name, {dst, dpitch, src, spitch, {width, height}},
                      static_cast<CopyKind>(kind));
  });
}

aclError aclrtMemset(void* devPtr, size_t maxCount, int32_t value, size_t count) {
  return Guard(FOOTHOLD_CALL(devPtr, maxCount, value, count), [&] {
    CurrentContext();
    CaptureModes::CheckAllows("aclrtMemset");
    SetBytes(devPtr, maxCount, static_cast<uint8_t>(value), count);
  });
}

aclError aclrtMemsetAsync(void* devPtr, size_t maxCount, int32_t value, size_t count, aclrtStream stream) {
  const auto call = FOOTHOLD_CALL(devPtr, maxCount, value, count, stream);
  return Guard(call, [&] {
    PushSetBytes(FindStream(stream), call.name, devPtr, maxCount, static_cast<uint8_t>(value), count);
  });
}

aclError aclrtMemsetD32(void* ptr, size_t memSize, uint32_t value, size_t N) {
  return Guard(FOOTHOLD_CALL(ptr, memSize, value, N), [&] {
    CurrentContext();
    SetWords(ptr, memSize, value, N);
  });
}

aclError aclrtMemsetD32Async(void* ptr, size_t memSize, uint32_t value, size_t N, aclrtStream stream) {
  const auto call = FOOTHOLD_CALL(ptr, memSize, value, N, stream);
  return Guard(call, [&] { PushSetWords(FindStream(stream), call.name, ptr, memSize, value, N); });
}
