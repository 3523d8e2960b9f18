// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Which hosts may join: HCCL_WHITELIST_DISABLE (1; 0 asks for a list) and HCCL_WHITELIST_FILE.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace foothold::collectives {

// Nothing if all may. Throws HCCL_E_PARA for a list that is asked for and cannot be read.
std::optional<std::vector<std::string>> WhiteList();

}  // namespace foothold::collectives
