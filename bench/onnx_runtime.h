// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// ONNX Runtime as a peer: its C API, taken from the shared library that the npm package brings along. That
// holds no header, so functions are called by their place in the API's table, which never changes between
// versions.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace bench {

class OnnxRuntime {
 public:
  // Null if the library is not there; `why` then says what would bring it.
  static std::unique_ptr<OnnxRuntime> Load(std::string& why);
  std::string version() const { return version_; }

  struct Input {
    std::string name;
    std::vector<std::int64_t> shape;
    std::vector<float> values;
  };

  // A session with its inputs bound for good. One thread at a time.
  class Model {
   public:
    Model(OnnxRuntime& runtime, const std::string& bytes, int threads, const std::vector<Input>& inputs,
          const std::string& output);
    ~Model();
    Model(const Model&) = delete;
    Model& operator=(const Model&) = delete;

    void Run();       // the output is allocated, and freed again
    void RunBound();  // into the same output each time
    const float* bound_output();
    // Calls `done(argument)` on a thread of the peer's.
    void RunAsync(void (*done)(void*), void* argument);

   private:
    struct Pending;
    static void Finished(void* pending, void** outputs, std::size_t count, void* status);

    OnnxRuntime& runtime_;
    void* session_ = nullptr;
    void* binding_ = nullptr;
    void* bound_ = nullptr;
    std::vector<Input> inputs_;
    std::vector<const char*> names_;
    std::vector<void*> values_;
    std::string output_;
    const char* output_name_ = nullptr;
  };

 private:
  OnnxRuntime() = default;
  template <typename... Arguments>
  void Call(int place, Arguments... arguments);
  template <typename... Arguments>
  void Release(int place, Arguments... arguments);

  const void* const* table_ = nullptr;
  void* environment_ = nullptr;
  std::string version_;
};

}  // namespace bench
