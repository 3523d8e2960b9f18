// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The hi_mpi family: functions that are not implemented.
#include "acl/dvpp/hi_dvpp.h"
#include "api/unsupported/unsupported.h"

namespace {
constexpr foothold::Code kUnsupportedCode = static_cast<foothold::Code>(HI_ERR_VPC_NOT_SUPPORT);
}  // namespace

// acl/dvpp/hi_dvpp_vpc.h
FOOTHOLD_UNSUPPORTED(hi_mpi_vpc_convert_color_v2, hi_vpc_chn, const hi_vpc_pic_info*, hi_vpc_pic_info*,
                     hi_csc_conf*, hi_u32*, hi_s32)
