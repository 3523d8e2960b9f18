// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "device/device_uuid.h"

#include <fmt/format.h>
#include <unistd.h>

#include <fstream>
#include <string>

namespace foothold {
namespace {

std::string MachineName() {
  std::string id;
  if (std::ifstream file("/etc/machine-id"); std::getline(file, id) && !id.empty()) return id;
  char host[256] = {};
  gethostname(host, sizeof(host) - 1);
  return host;
}

// FNV-1a: spread well enough for names, and the same everywhere.
std::uint64_t Hash(std::string_view text, std::uint64_t start) {
  std::uint64_t hash = start;
  for (const char letter : text)
    hash = (hash ^ static_cast<unsigned char>(letter)) * 0x100000001B3u;
  return hash;
}

}  // namespace

std::array<std::uint8_t, 16> DeviceUuid(int physical_id) {
  const std::string name = fmt::format("foothold device {} of {}", physical_id, MachineName());
  const std::uint64_t halves[2] = {Hash(name, 0xCBF29CE484222325u), Hash(name, 0x9E3779B97F4A7C15u)};
  std::array<std::uint8_t, 16> uuid;
  for (int i = 0; i < 16; ++i)
    uuid[i] = static_cast<std::uint8_t>(halves[i / 8] >> (56 - i % 8 * 8));
  uuid[6] = static_cast<std::uint8_t>(0x80 | (uuid[6] & 0x0F));
  uuid[8] = static_cast<std::uint8_t>(0x80 | (uuid[8] & 0x3F));
  return uuid;
}

}  // namespace foothold
