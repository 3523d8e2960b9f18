// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "graph/types.h"

#include <iterator>

#include "api/ge_types_impl.h"
#include "api/graph_guard.h"

namespace ge {
namespace {

constexpr const char* kFormatNames[] = {"NCHW",
                                        "NHWC",
                                        "ND",
                                        "NC1HWC0",
                                        "FRACTAL_Z",
                                        "NC1C0HWPAD",
                                        "NHWC1C0",
                                        "FSR_NCHW",
                                        "FRACTAL_DECONV",
                                        "C1HWNC0",
                                        "FRACTAL_DECONV_TRANSPOSE",
                                        "FRACTAL_DECONV_SP_STRIDE_TRANS",
                                        "NC1HWC0_C04",
                                        "FRACTAL_Z_C04",
                                        "CHWN",
                                        "FRACTAL_DECONV_SP_STRIDE8_TRANS",
                                        "HWCN",
                                        "NC1KHKWHWC0",
                                        "BN_WEIGHT",
                                        "FILTER_HWCK",
                                        "HASHTABLE_LOOKUP_LOOKUPS",
                                        "HASHTABLE_LOOKUP_KEYS",
                                        "HASHTABLE_LOOKUP_VALUE",
                                        "HASHTABLE_LOOKUP_OUTPUT",
                                        "HASHTABLE_LOOKUP_HITS",
                                        "C1HWNCoC0",
                                        "MD",
                                        "NDHWC",
                                        "FRACTAL_ZZ",
                                        "FRACTAL_NZ",
                                        "NCDHW",
                                        "DHWCN",
                                        "NDC1HWC0",
                                        "FRACTAL_Z_3D",
                                        "CN",
                                        "NC",
                                        "DHWNC",
                                        "FRACTAL_Z_3D_TRANSPOSE",
                                        "FRACTAL_ZN_LSTM",
                                        "FRACTAL_Z_G",
                                        "RESERVED",
                                        "ALL",
                                        "NULL",
                                        "ND_RNN_BIAS",
                                        "FRACTAL_ZN_RNN",
                                        "NYUV",
                                        "NYUV_A",
                                        "NCL",
                                        "FRACTAL_Z_WINO",
                                        "C1HWC0",
                                        "FRACTAL_NZ_C0_16",
                                        "FRACTAL_NZ_C0_32",
                                        "FRACTAL_NZ_C0_2",
                                        "FRACTAL_NZ_C0_4",
                                        "FRACTAL_NZ_C0_8"};
static_assert(std::size(kFormatNames) == FORMAT_END);

}  // namespace

int64_t GetSizeInBytes(int64_t element_count, DataType data_type) {
  const int size = GetSizeByDataType(data_type);
  if (element_count < 0 || size < 0) return -1;
  const bool sub_byte = size > kDataTypeSizeBitOffset;
  int64_t total = 0;
  if (__builtin_mul_overflow(element_count, sub_byte ? size - kDataTypeSizeBitOffset : size, &total))
    return -1;
  return sub_byte ? total / kBitNumOfOneByte + (total % kBitNumOfOneByte != 0) : total;
}

const char_t* GetFormatName(Format format) {
  const int32_t primary = GetPrimaryFormat(format);
  return kFormatNames[primary < FORMAT_END ? primary : static_cast<int32_t>(FORMAT_RESERVED)];
}

TensorType::TensorType(DataType dt) : TensorType({dt}) {}

TensorType::TensorType(const std::initializer_list<DataType>& initial_types)
    : tensor_type_impl_(foothold::GuardGraphValue(
          "TensorType", [&] { return std::shared_ptr<TensorTypeImpl>(new TensorTypeImpl{initial_types}); })) {
}

Promote::Promote(const std::initializer_list<const char*>& syms)
    : impl_(foothold::GuardGraphValue("Promote",
                                      [&] { return std::shared_ptr<PromoteImpl>(new PromoteImpl{syms}); })) {}

Promote::Promote(Promote&& other) noexcept = default;
Promote& Promote::operator=(Promote&& other) noexcept = default;

std::vector<const char*> Promote::Syms() const {
  if (impl_ == nullptr) return {};
  return foothold::GuardGraphValue("Promote::Syms", [&] { return impl_->symbols; });
}

}  // namespace ge
