// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "atc/stage.h"

#include <fmt/core.h>

#include <chrono>
#include <cstdio>
#include <system_error>
#include <utility>

namespace foothold::atc {
namespace {

// At once, since what follows may take long.
void Say(const std::string& text) {
  fmt::print("{}\n", text);
  std::fflush(stdout);
}

}  // namespace

Stage::Stage(std::string text, double seconds) : text_(std::move(text)) {
  Say(text_);
  if (seconds <= 0) return;
  try {
    reporter_ = std::thread([this, seconds] { Report(seconds); });
  } catch (const std::system_error&) {  // goes on in silence
  }
}

Stage::~Stage() {
  {
    const std::lock_guard lock(mutex_);
    end_ = true;
  }
  ended_.notify_one();
  if (reporter_.joinable()) reporter_.join();
}

void Stage::Report(double seconds) {
  using Seconds = std::chrono::duration<double>;
  const auto start = std::chrono::steady_clock::now();
  std::unique_lock lock(mutex_);
  while (!ended_.wait_for(lock, Seconds(seconds), [this] { return end_; }))
    Say(fmt::format("{}: {:.0f} s so far", text_, Seconds(std::chrono::steady_clock::now() - start).count()));
}

}  // namespace foothold::atc
