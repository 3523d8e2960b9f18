// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Image and video processing and feature retrieval: functions that are not implemented.
#include "api/unsupported/unsupported.h"

#include "acl/ops/acl_dvpp.h"
#include "acl/ops/acl_fv.h"

namespace {
constexpr foothold::Code kUnsupportedCode = foothold::kFeatureUnsupported;
}  // namespace

// acl/ops/acl_dvpp.h
FOOTHOLD_UNSUPPORTED_VALUE(acldvppChannelDesc*, nullptr, acldvppCreateChannelDesc)
FOOTHOLD_UNSUPPORTED(acldvppDestroyChannelDesc, acldvppChannelDesc*)
FOOTHOLD_UNSUPPORTED(acldvppSetChannelDescMode, acldvppChannelDesc*, uint32_t)
FOOTHOLD_UNSUPPORTED(acldvppSetChannelDescParam, acldvppChannelDesc*, acldvppChannelDescParamType, size_t,
                     const void*)
FOOTHOLD_UNSUPPORTED(acldvppGetChannelDescParam, const acldvppChannelDesc*, acldvppChannelDescParamType,
                     size_t, size_t*, void*)
FOOTHOLD_UNSUPPORTED_VALUE(uint64_t, 0, acldvppGetChannelDescChannelId, const acldvppChannelDesc*)
FOOTHOLD_UNSUPPORTED(acldvppCreateChannel, acldvppChannelDesc*)
FOOTHOLD_UNSUPPORTED(acldvppDestroyChannel, acldvppChannelDesc*)
FOOTHOLD_UNSUPPORTED_VALUE(acldvppPicDesc*, nullptr, acldvppCreatePicDesc)
FOOTHOLD_UNSUPPORTED(acldvppDestroyPicDesc, acldvppPicDesc*)
FOOTHOLD_UNSUPPORTED_VALUE(acldvppPicDesc*, nullptr, acldvppGetPicDesc, acldvppBatchPicDesc*, uint32_t)
FOOTHOLD_UNSUPPORTED(acldvppSetPicDescData, acldvppPicDesc*, void*)
FOOTHOLD_UNSUPPORTED_VALUE(void*, nullptr, acldvppGetPicDescData, const acldvppPicDesc*)
FOOTHOLD_UNSUPPORTED(acldvppSetPicDescFormat, acldvppPicDesc*, acldvppPixelFormat)
FOOTHOLD_UNSUPPORTED_VALUE(acldvppPixelFormat, PIXEL_FORMAT_UNKNOWN, acldvppGetPicDescFormat,
                           const acldvppPicDesc*)
FOOTHOLD_UNSUPPORTED(acldvppSetPicDescHeight, acldvppPicDesc*, uint32_t)
FOOTHOLD_UNSUPPORTED_VALUE(uint32_t, 0, acldvppGetPicDescHeight, const acldvppPicDesc*)
FOOTHOLD_UNSUPPORTED(acldvppSetPicDescHeightStride, acldvppPicDesc*, uint32_t)
FOOTHOLD_UNSUPPORTED_VALUE(uint32_t, 0, acldvppGetPicDescHeightStride, const acldvppPicDesc*)
FOOTHOLD_UNSUPPORTED(acldvppSetPicDescRetCode, acldvppPicDesc*, uint32_t)
FOOTHOLD_UNSUPPORTED_VALUE(uint32_t, kUnsupportedCode, acldvppGetPicDescRetCode, const acldvppPicDesc*)
FOOTHOLD_UNSUPPORTED(acldvppSetPicDescSize, acldvppPicDesc*, uint32_t)
FOOTHOLD_UNSUPPORTED_VALUE(uint32_t, 0, acldvppGetPicDescSize, const acldvppPicDesc*)
FOOTHOLD_UNSUPPORTED(acldvppSetPicDescWidth, acldvppPicDesc*, uint32_t)
FOOTHOLD_UNSUPPORTED_VALUE(uint32_t, 0, acldvppGetPicDescWidth, const acldvppPicDesc*)
FOOTHOLD_UNSUPPORTED(acldvppSetPicDescWidthStride, acldvppPicDesc*, uint32_t)
FOOTHOLD_UNSUPPORTED_VALUE(uint32_t, 0, acldvppGetPicDescWidthStride, const acldvppPicDesc*)
FOOTHOLD_UNSUPPORTED_VALUE(acldvppBatchPicDesc*, nullptr, acldvppCreateBatchPicDesc, uint32_t)
FOOTHOLD_UNSUPPORTED(acldvppDestroyBatchPicDesc, acldvppBatchPicDesc*)
FOOTHOLD_UNSUPPORTED_VALUE(acldvppRoiConfig*, nullptr, acldvppCreateRoiConfig, uint32_t, uint32_t, uint32_t,
                           uint32_t)
FOOTHOLD_UNSUPPORTED(acldvppDestroyRoiConfig, acldvppRoiConfig*)
FOOTHOLD_UNSUPPORTED(acldvppSetRoiConfig, acldvppRoiConfig*, uint32_t, uint32_t, uint32_t, uint32_t)
FOOTHOLD_UNSUPPORTED(acldvppSetRoiConfigBottom, acldvppRoiConfig*, uint32_t)
FOOTHOLD_UNSUPPORTED(acldvppSetRoiConfigLeft, acldvppRoiConfig*, uint32_t)
FOOTHOLD_UNSUPPORTED(acldvppSetRoiConfigRight, acldvppRoiConfig*, uint32_t)
FOOTHOLD_UNSUPPORTED(acldvppSetRoiConfigTop, acldvppRoiConfig*, uint32_t)
FOOTHOLD_UNSUPPORTED_VALUE(acldvppBorderConfig*, nullptr, acldvppCreateBorderConfig)
FOOTHOLD_UNSUPPORTED(acldvppDestroyBorderConfig, acldvppBorderConfig*)
FOOTHOLD_UNSUPPORTED(acldvppSetBorderConfigBorderType, acldvppBorderConfig*, acldvppBorderType)
FOOTHOLD_UNSUPPORTED_VALUE(acldvppBorderType, BORDER_CONSTANT, acldvppGetBorderConfigBorderType,
                           const acldvppBorderConfig*)
FOOTHOLD_UNSUPPORTED(acldvppSetBorderConfigBottom, acldvppBorderConfig*, uint32_t)
FOOTHOLD_UNSUPPORTED_VALUE(uint32_t, 0, acldvppGetBorderConfigBottom, const acldvppBorderConfig*)
FOOTHOLD_UNSUPPORTED(acldvppSetBorderConfigLeft, acldvppBorderConfig*, uint32_t)
FOOTHOLD_UNSUPPORTED_VALUE(uint32_t, 0, acldvppGetBorderConfigLeft, const acldvppBorderConfig*)
FOOTHOLD_UNSUPPORTED(acldvppSetBorderConfigRight, acldvppBorderConfig*, uint32_t)
FOOTHOLD_UNSUPPORTED_VALUE(uint32_t, 0, acldvppGetBorderConfigRight, const acldvppBorderConfig*)
FOOTHOLD_UNSUPPORTED(acldvppSetBorderConfigTop, acldvppBorderConfig*, uint32_t)
FOOTHOLD_UNSUPPORTED_VALUE(uint32_t, 0, acldvppGetBorderConfigTop, const acldvppBorderConfig*)
FOOTHOLD_UNSUPPORTED(acldvppSetBorderConfigValue, acldvppBorderConfig*, uint32_t, double)
FOOTHOLD_UNSUPPORTED_VALUE(double, 0, acldvppGetBorderConfigValue, const acldvppBorderConfig*, uint32_t)
FOOTHOLD_UNSUPPORTED_VALUE(acldvppResizeConfig*, nullptr, acldvppCreateResizeConfig)
FOOTHOLD_UNSUPPORTED(acldvppDestroyResizeConfig, acldvppResizeConfig*)
FOOTHOLD_UNSUPPORTED(acldvppSetResizeConfigInterpolation, acldvppResizeConfig*, uint32_t)
FOOTHOLD_UNSUPPORTED_VALUE(uint32_t, 0, acldvppGetResizeConfigInterpolation, const acldvppResizeConfig*)
FOOTHOLD_UNSUPPORTED_VALUE(acldvppJpegeConfig*, nullptr, acldvppCreateJpegeConfig)
FOOTHOLD_UNSUPPORTED(acldvppDestroyJpegeConfig, acldvppJpegeConfig*)
FOOTHOLD_UNSUPPORTED(acldvppSetJpegeConfigLevel, acldvppJpegeConfig*, uint32_t)
FOOTHOLD_UNSUPPORTED_VALUE(uint32_t, 0, acldvppGetJpegeConfigLevel, const acldvppJpegeConfig*)
FOOTHOLD_UNSUPPORTED_VALUE(acldvppLutMap*, nullptr, acldvppCreateLutMap)
FOOTHOLD_UNSUPPORTED(acldvppDestroyLutMap, acldvppLutMap*)
FOOTHOLD_UNSUPPORTED(acldvppGetLutMapData, const acldvppLutMap*, uint32_t, uint8_t**, uint32_t*)
FOOTHOLD_UNSUPPORTED_VALUE(uint32_t, 0, acldvppGetLutMapDims, const acldvppLutMap*)
FOOTHOLD_UNSUPPORTED_VALUE(acldvppHist*, nullptr, acldvppCreateHist)
FOOTHOLD_UNSUPPORTED(acldvppDestroyHist, acldvppHist*)
FOOTHOLD_UNSUPPORTED(acldvppGetHistData, acldvppHist*, uint32_t, uint32_t**, uint16_t*)
FOOTHOLD_UNSUPPORTED_VALUE(uint32_t, 0, acldvppGetHistDims, acldvppHist*)
FOOTHOLD_UNSUPPORTED_VALUE(uint32_t, kUnsupportedCode, acldvppGetHistRetCode, acldvppHist*)
FOOTHOLD_UNSUPPORTED(acldvppClearHist, acldvppHist*)
FOOTHOLD_UNSUPPORTED_VALUE(acldvppStreamDesc*, nullptr, acldvppCreateStreamDesc)
FOOTHOLD_UNSUPPORTED(acldvppDestroyStreamDesc, acldvppStreamDesc*)
FOOTHOLD_UNSUPPORTED(acldvppSetStreamDescData, acldvppStreamDesc*, void*)
FOOTHOLD_UNSUPPORTED_VALUE(void*, nullptr, acldvppGetStreamDescData, const acldvppStreamDesc*)
FOOTHOLD_UNSUPPORTED(acldvppSetStreamDescEos, acldvppStreamDesc*, uint8_t)
FOOTHOLD_UNSUPPORTED_VALUE(uint8_t, 0, acldvppGetStreamDescEos, const acldvppStreamDesc*)
FOOTHOLD_UNSUPPORTED(acldvppSetStreamDescFormat, acldvppStreamDesc*, acldvppStreamFormat)
FOOTHOLD_UNSUPPORTED_VALUE(acldvppStreamFormat, H265_MAIN_LEVEL, acldvppGetStreamDescFormat,
                           const acldvppStreamDesc*)
FOOTHOLD_UNSUPPORTED(acldvppSetStreamDescRetCode, acldvppStreamDesc*, uint32_t)
FOOTHOLD_UNSUPPORTED_VALUE(uint32_t, kUnsupportedCode, acldvppGetStreamDescRetCode, const acldvppStreamDesc*)
FOOTHOLD_UNSUPPORTED(acldvppSetStreamDescSize, acldvppStreamDesc*, uint32_t)
FOOTHOLD_UNSUPPORTED_VALUE(uint32_t, 0, acldvppGetStreamDescSize, const acldvppStreamDesc*)
FOOTHOLD_UNSUPPORTED(acldvppSetStreamDescTimestamp, acldvppStreamDesc*, uint64_t)
FOOTHOLD_UNSUPPORTED_VALUE(uint64_t, 0, acldvppGetStreamDescTimestamp, const acldvppStreamDesc*)
FOOTHOLD_UNSUPPORTED(acldvppVpcResizeAsync, acldvppChannelDesc*, acldvppPicDesc*, acldvppPicDesc*,
                     acldvppResizeConfig*, aclrtStream)
FOOTHOLD_UNSUPPORTED(acldvppVpcCropAsync, acldvppChannelDesc*, acldvppPicDesc*, acldvppPicDesc*,
                     acldvppRoiConfig*, aclrtStream)
FOOTHOLD_UNSUPPORTED(acldvppVpcCropResizeAsync, acldvppChannelDesc*, acldvppPicDesc*, acldvppPicDesc*,
                     acldvppRoiConfig*, acldvppResizeConfig*, aclrtStream)
FOOTHOLD_UNSUPPORTED(acldvppVpcCropAndPasteAsync, acldvppChannelDesc*, acldvppPicDesc*, acldvppPicDesc*,
                     acldvppRoiConfig*, acldvppRoiConfig*, aclrtStream)
FOOTHOLD_UNSUPPORTED(acldvppVpcCropResizePasteAsync, acldvppChannelDesc*, acldvppPicDesc*, acldvppPicDesc*,
                     acldvppRoiConfig*, acldvppRoiConfig*, acldvppResizeConfig*, aclrtStream)
FOOTHOLD_UNSUPPORTED(acldvppVpcConvertColorAsync, acldvppChannelDesc*, acldvppPicDesc*, acldvppPicDesc*,
                     aclrtStream)
FOOTHOLD_UNSUPPORTED(acldvppVpcPyrDownAsync, acldvppChannelDesc*, acldvppPicDesc*, acldvppPicDesc*, void*,
                     aclrtStream)
FOOTHOLD_UNSUPPORTED(acldvppVpcEqualizeHistAsync, const acldvppChannelDesc*, const acldvppPicDesc*,
                     acldvppPicDesc*, const acldvppLutMap*, aclrtStream)
FOOTHOLD_UNSUPPORTED(acldvppVpcMakeBorderAsync, const acldvppChannelDesc*, const acldvppPicDesc*,
                     acldvppPicDesc*, const acldvppBorderConfig*, aclrtStream)
FOOTHOLD_UNSUPPORTED(acldvppVpcCalcHistAsync, acldvppChannelDesc*, acldvppPicDesc*, acldvppHist*, void*,
                     aclrtStream)
FOOTHOLD_UNSUPPORTED(acldvppVpcBatchCropAsync, acldvppChannelDesc*, acldvppBatchPicDesc*, uint32_t*, uint32_t,
                     acldvppBatchPicDesc*, acldvppRoiConfig**, aclrtStream)
FOOTHOLD_UNSUPPORTED(acldvppVpcBatchCropResizeAsync, acldvppChannelDesc*, acldvppBatchPicDesc*, uint32_t*,
                     uint32_t, acldvppBatchPicDesc*, acldvppRoiConfig**, acldvppResizeConfig*, aclrtStream)
FOOTHOLD_UNSUPPORTED(acldvppVpcBatchCropAndPasteAsync, acldvppChannelDesc*, acldvppBatchPicDesc*, uint32_t*,
                     uint32_t, acldvppBatchPicDesc*, acldvppRoiConfig**, acldvppRoiConfig**, aclrtStream)
FOOTHOLD_UNSUPPORTED(acldvppVpcBatchCropResizePasteAsync, acldvppChannelDesc*, acldvppBatchPicDesc*,
                     uint32_t*, uint32_t, acldvppBatchPicDesc*, acldvppRoiConfig**, acldvppRoiConfig**,
                     acldvppResizeConfig*, aclrtStream)
FOOTHOLD_UNSUPPORTED(acldvppVpcBatchCropResizeMakeBorderAsync, acldvppChannelDesc*, acldvppBatchPicDesc*,
                     uint32_t*, uint32_t, acldvppBatchPicDesc*, acldvppRoiConfig**, acldvppBorderConfig**,
                     acldvppResizeConfig*, aclrtStream)
FOOTHOLD_UNSUPPORTED(acldvppJpegGetImageInfo, const void*, uint32_t, uint32_t*, uint32_t*, int32_t*)
FOOTHOLD_UNSUPPORTED(acldvppJpegGetImageInfoV2, const void*, uint32_t, uint32_t*, uint32_t*, int32_t*,
                     acldvppJpegFormat*)
FOOTHOLD_UNSUPPORTED(acldvppJpegPredictEncSize, const acldvppPicDesc*, const acldvppJpegeConfig*, uint32_t*)
FOOTHOLD_UNSUPPORTED(acldvppJpegPredictDecSize, const void*, uint32_t, acldvppPixelFormat, uint32_t*)
FOOTHOLD_UNSUPPORTED(acldvppJpegEncodeAsync, acldvppChannelDesc*, acldvppPicDesc*, const void*, uint32_t*,
                     acldvppJpegeConfig*, aclrtStream)
FOOTHOLD_UNSUPPORTED(acldvppJpegDecodeAsync, acldvppChannelDesc*, const void*, uint32_t, acldvppPicDesc*,
                     aclrtStream)
FOOTHOLD_UNSUPPORTED(acldvppPngGetImageInfo, const void*, uint32_t, uint32_t*, uint32_t*, int32_t*)
FOOTHOLD_UNSUPPORTED(acldvppPngPredictDecSize, const void*, uint32_t, acldvppPixelFormat, uint32_t*)
FOOTHOLD_UNSUPPORTED(acldvppPngDecodeAsync, acldvppChannelDesc*, const void*, uint32_t, acldvppPicDesc*,
                     aclrtStream)

// acl/ops/acl_fv.h
FOOTHOLD_UNSUPPORTED_VALUE(aclfvInitPara*, nullptr, aclfvCreateInitPara, uint64_t)
FOOTHOLD_UNSUPPORTED(aclfvDestroyInitPara, aclfvInitPara*)
FOOTHOLD_UNSUPPORTED(aclfvSet1NTopNum, aclfvInitPara*, uint32_t)
FOOTHOLD_UNSUPPORTED(aclfvSetNMTopNum, aclfvInitPara*, uint32_t)
FOOTHOLD_UNSUPPORTED(aclfvInit, aclfvInitPara*)
FOOTHOLD_UNSUPPORTED(aclfvRelease)
FOOTHOLD_UNSUPPORTED_VALUE(aclfvFeatureInfo*, nullptr, aclfvCreateFeatureInfo, uint32_t, uint32_t, uint32_t,
                           uint32_t, uint32_t, uint8_t*, uint32_t)
FOOTHOLD_UNSUPPORTED(aclfvDestroyFeatureInfo, aclfvFeatureInfo*)
FOOTHOLD_UNSUPPORTED_VALUE(aclfvRepoRange*, nullptr, aclfvCreateRepoRange, uint32_t, uint32_t, uint32_t,
                           uint32_t)
FOOTHOLD_UNSUPPORTED(aclfvDestroyRepoRange, aclfvRepoRange*)
FOOTHOLD_UNSUPPORTED(aclfvRepoAdd, aclfvSearchType, aclfvFeatureInfo*)
FOOTHOLD_UNSUPPORTED(aclfvRepoDel, aclfvSearchType, aclfvRepoRange*)
FOOTHOLD_UNSUPPORTED(aclfvDel, aclfvFeatureInfo*)
FOOTHOLD_UNSUPPORTED(aclfvModify, aclfvFeatureInfo*)
FOOTHOLD_UNSUPPORTED_VALUE(aclfvQueryTable*, nullptr, aclfvCreateQueryTable, uint32_t, uint32_t, uint8_t*,
                           uint32_t)
FOOTHOLD_UNSUPPORTED(aclfvDestroyQueryTable, aclfvQueryTable*)
FOOTHOLD_UNSUPPORTED_VALUE(aclfvSearchInput*, nullptr, aclfvCreateSearchInput, aclfvQueryTable*,
                           aclfvRepoRange*, uint32_t)
FOOTHOLD_UNSUPPORTED(aclfvDestroySearchInput, aclfvSearchInput*)
FOOTHOLD_UNSUPPORTED_VALUE(aclfvSearchResult*, nullptr, aclfvCreateSearchResult, uint32_t, uint32_t*,
                           uint32_t, uint32_t*, uint32_t*, uint32_t*, float*, uint32_t)
FOOTHOLD_UNSUPPORTED(aclfvDestroySearchResult, aclfvSearchResult*)
FOOTHOLD_UNSUPPORTED(aclfvSearch, aclfvSearchType, aclfvSearchInput*, aclfvSearchResult*)
