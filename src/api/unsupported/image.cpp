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
