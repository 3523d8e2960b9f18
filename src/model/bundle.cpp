// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "model/bundle.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "model/model_codes.h"

namespace foothold {
namespace {

constexpr std::string_view kModelSections = "model.";
constexpr std::size_t kMostModels = 200;

}  // namespace

bool IsBundle(const OmFile& file) {
  return std::any_of(file.entries().begin(), file.entries().end(),
                     [](const OmFile::Entry& entry) { return entry.name.starts_with(kModelSections); });
}

std::vector<std::byte> WriteBundle(const std::vector<std::vector<std::byte>>& models) {
  if (models.size() < 2 || models.size() > kMostModels)
    Fail(kInvalidParam, "a bundle has 2 to {} models, not {}", kMostModels, models.size());
  std::vector<OmSection> sections;
  for (std::size_t i = 0; i < models.size(); ++i)
    sections.push_back({fmt::format("{}{}", kModelSections, i), {models[i]}});
  return WriteOm(sections);
}

std::size_t BundleSize(const OmFile& file) {
  if (!IsBundle(file))
    Fail(kParseModel, "the model {} is a single model and no bundle; aclmdlLoadFromFile loads it",
         file.origin());
  return file.entries().size();
}

std::shared_ptr<const OmFile> BundledModel(const OmFile& file, std::size_t index) {
  return file.Inner(fmt::format("{}{}", kModelSections, index));
}

}  // namespace foothold
