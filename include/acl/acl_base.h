// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What all of AscendCL shares: the error type and its numbers, data types and formats, the handles of the
// runtime, data buffers and tensor descriptions. Functions may be called from any thread; an object is used
// by one thread at a time.
#ifndef FOOTHOLD_ACL_ACL_BASE_H_
#define FOOTHOLD_ACL_ACL_BASE_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "error_codes/ge_error_codes.h"
#include "error_codes/rt_error_codes.h"

#ifdef __cplusplus
extern "C" {
#endif

// How functions are marked.

#ifndef ACL_FUNC_VISIBILITY
#if defined(_MSC_VER)
#define ACL_FUNC_VISIBILITY __declspec(dllexport)
#elif defined(__GNUC__)
#define ACL_FUNC_VISIBILITY __attribute__((visibility("default")))
#else
#define ACL_FUNC_VISIBILITY
#endif
#endif

#if defined(_MSC_VER)
#define ACL_DEPRECATED __declspec(deprecated)
#elif defined(__GNUC__)
#define ACL_DEPRECATED __attribute__((deprecated))
#else
#define ACL_DEPRECATED
#endif

#if defined(_MSC_VER)
#define ACL_DEPRECATED_MESSAGE(message) __declspec(deprecated(message))
#elif defined(__GNUC__)
#define ACL_DEPRECATED_MESSAGE(message) __attribute__((deprecated(message)))
#else
#define ACL_DEPRECATED_MESSAGE(message)
#endif

// Scalars and handles. All handles are made and freed by the library; a null stream is the default stream of
// the current context.

typedef int aclError;
typedef uint16_t aclFloat16;

typedef void* aclrtContext;
typedef void* aclrtStream;
typedef void* aclrtEvent;
typedef void* aclrtNotify;
typedef void* aclrtCntNotify;
typedef void* aclrtLabel;
typedef void* aclrtLabelList;
typedef void* aclrtTaskGrp;
typedef void* aclrtMbuf;
typedef void* aclmdlRITask;

typedef struct aclDataBuffer aclDataBuffer;
typedef struct aclTensorDesc aclTensorDesc;

// Results. Zero is success. Constants rather than macros, so that they have the type of a result and can be
// labels of a switch in C++.

static const int ACL_SUCCESS    = 0;
static const int ACL_ERROR_NONE = 0;

// 1000xx: the call is wrong in itself or in this state. Codes 100034 to 100036, 100038, 100040 and 100041
// are kept for programs that name them; the runtime answers with the numbers of rt_error_codes.h instead.

static const int ACL_ERROR_INVALID_PARAM                   = 100000;
static const int ACL_ERROR_UNINITIALIZE                    = 100001;
static const int ACL_ERROR_REPEAT_INITIALIZE               = 100002;
static const int ACL_ERROR_INVALID_FILE                    = 100003;
static const int ACL_ERROR_WRITE_FILE                      = 100004;
static const int ACL_ERROR_INVALID_FILE_SIZE               = 100005;
static const int ACL_ERROR_PARSE_FILE                      = 100006;
static const int ACL_ERROR_FILE_MISSING_ATTR               = 100007;
static const int ACL_ERROR_FILE_ATTR_INVALID               = 100008;
static const int ACL_ERROR_INVALID_DUMP_CONFIG             = 100009;
static const int ACL_ERROR_INVALID_PROFILING_CONFIG        = 100010;
static const int ACL_ERROR_INVALID_MODEL_ID                = 100011;
static const int ACL_ERROR_DESERIALIZE_MODEL               = 100012;
static const int ACL_ERROR_PARSE_MODEL                     = 100013;
static const int ACL_ERROR_READ_MODEL_FAILURE              = 100014;
static const int ACL_ERROR_MODEL_SIZE_INVALID              = 100015;
static const int ACL_ERROR_MODEL_MISSING_ATTR              = 100016;
static const int ACL_ERROR_MODEL_INPUT_NOT_MATCH           = 100017;
static const int ACL_ERROR_MODEL_OUTPUT_NOT_MATCH          = 100018;
static const int ACL_ERROR_MODEL_NOT_DYNAMIC               = 100019;
static const int ACL_ERROR_OP_TYPE_NOT_MATCH               = 100020;
static const int ACL_ERROR_OP_INPUT_NOT_MATCH              = 100021;
static const int ACL_ERROR_OP_OUTPUT_NOT_MATCH             = 100022;
static const int ACL_ERROR_OP_ATTR_NOT_MATCH               = 100023;
static const int ACL_ERROR_OP_NOT_FOUND                    = 100024;
static const int ACL_ERROR_OP_LOAD_FAILED                  = 100025;
static const int ACL_ERROR_UNSUPPORTED_DATA_TYPE           = 100026;
static const int ACL_ERROR_FORMAT_NOT_MATCH                = 100027;
static const int ACL_ERROR_BIN_SELECTOR_NOT_REGISTERED     = 100028;
static const int ACL_ERROR_KERNEL_NOT_FOUND                = 100029;
static const int ACL_ERROR_BIN_SELECTOR_ALREADY_REGISTERED = 100030;
static const int ACL_ERROR_KERNEL_ALREADY_REGISTERED       = 100031;
static const int ACL_ERROR_INVALID_QUEUE_ID                = 100032;
static const int ACL_ERROR_REPEAT_SUBSCRIBE                = 100033;
static const int ACL_ERROR_STREAM_NOT_SUBSCRIBE            = 100034;
static const int ACL_ERROR_THREAD_NOT_SUBSCRIBE            = 100035;
static const int ACL_ERROR_WAIT_CALLBACK_TIMEOUT           = 100036;
static const int ACL_ERROR_REPEAT_FINALIZE                 = 100037;
static const int ACL_ERROR_NOT_STATIC_AIPP                 = 100038;
static const int ACL_ERROR_COMPILING_STUB_MODE             = 100039;
static const int ACL_ERROR_GROUP_NOT_SET                   = 100040;
static const int ACL_ERROR_GROUP_NOT_CREATE                = 100041;
static const int ACL_ERROR_PROF_ALREADY_RUN                = 100042;
static const int ACL_ERROR_PROF_NOT_RUN                    = 100043;
static const int ACL_ERROR_DUMP_ALREADY_RUN                = 100044;
static const int ACL_ERROR_DUMP_NOT_RUN                    = 100045;

// 148xxx: limits and combinations of options.

static const int ACL_ERROR_PROF_REPEAT_SUBSCRIBE          = 148046;
static const int ACL_ERROR_PROF_API_CONFLICT              = 148047;
static const int ACL_ERROR_INVALID_MAX_OPQUEUE_NUM_CONFIG = 148048;
static const int ACL_ERROR_INVALID_OPP_PATH               = 148049;
static const int ACL_ERROR_OP_UNSUPPORTED_DYNAMIC         = 148050;
static const int ACL_ERROR_RELATIVE_RESOURCE_NOT_CLEARED  = 148051;
static const int ACL_ERROR_UNSUPPORTED_JPEG               = 148052;
static const int ACL_ERROR_INVALID_BUNDLE_MODEL_ID        = 148053;

// 2xxxxx and 3xxxxx: not available, or used up.

static const int ACL_ERROR_BAD_ALLOC                = 200000;
static const int ACL_ERROR_API_NOT_SUPPORT          = 200001;
static const int ACL_ERROR_INVALID_DEVICE           = 200002;
static const int ACL_ERROR_MEMORY_ADDRESS_UNALIGNED = 200003;
static const int ACL_ERROR_RESOURCE_NOT_MATCH       = 200004;
static const int ACL_ERROR_INVALID_RESOURCE_HANDLE  = 200005;
static const int ACL_ERROR_FEATURE_UNSUPPORTED      = 200006;
static const int ACL_ERROR_PROF_MODULES_UNSUPPORTED = 200007;
static const int ACL_ERROR_STORAGE_OVER_LIMIT       = 300000;

// 5xxxxx: failures inside.

static const int ACL_ERROR_INTERNAL_ERROR    = 500000;
static const int ACL_ERROR_FAILURE           = 500001;
static const int ACL_ERROR_GE_FAILURE        = 500002;
static const int ACL_ERROR_RT_FAILURE        = 500003;
static const int ACL_ERROR_DRV_FAILURE       = 500004;
static const int ACL_ERROR_PROFILING_FAILURE = 500005;

// Data types, formats, placement.

// 5, 14, 15 and the other gaps are not used.
typedef enum aclDataType {
  ACL_DT_UNDEFINED  = -1,
  ACL_FLOAT         = 0,
  ACL_FLOAT16       = 1,
  ACL_INT8          = 2,
  ACL_INT32         = 3,
  ACL_UINT8         = 4,
  ACL_INT16         = 6,
  ACL_UINT16        = 7,
  ACL_UINT32        = 8,
  ACL_INT64         = 9,
  ACL_UINT64        = 10,
  ACL_DOUBLE        = 11,
  ACL_BOOL          = 12,
  ACL_STRING        = 13,
  ACL_COMPLEX64     = 16,
  ACL_COMPLEX128    = 17,
  ACL_BF16          = 27,
  ACL_INT4          = 29,
  ACL_UINT1         = 30,
  ACL_COMPLEX32     = 33,
  ACL_HIFLOAT8      = 34,
  ACL_FLOAT8_E5M2   = 35,
  ACL_FLOAT8_E4M3FN = 36,
  ACL_FLOAT8_E8M0   = 37,
  ACL_FLOAT6_E3M2   = 38,
  ACL_FLOAT6_E2M3   = 39,
  ACL_FLOAT4_E2M1   = 40,
  ACL_FLOAT4_E1M2   = 41,
} aclDataType;

typedef enum aclFormat {
  ACL_FORMAT_UNDEFINED        = -1,
  ACL_FORMAT_NCHW             = 0,
  ACL_FORMAT_NHWC             = 1,
  ACL_FORMAT_ND               = 2,
  ACL_FORMAT_NC1HWC0          = 3,
  ACL_FORMAT_FRACTAL_Z        = 4,
  ACL_FORMAT_NC1HWC0_C04      = 12,
  ACL_FORMAT_HWCN             = 16,
  ACL_FORMAT_NDHWC            = 27,
  ACL_FORMAT_FRACTAL_NZ       = 29,
  ACL_FORMAT_NCDHW            = 30,
  ACL_FORMAT_NDC1HWC0         = 32,
  ACL_FRACTAL_Z_3D            = 33,
  ACL_FORMAT_NC               = 35,
  ACL_FORMAT_NCL              = 47,
  ACL_FORMAT_FRACTAL_NZ_C0_16 = 50,
  ACL_FORMAT_FRACTAL_NZ_C0_32 = 51,
  ACL_FORMAT_FRACTAL_NZ_C0_2  = 52,
  ACL_FORMAT_FRACTAL_NZ_C0_4  = 53,
  ACL_FORMAT_FRACTAL_NZ_C0_8  = 54,
} aclFormat;

typedef enum aclMemType {
  ACL_MEMTYPE_DEVICE                   = 0,
  ACL_MEMTYPE_HOST                     = 1,
  ACL_MEMTYPE_HOST_COMPILE_INDEPENDENT = 2,
} aclMemType;

#define ACL_UNKNOWN_RANK           0xFFFFFFFFFFFFFFFE
#define ACL_TENSOR_SHAPE_RANGE_NUM 2
#define ACL_TENSOR_VALUE_RANGE_NUM 2

ACL_FUNC_VISIBILITY size_t aclDataTypeSize(aclDataType dataType);

// Exponent 31 is an ordinary exponent here: 0x7C00 becomes 65536, not infinity.
ACL_FUNC_VISIBILITY float aclFloat16ToFloat(aclFloat16 value);

// Saturates: infinities and NaN become the largest finite value of their sign.
ACL_FUNC_VISIBILITY aclFloat16 aclFloatToFloat16(float value);

// Data buffers. A data buffer names memory of the caller and its size.

ACL_FUNC_VISIBILITY aclDataBuffer* aclCreateDataBuffer(void* data, size_t size);

// Frees the wrapper only, never the memory it describes.
ACL_FUNC_VISIBILITY aclError aclDestroyDataBuffer(const aclDataBuffer* dataBuffer);

ACL_FUNC_VISIBILITY aclError aclUpdateDataBuffer(aclDataBuffer* dataBuffer, void* data, size_t size);
ACL_FUNC_VISIBILITY void* aclGetDataBufferAddr(const aclDataBuffer* dataBuffer);
ACL_FUNC_VISIBILITY size_t aclGetDataBufferSizeV2(const aclDataBuffer* dataBuffer);
ACL_DEPRECATED_MESSAGE("use aclGetDataBufferSizeV2")
ACL_FUNC_VISIBILITY uint32_t aclGetDataBufferSize(const aclDataBuffer* dataBuffer);

// Tensor descriptions. A dimension of -1 is not known yet; the single dimension -2 says that the rank is not
// known either. Getters answer an undefined type or format, 0, -1 or "" for a null description.

ACL_FUNC_VISIBILITY aclTensorDesc* aclCreateTensorDesc(aclDataType dataType, int numDims, const int64_t* dims,
                                                       aclFormat format);
ACL_FUNC_VISIBILITY void aclDestroyTensorDesc(const aclTensorDesc* desc);

ACL_FUNC_VISIBILITY aclDataType aclGetTensorDescType(const aclTensorDesc* desc);
ACL_FUNC_VISIBILITY aclFormat aclGetTensorDescFormat(const aclTensorDesc* desc);
ACL_FUNC_VISIBILITY size_t aclGetTensorDescSize(const aclTensorDesc* desc);
ACL_FUNC_VISIBILITY size_t aclGetTensorDescElementCount(const aclTensorDesc* desc);
ACL_FUNC_VISIBILITY size_t aclGetTensorDescNumDims(const aclTensorDesc* desc);
ACL_FUNC_VISIBILITY aclError aclGetTensorDescDimV2(const aclTensorDesc* desc, size_t index, int64_t* dimSize);
ACL_DEPRECATED_MESSAGE("use aclGetTensorDescDimV2")
ACL_FUNC_VISIBILITY int64_t aclGetTensorDescDim(const aclTensorDesc* desc, size_t index);
ACL_FUNC_VISIBILITY aclError aclGetTensorDescDimRange(const aclTensorDesc* desc, size_t index,
                                                      size_t dimRangeNum, int64_t* dimRange);
ACL_FUNC_VISIBILITY const char* aclGetTensorDescName(aclTensorDesc* desc);
ACL_FUNC_VISIBILITY void* aclGetTensorDescAddress(const aclTensorDesc* desc);
ACL_FUNC_VISIBILITY aclTensorDesc* aclGetTensorDescByIndex(aclTensorDesc* desc, size_t index);

ACL_FUNC_VISIBILITY void aclSetTensorDescName(aclTensorDesc* desc, const char* name);
ACL_FUNC_VISIBILITY aclError aclSetTensorFormat(aclTensorDesc* desc, aclFormat format);
ACL_FUNC_VISIBILITY aclError aclSetTensorShape(aclTensorDesc* desc, int numDims, const int64_t* dims);
ACL_FUNC_VISIBILITY aclError aclSetTensorOriginFormat(aclTensorDesc* desc, aclFormat format);
ACL_FUNC_VISIBILITY aclError aclSetTensorOriginShape(aclTensorDesc* desc, int numDims, const int64_t* dims);
ACL_DEPRECATED_MESSAGE("use aclSetTensorFormat")
ACL_FUNC_VISIBILITY aclError aclSetTensorStorageFormat(aclTensorDesc* desc, aclFormat format);
ACL_DEPRECATED_MESSAGE("use aclSetTensorShape")
ACL_FUNC_VISIBILITY aclError aclSetTensorStorageShape(aclTensorDesc* desc, int numDims, const int64_t* dims);
ACL_FUNC_VISIBILITY aclError aclSetTensorShapeRange(aclTensorDesc* desc, size_t dimsCount,
                                                    int64_t dimsRange[][ACL_TENSOR_SHAPE_RANGE_NUM]);
ACL_FUNC_VISIBILITY aclError aclSetTensorValueRange(aclTensorDesc* desc, size_t valueCount,
                                                    int64_t valueRange[][ACL_TENSOR_VALUE_RANGE_NUM]);
ACL_FUNC_VISIBILITY aclError aclSetTensorDynamicInput(aclTensorDesc* desc, const char* dynamicInputName);
ACL_FUNC_VISIBILITY aclError aclSetTensorConst(aclTensorDesc* desc, void* dataBuffer, size_t length);
ACL_FUNC_VISIBILITY aclError aclSetTensorPlaceMent(aclTensorDesc* desc, aclMemType memType);
ACL_FUNC_VISIBILITY aclError aclTransTensorDescFormat(const aclTensorDesc* srcDesc, aclFormat dstFormat,
                                                      aclTensorDesc** dstDesc);

// What the toolkit and the device can do.

typedef enum aclCannAttr {
  ACL_CANN_ATTR_UNDEFINED   = -1,
  ACL_CANN_ATTR_INF_NAN     = 0,
  ACL_CANN_ATTR_BF16        = 1,
  ACL_CANN_ATTR_JIT_COMPILE = 2,
} aclCannAttr;

typedef enum aclDeviceInfo {
  ACL_DEVICE_INFO_UNDEFINED       = -1,
  ACL_DEVICE_INFO_AI_CORE_NUM     = 0,
  ACL_DEVICE_INFO_VECTOR_CORE_NUM = 1,
  ACL_DEVICE_INFO_L2_SIZE         = 2,
} aclDeviceInfo;

typedef enum aclSysParamOpt {
  ACL_OPT_DETERMINISTIC             = 0,
  ACL_OPT_ENABLE_DEBUG_KERNEL       = 1,
  ACL_OPT_STRONG_CONSISTENCY        = 2,
  ACL_OPT_ENABLE_KERNEL_EARLY_START = 3,
} aclSysParamOpt;

ACL_FUNC_VISIBILITY const char* aclrtGetSocName(void);
ACL_FUNC_VISIBILITY aclError aclGetCannAttributeList(const aclCannAttr** cannAttrList, size_t* num);
ACL_FUNC_VISIBILITY aclError aclGetCannAttribute(aclCannAttr cannAttr, int32_t* value);
ACL_FUNC_VISIBILITY aclError aclGetDeviceCapability(uint32_t deviceId, aclDeviceInfo deviceInfo,
                                                    int64_t* value);

// The program's own lines in the log. One line holds at most 1024 bytes; the rest is cut off.

typedef enum aclLogLevel {
  ACL_DEBUG   = 0,
  ACL_INFO    = 1,
  ACL_WARNING = 2,
  ACL_ERROR   = 3,
} aclLogLevel;

ACL_FUNC_VISIBILITY void aclAppLog(aclLogLevel logLevel, const char* func, const char* file, uint32_t line,
                                   const char* fmt, ...);

// ACL_APP_LOG(level, fmt, ...): the variable part starts at fmt, so that a text without arguments is standard
// C too.
#define ACL_APP_LOG(level, ...) aclAppLog((level), __func__, __FILE__, __LINE__, __VA_ARGS__)

#ifdef __cplusplus
}
#endif

#endif  // FOOTHOLD_ACL_ACL_BASE_H_
