// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "ops/selection/box_suppression.h"

#include <algorithm>
#include <cmath>
#include <queue>

namespace foothold {
namespace {

struct Box {
  float low[2], high[2], area;
};

Box BoxAt(const float* b, const SuppressionRules& rules) {
  Box box;
  for (int axis = 0; axis < 2; ++axis) {
    const float half = b[2 + axis] / 2;
    box.low[axis] = rules.centered ? b[axis] - half : std::min(b[axis], b[axis + 2]);
    box.high[axis] = rules.centered ? b[axis] + half : std::max(b[axis], b[axis + 2]);
  }
  box.area = (box.high[0] - box.low[0] + rules.offset) * (box.high[1] - box.low[1] + rules.offset);
  return box;
}

float Overlap(const Box& a, const Box& b, float offset) {
  if (a.area <= 0 || b.area <= 0) return 0;
  float shared = 1;
  for (int axis = 0; axis < 2; ++axis)
    shared *=
        std::max(0.0f, std::min(a.high[axis], b.high[axis]) - std::max(a.low[axis], b.low[axis]) + offset);
  return shared / (a.area + b.area - shared);
}

struct Candidate {
  std::size_t box;
  float score;
  std::size_t compared;  // with this many of the chosen
  bool operator<(const Candidate& other) const {
    return score < other.score || (score == other.score && box > other.box);
  }
};

class Suppression {
 public:
  Suppression(const float* boxes, const float* scores, std::size_t count, const SuppressionRules& rules)
      : rules_(rules) {
    std::vector<Candidate> found;
    for (std::size_t i = 0; i < count; ++i)
      if (scores[i] > rules.least_score) found.push_back({i, scores[i], 0});
    candidates_ = std::priority_queue<Candidate>(std::less<Candidate>(), std::move(found));
    for (std::size_t i = 0; i < count; ++i)
      boxes_.push_back(BoxAt(boxes + 4 * i, rules));
  }

  std::vector<ChosenBox> Run() {
    while (chosen_.size() < rules_.most && !candidates_.empty()) {
      Candidate next = candidates_.top();
      candidates_.pop();
      const float before = next.score;
      if (!Survives(next)) continue;
      if (next.score == before)
        chosen_.push_back({next.box, next.score});
      else
        candidates_.push(next);
    }
    return std::move(chosen_);
  }

 private:
  // Compares with the boxes chosen since the last time; false drops the candidate.
  bool Survives(Candidate& next) const {
    for (; next.compared < chosen_.size(); ++next.compared) {
      const float overlap = Overlap(boxes_[next.box], boxes_[chosen_[next.compared].box], rules_.offset);
      if (rules_.sigma > 0)
        next.score *= std::exp(-0.5f * overlap * overlap / rules_.sigma);
      else if (overlap > rules_.overlap)
        return false;
      if (next.score <= rules_.least_score) return false;
    }
    return true;
  }

  const SuppressionRules& rules_;
  std::vector<Box> boxes_;
  std::priority_queue<Candidate> candidates_;
  std::vector<ChosenBox> chosen_;
};

}  // namespace

std::vector<ChosenBox> ChooseBoxes(const float* boxes, const float* scores, std::size_t count,
                                   const SuppressionRules& rules) {
  return Suppression(boxes, scores, count, rules).Run();
}

}  // namespace foothold
