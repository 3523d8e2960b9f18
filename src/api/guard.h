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

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

#include "base/error.h"
#include "base/recent_errors.h"
#include "check/call_scope.h"

namespace foothold {

enum class ArgumentKind : std::uint8_t {
  kOther,
  kText,
  kPointer,
  kFunction,
  kTruth,
  kReal,
  kUnsigned,
  kSigned
};

// How to show an argument.
struct ArgumentForm {
  ArgumentKind kind = ArgumentKind::kOther;
  std::uint8_t bytes = 0;
};

template <typename T>
constexpr ArgumentForm FormOfArgument() {
  ArgumentKind kind = ArgumentKind::kOther;
  if constexpr (std::is_same_v<T, const char*>) {
    kind = ArgumentKind::kText;
  } else if constexpr (std::is_pointer_v<T>) {
    kind = std::is_convertible_v<T, const void*> ? ArgumentKind::kPointer : ArgumentKind::kFunction;
  } else if constexpr (std::is_same_v<T, bool>) {
    kind = ArgumentKind::kTruth;
  } else if constexpr (std::is_floating_point_v<T>) {
    kind = ArgumentKind::kReal;
  } else if constexpr (std::is_enum_v<T>) {
    return FormOfArgument<std::underlying_type_t<T>>();
  } else if constexpr (std::is_integral_v<T>) {
    kind = std::is_unsigned_v<T> ? ArgumentKind::kUnsigned : ArgumentKind::kSigned;
  }
  return {kind, sizeof(T) < 255 ? sizeof(T) : 255};
}

template <typename... Args>
inline constexpr ArgumentForm kArgumentForms[sizeof...(Args) + 1] = {FormOfArgument<Args>()..., {}};

// A call with its arguments, which it refers to. There are thousands of entry points: what only a failure or
// a watcher asks for is compiled once, in guard.cpp, and not for each of them.
class ApiCall {
 public:
  ApiCall(const ApiCall&) = delete;
  ApiCall& operator=(const ApiCall&) = delete;

  std::string Describe() const;  // "dst=0x7f00, destMax=16"

  template <typename Visit>
  void ForEachPointer(Visit visit) const {
    for (std::size_t i = 0; forms_[i].bytes != 0; ++i) {
      const bool is_pointer =
          forms_[i].kind == ArgumentKind::kPointer || forms_[i].kind == ArgumentKind::kText;
      if (is_pointer) visit(*static_cast<const void* const*>(places_[i]));
    }
  }

  const char* const name;
  const Lasting text;  // of a failure

 protected:
  ApiCall(const char* api, std::string_view names, Lasting lasting, const ArgumentForm* forms,
          const void* const* places)
      : name(api), text(lasting), names_(names), forms_(forms), places_(places) {}

 private:
  const std::string_view names_;     // "dst, destMax, src"
  const ArgumentForm* const forms_;  // up to one of no bytes
  const void* const* const places_;
};

template <std::size_t count>
class ApiCallOf : public ApiCall {
 public:
  template <typename... Args>
  ApiCallOf(const char* api, std::string_view names, Lasting lasting, const Args&... args)
      : ApiCall(api, names, lasting, kArgumentForms<Args...>, places_), places_{&args...} {}

 private:
  const void* const places_[count == 0 ? 1 : count];
};

template <typename... Args>
ApiCallOf<sizeof...(Args)> MakeApiCall(const char* name, std::string_view names, const Args&... args) {
  return {name, names, Lasting::kUntilRead, args...};
}

template <typename T>
ApiCallOf<1> MakeApiRelease(const char* name, std::string_view names, T* const& object) {
  return {name, names, object == nullptr ? Lasting::kUntilNextFailure : Lasting::kUntilRead, object};
}

template <typename... Args>
ApiCallOf<sizeof...(Args)> MakeApiQuestion(const char* name, std::string_view names, const Args&... args) {
  return {name, names, Lasting::kUntilNextFailure, args...};
}

// Reports the failure being handled and returns its code.
int ReportCaught(const ApiCall& call, const check::CallScope& watched);
[[noreturn]] void FailForNull(const char* name, Code code);

// Runs `body`; on failure reports it and returns its code. `body` returns nothing or an int code for expected
// outcomes.
template <typename Body>
int Guard(const ApiCall& call, Body&& body) {
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
    return ReportCaught(call, watched);
  }
}

// The same for entry points that return something else than an aclError: `fallback` is their documented
// answer on failure.
template <typename T, typename Body>
T GuardValue(const ApiCall& call, T fallback, Body&& body) {
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
