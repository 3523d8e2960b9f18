// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "npu_smi/tables.h"

#include <fmt/format.h>

#include <string_view>

namespace foothold::npu_smi {
namespace {

constexpr std::size_t kFirst = 27, kSecond = 15, kThird = 52;  // widths of the columns
constexpr std::string_view kNamePrefix = "Ascend";             // scripts put it in front again

std::string Rule(char line) {
  return fmt::format("+{}+{}+{}+\n", std::string(kFirst, line), std::string(kSecond, line),
                     std::string(kThird, line));
}

std::string LongRule() {
  return fmt::format("+{:-<{}}+\n", "", kFirst + kSecond + kThird + 2);
}

std::string LongLine(const std::string& text) {
  return fmt::format("| {:<{}}|\n", text, kFirst + kSecond + kThird + 1);
}

std::string Line(const std::string& first, const std::string& second, const std::string& third) {
  return fmt::format("| {:<{}}| {:<{}}| {:<{}}|\n", first, kFirst - 1, second, kSecond - 1, third,
                     kThird - 1);
}

std::string ShortName(const std::string& name) {
  return name.starts_with(kNamePrefix) ? name.substr(kNamePrefix.size()) : name;
}

std::uint64_t Megabytes(std::uint64_t bytes) {
  return bytes >> 20;
}

// There is no card, so it draws no power, has no temperature and is never ill.
std::string DeviceLines(std::size_t id, const DeviceRow& device) {
  const std::string memory =
      fmt::format("{:<5}/ {}", Megabytes(device.used_bytes), Megabytes(device.total_bytes));
  return Line(fmt::format("{:<6}{}", id, ShortName(device.soc_name)), "OK",
              fmt::format("{:<12}{:<18}{}", "0.0", "0", "0    / 0")) +
         Line("0", fmt::format("0000:{:02X}:00.0", id),
              fmt::format("{:<12}{:<18}{}", "0", "0    / 0", memory)) +
         Rule('=');
}

// Devices belong to the process that uses them, so no other process is ever seen on them.
std::string Processes(std::size_t devices) {
  std::string text = Rule('-') +
                     Line("NPU     Chip", "Process id", "Process name             | Process memory(MB)") +
                     Rule('=');
  for (std::size_t i = 0; i < devices; ++i)
    text += LongLine(fmt::format("No running processes found in NPU {}", i)) + Rule('=');
  return text;
}

}  // namespace

std::string DeviceTable(const std::vector<DeviceRow>& devices, const std::string& version) {
  std::string text = LongRule() + LongLine(fmt::format("npu-smi {:<25}Version: {}", version, version)) +
                     Rule('-') +
                     Line("NPU   Name", "Health", "Power(W)    Temp(C)           Hugepages-Usage(page)") +
                     Line("Chip", "Bus-Id", "AICore(%)   Memory-Usage(MB)  HBM-Usage(MB)") + Rule('=');
  for (std::size_t i = 0; i < devices.size(); ++i)
    text += DeviceLines(i, devices[i]);
  return text + Processes(devices.size());
}

std::string DeviceList(std::size_t count) {
  std::string text = fmt::format("\t{:<31}: {}\n", "Total Count", count);
  for (std::size_t i = 0; i < count; ++i)
    text += fmt::format("\n\t{:<31}: {}\n", "NPU ID", i);
  return text;
}

}  // namespace foothold::npu_smi
