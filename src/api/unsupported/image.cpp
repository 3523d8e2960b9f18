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
FOOTHOLD_UNSUPPORTED_VALUE(aclvdecChannelDesc*, nullptr, aclvdecCreateChannelDesc)
FOOTHOLD_UNSUPPORTED(aclvdecDestroyChannelDesc, aclvdecChannelDesc*)
FOOTHOLD_UNSUPPORTED(aclvdecSetChannelDescBitDepth, aclvdecChannelDesc*, uint32_t)
FOOTHOLD_UNSUPPORTED_VALUE(uint32_t, 0, aclvdecGetChannelDescBitDepth, const aclvdecChannelDesc*)
FOOTHOLD_UNSUPPORTED(aclvdecSetChannelDescCallback, aclvdecChannelDesc*, aclvdecCallback)
FOOTHOLD_UNSUPPORTED_VALUE(aclvdecCallback, nullptr, aclvdecGetChannelDescCallback, const aclvdecChannelDesc*)
FOOTHOLD_UNSUPPORTED(aclvdecSetChannelDescChannelId, aclvdecChannelDesc*, uint32_t)
FOOTHOLD_UNSUPPORTED_VALUE(uint32_t, 0, aclvdecGetChannelDescChannelId, const aclvdecChannelDesc*)
FOOTHOLD_UNSUPPORTED(aclvdecSetChannelDescEnType, aclvdecChannelDesc*, acldvppStreamFormat)
FOOTHOLD_UNSUPPORTED_VALUE(acldvppStreamFormat, H265_MAIN_LEVEL, aclvdecGetChannelDescEnType,
                           const aclvdecChannelDesc*)
FOOTHOLD_UNSUPPORTED(aclvdecSetChannelDescOutMode, aclvdecChannelDesc*, uint32_t)
FOOTHOLD_UNSUPPORTED_VALUE(uint32_t, 0, aclvdecGetChannelDescOutMode, const aclvdecChannelDesc*)
FOOTHOLD_UNSUPPORTED(aclvdecSetChannelDescOutPicFormat, aclvdecChannelDesc*, acldvppPixelFormat)
FOOTHOLD_UNSUPPORTED_VALUE(acldvppPixelFormat, PIXEL_FORMAT_UNKNOWN, aclvdecGetChannelDescOutPicFormat,
                           const aclvdecChannelDesc*)
FOOTHOLD_UNSUPPORTED(aclvdecSetChannelDescOutPicHeight, aclvdecChannelDesc*, uint32_t)
FOOTHOLD_UNSUPPORTED_VALUE(uint32_t, 0, aclvdecGetChannelDescOutPicHeight, const aclvdecChannelDesc*)
FOOTHOLD_UNSUPPORTED(aclvdecSetChannelDescOutPicWidth, aclvdecChannelDesc*, uint32_t)
FOOTHOLD_UNSUPPORTED_VALUE(uint32_t, 0, aclvdecGetChannelDescOutPicWidth, const aclvdecChannelDesc*)
FOOTHOLD_UNSUPPORTED(aclvdecSetChannelDescParam, aclvdecChannelDesc*, aclvdecChannelDescParamType, size_t,
                     const void*)
FOOTHOLD_UNSUPPORTED(aclvdecGetChannelDescParam, const aclvdecChannelDesc*, aclvdecChannelDescParamType,
                     size_t, size_t*, void*)
FOOTHOLD_UNSUPPORTED(aclvdecSetChannelDescRefFrameNum, aclvdecChannelDesc*, uint32_t)
FOOTHOLD_UNSUPPORTED_VALUE(uint32_t, 0, aclvdecGetChannelDescRefFrameNum, const aclvdecChannelDesc*)
FOOTHOLD_UNSUPPORTED(aclvdecSetChannelDescThreadId, aclvdecChannelDesc*, uint64_t)
FOOTHOLD_UNSUPPORTED_VALUE(uint64_t, 0, aclvdecGetChannelDescThreadId, const aclvdecChannelDesc*)
FOOTHOLD_UNSUPPORTED_VALUE(aclvdecFrameConfig*, nullptr, aclvdecCreateFrameConfig)
FOOTHOLD_UNSUPPORTED(aclvdecDestroyFrameConfig, aclvdecFrameConfig*)
FOOTHOLD_UNSUPPORTED(aclvdecCreateChannel, aclvdecChannelDesc*)
FOOTHOLD_UNSUPPORTED(aclvdecDestroyChannel, aclvdecChannelDesc*)
FOOTHOLD_UNSUPPORTED(aclvdecSendFrame, aclvdecChannelDesc*, acldvppStreamDesc*, acldvppPicDesc*,
                     aclvdecFrameConfig*, void*)
FOOTHOLD_UNSUPPORTED(aclvdecSendSkippedFrame, aclvdecChannelDesc*, acldvppStreamDesc*, aclvdecFrameConfig*,
                     void*)
FOOTHOLD_UNSUPPORTED_VALUE(aclvencChannelDesc*, nullptr, aclvencCreateChannelDesc)
FOOTHOLD_UNSUPPORTED(aclvencDestroyChannelDesc, aclvencChannelDesc*)
FOOTHOLD_UNSUPPORTED(aclvencSetChannelDescBufAddr, aclvencChannelDesc*, void*)
FOOTHOLD_UNSUPPORTED_VALUE(void*, nullptr, aclvencGetChannelDescBufAddr, const aclvencChannelDesc*)
FOOTHOLD_UNSUPPORTED(aclvencSetChannelDescBufSize, aclvencChannelDesc*, uint32_t)
FOOTHOLD_UNSUPPORTED_VALUE(uint32_t, 0, aclvencGetChannelDescBufSize, const aclvencChannelDesc*)
FOOTHOLD_UNSUPPORTED(aclvencSetChannelDescCallback, aclvencChannelDesc*, aclvencCallback)
FOOTHOLD_UNSUPPORTED_VALUE(aclvencCallback, nullptr, aclvencGetChannelDescCallback, const aclvencChannelDesc*)
FOOTHOLD_UNSUPPORTED_VALUE(uint32_t, 0, aclvencGetChannelDescChannelId, const aclvencChannelDesc*)
FOOTHOLD_UNSUPPORTED(aclvencSetChannelDescEnType, aclvencChannelDesc*, acldvppStreamFormat)
FOOTHOLD_UNSUPPORTED_VALUE(acldvppStreamFormat, H265_MAIN_LEVEL, aclvencGetChannelDescEnType,
                           const aclvencChannelDesc*)
FOOTHOLD_UNSUPPORTED(aclvencSetChannelDescKeyFrameInterval, aclvencChannelDesc*, uint32_t)
FOOTHOLD_UNSUPPORTED_VALUE(uint32_t, 0, aclvencGetChannelDescKeyFrameInterval, const aclvencChannelDesc*)
FOOTHOLD_UNSUPPORTED(aclvencSetChannelDescMaxBitRate, aclvencChannelDesc*, uint32_t)
FOOTHOLD_UNSUPPORTED_VALUE(uint32_t, 0, aclvencGetChannelDescMaxBitRate, const aclvencChannelDesc*)
FOOTHOLD_UNSUPPORTED(aclvencSetChannelDescParam, aclvencChannelDesc*, aclvencChannelDescParamType, size_t,
                     const void*)
FOOTHOLD_UNSUPPORTED(aclvencGetChannelDescParam, const aclvencChannelDesc*, aclvencChannelDescParamType,
                     size_t, size_t*, void*)
FOOTHOLD_UNSUPPORTED(aclvencSetChannelDescPicFormat, aclvencChannelDesc*, acldvppPixelFormat)
FOOTHOLD_UNSUPPORTED_VALUE(acldvppPixelFormat, PIXEL_FORMAT_UNKNOWN, aclvencGetChannelDescPicFormat,
                           const aclvencChannelDesc*)
FOOTHOLD_UNSUPPORTED(aclvencSetChannelDescPicHeight, aclvencChannelDesc*, uint32_t)
FOOTHOLD_UNSUPPORTED_VALUE(uint32_t, 0, aclvencGetChannelDescPicHeight, const aclvencChannelDesc*)
FOOTHOLD_UNSUPPORTED(aclvencSetChannelDescPicWidth, aclvencChannelDesc*, uint32_t)
FOOTHOLD_UNSUPPORTED_VALUE(uint32_t, 0, aclvencGetChannelDescPicWidth, const aclvencChannelDesc*)
FOOTHOLD_UNSUPPORTED(aclvencSetChannelDescRcMode, aclvencChannelDesc*, uint32_t)
FOOTHOLD_UNSUPPORTED_VALUE(uint32_t, 0, aclvencGetChannelDescRcMode, const aclvencChannelDesc*)
FOOTHOLD_UNSUPPORTED(aclvencSetChannelDescSrcRate, aclvencChannelDesc*, uint32_t)
FOOTHOLD_UNSUPPORTED_VALUE(uint32_t, 0, aclvencGetChannelDescSrcRate, const aclvencChannelDesc*)
FOOTHOLD_UNSUPPORTED(aclvencSetChannelDescThreadId, aclvencChannelDesc*, uint64_t)
FOOTHOLD_UNSUPPORTED_VALUE(uint64_t, 0, aclvencGetChannelDescThreadId, const aclvencChannelDesc*)
FOOTHOLD_UNSUPPORTED_VALUE(aclvencFrameConfig*, nullptr, aclvencCreateFrameConfig)
FOOTHOLD_UNSUPPORTED(aclvencDestroyFrameConfig, aclvencFrameConfig*)
FOOTHOLD_UNSUPPORTED(aclvencSetFrameConfigEos, aclvencFrameConfig*, uint8_t)
FOOTHOLD_UNSUPPORTED_VALUE(uint8_t, 0, aclvencGetFrameConfigEos, const aclvencFrameConfig*)
FOOTHOLD_UNSUPPORTED(aclvencSetFrameConfigForceIFrame, aclvencFrameConfig*, uint8_t)
FOOTHOLD_UNSUPPORTED_VALUE(uint8_t, 0, aclvencGetFrameConfigForceIFrame, const aclvencFrameConfig*)
FOOTHOLD_UNSUPPORTED(aclvencCreateChannel, aclvencChannelDesc*)
FOOTHOLD_UNSUPPORTED(aclvencDestroyChannel, aclvencChannelDesc*)
FOOTHOLD_UNSUPPORTED(aclvencSendFrame, aclvencChannelDesc*, acldvppPicDesc*, void*, aclvencFrameConfig*,
                     void*)

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
