// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "aclnn/device_tensor.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "aclnn/elements.h"
#include "conformance/device_fixture.h"

namespace nn {
namespace {

constexpr std::byte kNothing{0xff};  // NaN in floating-point types, -1 in integers

Dims PaddedStrides(const Dims& dims) {
  if (dims.empty()) return {};
  Dims padded = dims;
  padded.back() += 3;
  return ContiguousStrides(padded);
}

Dims TransposedStrides(Dims dims) {
  const std::size_t rank = dims.size();
  if (rank < 2) return ContiguousStrides(dims);
  std::swap(dims[rank - 1], dims[rank - 2]);
  Dims strides = ContiguousStrides(dims);
  std::swap(strides[rank - 1], strides[rank - 2]);
  return strides;
}

Dims StridesOf(const Dims& dims, Layout layout) {
  if (layout == Layout::kPaddedRows) return PaddedStrides(dims);
  if (layout == Layout::kTransposed) return TransposedStrides(dims);
  Dims strides = ContiguousStrides(dims);
  if (layout == Layout::kEveryOther)
    for (std::int64_t& stride : strides)
      stride *= 2;
  if (layout == Layout::kRepeated && !strides.empty()) strides[0] = 0;
  return strides;
}

std::int64_t LastOf(const Dims& dims, const Dims& strides) {
  std::int64_t last = 0;
  for (std::size_t i = 0; i < dims.size(); ++i)
    last += std::max<std::int64_t>(dims[i] - 1, 0) * strides[i];
  return last;
}

// What areas hold that nobody may write.
std::vector<std::byte> GuardPattern(std::size_t bytes) {
  std::vector<std::byte> pattern(bytes);
  for (std::size_t i = 0; i < bytes; ++i)
    pattern[i] = static_cast<std::byte>(i * 37 % 251);
  return pattern;
}

}  // namespace

std::size_t CountOf(const Dims& dims) {
  std::int64_t count = 1;
  for (const std::int64_t dim : dims)
    count *= dim;
  return static_cast<std::size_t>(count);
}

Dims ContiguousStrides(const Dims& dims) {
  Dims strides(dims.size(), 1);
  for (std::size_t i = dims.size(); i-- > 1;)
    strides[i - 1] = strides[i] * dims[i];
  return strides;
}

GuardedMemory::GuardedMemory(std::size_t bytes) : before_(bytes + 2 * kGuard, kNothing) {
  static const std::vector<std::byte> pattern = GuardPattern(kGuard);
  std::copy(pattern.begin(), pattern.end(), before_.begin());
  std::copy(pattern.begin(), pattern.end(), before_.end() - kGuard);
  void* block = nullptr;
  EXPECT_OK(aclrtMalloc(&block, before_.size(), ACL_MEM_MALLOC_HUGE_FIRST));
  block_ = static_cast<std::byte*>(block);
  EXPECT_OK(aclrtMemcpy(block_, before_.size(), before_.data(), before_.size(), ACL_MEMCPY_HOST_TO_DEVICE));
}

GuardedMemory::~GuardedMemory() {
  EXPECT_OK(aclrtFree(block_));
}

std::vector<std::byte> GuardedMemory::ReadBlock() const {
  std::vector<std::byte> bytes(before_.size());
  EXPECT_OK(aclrtMemcpy(bytes.data(), bytes.size(), block_, bytes.size(), ACL_MEMCPY_DEVICE_TO_HOST));
  return bytes;
}

std::vector<std::byte> GuardedMemory::Read() const {
  const std::vector<std::byte> block = ReadBlock();
  return {block.begin() + kGuard, block.end() - kGuard};
}

void GuardedMemory::Write(const std::vector<std::byte>& bytes) {
  ASSERT_EQ(bytes.size(), before_.size() - 2 * kGuard);
  std::copy(bytes.begin(), bytes.end(), before_.begin() + kGuard);
  EXPECT_OK(aclrtMemcpy(block_, before_.size(), before_.data(), before_.size(), ACL_MEMCPY_HOST_TO_DEVICE));
}

void GuardedMemory::Open(std::size_t first, std::size_t count) {
  open_.emplace_back(kGuard + first, count);
}

void GuardedMemory::Check() {
  const std::vector<std::byte> now = ReadBlock();
  for (const auto& [first, count] : open_)
    std::copy_n(now.begin() + static_cast<std::ptrdiff_t>(first), count,
                before_.begin() + static_cast<std::ptrdiff_t>(first));
  if (std::memcmp(now.data(), before_.data(), now.size()) != 0) {
    const auto changed = std::mismatch(now.begin(), now.end(), before_.begin()).first;
    ADD_FAILURE() << "the run wrote byte " << changed - now.begin() - static_cast<std::ptrdiff_t>(kGuard)
                  << " of a tensor with " << now.size() - 2 * kGuard << ", which it has to leave alone";
  }
  before_ = now;
  open_.clear();
}

Tensor::Tensor(Role role, aclDataType type, Dims dims, Layout layout)
    : role_(role), type_(type), dims_(std::move(dims)), strides_(StridesOf(dims_, layout)) {
  offset_ = layout == Layout::kOffset ? 5 : layout == Layout::kEveryOther ? 1 : 0;
  const auto span = CountOf(dims_) == 0 ? 0 : offset_ + LastOf(dims_, strides_) + 1;
  memory_ = std::make_shared<GuardedMemory>(static_cast<std::size_t>(span) * aclDataTypeSize(type));
}

Tensor Tensor::View(Role role, Dims dims, Dims strides, std::int64_t offset) const {
  Tensor view = *this;
  view.role_ = role;
  view.dims_ = std::move(dims);
  view.strides_ = std::move(strides);
  view.offset_ = offset;
  return view;
}

std::size_t Tensor::size() const {
  return CountOf(dims_);
}

std::vector<std::size_t> Tensor::Places() const {
  std::vector<std::size_t> places(size());
  for (std::size_t i = 0; i < places.size(); ++i) {
    auto rest = static_cast<std::int64_t>(i), element = offset_;
    for (std::size_t d = dims_.size(); d-- > 0; rest /= dims_[d])
      element += rest % dims_[d] * strides_[d];
    places[i] = static_cast<std::size_t>(element) * aclDataTypeSize(type_);
  }
  return places;
}

void Tensor::Write(const Values& values) {
  const std::size_t parts = PartsOf(type_);
  ASSERT_EQ(values.size(), size() * parts) << "values do not fill the tensor";
  const std::vector<std::size_t> places = Places();
  std::vector<std::byte> bytes = memory_->Read();
  for (std::size_t i = 0; i < places.size(); ++i)
    WriteElement(type_, &values[i * parts], &bytes[places[i]]);
  memory_->Write(bytes);
}

Values Tensor::Read() const {
  const std::size_t parts = PartsOf(type_);
  const std::vector<std::size_t> places = Places();
  const std::vector<std::byte> bytes = memory_->Read();
  Values values(places.size() * parts);
  for (std::size_t i = 0; i < places.size(); ++i)
    ReadElement(type_, &bytes[places[i]], &values[i * parts]);
  return values;
}

aclTensor* Tensor::Create() const {
  const Dims whole = {offset_ + LastOf(dims_, strides_) + 1};
  const Dims& described = storage.empty() ? whole : storage;
  return aclCreateTensor(dims_.data(), dims_.size(), seen_as == ACL_DT_UNDEFINED ? type_ : seen_as,
                         strides_.data(), offset_, format, described.data(), described.size(),
                         memory_->data());
}

void Tensor::Open() const {
  if (role_ == Role::kIn) return;
  for (const std::size_t place : Places())
    memory_->Open(place, aclDataTypeSize(type_));
}

Tensor In(aclDataType type, const Dims& dims, const Values& values, Layout layout) {
  Tensor tensor(Role::kIn, type, dims, layout);
  tensor.Write(values);
  return tensor;
}

Tensor Ref(aclDataType type, const Dims& dims, const Values& values, Layout layout) {
  Tensor tensor(Role::kRef, type, dims, layout);
  tensor.Write(values);
  return tensor;
}

Tensor Out(aclDataType type, const Dims& dims, Layout layout) {
  return {Role::kOut, type, dims, layout};
}

}  // namespace nn
