// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Numbers that come with each run rather than with the form of a call: a step size, a bound, a seed. The form
// has an input for each; a call gives the value. What a mapping asks of such a number to choose what is
// computed is a question, and calls with the same answers share a form: the key has the answers, not the
// number. Values; any thread.
#pragma once

#include <atomic>
#include <cstdint>
#include <limits>
#include <memory>
#include <mutex>
#include <vector>

#include "aclnn/arguments.h"

namespace foothold::aclnn {

// One number of the call, or one made of two.
struct LateNumber {
  // From the values. The type of what it makes follows from their types.
  using Make = Number (*)(const Number& first, const Number& second);

  ArgumentPlace first;
  ArgumentPlace second{};  // that of `first` where one is enough
  Make make = nullptr;     // null: the first as it is
  DataType type = DataType::kUndefined;

  bool operator==(const LateNumber& other) const {
    return first == other.first && second == other.second && make == other.make;
  }
};

Number ValueOf(const LateNumber& number, const Arguments& arguments);
// As an element of the type. Of an integer that the type has no room for the low bits are kept.
void StoreNumber(const Number& number, DataType type, std::byte* to);

// What decides about the form of a call. Null: the number itself.
using Question = bool (*)(const Number& number);

bool IsOne(const Number& number);
// What integers cannot be multiplied by exactly.
bool HasFraction(const Number& number);
bool IsNotNegative(const Number& number);
bool IsShare(const Number& number);  // from 0 to 1
template <typename T>
bool FitsIn(const Number& number) {
  return number.integer >= static_cast<std::int64_t>(std::numeric_limits<T>::min()) &&
         number.integer <= static_cast<std::int64_t>(std::numeric_limits<T>::max());
}

// One that was asked; of a list of numbers, about all of them.
struct Asked {
  LateNumber about;
  Question question = nullptr;
  bool operator==(const Asked&) const = default;
};
using AskedList = std::vector<Asked>;

// What the mappings of all functions have asked so far: a list for each that only grows. Any thread.
class AllAsked {
 public:
  AllAsked();
  // Lives for ever.
  const AskedList& Of(const Function& function) const;
  void Add(const Function& function, const AskedList& asked);

  void LockForFork() { mutex_.lock(); }
  void UnlockAfterFork() { mutex_.unlock(); }

 private:
  std::mutex mutex_;  // guards all_, and is of those who change lists_
  // Those that were replaced stay: calls on other threads may be reading them, and they are short and few.
  std::vector<std::unique_ptr<const AskedList>> all_;
  const std::unique_ptr<std::atomic<const AskedList*>[]> lists_;  // by function; null: nothing was asked
};

}  // namespace foothold::aclnn
