// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "single_op/compile_options.h"

#include <pthread.h>

#include "base/error.h"

namespace foothold {
namespace {

// By the number of the option; empty where nothing applies before somebody sets it.
constexpr const char* kDefaults[] = {"allow_fp32_to_fp16",  // ACL_PRECISION_MODE
                                     "",                    // ACL_AICORE_NUM
                                     "",                    // ACL_AUTO_TUNE_MODE
                                     "high_performance",    // ACL_OP_SELECT_IMPL_MODE
                                     "",                    // ACL_OPTYPELIST_FOR_IMPLMODE
                                     "0",                   // ACL_OP_DEBUG_LEVEL
                                     "./",                  // ACL_DEBUG_DIR
                                     "enable",              // ACL_OP_COMPILER_CACHE_MODE
                                     "$HOME/atc_data",      // ACL_OP_COMPILER_CACHE_DIR
                                     "normal",              // ACL_OP_PERFORMANCE_MODE
                                     "enable",              // ACL_OP_JIT_COMPILE
                                     "0",                   // ACL_OP_DETERMINISTIC
                                     "",                    // ACL_CUSTOMIZE_DTYPES
                                     "",                    // ACL_OP_PRECISION_MODE
                                     "",                    // ACL_ALLOW_HF32
                                     "",                    // ACL_PRECISION_MODE_V2
                                     ""};                   // ACL_OP_DEBUG_OPTION

}  // namespace

CompileOptions& CompileOptions::Get() {
  static auto* const options = new CompileOptions;
  return *options;
}

CompileOptions::CompileOptions() {
  static_assert(std::size(kDefaults) == kOptions);
  pthread_atfork(&LockForFork, &UnlockAfterFork, &UnlockAfterFork);
}

std::size_t CompileOptions::Index(int option) {
  if (option < 0 || static_cast<std::size_t>(option) >= kOptions)
    Fail(kInvalidParam, "{} is no option for compiling; expected 0 to {}", option, kOptions - 1);
  return static_cast<std::size_t>(option);
}

void CompileOptions::Set(int option, std::string value) {
  const std::size_t index = Index(option);
  std::lock_guard<std::mutex> lock(mutex_);
  values_[index] = std::move(value);
}

std::string CompileOptions::Value(int option) {
  const std::size_t index = Index(option);
  std::lock_guard<std::mutex> lock(mutex_);
  return values_[index].value_or(kDefaults[index]);
}

}  // namespace foothold
