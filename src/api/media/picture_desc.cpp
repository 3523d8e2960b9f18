// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
// Descriptions of pictures.
#include "api/media/described.h"

using namespace foothold;
using namespace foothold::media;

acldvppPicDesc* acldvppCreatePicDesc() {
  return GuardValue(FOOTHOLD_CALL(), static_cast<acldvppPicDesc*>(nullptr), [&] {
    return static_cast<acldvppPicDesc*>(PictureDescs::Get().Add(std::make_shared<SharedPicture>()));
  });
}

aclError acldvppDestroyPicDesc(acldvppPicDesc* picDesc) {
  return Guard(FOOTHOLD_CALL(picDesc), [&] {
    if (PictureDescs::Get().Find(picDesc)->in_batch)
      Fail(kInvalidParam,
           "the picture description belongs to a batch; acldvppDestroyBatchPicDesc destroys it");
    PictureDescs::Get().Remove(picDesc);
  });
}

aclError acldvppSetPicDescData(acldvppPicDesc* picDesc, void* dataDev) {
  return Guard(FOOTHOLD_CALL(picDesc, dataDev),
               [&] { SetPictureField(picDesc, &PictureDesc::data, dataDev); });
}

void* acldvppGetPicDescData(const acldvppPicDesc* picDesc) {
  return GuardValue(FOOTHOLD_CALL(picDesc), static_cast<void*>(nullptr),
                    [&] { return GetPictureField(picDesc, &PictureDesc::data); });
}

aclError acldvppSetPicDescSize(acldvppPicDesc* picDesc, uint32_t size) {
  return Guard(FOOTHOLD_CALL(picDesc, size), [&] { SetPictureField(picDesc, &PictureDesc::size, size); });
}

uint32_t acldvppGetPicDescSize(const acldvppPicDesc* picDesc) {
  return GuardValue(FOOTHOLD_CALL(picDesc), uint32_t{0},
                    [&] { return GetPictureField(picDesc, &PictureDesc::size); });
}

aclError acldvppSetPicDescFormat(acldvppPicDesc* picDesc, acldvppPixelFormat format) {
  return Guard(FOOTHOLD_CALL(picDesc, format),
               [&] { SetPictureField(picDesc, &PictureDesc::format, static_cast<std::int32_t>(format)); });
}

acldvppPixelFormat acldvppGetPicDescFormat(const acldvppPicDesc* picDesc) {
  return GuardValue(FOOTHOLD_CALL(picDesc), PIXEL_FORMAT_UNKNOWN, [&] {
    return static_cast<acldvppPixelFormat>(GetPictureField(picDesc, &PictureDesc::format));
  });
}

aclError acldvppSetPicDescWidth(acldvppPicDesc* picDesc, uint32_t width) {
  return Guard(FOOTHOLD_CALL(picDesc, width), [&] { SetPictureField(picDesc, &PictureDesc::width, width); });
}

uint32_t acldvppGetPicDescWidth(const acldvppPicDesc* picDesc) {
  return GuardValue(FOOTHOLD_CALL(picDesc), uint32_t{0},
                    [&] { return GetPictureField(picDesc, &PictureDesc::width); });
}

aclError acldvppSetPicDescHeight(acldvppPicDesc* picDesc, uint32_t height) {
  return Guard(FOOTHOLD_CALL(picDesc, height),
               [&] { SetPictureField(picDesc, &PictureDesc::height, height); });
}

uint32_t acldvppGetPicDescHeight(const acldvppPicDesc* picDesc) {
  return GuardValue(FOOTHOLD_CALL(picDesc), uint32_t{0},
                    [&] { return GetPictureField(picDesc, &PictureDesc::height); });
}

aclError acldvppSetPicDescWidthStride(acldvppPicDesc* picDesc, uint32_t widthStride) {
  return Guard(FOOTHOLD_CALL(picDesc, widthStride),
               [&] { SetPictureField(picDesc, &PictureDesc::width_stride, widthStride); });
}

uint32_t acldvppGetPicDescWidthStride(const acldvppPicDesc* picDesc) {
  return GuardValue(FOOTHOLD_CALL(picDesc), uint32_t{0},
                    [&] { return GetPictureField(picDesc, &PictureDesc::width_stride); });
}

aclError acldvppSetPicDescHeightStride(acldvppPicDesc* picDesc, uint32_t heightStride) {
  return Guard(FOOTHOLD_CALL(picDesc, heightStride),
               [&] { SetPictureField(picDesc, &PictureDesc::height_stride, heightStride); });
}

uint32_t acldvppGetPicDescHeightStride(const acldvppPicDesc* picDesc) {
  return GuardValue(FOOTHOLD_CALL(picDesc), uint32_t{0},
                    [&] { return GetPictureField(picDesc, &PictureDesc::height_stride); });
}

aclError acldvppSetPicDescRetCode(acldvppPicDesc* picDesc, uint32_t retCode) {
  return Guard(FOOTHOLD_CALL(picDesc, retCode),
               [&] { SetPictureField(picDesc, &PictureDesc::ret_code, retCode); });
}

uint32_t acldvppGetPicDescRetCode(const acldvppPicDesc* picDesc) {
  return GuardValue(FOOTHOLD_CALL(picDesc), uint32_t{0},
                    [&] { return GetPictureField(picDesc, &PictureDesc::ret_code); });
}
