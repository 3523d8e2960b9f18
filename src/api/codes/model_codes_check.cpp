// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The error numbers of offline models are the public ones. This file only has to compile.
#include "acl/acl_base.h"
#include "model/model_codes.h"

namespace foothold {

static_assert(kWriteFile == ACL_ERROR_WRITE_FILE);
static_assert(kInvalidModelId == ACL_ERROR_INVALID_MODEL_ID);
static_assert(kDeserializeModel == ACL_ERROR_DESERIALIZE_MODEL);
static_assert(kParseModel == ACL_ERROR_PARSE_MODEL);
static_assert(kReadModelFailure == ACL_ERROR_READ_MODEL_FAILURE);
static_assert(kModelInputNotMatch == ACL_ERROR_MODEL_INPUT_NOT_MATCH);
static_assert(kModelOutputNotMatch == ACL_ERROR_MODEL_OUTPUT_NOT_MATCH);
static_assert(kModelNotDynamic == ACL_ERROR_MODEL_NOT_DYNAMIC);
static_assert(kGeExecParamInvalid == ACL_ERROR_GE_PARAM_INVALID);
static_assert(kGeModelPathInvalid == ACL_ERROR_GE_EXEC_MODEL_PATH_INVALID);
static_assert(kGeModelIdInvalid == ACL_ERROR_GE_EXEC_MODEL_ID_INVALID);
static_assert(kGeModelDataSizeInvalid == ACL_ERROR_GE_EXEC_MODEL_DATA_SIZE_INVALID);
static_assert(kGeDynamicInputLengthInvalid == ACL_ERROR_GE_DYNAMIC_INPUT_LENGTH_INVALID);
static_assert(kGeDynamicBatchSizeInvalid == ACL_ERROR_GE_DYNAMIC_BATCH_SIZE_INVALID);
static_assert(kGeAippBatchEmpty == ACL_ERROR_GE_AIPP_BATCH_EMPTY);
static_assert(kGeAippNotExist == ACL_ERROR_GE_AIPP_NOT_EXIST);
static_assert(kGeAippModeInvalid == ACL_ERROR_GE_AIPP_MODE_INVALID);
static_assert(kInvalidBundleModelId == ACL_ERROR_INVALID_BUNDLE_MODEL_ID);
static_assert(kGeLoadModel == ACL_ERROR_GE_LOAD_MODEL);

}  // namespace foothold
