// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Dump of tensors to files or to the program. The callback may be called on several threads of the library at
// once; the pieces of one file come in order and are valid during the call only.
#ifndef FOOTHOLD_ACL_ACL_DUMP_H_
#define FOOTHOLD_ACL_ACL_DUMP_H_

#include <stddef.h>
#include <stdint.h>

#include "acl_base.h"
#include "acl_op.h"

#ifdef __cplusplus
extern "C" {
#endif

// How functions are marked.

#ifndef ACL_DUMP_API
#if defined(_MSC_VER)
#define ACL_DUMP_API __declspec(dllexport)
#elif defined(__GNUC__)
#define ACL_DUMP_API __attribute__((visibility("default")))
#else
#define ACL_DUMP_API
#endif
#endif

#define ACL_DUMP_WEAK

// Pieces of a dump. The data starts at dataBuf, four bytes before the end of the structure: its size is
// rounded up. The second argument of the callback is sizeof(acldumpChunk) + bufLen.

#define ACL_DUMP_MAX_FILE_PATH_LENGTH 4096
#define ACL_DUMP_MAX_SHAPE_NUM        25

typedef struct acldumpChunk {
  char fileName[ACL_DUMP_MAX_FILE_PATH_LENGTH];
  uint32_t bufLen;       // bytes in dataBuf
  uint32_t isLastChunk;  // 1 for the last piece of a file
  int64_t offset;        // where dataBuf belongs in the file, -1: append
  int32_t flag;
  __extension__ uint8_t dataBuf[0];
} acldumpChunk;

ACL_DUMP_API aclError acldumpRegCallback(int32_t (*const messageCallback)(const acldumpChunk*, int32_t),
                                         int32_t flag);
ACL_DUMP_API void acldumpUnregCallback(void);

// Where dumps go, and tensors of a failed task.

typedef enum acldumpType {
  AIC_ERR_BRIEF_DUMP  = 1,
  AIC_ERR_NORM_DUMP   = 2,
  AIC_ERR_DETAIL_DUMP = 3,
  DATA_DUMP           = 4,
  OVERFLOW_DUMP       = 5,
} acldumpType;

typedef enum acldumpTensorType {
  ACL_DUMP_TENSOR_INPUT     = 0,
  ACL_DUMP_TENSOR_OUTPUT    = 1,
  ACL_DUMP_TENSOR_WORKSPACE = 2,
} acldumpTensorType;

typedef enum acldumpTensorAddressType {
  ACL_DUMP_ADDR_PTR     = 0,
  ACL_DUMP_ADDR_PTR_PTR = 1,
  ACL_DUMP_ADDR_RAW     = 2,
} acldumpTensorAddressType;

typedef enum acldumpTensorPlacement {
  ACL_DUMP_PLACEMENT_DEVICE = 0,
  ACL_DUMP_PLACEMENT_HOST   = 1,
  ACL_DUMP_PLACEMENT_END    = 2,
} acldumpTensorPlacement;

typedef struct acldumpTensorInfo {
  acldumpTensorType type;
  size_t tensorSize;
  int32_t format;
  int32_t dataType;
  int64_t* tensorAddr;
  acldumpTensorAddressType addrType;
  acldumpTensorPlacement placement;
  uint32_t argsOffset;
  uint32_t shapeNum;
  uint32_t originShapeNum;
  uint64_t shape[ACL_DUMP_MAX_SHAPE_NUM];
  uint64_t originShape[ACL_DUMP_MAX_SHAPE_NUM];
} acldumpTensorInfo;

ACL_DUMP_API const char* acldumpGetPath(acldumpType dumpType);
ACL_DUMP_API aclError acldumpGetExceptionInfoPath(char* path, size_t maxLen);
ACL_DUMP_API aclError acldumpSaveExceptionInfo(const char* fileName, const char* userTag,
                                               const acldumpTensorInfo* tensors, size_t tensorCount);

#ifdef __cplusplus
}
#endif

#endif  // FOOTHOLD_ACL_ACL_DUMP_H_
