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
#include "fuzz/bounded_run.h"
#include "fuzz/require.h"
#include "model/bundle.h"
#include "model/description.h"
#include "model/fixed_plans.h"
#include "model/gear_options.h"
#include "model/offline_model.h"
#include "model/om_layout.h"
#include "model/packings.h"
#include "model/saved_graph.h"
#include "options/input_shapes.h"

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

// Runs a model that has all its sizes in the file with constants in a block, as in memory the program lends.
inline void RunFixed(const OfflineModel& model) {
  const FixedPlans fixed(model);
  if (fixed.sizes().weights > kMostProgramBytes) return;
  const SharedBytes block = AllocateBytes(std::max<std::size_t>(fixed.sizes().weights, 1));
  std::memset(block.get(), 0, fixed.sizes().weights);
  Require(fixed.PlaceConstants(block.get()).size() == fixed.plans().size());
  for (const auto& plan : fixed.plans())
    RunBounded(*plan);
}

inline void FuzzOneOm(const std::shared_ptr<const OmFile>& file) {
  const ModelDescription description = ReadDescription(*file);
  const std::string text = ToJson(description);
  Require(ToJson(DescriptionFromJson(text, "written again")) == text);
  Require(ReadSavedGraph(file) != nullptr);
  const auto model = OfflineModel::Load(file);
  const std::vector<Node*>& data = model->graph().inputs;
  const InputShapes shapes(data, Options(ReadGearOptions(data, description.options).options));
  if (description.FixedSizes()) return RunFixed(*model);
  std::vector<TensorType> types;
  for (const ModelPort& port : description.inputs)
    types.push_back(Closed(port.type));
  shapes.Check(types);
  RunBounded(*model->Prepare(types));
}

// Refused with a text, or a model that can be read, compiled and run or is refused then.
inline void FuzzWholeOm(std::string bytes) {
  RepairOm(bytes.data(), bytes.size());
  EndsWithAText([&] {
    const auto file = OmFile::FromMemory(bytes.data(), bytes.size());
    for (const OmFile::Entry& entry : file->entries())
      Require(entry.offset <= bytes.size() && entry.size <= bytes.size() - entry.offset);
    if (!IsBundle(*file)) return FuzzOneOm(file);
    for (std::size_t i = 0; i < BundleSize(*file); ++i)
      FuzzOneOm(BundledModel(*file, i));
  });
}

// In a file sections are thousands of bytes apart, which a fuzzer would spend its time on. So an input is a
// letter and then a whole file ('f'), or the contents of the sections behind the lengths of all but the last
// ('s').
constexpr char kWholeFile = 'f', kSections = 's';
constexpr const char* kSectionNames[] = {kDescriptionSection, kGraphSection, kWeightsSection,
                                         kPackingsSection, kPackedSection};
using SectionLengths = std::uint16_t[std::size(kSectionNames) - 1];

inline void FuzzOmModel(const std::string& bytes) {
  SectionLengths lengths;
  if (bytes.empty()) return;
  const std::string rest = bytes.substr(1);
  if (bytes[0] == kWholeFile) return FuzzWholeOm(rest);
  if (bytes[0] != kSections || rest.size() < sizeof lengths) return;
  std::memcpy(&lengths, rest.data(), sizeof lengths);
  auto left = std::as_bytes(std::span(rest)).subspan(sizeof lengths);
  std::vector<OmSection> sections;
  for (std::size_t i = 0; i < std::size(kSectionNames); ++i) {
    const auto part =
        left.first(i < std::size(lengths) ? std::min<std::size_t>(lengths[i], left.size()) : left.size());
    sections.push_back({kSectionNames[i], {part}});
    left = left.subspan(part.size());
  }
  const std::vector<std::byte> file = WriteOm(sections);
  FuzzWholeOm({reinterpret_cast<const char*>(file.data()), file.size()});
}

}  // namespace foothold
