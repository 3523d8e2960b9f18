// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// write_om_seeds FOLDER: the files fuzz_om_model begins with.
#include <filesystem>
#include <fstream>

#include "fuzz/om_seeds.h"

int main(int argc, char** argv) {
  if (argc != 2) return 1;
  const std::filesystem::path folder = argv[1];
  std::filesystem::create_directories(folder);
  for (const auto& [name, bytes] : foothold::OmSeeds())
    if (!std::ofstream(folder / name, std::ios::binary)
             .write(bytes.data(), static_cast<std::streamsize>(bytes.size())))
      return 1;
  return 0;
}
