// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Element types, layouts and the other small types of the Graph Engine.
#ifndef FOOTHOLD_GRAPH_TYPES_H_
#define FOOTHOLD_GRAPH_TYPES_H_

#include <stddef.h>
#include <stdint.h>

#include <initializer_list>
#include <memory>
#include <vector>

#include "graph/ge_error_codes.h"

namespace ge {

using char_t       = char;
using float32_t    = float;
using float64_t    = double;
using vector_bit_t = std::vector<bool>;

static const int64_t UNKNOWN_DIM                = -1;
static const int64_t UNKNOWN_DIM_NUM            = -2;
static const int64_t SHAPE_RANGE_LOWER_LIMIT    = 0;
static const std::vector<int64_t> UNKNOWN_SHAPE = {-1};
static const std::vector<int64_t> UNKNOWN_RANK  = {-2};
static const std::vector<int64_t> DUMMY_SHAPE   = {-3};

// Element types. A type narrower than a byte has the size kDataTypeSizeBitOffset plus its bits.

enum DataType {
  DT_FLOAT          = 0,
  DT_FLOAT16        = 1,
  DT_INT8           = 2,
  DT_INT32          = 3,
  DT_UINT8          = 4,
  DT_INT16          = 6,
  DT_UINT16         = 7,
  DT_UINT32         = 8,
  DT_INT64          = 9,
  DT_UINT64         = 10,
  DT_DOUBLE         = 11,
  DT_BOOL           = 12,
  DT_STRING         = 13,
  DT_DUAL_SUB_INT8  = 14,
  DT_DUAL_SUB_UINT8 = 15,
  DT_COMPLEX64      = 16,
  DT_COMPLEX128     = 17,
  DT_QINT8          = 18,
  DT_QINT16         = 19,
  DT_QINT32         = 20,
  DT_QUINT8         = 21,
  DT_QUINT16        = 22,
  DT_RESOURCE       = 23,
  DT_STRING_REF     = 24,
  DT_DUAL           = 25,
  DT_VARIANT        = 26,
  DT_BF16           = 27,
  DT_UNDEFINED      = 28,
  DT_INT4           = 29,
  DT_UINT1          = 30,
  DT_INT2           = 31,
  DT_UINT2          = 32,
  DT_COMPLEX32      = 33,
  DT_HIFLOAT8       = 34,
  DT_FLOAT8_E5M2    = 35,
  DT_FLOAT8_E4M3FN  = 36,
  DT_FLOAT8_E8M0    = 37,
  DT_FLOAT6_E3M2    = 38,
  DT_FLOAT6_E2M3    = 39,
  DT_FLOAT4_E2M1    = 40,
  DT_FLOAT4_E1M2    = 41,
  DT_HIFLOAT4       = 42,
  DT_MAX            = 43,
};

static constexpr int32_t kDataTypeSizeBitOffset = 1000;
static constexpr uint32_t kBitNumOfOneByte      = 8U;
static constexpr uint32_t kBitThreeBytes        = 24U;

// Bytes of one element, kDataTypeSizeBitOffset plus the bits of one element, or -1 where elements have no
// fixed size.
inline int GetSizeByDataType(DataType data_type) {
  static const int sizes[DT_MAX] = {
      4,  2,    1,    4,    1,    -1, 2, 2, 4, 8, 8,    8,    1,    -1,  // up to DT_STRING
      1,  1,    8,    16,   1,    2,  4, 1, 2, 8, -1,   5,    8,    2,   // up to DT_BF16
      -1, 1004, 1001, 1002, 1002, 4,  1, 1, 1, 1, 1006, 1006, 1004, 1004, 1004};
  const int number = static_cast<int>(data_type);
  return number < 0 || number >= DT_MAX ? -1 : sizes[number];
}

// Bytes of `element_count` packed elements; -1 for a negative count, a type without a size, or a number that
// does not fit.
GE_FUNC_HOST_VISIBILITY int64_t GetSizeInBytes(int64_t element_count, DataType data_type);

// Layouts. A number holds the layout in its lowest byte, a group number in the next two, and a code for the
// width of the innermost block in four bits above.

enum Format {
  FORMAT_NCHW                            = 0,
  FORMAT_NHWC                            = 1,
  FORMAT_ND                              = 2,
  FORMAT_NC1HWC0                         = 3,
  FORMAT_FRACTAL_Z                       = 4,
  FORMAT_NC1C0HWPAD                      = 5,
  FORMAT_NHWC1C0                         = 6,
  FORMAT_FSR_NCHW                        = 7,
  FORMAT_FRACTAL_DECONV                  = 8,
  FORMAT_C1HWNC0                         = 9,
  FORMAT_FRACTAL_DECONV_TRANSPOSE        = 10,
  FORMAT_FRACTAL_DECONV_SP_STRIDE_TRANS  = 11,
  FORMAT_NC1HWC0_C04                     = 12,
  FORMAT_FRACTAL_Z_C04                   = 13,
  FORMAT_CHWN                            = 14,
  FORMAT_FRACTAL_DECONV_SP_STRIDE8_TRANS = 15,
  FORMAT_HWCN                            = 16,
  FORMAT_NC1KHKWHWC0                     = 17,
  FORMAT_BN_WEIGHT                       = 18,
  FORMAT_FILTER_HWCK                     = 19,
  FORMAT_HASHTABLE_LOOKUP_LOOKUPS        = 20,
  FORMAT_HASHTABLE_LOOKUP_KEYS           = 21,
  FORMAT_HASHTABLE_LOOKUP_VALUE          = 22,
  FORMAT_HASHTABLE_LOOKUP_OUTPUT         = 23,
  FORMAT_HASHTABLE_LOOKUP_HITS           = 24,
  FORMAT_C1HWNCoC0                       = 25,
  FORMAT_MD                              = 26,
  FORMAT_NDHWC                           = 27,
  FORMAT_FRACTAL_ZZ                      = 28,
  FORMAT_FRACTAL_NZ                      = 29,
  FORMAT_NCDHW                           = 30,
  FORMAT_DHWCN                           = 31,
  FORMAT_NDC1HWC0                        = 32,
  FORMAT_FRACTAL_Z_3D                    = 33,
  FORMAT_CN                              = 34,
  FORMAT_NC                              = 35,
  FORMAT_DHWNC                           = 36,
  FORMAT_FRACTAL_Z_3D_TRANSPOSE          = 37,
  FORMAT_FRACTAL_ZN_LSTM                 = 38,
  FORMAT_FRACTAL_Z_G                     = 39,
  FORMAT_RESERVED                        = 40,
  FORMAT_ALL                             = 41,
  FORMAT_NULL                            = 42,
  FORMAT_ND_RNN_BIAS                     = 43,
  FORMAT_FRACTAL_ZN_RNN                  = 44,
  FORMAT_NYUV                            = 45,
  FORMAT_NYUV_A                          = 46,
  FORMAT_NCL                             = 47,
  FORMAT_FRACTAL_Z_WINO                  = 48,
  FORMAT_C1HWC0                          = 49,
  FORMAT_FRACTAL_NZ_C0_16                = 50,
  FORMAT_FRACTAL_NZ_C0_32                = 51,
  FORMAT_FRACTAL_NZ_C0_2                 = 52,
  FORMAT_FRACTAL_NZ_C0_4                 = 53,
  FORMAT_FRACTAL_NZ_C0_8                 = 54,
  FORMAT_END                             = 55,
  FORMAT_MAX                             = 255,
};

inline int32_t GetFormatFromSub(int32_t primary_format, int32_t sub_format) {
  return static_cast<int32_t>((static_cast<uint32_t>(primary_format) & 0xFFU) |
                              ((static_cast<uint32_t>(sub_format) & 0xFFFFU) << kBitNumOfOneByte));
}

inline int32_t GetFormatFromC0(int32_t format, int32_t c0_format) {
  return static_cast<int32_t>((static_cast<uint32_t>(format) & 0xFFFFFFU) |
                              ((static_cast<uint32_t>(c0_format) & 0xFU) << kBitThreeBytes));
}

inline int32_t GetFormatFromSubAndC0(int32_t primary_format, int32_t sub_format, int32_t c0_format) {
  return GetFormatFromC0(GetFormatFromSub(primary_format, sub_format), c0_format);
}

inline int32_t GetPrimaryFormat(int32_t format) {
  return static_cast<int32_t>(static_cast<uint32_t>(format) & 0xFFU);
}

inline int32_t GetSubFormat(int32_t format) {
  return static_cast<int32_t>((static_cast<uint32_t>(format) >> kBitNumOfOneByte) & 0xFFFFU);
}

inline bool HasSubFormat(int32_t format) {
  return GetSubFormat(format) > 0;
}

inline int32_t GetC0Format(int32_t format) {
  return static_cast<int32_t>((static_cast<uint32_t>(format) >> kBitThreeBytes) & 0xFU);
}

inline bool HasC0Format(int32_t format) {
  return GetC0Format(format) > 0;
}

// The width of the innermost block, or -1 where the layout does not say.
inline int64_t GetC0Value(int32_t format) {
  return HasC0Format(format) ? int64_t{1} << (GetC0Format(format) - 1) : -1;
}

// "NCHW", "ND", ...; "RESERVED" for a number that is no layout.
GE_FUNC_HOST_VISIBILITY const char_t* GetFormatName(Format format);

enum UnknowShapeOpType {
  DEPEND_IN_SHAPE    = 1,
  DEPEND_CONST_VALUE = 2,
  DEPEND_SHAPE_RANGE = 3,
  DEPEND_COMPUTE     = 4,
};

struct TensorDescInfo {
  Format format_     = FORMAT_RESERVED;
  DataType dataType_ = DT_UNDEFINED;
};

enum DeviceType {
  NPU = 0,
  CPU = 1,
};

// Where the bytes of a ge::Tensor are. gert::TensorPlacement counts the other way round.
enum Placement {
  kPlacementHost   = 0,
  kPlacementDevice = 1,
  kPlacementEnd    = 2,
};

// One element of a string tensor: the tensor's bytes start with one head per element; `addr` is the offset of
// the element's characters from the first byte, `len` their number without the final NUL.
struct StringHead {
  int64_t addr;
  int64_t len;
};

// A set of element types, as operator prototypes name it.

struct GE_FUNC_HOST_VISIBILITY TensorTypeImpl;

struct GE_FUNC_HOST_VISIBILITY TensorType {
  explicit TensorType(DataType dt);
  TensorType(const std::initializer_list<DataType>& initial_types);

  static TensorType ALL() {
    return TensorType{DT_BOOL,   DT_COMPLEX128, DT_COMPLEX64, DT_DOUBLE,   DT_FLOAT,    DT_FLOAT16,
                      DT_INT16,  DT_INT32,      DT_INT64,     DT_INT8,     DT_QINT16,   DT_QINT32,
                      DT_QINT8,  DT_QUINT16,    DT_QUINT8,    DT_RESOURCE, DT_STRING,   DT_UINT16,
                      DT_UINT32, DT_UINT64,     DT_UINT8,     DT_BF16,     DT_COMPLEX32};
  }
  static TensorType QuantifiedType() {
    return TensorType{DT_QINT16, DT_QINT32, DT_QINT8, DT_QUINT16, DT_QUINT8};
  }
  static TensorType OrdinaryType() {
    return TensorType{DT_BOOL,   DT_COMPLEX128, DT_COMPLEX64, DT_DOUBLE,   DT_FLOAT,  DT_FLOAT16,
                      DT_INT16,  DT_INT32,      DT_INT64,     DT_INT8,     DT_UINT16, DT_UINT32,
                      DT_UINT64, DT_UINT8,      DT_BF16,      DT_COMPLEX32};
  }
  static TensorType BasicType() {
    return TensorType{DT_COMPLEX128, DT_COMPLEX64, DT_DOUBLE, DT_FLOAT,  DT_FLOAT16, DT_INT16,    DT_INT32,
                      DT_INT64,      DT_INT8,      DT_QINT16, DT_QINT32, DT_QINT8,   DT_QUINT16,  DT_QUINT8,
                      DT_UINT16,     DT_UINT32,    DT_UINT64, DT_UINT8,  DT_BF16,    DT_COMPLEX32};
  }
  static TensorType NumberType() {
    return TensorType{DT_COMPLEX128, DT_COMPLEX64, DT_DOUBLE, DT_FLOAT,  DT_FLOAT16, DT_INT16,
                      DT_INT32,      DT_INT64,     DT_INT8,   DT_QINT32, DT_QINT8,   DT_QUINT8,
                      DT_UINT16,     DT_UINT32,    DT_UINT64, DT_UINT8,  DT_BF16,    DT_COMPLEX32};
  }
  static TensorType RealNumberType() {
    return TensorType{DT_DOUBLE, DT_FLOAT,  DT_FLOAT16, DT_INT16,  DT_INT32, DT_INT64,
                      DT_INT8,   DT_UINT16, DT_UINT32,  DT_UINT64, DT_UINT8, DT_BF16};
  }
  static TensorType ComplexDataType() { return TensorType{DT_COMPLEX128, DT_COMPLEX64, DT_COMPLEX32}; }
  static TensorType IntegerDataType() {
    return TensorType{DT_INT16, DT_INT32, DT_INT64, DT_INT8, DT_UINT16, DT_UINT32, DT_UINT64, DT_UINT8};
  }
  static TensorType SignedDataType() { return TensorType{DT_INT16, DT_INT32, DT_INT64, DT_INT8}; }
  static TensorType UnsignedDataType() { return TensorType{DT_UINT16, DT_UINT32, DT_UINT64, DT_UINT8}; }
  static TensorType FloatingDataType() { return TensorType{DT_DOUBLE, DT_FLOAT, DT_FLOAT16}; }
  static TensorType IndexNumberType() { return TensorType{DT_INT32, DT_INT64}; }
  static TensorType UnaryDataType() {
    return TensorType{DT_COMPLEX128, DT_COMPLEX64, DT_DOUBLE, DT_FLOAT, DT_FLOAT16, DT_BF16, DT_COMPLEX32};
  }
  static TensorType FLOAT() { return TensorType{DT_FLOAT, DT_FLOAT16, DT_BF16}; }

  std::shared_ptr<TensorTypeImpl> tensor_type_impl_;
};

struct ListTensorType {
  explicit ListTensorType(const TensorType& type) : tensor_type(type) {}
  TensorType tensor_type;
};

struct GE_FUNC_HOST_VISIBILITY PromoteImpl;

// The type that the types of several ports promote to; `syms` are the ports' type symbols and must outlive
// it.
class GE_FUNC_HOST_VISIBILITY Promote {
 public:
  Promote(const std::initializer_list<const char*>& syms);
  Promote(const Promote& other)            = delete;
  Promote& operator=(const Promote& other) = delete;
  Promote(Promote&& other) noexcept;
  Promote& operator=(Promote&& other) noexcept;

  std::vector<const char*> Syms() const;

 private:
  std::shared_ptr<PromoteImpl> impl_;
};

}  // namespace ge

namespace domi {

using ge::char_t;
using ge::float32_t;
using ge::float64_t;

}  // namespace domi

#endif  // FOOTHOLD_GRAPH_TYPES_H_
