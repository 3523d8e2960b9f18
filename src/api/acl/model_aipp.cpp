// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <cstring>

#include "acl/acl_mdl.h"
#include "api/acl/aipp_parameters.h"
#include "api/acl/model_desc.h"
#include "api/guard.h"
#include "device/memory_map.h"
#include "model/data_set.h"
#include "model/loaded_models.h"
#include "model/model_codes.h"
#include "ops/aipp/aipp.h"
#include "ops/aipp/file.h"

namespace foothold {
namespace {

using AippKind = PortAipp::Kind;

const ModelPort& InputOf(const LoadedModel& model, std::size_t index) {
  const std::vector<ModelPort>& inputs = model.description().inputs;
  if (index < inputs.size()) return inputs[index];
  Fail(kInvalidParam, "{} has {} inputs, and index {} is none of them", model.Describe(), inputs.size(),
       index);
}

// `kind` is what the call is for.
const ModelPort& DynamicInputOf(const LoadedModel& model, std::size_t index, AippKind kind) {
  const ModelPort& port = InputOf(model, index);
  if (port.IsAipp(kind)) return port;
  if (port.IsAipp(AippKind::kStatic))
    Fail(kGeAippModeInvalid, "input {} ('{}') of {} has static AIPP: its settings are in the model", index,
         port.name, model.Describe());
  if (!port.aipp)
    Fail(kGeAippNotExist, "input {} ('{}') of {} has no image preprocessing (AIPP)", index, port.name,
         model.Describe());
  Fail(kInvalidParam, "input {} ('{}') of {} is {}; its counterpart is input {}", index, port.name,
       model.Describe(), kind == AippKind::kDynamic ? "that of the parameters" : "that of the pictures",
       port.aipp->attached);
}

// Everything a run would refuse, said now.
void CheckBlock(const AippBlock& block, const ModelPort& pictures, std::size_t batch) {
  if (block.head.format == 0) Fail(kInvalidParam, "aclmdlSetAIPPInputFormat has to come before");
  if (block.head.source_width == 0) Fail(kInvalidParam, "aclmdlSetAIPPSrcImageSize has to come before");
  if (block.parts.size() < batch)
    Fail(kInvalidParam, "the parameters are for {} pictures; the model takes {}", block.parts.size(), batch);
  const AippNetwork network = NetworkOf(pictures.aipp->network, "the input");
  std::vector<std::byte> bytes(block.bytes());
  block.Write(bytes.data());
  std::size_t needed = 0;
  for (std::size_t n = 0; n < batch; ++n) {
    const AippPicture picture = ReadAippPart(block.head, bytes.data(), n);
    CheckFits(picture, network.size, network.channels);
    needed += PictureBytes(picture.format, picture.width, picture.height);
  }
  const auto most = static_cast<std::size_t>(pictures.aipp->picture.at(0));
  if (needed > most)
    Fail(kInvalidParam, "{} pictures of {} x {} take {} bytes; max_src_image_size of the model is {}", batch,
         block.head.source_width, block.head.source_height, needed, most);
}

void WriteBlock(const LoadedModel& model, DataSet& set, std::size_t index, const AippBlock& block) {
  const ModelPort& port = DynamicInputOf(model, index, AippKind::kParameters);
  AippBlock written = block;
  const std::size_t batch = (ByteSize(port.type) - sizeof(AippHead)) / sizeof(AippPart);
  CheckBlock(block, model.description().inputs[port.aipp->attached], batch);
  written.parts.resize(batch);
  const DataBuffer& buffer = DataBuffers::Get().Find(set.At(index).buffer);
  if (buffer.size < written.bytes())
    Fail(kInvalidParam, "the input '{}' takes {} bytes, and its data buffer has {}", port.name,
         written.bytes(), buffer.size);
  const MemoryUse use = CheckDeviceRange(buffer.data, written.bytes(), kInvalidParam, port.name.c_str());
  written.Write(static_cast<std::byte*>(use.kernel));
}

// The dimensions of the network with a gear put in.
Dims NetworkDims(const ModelDescription& description, const PortAipp& aipp, std::size_t gear) {
  Dims dims = aipp.network.dims;
  std::size_t next = 0;
  for (std::int64_t& dim : dims)
    if (dim < 0) dim = description.gears.values.at(gear).at(next++);
  return dims;
}

void PutShapes(const ModelDescription& description, const ModelPort& port, aclAippInfo* info) {
  const bool open = !IsStatic(port.aipp->network.dims);
  const std::size_t count = open ? description.gears.values.size() : 1;
  info->shapeCount = std::min<std::size_t>(count, ACL_MAX_SHAPE_COUNT);
  for (std::size_t i = 0; i < info->shapeCount; ++i) {
    TensorType network = port.aipp->network;
    network.dims = NetworkDims(description, *port.aipp, i);
    aclAippDims& to = info->outDims[i];
    PutDims(port.name, network.dims, &to.srcDims);
    PutDims(port.name, network.dims, &to.aippOutdims);
    to.srcSize = to.aippOutSize = ByteSize(network);
  }
}

void PutPlaces(const AippSettings& s, aclAippInfo* info) {
  info->inputFormat = static_cast<aclAippInputFormat>(s.input_format);
  info->srcImageSizeW = static_cast<std::int32_t>(s.src_image_size_w);
  info->srcImageSizeH = static_cast<std::int32_t>(s.src_image_size_h);
  info->cropSwitch = s.crop;
  info->loadStartPosW = static_cast<std::int32_t>(s.load_start_pos_w);
  info->loadStartPosH = static_cast<std::int32_t>(s.load_start_pos_h);
  info->cropSizeW = static_cast<std::int32_t>(s.crop_size_w);
  info->cropSizeH = static_cast<std::int32_t>(s.crop_size_h);
  info->paddingSwitch = s.padding;
  info->leftPaddingSize = static_cast<std::int32_t>(s.left_padding_size);
  info->rightPaddingSize = static_cast<std::int32_t>(s.right_padding_size);
  info->topPaddingSize = static_cast<std::int32_t>(s.top_padding_size);
  info->bottomPaddingSize = static_cast<std::int32_t>(s.bottom_padding_size);
}

// The structure has members side by side where the settings have lists.
template <typename To, typename Values>
void PutList(To* first, const Values& values) {
  for (std::size_t i = 0; i < values.size(); ++i)
    first[i] = static_cast<To>(values[i]);
}

void PutColours(const AippSettings& s, aclAippInfo* info) {
  info->cscSwitch = s.csc_switch;
  info->rbuvSwapSwitch = s.rbuv_swap_switch;
  info->axSwapSwitch = s.ax_swap_switch;
  PutList(&info->matrixR0C0, s.matrix);
  PutList(&info->outputBias0, s.output_bias);
  PutList(&info->inputBias0, s.input_bias);
  PutList(&info->meanChn0, s.mean_chn);
  PutList(&info->minChn0, s.min_chn);
  PutList(&info->varReciChn0, s.var_reci_chn);
}
static_assert(offsetof(aclAippInfo, matrixR2C2) == offsetof(aclAippInfo, matrixR0C0) + 8 * sizeof(int32_t));
static_assert(offsetof(aclAippInfo, varReciChn3) == offsetof(aclAippInfo, meanChn0) + 11 * sizeof(float));

aclmdlInputAippType TypeOf(const ModelPort& port) {
  if (!port.aipp) return ACL_DATA_WITHOUT_AIPP;
  switch (port.aipp->kind) {
    case AippKind::kStatic:
      return ACL_DATA_WITH_STATIC_AIPP;
    case AippKind::kDynamic:
      return ACL_DATA_WITH_DYNAMIC_AIPP;
    default:
      return ACL_DYNAMIC_AIPP_NODE;
  }
}

}  // namespace
}  // namespace foothold

using namespace foothold;

aclError aclmdlSetInputAIPP(uint32_t modelId, aclmdlDataset* dataset, size_t index,
                            const aclmdlAIPP* aippParmsSet) {
  return Guard(FOOTHOLD_CALL(modelId, dataset, index, aippParmsSet), [&] {
    const AippBlock& block = AippParameters::Get().Find(aippParmsSet);
    WriteBlock(*LoadedModels::Get().Find(modelId), DataSets::Get().Find(dataset), index, block);
  });
}

aclError aclmdlSetAIPPByInputIndex(uint32_t modelId, aclmdlDataset* dataset, size_t index,
                                   const aclmdlAIPP* aippParmsSet) {
  return Guard(FOOTHOLD_CALL(modelId, dataset, index, aippParmsSet), [&] {
    const AippBlock& block = AippParameters::Get().Find(aippParmsSet);
    const auto model = LoadedModels::Get().Find(modelId);
    const ModelPort& pictures = DynamicInputOf(*model, index, AippKind::kDynamic);
    WriteBlock(*model, DataSets::Get().Find(dataset), pictures.aipp->attached, block);
  });
}

aclError aclmdlGetAippType(uint32_t modelId, size_t index, aclmdlInputAippType* type,
                           size_t* dynamicAttachedDataIndex) {
  return Guard(FOOTHOLD_CALL(modelId, index, type, dynamicAttachedDataIndex), [&] {
    CheckNotNull(type, "type", kInvalidParam);
    CheckNotNull(dynamicAttachedDataIndex, "dynamicAttachedDataIndex", kInvalidParam);
    const auto model = LoadedModels::Get().Find(modelId);
    const ModelPort& port = InputOf(*model, index);
    *type = TypeOf(port);
    *dynamicAttachedDataIndex =
        port.IsAipp(AippKind::kDynamic) ? port.aipp->attached : size_t{ACL_INVALID_NODE_INDEX};
  });
}

aclError aclmdlGetFirstAippInfo(uint32_t modelId, size_t index, aclAippInfo* aippInfo) {
  return Guard(FOOTHOLD_CALL(modelId, index, aippInfo), [&] {
    CheckNotNull(aippInfo, "aippInfo", kInvalidParam);
    const auto model = LoadedModels::Get().Find(modelId);
    const ModelPort& port = InputOf(*model, index);
    if (!port.IsAipp(AippKind::kStatic))
      Fail(kGeAippNotExist, "input {} ('{}') of {} has no static image preprocessing (AIPP)", index,
           port.name, model->Describe());
    const AippSettings settings = ParseAipp(port.aipp->settings, model->Describe()).front();
    std::memset(aippInfo, 0, sizeof *aippInfo);
    PutPlaces(settings, aippInfo);
    PutColours(settings, aippInfo);
    aippInfo->srcFormat = static_cast<aclFormat>(port.aipp->network.format);
    aippInfo->srcDatatype = static_cast<aclDataType>(port.aipp->network.type);
    aippInfo->srcDimNum = port.aipp->network.dims.size();
    PutShapes(model->description(), port, aippInfo);
  });
}
