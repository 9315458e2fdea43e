// SPDX-License-Identifier: Apache-2.0
// Curves of stored results of a network that saturates where the test says.
#include "testbenches/experiments/papers/measured_curves.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "base/json.h"
#include "base/scratch_directory.h"
#include "testbenches/experiments/papers/reproduction.h"
#include "testbenches/experiments/sweep/answered_search.h"
#include "testbenches/experiments/sweep/result_store.h"

namespace toriscope {
namespace {

using testing::HasSubstr;

/// The search doubles loads from .016 on (40 packets in the window), and they fit the tolerance. All results are
/// stored: a child, which would be this program again, runs no test.
TEST(measured_curves, have_the_loads_that_are_wanted_and_those_of_a_search) {
  setenv("GTEST_FILTER", "-*", 1);
  const scratch_directory scratch;
  const wanted_curve wanted{"a curve", {{"topology", "mesh:2x2"}}, {.128, .15}, .5, true};
  const wanted_curve unsearched{"another", wanted.options, {.1}};
  search_settings as_wanted;
  as_wanted.seeds = {1};
  as_wanted.tolerance = .5;
  as_wanted.confirm = 1;
  curve_search search(make_curve(config_of(wanted.options)), as_wanted);
  const result_store store(scratch.path());
  const auto put = [&](const point& p) {  // beyond saturation with a deadlock
    auto document = nlohmann::ordered_json::parse(scripted_output(p, saturates_at(.3)));
    if (document["results"]["offered"] > .3) {
      document["results"]["failure"] = "deadlock in cycle 7";
      document["failure"] = {{"kind", "deadlock"}, {"since", 7}, {"detail", nlohmann::ordered_json::array()}};
    }
    return store.save(p, document.dump());
  };
  for (const double load : {.1, .128, .15}) put(*search.point_at(load, 1));
  while (!search.done()) {
    const point& p = *search.wanted().front().what;
    search.take(p, put(p));
  }
  testing::internal::CaptureStderr();
  const std::vector<measured_curve> curves = measure_curves({wanted, unsearched}, {scratch.path(), 1});
  testing::internal::GetCapturedStderr();
  unsetenv("GTEST_FILTER");
  ASSERT_EQ(curves.size(), 2u);
  const measured_curve& curve = curves[0];
  EXPECT_EQ(curve.name, "a curve");
  EXPECT_EQ(curve.failure, "");
  EXPECT_EQ(curve.saturation_throughput, .256);
  EXPECT_EQ(curve.saturation_upper, .512);
  EXPECT_THAT(curve.sweep, HasSubstr("--topology mesh:2x2"));
  EXPECT_THAT(curve.sweep, HasSubstr(" --allow-deadlock --seeds 1 --tolerance 0.5 --confirm 1 --out DIR"));
  std::vector<double> loads;
  for (const measured_point& p : curve.points) {
    loads.push_back(p.load);
    EXPECT_EQ(p.stable, p.load <= .3) << p.load;
    EXPECT_EQ(p.failed, p.load > .3) << p.load;
    EXPECT_EQ(p.figure("offered"), p.load);
  }
  EXPECT_TRUE(std::is_sorted(loads.begin(), loads.end()));
  EXPECT_THAT(loads, testing::IsSupersetOf({.016, .032, .064, .128, .15, .256, .512}));
  EXPECT_EQ(std::count(loads.begin(), loads.end(), .128), 1) << "wanted, and searched";
  EXPECT_EQ(curves[1].failure, "");
  EXPECT_EQ(curves[1].sweep, "");
  EXPECT_FALSE(curves[1].saturation_throughput);
  ASSERT_EQ(curves[1].points.size(), 1u);
  EXPECT_EQ(curves[1].points[0].load, .1);
}

/// No result is stored, and the children, as above, have none.
TEST(measured_curves, say_which_of_their_runs_failed) {
  setenv("GTEST_FILTER", "-*", 1);
  const scratch_directory scratch;
  const option_list mesh{{"topology", "mesh:2x2"}};
  testing::internal::CaptureStderr();
  const std::vector<measured_curve> curves =
      measure_curves({{"a", mesh, {.1}}, {"b", mesh, {.2}}, {"searched", {{"topology", "mesh:2x3"}}, {}, .5}},
                     {scratch.path(), 1});
  testing::internal::GetCapturedStderr();
  unsetenv("GTEST_FILTER");
  ASSERT_EQ(curves.size(), 3u);
  for (const auto& [curve, run] :
       {std::pair(0, " --rate 0.1 "), {1, " --rate 0.2 "}, {2, " --topology mesh:2x3 "}}) {
    EXPECT_THAT(curves[curve].failure, HasSubstr("its output is not a result"));
    EXPECT_THAT(curves[curve].failure, HasSubstr(run));
  }
}

TEST(measured_curves, are_evidence_for_their_own_paper) {
  setenv("GTEST_FILTER", "-*", 1);  // as above
  const scratch_directory scratch;
  const result_store store(scratch.path());
  std::vector<double> loads_seen;
  std::vector<paper> papers;
  for (const double load : {.1, .2}) {
    const wanted_curve wanted{"a curve", {{"topology", "mesh:2x2"}}, {load}};
    const auto p = curve_search(make_curve(config_of(wanted.options)), {}).point_at(load, 1);
    store.save(*p, scripted_output(*p, saturates_at(1)));
    papers.push_back({"paper of " + std::to_string(load), "Title", "Author"});
    papers.back().add("an item", {wanted}, [&loads_seen](evidence& seen) {
      loads_seen.push_back(seen.curve("a curve").points.at(0).load);
      return judge_number("an item", provenance::simulated, 1, 1, tolerance::as_printed(0));
    });
  }
  reproduction_settings settings;
  settings.directory = scratch.path();
  testing::internal::CaptureStderr();
  reproduce(papers, settings);
  testing::internal::GetCapturedStderr();
  unsetenv("GTEST_FILTER");
  EXPECT_THAT(loads_seen, testing::ElementsAre(.1, .2));
}

}  // namespace
}  // namespace toriscope
