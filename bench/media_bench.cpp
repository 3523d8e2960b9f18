// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
// Pictures of 1080p beside the libraries that do such things: a JPEG file to NV12 beside libjpeg-turbo
// itself, NV12 scaled to 640 x 640 beside libyuv and OpenCV, NV12 to RGB beside libyuv. By turns, with one
// core and with two. media_bench [results.md [rounds]]
#include <fmt/format.h>
#include <libyuv.h>

#include <cstdio>
#include <cstdlib>
#include <opencv2/imgproc.hpp>
// Needs what cstdio declares.
#include <jpeglib.h>

#include "base/thread_pool.h"
#include "candidate.h"
#include "media/jpeg.h"
#include "media/transform.h"
#include "report.h"

namespace bench {
namespace {

using namespace foothold::media;

constexpr std::uint32_t kWidth = 1920, kHeight = 1080, kSide = 640;
using Bytes = std::vector<std::uint8_t>;

Picture PictureIn(Bytes& bytes, PixelFormat format, std::uint32_t width, std::uint32_t height) {
  bytes.resize(TightBytes(format, width, height));
  return TightPicture(format, width, height, bytes.data());
}

// Slopes and some noise, as pictures have them.
void Draw(const Picture& picture) {
  std::uint32_t noise = 1;
  for (std::size_t i = 0; i < picture.bytes; ++i) {
    noise = noise * 1664525 + 1013904223;
    const std::size_t x = i % kWidth, y = i / kWidth;
    picture.data[i] = static_cast<std::uint8_t>(40 + x / 12 + y / 20 + (noise >> 28));
  }
}

// The planes of a file as libjpeg gives them, a few lines at a time, and U and V put together at once.
void DecodeDirectly(const Bytes& file, const Picture& out) {
  jpeg_decompress_struct jpeg{};
  jpeg_error_mgr errors{};
  jpeg.err = jpeg_std_error(&errors);
  jpeg_create_decompress(&jpeg);
  jpeg_mem_src(&jpeg, file.data(), file.size());
  jpeg_read_header(&jpeg, TRUE);
  jpeg.raw_data_out = TRUE;
  jpeg.dct_method = JDCT_ISLOW;
  jpeg_start_decompress(&jpeg);
  std::vector<std::uint8_t> lines(2 * 8 * 1024), spare(16 * 2048);
  JSAMPROW rows[3][16];
  JSAMPARRAY planes[] = {rows[0], rows[1], rows[2]};
  for (std::uint32_t y = 0; y < kHeight; y += 16) {
    for (std::uint32_t i = 0; i < 16; ++i)
      rows[0][i] =
          y + i < kHeight ? out.data + (y + i) * std::size_t{kWidth} : spare.data() + i * std::size_t{2048};
    for (std::uint32_t i = 0; i < 8; ++i) {
      rows[1][i] = lines.data() + i * std::size_t{1024};
      rows[2][i] = lines.data() + (8 + i) * std::size_t{1024};
    }
    jpeg_read_raw_data(&jpeg, planes, 16);
    const std::uint32_t count = std::min(8u, (kHeight - y) / 2);
    libyuv::MergeUVPlane(rows[1][0], 1024, rows[2][0], 1024,
                         out.data + std::size_t{kWidth} * (kHeight + y / 2), kWidth, kWidth / 2,
                         static_cast<int>(count));
  }
  jpeg_finish_decompress(&jpeg);
  jpeg_destroy_decompress(&jpeg);
}

void ScaleByOpenCv(const Picture& in, const Picture& out) {
  const auto part = [](const Picture& picture, int plane) {
    const PlaneView view = PlaneOf(picture, plane);
    return cv::Mat(static_cast<int>(view.height), static_cast<int>(view.width),
                   CV_8UC(static_cast<int>(view.pixel_bytes)), view.data, view.row_step);
  };
  for (int plane = 0; plane < 2; ++plane) {
    cv::Mat to = part(out, plane);
    cv::resize(part(in, plane), to, to.size(), 0, 0, cv::INTER_LINEAR);
  }
}

void ScaleByLibyuv(const Picture& in, const Picture& out) {
  const PlaneView y = PlaneOf(in, 0), uv = PlaneOf(in, 1), to_y = PlaneOf(out, 0), to_uv = PlaneOf(out, 1);
  libyuv::NV12Scale(y.data, kWidth, uv.data, kWidth, kWidth, kHeight, to_y.data, kSide, to_uv.data, kSide,
                    kSide, kSide, libyuv::kFilterBilinear);
}

struct Measured {
  std::vector<double> ours, peer, second_peer;
};

// Of the best rounds and of medians.
std::string Ratios(const std::vector<double>& peer, const std::vector<double>& ours) {
  const auto at = [&](double fraction) { return Percentile(peer, fraction) / Percentile(ours, fraction); };
  return peer.empty() ? "" : fmt::format("{:.2f}, {:.2f}", at(0), at(0.5));
}

class Rounds {
 public:
  explicit Rounds(int count) : count_(count) {}

  template <typename Ours, typename Peer, typename Second>
  void Compare(const char* what, const char* peers, const char* floor, const char* goal, const Ours& ours,
               const Peer& peer, const Second& second, bool has_second) {
    for (const int threads : {1, 2}) {
      const foothold::CoreLimit limit(threads);
      cv::setNumThreads(threads);
      Measured times;
      for (int i = 0; i < count_; ++i) {
        times.ours.push_back(BestInARow(ours));
        times.peer.push_back(BestInARow(peer));
        if (has_second) times.second_peer.push_back(BestInARow(second));
      }
      rows_.push_back({what, fmt::format("{}", threads),
                       fmt::format("{:.3f} ms", Percentile(times.ours, 0.5) * 1e3), peers,
                       Ratios(times.peer, times.ours), Ratios(times.second_peer, times.ours), floor, goal});
    }
  }
  const std::vector<std::vector<std::string>>& rows() const { return rows_; }

 private:
  const int count_;
  std::vector<std::vector<std::string>> rows_;
};

void Run(const std::string& path, int count) {
  Bytes nv12, rgb, small, coded(8 << 20), decoded;
  const Picture picture = PictureIn(nv12, PixelFormat::kNv12, kWidth, kHeight);
  const Picture colors = PictureIn(rgb, PixelFormat::kBgr, kWidth, kHeight);
  const Picture scaled = PictureIn(small, PixelFormat::kNv12, kSide, kSide);
  const Picture again = PictureIn(decoded, PixelFormat::kNv12, kWidth, kHeight);
  Draw(picture);
  coded.resize(EncodeJpeg(picture, 85, coded.data(), coded.size()));
  const auto nothing = [] {};
  Rounds rounds(count);
  rounds.Compare(
      "JPEG to NV12", "libjpeg-turbo", "0.95", "", [&] { DecodeJpeg(coded.data(), coded.size(), again); },
      [&] { DecodeDirectly(coded, again); }, nothing, false);
  rounds.Compare(
      "NV12 to 640 x 640, bilinear", "libyuv, OpenCV", "1.0", "1.5", [&] { Resize(picture, scaled); },
      [&] { ScaleByLibyuv(picture, scaled); }, [&] { ScaleByOpenCv(picture, scaled); }, true);
  const TransformOptions narrow{Interpolation::kBilinear, ColorMatrix::kBt601Narrow, nullptr};
  rounds.Compare(
      "NV12 to BGR888", "libyuv", "1.0", "1.3", [&] { ConvertColor(picture, colors, narrow); },
      [&] {
        libyuv::NV12ToRGB24(picture.data, kWidth, picture.data + std::size_t{kWidth} * kHeight, kWidth,
                            colors.data, 3 * kWidth, kWidth, kHeight);
      },
      nothing, false);
  Report report("Media: pictures");
  report.Section(
      "Beside the libraries that do such things",
      "1920 x 1080. Times as fast as each peer, by best rounds and by medians. libyuv and libjpeg-turbo have "
      "one thread.");
  report.Table(
      {"what", "cores", "Foothold, median", "peers", "ratios", "ratios to the second", "floor", "goal"},
      rounds.rows());
  report.Write(path);
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  bench::Run(argc > 1 ? argv[1] : "bench/results.md", argc > 2 ? std::atoi(argv[2]) : 15);
}
