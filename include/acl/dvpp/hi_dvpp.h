// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
// The hi_mpi interface to pictures and video.
#ifndef FOOTHOLD_ACL_DVPP_HI_DVPP_H
#define FOOTHOLD_ACL_DVPP_HI_DVPP_H

#include "hi_dvpp_common.h"
#include "hi_dvpp_pngd.h"
#include "hi_dvpp_type.h"
#include "hi_dvpp_vdec.h"
#include "hi_dvpp_venc.h"
#include "hi_dvpp_vpc.h"
#include "hi_mpi_sys.h"

#endif
