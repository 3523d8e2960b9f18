// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "foothold/run_model.h"

#include <ge/ge_api.h>
#include <ge/ge_ir_build.h>
#include <parser/onnx_parser.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <numeric>
#include <string_view>

#include "base/error.h"

namespace foothold::run {
namespace {

using GraphOptions = std::map<ge::AscendString, ge::AscendString>;
using Desc = std::unique_ptr<aclmdlDesc, aclError (*)(aclmdlDesc*)>;

constexpr std::size_t kAllInputs = static_cast<std::size_t>(-1);

void CheckGraph(ge::graphStatus status) {
  if (status != ge::GRAPH_SUCCESS) Fail(kParseFile, "{}", ge::GEGetErrorMsgV2().GetString());
}

Dims DimsOf(const aclmdlIODims& dims) {
  return {dims.dims, dims.dims + dims.dimCount};
}

double Product(const Dims& dims) {
  return std::accumulate(dims.begin(), dims.end(), 1.0,
                         [](double product, std::int64_t dim) { return product * static_cast<double>(dim); });
}

ModelTensor Tensor(const char* name, aclDataType type, const aclmdlIODims& dims) {
  ModelTensor tensor{name, {static_cast<DataType>(type), Format::kNd, DimsOf(dims)}, DimsOf(dims)};
  std::replace_if(
      tensor.usual.begin(), tensor.usual.end(), [](std::int64_t dim) { return dim < 0; }, 1);
  return tensor;
}

// The values that stand where dimensions are open, over all inputs.
Dims OpenValues(const std::vector<ModelTensor>& inputs, const std::vector<TensorValue>& values) {
  Dims open;
  for (std::size_t i = 0; i < inputs.size(); ++i)
    for (std::size_t d = 0; d < inputs[i].type.dims.size(); ++d)
      if (inputs[i].type.dims[d] < 0) open.push_back(values[i].dims()[d]);
  return open;
}

}  // namespace

RunModel::RunModel(const std::string& path, const std::string& dump) {
  if (!std::filesystem::is_regular_file(path))
    Fail(kInvalidFile, "the model '{}' is not there, or no file", path);
  RUN_CHECK(aclInit(nullptr));
  RUN_CHECK(aclrtSetDevice(0));
  if (!dump.empty()) StartDump(dump);
  if (path.ends_with(".onnx"))
    LoadOnnx(path);
  else
    RUN_CHECK(aclmdlLoadFromFile(path.c_str(), &id_));
  Describe();
}

RunModel::~RunModel() {
  in_.reset();
  out_.reset();
  if (id_ != 0) aclmdlUnload(id_);
  if (dumps_) aclmdlFinalizeDump();
  aclrtResetDevice(0);
  aclFinalize();
}

// The API takes the settings as a file.
void RunModel::StartDump(const std::string& folder) {
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  const auto settings = std::filesystem::path(folder) / "dump.json";
  std::ofstream file(settings);
  if (!file)
    Fail(kInvalidFile, "the folder '{}' cannot be written to: {}", folder,
         failed ? failed.message() : std::strerror(errno));
  nlohmann::json section;
  section["dump"]["dump_path"] = std::filesystem::absolute(folder).string();
  section["dump"]["dump_mode"] = "all";
  section["dump"]["dump_list"] = {nlohmann::json::object()};  // all models
  file << section.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) << std::endl;
  RUN_CHECK(aclmdlInitDump());
  dumps_ = true;
  const aclError result = aclmdlSetDump(settings.c_str());
  std::filesystem::remove(settings, failed);
  RUN_CHECK(result);
}

void RunModel::LoadOnnx(const std::string& path) {
  GraphOptions none;
  ge::Graph graph(std::filesystem::path(path).stem().c_str());
  CheckGraph(ge::aclgrphParseONNX(path.c_str(), none, graph));
  CheckGraph(ge::aclgrphBuildInitialize(none));
  ge::ModelBufferData model;
  CheckGraph(ge::aclgrphBuildModel(graph, none, model));
  ge::aclgrphBuildFinalize();
  RUN_CHECK(aclmdlLoadFromMem(model.data.get(), model.length, &id_));
}

void RunModel::Describe() {
  const Desc desc(aclmdlCreateDesc(), &aclmdlDestroyDesc);
  RUN_CHECK(aclmdlGetDesc(desc.get(), id_));
  aclmdlIODims dims{};
  for (std::size_t i = 0; i < aclmdlGetNumInputs(desc.get()); ++i) {
    const char* const name = aclmdlGetInputNameByIndex(desc.get(), i);
    if (std::string_view(name) == ACL_DYNAMIC_TENSOR_NAME) continue;
    RUN_CHECK(aclmdlGetInputDimsV2(desc.get(), i, &dims));
    inputs_.push_back(Tensor(name, aclmdlGetInputDataType(desc.get(), i), dims));
  }
  for (std::size_t i = 0; i < aclmdlGetNumOutputs(desc.get()); ++i) {
    RUN_CHECK(aclmdlGetOutputDims(desc.get(), i, &dims));
    outputs_.push_back(
        Tensor(aclmdlGetOutputNameByIndex(desc.get(), i), aclmdlGetOutputDataType(desc.get(), i), dims));
    output_bytes_.push_back(aclmdlGetOutputSizeByIndex(desc.get(), i));
  }
  DescribeGears(desc.get());
}

void RunModel::DescribeGears(const aclmdlDesc* desc) {
  aclmdlBatch batches{};
  aclmdlHW images{};
  std::size_t count = 0;
  RUN_CHECK(aclmdlGetDynamicBatch(desc, &batches));
  RUN_CHECK(aclmdlGetDynamicHW(desc, kAllInputs, &images));
  std::vector<Dims> gears;
  if (batches.batchCount > 0) {
    gears_ = Gears::kBatch;
    for (std::size_t i = 0; i < batches.batchCount; ++i)
      gears.push_back({static_cast<std::int64_t>(batches.batch[i])});
  } else if (images.hwCount > 0) {
    gears_ = Gears::kImage;
    for (std::size_t i = 0; i < images.hwCount; ++i)
      gears.push_back(
          {static_cast<std::int64_t>(images.hw[i][0]), static_cast<std::int64_t>(images.hw[i][1])});
  } else if (aclmdlGetInputDynamicGearCount(desc, kAllInputs, &count) == ACL_SUCCESS && count > 0) {
    gears_ = Gears::kDims;
    std::vector<aclmdlIODims> all(count);
    RUN_CHECK(aclmdlGetInputDynamicDims(desc, kAllInputs, all.data(), count));
    for (const aclmdlIODims& dims : all)
      gears.push_back(DimsOf(dims));
  }
  if (gears_ != Gears::kNone)
    SetUsual(*std::max_element(gears.begin(), gears.end(),
                               [](const Dims& a, const Dims& b) { return Product(a) < Product(b); }));
}

// `gear` has all dimensions of all inputs, or those that are open in each of them.
void RunModel::SetUsual(const Dims& gear) {
  std::size_t next = 0;
  for (ModelTensor& input : inputs_) {
    if (gears_ != Gears::kDims) next = 0;
    for (std::size_t d = 0; d < input.type.dims.size(); ++d) {
      const bool open = input.type.dims[d] < 0;
      if (open || gears_ == Gears::kDims) input.usual[d] = gear.at(next++);
    }
  }
}

void RunModel::SetInputs(const std::vector<TensorValue>& values) {
  in_.emplace();
  out_.emplace();
  for (const TensorValue& value : values)
    in_->AddCopy(value);
  for (const std::size_t bytes : output_bytes_)
    out_->Add(bytes);
  if (gears_ != Gears::kNone) ChooseGear(values);
}

void RunModel::ChooseGear(const std::vector<TensorValue>& values) {
  const std::size_t index = inputs_.size();  // the hidden input is the last
  const Dims open = OpenValues(inputs_, values);
  aclmdlIODims all{};
  for (const TensorValue& value : values)
    for (const std::int64_t dim : value.dims())
      if (all.dimCount < ACL_MAX_DIM_CNT) all.dims[all.dimCount++] = dim;
  in_->Add(std::max<std::size_t>(all.dimCount, 2) * sizeof(std::int64_t));
  const auto size = [&](std::size_t i) { return static_cast<std::uint64_t>(open.at(i)); };
  if (gears_ == Gears::kBatch)
    RUN_CHECK(aclmdlSetDynamicBatchSize(id_, in_->set(), index, size(0)));
  else if (gears_ == Gears::kImage)
    RUN_CHECK(aclmdlSetDynamicHWSize(id_, in_->set(), index, size(0), size(1)));
  else
    RUN_CHECK(aclmdlSetInputDynamicDims(id_, in_->set(), index, &all));
}

void RunModel::Execute() {
  out_->GiveBack();
  RUN_CHECK(aclmdlExecute(id_, in_->set(), out_->set()));
}

std::vector<TensorValue> RunModel::Outputs() const {
  std::vector<TensorValue> values;
  for (std::size_t i = 0; i < outputs_.size(); ++i)
    values.push_back(out_->Read(i));
  return values;
}

}  // namespace foothold::run
