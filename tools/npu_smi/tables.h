// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The tables of `npu-smi`, in the form scripts take apart by line and word.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace foothold::npu_smi {

struct DeviceRow {
  std::string soc_name;
  std::uint64_t used_bytes = 0, total_bytes = 0;
};

// `npu-smi info`: six lines of heads, then two lines and a rule for each device; names are without "Ascend".
std::string DeviceTable(const std::vector<DeviceRow>& devices, const std::string& version);
// `npu-smi info -l`
std::string DeviceList(std::size_t count);

}  // namespace foothold::npu_smi
