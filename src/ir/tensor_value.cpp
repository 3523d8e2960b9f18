// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "ir/tensor_value.h"

#include <sys/mman.h>

#include <cstdint>
#include <cstring>
#include <memory>
#include <new>

#include "base/error.h"
#include "base/half.h"
#include "ir/stored_weight.h"

namespace foothold {
namespace {

template <typename T>
std::vector<std::int64_t> Widened(const TensorValue& value) {
  const auto count = static_cast<std::size_t>(ElementCount(value.dims()));
  const T* from = value.As<T>();
  return std::vector<std::int64_t>(from, from + count);
}

// Blocks up to this size come from the allocator's caches of the thread, where aligned ones never do: an
// output of a small graph costs as much as the rest of its run otherwise.
constexpr std::size_t kSmall = 32 << 10;

// The room that alignment wastes would hide writes beyond the end.
#if defined(__SANITIZE_ADDRESS__)
constexpr bool kSanitized = true;
#else
constexpr bool kSanitized = false;
#endif

SharedBytes AllocateSmall(std::size_t size) {
  std::size_t room = size + kTensorAlignment - 1;
  SharedBytes block = std::make_shared_for_overwrite<std::byte[]>(room);
  void* start = block.get();
  std::align(kTensorAlignment, size, start, room);
  return SharedBytes(std::move(block), static_cast<std::byte*>(start));
}

// Weights are read from end to end in every run: with fewer pages that is up to a fifth faster.
constexpr std::size_t kHugePage = std::size_t{2} << 20;

}  // namespace

SharedBytes AllocateBytes(std::size_t size) {
  if (size == 0) return nullptr;
  if (size <= kSmall && !kSanitized) return AllocateSmall(size);
  const bool large = size >= kHugePage;
  const std::size_t alignment = large ? kHugePage : kTensorAlignment;
  // There are libraries that round the largest sizes up to 0.
  auto* bytes =
      size > PTRDIFF_MAX
          ? nullptr
          : static_cast<std::byte*>(operator new[](size, std::align_val_t(alignment), std::nothrow));
  if (bytes == nullptr) Fail(kBadAlloc, "no host memory left for {} bytes of a tensor", size);
  if (large) madvise(bytes, size / kHugePage * kHugePage, MADV_HUGEPAGE);  // a hint: not all kernels have it
  return SharedBytes(bytes, [alignment](std::byte* p) { operator delete[](p, std::align_val_t(alignment)); });
}

TensorValue::TensorValue(TensorType type) : type_(std::move(type)), size_(ByteSize(type_)) {
  data_ = AllocateBytes(size_);
}

TensorValue TensorValue::Clone() const {
  LoadWeight(*this);
  TensorValue copy(type_, AllocateBytes(size_), size_);
  if (size_ > 0) std::memcpy(copy.mutable_data(), data(), size_);
  return copy;
}

std::vector<std::int64_t> Integers(const TensorValue& value) {
  LoadWeight(value);
  switch (value.type().type) {
    case DataType::kInt8:
      return Widened<std::int8_t>(value);
    case DataType::kUint8:
    case DataType::kBool:
      return Widened<std::uint8_t>(value);
    case DataType::kInt16:
      return Widened<std::int16_t>(value);
    case DataType::kUint16:
      return Widened<std::uint16_t>(value);
    case DataType::kInt32:
      return Widened<std::int32_t>(value);
    case DataType::kUint32:
      return Widened<std::uint32_t>(value);
    case DataType::kInt64:
    case DataType::kUint64:
      return Widened<std::int64_t>(value);
    default:
      Fail(kInvalidParam, "integers are needed here, not {}", ToString(value.type()));
  }
}

double Scalar(const TensorValue& value) {
  if (ElementCount(value.dims()) != 1)
    Fail(kInvalidParam, "one element is needed here, not {}", ToString(value.type()));
  switch (value.type().type) {
    case DataType::kFloat:
      return *value.As<float>();
    case DataType::kDouble:
      return *value.As<double>();
    case DataType::kFloat16:
      return static_cast<float>(*value.As<Half>());
    case DataType::kBfloat16:
      return static_cast<float>(*value.As<Bfloat16>());
    default:
      return static_cast<double>(Integers(value)[0]);
  }
}

}  // namespace foothold
