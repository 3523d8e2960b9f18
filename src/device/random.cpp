// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "device/random.h"

#include <fmt/format.h>

#include <bit>
#include <cstring>
#include <memory>

#include "base/error.h"
#include "device/memory_map.h"
#include "device/task.h"
#include "kernels/half_float.h"

namespace foothold {
namespace {

constexpr std::size_t kCounterBytes = 8;

int ParametersOf(Distribution distribution) {
  return distribution == Distribution::kDropoutMask ? 1 : 2;
}

void CheckParameter(RandomParameter& parameter, const char* name) {
  if (!std::has_single_bit(parameter.bytes) || parameter.bytes > 8) {
    Fail(kRtParamInvalid, "{} must have 1, 2, 4 or 8 bytes; it has {}", name, parameter.bytes);
  }
  if (!parameter.by_address) return;
  parameter.serial =
      CheckDeviceRange(parameter.address, parameter.bytes, kRtParamInvalid, name, Use::kRead).serial;
}

std::uint64_t Read(const RandomParameter& parameter, const char* name) {
  std::uint64_t bits = 0;
  if (!parameter.by_address) {
    std::memcpy(&bits, &parameter.bits, parameter.bytes);
    return bits;
  }
  const void* const from =
      RecheckRange(parameter.address, parameter.bytes, Use::kRead, parameter.serial, name);
  std::memcpy(&bits, from, parameter.bytes);
  return bits;
}

double ReadReal(const RandomParameter& parameter, RandomType type, const char* name) {
  const std::uint64_t bits = Read(parameter, name);
  if (parameter.bytes == 8) return std::bit_cast<double>(bits);
  if (parameter.bytes == 4) return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
  const auto half = static_cast<std::uint16_t>(bits);
  return type == RandomType::kBFloat16 ? FloatFromBFloat16(half) : FloatFromFloat16(half);
}

std::int64_t ReadInteger(const RandomParameter& parameter, RandomType type, const char* name) {
  const std::uint64_t bits = Read(parameter, name);
  if (type == RandomType::kUint32 || type == RandomType::kUint64) return static_cast<std::int64_t>(bits);
  const int unused = 64 - 8 * parameter.bytes;
  return static_cast<std::int64_t>(bits << unused) >> unused;
}

std::size_t OutputBytes(const RandomRequest& request, std::uint64_t count) {
  if (request.distribution == Distribution::kDropoutMask) return count / 8 + (count % 8 != 0);
  if (count > SIZE_MAX / SizeOf(request.type)) Fail(kRtSysDma, "{} random numbers fit no memory", count);
  return count * SizeOf(request.type);
}

std::uint64_t Uniform(const RandomRequest& r, void* out, std::uint64_t count, RandomState state) {
  if (IsFloating(r.type)) {
    const double low = ReadReal(r.parameters[0], r.type, "min");
    return RandomUniform(out, count, r.type, low, ReadReal(r.parameters[1], r.type, "max"), state);
  }
  const std::int64_t low = ReadInteger(r.parameters[0], r.type, "min");
  const std::int64_t high = ReadInteger(r.parameters[1], r.type, "max");
  return RandomUniformIntegers(out, count, r.type, low,
                               static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low), state);
}

std::uint64_t Generate(const RandomRequest& r, void* out, std::uint64_t count, RandomState state) {
  switch (r.distribution) {
    case Distribution::kDropoutMask: {
      const double dropped = ReadReal(r.parameters[0], r.type, "dropoutRation");
      return RandomMask(static_cast<std::uint8_t*>(out), count, 1.0 - dropped, state);
    }
    case Distribution::kUniform:
      return Uniform(r, out, count, state);
    case Distribution::kNormal:
    case Distribution::kTruncatedNormal: {
      const double mean = ReadReal(r.parameters[0], r.type, "mean");
      const double deviation = ReadReal(r.parameters[1], r.type, "stddev");
      return RandomNormal(out, count, r.type, mean, deviation,
                          r.distribution == Distribution::kTruncatedNormal, state);
    }
  }
  return 0;
}

struct RandomTaskState {
  RandomRequest request;
  Access out;  // partial where device memory says how many numbers
  std::uint64_t counter_serial;
};

class RandomTask {
 public:
  // The next one goes on in the sequence where there is a counter, and gives the same numbers where there is
  // none.
  static constexpr bool kReplays = true;

  explicit RandomTask(const RandomTaskState& state)
      : state_(std::make_shared<const RandomTaskState>(state)) {}
  Outcome Run(Stream&) {
    const RandomRequest& request = state_->request;
    const std::uint64_t count = Read(request.count, "randomNum");
    void* const out = RecheckRange(request.out, OutputBytes(request, count), Use::kWrite, state_->out.serial,
                                   "randomResultAddr");
    RandomState position{Read(request.seed, "randomSeed"), 0};
    if (request.counter == nullptr) {
      Generate(request, out, count, position);
      return Outcome::kDone;
    }
    void* const counter = RecheckRange(request.counter, kCounterBytes, Use::kWrite, state_->counter_serial,
                                       "randomCounterAddr");
    std::memcpy(&position.counter, counter, kCounterBytes);
    position.counter += Generate(request, out, count, position);
    std::memcpy(counter, &position.counter, kCounterBytes);
    return Outcome::kDone;
  }
  std::string Describe() const { return fmt::format("randomResultAddr={}", state_->request.out); }
  void ListAccesses(std::vector<Access>& list) const {
    const RandomRequest& request = state_->request;
    for (int i = 0; i < ParametersOf(request.distribution); ++i)
      ListParameter(request.parameters[i], list);
    ListParameter(request.seed, list);
    ListParameter(request.count, list);
    for (const Use use : {Use::kRead, Use::kWrite})
      if (request.counter != nullptr)
        list.push_back({request.counter, kCounterBytes, use, Extent::kExact, state_->counter_serial});
    list.push_back(state_->out);
  }
  Place place() const { return {Place::kUnhurried}; }

 private:
  static void ListParameter(const RandomParameter& parameter, std::vector<Access>& list) {
    if (!parameter.by_address) return;
    list.push_back({parameter.address, parameter.bytes, Use::kRead, Extent::kExact, parameter.serial});
  }

  std::shared_ptr<const RandomTaskState> state_;
};

}  // namespace

void PushRandom(const StreamRef& stream, const char* api, RandomRequest request) {
  for (int i = 0; i < ParametersOf(request.distribution); ++i) {
    CheckParameter(request.parameters[i], "a parameter of the distribution");
  }
  CheckParameter(request.seed, "randomSeed");
  CheckParameter(request.count, "randomNum");
  const bool needs_real =
      request.distribution == Distribution::kNormal || request.distribution == Distribution::kTruncatedNormal;
  if (needs_real && !IsFloating(request.type)) {
    Fail(kRtParamInvalid, "a normal distribution needs a floating-point data type");
  }
  const bool asked = request.count.by_address;
  const std::size_t known = asked ? 1 : OutputBytes(request, Read(request.count, "randomNum"));
  const MemoryUse use = CheckDeviceRange(request.out, known, kRtParamInvalid, "randomResultAddr");
  const Access out{request.out, asked ? ReachOf(request.out) : known, Use::kWrite,
                   asked ? Extent::kPartial : Extent::kExact, use.serial};
  std::uint64_t counter = 0;
  if (request.counter != nullptr) {
    counter = CheckDeviceRange(request.counter, kCounterBytes, kRtParamInvalid, "randomCounterAddr").serial;
  }
  stream.Push(api, RandomTask({request, out, counter}));
}

}  // namespace foothold
