// SPDX-License-Identifier: Apache-2.0
// The papers dally1990 and htn2012: what is known of their static items, and that simulations are judged by
// what they give.
#include <gmock/gmock.h>

#include <algorithm>
#include <set>

#include "testbenches/papers/dally1990_items.h"
#include "testbenches/papers/htn2012_items.h"
#include "testbenches/papers/paper_registry.h"

namespace toriscope {
namespace {

std::vector<verdict> judged(const paper& p, const std::string& item, evidence& by) {
  for (const paper_item& i : p.items)
    if (i.name == item) return i.judge(by);
  ADD_FAILURE() << "no item " << item;
  return {};
}

std::size_t reproduced(const std::vector<verdict>& verdicts) {
  return static_cast<std::size_t>(std::count_if(
      verdicts.begin(), verdicts.end(), [](const verdict& v) { return v.result == ruling::reproduced; }));
}

ruling ruling_of(const std::vector<verdict>& verdicts, const std::string& item) {
  for (const verdict& v : verdicts)
    if (v.item == item) return v.result;
  ADD_FAILURE() << "no verdict on " << item;
  return ruling::undecided;
}

TEST(dally1990, table_1) {
  analysis_store analyses;
  evidence by(analyses);
  const auto verdicts = judged(dally1990(effort::quick), "Table I", by);
  EXPECT_EQ(verdicts.size(), 32u);
  EXPECT_EQ(reproduced(verdicts), 28u);  // all latencies, and four maxima
  EXPECT_EQ(ruling_of(verdicts, "Table I: binary 10-cube, max throughput"), ruling::differs);
}

TEST(dally1990, misprints_differ) {
  analysis_store analyses;
  evidence by(analyses);
  const paper p = dally1990(effort::quick);
  EXPECT_EQ(reproduced(judged(p, "Fig. 6", by)), 5u);
  EXPECT_EQ(ruling_of(judged(p, "Eq. 20-23", by), "Eq. 22 for k = 2"), ruling::differs);
  EXPECT_EQ(ruling_of(judged(p, "Eq. 20-23", by), "Eq. 23, validity"), ruling::differs);
}

/// The curve as if so many cycles had been waited at each load.
measured_curve curve_with_wait(const wanted_curve& wanted, double wait) {
  measured_curve curve;
  curve.name = wanted.name;
  for (const double load : wanted.loads)
    curve.points.push_back({load,
                            true,
                            {{"latency.network_mean", 50 + wait}, {"latency.zero_load_model", 50}},
                            "toriscope run"});
  return curve;
}

TEST(dally1990, the_model_is_compared_with_what_packets_wait) {
  const paper p = dally1990(effort::quick);
  analysis_store analyses;
  evidence by(analyses);
  for (const wanted_curve& wanted : p.curves) by.add(curve_with_wait(wanted, 7));
  const auto verdicts = judged(p, "Fig. 14", by);
  // 43.5 + 7 is what is printed for .2; at .1 it is 46.1.
  EXPECT_EQ(ruling_of(verdicts, "Fig. 14: 32-ary 2-cube, latency at 0.2"), ruling::reproduced);
  EXPECT_EQ(ruling_of(verdicts, "Fig. 14: 32-ary 2-cube, latency at 0.1"), ruling::differs);
}

TEST(htn2012, theorems_and_links) {
  analysis_store analyses;
  evidence by(analyses);
  const paper p = htn2012(effort::quick);
  EXPECT_EQ(reproduced(judged(p, "Theorems 1-4", by)), 1u);
  const auto links = judged(p, "Table I, busiest link", by);
  EXPECT_EQ(reproduced(links), 9u);
  EXPECT_EQ(ruling_of(links, "Table I: Perfect Shuffle, DOR throughput over the busiest link, gates nearest"),
            ruling::differs);
}

TEST(htn2012, throughput_is_what_is_accepted_where_95_per_cent_are) {
  const paper p = htn2012(effort::quick);
  analysis_store analyses;
  evidence by(analyses);
  for (const wanted_curve& wanted : p.curves) {
    measured_curve curve = curve_with_wait(wanted, 0);
    for (measured_point& point : curve.points)
      point.figures["offered"] = point.figures["accepted"] = point.load;
    const auto add = [&](double offered, double accepted, double latency) {
      measured_point point;
      point.load = offered;
      point.figures = {{"offered", offered}, {"accepted", accepted}, {"latency.network_mean", latency}};
      curve.points.push_back(point);
    };
    add(.04, .04, 116);
    add(.05, .045, 316);  // half way: 95 %, .0425, 216 cycles
    by.add(curve);
  }
  const auto verdicts = judged(p, "Table I, DOR", by);
  EXPECT_EQ(ruling_of(verdicts, "Table I: Uniform, DOR maximum throughput"), ruling::reproduced);
  EXPECT_EQ(ruling_of(verdicts, "Table I: Uniform, DOR latency at maximum throughput"), ruling::reproduced);
  EXPECT_EQ(ruling_of(verdicts, "Table I: Bit-Flip, DOR maximum throughput"), ruling::differs);
  for (const verdict& v : verdicts)
    if (v.item == "Table I: Uniform, DOR maximum throughput") {
      EXPECT_NEAR(std::get<double>(v.ours), .0425, 1e-9);
    }
}

TEST(papers_of_dally_and_htn, names_are_different_within_a_paper) {
  for (const paper& p : {dally1990(effort::full), htn2012(effort::full)}) {
    std::set<std::string> curves;
    for (const wanted_curve& c : p.curves) EXPECT_TRUE(curves.insert(c.name).second) << c.name;
    for (const paper_item& item : p.items)
      for (const std::string& wanted : item.curves) EXPECT_EQ(curves.count(wanted), 1u) << wanted;
  }
}

}  // namespace
}  // namespace toriscope
