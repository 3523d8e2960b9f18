// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The sequence of the classification samples: sizes of the model asked for, both kinds of memory allocated by
// the program, the model loaded into it, pictures run one after the other, the best classes read; everything
// given back in the order of the samples.
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "acl/acl.h"
#include "array_ops.h"
#include "clients/check.h"
#include "elewise_calculation_ops.h"
#include "ge/ge_ir_build.h"
#include "matrix_calculation_ops.h"
#include "nn_norm_ops.h"

namespace {

constexpr int64_t kPixels = 16, kClasses = 10;

ge::op::Const Weights() {
  const ge::TensorDesc desc(ge::Shape({kPixels, kClasses}), ge::FORMAT_ND, ge::DT_FLOAT);
  std::vector<float> values(kPixels * kClasses);
  for (int64_t pixel = 0; pixel < kPixels; ++pixel)  // class n looks at pixel n
    for (int64_t of = 0; of < kClasses; ++of)
      values[static_cast<size_t>(pixel * kClasses + of)] = pixel == of ? 1.0f : 0.0f;
  return ge::op::Const("weights").set_attr_value(
      ge::Tensor(desc, reinterpret_cast<const uint8_t*>(values.data()), values.size() * sizeof(float)));
}

// What atc does for the samples.
void Convert(const std::string& name) {
  const ge::TensorDesc desc(ge::Shape({1, kPixels}), ge::FORMAT_ND, ge::DT_FLOAT);
  ge::op::Data picture("data");
  picture.update_input_desc_x(desc);
  picture.update_output_desc_y(desc);
  const ge::op::MatMulV2 scores = ge::op::MatMulV2("scores").set_input_x1(picture).set_input_x2(Weights());
  const ge::op::SoftmaxV2 classes = ge::op::SoftmaxV2("prob").set_input_x(scores);
  std::map<ge::AscendString, ge::AscendString> none;
  REQUIRE(ge::aclgrphBuildInitialize(none) == ge::GRAPH_SUCCESS);
  ge::ModelBufferData model;
  REQUIRE(ge::aclgrphBuildModel(
              ge::Graph("classify").SetInputs({picture}).SetOutputs(std::vector<ge::Operator>{classes}), none,
              model) == ge::GRAPH_SUCCESS);
  REQUIRE(ge::aclgrphSaveModel(name.c_str(), model) == ge::GRAPH_SUCCESS);
  ge::aclgrphBuildFinalize();
}

struct Model {
  uint32_t id = 0;
  size_t work_size = 0, weight_size = 0;
  void *work = nullptr, *weights = nullptr;
  aclmdlDesc* desc = nullptr;
  aclmdlDataset *input = nullptr, *output = nullptr;
  void* input_memory = nullptr;
  aclDataBuffer* input_buffer = nullptr;
};

void Load(Model& model, const std::string& path) {
  REQUIRE(aclmdlQuerySize(path.c_str(), &model.work_size, &model.weight_size) == ACL_SUCCESS);
  REQUIRE(aclrtMalloc(&model.work, model.work_size, ACL_MEM_MALLOC_HUGE_FIRST) == ACL_SUCCESS);
  REQUIRE(aclrtMalloc(&model.weights, model.weight_size, ACL_MEM_MALLOC_HUGE_FIRST) == ACL_SUCCESS);
  REQUIRE(aclmdlLoadFromFileWithMem(path.c_str(), &model.id, model.work, model.work_size, model.weights,
                                    model.weight_size) == ACL_SUCCESS);
  model.desc = aclmdlCreateDesc();
  REQUIRE(model.desc != nullptr && aclmdlGetDesc(model.desc, model.id) == ACL_SUCCESS);
}

void MakeSets(Model& model) {
  const size_t bytes = aclmdlGetInputSizeByIndex(model.desc, 0);
  REQUIRE(aclrtMalloc(&model.input_memory, bytes, ACL_MEM_MALLOC_HUGE_FIRST) == ACL_SUCCESS);
  model.input = aclmdlCreateDataset();
  model.input_buffer = aclCreateDataBuffer(model.input_memory, bytes);
  REQUIRE(aclmdlAddDatasetBuffer(model.input, model.input_buffer) == ACL_SUCCESS);
  model.output = aclmdlCreateDataset();
  for (size_t i = 0; i < aclmdlGetNumOutputs(model.desc); ++i) {
    void* memory = nullptr;
    const size_t size = aclmdlGetOutputSizeByIndex(model.desc, i);
    REQUIRE(aclrtMalloc(&memory, size, ACL_MEM_MALLOC_HUGE_FIRST) == ACL_SUCCESS);
    REQUIRE(aclmdlAddDatasetBuffer(model.output, aclCreateDataBuffer(memory, size)) == ACL_SUCCESS);
  }
}

int64_t Classify(const Model& model, int64_t lit) {
  std::vector<float> picture(kPixels, 0.0f);
  picture[static_cast<size_t>(lit)] = 5;
  const size_t bytes = picture.size() * sizeof(float);
  REQUIRE(aclrtMemcpy(model.input_memory, bytes, picture.data(), bytes, ACL_MEMCPY_HOST_TO_DEVICE) ==
          ACL_SUCCESS);
  REQUIRE(aclmdlExecute(model.id, model.input, model.output) == ACL_SUCCESS);
  aclDataBuffer* const buffer = aclmdlGetDatasetBuffer(model.output, 0);
  std::vector<float> classes(aclGetDataBufferSizeV2(buffer) / sizeof(float));
  REQUIRE(aclrtMemcpy(classes.data(), classes.size() * sizeof(float), aclGetDataBufferAddr(buffer),
                      classes.size() * sizeof(float), ACL_MEMCPY_DEVICE_TO_HOST) == ACL_SUCCESS);
  return std::max_element(classes.begin(), classes.end()) - classes.begin();
}

void Unload(Model& model) {
  REQUIRE(aclmdlUnload(model.id) == ACL_SUCCESS);
  REQUIRE(aclmdlDestroyDesc(model.desc) == ACL_SUCCESS);
  REQUIRE(aclrtFree(model.work) == ACL_SUCCESS && aclrtFree(model.weights) == ACL_SUCCESS);
  REQUIRE(aclmdlDestroyDataset(model.input) == ACL_SUCCESS);
  REQUIRE(aclDestroyDataBuffer(model.input_buffer) == ACL_SUCCESS);
  REQUIRE(aclrtFree(model.input_memory) == ACL_SUCCESS);
  for (size_t i = 0; i < aclmdlGetDatasetNumBuffers(model.output); ++i) {
    aclDataBuffer* const buffer = aclmdlGetDatasetBuffer(model.output, i);
    REQUIRE(aclrtFree(aclGetDataBufferAddr(buffer)) == ACL_SUCCESS);
    REQUIRE(aclDestroyDataBuffer(buffer) == ACL_SUCCESS);
  }
  REQUIRE(aclmdlDestroyDataset(model.output) == ACL_SUCCESS);
}

}  // namespace

int main() {
  const std::string name = "classification_" + std::to_string(getpid());
  Convert(name);
  REQUIRE(aclInit(nullptr) == ACL_SUCCESS);
  REQUIRE(aclrtSetDevice(0) == ACL_SUCCESS);
  aclrtContext context = nullptr;
  aclrtStream stream = nullptr;
  REQUIRE(aclrtCreateContext(&context, 0) == ACL_SUCCESS);
  REQUIRE(aclrtCreateStream(&stream) == ACL_SUCCESS);
  Model model;
  Load(model, name + ".om");
  MakeSets(model);
  for (int64_t lit = 0; lit < kClasses; ++lit)
    REQUIRE(Classify(model, lit) == lit);
  Unload(model);
  std::remove((name + ".om").c_str());
  REQUIRE(aclrtDestroyStream(stream) == ACL_SUCCESS);
  REQUIRE(aclrtDestroyContext(context) == ACL_SUCCESS);
  REQUIRE(aclrtResetDevice(0) == ACL_SUCCESS);
  REQUIRE(aclFinalize() == ACL_SUCCESS);
  return 0;
}
