// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Memory for planes between two steps. The last piece that was given back is kept for the next picture: pages
// that the kernel has to clear first cost a decoder some hundredths of its time. Any thread.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

namespace foothold::media {

class ScratchBytes {
 public:
  ScratchBytes() = default;
  explicit ScratchBytes(std::size_t size) : piece_(kept_.exchange(nullptr)) {
    if (piece_ == nullptr || piece_->size < size) piece_.reset(new Piece(size));
  }
  ~ScratchBytes() {
    if (piece_ != nullptr && piece_->size <= kMostKept) piece_.reset(kept_.exchange(piece_.release()));
  }
  ScratchBytes(const ScratchBytes&) = delete;
  ScratchBytes& operator=(ScratchBytes&& other) noexcept {
    std::swap(piece_, other.piece_);
    return *this;
  }

  std::uint8_t* data() const { return piece_->bytes.get(); }

 private:
  struct Piece {
    explicit Piece(std::size_t count)
        : size(count), bytes(std::make_unique_for_overwrite<std::uint8_t[]>(count)) {}
    const std::size_t size;
    const std::unique_ptr<std::uint8_t[]> bytes;
  };
  static constexpr std::size_t kMostKept = std::size_t{16} << 20;
  static inline std::atomic<Piece*> kept_{nullptr};  // one in the process; never freed

  std::unique_ptr<Piece> piece_;
};

}  // namespace foothold::media
