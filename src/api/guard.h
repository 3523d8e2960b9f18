// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Every entry point runs its body inside Guard, the border no exception crosses:
//
//   aclError aclrtSynchronizeStreamWithTimeout(aclrtStream stream, int32_t timeout) {
//     return Guard(FOOTHOLD_CALL(stream, timeout), [&] { FindStream(stream).Synchronize(timeout); });
//   }
//
// Arguments are only formatted when the call fails. Only the end of the thread passes the border: functions
// of the program may call pthread_exit or be cancelled.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>

#include "base/error.h"
#include "base/recent_errors.h"
#include "check/call_scope.h"

namespace foothold {

// An argument as messages show it. Entry points are many: what a failure needs is compiled once, in guard.cpp.
class ShownArgument {
 public:
  template <typename T>
  explicit ShownArgument(const T& value) noexcept {
    if constexpr (std::is_same_v<T, const char*>) {  // a char* is room for an answer, with any content
      kind_ = Kind::kText;
      value_.text = value;
    } else if constexpr (std::is_pointer_v<T>) {
      kind_ = Kind::kPointer;
      value_.address = reinterpret_cast<std::uintptr_t>(value);
    } else if constexpr (std::is_same_v<T, bool>) {
      kind_ = Kind::kTruth;
      value_.truth = value;
    } else if constexpr (std::is_floating_point_v<T>) {
      kind_ = std::is_same_v<T, float> ? Kind::kFloat : Kind::kDouble;
      value_.real = value;
    } else if constexpr (std::is_unsigned_v<T>) {
      kind_ = Kind::kUnsigned;
      value_.natural = value;
    } else if constexpr (std::is_integral_v<T> || std::is_enum_v<T>) {
      kind_ = Kind::kSigned;
      value_.integer = static_cast<long long>(value);
    }
  }
  void AppendTo(std::string& out) const;

 private:
  enum class Kind { kOther, kText, kPointer, kTruth, kFloat, kDouble, kUnsigned, kSigned };

  Kind kind_ = Kind::kOther;
  union {
    const char* text;
    std::uintptr_t address;
    bool truth;
    double real;
    unsigned long long natural;
    long long integer;
  } value_ = {};
};

// "dst=0x7f00, destMax=16" of the names "dst, destMax".
std::string DescribeArguments(std::string_view names, std::initializer_list<ShownArgument> arguments);

template <typename... Args>
struct ApiCall {
  const char* name;
  std::string_view names;  // "dst, destMax, src"
  std::tuple<const Args&...> arguments;
  Lasting text = Lasting::kUntilRead;  // of a failure

  std::string Describe() const {
    return std::apply(
        [&](const auto&... values) { return DescribeArguments(names, {ShownArgument(values)...}); }, arguments);
  }

  template <typename Visit>
  void ForEachPointer(Visit visit) const {
    std::apply(
        [&](const auto&... values) {
          const auto one = [&](const auto& value) {
            using T = std::remove_cvref_t<decltype(value)>;
            if constexpr (std::is_pointer_v<T> && std::is_convertible_v<T, const void*>) visit(value);
          };
          (one(values), ...);
          (void)one;
        },
        arguments);
  }
};

template <typename... Args>
ApiCall<Args...> MakeApiCall(const char* name, std::string_view names, const Args&... args) {
  return {name, names, std::tuple<const Args&...>(args...)};
}

template <typename T>
ApiCall<T*> MakeApiRelease(const char* name, std::string_view names, T* const& object) {
  return {name, names, std::tuple<T* const&>(object),
          object == nullptr ? Lasting::kUntilNextFailure : Lasting::kUntilRead};
}

template <typename... Args>
ApiCall<Args...> MakeApiQuestion(const char* name, std::string_view names, const Args&... args) {
  return {name, names, std::tuple<const Args&...>(args...), Lasting::kUntilNextFailure};
}

// Reports the failure being handled, of which `describe` tells the arguments of the call, and returns its code.
int ReportCaught(const char* name, Lasting text, const check::CallScope& watched,
                 std::string (*describe)(const void* call), const void* call);
[[noreturn]] void FailForNull(const char* name, Code code);

// Runs `body`; on failure reports it and returns its code. `body` returns nothing or an int code for expected
// outcomes.
template <typename Call, typename Body>
int Guard(const Call& call, Body&& body) {
  const check::CallScope watched(call);
  try {
    watched.FailIfPlanned();
    if constexpr (std::is_void_v<std::invoke_result_t<Body>>) {
      body();
      return kSuccess;
    } else {
      return body();
    }
  } catch (...) {
    return ReportCaught(call.name, call.text, watched,
                        [](const void* failed) { return static_cast<const Call*>(failed)->Describe(); }, &call);
  }
}

// The same for entry points that return something else than an aclError: `fallback` is their documented
// answer on failure.
template <typename Call, typename T, typename Body>
T GuardValue(const Call& call, T fallback, Body&& body) {
  T value = fallback;
  Guard(call, [&] { value = body(); });
  return value;
}

template <typename T>
T* CheckNotNull(T* pointer, const char* name, Code code = kRtParamInvalid) {
  if (pointer == nullptr) FailForNull(name, code);
  return pointer;
}

}  // namespace foothold

#define FOOTHOLD_CALL(...) ::foothold::MakeApiCall(__func__, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
// For calls that programs make to find out whether there is something: a failure is an answer, and its text
// is no part of the story of a later one.
#define FOOTHOLD_QUERY(...) ::foothold::MakeApiQuestion(__func__, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
// For calls that end an object: programs pass null for what they never had.
#define FOOTHOLD_RELEASE(object) ::foothold::MakeApiRelease(__func__, #object, object)
// Fails with the runtime layer's parameter error and the argument's own name.
#define FOOTHOLD_NOT_NULL(pointer) ::foothold::CheckNotNull(pointer, #pointer)
