// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The kernels of tests/kernels, which lie beside this program, and what tests of kernels share.
#pragma once

#include <cstdint>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "conformance/device_fixture.h"

inline std::string FileBesideTests(const char* name) {
  char self[4096] = {};
  const ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
  const std::string path(self, length > 0 ? static_cast<size_t>(length) : 0);
  return path.substr(0, path.rfind('/') + 1) + name;
}

inline std::string KernelFile() {
  return FileBesideTests("test_kernels.so");
}

inline std::vector<char> BytesOf(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// The test kernels, loaded from the file or from memory.
class KernelBinary {
 public:
  explicit KernelBinary(bool from_memory = false) {
    if (from_memory) {
      const std::vector<char> bytes = BytesOf(KernelFile());
      EXPECT_OK(aclrtBinaryLoadFromData(bytes.data(), bytes.size(), nullptr, &handle_));
    } else {
      EXPECT_OK(aclrtBinaryLoadFromFile(KernelFile().c_str(), nullptr, &handle_));
    }
  }
  ~KernelBinary() {
    if (handle_ != nullptr) {
      EXPECT_OK(aclrtBinaryUnLoad(handle_));
    }
  }
  KernelBinary(const KernelBinary&) = delete;
  KernelBinary& operator=(const KernelBinary&) = delete;

  aclrtBinHandle handle() const { return handle_; }
  void Unload() {
    EXPECT_OK(aclrtBinaryUnLoad(handle_));
    handle_ = nullptr;
  }
  aclrtFuncHandle Function(const char* name) const {
    aclrtFuncHandle function = nullptr;
    EXPECT_OK(aclrtBinaryGetFunction(handle_, name, &function));
    return function;
  }

 private:
  aclrtBinHandle handle_ = nullptr;
};

// Launches a kernel whose only argument is one pointer.
inline aclError LaunchOn(aclrtFuncHandle function, uint32_t blocks, const void* pointer, aclrtStream stream,
                         aclrtLaunchKernelCfg* cfg = nullptr) {
  return aclrtLaunchKernelWithHostArgs(function, blocks, stream, cfg, &pointer, sizeof pointer, nullptr, 0);
}
