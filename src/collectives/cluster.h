// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Communicators from rank tables.
#pragma once

#include <cstdint>
#include <memory>

#include "collectives/bootstrap/rank_table.h"
#include "collectives/communicator.h"

namespace foothold::collectives {

// One rank of all that the table has, with settings whose name may be empty; rank 0 also listens. Waits for
// all. Throws HCCL_E_PARA if the table has no such rank, HCCL_E_UNAVAIL if this process has it already.
std::shared_ptr<Communicator> MakeFromTable(const RankTable& table, std::uint32_t rank, Device& device,
                                            CommSettings settings);

}  // namespace foothold::collectives
