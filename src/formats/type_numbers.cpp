// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "formats/type_numbers.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <iterator>

#include "base/error.h"

namespace foothold {
namespace {

// The saved number of the types 0 ... 13; 5 is no type.
constexpr std::array<int, 14> kFirstNumbers = {1, 2, 3, 7, 4, -1, 5, 6, 9, 8, 10, 12, 11, 13};
constexpr int kUndefinedInApi = 28;  // later types are saved one lower, since this one is 0
constexpr int kLastType = 42;

constexpr std::string_view kLayouts[] = {"NCHW",
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

}  // namespace

int ModelTypeNumber(DataType type) noexcept {
  const int number = static_cast<int>(type);
  if (number < 0 || number == kUndefinedInApi) return 0;
  if (number < static_cast<int>(kFirstNumbers.size())) return kFirstNumbers[static_cast<std::size_t>(number)];
  return number < kUndefinedInApi ? number : number - 1;
}

DataType TypeOfModelNumber(std::int64_t number) {
  if (number == 0) return DataType::kUndefined;
  const auto* first = std::find(kFirstNumbers.begin(), kFirstNumbers.end(), number);
  if (number > 0 && first != kFirstNumbers.end()) return static_cast<DataType>(first - kFirstNumbers.begin());
  const std::int64_t type = number < kUndefinedInApi ? number : number + 1;
  if (number < 0 || type > kLastType) Fail(kInvalidParam, "{} is not the number of an element type", number);
  return static_cast<DataType>(type);
}

std::string LayoutName(Format format) {
  const auto number = static_cast<std::size_t>(format);
  return number < std::size(kLayouts) ? std::string(kLayouts[number])
                                      : std::to_string(static_cast<int>(format));
}

Format LayoutOfName(std::string_view name) {
  if (name.empty()) return Format::kNd;
  const auto* found = std::find(std::begin(kLayouts), std::end(kLayouts), name);
  if (found != std::end(kLayouts)) return static_cast<Format>(found - std::begin(kLayouts));
  int number = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
  if (error != std::errc() || end != name.data() + name.size())
    Fail(kInvalidParam, "'{}' is not the name of a layout", name);
  return static_cast<Format>(number);
}

}  // namespace foothold
