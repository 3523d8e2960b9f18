// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The pictures of tests/fuzz/corpus, which tools/media/make_pictures.c wrote.
#pragma once

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace foothold::media {

constexpr std::uint32_t kFileWidth = 35, kFileHeight = 26;

inline std::string ReadCodedFile(const std::filesystem::path& path) {
  std::stringstream bytes;
  bytes << std::ifstream(path, std::ios::binary).rdbuf();
  return bytes.str();
}

inline std::filesystem::path CodedFolder(const char* kind) {
  return std::filesystem::path(FOOTHOLD_SOURCE_DIR) / "tests" / "fuzz" / "corpus" / kind;
}

inline std::string JpegFile(const std::string& name) {
  return ReadCodedFile(CodedFolder("jpeg") / (name + ".jpg"));
}
inline std::string PngFile(const std::string& name) {
  return ReadCodedFile(CodedFolder("png") / (name + ".png"));
}

inline const std::uint8_t* BytesOf(const std::string& file) {
  return reinterpret_cast<const std::uint8_t*>(file.data());
}

// What make_pictures.c drew.
inline std::uint8_t DrawnSample(std::uint32_t x, std::uint32_t y, std::uint32_t channel) {
  return static_cast<std::uint8_t>(x * 7 + y * (channel * 3 + 2) + channel * 60);
}

}  // namespace foothold::media
