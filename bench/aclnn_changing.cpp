// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
// Calls whose numbers and lengths are other ones each time: training with a schedule, decoding with a cache.
#include "aclnn_changing.h"

#include <aclnnop/aclnn_add.h>
#include <aclnnop/aclnn_addcdiv.h>
#include <aclnnop/aclnn_addcmul.h>
#include <aclnnop/aclnn_apply_adam_w_v2.h>
#include <aclnnop/aclnn_dropout_gen_mask.h>
#include <aclnnop/aclnn_fill_scalar.h>
#include <aclnnop/aclnn_fused_infer_attention_score_v2.h>
#include <aclnnop/aclnn_mul.h>
#include <aclnnop/aclnn_sqrt.h>
#include <fmt/format.h>

#include <cmath>
#include <functional>
#include <vector>

#include "check.h"
#include "resident.h"

namespace bench {
namespace {

constexpr std::int64_t kSize = 16;
constexpr int kWarm = 10, kSteps = 1000;

class Memory {
 public:
  explicit Memory(std::size_t bytes) {
    Check(aclrtMalloc(&address_, bytes, ACL_MEM_MALLOC_HUGE_FIRST));
    Check(aclrtMemset(address_, bytes, 0, bytes));
  }
  ~Memory() { aclrtFree(address_); }
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;
  void* get() const { return address_; }

 private:
  void* address_ = nullptr;
};

// Objects of one call, made for it as programs do.
class Described {
 public:
  explicit Described(const aclTensor* tensor) : tensor_(tensor) {}
  explicit Described(float value) : scalar_(aclCreateScalar(&value, ACL_FLOAT)) {}
  ~Described() {
    if (tensor_ != nullptr) aclDestroyTensor(tensor_);
    if (scalar_ != nullptr) aclDestroyScalar(scalar_);
  }
  Described(const Described&) = delete;
  Described& operator=(const Described&) = delete;
  operator aclTensor*() const { return const_cast<aclTensor*>(tensor_); }
  operator aclScalar*() const { return const_cast<aclScalar*>(scalar_); }

 private:
  const aclTensor* tensor_ = nullptr;
  const aclScalar* scalar_ = nullptr;
};

aclTensor* View(const Memory& memory, std::initializer_list<std::int64_t> dims,
                aclDataType type = ACL_FLOAT) {
  return aclCreateTensor(dims.begin(), dims.size(), type, nullptr, 0, ACL_FORMAT_ND, dims.begin(),
                         dims.size(), memory.get());
}

class Changing {
 public:
  Changing() { Check(aclrtCreateStream(&stream_)); }
  ~Changing() { aclrtDestroyStream(stream_); }
  Changing(const Changing&) = delete;
  Changing& operator=(const Changing&) = delete;

  void Add(int step) {
    const Described a(View(a_, {kSize})), b(View(b_, {kSize})), out(View(out_, {kSize})), alpha(Number(step));
    Call(aclnnAddGetWorkspaceSize, aclnnAdd, a, b, alpha, out);
  }
  void Adds(int step) {
    const Described a(View(a_, {kSize})), out(View(out_, {kSize})), other(Number(step)), one(1.0f);
    Call(aclnnAddsGetWorkspaceSize, aclnnAdds, a, other, one, out);
  }
  void Muls(int step) {
    const Described a(View(a_, {kSize})), out(View(out_, {kSize})), other(Number(step));
    Call(aclnnMulsGetWorkspaceSize, aclnnMuls, a, other, out);
  }
  void Fill(int step) {
    const Described out(View(out_, {kSize})), value(Number(step));
    Call(aclnnInplaceFillScalarGetWorkspaceSize, aclnnInplaceFillScalar, out, value);
  }
  void Dropout(int step) {
    const Described mask(View(out_, {128}, ACL_UINT8));
    const std::int64_t count = 128;
    aclIntArray* const shape = aclCreateIntArray(&count, 1);
    Call(aclnnDropoutGenMaskGetWorkspaceSize, aclnnDropoutGenMask, shape, 0.1, std::int64_t{step},
         std::int64_t{0}, mask);
    aclDestroyIntArray(shape);
  }

  // The operators that a framework makes a step of Adam of.
  void Adam(int step) {
    const double beta1 = 0.9, beta2 = 0.999, lr = 1e-3 * std::pow(0.99, step);
    const double fair = std::sqrt(1 - std::pow(beta2, step + 1));
    const Described var(View(a_, {kSize})), grad(View(b_, {kSize})), m(View(m_, {kSize})),
        v(View(v_, {kSize})), size(View(out_, {kSize}));
    const Described decay1(static_cast<float>(beta1)), rest1(static_cast<float>(1 - beta1)),
        decay2(static_cast<float>(beta2)), rest2(static_cast<float>(1 - beta2)),
        scale(static_cast<float>(1 / fair)), epsilon(1e-8f), one(1.0f),
        rate(static_cast<float>(-lr / (1 - std::pow(beta1, step + 1))));
    Call(aclnnInplaceMulsGetWorkspaceSize, aclnnInplaceMuls, m, decay1);
    Call(aclnnInplaceAddGetWorkspaceSize, aclnnInplaceAdd, m, grad, rest1);
    Call(aclnnInplaceMulsGetWorkspaceSize, aclnnInplaceMuls, v, decay2);
    Call(aclnnInplaceAddcmulGetWorkspaceSize, aclnnInplaceAddcmul, v, grad, grad, rest2);
    Call(aclnnSqrtGetWorkspaceSize, aclnnSqrt, v, size);
    Call(aclnnInplaceMulsGetWorkspaceSize, aclnnInplaceMuls, size, scale);
    Call(aclnnInplaceAddsGetWorkspaceSize, aclnnInplaceAdds, size, epsilon, one);
    Call(aclnnInplaceAddcdivGetWorkspaceSize, aclnnInplaceAddcdiv, var, m, size, rate);
  }
  void FusedAdam(int step) {
    const auto lr = static_cast<float>(1e-3 * std::pow(0.99, step));
    const Described var(View(a_, {kSize})), grad(View(b_, {kSize})), m(View(m_, {kSize})),
        v(View(v_, {kSize})), count(View(step_, {1}));
    Call(aclnnApplyAdamWV2GetWorkspaceSize, aclnnApplyAdamWV2, var, m, v, nullptr, grad, count, lr, 0.9f,
         0.999f, 0.01f, 1e-8f, false, false);
  }

  // One query of 4 heads on a cache with room for all steps, of which the lengths say how much counts.
  void Decode(int step) { Attend(kSteps + kWarm, step + 1); }
  // On tensors that are as long as what there is.
  void DecodeGrowing(int step) { Attend(step + 1, 0); }

  void Wait() { Check(aclrtSynchronizeStream(stream_)); }

 private:
  static float Number(int step) { return 1.5f + static_cast<float>(step) / 1024; }

  template <typename First, typename Second, typename... Args>
  void Call(First first, Second second, const Args&... args) {
    std::uint64_t size = 0;
    aclOpExecutor* executor = nullptr;
    Check(first(args..., &size, &executor));
    Check(second(nullptr, size, executor, stream_));
  }

  void Attend(std::int64_t rows, std::int64_t length) {
    const Described query(View(a_, {1, 1, 4, 16})), out(View(out_, {1, 1, 4, 16}));
    const aclTensor *key = View(keys_, {1, rows, 4, 16}), *value = View(values_, {1, rows, 4, 16});
    aclTensorList *const keys = aclCreateTensorList(&key, 1), *const values = aclCreateTensorList(&value, 1);
    aclIntArray* const lengths = length == 0 ? nullptr : aclCreateIntArray(&length, 1);
    constexpr std::int64_t kAll = 2147483647;
    char name[] = "BSND";
    char* const layout = name;
    aclTensor* const none = nullptr;
    aclIntArray* const no_ints = nullptr;
    Call(aclnnFusedInferAttentionScoreV2GetWorkspaceSize, aclnnFusedInferAttentionScoreV2, query, keys,
         values, none, none, no_ints, lengths, none, none, none, none, none, none, none, none, none, none,
         none, none, none, none, none, none, no_ints, std::int64_t{4}, 0.25, kAll, kAll, layout,
         std::int64_t{4}, std::int64_t{0}, std::int64_t{0}, std::int64_t{0}, std::int64_t{0}, false,
         std::int64_t{0}, std::int64_t{0}, out, none);
    aclDestroyTensorList(keys);  // and its members
    aclDestroyTensorList(values);
    if (lengths != nullptr) aclDestroyIntArray(lengths);
  }

  aclrtStream stream_ = nullptr;
  static constexpr std::size_t kRow = 4 * 16 * sizeof(float);
  const Memory a_{kRow}, b_{kRow}, out_{kRow}, m_{kRow}, v_{kRow}, step_{64};
  const Memory keys_{kRow * (kSteps + kWarm)}, values_{kRow * (kSteps + kWarm)};
};

struct Case {
  const char* name;
  void (Changing::*step)(int);
};
constexpr Case kCases[] = {
    {"aclnnAdd, another alpha", &Changing::Add},
    {"aclnnAdds, another number", &Changing::Adds},
    {"aclnnMuls, another number", &Changing::Muls},
    {"aclnnInplaceFillScalar, another number", &Changing::Fill},
    {"aclnnDropoutGenMask, another seed", &Changing::Dropout},
    {"a step of Adam by 8 operators, with a schedule", &Changing::Adam},
    {"aclnnApplyAdamWV2, with a schedule", &Changing::FusedAdam},
    {"attention on a cache, another length", &Changing::Decode},
    {"attention on tensors that grow", &Changing::DecodeGrowing},
};

// In parts, of which others on the machine disturb some.
std::vector<std::string> Row(const Case& one) {
  constexpr int kParts = 20, kPart = kSteps / kParts;
  Changing changing;
  int next = 0;
  const auto run = [&](int steps) {
    const double start = Seconds();
    for (int i = 0; i < steps; ++i)
      (changing.*one.step)(next++);
    changing.Wait();
    return (Seconds() - start) * 1e6 / steps;
  };
  run(kWarm);
  const double before = ResidentMegabytes();
  std::vector<double> parts;
  for (int i = 0; i < kParts; ++i)
    parts.push_back(run(kPart));
  return {one.name, fmt::format("{:.2f}", Percentile(parts, 0.5)),
          fmt::format("{:.1f}", ResidentMegabytes() - before)};
}

}  // namespace

void ReportChanging(Report& report) {
  std::vector<std::vector<std::string>> rows;
  for (const Case& one : kCases)
    rows.push_back(Row(one));
  report.Section(
      "Numbers and lengths that change",
      "Steps 11 to 1,010, each with other numbers than all before, on tensors of 16 floats that are "
      "described for each call; attention has 4 heads of 16. Microseconds of a step, the last wait "
      "included, and what the process has grown by, in MiB.");
  report.Table({"step", "µs", "MiB"}, rows);
}

}  // namespace bench
