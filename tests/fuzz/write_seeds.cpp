// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// write_seeds FOLDER: what fuzz_graph_model and fuzz_om_model begin with, in folders of their names.
#include <filesystem>
#include <fstream>

#include "fuzz/graph_seeds.h"
#include "fuzz/om_seeds.h"

namespace {

using Seeds = std::vector<std::pair<std::string, std::string>>;

bool Write(const std::filesystem::path& folder, const Seeds& seeds) {
  std::filesystem::create_directories(folder);
  for (const auto& [name, bytes] : seeds)
    if (!std::ofstream(folder / name, std::ios::binary)
             .write(bytes.data(), static_cast<std::streamsize>(bytes.size())))
      return false;
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 1;
  const std::filesystem::path folder = argv[1];
  const bool written = Write(folder / "graph_model", foothold::GraphSeeds()) &&
                       Write(folder / "om_model", foothold::OmSeeds());
  return written ? 0 : 1;
}
