// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Error numbers of models and graphs, for the C API; the same numbers as the Graph Engine's own.
#ifndef FOOTHOLD_ACL_ERROR_CODES_GE_ERROR_CODES_H_
#define FOOTHOLD_ACL_ERROR_CODES_GE_ERROR_CODES_H_

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// Kept for programs that use it on declarations of their own.

#ifndef GE_FUNC_VISIBILITY
#if defined(_MSC_VER)
#define GE_FUNC_VISIBILITY __declspec(dllexport)
#elif defined(__GNUC__)
#define GE_FUNC_VISIBILITY __attribute__((visibility("default")))
#else
#define GE_FUNC_VISIBILITY
#endif
#endif

// 1xxxxx: the call is wrong in itself or in this state.

static const uint32_t ACL_ERROR_GE_PARAM_INVALID                = 145000;
static const uint32_t ACL_ERROR_GE_EXEC_NOT_INIT                = 145001;
static const uint32_t ACL_ERROR_GE_EXEC_MODEL_PATH_INVALID      = 145002;
static const uint32_t ACL_ERROR_GE_EXEC_MODEL_ID_INVALID        = 145003;
static const uint32_t ACL_ERROR_GE_EXEC_MODEL_DATA_SIZE_INVALID = 145006;
static const uint32_t ACL_ERROR_GE_EXEC_MODEL_ADDR_INVALID      = 145007;
static const uint32_t ACL_ERROR_GE_EXEC_MODEL_QUEUE_ID_INVALID  = 145008;
static const uint32_t ACL_ERROR_GE_EXEC_LOAD_MODEL_REPEATED     = 145009;
static const uint32_t ACL_ERROR_GE_DYNAMIC_INPUT_ADDR_INVALID   = 145011;
static const uint32_t ACL_ERROR_GE_DYNAMIC_INPUT_LENGTH_INVALID = 145012;
static const uint32_t ACL_ERROR_GE_DYNAMIC_BATCH_SIZE_INVALID   = 145013;
static const uint32_t ACL_ERROR_GE_AIPP_BATCH_EMPTY             = 145014;
static const uint32_t ACL_ERROR_GE_AIPP_NOT_EXIST               = 145015;
static const uint32_t ACL_ERROR_GE_AIPP_MODE_INVALID            = 145016;
static const uint32_t ACL_ERROR_GE_OP_TASK_TYPE_INVALID         = 145017;
static const uint32_t ACL_ERROR_GE_OP_KERNEL_TYPE_INVALID       = 145018;
static const uint32_t ACL_ERROR_GE_PLGMGR_PATH_INVALID          = 145019;
static const uint32_t ACL_ERROR_GE_FORMAT_INVALID               = 145020;
static const uint32_t ACL_ERROR_GE_SHAPE_INVALID                = 145021;
static const uint32_t ACL_ERROR_GE_DATATYPE_INVALID             = 145022;

// 2xxxxx: memory.

static const uint32_t ACL_ERROR_GE_MEMORY_ALLOCATION            = 245000;
static const uint32_t ACL_ERROR_GE_MEMORY_OPERATE_FAILED        = 245001;
static const uint32_t ACL_ERROR_GE_DEVICE_MEMORY_OPERATE_FAILED = 245002;

// 3xxxxx: conditions of a running service.

static const uint32_t ACL_ERROR_GE_SUBHEALTHY           = 345102;
static const uint32_t ACL_ERROR_GE_USER_RAISE_EXCEPTION = 345103;
static const uint32_t ACL_ERROR_GE_DATA_NOT_ALIGNED     = 345104;

// 5xxxxx: loading or running a model failed.

static const uint32_t ACL_ERROR_GE_INTERNAL_ERROR                    = 545000;
static const uint32_t ACL_ERROR_GE_LOAD_MODEL                        = 545001;
static const uint32_t ACL_ERROR_GE_EXEC_LOAD_MODEL_PARTITION_FAILED  = 545002;
static const uint32_t ACL_ERROR_GE_EXEC_LOAD_WEIGHT_PARTITION_FAILED = 545003;
static const uint32_t ACL_ERROR_GE_EXEC_LOAD_TASK_PARTITION_FAILED   = 545004;
static const uint32_t ACL_ERROR_GE_EXEC_LOAD_KERNEL_PARTITION_FAILED = 545005;
static const uint32_t ACL_ERROR_GE_EXEC_RELEASE_MODEL_DATA           = 545006;
static const uint32_t ACL_ERROR_GE_COMMAND_HANDLE                    = 545007;
static const uint32_t ACL_ERROR_GE_GET_TENSOR_INFO                   = 545008;
static const uint32_t ACL_ERROR_GE_UNLOAD_MODEL                      = 545009;
static const uint32_t ACL_ERROR_GE_MODEL_EXECUTE_TIMEOUT             = 545601;
static const uint32_t ACL_ERROR_GE_REDEPLOYING                       = 545602;

#ifdef __cplusplus
}
#endif

#endif  // FOOTHOLD_ACL_ERROR_CODES_GE_ERROR_CODES_H_
