// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What is saved when something fails: the inputs of the node that failed, and what the program wants kept
// (acldumpSaveExceptionInfo). Always goes to the disk. Any thread.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/dump_config.h"
#include "formats/dump_file.h"

namespace foothold {

// The directory exception dumps are put below: environment variables first, then the configuration, then the
// working directory.
std::string ExceptionPath(const DumpConfig& config);
// The one for a device, with a slash at the end.
std::string ExceptionDirectory(const DumpConfig& config, int device);

// Both throw kInvalidFile with the file and what the system said.
void SaveFailedNode(const DumpConfig& config, int device, const std::string& name,
                    const std::vector<DumpTensor>& inputs, std::uint32_t task, int stream);
// As <directory><file>.custom.<milliseconds>.
void SaveExceptionRecord(const std::string& directory, const std::string& file, const DumpRecord& record);

}  // namespace foothold
