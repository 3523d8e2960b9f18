// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <cstring>

#include "acl/acl_mdl.h"
#include "api/acl/model_desc.h"
#include "api/guard.h"
#include "check/check.h"
#include "check/queued_uses.h"
#include "device/memory_map.h"
#include "device/observer.h"
#include "model/data_set.h"
#include "model/loaded_models.h"
#include "model/model_codes.h"

namespace foothold {
namespace {

const char* KindName(ModelGears::Kind kind) {
  switch (kind) {
    case ModelGears::Kind::kBatch:
      return "batch sizes (aclmdlSetDynamicBatchSize)";
    case ModelGears::Kind::kImage:
      return "image sizes (aclmdlSetDynamicHWSize)";
    case ModelGears::Kind::kDims:
      return "sets of dimensions (aclmdlSetInputDynamicDims)";
    default:
      return "nothing";
  }
}

void CheckKind(const LoadedModel& model, ModelGears::Kind kind) {
  const ModelGears::Kind found = model.description().gears.kind;
  if (found == kind) return;
  if (found == ModelGears::Kind::kNone)
    Fail(kModelNotDynamic, "{} was compiled for one set of shapes, or for any: there is no gear to choose",
         model.Describe());
  Fail(kModelNotDynamic, "{} was compiled for a choice of {}", model.Describe(), KindName(found));
}

// Writes the gear where models keep it, and remembers it in the data set.
void Choose(LoadedModel& model, DataSet& set, std::size_t index, std::size_t gear) {
  const ModelDescription& description = model.description();
  if (index != description.inputs.size())
    Fail(kInvalidParam, "index {} is not the input '{}' of {}, which is {}", index, kGearInput,
         model.Describe(), description.inputs.size());
  const DataBuffer& buffer = DataBuffers::Get().Find(set.At(index).buffer);
  const Dims& content = description.gears.values.at(gear);
  const std::size_t bytes = content.size() * sizeof content[0];
  if (buffer.size < bytes)
    Fail(kGeDynamicInputLengthInvalid, "the input '{}' takes {} bytes, and its data buffer has {}",
         kGearInput, bytes, buffer.size);
  const MemoryUse use = CheckDeviceRange(buffer.data, bytes, kInvalidParam, kGearInput);
  TellTouches({{buffer.data, bytes, Use::kWrite, Extent::kExact, use.serial}});
  std::memcpy(use.kernel, content.data(), bytes);
  set.gear = DataSet::Gear{model.id(), gear};
  model.set_current_gear(gear);
}

void Set(std::uint32_t id, aclmdlDataset* dataset, std::size_t index, ModelGears::Kind kind,
         const Dims& value, Code code) {
  DataSet& set = DataSets::Get().Find(dataset);
  const auto model = LoadedModels::Get().Find(id);
  CheckKind(*model, kind);
  if (check::On()) check::LookAtGearChange(dataset);
  Choose(*model, set, index, model->FindGear(value, code));
}

// The gear whose inputs have these dimensions, all of them one behind the other.
std::size_t GearWithDims(const LoadedModel& model, const Dims& dims) {
  const ModelDescription& description = model.description();
  std::string all;
  for (std::size_t gear = 0; gear < description.gears.values.size(); ++gear) {
    if (GearContent(description, gear) == dims) return gear;
    all += " " + ToString(GearContent(description, gear));
  }
  Fail(kGeDynamicInputLengthInvalid, "{} was not compiled for the dimensions {}; it was for{}",
       model.Describe(), ToString(dims), all);
}

Dims DimsOf(const aclmdlIODims& dims) {
  if (dims.dimCount > ACL_MAX_DIM_CNT)
    Fail(kInvalidParam, "dimCount is {}, and the structure holds {}", dims.dimCount, ACL_MAX_DIM_CNT);
  return Dims(dims.dims, dims.dims + dims.dimCount);
}

// Programs pass -1, the index of the gear's own input, or that of an image: gears are of the model.
void CheckInput(const ModelView& view, std::size_t index) {
  if (index == static_cast<std::size_t>(-1) || index < view.inputs().size()) return;
  Fail(kInvalidParam, "index is {}; it may be -1 or one of the {} inputs of the model '{}'", index,
       view.inputs().size(), view.description().name);
}

void CheckFits(std::size_t gears, std::size_t room) {
  if (gears > room) Fail(kInvalidParam, "the model has {} gears, and there is room for {}", gears, room);
}

}  // namespace
}  // namespace foothold

using namespace foothold;

aclError aclmdlGetDynamicBatch(const aclmdlDesc* modelDesc, aclmdlBatch* batch) {
  return Guard(FOOTHOLD_CALL(modelDesc, batch), [&] {
    CheckNotNull(batch, "batch", kInvalidParam);
    const ModelGears& gears = ModelDescs::Get().Find(modelDesc).gears();
    batch->batchCount = 0;
    if (gears.kind != ModelGears::Kind::kBatch) return;
    CheckFits(gears.values.size(), ACL_MAX_BATCH_NUM);
    for (const Dims& gear : gears.values)
      batch->batch[batch->batchCount++] = static_cast<uint64_t>(gear.at(0));
  });
}

aclError aclmdlSetDynamicBatchSize(uint32_t modelId, aclmdlDataset* dataset, size_t index,
                                   uint64_t batchSize) {
  return Guard(FOOTHOLD_CALL(modelId, dataset, index, batchSize), [&] {
    Set(modelId, dataset, index, ModelGears::Kind::kBatch, {static_cast<int64_t>(batchSize)},
        kGeDynamicBatchSizeInvalid);
  });
}

aclError aclmdlGetDynamicHW(const aclmdlDesc* modelDesc, size_t index, aclmdlHW* hw) {
  return Guard(FOOTHOLD_CALL(modelDesc, index, hw), [&] {
    CheckNotNull(hw, "hw", kInvalidParam);
    const ModelView& view = ModelDescs::Get().Find(modelDesc);
    const ModelGears& gears = view.gears();
    CheckInput(view, index);
    hw->hwCount = 0;
    if (gears.kind != ModelGears::Kind::kImage) return;
    CheckFits(gears.values.size(), ACL_MAX_HW_NUM);
    for (const Dims& gear : gears.values) {
      hw->hw[hw->hwCount][0] = static_cast<uint64_t>(gear.at(0));
      hw->hw[hw->hwCount++][1] = static_cast<uint64_t>(gear.at(1));
    }
  });
}

aclError aclmdlSetDynamicHWSize(uint32_t modelId, aclmdlDataset* dataset, size_t index, uint64_t height,
                                uint64_t width) {
  return Guard(FOOTHOLD_CALL(modelId, dataset, index, height, width), [&] {
    Set(modelId, dataset, index, ModelGears::Kind::kImage,
        {static_cast<int64_t>(height), static_cast<int64_t>(width)}, kGeDynamicInputLengthInvalid);
  });
}

aclError aclmdlGetInputDynamicGearCount(const aclmdlDesc* modelDesc, size_t index, size_t* gearCount) {
  return Guard(FOOTHOLD_CALL(modelDesc, index, gearCount), [&] {
    CheckNotNull(gearCount, "gearCount", kInvalidParam);
    const ModelView& view = ModelDescs::Get().Find(modelDesc);
    const ModelGears& gears = view.gears();
    CheckInput(view, index);
    *gearCount = gears.kind == ModelGears::Kind::kDims ? gears.values.size() : 0;
  });
}

aclError aclmdlGetInputDynamicDims(const aclmdlDesc* modelDesc, size_t index, aclmdlIODims* dims,
                                   size_t gearCount) {
  return Guard(FOOTHOLD_CALL(modelDesc, index, dims, gearCount), [&] {
    CheckNotNull(dims, "dims", kInvalidParam);
    const ModelView& view = ModelDescs::Get().Find(modelDesc);
    CheckInput(view, index);
    if (view.gears().kind != ModelGears::Kind::kDims)
      Fail(kModelNotDynamic, "the model '{}' has no gears of dimensions", view.description().name);
    CheckFits(view.gears().values.size(), gearCount);
    for (size_t gear = 0; gear < view.gears().values.size(); ++gear)
      PutDims({}, GearContent(view.description(), gear), &dims[gear]);
  });
}

aclError aclmdlSetInputDynamicDims(uint32_t modelId, aclmdlDataset* dataset, size_t index,
                                   const aclmdlIODims* dims) {
  return Guard(FOOTHOLD_CALL(modelId, dataset, index, dims), [&] {
    CheckNotNull(dims, "dims", kInvalidParam);
    DataSet& set = DataSets::Get().Find(dataset);
    const auto model = LoadedModels::Get().Find(modelId);
    CheckKind(*model, ModelGears::Kind::kDims);
    if (check::On()) check::LookAtGearChange(dataset);
    Choose(*model, set, index, GearWithDims(*model, DimsOf(*dims)));
  });
}
