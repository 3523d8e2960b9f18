// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "onnx_runtime/onnx_runtime.h"

#include <dlfcn.h>

#include <cstdlib>
#include <iterator>
#include <stdexcept>

namespace peer {
namespace {

// Places in the table.
enum Api {
  kGetErrorMessage = 2,
  kCreateEnv = 3,
  kCreateSession = 7,
  kCreateSessionFromArray = 8,
  kRun = 9,
  kCreateSessionOptions = 10,
  kSetExecutionMode = 13,
  kDisableMemoryPattern = 17,
  kSetOptimizationLevel = 23,
  kSetIntraOpThreads = 24,
  kSetInterOpThreads = 25,
  kGetInputCount = 30,
  kGetOutputCount = 31,
  kGetInputTypeInfo = 33,
  kGetInputName = 36,
  kGetOutputName = 37,
  kCreateTensorWithData = 49,
  kGetTensorData = 51,
  kCastToTensorInfo = 55,
  kGetElementType = 60,
  kGetDimensionsCount = 61,
  kGetDimensions = 62,
  kGetTypeAndShape = 65,
  kCreateCpuMemoryInfo = 69,
  kAllocatorFree = 76,
  kGetDefaultAllocator = 78,
  kReleaseStatus = 93,
  kReleaseMemoryInfo = 94,
  kReleaseSession = 95,
  kReleaseValue = 96,
  kReleaseTypeInfo = 98,
  kReleaseTensorInfo = 99,
  kReleaseSessionOptions = 100,
  kAddConfigEntry = 130,
  kRunWithBinding = 133,
  kCreateBinding = 134,
  kReleaseBinding = 135,
  kBindInput = 136,
  kBindOutput = 137,
  kRunAsync = 260,
};
constexpr std::uint32_t kVersion = 30;
constexpr int kWarnings = 2;
constexpr int kExtendedOptimizations = 2;
constexpr int kAllOptimizations = 99;
constexpr int kParallel = 1;
constexpr int kDeviceAllocator = 0;
constexpr int kDefaultMemory = 0;

struct ApiBase {
  const void* const* (*get)(std::uint32_t version);
  const char* (*version)();
};

std::string PeersPath() {
#if defined(__aarch64__)
  const std::string machine = "arm64";
#else
  const std::string machine = "x64";
#endif
  return "build/peers/node_modules/onnxruntime-node/bin/napi-v6/linux/" + machine + "/libonnxruntime.so.1";
}

void* Open(const std::string& path) {
  const char* const chosen = std::getenv("FOOTHOLD_ONNXRUNTIME");
  if (!path.empty()) return dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (chosen != nullptr) return dlopen(chosen, RTLD_NOW | RTLD_LOCAL);
  void* const library = dlopen(PeersPath().c_str(), RTLD_NOW | RTLD_LOCAL);
  return library != nullptr ? library : dlopen("libonnxruntime.so.1", RTLD_NOW | RTLD_LOCAL);
}

}  // namespace

std::size_t OnnxRuntime::SizeOf(int type) {
  static constexpr std::size_t kSizes[] = {0, 4, 1, 1, 2, 2, 4, 8, 0, 1, 2, 8, 4, 8, 8, 16, 2};
  return static_cast<std::size_t>(type) < std::size(kSizes) ? kSizes[type] : 0;
}

std::size_t PeerTensor::ElementCount() const {
  std::size_t count = 1;
  for (std::int64_t dim : shape)
    count *= static_cast<std::size_t>(dim);
  return count;
}

std::unique_ptr<OnnxRuntime> OnnxRuntime::Load(std::string& why, const std::string& path) {
  void* const library = Open(path);
  if (library == nullptr) {
    const char* const reason = dlerror();
    why = std::string("ONNX Runtime is not there (") + (reason == nullptr ? "" : reason) +
          "); tools/peers.sh brings it where npm is installed, FOOTHOLD_ONNXRUNTIME names the file elsewhere";
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
void OnnxRuntime::Call(int place, Arguments... arguments) const {
  const auto function = reinterpret_cast<void* (*)(Arguments...)>(const_cast<void*>(table_[place]));
  void* status = function(arguments...);
  if (status == nullptr) return;
  const auto message = reinterpret_cast<const char* (*)(void*)>(const_cast<void*>(table_[kGetErrorMessage]));
  const std::string text = message(status);
  Release(kReleaseStatus, status);
  throw std::runtime_error("ONNX Runtime says: " + text);
}

template <typename... Arguments>
void OnnxRuntime::Release(int place, Arguments... arguments) const {
  reinterpret_cast<void (*)(Arguments...)>(const_cast<void*>(table_[place]))(arguments...);
}

void* OnnxRuntime::Model::MakeOptions(int threads, const PeerSettings& settings) const {
  void* options = nullptr;
  runtime_.Call(kCreateSessionOptions, &options);
  runtime_.Call(kSetIntraOpThreads, options, threads);
  runtime_.Call(kSetOptimizationLevel, options,
                settings.layouts ? kAllOptimizations : kExtendedOptimizations);
  if (settings.parallel) {
    runtime_.Call(kSetExecutionMode, options, kParallel);
    runtime_.Call(kSetInterOpThreads, options, threads);
  }
  if (!settings.memory_pattern) runtime_.Call(kDisableMemoryPattern, options);
  if (!settings.spinning) runtime_.Call(kAddConfigEntry, options, "session.intra_op.allow_spinning", "0");
  return options;
}

OnnxRuntime::Model::Model(OnnxRuntime& runtime, const std::string& bytes, int threads,
                          const PeerSettings& settings)
    : runtime_(runtime) {
  void* const options = MakeOptions(threads, settings);
  runtime.Call(kCreateSessionFromArray, runtime.environment_, bytes.data(), bytes.size(), options, &session_);
  runtime.Release(kReleaseSessionOptions, options);
  ReadOutputNames();
}

OnnxRuntime::Model::Model(OnnxRuntime& runtime, const std::filesystem::path& file, int threads)
    : runtime_(runtime) {
  void* const options = MakeOptions(threads, {});
  runtime.Call(kCreateSession, runtime.environment_, file.c_str(), options, &session_);
  runtime.Release(kReleaseSessionOptions, options);
  ReadOutputNames();
}

void OnnxRuntime::Model::ReadOutputNames() {
  void* allocator = nullptr;
  runtime_.Call(kGetDefaultAllocator, &allocator);
  std::size_t count = 0;
  runtime_.Call(kGetOutputCount, session_, &count);
  for (std::size_t i = 0; i < count; ++i) {
    char* name = nullptr;
    runtime_.Call(kGetOutputName, session_, i, allocator, &name);
    output_names_.emplace_back(name);
    runtime_.Call(kAllocatorFree, allocator, static_cast<void*>(name));
  }
  for (const std::string& name : output_names_)
    output_pointers_.push_back(name.c_str());
}

OnnxRuntime::Model::~Model() {
  if (binding_ != nullptr) runtime_.Release(kReleaseBinding, binding_);
  Drop(bound_);
  Drop(values_);
  runtime_.Release(kReleaseSession, session_);
}

void OnnxRuntime::Model::Drop(std::vector<void*>& values) {
  for (void* value : values)
    runtime_.Release(kReleaseValue, value);
  values.clear();
}

PeerTensor OnnxRuntime::Model::Describe(void* info) const {
  PeerTensor tensor;
  std::size_t rank = 0;
  runtime_.Call(kGetElementType, info, &tensor.type);
  runtime_.Call(kGetDimensionsCount, info, &rank);
  tensor.shape.resize(rank);
  runtime_.Call(kGetDimensions, info, tensor.shape.data(), rank);
  return tensor;
}

std::vector<PeerTensor> OnnxRuntime::Model::Inputs() const {
  void* allocator = nullptr;
  runtime_.Call(kGetDefaultAllocator, &allocator);
  std::size_t count = 0;
  runtime_.Call(kGetInputCount, session_, &count);
  std::vector<PeerTensor> inputs;
  for (std::size_t i = 0; i < count; ++i) {
    void* type = nullptr;
    void* info = nullptr;
    runtime_.Call(kGetInputTypeInfo, session_, i, &type);
    runtime_.Call(kCastToTensorInfo, type, &info);
    inputs.push_back(Describe(info));
    runtime_.Release(kReleaseTypeInfo, type);
    char* name = nullptr;
    runtime_.Call(kGetInputName, session_, i, allocator, &name);
    inputs.back().name = name;
    runtime_.Call(kAllocatorFree, allocator, static_cast<void*>(name));
  }
  return inputs;
}

void OnnxRuntime::Model::Bind(std::vector<PeerTensor> inputs) {
  inputs_ = std::move(inputs);
  void* memory = nullptr;
  runtime_.Call(kCreateCpuMemoryInfo, kDeviceAllocator, kDefaultMemory, &memory);
  runtime_.Call(kCreateBinding, session_, &binding_);
  for (PeerTensor& input : inputs_) {
    void* value = nullptr;
    runtime_.Call(kCreateTensorWithData, memory, static_cast<void*>(input.bytes.data()), input.bytes.size(),
                  input.shape.data(), input.shape.size(), input.type, &value);
    input_pointers_.push_back(input.name.c_str());
    values_.push_back(value);
    runtime_.Call(kBindInput, binding_, input_pointers_.back(), value);
  }
  runtime_.Release(kReleaseMemoryInfo, memory);
  RunInto(bound_);
  for (std::size_t i = 0; i < bound_.size(); ++i)
    runtime_.Call(kBindOutput, binding_, output_pointers_[i], bound_[i]);
}

std::vector<PeerTensor> OnnxRuntime::Model::BoundOutputs() const {
  std::vector<PeerTensor> outputs;
  for (std::size_t i = 0; i < bound_.size(); ++i) {
    void* info = nullptr;
    void* data = nullptr;
    runtime_.Call(kGetTypeAndShape, bound_[i], &info);
    outputs.push_back(Describe(info));
    runtime_.Release(kReleaseTensorInfo, info);
    runtime_.Call(kGetTensorData, bound_[i], &data);
    outputs.back().name = output_names_[i];
    const auto* bytes = static_cast<const std::uint8_t*>(data);
    outputs.back().bytes.assign(bytes, bytes + outputs.back().ElementCount() * SizeOf(outputs.back().type));
  }
  return outputs;
}

void OnnxRuntime::Model::RunInto(std::vector<void*>& outputs) {
  outputs.assign(output_pointers_.size(), nullptr);
  runtime_.Call(kRun, session_, static_cast<void*>(nullptr), input_pointers_.data(), values_.data(),
                values_.size(), output_pointers_.data(), output_pointers_.size(), outputs.data());
}

void OnnxRuntime::Model::Run() {
  std::vector<void*> outputs;
  RunInto(outputs);
  Drop(outputs);
}

void OnnxRuntime::Model::RunBound() {
  runtime_.Call(kRunWithBinding, session_, static_cast<void*>(nullptr), binding_);
}

struct OnnxRuntime::Model::Pending {
  Model* model;
  std::vector<void*> outputs;  // the peer writes them before it calls back
  void (*done)(void*);
  void* argument;
};

void OnnxRuntime::Model::Finished(void* user, void**, std::size_t, void* status) {
  std::unique_ptr<Pending> pending(static_cast<Pending*>(user));
  if (status != nullptr) std::abort();
  pending->model->Drop(pending->outputs);
  pending->done(pending->argument);
}

void OnnxRuntime::Model::RunAsync(void (*done)(void*), void* argument) {
  auto* pending = new Pending{this, std::vector<void*>(output_pointers_.size(), nullptr), done, argument};
  runtime_.Call(kRunAsync, session_, static_cast<void*>(nullptr), input_pointers_.data(), values_.data(),
                values_.size(), output_pointers_.data(), output_pointers_.size(), pending->outputs.data(),
                &Finished, static_cast<void*>(pending));
}

}  // namespace peer
