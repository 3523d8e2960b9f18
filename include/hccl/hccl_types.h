// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Types of HCCL: results, element types, root information and the configuration of a communicator.
#ifndef FOOTHOLD_HCCL_HCCL_TYPES_H_
#define FOOTHOLD_HCCL_HCCL_TYPES_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "acl/acl_base.h"

#ifdef __cplusplus
extern "C" {
#endif

// A rank of a communicator.
typedef void* HcclComm;
typedef void* HcclConn;
typedef void* HcclCommSymWindow;

static const uint32_t HCCL_ROOT_INFO_BYTES                   = 4108;
static const uint32_t COMM_NAME_MAX_LENGTH                   = 128;
static const uint32_t UDI_MAX_LENGTH                         = 128;
static const uint32_t BUFFER_NAME_MAX_LENGTH                 = 128;
static const uint32_t HCCL_COMM_ALGO_MAX_LENGTH              = 1600;
static const uint32_t HCCL_COMM_RETRY_ENABLE_MAX_LENGTH      = 50;
static const uint32_t HCCL_COMM_RETRY_PARAMS_MAX_LENGTH      = 128;
static const uint32_t HCCL_COMM_CONFIG_INFO_BYTES            = 24;
static const uint32_t HCCL_COMM_CONFIG_MAGIC_WORD            = 0xf0f0f0f0;
static const uint32_t HCCL_COMM_CONFIG_VERSION               = 11;
static const uint32_t HCCL_COMM_DEFAULT_BUFFSIZE             = 200;
static const uint32_t HCCL_COMM_DEFAULT_DETERMINISTIC        = 0;
static const uint32_t HCCL_COMM_DEFAULT_OP_EXPANSION_MODE    = 0;
static const uint32_t HCCL_DEFAULT_SYMMETRIC_MEMORY_STRIDE   = 16;
static const uint32_t HCCL_COMM_BUFFSIZE_CONFIG_NOT_SET      = 0xffffffff;
static const uint32_t HCCL_COMM_DETERMINISTIC_CONFIG_NOT_SET = 0xffffffff;
static const uint32_t HCCL_COMM_TRAFFIC_CLASS_CONFIG_NOT_SET = 0xffffffff;
static const uint32_t HCCL_COMM_SERVICE_LEVEL_CONFIG_NOT_SET = 0xffffffff;
static const uint32_t HCCL_COMM_EXECTIMEOUT_CONFIG_NOT_SET   = 0xffffffff;
static const uint32_t HCCL_COMM_QOS_CONFIG_NOT_SET           = 0xffffffff;
static const uint32_t HCCL_COMM_SQ_DEPTH_CONFIG_NOT_SET      = 0xffffffff;

typedef enum HcclResult {
  HCCL_SUCCESS             = 0,
  HCCL_E_PARA              = 1,
  HCCL_E_PTR               = 2,
  HCCL_E_MEMORY            = 3,
  HCCL_E_INTERNAL          = 4,
  HCCL_E_NOT_SUPPORT       = 5,
  HCCL_E_NOT_FOUND         = 6,
  HCCL_E_UNAVAIL           = 7,
  HCCL_E_SYSCALL           = 8,
  HCCL_E_TIMEOUT           = 9,
  HCCL_E_OPEN_FILE_FAILURE = 10,
  HCCL_E_TCP_CONNECT       = 11,
  HCCL_E_ROCE_CONNECT      = 12,
  HCCL_E_TCP_TRANSFER      = 13,
  HCCL_E_ROCE_TRANSFER     = 14,
  HCCL_E_RUNTIME           = 15,
  HCCL_E_DRV               = 16,
  HCCL_E_PROFILING         = 17,
  HCCL_E_CCE               = 18,
  HCCL_E_NETWORK           = 19,
  HCCL_E_AGAIN             = 20,
  HCCL_E_REMOTE            = 21,
  HCCL_E_SUSPENDING        = 22,
  HCCL_E_OPRETRY_FAIL      = 23,
  HCCL_E_OOM               = 24,
  HCCL_E_IN_STATUS         = 1041,
  HCCL_E_RESERVED          = 1042,
} HcclResult;

typedef enum HcclDataType {
  HCCL_DATA_TYPE_INT8     = 0,
  HCCL_DATA_TYPE_INT16    = 1,
  HCCL_DATA_TYPE_INT32    = 2,
  HCCL_DATA_TYPE_FP16     = 3,
  HCCL_DATA_TYPE_FP32     = 4,
  HCCL_DATA_TYPE_INT64    = 5,
  HCCL_DATA_TYPE_UINT64   = 6,
  HCCL_DATA_TYPE_UINT8    = 7,
  HCCL_DATA_TYPE_UINT16   = 8,
  HCCL_DATA_TYPE_UINT32   = 9,
  HCCL_DATA_TYPE_FP64     = 10,
  HCCL_DATA_TYPE_BFP16    = 11,
  HCCL_DATA_TYPE_INT128   = 12,
  HCCL_DATA_TYPE_HIF8     = 14,
  HCCL_DATA_TYPE_FP8E4M3  = 15,
  HCCL_DATA_TYPE_FP8E5M2  = 16,
  HCCL_DATA_TYPE_FP8E8M0  = 17,
  HCCL_DATA_TYPE_RESERVED = 255,
} HcclDataType;

typedef enum HcclReduceOp {
  HCCL_REDUCE_SUM      = 0,
  HCCL_REDUCE_PROD     = 1,
  HCCL_REDUCE_MAX      = 2,
  HCCL_REDUCE_MIN      = 3,
  HCCL_REDUCE_RESERVED = 255,
} HcclReduceOp;

typedef enum HcclConfig {
  HCCL_DETERMINISTIC   = 0,
  HCCL_CONFIG_RESERVED = 1,
} HcclConfig;

typedef union HcclConfigValue {
  int32_t value;
} HcclConfigValue;

// What a communicator is made from: one rank makes it and the program carries the bytes to the others.
typedef struct HcclRootInfo {
  char internal[4108];
} HcclRootInfo;

typedef enum HcclSendRecvType {
  HCCL_SEND               = 0,
  HCCL_RECV               = 1,
  HCCL_SEND_RECV_RESERVED = 2,
} HcclSendRecvType;

typedef struct HcclSendRecvItem {
  HcclSendRecvType sendRecvType;
  void* buf;
  uint64_t count;
  HcclDataType dataType;
  uint32_t remoteRank;
} HcclSendRecvItem;

// A feature f is there if HcclGetCommConfigCapability() > f.
typedef enum HcclCommConfigCapability {
  HCCL_COMM_CONFIG_BUFFER_SIZE              = 0,
  HCCL_COMM_CONFIG_DETERMINISTIC            = 1,
  HCCL_COMM_CONFIG_COMM_NAME                = 2,
  HCCL_COMM_CONFIG_OP_EXPANSION_MODE        = 3,
  HCCL_COMM_CONFIG_SUPPORT_INIT_BY_ENV      = 4,
  HCCL_COMM_CONFIG_WORLD_RANKID             = 5,
  HCCL_COMM_CONFIG_JOBID                    = 6,
  HCCL_COMM_CONFIG_ACLGRAPH_ZEROCOPY_ENABLE = 7,
  HCCL_COMM_CONFIG_EXEC_TIMEOUT             = 8,
  HCCL_COMM_CONFIG_ALGO                     = 9,
  HCCL_COMM_CONFIG_RETRY                    = 10,
  HCCL_COMM_CONFIG_BUFFER_NAME              = 11,
  HCCL_COMM_CONFIG_RESERVED                 = 12,
} HcclCommConfigCapability;

// HcclCommConfigInit fills it in; what a program knows of it is told by the size it has there.
typedef struct HcclCommConfig {
  char reserved[24];
  uint32_t hcclBufferSize;
  uint32_t hcclDeterministic;
  char hcclCommName[128];
  char hcclUdi[128];
  uint32_t hcclOpExpansionMode;
  uint32_t hcclRdmaTrafficClass;
  uint32_t hcclRdmaServiceLevel;
  uint32_t hcclWorldRankID;
  uint64_t hcclJobID;
  uint8_t aclGraphZeroCopyEnable;
  int32_t hcclExecTimeOut;
  char hcclAlgo[1600];
  char hcclRetryEnable[50];
  char hcclRetryParams[128];
  char hcclBufferName[128];
  uint32_t hcclQos;
  uint64_t hcclSymWinMaxMemSizePerRank;
  uint32_t hcclChannelSqDepth;
} HcclCommConfig;

typedef enum HcclCommStatus {
  HCCL_COMM_STATUS_READY      = 0,
  HCCL_COMM_STATUS_SUSPENDING = 1,
  HCCL_COMM_STATUS_INVALID    = 254,
  HCCL_COMM_STATUS_RESERVED   = 255,
} HcclCommStatus;

typedef enum HcclCommStatePhase {
  HCCL_COMM_STATE_INVALID      = -1,
  HCCL_COMM_STATE_DESTROY_PRE  = 0,
  HCCL_COMM_STATE_DESTROY_POST = 1,
  HCCL_COMM_STATE_RESUME_PRE   = 2,
  HCCL_COMM_STATE_RESUME_POST  = 3,
} HcclCommStatePhase;

typedef void (*HcclCommStateCallback)(HcclComm comm, HcclCommStatePhase phase, void* args);

typedef enum HcclConfigType {
  HCCL_CONFIG_TYPE_INVALID           = -1,
  HCCL_CONFIG_TYPE_OP_EXPANSION_MODE = 0,
  HCCL_CONFIG_TYPE_HCCL_ALGO         = 1,
} HcclConfigType;

typedef enum HcclOpExpansionMode {
  HCCL_OP_EXPANSION_MODE_INVALID   = -1,
  HCCL_OP_EXPANSION_MODE_AI_CPU    = 0,
  HCCL_OP_EXPANSION_MODE_AIV       = 1,
  HCCL_OP_EXPANSION_MODE_HOST      = 2,
  HCCL_OP_EXPANSION_MODE_HOST_TS   = 3,
  HCCL_OP_EXPANSION_MODE_CCU_MS    = 4,
  HCCL_OP_EXPANSION_MODE_CCU_SCHED = 5,
  HCCL_OP_EXPANSION_MODE_AIV_ONLY  = 6,
} HcclOpExpansionMode;

#ifdef __cplusplus
}
#endif

#endif  // FOOTHOLD_HCCL_HCCL_TYPES_H_
