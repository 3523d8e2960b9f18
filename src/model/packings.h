// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Weights in the order kernels read them fastest, kept in a model beside the weights as they were given: they
// are used where they are mapped on CPUs like the one that packed them, and ignored on others. For
// offline_model.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "model/om_file.h"

namespace foothold {

// The sections they stand in: a list of them, and their bytes.
inline constexpr const char* kPackingsSection = "packings";
inline constexpr const char* kPackedSection = "packed";

// What goes into a file.
class PackingSections {
 public:
  // All that is known of the weight that stands at `offset` of the weights.
  void Add(const TensorValue& weight, std::uint64_t offset);
  // Refer to this. None if nothing was added.
  std::vector<OmSection> Sections();

 private:
  struct Entry {
    std::uint64_t weight;
    std::string way;
    TensorValue packed;
    std::uint64_t offset;
  };
  std::vector<Entry> entries_;
  std::uint64_t end_ = 0;
  std::string index_;
};

// Makes those in the file known, and holds them; none if they are for another CPU. `weights` are its section
// of that name. Throws what is wrong with them.
std::vector<TensorValue> OfferPackings(const std::shared_ptr<const OmFile>& file, ConstBytes weights);

}  // namespace foothold
