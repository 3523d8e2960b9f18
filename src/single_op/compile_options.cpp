// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "single_op/compile_options.h"

#include "base/error.h"
#include "base/first_time.h"
#include "base/process_events.h"
#include "device/soc.h"

namespace foothold {
namespace {

struct Option {
  const char* name;
  const char* value;  // before somebody sets it; empty where nothing applies
};
constexpr const char* kJitCompile = "ACL_OP_JIT_COMPILE";
// By their numbers.
constexpr Option kKnown[] = {{"ACL_PRECISION_MODE", "allow_fp32_to_fp16"},
                             {"ACL_AICORE_NUM", ""},
                             {"ACL_AUTO_TUNE_MODE", ""},
                             {"ACL_OP_SELECT_IMPL_MODE", "high_performance"},
                             {"ACL_OPTYPELIST_FOR_IMPLMODE", ""},
                             {"ACL_OP_DEBUG_LEVEL", "0"},
                             {"ACL_DEBUG_DIR", "./"},
                             {"ACL_OP_COMPILER_CACHE_MODE", "enable"},
                             {"ACL_OP_COMPILER_CACHE_DIR", "$HOME/atc_data"},
                             {"ACL_OP_PERFORMANCE_MODE", "normal"},
                             {kJitCompile, ""},
                             {"ACL_OP_DETERMINISTIC", "0"},
                             {"ACL_CUSTOMIZE_DTYPES", ""},
                             {"ACL_OP_PRECISION_MODE", ""},
                             {"ACL_ALLOW_HF32", ""},
                             {"ACL_PRECISION_MODE_V2", ""},
                             {"ACL_OP_DEBUG_OPTION", ""}};

// Programs that read "disable" call aclnn operators, else they have most operators compiled for each shape.
const char* DefaultOf(const Option& option) {
  if (option.name == kJitCompile) return HasBinaryKernels(SocNameFromEnvironment()) ? "disable" : "enable";
  return option.value;
}

}  // namespace

CompileOptions& CompileOptions::Get() {
  static auto* const options = new CompileOptions;
  return *options;
}

CompileOptions::CompileOptions() {
  static_assert(std::size(kKnown) == kOptions);
  static const AtFork at_fork(ForkStage::kTables, {LockForFork, UnlockAfterFork, UnlockAfterFork});
}

std::size_t CompileOptions::Index(int option) {
  if (option < 0 || static_cast<std::size_t>(option) >= kOptions)
    Fail(kInvalidParam, "{} is no option for compiling; expected 0 to {}", option, kOptions - 1);
  return static_cast<std::size_t>(option);
}

void CompileOptions::Set(int option, std::string value) {
  const std::size_t index = Index(option);
  WarnOnce(kKnown[index].name, "{} has no effect here: aclSetCompileopt keeps it to be read back",
           kKnown[index].name);
  std::lock_guard<std::mutex> lock(mutex_);
  values_[index] = std::move(value);
}

std::string CompileOptions::Value(int option) {
  const std::size_t index = Index(option);
  std::lock_guard<std::mutex> lock(mutex_);
  return values_[index].value_or(DefaultOf(kKnown[index]));
}

}  // namespace foothold
