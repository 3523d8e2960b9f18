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

#include <fmt/format.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>

#include "base/error.h"
#include "base/failure_text.h"
#include "base/recent_errors.h"
#include "check/call_scope.h"

namespace foothold {

namespace guard_detail {

template <typename T>
void AppendValue(std::string& out, const T& value) {
  if constexpr (std::is_same_v<T, const char*>) {  // a char* is room for an answer, with any content
    out += value == nullptr ? std::string("null") : QuotedText({value, strnlen(value, 200)});
  } else if constexpr (std::is_pointer_v<T>) {
    out += value == nullptr ? std::string("null")
                            : fmt::format("{:#x}", reinterpret_cast<std::uintptr_t>(value));
  } else if constexpr (std::is_enum_v<T>) {
    out += fmt::format("{}", static_cast<long long>(value));
  } else if constexpr (std::is_arithmetic_v<T>) {
    out += fmt::format("{}", value);
  } else {
    out += "{...}";
  }
}

}  // namespace guard_detail

template <typename... Args>
struct ApiCall {
  const char* name;
  std::string_view names;  // "dst, destMax, src"
  std::tuple<const Args&...> arguments;
  Lasting text = Lasting::kUntilRead;  // of a failure

  std::string Describe() const {
    std::string out;
    std::string_view rest = names;
    std::apply([&](const auto&... values) { (AppendOne(out, rest, values), ...); }, arguments);
    return out;
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

 private:
  template <typename T>
  static void AppendOne(std::string& out, std::string_view& rest, const T& value) {
    const auto comma = rest.find(',');
    if (!out.empty()) out += ", ";
    out += rest.substr(0, comma);
    out += '=';
    guard_detail::AppendValue(out, value);
    rest = comma == std::string_view::npos ? std::string_view()
                                           : rest.substr(rest.find_first_not_of(' ', comma + 1));
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
    const Error error = CurrentError();
    std::string arguments;
    try {
      arguments = call.Describe();
    } catch (...) {
    }
    ReportFailure(call.name, arguments, error, call.text);
    watched.Failed(arguments, error);
    return error.code();
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
  if (pointer == nullptr) {
    throw Error(code, fmt::format("{} must not be null", name),
                code == kRtParamInvalid ? kTextRuntimeNullPointer : kTextNullPointer);
  }
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
