// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Offline models: functions that are not implemented.
#include "api/unsupported/unsupported.h"

#include "acl/acl_mdl.h"

namespace {
constexpr foothold::Code kUnsupportedCode = foothold::kApiNotSupport;
}  // namespace

// acl/acl_mdl.h
FOOTHOLD_UNSUPPORTED(aclmdlLoadFromFileWithQ, const char*, uint32_t*, const uint32_t*, size_t,
                     const uint32_t*, size_t)
FOOTHOLD_UNSUPPORTED(aclmdlLoadFromMemWithQ, const void*, size_t, uint32_t*, const uint32_t*, size_t,
                     const uint32_t*, size_t)
FOOTHOLD_UNSUPPORTED(aclmdlLoadFromModel, const aclmdlModel*, const aclmdlConfigHandle*, uint32_t*)
FOOTHOLD_UNSUPPORTED(aclmdlSetExternalWeightAddress, aclmdlConfigHandle*, const char*, void*, size_t)
FOOTHOLD_UNSUPPORTED(aclRecoverAllHcclTasks, int32_t)
FOOTHOLD_UNSUPPORTED_VALUE(aclmdlAIPP*, nullptr, aclmdlCreateAIPP, uint64_t)
FOOTHOLD_UNSUPPORTED(aclmdlDestroyAIPP, const aclmdlAIPP*)
FOOTHOLD_UNSUPPORTED(aclmdlGetAippDataSize, uint64_t, size_t*)
FOOTHOLD_UNSUPPORTED(aclmdlSetAIPPInputFormat, aclmdlAIPP*, aclAippInputFormat)
FOOTHOLD_UNSUPPORTED(aclmdlSetAIPPSrcImageSize, aclmdlAIPP*, int32_t, int32_t)
FOOTHOLD_UNSUPPORTED(aclmdlSetAIPPCscParams, aclmdlAIPP*, int8_t, int16_t, int16_t, int16_t, int16_t, int16_t,
                     int16_t, int16_t, int16_t, int16_t, uint8_t, uint8_t, uint8_t, uint8_t, uint8_t, uint8_t)
FOOTHOLD_UNSUPPORTED(aclmdlSetAIPPRbuvSwapSwitch, aclmdlAIPP*, int8_t)
FOOTHOLD_UNSUPPORTED(aclmdlSetAIPPAxSwapSwitch, aclmdlAIPP*, int8_t)
FOOTHOLD_UNSUPPORTED(aclmdlSetAIPPCropParams, aclmdlAIPP*, int8_t, int32_t, int32_t, int32_t, int32_t,
                     uint64_t)
FOOTHOLD_UNSUPPORTED(aclmdlSetAIPPScfParams, aclmdlAIPP*, int8_t, int32_t, int32_t, int32_t, int32_t,
                     uint64_t)
FOOTHOLD_UNSUPPORTED(aclmdlSetAIPPPaddingParams, aclmdlAIPP*, int8_t, int32_t, int32_t, int32_t, int32_t,
                     uint64_t)
FOOTHOLD_UNSUPPORTED(aclmdlSetAIPPDtcPixelMean, aclmdlAIPP*, int16_t, int16_t, int16_t, int16_t, uint64_t)
FOOTHOLD_UNSUPPORTED(aclmdlSetAIPPDtcPixelMin, aclmdlAIPP*, float, float, float, float, uint64_t)
FOOTHOLD_UNSUPPORTED(aclmdlSetAIPPPixelVarReci, aclmdlAIPP*, float, float, float, float, uint64_t)
FOOTHOLD_UNSUPPORTED(aclmdlSetInputAIPP, uint32_t, aclmdlDataset*, size_t, const aclmdlAIPP*)
FOOTHOLD_UNSUPPORTED(aclmdlSetAIPPByInputIndex, uint32_t, aclmdlDataset*, size_t, const aclmdlAIPP*)
