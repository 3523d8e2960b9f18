// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The library's own data types, formats and placements are the public ones. This file only has to compile.
#include "acl/acl_base.h"
#include "base/data_type.h"
#include "base/format.h"
#include "base/tensor_desc.h"

namespace foothold {
namespace {

struct Pair {
  int internal;
  int published;
};

constexpr Pair Same(DataType internal, aclDataType published) {
  return {static_cast<int>(internal), published};
}
constexpr Pair Same(Format internal, aclFormat published) {
  return {static_cast<int>(internal), published};
}
constexpr Pair Same(Placement internal, aclMemType published) {
  return {static_cast<int>(internal), static_cast<int>(published)};
}

constexpr Pair kPairs[] = {
    Same(DataType::kUndefined, ACL_DT_UNDEFINED),
    Same(DataType::kFloat, ACL_FLOAT),
    Same(DataType::kFloat16, ACL_FLOAT16),
    Same(DataType::kInt8, ACL_INT8),
    Same(DataType::kInt32, ACL_INT32),
    Same(DataType::kUint8, ACL_UINT8),
    Same(DataType::kInt16, ACL_INT16),
    Same(DataType::kUint16, ACL_UINT16),
    Same(DataType::kUint32, ACL_UINT32),
    Same(DataType::kInt64, ACL_INT64),
    Same(DataType::kUint64, ACL_UINT64),
    Same(DataType::kDouble, ACL_DOUBLE),
    Same(DataType::kBool, ACL_BOOL),
    Same(DataType::kString, ACL_STRING),
    Same(DataType::kComplex64, ACL_COMPLEX64),
    Same(DataType::kComplex128, ACL_COMPLEX128),
    Same(DataType::kBfloat16, ACL_BF16),
    Same(DataType::kInt4, ACL_INT4),
    Same(DataType::kUint1, ACL_UINT1),
    Same(DataType::kComplex32, ACL_COMPLEX32),
    Same(DataType::kHifloat8, ACL_HIFLOAT8),
    Same(DataType::kFloat8E5m2, ACL_FLOAT8_E5M2),
    Same(DataType::kFloat8E4m3fn, ACL_FLOAT8_E4M3FN),
    Same(DataType::kFloat8E8m0, ACL_FLOAT8_E8M0),
    Same(DataType::kFloat6E3m2, ACL_FLOAT6_E3M2),
    Same(DataType::kFloat6E2m3, ACL_FLOAT6_E2M3),
    Same(DataType::kFloat4E2m1, ACL_FLOAT4_E2M1),
    Same(DataType::kFloat4E1m2, ACL_FLOAT4_E1M2),
    Same(Format::kUndefined, ACL_FORMAT_UNDEFINED),
    Same(Format::kNchw, ACL_FORMAT_NCHW),
    Same(Format::kNhwc, ACL_FORMAT_NHWC),
    Same(Format::kNd, ACL_FORMAT_ND),
    Same(Format::kNc1hwc0, ACL_FORMAT_NC1HWC0),
    Same(Format::kFractalZ, ACL_FORMAT_FRACTAL_Z),
    Same(Format::kNc1hwc0C04, ACL_FORMAT_NC1HWC0_C04),
    Same(Format::kHwcn, ACL_FORMAT_HWCN),
    Same(Format::kNdhwc, ACL_FORMAT_NDHWC),
    Same(Format::kFractalNz, ACL_FORMAT_FRACTAL_NZ),
    Same(Format::kNcdhw, ACL_FORMAT_NCDHW),
    Same(Format::kNdc1hwc0, ACL_FORMAT_NDC1HWC0),
    Same(Format::kFractalZ3d, ACL_FRACTAL_Z_3D),
    Same(Format::kNc, ACL_FORMAT_NC),
    Same(Format::kNcl, ACL_FORMAT_NCL),
    Same(Format::kFractalNzC016, ACL_FORMAT_FRACTAL_NZ_C0_16),
    Same(Format::kFractalNzC032, ACL_FORMAT_FRACTAL_NZ_C0_32),
    Same(Format::kFractalNzC02, ACL_FORMAT_FRACTAL_NZ_C0_2),
    Same(Format::kFractalNzC04, ACL_FORMAT_FRACTAL_NZ_C0_4),
    Same(Format::kFractalNzC08, ACL_FORMAT_FRACTAL_NZ_C0_8),
    Same(Placement::kDevice, ACL_MEMTYPE_DEVICE),
    Same(Placement::kHost, ACL_MEMTYPE_HOST),
    Same(Placement::kHostCompileIndependent, ACL_MEMTYPE_HOST_COMPILE_INDEPENDENT),
};

constexpr bool AllEqual() {
  for (const Pair& pair : kPairs) {
    if (pair.internal != pair.published) return false;
  }
  return true;
}

static_assert(AllEqual(), "a number of base/data_type.h, format.h or tensor_desc.h differs from the headers");

}  // namespace
}  // namespace foothold
