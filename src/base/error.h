// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The one way to fail: throw Error(code, message) where the fault is seen. The message names the thing, what
// was expected and what was found. Caught in two places only: api/guard.h and the stream's run loop.
#pragma once

#include <fmt/core.h>

#include <exception>
#include <memory>
#include <string>
#include <utility>

#include "base/error_codes.h"

namespace foothold {

// Copies share their text and never throw, so an Error may be kept and passed on when memory is short.
class Error : public std::exception {
 public:
  // `text_code` is the six-character code of the error text, a literal, for places that know more than the
  // number says ("EP0005": items that exclude each other); otherwise base/failure_text.h derives it from the
  // number.
  Error(Code code, std::string message, const char* text_code = nullptr)
      : code_(code),
        text_code_(text_code),
        message_(std::make_shared<const std::string>(std::move(message))) {}
  Code code() const noexcept { return code_; }
  const char* text_code() const noexcept { return text_code_; }
  const std::string& message() const noexcept { return *message_; }
  const char* what() const noexcept override { return message_->c_str(); }

 private:
  Code code_;
  const char* text_code_;
  std::shared_ptr<const std::string> message_;
};

[[noreturn]] void FailFormatted(Code code, fmt::string_view format, fmt::format_args arguments);

template <typename... Args>
[[noreturn]] void Fail(Code code, fmt::format_string<Args...> format, Args&&... args) {
  FailFormatted(code, format, fmt::make_format_args(args...));
}

// The failure being handled right now (inside a catch block), whatever its type, as an Error. The end of a
// thread (pthread_exit, pthread_cancel) is no failure: it unwinds on from here, so that no catch block stops
// it.
Error CurrentError();

// For several holders. Where there is no memory for that, it is the failure to have no memory.
std::shared_ptr<const Error> Share(const Error& error) noexcept;

}  // namespace foothold

// For broken invariants of our own, never for a user's mistake.
#define FOOTHOLD_CHECK(condition)                                                                   \
  ((condition) ? static_cast<void>(0)                                                               \
               : ::foothold::Fail(::foothold::kInternalError, "internal check failed at {}:{}: {}", \
                                  __FILE__, __LINE__, #condition))
