// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The setters and getters of ge::Tensor that reach into its description without a ge::TensorDesc.
#include "api/ge/graph_guard.h"
#include "api/ge/tensor_impl.h"

namespace ge {
namespace {

using foothold::Dims;
using foothold::Fail;
using foothold::FromPublic;
using foothold::GuardGraph;
using foothold::kInvalidParam;
using foothold::PortDesc;
using foothold::ToPublic;

// More than any operator takes; a larger number is a mistake that would only be noticed as lost memory.
constexpr size_t kMaxDims = 1024;

void Resize(Dims& dims, size_t count) {
  if (count > kMaxDims)
    Fail(kInvalidParam, "{} dimensions are more than the {} a tensor may have", count, kMaxDims);
  dims.resize(count);
}

void SetDim(Dims& dims, size_t idx, int64_t value) {
  if (idx >= dims.size())
    Fail(kInvalidParam, "the shape has {} dimensions, so there is no dimension {}", dims.size(), idx);
  dims[idx] = value;
}

int64_t GetDim(const Dims& dims, size_t idx) {
  return idx < dims.size() ? dims[idx] : 0;
}

const Dims& OriginDims(const PortDesc& desc) {
  return desc.details().origin_dims ? *desc.details().origin_dims : desc.dims;
}

Dims& EditOriginDims(PortDesc& desc) {
  std::optional<Dims>& dims = desc.EditDetails().origin_dims;
  if (!dims) dims = desc.dims;
  return *dims;
}

}  // namespace

graphStatus Tensor::SetOriginShapeDimNum(const size_t dim_num) {
  return GuardGraph("Tensor::SetOriginShapeDimNum",
                    [&] { Resize(EditOriginDims(TensorImpl::Edit(*this).desc), dim_num); });
}

size_t Tensor::GetOriginShapeDimNum() const {
  return OriginDims(TensorImpl::Read(*this).desc).size();
}

graphStatus Tensor::SetOriginShapeDim(const size_t idx, const int64_t dim_value) {
  return GuardGraph("Tensor::SetOriginShapeDim",
                    [&] { SetDim(EditOriginDims(TensorImpl::Edit(*this).desc), idx, dim_value); });
}

int64_t Tensor::GetOriginShapeDim(const size_t idx) const {
  return GetDim(OriginDims(TensorImpl::Read(*this).desc), idx);
}

graphStatus Tensor::SetOriginFormat(const ge::Format& format) {
  return GuardGraph("Tensor::SetOriginFormat",
                    [&] { TensorImpl::Edit(*this).desc.EditDetails().origin_format = FromPublic(format); });
}

ge::Format Tensor::GetOriginFormat() const {
  const PortDesc& desc = TensorImpl::Read(*this).desc;
  return ToPublic(desc.details().origin_format.value_or(desc.format));
}

graphStatus Tensor::SetShapeDimNum(const size_t dim_num) {
  return GuardGraph("Tensor::SetShapeDimNum", [&] { Resize(TensorImpl::Edit(*this).desc.dims, dim_num); });
}

size_t Tensor::GetShapeDimNum() const {
  return TensorImpl::Read(*this).desc.dims.size();
}

graphStatus Tensor::SetShapeDim(const size_t idx, const int64_t dim_value) {
  return GuardGraph("Tensor::SetShapeDim",
                    [&] { SetDim(TensorImpl::Edit(*this).desc.dims, idx, dim_value); });
}

int64_t Tensor::GetShapeDim(const size_t idx) const {
  return GetDim(TensorImpl::Read(*this).desc.dims, idx);
}

graphStatus Tensor::SetFormat(const ge::Format& format) {
  return GuardGraph("Tensor::SetFormat", [&] { TensorImpl::Edit(*this).desc.format = FromPublic(format); });
}

ge::Format Tensor::GetFormat() const {
  return ToPublic(TensorImpl::Read(*this).desc.format);
}

graphStatus Tensor::SetDataType(const ge::DataType& dtype) {
  return GuardGraph("Tensor::SetDataType", [&] { TensorImpl::Edit(*this).desc.type = FromPublic(dtype); });
}

ge::DataType Tensor::GetDataType() const {
  return ToPublic(TensorImpl::Read(*this).desc.type);
}

graphStatus Tensor::SetPlacement(const ge::Placement& placement) {
  return GuardGraph("Tensor::SetPlacement", [&] { TensorImpl::Edit(*this).desc.placement = placement; });
}

ge::Placement Tensor::GetPlacement() const {
  return static_cast<ge::Placement>(TensorImpl::Read(*this).desc.placement);
}

graphStatus Tensor::SetExpandDimsRule(const AscendString& expand_dims_rule) {
  return GuardGraph("Tensor::SetExpandDimsRule", [&] {
    TensorImpl::Edit(*this).desc.EditDetails().expand_dims_rule.assign(expand_dims_rule.GetString(),
                                                                       expand_dims_rule.GetLength());
  });
}

graphStatus Tensor::GetExpandDimsRule(AscendString& expand_dims_rule) const {
  const std::string& rule = TensorImpl::Read(*this).desc.details().expand_dims_rule;
  expand_dims_rule = AscendString(rule.data(), rule.size());
  return GRAPH_SUCCESS;
}

}  // namespace ge
