// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What the tests of dumps share: a receiver that puts files together from their pieces, the reading of dump
// files with nothing but their public description, and a small model to be dumped.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "acl/acl_dump.h"
#include "conformance/acl_mdl/model_fixture.h"
#include "conformance/config_file.h"

// The files a callback was given, by name. One for the process, as the callback has no argument of its own.
class Received {
 public:
  static Received& Get() {
    static Received received;
    return received;
  }
  void Clear() {
    std::lock_guard<std::mutex> lock(mutex_);
    files_.clear();
    complete_.clear();
    pieces_ = 0;
  }
  static int32_t Take(const acldumpChunk* chunk, int32_t length) {
    EXPECT_EQ(static_cast<size_t>(length), sizeof(acldumpChunk) + chunk->bufLen);
    EXPECT_GT(chunk->bufLen, 0u);
    EXPECT_EQ(chunk->offset, -1);
    EXPECT_EQ(chunk->flag, 0);
    Get().Add(*chunk);
    return 0;
  }
  std::map<std::string, std::string> files() {
    std::lock_guard<std::mutex> lock(mutex_);
    return files_;
  }
  bool AllComplete() {
    std::lock_guard<std::mutex> lock(mutex_);
    return complete_.size() == files_.size();
  }
  size_t pieces() {
    std::lock_guard<std::mutex> lock(mutex_);
    return pieces_;
  }

 private:
  void Add(const acldumpChunk& chunk) {
    std::lock_guard<std::mutex> lock(mutex_);
    EXPECT_EQ(complete_.count(chunk.fileName), 0u) << "a piece after the last of " << chunk.fileName;
    files_[chunk.fileName].append(reinterpret_cast<const char*>(chunk.dataBuf), chunk.bufLen);
    if (chunk.isLastChunk == 1) complete_.insert(chunk.fileName);
    ++pieces_;
  }

  std::mutex mutex_;
  std::map<std::string, std::string> files_;
  std::set<std::string> complete_;
  size_t pieces_ = 0;
};

// Everything behind the message of a dump, and the message.
struct DumpParts {
  explicit DumpParts(const std::string& file) {
    uint64_t length = 0;
    if (file.size() < sizeof length) return;
    std::memcpy(&length, file.data(), sizeof length);
    if (length > file.size() - sizeof length) return;
    message = file.substr(sizeof length, length);
    tensors = file.substr(sizeof length + length);
  }
  Floats AsFloats() const {
    Floats values(tensors.size() / sizeof(float));
    if (!values.empty()) std::memcpy(values.data(), tensors.data(), values.size() * sizeof(float));
    return values;
  }
  std::string message, tensors;
};

// Files below a directory, by path.
inline std::map<std::string, std::string> FilesBelow(const std::string& directory) {
  std::map<std::string, std::string> files;
  if (!std::filesystem::exists(directory)) return files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(directory)) {
    if (!entry.is_regular_file()) continue;
    std::ifstream in(entry.path(), std::ios::binary);
    files[entry.path().string()] =
        std::string(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
  }
  return files;
}

// The one file whose name begins so; empty if there is none or more than one.
inline std::string FileOf(const std::map<std::string, std::string>& files, const std::string& start) {
  std::string found;
  int count = 0;
  for (const auto& [path, bytes] : files) {
    if (std::filesystem::path(path).filename().string().rfind(start, 0) != 0) continue;
    found = bytes;
    ++count;
  }
  EXPECT_EQ(count, 1) << start;
  return count == 1 ? found : "";
}

// A configuration with a directory of its own to dump to.
class DumpFile {
 public:
  explicit DumpFile(const std::string& members)
      : config_("{\"dump\": {\"dump_path\": \"" + directory_.path() + "\"" +
                (members.empty() ? "" : ", " + members) + "}}") {}
  const char* path() const { return config_.path(); }
  const std::string& directory() const { return directory_.path(); }
  std::map<std::string, std::string> Files() const { return FilesBelow(directory_.path()); }

 private:
  TemporaryDirectory directory_;
  ConfigFile config_;
};

constexpr size_t kCount = 1024, kBytes = kCount * sizeof(float);

// (x + 1) * 2, with the intermediate value in the node 'sum'.
inline ge::ModelBufferData DoubleModel() {
  return BuildModel(ScaleGraph({static_cast<int64_t>(kCount)}, 2));
}

// Runs a model of one input and one output of kCount floats.
inline Floats RunOnce(const LoadedModel& model, float x) {
  DeviceSet inputs, outputs;
  inputs.Add(Floats(kCount, x));
  outputs.Add(kBytes);
  EXPECT_OK(aclmdlExecute(model.id(), inputs.get(), outputs.get()));
  return outputs.Read(0, kCount);
}

// Registers the receiver while it lives.
class Receiving {
 public:
  explicit Receiving(int32_t (*take)(const acldumpChunk*, int32_t) = Received::Take) {
    Received::Get().Clear();
    EXPECT_OK(acldumpRegCallback(take, 0));
  }
  ~Receiving() { acldumpUnregCallback(); }
  Receiving(const Receiving&) = delete;
  Receiving& operator=(const Receiving&) = delete;
};
