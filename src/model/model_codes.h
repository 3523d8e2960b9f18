// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Error numbers of offline models; public numbers like those of base/error_codes.h, which
// api/codes/model_codes_check.cpp holds equal to the headers.
#pragma once

#include "base/error_codes.h"

namespace foothold {

constexpr auto kWriteFile = static_cast<Code>(100004);
constexpr auto kInvalidModelId = static_cast<Code>(100011);
constexpr auto kDeserializeModel = static_cast<Code>(100012);
constexpr auto kParseModel = static_cast<Code>(100013);
constexpr auto kReadModelFailure = static_cast<Code>(100014);
constexpr auto kModelInputNotMatch = static_cast<Code>(100017);
constexpr auto kModelOutputNotMatch = static_cast<Code>(100018);
constexpr auto kModelNotDynamic = static_cast<Code>(100019);
constexpr auto kGeExecParamInvalid = static_cast<Code>(145000);
constexpr auto kGeModelPathInvalid = static_cast<Code>(145002);
constexpr auto kGeModelIdInvalid = static_cast<Code>(145003);
constexpr auto kGeModelDataSizeInvalid = static_cast<Code>(145006);
constexpr auto kGeDynamicInputLengthInvalid = static_cast<Code>(145012);
constexpr auto kGeDynamicBatchSizeInvalid = static_cast<Code>(145013);
constexpr auto kGeAippBatchEmpty = static_cast<Code>(145014);
constexpr auto kGeAippNotExist = static_cast<Code>(145015);
constexpr auto kGeAippModeInvalid = static_cast<Code>(145016);
constexpr auto kInvalidBundleModelId = static_cast<Code>(148053);
constexpr auto kGeLoadModel = static_cast<Code>(545001);

}  // namespace foothold
