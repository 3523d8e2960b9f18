// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The second half of the classification sample that decodes its pictures: what resizing has left in memory
// for pictures is the input of a network with static AIPP, one picture after the other.
#include <unistd.h>

#include <algorithm>

#include "acl/acl.h"
#include "acl/ops/acl_dvpp.h"
#include "clients/samples_aipp_model.h"

namespace {

// As the sample's file: full-range colours as JPEG has them, to red, green and blue.
constexpr char kSettings[] = R"(aipp_op {
    aipp_mode: static
    input_format : YUV420SP_U8
    csc_switch : true
    rbuv_swap_switch : false
    min_chn_0 : 123.675
    min_chn_1 : 116.28
    min_chn_2 : 103.53
    var_reci_chn_0: 0.0171247538316637
    var_reci_chn_1: 0.0175070028011204
    var_reci_chn_2: 0.0174291938997821
    matrix_r0c0 : 256
    matrix_r0c1 : 0
    matrix_r0c2 : 359
    matrix_r1c0 : 256
    matrix_r1c1 : -88
    matrix_r1c2 : -183
    matrix_r2c0 : 256
    matrix_r2c1 : 454
    matrix_r2c2 : 0
    input_bias_0 : 0
    input_bias_1 : 128
    input_bias_2 : 128
}
)";

struct Sample {
  aclrtContext context = nullptr;
  aclrtStream stream = nullptr;
  uint32_t model = 0;
  aclmdlDesc* desc = nullptr;
  aclmdlDataset *input = nullptr, *output = nullptr;
  aclDataBuffer *input_buffer = nullptr, *output_buffer = nullptr;
  void *picture = nullptr, *result = nullptr;
  size_t picture_bytes = 0, result_bytes = 0;
};

void Start(Sample& sample, const std::string& path) {
  REQUIRE(aclInit(nullptr) == ACL_SUCCESS);
  REQUIRE(aclrtSetDevice(0) == ACL_SUCCESS);
  REQUIRE(aclrtCreateContext(&sample.context, 0) == ACL_SUCCESS);
  REQUIRE(aclrtCreateStream(&sample.stream) == ACL_SUCCESS);
  aclrtRunMode mode;
  REQUIRE(aclrtGetRunMode(&mode) == ACL_SUCCESS);
  REQUIRE(aclmdlLoadFromFile(path.c_str(), &sample.model) == ACL_SUCCESS);
  sample.desc = aclmdlCreateDesc();
  REQUIRE(aclmdlGetDesc(sample.desc, sample.model) == ACL_SUCCESS);
  sample.result_bytes = aclmdlGetOutputSizeByIndex(sample.desc, 0);
  REQUIRE(aclrtMalloc(&sample.result, sample.result_bytes, ACL_MEM_MALLOC_HUGE_FIRST) == ACL_SUCCESS);
  sample.output_buffer = aclCreateDataBuffer(sample.result, sample.result_bytes);
  sample.output = aclmdlCreateDataset();
  REQUIRE(aclmdlAddDatasetBuffer(sample.output, sample.output_buffer) == ACL_SUCCESS);
}

// What decoding and resizing leave.
void MakePicture(Sample& sample, const std::vector<uint8_t>& bytes) {
  sample.picture_bytes = bytes.size();
  REQUIRE(aclmdlGetInputSizeByIndex(sample.desc, 0) == bytes.size());
  REQUIRE(acldvppMalloc(&sample.picture, bytes.size()) == ACL_SUCCESS);
  REQUIRE(aclrtMemcpy(sample.picture, bytes.size(), bytes.data(), bytes.size(), ACL_MEMCPY_HOST_TO_DEVICE) ==
          ACL_SUCCESS);
}

std::ptrdiff_t Infer(Sample& sample) {
  sample.input = aclmdlCreateDataset();
  sample.input_buffer = aclCreateDataBuffer(sample.picture, sample.picture_bytes);
  REQUIRE(aclmdlAddDatasetBuffer(sample.input, sample.input_buffer) == ACL_SUCCESS);
  REQUIRE(aclmdlExecute(sample.model, sample.input, sample.output) == ACL_SUCCESS);
  std::vector<float> scores(sample.result_bytes / sizeof(float));
  REQUIRE(aclrtMemcpy(scores.data(), sample.result_bytes, sample.result, sample.result_bytes,
                      ACL_MEMCPY_DEVICE_TO_HOST) == ACL_SUCCESS);
  REQUIRE(aclDestroyDataBuffer(sample.input_buffer) == ACL_SUCCESS);
  REQUIRE(aclmdlDestroyDataset(sample.input) == ACL_SUCCESS);
  REQUIRE(acldvppFree(sample.picture) == ACL_SUCCESS);
  return std::max_element(scores.begin(), scores.end()) - scores.begin();
}

void End(Sample& sample) {
  REQUIRE(aclrtFree(sample.result) == ACL_SUCCESS);
  REQUIRE(aclDestroyDataBuffer(sample.output_buffer) == ACL_SUCCESS);
  REQUIRE(aclmdlDestroyDataset(sample.output) == ACL_SUCCESS);
  REQUIRE(aclmdlDestroyDesc(sample.desc) == ACL_SUCCESS);
  REQUIRE(aclmdlUnload(sample.model) == ACL_SUCCESS);
  REQUIRE(aclrtDestroyStream(sample.stream) == ACL_SUCCESS);
  REQUIRE(aclrtDestroyContext(sample.context) == ACL_SUCCESS);
  REQUIRE(aclrtResetDevice(0) == ACL_SUCCESS);
  REQUIRE(aclFinalize() == ACL_SUCCESS);
}

}  // namespace

int main() {
  const std::string name = "resnet_aipp_" + std::to_string(getpid());
  ConvertWithAipp(name, kSettings);
  Sample sample;
  Start(sample, name + ".om");
  const uint8_t colours[3][3] = {{76, 85, 255}, {150, 44, 21}, {29, 255, 107}};  // red, green, blue
  for (std::ptrdiff_t i = 0; i < 3; ++i) {
    MakePicture(sample, PictureOf(colours[i][0], colours[i][1], colours[i][2]));
    REQUIRE(Infer(sample) == i);
  }
  End(sample);
  std::remove((name + ".om").c_str());
  return 0;
}
