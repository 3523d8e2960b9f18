// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Tiny versions of the networks of the zoo, as torch exports them, against what torch computes
// (tools/zoo/make_zoo.py --tiny). Within 1e-4 of the largest magnitude of each output. As offline models they
// compute the same bits.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "onnx/onnx_run.h"
#include "zoo/offline_run.h"

namespace foothold {
namespace {

const std::filesystem::path kFolder = FOOTHOLD_SOURCE_DIR "/tests/zoo/tiny";
constexpr double kTolerance = 1e-4;

std::vector<std::string> Networks() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(kFolder))
    names.push_back(entry.path().filename().string());
  return names;
}

double LargestDifference(const ge::Tensor& expected, const ge::Tensor& found) {
  const auto* want = reinterpret_cast<const float*>(expected.GetData());
  const auto* have = reinterpret_cast<const float*>(found.GetData());
  double largest = 0, difference = 0;
  for (std::size_t i = 0; i < expected.GetSize() / sizeof(float); ++i) {
    largest = std::max<double>(largest, std::fabs(want[i]));
    const double here = std::fabs(static_cast<double>(want[i]) - have[i]);
    difference = std::isnan(here) ? INFINITY : std::max(difference, here);
  }
  return difference / largest;
}

class TinyZoo : public testing::TestWithParam<std::string> {};

TEST_P(TinyZoo, ComputesWhatTorchDoes) {
  const std::filesystem::path folder = kFolder / GetParam();
  const std::filesystem::path data = folder / "test_data_set_0";
  const auto found = RunOnnxModel(folder / "model.onnx", ReadTensors(data, "input"));
  const auto expected = ReadTensors(data, "output");
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    ASSERT_EQ(found[i].GetTensorDesc().GetShape().GetDims(),
              expected[i].GetTensorDesc().GetShape().GetDims());
    EXPECT_LE(LargestDifference(expected[i], found[i]), kTolerance) << "output " << i;
  }
}

TEST_P(TinyZoo, GivesTheSameBitsAsAnOfflineModel) {
  const std::string model = kFolder / GetParam() / "model.onnx";
  const auto inputs = ReadTensors(kFolder / GetParam() / "test_data_set_0", "input");
  const auto direct = RunOnnxModel(model, inputs);
  const auto offline = zoo::RunOffline(model, std::filesystem::temp_directory_path(), inputs);
  ASSERT_EQ(offline.size(), direct.size());
  for (std::size_t i = 0; i < direct.size(); ++i)
    EXPECT_EQ(offline[i], zoo::Bytes(direct[i].GetData(), direct[i].GetData() + direct[i].GetSize()))
        << "output " << i;
}

INSTANTIATE_TEST_SUITE_P(Networks, TinyZoo, testing::ValuesIn(Networks()),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace foothold
