// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// All the program may say about a port. The compiler works on the TensorType in it; the rest is kept and
// given back. Graphs have hundreds of thousands of ports, and hardly one has details: they are apart, and
// there only where somebody has set one. Values; any thread.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ir/attribute.h"
#include "ir/tensor_type.h"

namespace foothold {

struct PortDetails {
  std::optional<Dims> origin_dims;
  std::optional<Format> origin_format;
  std::vector<std::pair<std::int64_t, std::int64_t>> ranges;
  std::string name;
  std::int64_t size = 0;
  std::int64_t real_dim_count = 0;
  std::string expand_dims_rule;
  std::optional<std::uint32_t> reuses_input;
  Bytes constant;
  Attributes attributes;

  bool empty() const;  // nothing is set
};

struct PortDesc : TensorType {
  PortDesc() = default;
  explicit PortDesc(TensorType type) : TensorType(std::move(type)) {}

  bool set = false;  // the program has described this port
  int placement = 0;

  const PortDetails& details() const { return details_.get(); }
  PortDetails& EditDetails() { return details_.Edit(); }
  void SetDetails(PortDetails details);

 private:
  // A pointer that is copied with what it points to.
  class Apart {
   public:
    Apart() = default;
    Apart(const Apart& other) : held_(CopyOf(other)) {}
    Apart(Apart&&) noexcept = default;
    Apart& operator=(const Apart& other) {
      if (held_ || other.held_) held_ = CopyOf(other);
      return *this;
    }
    Apart& operator=(Apart&&) noexcept = default;

    const PortDetails& get() const { return held_ ? *held_ : None(); }
    PortDetails& Edit();
    void Reset() noexcept { held_.reset(); }

   private:
    static const PortDetails& None();
    static std::unique_ptr<PortDetails> CopyOf(const Apart& other) {
      return other.held_ ? std::make_unique<PortDetails>(*other.held_) : nullptr;
    }

    std::unique_ptr<PortDetails> held_;
  };

  Apart details_;
};

}  // namespace foothold
