// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "training_files.h"

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>

namespace bench {

std::int64_t CountOf(const Dims& dims) {
  std::int64_t count = 1;
  for (const std::int64_t dim : dims)
    count *= dim;
  return count;
}

TrainingArrays ReadTrainingArrays(const std::string& folder) {
  TrainingArrays arrays;
  std::ifstream index(folder + "/index"), data(folder + "/arrays", std::ios::binary);
  for (std::string line; std::getline(index, line);) {
    std::istringstream words(line);
    std::string name, type;
    words >> name >> type;
    TrainingArray& array = arrays[name];
    array.integers = type == "int32";
    for (std::int64_t dim; words >> dim;)
      array.dims.push_back(dim);
    array.bytes.resize(static_cast<std::size_t>(CountOf(array.dims)) * 4);
    data.read(reinterpret_cast<char*>(array.bytes.data()), static_cast<std::streamsize>(array.bytes.size()));
  }
  if (!data || arrays.count("inputs") == 0 || arrays.count("labels") == 0) {
    std::fprintf(stderr, "%s has no whole set of arrays\n", folder.c_str());
    std::exit(1);
  }
  return arrays;
}

}  // namespace bench
