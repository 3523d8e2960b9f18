// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "collectives/element.h"

namespace foothold::collectives {

std::size_t SizeOf(Element element) noexcept {
  switch (element) {
    case Element::kInt8:
    case Element::kUint8:
    case Element::kHifloat8:
    case Element::kFloat8E4m3:
    case Element::kFloat8E5m2:
    case Element::kFloat8E8m0:
      return 1;
    case Element::kInt16:
    case Element::kUint16:
    case Element::kFloat16:
    case Element::kBfloat16:
      return 2;
    case Element::kInt32:
    case Element::kUint32:
    case Element::kFloat32:
      return 4;
    case Element::kInt64:
    case Element::kUint64:
    case Element::kFloat64:
      return 8;
    case Element::kInt128:
      return 16;
  }
  return 0;
}

const char* NameOf(Element element) noexcept {
  switch (element) {
    case Element::kInt8:
      return "int8";
    case Element::kInt16:
      return "int16";
    case Element::kInt32:
      return "int32";
    case Element::kFloat16:
      return "fp16";
    case Element::kFloat32:
      return "fp32";
    case Element::kInt64:
      return "int64";
    case Element::kUint64:
      return "uint64";
    case Element::kUint8:
      return "uint8";
    case Element::kUint16:
      return "uint16";
    case Element::kUint32:
      return "uint32";
    case Element::kFloat64:
      return "fp64";
    case Element::kBfloat16:
      return "bfp16";
    case Element::kInt128:
      return "int128";
    case Element::kHifloat8:
      return "hif8";
    case Element::kFloat8E4m3:
      return "fp8e4m3";
    case Element::kFloat8E5m2:
      return "fp8e5m2";
    case Element::kFloat8E8m0:
      return "fp8e8m0";
  }
  return "unknown";
}

const char* NameOf(Reduction reduction) noexcept {
  switch (reduction) {
    case Reduction::kSum:
      return "sum";
    case Reduction::kProduct:
      return "prod";
    case Reduction::kMaximum:
      return "max";
    case Reduction::kMinimum:
      return "min";
  }
  return nullptr;
}

bool CanBeReduced(Element element) noexcept {
  return SizeOf(element) != 0 && static_cast<int>(element) < static_cast<int>(Element::kInt128);
}

}  // namespace foothold::collectives
