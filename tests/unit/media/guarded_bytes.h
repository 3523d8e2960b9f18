// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Memory between two pages that nobody may touch: its end is at one of them, or its begin. Who reads or
// writes a byte too many crashes.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>
#include <random>
#include <span>
#include <stdexcept>

namespace foothold {

class GuardedBytes {
 public:
  enum At { kEnd, kBegin };
  explicit GuardedBytes(std::size_t size, At at = kEnd) : size_(size) {
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    const std::size_t inner = (size + page - 1) / page * page + (size == 0 ? page : 0);
    mapped_ = inner + 2 * page;
    base_ = mmap(nullptr, mapped_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (base_ == MAP_FAILED) throw std::bad_alloc();
    auto* const begin = static_cast<std::uint8_t*>(base_) + page;
    if (mprotect(begin, inner, PROT_READ | PROT_WRITE) != 0) throw std::bad_alloc();
    data_ = at == kEnd ? begin + inner - size : begin;
  }
  GuardedBytes(const void* from, std::size_t size) : GuardedBytes(size) { std::memcpy(data_, from, size); }
  ~GuardedBytes() { munmap(base_, mapped_); }
  GuardedBytes(const GuardedBytes&) = delete;
  GuardedBytes& operator=(const GuardedBytes&) = delete;

  std::uint8_t* data() const { return data_; }
  std::size_t size() const { return size_; }
  std::span<std::uint8_t> span() const { return {data_, size_}; }

  void FillRandomly(std::uint32_t seed) {
    std::mt19937 random(seed);
    for (std::uint8_t& byte : span())
      byte = static_cast<std::uint8_t>(random() >> 11);
  }

 private:
  std::size_t size_, mapped_ = 0;
  void* base_ = nullptr;
  std::uint8_t* data_ = nullptr;
};

}  // namespace foothold
