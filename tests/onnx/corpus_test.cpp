// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Replays the seeds of the fuzzer of ONNX models, and cut and damaged forms of them, without a fuzzer.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "fuzz/onnx_model_target.h"

namespace foothold {
namespace {

TEST(OnnxFuzzCorpus, Holds) {
  std::size_t seeds = 0;
  const std::string folder = FOOTHOLD_SOURCE_DIR "/tests/fuzz/corpus/onnx_model";
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    std::stringstream text;
    text << std::ifstream(entry.path(), std::ios::binary).rdbuf();
    const std::string seed = text.str();
    FuzzOnnxModel(seed);
    for (std::size_t i = 0; i < seed.size(); ++i) {
      std::string damaged = seed;
      damaged[i] = static_cast<char>(damaged[i] ^ (1 << i % 8));
      FuzzOnnxModel(damaged, false);
      FuzzOnnxModel(seed.substr(0, i), false);
    }
    ++seeds;
  }
  EXPECT_GE(seeds, 14u);
}

}  // namespace
}  // namespace foothold
