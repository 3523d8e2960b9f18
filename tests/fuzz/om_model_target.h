// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What must hold for any bytes somebody loads as an offline model. Used by the fuzzer and by the replay of
// its seeds. Checksums are made to fit first: they keep accidents away, and would keep the fuzzer away too.
#pragma once

#include <algorithm>
#include <cstring>
#include <string>

#include "base/error.h"
#include "fuzz/require.h"
#include "model/bundle.h"
#include "model/description.h"
#include "model/om_layout.h"
#include "model/saved_graph.h"

namespace foothold {

// The magic, the size and all checksums as they should be for what else is there. `inner`: of the models of a
// bundle too.
inline void RepairOm(char* bytes, std::size_t size, bool inner = true) {
  OmHeader header;
  if (size < sizeof header) return;
  std::memcpy(&header, bytes, sizeof header);
  std::memcpy(header.magic, kOmMagic, sizeof header.magic);
  header.version = kOmVersion;
  header.file_size = size;
  header.checksum = 0;
  header.sections = std::min<std::uint32_t>(header.sections, 8);
  const std::size_t entries = header.sections * sizeof(OmEntry);
  if (size - sizeof header < entries) return;
  for (std::size_t i = 0; i < header.sections; ++i) {
    char* const at = bytes + sizeof header + i * sizeof(OmEntry);
    OmEntry entry;
    std::memcpy(&entry, at, sizeof entry);
    if (entry.offset > size || entry.size > size - entry.offset) continue;
    if (inner && entry.offset >= sizeof header + entries && std::memcmp(entry.name, "model", 5) == 0)
      RepairOm(bytes + entry.offset, entry.size, false);
    entry.checksum = OmChecksum().Add(bytes + entry.offset, entry.size).value();
    std::memcpy(at, &entry, sizeof entry);
  }
  OmChecksum checksum;
  header.checksum = checksum.Add(&header, sizeof header).Add(bytes + sizeof header, entries).value();
  std::memcpy(bytes, &header, sizeof header);
}

inline void FuzzOneOm(const std::shared_ptr<const OmFile>& file) {
  const ModelDescription description = ReadDescription(*file);
  const std::string text = ToJson(description);
  Require(ToJson(DescriptionFromJson(text, "written again")) == text);
  Require(ReadSavedGraph(file) != nullptr);
}

// Refused with a text, or a model whose description and graph can be read.
inline void FuzzWholeOm(std::string bytes) {
  RepairOm(bytes.data(), bytes.size());
  try {
    const auto file = OmFile::FromMemory(bytes.data(), bytes.size());
    for (const OmFile::Entry& entry : file->entries())
      Require(entry.offset <= bytes.size() && entry.size <= bytes.size() - entry.offset);
    if (!IsBundle(*file)) return FuzzOneOm(file);
    for (std::size_t i = 0; i < BundleSize(*file); ++i)
      FuzzOneOm(BundledModel(*file, i));
  } catch (const Error& error) {
    Require(!error.message().empty());
  }
}

// In a file sections are thousands of bytes apart, which a fuzzer would spend its time on. So an input is a
// letter and then a whole file ('f'), or the contents of the sections behind their lengths ('s').
constexpr char kWholeFile = 'f', kSections = 's';

inline void FuzzOmModel(const std::string& bytes) {
  struct Lengths {
    std::uint16_t description, graph;
  } lengths;
  if (bytes.empty()) return;
  const std::string rest = bytes.substr(1);
  if (bytes[0] == kWholeFile) return FuzzWholeOm(rest);
  if (bytes[0] != kSections || rest.size() < sizeof lengths) return;
  std::memcpy(&lengths, rest.data(), sizeof lengths);
  const auto all = std::as_bytes(std::span(rest)).subspan(sizeof lengths);
  const auto description = all.first(std::min<std::size_t>(lengths.description, all.size()));
  const auto others = all.subspan(description.size());
  const auto graph = others.first(std::min<std::size_t>(lengths.graph, others.size()));
  const std::vector<std::byte> file = WriteOm({{kDescriptionSection, {description}},
                                               {kGraphSection, {graph}},
                                               {kWeightsSection, {others.subspan(graph.size())}}});
  FuzzWholeOm({reinterpret_cast<const char*>(file.data()), file.size()});
}

}  // namespace foothold
