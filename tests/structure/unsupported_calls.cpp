// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Calls every function that is declared but not supported, with zeros: none may answer success, and each has
// to leave a message that names it. The same for those that are always refused. The list is written from
// src/api when the tests are built.
#include <gtest/gtest.h>

#include <string>
#include <type_traits>

#include "acl/acl.h"

namespace {

void NamesItself(const char* name) {
  const char* text = aclGetRecentErrMsg();
  ASSERT_NE(text, nullptr) << name << " left no message";
  EXPECT_NE(std::string(text).find(std::string(name) + " is declared but not supported"), std::string::npos)
      << name << " left another message: " << text;
}

template <typename Result, typename... Args>
void AnswersCode(Result (*function)(Args...), const char* name, Result expected) {
  EXPECT_EQ(function(Args{}...), expected) << name;
  NamesItself(name);
}

template <typename Result>
void IsNothing(Result result, const char* name) {
  if constexpr (std::is_pointer_v<Result>) {
    EXPECT_EQ(result, nullptr) << name;
  } else {
    static_cast<void>(result);
  }
}

template <typename Result, typename... Args>
void AnswersValue(Result (*function)(Args...), const char* name) {
  if constexpr (std::is_void_v<Result>) {
    function(Args{}...);
  } else {
    IsNothing(function(Args{}...), name);
  }
  NamesItself(name);
}

template <typename... Args>
void AnswersValue(void (*function)(Args..., ...), const char* name) {
  function(Args{}...);
  NamesItself(name);
}

template <typename Result, typename... Args>
void NeverSucceeds(Result (*function)(Args...), const char* name) {
  const Result result = function(Args{}...);
  if constexpr (std::is_pointer_v<Result>) {
    EXPECT_EQ(result, nullptr) << name;
  } else {
    EXPECT_NE(static_cast<int>(result), ACL_SUCCESS) << name;
  }
  const char* text = aclGetRecentErrMsg();
  ASSERT_NE(text, nullptr) << name << " left no message";
  EXPECT_NE(std::string(text).find(name), std::string::npos) << name << " left another message: " << text;
}

}  // namespace

#include "unsupported_list.h"

TEST(UnsupportedFunctions, NameThemselvesAndNeverSucceed) {
  CallAll();
}
