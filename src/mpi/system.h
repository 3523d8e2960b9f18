// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Start and end of the family: programs begin with one call and end with another, in pairs. Any thread.
#pragma once

#include "mpi/mpi_error.h"

namespace foothold::mpi {

void StartSystem();
// Throws if there was no start to this end.
void EndSystem();
// Throws "not ready" before the first start and after the last end.
void CheckStarted(Module module);

}  // namespace foothold::mpi
