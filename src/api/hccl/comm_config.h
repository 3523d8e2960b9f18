// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// From the configuration of a communicator, as old or new as the program is, to its settings.
#pragma once

#include "collectives/settings.h"
#include "hccl/hccl_types.h"

namespace foothold::collectives {

// Over those of the environment. Reads the fields that lie inside of the size it has. Throws HCCL_E_PARA for
// one that HcclCommConfigInit was not called for, and for values that cannot be used.
CommSettings SettingsOf(const HcclCommConfig& config);

}  // namespace foothold::collectives
