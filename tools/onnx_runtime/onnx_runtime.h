// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// ONNX Runtime as a peer: its C API, taken from the shared library that the npm package brings along. That
// holds no header, so functions are called by their place in the API's table, which never changes between
// versions. A failed call of the peer is a std::runtime_error with what it says. Used by the benchmarks and
// by `foothold dump diff`.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace peer {

// An ONNX element type (1 float, 7 int64, ...), dimensions and bytes.
struct PeerTensor {
  std::string name;
  int type = 1;
  std::vector<std::int64_t> shape;
  std::vector<std::uint8_t> bytes;

  std::size_t ElementCount() const;
};

// What a session is told before it reads its model; these are the defaults of ONNX Runtime.
struct PeerSettings {
  bool parallel = false;  // independent nodes at once
  bool spinning = true;   // threads that wait for work
  bool memory_pattern = true;
  bool layouts = true;  // the last level of optimisation, which changes layouts too
};

class OnnxRuntime {
 public:
  // From the given file, else where FOOTHOLD_ONNXRUNTIME says, else where tools/peers.sh puts it, else where
  // the system looks for libraries. Null if it is not there; `why` then says what would bring it.
  static std::unique_ptr<OnnxRuntime> Load(std::string& why, const std::string& path = {});
  const std::string& version() const { return version_; }
  static std::size_t SizeOf(int type);  // bytes of an element; 0 if they vary

  // A session. One thread at a time.
  class Model {
   public:
    // From the bytes of a file.
    Model(OnnxRuntime& runtime, const std::string& bytes, int threads, const PeerSettings& settings = {});
    // From the file itself.
    Model(OnnxRuntime& runtime, const std::filesystem::path& file, int threads);
    ~Model();
    Model(const Model&) = delete;
    Model& operator=(const Model&) = delete;

    // Names, types and shapes without bytes; a dimension that may vary is -1.
    std::vector<PeerTensor> Inputs() const;
    const std::vector<std::string>& output_names() const { return output_names_; }
    // What all runs read from now on; runs once, and keeps its outputs for RunBound.
    void Bind(std::vector<PeerTensor> inputs);
    std::vector<PeerTensor> BoundOutputs() const;

    void Run();       // outputs are allocated, and freed again
    void RunBound();  // into the same outputs each time
    // Calls `done(argument)` on a thread of the peer's.
    void RunAsync(void (*done)(void*), void* argument);

   private:
    struct Pending;
    void* MakeOptions(int threads, const PeerSettings& settings) const;
    void ReadOutputNames();
    static void Finished(void* pending, void** outputs, std::size_t count, void* status);
    PeerTensor Describe(void* info) const;
    void RunInto(std::vector<void*>& outputs);
    void Drop(std::vector<void*>& values);

    OnnxRuntime& runtime_;
    void* session_ = nullptr;
    void* binding_ = nullptr;
    std::vector<PeerTensor> inputs_;
    std::vector<std::string> output_names_;
    std::vector<const char*> input_pointers_, output_pointers_;
    std::vector<void*> values_;
    std::vector<void*> bound_;
  };

 private:
  OnnxRuntime() = default;
  template <typename... Arguments>
  void Call(int place, Arguments... arguments) const;
  template <typename... Arguments>
  void Release(int place, Arguments... arguments) const;

  const void* const* table_ = nullptr;
  void* environment_ = nullptr;
  std::string version_;
};

}  // namespace peer
