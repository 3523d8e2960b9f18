// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <utility>

#include "api/ge/graph_guard.h"
#include "api/ge/tensor_impl.h"

namespace ge {
namespace {

using foothold::FromPublic;
using foothold::GuardGraph;
using foothold::GuardGraphValue;
using foothold::PortDesc;
using foothold::ToPublic;

std::shared_ptr<TensorDescImpl> MakeDesc(PortDesc desc) {
  return GuardGraphValue(
      "TensorDesc", [&] { return std::shared_ptr<TensorDescImpl>(new TensorDescImpl{std::move(desc)}); });
}

AscendString ToAscend(const std::string& text) {
  return {text.data(), text.size()};
}

}  // namespace

const PortDesc& TensorDescImpl::Read(const TensorDesc& desc) {
  static const PortDesc* const defaults = new PortDesc;
  return desc.impl_ == nullptr ? *defaults : desc.impl_->desc;
}

PortDesc& TensorDescImpl::Edit(TensorDesc& desc) {
  if (desc.impl_ == nullptr) desc.impl_ = std::make_shared<TensorDescImpl>();
  return desc.impl_->desc;
}

TensorDesc::TensorDesc() : impl_(MakeDesc({})) {}

TensorDesc::TensorDesc(Shape shape, Format format, DataType dt) : impl_(MakeDesc({})) {
  Update(shape, format, dt);
}

TensorDesc::TensorDesc(const TensorDesc& desc)
    : impl_(GuardGraphValue(
          "TensorDesc", [&] { return std::make_shared<TensorDescImpl>(TensorDescImpl{FromPublic(desc)}); })) {
}

TensorDesc::TensorDesc(TensorDesc&& desc) : impl_(std::move(desc.impl_)) {}

TensorDesc& TensorDesc::operator=(const TensorDesc& desc) {
  if (this != &desc)
    (void)GuardGraph("TensorDesc::operator=", [&] { TensorDescImpl::Edit(*this) = FromPublic(desc); });
  return *this;
}

TensorDesc& TensorDesc::operator=(TensorDesc&& desc) {
  impl_ = std::move(desc.impl_);
  return *this;
}

void TensorDesc::Update(const Shape& shape, Format format, DataType dt) {
  SetShape(shape);
  SetFormat(format);
  SetDataType(dt);
}

Shape TensorDesc::GetShape() const {
  return Shape(FromPublic(*this).dims);
}

void TensorDesc::SetShape(const Shape& shape) {
  (void)GuardGraph("TensorDesc::SetShape", [&] { TensorDescImpl::Edit(*this).dims = shape.GetDims(); });
}

graphStatus TensorDesc::SetUnknownDimNumShape() {
  return GuardGraph("TensorDesc::SetUnknownDimNumShape",
                    [&] { TensorDescImpl::Edit(*this).dims = {foothold::kUnknownRank}; });
}

graphStatus TensorDesc::SetShapeRange(const std::vector<std::pair<int64_t, int64_t>>& range) {
  return GuardGraph("TensorDesc::SetShapeRange",
                    [&] { TensorDescImpl::Edit(*this).EditDetails().ranges = range; });
}

graphStatus TensorDesc::GetShapeRange(std::vector<std::pair<int64_t, int64_t>>& range) const {
  return GuardGraph("TensorDesc::GetShapeRange", [&] { range = FromPublic(*this).details().ranges; });
}

Format TensorDesc::GetFormat() const {
  return ToPublic(FromPublic(*this).format);
}

void TensorDesc::SetFormat(Format format) {
  (void)GuardGraph("TensorDesc::SetFormat", [&] { TensorDescImpl::Edit(*this).format = FromPublic(format); });
}

DataType TensorDesc::GetDataType() const {
  return ToPublic(FromPublic(*this).type);
}

void TensorDesc::SetDataType(DataType dt) {
  (void)GuardGraph("TensorDesc::SetDataType", [&] { TensorDescImpl::Edit(*this).type = FromPublic(dt); });
}

Shape TensorDesc::GetOriginShape() const {
  const PortDesc& desc = FromPublic(*this);
  return Shape(desc.details().origin_dims ? *desc.details().origin_dims : desc.dims);
}

void TensorDesc::SetOriginShape(const Shape& origin_shape) {
  (void)GuardGraph("TensorDesc::SetOriginShape",
                   [&] { TensorDescImpl::Edit(*this).EditDetails().origin_dims = origin_shape.GetDims(); });
}

Format TensorDesc::GetOriginFormat() const {
  const PortDesc& desc = FromPublic(*this);
  return ToPublic(desc.details().origin_format.value_or(desc.format));
}

void TensorDesc::SetOriginFormat(Format origin_format) {
  (void)GuardGraph("TensorDesc::SetOriginFormat", [&] {
    TensorDescImpl::Edit(*this).EditDetails().origin_format = FromPublic(origin_format);
  });
}

graphStatus TensorDesc::GetName(AscendString& name) {
  return std::as_const(*this).GetName(name);
}

graphStatus TensorDesc::GetName(AscendString& name) const {
  name = ToAscend(FromPublic(*this).details().name);
  return GRAPH_SUCCESS;
}

void TensorDesc::SetName(const char_t* name) {
  (void)GuardGraph("TensorDesc::SetName",
                   [&] { TensorDescImpl::Edit(*this).EditDetails().name = name == nullptr ? "" : name; });
}

void TensorDesc::SetSize(int64_t size) {
  (void)GuardGraph("TensorDesc::SetSize", [&] { TensorDescImpl::Edit(*this).EditDetails().size = size; });
}

int64_t TensorDesc::GetSize() const {
  return FromPublic(*this).details().size;
}

int64_t TensorDesc::GetRealDimCnt() const {
  return FromPublic(*this).details().real_dim_count;
}

void TensorDesc::SetRealDimCnt(const int64_t real_dim_cnt) {
  (void)GuardGraph("TensorDesc::SetRealDimCnt",
                   [&] { TensorDescImpl::Edit(*this).EditDetails().real_dim_count = real_dim_cnt; });
}

void TensorDesc::SetPlacement(Placement placement) {
  (void)GuardGraph("TensorDesc::SetPlacement", [&] { TensorDescImpl::Edit(*this).placement = placement; });
}

Placement TensorDesc::GetPlacement() const {
  return static_cast<Placement>(FromPublic(*this).placement);
}

void TensorDesc::SetConstData(std::unique_ptr<uint8_t[]> const_data_buffer, const size_t& const_data_len) {
  (void)GuardGraph("TensorDesc::SetConstData", [&] {
    if (const_data_buffer == nullptr && const_data_len > 0)
      foothold::Fail(foothold::kInvalidParam, "const_data_buffer is null, but {} bytes are announced",
                     const_data_len);
    TensorDescImpl::Edit(*this).EditDetails().constant.assign(const_data_buffer.get(),
                                                              const_data_buffer.get() + const_data_len);
  });
}

bool TensorDesc::GetConstData(uint8_t** const_data_buffer, size_t& const_data_len) const {
  if (const_data_buffer == nullptr || impl_ == nullptr || impl_->desc.details().constant.empty())
    return false;
  *const_data_buffer = impl_->desc.EditDetails().constant.data();
  const_data_len = impl_->desc.details().constant.size();
  return true;
}

void TensorDesc::SetExpandDimsRule(const AscendString& expand_dims_rule) {
  (void)GuardGraph("TensorDesc::SetExpandDimsRule", [&] {
    TensorDescImpl::Edit(*this).EditDetails().expand_dims_rule.assign(expand_dims_rule.GetString(),
                                                                      expand_dims_rule.GetLength());
  });
}

graphStatus TensorDesc::GetExpandDimsRule(AscendString& expand_dims_rule) const {
  expand_dims_rule = ToAscend(FromPublic(*this).details().expand_dims_rule);
  return GRAPH_SUCCESS;
}

void TensorDesc::SetReuseInputIndex(const uint32_t idx) {
  (void)GuardGraph("TensorDesc::SetReuseInputIndex",
                   [&] { TensorDescImpl::Edit(*this).EditDetails().reuses_input = idx; });
}

}  // namespace ge

namespace foothold {

DataType FromPublic(ge::DataType type) noexcept {
  return type == ge::DT_UNDEFINED ? DataType::kUndefined : static_cast<DataType>(type);
}

ge::DataType ToPublic(DataType type) noexcept {
  return type == DataType::kUndefined ? ge::DT_UNDEFINED : static_cast<ge::DataType>(type);
}

ge::TensorDesc ToPublic(const PortDesc& desc) {
  ge::TensorDesc made;
  ge::TensorDescImpl::Edit(made) = desc;
  return made;
}

}  // namespace foothold
