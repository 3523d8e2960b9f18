// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "onnx/reader.h"

#include <dlfcn.h>

#include <filesystem>
#include <string>
#include <string_view>

#include "base/error.h"
#include "ir/stored_weight.h"
#include "ir/weight_memory.h"
#include "onnx/mapping.h"

namespace foothold::onnx {
namespace {

constexpr const char* kLibrary = "libfoothold_onnx.so";

std::string LibraryPath() {
  Dl_info info{};
  static const int here = 0;
  if (dladdr(&here, &info) == 0 || info.dli_fname == nullptr) return kLibrary;
  std::error_code error;
  // A program found on PATH is known to the loader by the name it was called with.
  const bool is_path = std::string_view(info.dli_fname).find('/') != std::string_view::npos;
  const auto self = std::filesystem::canonical(is_path ? info.dli_fname : "/proc/self/exe", error);
  if (error) return kLibrary;
  // Beside this library; programs that have the library inside stand in bin.
  for (const char* folder : {"", "../lib64", "../lib"}) {
    const auto path = self.parent_path() / folder / kLibrary;
    if (std::filesystem::exists(path, error)) return path.lexically_normal().string();
  }
  return (self.parent_path() / kLibrary).string();
}

ReadFunction Load() {
  const std::string path = LibraryPath();
  // Never unloaded: values it made may live on.
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (library == nullptr) {
    const char* why = dlerror();
    Fail(kApiNotSupport, "ONNX models cannot be read, because {} cannot be loaded: {}", path,
         why == nullptr ? "no reason given" : why);
  }
  void* function = dlsym(library, kReadFunction);
  if (function == nullptr)
    Fail(kApiNotSupport, "ONNX models cannot be read, because {} is of another version", path);
  return reinterpret_cast<ReadFunction>(function);
}

}  // namespace

std::shared_ptr<const Model> ReadModel(ReadRequest request) {
  static const ReadFunction read = Load();  // tried again after a failure
  request.covered = [](std::string_view domain, std::string_view op, int version) {
    return FindMapping(domain, op, version) != nullptr;
  };
  request.allocate = [](std::size_t size) { return AllocateWeights(size); };
  request.read_weight = ReadWeight;
  ReadAnswer answer;
  read(request, answer);
  if (!answer.model) throw Error(answer.code, answer.message, answer.text_code);
  return answer.model;
}

}  // namespace foothold::onnx
