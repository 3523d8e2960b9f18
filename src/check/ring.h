// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// A queue of values in pieces that are used again, so that a busy one needs no memory and a long one is never
// moved. Movable; T can be made without arguments.
#pragma once

#include <array>
#include <cstddef>
#include <deque>
#include <memory>
#include <utility>
#include <vector>

namespace foothold::check {

template <typename T>
class Ring {
  template <typename Owner>
  struct Iterator {
    Owner* ring;
    std::size_t index;

    auto& operator*() const { return ring->At(index); }
    Iterator& operator++() {
      ++index;
      return *this;
    }
    bool operator!=(const Iterator& other) const { return index != other.index; }
  };

 public:
  bool empty() const { return size_ == 0; }
  std::size_t size() const { return size_; }
  T& front() { return At(0); }
  const T& front() const { return At(0); }
  T& back() { return At(size_ - 1); }

  void push_back(T value) {
    if (first_ + size_ == pieces_.size() * kPiece) pieces_.push_back(TakePiece());
    ++size_;
    back() = std::move(value);
  }
  void pop_front() {
    front() = T();
    --size_;
    if (++first_ < kPiece) return;
    first_ = 0;
    if (spare_.size() < kSpare) spare_.push_back(std::move(pieces_.front()));
    pieces_.pop_front();
  }

  auto begin() { return Iterator<Ring>{this, 0}; }
  auto end() { return Iterator<Ring>{this, size_}; }
  auto begin() const { return Iterator<const Ring>{this, 0}; }
  auto end() const { return Iterator<const Ring>{this, size_}; }

 private:
  static constexpr std::size_t kPiece = 32, kSpare = 64;
  using Piece = std::array<T, kPiece>;

  T& At(std::size_t index) { return (*pieces_[(first_ + index) / kPiece])[(first_ + index) % kPiece]; }
  const T& At(std::size_t index) const {
    return (*pieces_[(first_ + index) / kPiece])[(first_ + index) % kPiece];
  }
  std::unique_ptr<Piece> TakePiece() {
    if (spare_.empty()) return std::make_unique<Piece>();
    auto piece = std::move(spare_.back());
    spare_.pop_back();
    return piece;
  }

  std::deque<std::unique_ptr<Piece>> pieces_;
  std::vector<std::unique_ptr<Piece>> spare_;
  std::size_t first_ = 0, size_ = 0;  // places of the first piece that are empty; values
};

}  // namespace foothold::check
