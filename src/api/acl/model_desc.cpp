// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <fmt/format.h>

#include <cstring>

#include "acl/acl_mdl.h"
#include "api/acl/model_desc.h"
#include "api/acl/model_source.h"
#include "model/loaded_models.h"

namespace foothold {
namespace {

enum class Side { kInput, kOutput };

const ModelView& Find(const aclmdlDesc* desc) {
  return ModelDescs::Get().Find(desc);
}

const ModelView::Port& PortAt(const aclmdlDesc* desc, std::size_t index, Side side) {
  const ModelView& view = Find(desc);
  const auto& ports = side == Side::kInput ? view.inputs() : view.outputs();
  if (index < ports.size()) return ports[index];
  Fail(kInvalidParam, "the model '{}' has {} {}, and index {} is none of them", view.description().name,
       ports.size(), side == Side::kInput ? "inputs" : "outputs", index);
}

std::size_t IndexOf(const aclmdlDesc* desc, const char* name, Side side) {
  CheckNotNull(name, "name", kInvalidParam);
  const ModelView& view = Find(desc);
  const auto& ports = side == Side::kInput ? view.inputs() : view.outputs();
  std::string names;
  for (std::size_t i = 0; i < ports.size(); ++i) {
    if (ports[i].name == name || ports[i].real_name == name) return i;
    names += fmt::format("{}'{}'", i == 0 ? "" : ", ", ports[i].name);
  }
  Fail(kInvalidParam, "the model '{}' has no {} '{}'; there are {}", view.description().name,
       side == Side::kInput ? "input" : "output", name, names.empty() ? "none" : names);
}

const char* RealName(const ModelView& view, std::string_view name) {
  for (const auto* ports : {&view.inputs(), &view.outputs()})
    for (const ModelView::Port& port : *ports)
      if (port.name == name || port.real_name == name) return port.real_name.c_str();
  Fail(kInvalidParam, "no input or output of the model '{}' is named '{}'", view.description().name, name);
}

// [3]abc[2]de: the form programs that read dumps know.
std::string OriginalNames(const Node& node) {
  const Attribute* names = node.FindAttribute(ACL_ATTR_NAME_DATA_DUMP_ORIGIN_OP_NAMES);
  std::string text;
  if (names == nullptr) return text;
  const auto* list = std::get_if<std::vector<std::string>>(names);
  if (list == nullptr)
    Fail(kInvalidParam, "the original names of {} are no list of texts", node.Description());
  for (const std::string& name : *list)
    text += fmt::format("[{}]{}", name.size(), name);
  return text;
}

void Read(aclmdlDesc* desc, const std::shared_ptr<const OmFile>& file) {
  ModelDescs::Get().Find(desc) = ModelView(ReadDescription(*file), std::nullopt);
}

}  // namespace

void PutDims(const std::string& name, const Dims& dims, aclmdlIODims* out) {
  if (dims.size() > ACL_MAX_DIM_CNT)
    Fail(kInvalidParam, "'{}' has {} dimensions, and the structure holds {}", name, dims.size(),
         ACL_MAX_DIM_CNT);
  std::memset(out, 0, sizeof *out);
  name.copy(out->name, sizeof out->name - 1);
  out->dimCount = dims.size();
  std::copy(dims.begin(), dims.end(), out->dims);
}

}  // namespace foothold

using namespace foothold;

aclmdlDesc* aclmdlCreateDesc() {
  return GuardValue(FOOTHOLD_CALL(), static_cast<aclmdlDesc*>(nullptr),
                    [&] { return static_cast<aclmdlDesc*>(ModelDescs::Get().Add({})); });
}

aclError aclmdlDestroyDesc(aclmdlDesc* modelDesc) {
  return Guard(FOOTHOLD_RELEASE(modelDesc), [&] { ModelDescs::Get().Remove(modelDesc); });
}

aclError aclmdlGetDesc(aclmdlDesc* modelDesc, uint32_t modelId) {
  return Guard(FOOTHOLD_CALL(modelDesc, modelId), [&] {
    ModelView& view = ModelDescs::Get().Find(modelDesc);
    view = ModelView(LoadedModels::Get().Find(modelId)->description(), modelId);
  });
}

aclError aclmdlGetDescFromFile(aclmdlDesc* modelDesc, const char* modelPath) {
  return Guard(FOOTHOLD_CALL(modelDesc, modelPath), [&] { Read(modelDesc, OpenModel(modelPath)); });
}

aclError aclmdlGetDescFromMem(aclmdlDesc* modelDesc, const void* model, size_t modelSize) {
  return Guard(FOOTHOLD_CALL(modelDesc, model, modelSize),
               [&] { Read(modelDesc, ReadModel(model, modelSize)); });
}

size_t aclmdlGetNumInputs(aclmdlDesc* modelDesc) {
  return GuardValue(FOOTHOLD_CALL(modelDesc), size_t{0}, [&] { return Find(modelDesc).inputs().size(); });
}

size_t aclmdlGetNumOutputs(aclmdlDesc* modelDesc) {
  return GuardValue(FOOTHOLD_CALL(modelDesc), size_t{0}, [&] { return Find(modelDesc).outputs().size(); });
}

const char* aclmdlGetInputNameByIndex(const aclmdlDesc* modelDesc, size_t index) {
  return GuardValue(FOOTHOLD_CALL(modelDesc, index), "",
                    [&] { return PortAt(modelDesc, index, Side::kInput).name.c_str(); });
}

const char* aclmdlGetOutputNameByIndex(const aclmdlDesc* modelDesc, size_t index) {
  return GuardValue(FOOTHOLD_CALL(modelDesc, index), "",
                    [&] { return PortAt(modelDesc, index, Side::kOutput).name.c_str(); });
}

aclError aclmdlGetInputIndexByName(const aclmdlDesc* modelDesc, const char* name, size_t* index) {
  return Guard(FOOTHOLD_CALL(modelDesc, name, index), [&] {
    CheckNotNull(index, "index", kInvalidParam);
    *index = IndexOf(modelDesc, name, Side::kInput);
  });
}

aclError aclmdlGetOutputIndexByName(const aclmdlDesc* modelDesc, const char* name, size_t* index) {
  return Guard(FOOTHOLD_CALL(modelDesc, name, index), [&] {
    CheckNotNull(index, "index", kInvalidParam);
    *index = IndexOf(modelDesc, name, Side::kOutput);
  });
}

size_t aclmdlGetInputSizeByIndex(aclmdlDesc* modelDesc, size_t index) {
  return GuardValue(FOOTHOLD_CALL(modelDesc, index), size_t{0},
                    [&] { return PortAt(modelDesc, index, Side::kInput).bytes; });
}

size_t aclmdlGetOutputSizeByIndex(aclmdlDesc* modelDesc, size_t index) {
  return GuardValue(FOOTHOLD_CALL(modelDesc, index), size_t{0},
                    [&] { return PortAt(modelDesc, index, Side::kOutput).bytes; });
}

aclFormat aclmdlGetInputFormat(const aclmdlDesc* modelDesc, size_t index) {
  return GuardValue(FOOTHOLD_CALL(modelDesc, index), ACL_FORMAT_UNDEFINED, [&] {
    return static_cast<aclFormat>(PortAt(modelDesc, index, Side::kInput).type.format);
  });
}

aclFormat aclmdlGetOutputFormat(const aclmdlDesc* modelDesc, size_t index) {
  return GuardValue(FOOTHOLD_CALL(modelDesc, index), ACL_FORMAT_UNDEFINED, [&] {
    return static_cast<aclFormat>(PortAt(modelDesc, index, Side::kOutput).type.format);
  });
}

aclDataType aclmdlGetInputDataType(const aclmdlDesc* modelDesc, size_t index) {
  return GuardValue(FOOTHOLD_CALL(modelDesc, index), ACL_DT_UNDEFINED, [&] {
    return static_cast<aclDataType>(PortAt(modelDesc, index, Side::kInput).type.type);
  });
}

aclDataType aclmdlGetOutputDataType(const aclmdlDesc* modelDesc, size_t index) {
  return GuardValue(FOOTHOLD_CALL(modelDesc, index), ACL_DT_UNDEFINED, [&] {
    return static_cast<aclDataType>(PortAt(modelDesc, index, Side::kOutput).type.type);
  });
}

aclError aclmdlGetInputDims(const aclmdlDesc* modelDesc, size_t index, aclmdlIODims* dims) {
  return Guard(FOOTHOLD_CALL(modelDesc, index, dims), [&] {
    CheckNotNull(dims, "dims", kInvalidParam);
    const ModelView::Port& port = PortAt(modelDesc, index, Side::kInput);
    PutDims(port.name, port.type.dims, dims);
  });
}

aclError aclmdlGetInputDimsV2(const aclmdlDesc* modelDesc, size_t index, aclmdlIODims* dims) {
  return Guard(FOOTHOLD_CALL(modelDesc, index, dims), [&] {
    CheckNotNull(dims, "dims", kInvalidParam);
    const ModelView::Port& port = PortAt(modelDesc, index, Side::kInput);
    PutDims(port.name, port.memory_dims, dims);
  });
}

aclError aclmdlGetInputDimsRange(const aclmdlDesc* modelDesc, size_t index, aclmdlIODimsRange* dimsRange) {
  return Guard(FOOTHOLD_CALL(modelDesc, index, dimsRange), [&] {
    CheckNotNull(dimsRange, "dimsRange", kInvalidParam);
    const ModelView::Port& port = PortAt(modelDesc, index, Side::kInput);
    dimsRange->rangeCount = std::min<size_t>(port.ranges.size(), ACL_MAX_DIM_CNT);
    for (size_t i = 0; i < dimsRange->rangeCount; ++i) {
      dimsRange->range[i][0] = port.ranges[i].first;
      dimsRange->range[i][1] = port.ranges[i].second;
    }
  });
}

aclError aclmdlGetOutputDims(const aclmdlDesc* modelDesc, size_t index, aclmdlIODims* dims) {
  return Guard(FOOTHOLD_CALL(modelDesc, index, dims), [&] {
    CheckNotNull(dims, "dims", kInvalidParam);
    const ModelView::Port& port = PortAt(modelDesc, index, Side::kOutput);
    PutDims(port.name, port.type.dims, dims);
  });
}

aclError aclmdlGetCurOutputDims(const aclmdlDesc* modelDesc, size_t index, aclmdlIODims* dims) {
  return Guard(FOOTHOLD_CALL(modelDesc, index, dims), [&] {
    CheckNotNull(dims, "dims", kInvalidParam);
    const ModelView::Port& port = PortAt(modelDesc, index, Side::kOutput);
    const ModelView& view = Find(modelDesc);
    if (!view.id()) Fail(kInvalidParam, "the description was not made from a loaded model");
    if (!view.description().FixedSizes())
      Fail(kInvalidParam,
           "the shapes of the model '{}' come with each run; aclmdlGetDatasetTensorDesc has them",
           view.description().name);
    PutDims(port.name, view.OutputDims(index, LoadedModels::Get().Find(*view.id())->current_gear()), dims);
  });
}

const char* aclmdlGetTensorRealName(const aclmdlDesc* modelDesc, const char* name) {
  return GuardValue(FOOTHOLD_CALL(modelDesc, name), static_cast<const char*>(nullptr),
                    [&] { return RealName(Find(modelDesc), CheckNotNull(name, "name", kInvalidParam)); });
}

const char* aclmdlGetOpAttr(aclmdlDesc* modelDesc, const char* opName, const char* attr) {
  return GuardValue(FOOTHOLD_CALL(modelDesc, opName, attr), static_cast<const char*>(nullptr), [&] {
    ModelView& view = ModelDescs::Get().Find(modelDesc);
    CheckNotNull(opName, "opName", kInvalidParam);
    if (std::string_view(CheckNotNull(attr, "attr", kInvalidParam)) !=
        ACL_ATTR_NAME_DATA_DUMP_ORIGIN_OP_NAMES)
      Fail(kInvalidParam, "the attribute is \"{}\"; only {} can be asked for", attr,
           ACL_ATTR_NAME_DATA_DUMP_ORIGIN_OP_NAMES);
    if (!view.id()) Fail(kInvalidParam, "the description was not made from a loaded model");
    const auto model = LoadedModels::Get().Find(*view.id());
    const Node* node = model->model()->graph().Find(opName);
    if (node == nullptr) Fail(kInvalidParam, "{} has no operator '{}'", model->Describe(), opName);
    return view.Keep(OriginalNames(*node));
  });
}
