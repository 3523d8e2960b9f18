// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The sequence of the detection sample with dynamic AIPP: a second input for the parameters found by its
// name, its memory allocated by the program, the parameters made, set and destroyed before the run. The
// picture is smaller than the largest the model was converted for.
#include <unistd.h>

#include <cmath>

#include "acl/acl.h"
#include "clients/samples_aipp_model.h"

namespace {

struct Model {
  uint32_t id = 0;
  aclmdlDesc* desc = nullptr;
  aclmdlDataset *input = nullptr, *output = nullptr;
  std::vector<void*> memory;
};

void AddBuffer(Model& model, aclmdlDataset* set, size_t bytes) {
  void* memory = nullptr;
  REQUIRE(aclrtMalloc(&memory, bytes, ACL_MEM_MALLOC_NORMAL_ONLY) == ACL_SUCCESS);
  model.memory.push_back(memory);
  aclDataBuffer* const buffer = aclCreateDataBuffer(memory, bytes);
  REQUIRE(buffer != nullptr && aclmdlAddDatasetBuffer(set, buffer) == ACL_SUCCESS);
}

void MakeSets(Model& model, const std::vector<uint8_t>& picture) {
  model.input = aclmdlCreateDataset();
  AddBuffer(model, model.input, picture.size());
  REQUIRE(aclrtMemcpy(model.memory[0], picture.size(), picture.data(), picture.size(),
                      ACL_MEMCPY_HOST_TO_DEVICE) == ACL_SUCCESS);
  size_t index = 0;
  REQUIRE(aclmdlGetInputIndexByName(model.desc, ACL_DYNAMIC_AIPP_NAME, &index) == ACL_SUCCESS && index == 1);
  AddBuffer(model, model.input, aclmdlGetInputSizeByIndex(model.desc, index));
  model.output = aclmdlCreateDataset();
  for (size_t i = 0; i < aclmdlGetNumOutputs(model.desc); ++i)
    AddBuffer(model, model.output, aclmdlGetOutputSizeByIndex(model.desc, i));
}

void SetAipp(const Model& model, bool to_bgr) {
  size_t index = 0;
  REQUIRE(aclmdlGetInputIndexByName(model.desc, ACL_DYNAMIC_AIPP_NAME, &index) == ACL_SUCCESS);
  const uint64_t batch = 1;
  aclmdlAIPP* const aipp = aclmdlCreateAIPP(batch);
  REQUIRE(aipp != nullptr);
  REQUIRE(aclmdlSetAIPPSrcImageSize(aipp, kSide, kSide) == ACL_SUCCESS);
  REQUIRE(aclmdlSetAIPPInputFormat(aipp, ACL_YUV420SP_U8) == ACL_SUCCESS);
  const int16_t first = to_bgr ? 516 : 0, last = to_bgr ? 0 : 409;
  REQUIRE(aclmdlSetAIPPCscParams(aipp, 1, 298, first, last, 298, -100, -208, 298, to_bgr ? 0 : 516,
                                 to_bgr ? 409 : 0, 0, 0, 0, 16, 128, 128) == ACL_SUCCESS);
  REQUIRE(aclmdlSetAIPPRbuvSwapSwitch(aipp, 0) == ACL_SUCCESS);
  REQUIRE(aclmdlSetAIPPAxSwapSwitch(aipp, 0) == ACL_SUCCESS);
  const float factor = 0.0039216f;
  for (uint64_t i = 0; i < batch; ++i) {
    REQUIRE(aclmdlSetAIPPDtcPixelMean(aipp, 0, 0, 0, 0, i) == ACL_SUCCESS);
    REQUIRE(aclmdlSetAIPPDtcPixelMin(aipp, 0, 0, 0, 0, i) == ACL_SUCCESS);
    REQUIRE(aclmdlSetAIPPPixelVarReci(aipp, factor, factor, factor, 1, i) == ACL_SUCCESS);
    REQUIRE(aclmdlSetAIPPCropParams(aipp, 0, 0, 0, 416, 416, i) == ACL_SUCCESS);
    REQUIRE(aclmdlSetAIPPScfParams(aipp, 0, 1, 1, 1, 1, i) == ACL_SUCCESS);
    REQUIRE(aclmdlSetAIPPPaddingParams(aipp, 0, 0, 0, 0, 0, i) == ACL_SUCCESS);
  }
  REQUIRE(aclmdlSetInputAIPP(model.id, model.input, index, aipp) == ACL_SUCCESS);
  REQUIRE(aclmdlDestroyAIPP(aipp) == ACL_SUCCESS);
}

std::vector<float> Run(const Model& model) {
  REQUIRE(aclmdlExecute(model.id, model.input, model.output) == ACL_SUCCESS);
  aclDataBuffer* const buffer = aclmdlGetDatasetBuffer(model.output, 0);
  std::vector<float> means(aclGetDataBufferSizeV2(buffer) / sizeof(float));
  REQUIRE(aclrtMemcpy(means.data(), means.size() * sizeof(float), aclGetDataBufferAddr(buffer),
                      means.size() * sizeof(float), ACL_MEMCPY_DEVICE_TO_HOST) == ACL_SUCCESS);
  return means;
}

void Destroy(Model& model) {
  for (aclmdlDataset* set : {model.input, model.output}) {
    for (size_t i = 0; i < aclmdlGetDatasetNumBuffers(set); ++i)
      REQUIRE(aclDestroyDataBuffer(aclmdlGetDatasetBuffer(set, i)) == ACL_SUCCESS);
    REQUIRE(aclmdlDestroyDataset(set) == ACL_SUCCESS);
  }
  for (void* memory : model.memory)
    REQUIRE(aclrtFree(memory) == ACL_SUCCESS);
  REQUIRE(aclmdlDestroyDesc(model.desc) == ACL_SUCCESS);
  REQUIRE(aclmdlUnload(model.id) == ACL_SUCCESS);
}

}  // namespace

int main() {
  const std::string name = "dynamic_aipp_" + std::to_string(getpid());
  ConvertWithAipp(name, "aipp_op {\n  aipp_mode: dynamic\n  max_src_image_size: 752640\n}\n");
  REQUIRE(aclInit(nullptr) == ACL_SUCCESS);
  REQUIRE(aclrtSetDevice(0) == ACL_SUCCESS);
  Model model;
  REQUIRE(aclmdlLoadFromFile((name + ".om").c_str(), &model.id) == ACL_SUCCESS);
  model.desc = aclmdlCreateDesc();
  REQUIRE(model.desc != nullptr && aclmdlGetDesc(model.desc, model.id) == ACL_SUCCESS);
  MakeSets(model, PictureOf(82, 90, 240));  // red
  SetAipp(model, true);
  std::vector<float> means = Run(model);
  REQUIRE(means.size() == 3 && means[0] < 0.01f && means[1] < 0.01f && std::abs(means[2] - 1) < 0.01f);
  SetAipp(model, false);
  means = Run(model);
  REQUIRE(std::abs(means[0] - 1) < 0.01f && means[2] < 0.01f);
  Destroy(model);
  std::remove((name + ".om").c_str());
  REQUIRE(aclrtResetDevice(0) == ACL_SUCCESS);
  REQUIRE(aclFinalize() == ACL_SUCCESS);
  return 0;
}
