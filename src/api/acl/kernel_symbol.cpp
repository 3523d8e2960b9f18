// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "acl/acl_rt.h"
#include "api/guard.h"
#include "binaries/symbols.h"
#include "device/current.h"

using namespace foothold;

aclError aclrtGetSymbolAddress(const void* symbol, void** devPtr) {
  return Guard(FOOTHOLD_CALL(symbol, devPtr), [&] {
    FOOTHOLD_NOT_NULL(devPtr);
    CheckSymbol(FOOTHOLD_NOT_NULL(symbol));
    *devPtr = const_cast<void*>(symbol);
  });
}

aclError aclrtGetSymbolSize(const void* symbol, size_t* size) {
  return Guard(FOOTHOLD_CALL(symbol, size),
               [&] { *FOOTHOLD_NOT_NULL(size) = SizeOfSymbol(FOOTHOLD_NOT_NULL(symbol)); });
}

aclError aclrtMemcpyToSymbol(const void* symbol, const void* src, size_t count, size_t offset,
                             aclrtMemcpyKind kind) {
  return Guard(FOOTHOLD_CALL(symbol, src, count, offset, kind), [&] {
    FOOTHOLD_NOT_NULL(src);
    CopySymbol({symbol, offset, nullptr, src, 0, count}, static_cast<CopyKind>(kind));
  });
}

aclError aclrtMemcpyToSymbolAsync(const void* symbol, const void* src, size_t count, size_t offset,
                                  aclrtMemcpyKind kind, aclrtStream stream) {
  return Guard(FOOTHOLD_CALL(symbol, src, count, offset, kind, stream), [&, api = __func__] {
    FOOTHOLD_NOT_NULL(src);
    PushSymbolCopy(FindStream(stream), api, {symbol, offset, nullptr, src, 0, count},
                   static_cast<CopyKind>(kind));
  });
}

aclError aclrtMemcpyFromSymbol(void* dst, size_t dstMax, const void* symbol, size_t count, size_t offset,
                               aclrtMemcpyKind kind) {
  return Guard(FOOTHOLD_CALL(dst, dstMax, symbol, count, offset, kind), [&] {
    FOOTHOLD_NOT_NULL(dst);
    CopySymbol({symbol, offset, dst, nullptr, dstMax, count}, static_cast<CopyKind>(kind));
  });
}

aclError aclrtMemcpyFromSymbolAsync(void* dst, size_t dstMax, const void* symbol, size_t count, size_t offset,
                                    aclrtMemcpyKind kind, aclrtStream stream) {
  return Guard(FOOTHOLD_CALL(dst, dstMax, symbol, count, offset, kind, stream), [&, api = __func__] {
    FOOTHOLD_NOT_NULL(dst);
    PushSymbolCopy(FindStream(stream), api, {symbol, offset, dst, nullptr, dstMax, count},
                   static_cast<CopyKind>(kind));
  });
}
