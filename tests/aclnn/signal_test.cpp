// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Spectra of signals.
#include <cmath>

#include "aclnn/nn_case.h"
#include "aclnnop/acl_stft.h"

namespace nn {
namespace {

constexpr double kPi = 3.14159265358979323846;

// Frequency by piece, the two parts of each beside each other.
Values Spectra(const Values& x, const Values& window, int length, int hop, int frequencies, double scale) {
  const int pieces = (static_cast<int>(x.size()) - length) / hop + 1;
  Values found;
  for (int w = 0; w < frequencies; ++w)
    for (int piece = 0; piece < pieces; ++piece) {
      double re = 0, im = 0;
      for (int k = 0; k < length; ++k) {
        const double value =
            x[static_cast<std::size_t>(piece * hop + k)] * window[static_cast<std::size_t>(k)];
        re += value * std::cos(2 * kPi * w * k / length);
        im -= value * std::sin(2 * kPi * w * k / length);
      }
      found.push_back(re * scale);
      found.push_back(im * scale);
    }
  return found;
}

template <typename... Args>
void Stft(const Args&... args) {
  Run("aclStft", aclStftGetWorkspaceSize, aclStft, args...);
}

TEST_F(Nn, StftTakesOverlappingPieces) {
  const Values x = {1, -2, 3, 0.5, 4, -1, 2, 0}, window = {0.5, 1, 1, 0.5}, ones = {1, 1, 1, 1};
  const std::int64_t length = 4, hop = 2;
  const Tensor self = In(ACL_FLOAT, {8}, x), out = Out(ACL_FLOAT, {3, 3, 2});
  Stft(self, In(ACL_FLOAT, {4}, window), out, length, hop, length, false, true, false);
  ExpectClose(out.Read(), Spectra(x, window, 4, 2, 3, 1), 1e-5);
  const Tensor all = Out(ACL_FLOAT, {4, 3, 2});
  Stft(self, nullptr, all, length, hop, length, true, false, false);
  ExpectClose(all.Read(), Spectra(x, ones, 4, 2, 4, 0.5), 1e-5);
  const Tensor pairs = Out(ACL_COMPLEX64, {3, 3});
  Stft(self, In(ACL_FLOAT, {4}, window), pairs, length, hop, length, false, true, true);
  ExpectClose(pairs.Read(), Spectra(x, window, 4, 2, 3, 1), 1e-5);
  // A window of its own length stands in the middle.
  Stft(self, In(ACL_FLOAT, {2}, {3, 5}), out, length, hop, std::int64_t{2}, false, true, false);
  ExpectClose(out.Read(), Spectra(x, {0, 3, 5, 0}, 4, 2, 3, 1), 1e-5);
}

TEST_F(Nn, StftOfSeveralSignals) {
  const Values x = {1, -2, 3, 0.5, 4, -1, 2, 0}, window = {1, 2};
  const std::int64_t length = 2, hop = 1;
  const Tensor out = Out(ACL_FLOAT, {2, 2, 3, 2});
  Stft(In(ACL_FLOAT, {2, 4}, x, Layout::kTransposed), In(ACL_FLOAT, {2}, window), out, length, hop, length,
       false, true, false);
  Values expected = Spectra({1, -2, 3, 0.5}, window, 2, 1, 2, 1);
  const Values second = Spectra({4, -1, 2, 0}, window, 2, 1, 2, 1);
  expected.insert(expected.end(), second.begin(), second.end());
  ExpectClose(out.Read(), expected, 1e-5);
}

TEST_F(Nn, StftRefusesWhatIsLongerThanTheSignal) {
  const std::int64_t length = 4, hop = 1;
  ExpectRefused(161002, "win_length", "aclStft", aclStftGetWorkspaceSize, aclStft,
                In(ACL_FLOAT, {8}, Values(8, 1)), nullptr, Out(ACL_FLOAT, {3, 5, 2}), length, hop,
                std::int64_t{5}, false, true, false);
}

}  // namespace
}  // namespace nn
