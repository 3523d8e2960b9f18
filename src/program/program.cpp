// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "program/program.h"

namespace foothold {
namespace {

std::size_t Aligned(std::size_t bytes) {
  return (bytes + kTensorAlignment - 1) / kTensorAlignment * kTensorAlignment;
}

}  // namespace

std::vector<std::size_t> Program::ConstantOffsets() const {
  std::vector<std::size_t> offsets;
  std::size_t next = 0;
  for (const TensorValue& constant : constants) {
    offsets.push_back(next);
    next += Aligned(constant.size());
  }
  return offsets;
}

std::size_t Program::ConstantBytes() const {
  std::size_t bytes = 0;
  for (const TensorValue& constant : constants)
    bytes += Aligned(constant.size());
  return bytes;
}

}  // namespace foothold
