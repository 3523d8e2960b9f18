// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "api/acl/aipp_parameters.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "acl/acl_mdl.h"
#include "api/guard.h"
#include "base/half.h"
#include "model/model_codes.h"

namespace foothold {
namespace {

constexpr std::uint64_t kMostPictures = 65536;  // of a batch

AippBlock& Find(const aclmdlAIPP* parameters) {
  return AippParameters::Get().Find(parameters);
}

AippPart& PartOf(const aclmdlAIPP* parameters, std::uint64_t index) {
  AippBlock& block = Find(parameters);
  if (index < block.parts.size()) return block.parts[index];
  Fail(kInvalidParam, "batchIndex is {}, and the parameters are for {} pictures", index, block.parts.size());
}

void CheckBatch(std::uint64_t batch) {
  if (batch == 0) Fail(kGeAippBatchEmpty, "batchSize is 0; parameters are for at least one picture");
  if (batch > kMostPictures)
    Fail(kInvalidParam, "batchSize is {}; there can be {} pictures at most", batch, kMostPictures);
}

template <typename T>
void CheckWithin(const char* name, T value, T least, T most) {
  if (!(value >= least && value <= most))
    Fail(kInvalidParam, "{} is {}; expected {} to {}", name, value, least, most);
}

std::int8_t Switch(const char* name, std::int8_t value) {
  CheckWithin<int>(name, value, 0, 1);
  return value;
}

void CheckCrop(std::int32_t left, std::int32_t top, std::int32_t width, std::int32_t height) {
  CheckWithin("cropStartPosW", left, 0, 4095);
  CheckWithin("cropStartPosH", top, 0, 4095);
  CheckWithin("cropSizeW", width, 1, 4096);
  CheckWithin("cropSizeH", height, 1, 4096);
}

void CheckRatio(const char* name, std::int32_t from, std::int32_t to) {
  if (std::int64_t{to} > 16 * std::int64_t{from} || 16 * std::int64_t{to} < from)
    Fail(kInvalidParam, "{}: {} pixels become {}; expected 1/16 to 16 times as many", name, from, to);
}

// The hardware has these in half precision.
void PutHalves(const char* name, const float (&values)[4], float least, float most, std::uint16_t (&to)[4]) {
  for (const float value : values)
    CheckWithin(name, value, least, most);
  std::transform(values, values + 4, to, [](float value) { return Half(value).bits; });
}

}  // namespace
}  // namespace foothold

using namespace foothold;

aclmdlAIPP* aclmdlCreateAIPP(uint64_t batchSize) {
  return GuardValue(FOOTHOLD_CALL(batchSize), static_cast<aclmdlAIPP*>(nullptr), [&] {
    CheckBatch(batchSize);
    AippBlock block;
    block.parts.resize(batchSize);
    block.head.batch = static_cast<std::int8_t>(std::min<uint64_t>(batchSize, INT8_MAX));
    return static_cast<aclmdlAIPP*>(AippParameters::Get().Add(std::move(block)));
  });
}

aclError aclmdlDestroyAIPP(const aclmdlAIPP* aippParmsSet) {
  return Guard(FOOTHOLD_CALL(aippParmsSet), [&] { AippParameters::Get().Remove(aippParmsSet); });
}

aclError aclmdlGetAippDataSize(uint64_t batchSize, size_t* size) {
  return Guard(FOOTHOLD_CALL(batchSize, size), [&] {
    CheckNotNull(size, "size", kInvalidParam);
    CheckBatch(batchSize);
    *size = AippBlockBytes(batchSize);
  });
}

aclError aclmdlSetAIPPInputFormat(aclmdlAIPP* aippParmsSet, aclAippInputFormat inputFormat) {
  return Guard(FOOTHOLD_CALL(aippParmsSet, inputFormat), [&] {
    AippHead& head = Find(aippParmsSet).head;
    if (!IsAippFormat(inputFormat))
      Fail(kInvalidParam, "inputFormat is {}; 1 to 4 and 7 to 10 are formats of pictures AIPP reads",
           static_cast<int>(inputFormat));
    head.format = static_cast<uint8_t>(inputFormat);
  });
}

aclError aclmdlSetAIPPSrcImageSize(aclmdlAIPP* aippParmsSet, int32_t srcImageSizeW, int32_t srcImageSizeH) {
  return Guard(FOOTHOLD_CALL(aippParmsSet, srcImageSizeW, srcImageSizeH), [&] {
    AippHead& head = Find(aippParmsSet).head;
    CheckWithin("srcImageSizeW", srcImageSizeW, 2, 4096);
    CheckWithin("srcImageSizeH", srcImageSizeH, 1, 4096);
    head.source_width = srcImageSizeW;
    head.source_height = srcImageSizeH;
  });
}

aclError aclmdlSetAIPPCscParams(aclmdlAIPP* aippParmsSet, int8_t cscSwitch, int16_t cscMatrixR0C0,
                                int16_t cscMatrixR0C1, int16_t cscMatrixR0C2, int16_t cscMatrixR1C0,
                                int16_t cscMatrixR1C1, int16_t cscMatrixR1C2, int16_t cscMatrixR2C0,
                                int16_t cscMatrixR2C1, int16_t cscMatrixR2C2, uint8_t cscOutputBiasR0,
                                uint8_t cscOutputBiasR1, uint8_t cscOutputBiasR2, uint8_t cscInputBiasR0,
                                uint8_t cscInputBiasR1, uint8_t cscInputBiasR2) {
  return Guard(FOOTHOLD_CALL(aippParmsSet, cscSwitch), [&] {
    AippHead& head = Find(aippParmsSet).head;
    head.csc = Switch("cscSwitch", cscSwitch);
    const int16_t matrix[] = {cscMatrixR0C0, cscMatrixR0C1, cscMatrixR0C2, cscMatrixR1C0, cscMatrixR1C1,
                              cscMatrixR1C2, cscMatrixR2C0, cscMatrixR2C1, cscMatrixR2C2};
    const uint8_t after[] = {cscOutputBiasR0, cscOutputBiasR1, cscOutputBiasR2};
    const uint8_t before[] = {cscInputBiasR0, cscInputBiasR1, cscInputBiasR2};
    std::copy(std::begin(matrix), std::end(matrix), head.matrix);
    std::copy(std::begin(after), std::end(after), head.output_bias);
    std::copy(std::begin(before), std::end(before), head.input_bias);
  });
}

aclError aclmdlSetAIPPRbuvSwapSwitch(aclmdlAIPP* aippParmsSet, int8_t rbuvSwapSwitch) {
  return Guard(FOOTHOLD_CALL(aippParmsSet, rbuvSwapSwitch),
               [&] { Find(aippParmsSet).head.rbuv = Switch("rbuvSwapSwitch", rbuvSwapSwitch); });
}

aclError aclmdlSetAIPPAxSwapSwitch(aclmdlAIPP* aippParmsSet, int8_t axSwapSwitch) {
  return Guard(FOOTHOLD_CALL(aippParmsSet, axSwapSwitch),
               [&] { Find(aippParmsSet).head.ax = Switch("axSwapSwitch", axSwapSwitch); });
}

aclError aclmdlSetAIPPCropParams(aclmdlAIPP* aippParmsSet, int8_t cropSwitch, int32_t cropStartPosW,
                                 int32_t cropStartPosH, int32_t cropSizeW, int32_t cropSizeH,
                                 uint64_t batchIndex) {
  return Guard(
      FOOTHOLD_CALL(aippParmsSet, cropSwitch, cropStartPosW, cropStartPosH, cropSizeW, cropSizeH, batchIndex),
      [&] {
        AippPart& part = PartOf(aippParmsSet, batchIndex);
        if (Switch("cropSwitch", cropSwitch) != 0)
          CheckCrop(cropStartPosW, cropStartPosH, cropSizeW, cropSizeH);
        part.crop = cropSwitch;
        part.crop_left = cropStartPosW;
        part.crop_top = cropStartPosH;
        part.crop_width = cropSizeW;
        part.crop_height = cropSizeH;
      });
}

aclError aclmdlSetAIPPScfParams(aclmdlAIPP* aippParmsSet, int8_t scfSwitch, int32_t scfInputSizeW,
                                int32_t scfInputSizeH, int32_t scfOutputSizeW, int32_t scfOutputSizeH,
                                uint64_t batchIndex) {
  return Guard(FOOTHOLD_CALL(aippParmsSet, scfSwitch, scfInputSizeW, scfInputSizeH, scfOutputSizeW,
                             scfOutputSizeH, batchIndex),
               [&] {
                 AippPart& part = PartOf(aippParmsSet, batchIndex);
                 if (Switch("scfSwitch", scfSwitch) != 0) {
                   CheckWithin("scfInputSizeW", scfInputSizeW, 16, 4096);
                   CheckWithin("scfInputSizeH", scfInputSizeH, 16, 4096);
                   CheckWithin("scfOutputSizeW", scfOutputSizeW, 16, 1920);
                   CheckWithin("scfOutputSizeH", scfOutputSizeH, 16, 4096);
                   CheckRatio("scfOutputSizeW", scfInputSizeW, scfOutputSizeW);
                   CheckRatio("scfOutputSizeH", scfInputSizeH, scfOutputSizeH);
                 }
                 part.scale = scfSwitch;
                 part.scale_in_width = scfInputSizeW;
                 part.scale_in_height = scfInputSizeH;
                 part.scale_out_width = scfOutputSizeW;
                 part.scale_out_height = scfOutputSizeH;
               });
}

aclError aclmdlSetAIPPPaddingParams(aclmdlAIPP* aippParmsSet, int8_t paddingSwitch, int32_t paddingSizeTop,
                                    int32_t paddingSizeBottom, int32_t paddingSizeLeft,
                                    int32_t paddingSizeRight, uint64_t batchIndex) {
  return Guard(FOOTHOLD_CALL(aippParmsSet, paddingSwitch, paddingSizeTop, paddingSizeBottom, paddingSizeLeft,
                             paddingSizeRight, batchIndex),
               [&] {
                 AippPart& part = PartOf(aippParmsSet, batchIndex);
                 if (Switch("paddingSwitch", paddingSwitch) != 0) {
                   CheckWithin("paddingSizeTop", paddingSizeTop, 0, 32);
                   CheckWithin("paddingSizeBottom", paddingSizeBottom, 0, 32);
                   CheckWithin("paddingSizeLeft", paddingSizeLeft, 0, 32);
                   CheckWithin("paddingSizeRight", paddingSizeRight, 0, 32);
                 }
                 part.padding = paddingSwitch;
                 part.pad_top = paddingSizeTop;
                 part.pad_bottom = paddingSizeBottom;
                 part.pad_left = paddingSizeLeft;
                 part.pad_right = paddingSizeRight;
               });
}

aclError aclmdlSetAIPPDtcPixelMean(aclmdlAIPP* aippParmsSet, int16_t dtcPixelMeanChn0,
                                   int16_t dtcPixelMeanChn1, int16_t dtcPixelMeanChn2,
                                   int16_t dtcPixelMeanChn3, uint64_t batchIndex) {
  return Guard(
      FOOTHOLD_CALL(aippParmsSet, dtcPixelMeanChn0, dtcPixelMeanChn1, dtcPixelMeanChn2, dtcPixelMeanChn3,
                    batchIndex),
      [&] {
        AippPart& part = PartOf(aippParmsSet, batchIndex);
        const int16_t means[] = {dtcPixelMeanChn0, dtcPixelMeanChn1, dtcPixelMeanChn2, dtcPixelMeanChn3};
        for (const int16_t mean : means)
          CheckWithin<int>("dtcPixelMean", mean, 0, 255);
        std::copy(std::begin(means), std::end(means), part.mean);
      });
}

aclError aclmdlSetAIPPDtcPixelMin(aclmdlAIPP* aippParmsSet, float dtcPixelMinChn0, float dtcPixelMinChn1,
                                  float dtcPixelMinChn2, float dtcPixelMinChn3, uint64_t batchIndex) {
  return Guard(FOOTHOLD_CALL(aippParmsSet, dtcPixelMinChn0, dtcPixelMinChn1, dtcPixelMinChn2, dtcPixelMinChn3,
                             batchIndex),
               [&] {
                 AippPart& part = PartOf(aippParmsSet, batchIndex);
                 PutHalves("dtcPixelMin",
                           {dtcPixelMinChn0, dtcPixelMinChn1, dtcPixelMinChn2, dtcPixelMinChn3}, 0, 255,
                           part.min);
               });
}

aclError aclmdlSetAIPPPixelVarReci(aclmdlAIPP* aippParmsSet, float dtcPixelVarReciChn0,
                                   float dtcPixelVarReciChn1, float dtcPixelVarReciChn2,
                                   float dtcPixelVarReciChn3, uint64_t batchIndex) {
  return Guard(FOOTHOLD_CALL(aippParmsSet, dtcPixelVarReciChn0, dtcPixelVarReciChn1, dtcPixelVarReciChn2,
                             dtcPixelVarReciChn3, batchIndex),
               [&] {
                 constexpr float kMost = 65504;  // of half precision
                 AippPart& part = PartOf(aippParmsSet, batchIndex);
                 PutHalves(
                     "dtcPixelVarReci",
                     {dtcPixelVarReciChn0, dtcPixelVarReciChn1, dtcPixelVarReciChn2, dtcPixelVarReciChn3},
                     -kMost, kMost, part.factor);
               });
}
