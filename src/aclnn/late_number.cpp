// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "aclnn/late_number.h"

#include <algorithm>
#include <cstring>

#include "aclnn/types.h"
#include "base/half.h"

namespace foothold::aclnn {
namespace {

template <typename T>
void Store(std::byte* to, T value) {
  std::memcpy(to, &value, sizeof value);
}

}  // namespace

Number ValueOf(const LateNumber& number, const Arguments& arguments) {
  const Number first = arguments.NumberAt(number.first);
  return number.make == nullptr ? first : number.make(first, arguments.NumberAt(number.second));
}

void StoreNumber(const Number& number, DataType type, std::byte* to) {
  switch (type) {
    case DataType::kFloat:
      return Store(to, static_cast<float>(number.real()));
    case DataType::kDouble:
      return Store(to, number.real());
    case DataType::kFloat16:
      return Store(to, Half(static_cast<float>(number.real())));
    case DataType::kBfloat16:
      return Store(to, Bfloat16(static_cast<float>(number.real())));
    case DataType::kBool:
      return Store(to, static_cast<std::uint8_t>(number.complex != 0.0));
    case DataType::kComplex64:
      return Store(to, std::complex<float>(number.complex));
    case DataType::kComplex128:
      return Store(to, number.complex);
    default:
      break;
  }
  if (!IsInteger(type)) Fail(kFindKernel, "there are no numbers of type {}", DataTypeName(type));
  const std::int64_t value = number.integer;  // the lowest byte comes first
  std::memcpy(to, &value, BytesPerElement(type));
}

bool IsOne(const Number& number) {
  return number.complex == 1.0;
}

bool HasFraction(const Number& number) {
  return IsFloat(number.type) && number.real() != static_cast<double>(number.integer);
}

bool IsNotNegative(const Number& number) {
  return number.real() >= 0;
}

bool IsShare(const Number& number) {
  return number.real() >= 0 && number.real() <= 1;
}

AllAsked::AllAsked() : lists_(new std::atomic<const AskedList*>[FunctionCount()]()) {}

const AskedList& AllAsked::Of(const Function& function) const {
  static const AskedList nothing;
  const AskedList* const list = lists_[function.id].load(std::memory_order_acquire);
  return list == nullptr ? nothing : *list;
}

void AllAsked::Add(const Function& function, const AskedList& asked) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const AskedList& before = Of(function);
  AskedList more;
  for (const Asked& one : asked)
    if (std::find(before.begin(), before.end(), one) == before.end() &&
        std::find(more.begin(), more.end(), one) == more.end())
      more.push_back(one);
  if (more.empty()) return;
  auto all = std::make_unique<AskedList>(before);
  all->insert(all->end(), more.begin(), more.end());
  all_.push_back(std::move(all));
  lists_[function.id].store(all_.back().get(), std::memory_order_release);
}

}  // namespace foothold::aclnn
