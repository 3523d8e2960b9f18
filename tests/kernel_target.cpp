// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// With FOOTHOLD_TEST_KERNELS=AVX2 a test program runs the kernels of that instruction set, and fails where
// the build or the machine has none (make kernels-check).
#include <gtest/gtest.h>
#include <hwy/targets.h>

#include <cstdlib>
#include <string>
#include <utility>

namespace foothold {
namespace {

class ChosenKernels : public testing::Environment {
 public:
  explicit ChosenKernels(std::string name) : name_(std::move(name)) {}

  void SetUp() override {
    for (const auto target : hwy::SupportedAndGeneratedTargets()) {
      if (hwy::TargetName(target) != name_) continue;
      hwy::SetSupportedTargetsForTest(target);
      return hwy::GetChosenTarget().Update(target);
    }
    FAIL() << "there are no kernels for " << name_ << " in this build, or this machine cannot run them";
  }

 private:
  const std::string name_;
};

[[maybe_unused]] const bool is_chosen = [] {
  const char* name = std::getenv("FOOTHOLD_TEST_KERNELS");
  if (name != nullptr) testing::AddGlobalTestEnvironment(new ChosenKernels(name));
  return name != nullptr;
}();

}  // namespace
}  // namespace foothold
