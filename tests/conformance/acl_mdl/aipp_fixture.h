// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What the tests of image preprocessing share: a network that shows what it is given, built with a
// configuration file.
#pragma once

#include <unistd.h>

#include <cstdio>
#include <string>
#include <vector>

#include "conformance/acl_mdl/model_fixture.h"

using Pixels = std::vector<uint8_t>;

// y = -x, of a picture of 3 channels, 4 rows and 6 columns.
inline ge::Graph PictureGraph(const Dims& dims = {1, 3, 4, 6}) {
  const ge::op::Data x = FloatData("x", 0, dims);
  const ge::op::Neg y = ge::op::Neg("y").set_input_x(x);
  return ge::Graph("picture").SetInputs({x}).SetOutputs(std::vector<ge::Operator>{y});
}

// A file with this text, while it lives.
class AippFile {
 public:
  explicit AippFile(const std::string& text)
      : path_(testing::TempDir() + "aipp_" + std::to_string(getpid()) + ".cfg") {
    FILE* file = std::fopen(path_.c_str(), "w");
    EXPECT_EQ(std::fwrite(text.data(), 1, text.size(), file), text.size());
    std::fclose(file);
  }
  ~AippFile() { std::remove(path_.c_str()); }
  AippFile(const AippFile&) = delete;
  AippFile& operator=(const AippFile&) = delete;

  const std::string& path() const { return path_; }
  GeOptions Options(GeOptions more = {}) const {
    more[ge::ir_option::INSERT_OP_FILE] = path_.c_str();
    return more;
  }

 private:
  std::string path_;
};

inline ge::ModelBufferData AippModel(const std::string& fields, const GeOptions& more = {},
                                     const ge::Graph& graph = PictureGraph()) {
  return BuildModel(graph, AippFile("aipp_op {\n" + fields + "\n}\n").Options(more));
}

inline void AddPixels(DeviceSet& set, const Pixels& pixels) {
  void* memory = nullptr;
  EXPECT_OK(aclrtMalloc(&memory, pixels.size(), ACL_MEM_MALLOC_HUGE_FIRST));
  EXPECT_OK(aclrtMemcpy(memory, pixels.size(), pixels.data(), pixels.size(), ACL_MEMCPY_HOST_TO_DEVICE));
  set.AddBuffer(memory, pixels.size());
}

inline Pixels Ramp(size_t count) {
  Pixels pixels(count);
  for (size_t i = 0; i < count; ++i)
    pixels[i] = static_cast<uint8_t>(i * 7);
  return pixels;
}
