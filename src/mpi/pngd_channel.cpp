// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "mpi/pngd_channel.h"

#include <utility>

#include "base/log.h"
#include "media/png.h"

namespace foothold::mpi {

void PngdChannel::Send(const char* api, std::unique_ptr<PngdJob> job, int milliseconds) {
  const std::shared_ptr<PngdJob> shared = std::move(job);
  TakenPlace place = worker_.Enter(milliseconds);
  worker_.Do(api, std::move(place), [channel = weak_from_this(), shared] {
    if (const auto alive = channel.lock()) alive->Decode(shared);
  });
}

void PngdChannel::Decode(const std::shared_ptr<PngdJob>& job) {
  try {
    job->written = media::DecodePng(job->file.data(), job->file.size(), job->output.Now());
  } catch (...) {
    const Error error = CurrentError();
    Log(LogLevel::kError, "a PNG of a media channel cannot be decoded: {}", error.message());
    job->failed = true;
  }
  done_.Put(job);
}

std::shared_ptr<PngdJob> PngdChannel::Take(int milliseconds) {
  const std::optional<std::shared_ptr<PngdJob>> job = done_.Take(milliseconds);
  if (!job) throw Error(CodeOf(Module::kPngd, Reason::kEmpty), "no picture has come");
  worker_.Leave();
  return *job;
}

void PngdChannel::Close() {
  worker_.Close();
  done_.Close();
}

}  // namespace foothold::mpi
