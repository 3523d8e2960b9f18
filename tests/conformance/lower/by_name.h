// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Functions that no header declares, found as prebuilt programs find them.
#pragma once

#include <dlfcn.h>
#include <gtest/gtest.h>

template <typename Function>
Function* ByName(const char* name) {
  void* const found = dlsym(RTLD_DEFAULT, name);
  EXPECT_NE(found, nullptr) << name;
  return reinterpret_cast<Function*>(found);
}
