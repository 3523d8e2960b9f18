// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "onnx_runtime.h"

#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>

namespace bench {
namespace {

// Places in the table.
enum Api {
  kGetErrorMessage = 2,
  kCreateEnv = 3,
  kCreateSessionFromArray = 8,
  kRun = 9,
  kCreateSessionOptions = 10,
  kSetOptimizationLevel = 23,
  kSetIntraOpThreads = 24,
  kCreateTensorWithData = 49,
  kGetTensorData = 51,
  kCreateCpuMemoryInfo = 69,
  kReleaseMemoryInfo = 94,
  kReleaseSession = 95,
  kReleaseValue = 96,
  kReleaseSessionOptions = 100,
  kRunWithBinding = 133,
  kCreateBinding = 134,
  kReleaseBinding = 135,
  kBindInput = 136,
  kBindOutput = 137,
  kRunAsync = 260,
};
constexpr std::uint32_t kVersion = 30;
constexpr int kWarnings = 2;
constexpr int kAllOptimizations = 99;
constexpr int kFloat = 1;
constexpr int kDeviceAllocator = 0;
constexpr int kDefaultMemory = 0;

struct ApiBase {
  const void* const* (*get)(std::uint32_t version);
  const char* (*version)();
};

std::string LibraryPath() {
  if (const char* path = std::getenv("FOOTHOLD_BENCH_ONNXRUNTIME")) return path;
#if defined(__aarch64__)
  const std::string machine = "arm64";
#else
  const std::string machine = "x64";
#endif
  return "build/peers/node_modules/onnxruntime-node/bin/napi-v6/linux/" + machine + "/libonnxruntime.so.1";
}

}  // namespace

std::unique_ptr<OnnxRuntime> OnnxRuntime::Load(std::string& why) {
  void* library = dlopen(LibraryPath().c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    why = "ONNX Runtime is not there (tools/peers.sh brings it where npm is installed)";
    return nullptr;
  }
  const auto base = reinterpret_cast<const ApiBase* (*)()>(dlsym(library, "OrtGetApiBase"))();
  std::unique_ptr<OnnxRuntime> runtime(new OnnxRuntime);
  runtime->table_ = base->get(kVersion);
  runtime->version_ = base->version();
  if (runtime->table_ == nullptr) {
    why = "ONNX Runtime " + runtime->version_ + " is older than the benchmark asks for";
    return nullptr;
  }
  runtime->Call(kCreateEnv, kWarnings + 1, "bench", &runtime->environment_);
  return runtime;
}

template <typename... Arguments>
void OnnxRuntime::Call(int place, Arguments... arguments) {
  const auto function = reinterpret_cast<void* (*)(Arguments...)>(const_cast<void*>(table_[place]));
  void* status = function(arguments...);
  if (status == nullptr) return;
  const auto message = reinterpret_cast<const char* (*)(void*)>(const_cast<void*>(table_[kGetErrorMessage]));
  std::fprintf(stderr, "ONNX Runtime: %s\n", message(status));
  std::exit(1);
}

template <typename... Arguments>
void OnnxRuntime::Release(int place, Arguments... arguments) {
  reinterpret_cast<void (*)(Arguments...)>(const_cast<void*>(table_[place]))(arguments...);
}

OnnxRuntime::Model::Model(OnnxRuntime& runtime, const std::string& bytes, int threads,
                          const std::vector<Input>& inputs, const std::string& output)
    : runtime_(runtime), inputs_(inputs), output_(output), output_name_(output_.c_str()) {
  void* options = nullptr;
  runtime.Call(kCreateSessionOptions, &options);
  runtime.Call(kSetIntraOpThreads, options, threads);
  runtime.Call(kSetOptimizationLevel, options, kAllOptimizations);
  runtime.Call(kCreateSessionFromArray, runtime.environment_, bytes.data(), bytes.size(), options, &session_);
  runtime.Release(kReleaseSessionOptions, options);
  void* memory = nullptr;
  runtime.Call(kCreateCpuMemoryInfo, kDeviceAllocator, kDefaultMemory, &memory);
  runtime.Call(kCreateBinding, session_, &binding_);
  for (Input& input : inputs_) {
    void* value = nullptr;
    runtime.Call(kCreateTensorWithData, memory, static_cast<void*>(input.values.data()),
                 input.values.size() * sizeof(float), input.shape.data(), input.shape.size(), kFloat, &value);
    names_.push_back(input.name.c_str());
    values_.push_back(value);
    runtime.Call(kBindInput, binding_, names_.back(), value);
  }
  runtime.Release(kReleaseMemoryInfo, memory);
  runtime.Call(kRun, session_, static_cast<void*>(nullptr), names_.data(), values_.data(), values_.size(),
               &output_name_, std::size_t{1}, &bound_);
  runtime.Call(kBindOutput, binding_, output_name_, bound_);
}

OnnxRuntime::Model::~Model() {
  runtime_.Release(kReleaseBinding, binding_);
  runtime_.Release(kReleaseValue, bound_);
  for (void* value : values_)
    runtime_.Release(kReleaseValue, value);
  runtime_.Release(kReleaseSession, session_);
}

void OnnxRuntime::Model::Run() {
  void* result = nullptr;
  runtime_.Call(kRun, session_, static_cast<void*>(nullptr), names_.data(), values_.data(), values_.size(),
                &output_name_, std::size_t{1}, &result);
  runtime_.Release(kReleaseValue, result);
}

void OnnxRuntime::Model::RunBound() {
  runtime_.Call(kRunWithBinding, session_, static_cast<void*>(nullptr), binding_);
}

const float* OnnxRuntime::Model::bound_output() {
  void* data = nullptr;
  runtime_.Call(kGetTensorData, bound_, &data);
  return static_cast<const float*>(data);
}

struct OnnxRuntime::Model::Pending {
  Model* model;
  void* result;  // the peer writes it before it calls back
  void (*done)(void*);
  void* argument;
};

void OnnxRuntime::Model::Finished(void* user, void** outputs, std::size_t, void* status) {
  std::unique_ptr<Pending> pending(static_cast<Pending*>(user));
  if (status != nullptr) std::abort();
  pending->model->runtime_.Release(kReleaseValue, outputs[0]);
  pending->done(pending->argument);
}

void OnnxRuntime::Model::RunAsync(void (*done)(void*), void* argument) {
  auto* pending = new Pending{this, nullptr, done, argument};
  runtime_.Call(kRunAsync, session_, static_cast<void*>(nullptr), names_.data(), values_.data(),
                values_.size(), &output_name_, std::size_t{1}, &pending->result, &Finished,
                static_cast<void*>(pending));
}

}  // namespace bench
