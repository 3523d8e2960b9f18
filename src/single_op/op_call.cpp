// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "single_op/op_call.h"

#include <algorithm>
#include <cstring>

#include "base/error.h"
#include "single_op/op_codes.h"

namespace foothold {
namespace {

std::string ToString(const TensorDescList& tensors) {
  std::string text;
  for (const TensorDesc* desc : tensors) {
    if (!text.empty()) text += ", ";
    text += IsAbsent(*desc)
                ? "nothing"
                : foothold::ToString(TensorType{desc->type(), desc->format, desc->shape().dims()});
  }
  return text;
}

}  // namespace

const Attributes& OpCall::attribute_values() const {
  static const Attributes none;
  return attributes == nullptr ? none : attributes->values();
}

bool HasOpenInputs(const OpCall& call) {
  return std::any_of(call.inputs.begin(), call.inputs.end(), [](const TensorDesc* desc) {
    return !IsAbsent(*desc) && !HasConstant(*desc) && !IsStatic(desc->shape().dims());
  });
}

TensorType TypeOf(const TensorDesc& desc) {
  const Format stored = desc.storage_format.value_or(desc.format);
  const bool reordered = stored != desc.format && stored != Format::kNd && desc.format != Format::kNd;
  const bool padded = desc.storage_shape && desc.storage_shape->elements() != desc.shape().elements();
  if (reordered || padded)
    Fail(kFeatureUnsupported,
         "a tensor of format {} {} is stored in format {} {}; single operators take tensors as they are",
         static_cast<int>(desc.format), foothold::ToString(desc.shape().dims()), static_cast<int>(stored),
         foothold::ToString(desc.storage_shape.value_or(desc.shape()).dims()));
  return {desc.type(), desc.format == Format::kUndefined ? Format::kNd : desc.format, desc.shape().dims()};
}

TensorValue ConstantOf(const TensorDesc& desc) {
  TensorValue value(TypeOf(desc));
  const auto& bytes = desc.constant();
  if (bytes.size() < value.size())
    Fail(kOpInputNotMatch, "a constant {} takes {} bytes, and aclSetTensorConst was given {}",
         foothold::ToString(value.type()), value.size(), bytes.size());
  if (value.size() > 0) std::memcpy(value.mutable_data(), bytes.data(), value.size());
  return value;
}

std::string ToString(const OpCall& call) {
  return fmt::format("{}({})", call.type, ToString(call.inputs));
}

}  // namespace foothold
