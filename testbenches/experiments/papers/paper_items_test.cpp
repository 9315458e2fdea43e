// SPDX-License-Identifier: Apache-2.0
// Items of papers that need no simulation; names lead to their rows. Oracle: figures worked out by hand.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>

#include "base/scratch_directory.h"
#include "testbenches/experiments/papers/judged_items.h"
#include "testbenches/experiments/papers/static_claims.h"
#include "testbenches/experiments/papers/ttn2009_items.h"
#include "testbenches/experiments/papers/verdict_table.h"
#include "topologies/vc_classes.h"

namespace toriscope {
namespace {

using testing::HasSubstr;

std::size_t count(const std::vector<verdict>& verdicts, ruling r) { return count_rulings(verdicts).of(r); }

// --- tables of several calls ---

TEST(papers, rows_of_earlier_calls_stay) {
  const auto row = [](const char* name, const char* item, ruling r, double ours = 1) {
    verdict v;
    v.paper = name, v.item = item, v.result = r, v.ours = ours;
    return v;
  };
  const auto words = [](const std::vector<verdict>& all) {
    std::vector<std::string> lines;
    for (const verdict& v : all)
      lines.push_back(v.paper + " " + v.item + " " + to_string(v.result) + " " + to_text(v.ours));
    return lines;
  };
  const std::vector<paper> rdt_only = papers_named({"rdt"});
  const std::string first = rdt_only[0].items[0].name, second = rdt_only[0].items[1].name;
  const std::string row_a = first + ": a", row_b = first + ": b";
  const std::vector<verdict> full = {row("ttn2009", "x", ruling::differs),
                                     row("rdt", row_a.c_str(), ruling::reproduced),
                                     row("rdt", row_b.c_str(), ruling::differs),
                                     row("rdt", second.c_str(), ruling::not_run)};
  using testing::ElementsAre;
  EXPECT_THAT(words(with_earlier({row("rdt", row_b.c_str(), ruling::reproduced, 2)}, full, rdt_only, row_b)),
              ElementsAre("ttn2009 x differs 1", "rdt " + row_a + " reproduced 1", "rdt " + row_b + " reproduced 2",
                          "rdt " + second + " not run 1"));
  // Another item, and --quick over all: what was judged stays.
  const std::string judged = second + ", c";
  EXPECT_THAT(words(with_earlier({row("rdt", first.c_str(), ruling::not_run, 3),
                                  row("rdt", judged.c_str(), ruling::differs, 3)},
                                 full, rdt_only, "")),
              ElementsAre("ttn2009 x differs 1", "rdt " + row_a + " reproduced 1", "rdt " + row_b + " differs 1",
                          "rdt " + judged + " differs 3"));
  // A paper as a whole leaves no row that it no longer has.
  EXPECT_THAT(words(with_earlier({row("rdt", row_b.c_str(), ruling::differs, 4)}, full, rdt_only, "")),
              ElementsAre("ttn2009 x differs 1", "rdt " + row_b + " differs 4"));
  EXPECT_EQ(words(with_earlier(full, {}, rdt_only, "")), words(full));
  // What other items gave is not this one's; and a paper that is not known any more comes last.
  EXPECT_THAT(words(with_earlier({row("rdt", second.c_str(), ruling::not_run)},
                                 {row("old1990", "y", ruling::differs), row("ttn2009", "x", ruling::differs)},
                                 rdt_only, "")),
              ElementsAre("ttn2009 x differs 1", "rdt " + second + " not run 1", "old1990 y differs 1"));
}

// --- names ---

TEST(papers, names_are_different_within_a_paper_and_lead_to_their_rows) {
  for (const known_paper& known : known_papers()) {
    const paper p = known.make();
    std::set<std::string> curves;
    for (const wanted_curve& c : p.curves) EXPECT_TRUE(curves.insert(c.name).second) << c.name;
    std::set<std::string> items;
    for (const paper_item& item : p.items) {
      EXPECT_TRUE(items.insert(item.name).second) << item.name;
      EXPECT_EQ(item.name.find_first_of("|`"), std::string::npos) << item.name << " stands in a table";
      for (const std::string& wanted : item.curves) EXPECT_EQ(curves.count(wanted), 1u) << wanted;
    }
    for (const wanted_curve& c : p.curves)
      EXPECT_TRUE(std::any_of(p.items.begin(), p.items.end(),
                              [&](const paper_item& item) {
                                return std::count(item.curves.begin(), item.curves.end(), c.name) > 0;
                              }))
          << c.name << " serves no item";
  }
}

TEST(papers, an_item_keeps_its_curves_only) {
  std::vector<paper> papers = papers_named({"ttn2009"});
  keep_items(papers, "Fig. 7 (a): uniform traffic, latency, mesh:64x64");
  EXPECT_EQ(papers[0].items.size(), 1u);
  EXPECT_EQ(papers[0].curves.size(), 2u);
  papers = papers_named({"ttn2009"});
  keep_items(papers, "Fig. 7 (a)");
  EXPECT_EQ(papers[0].items.size(), 6u);
  papers = papers_named({"ttn2009"});
  keep_items(papers, "Table 1: TTN(2,2,0), diameter");
  EXPECT_EQ(papers[0].items.size(), 1u);
  EXPECT_THROW(keep_items(papers, "Fig. 77"), std::invalid_argument);
}

TEST(papers, the_rows_of_an_item_are_kept_or_all_where_there_are_none) {
  const auto kept = [](const std::string& name) {
    std::vector<verdict> rows;
    for (const char* item : {"Fig. 7", "Fig. 7: a", "Fig. 7, b", "Fig. 70"}) {
      rows.emplace_back();
      rows.back().item = item;
    }
    keep_rows(rows, name);
    return rows.size();
  };
  EXPECT_EQ(kept("Fig. 7"), 3u);
  EXPECT_EQ(kept("Fig. 7: a"), 1u);
  EXPECT_EQ(kept("Fig. 8"), 4u);
}

std::vector<verdict> quick_verdicts_of_rdt(const std::string& items) {
  std::vector<paper> papers = papers_named({"rdt"});
  keep_items(papers, items);
  reproduction_settings quick;
  quick.quick = true;
  return reproduce(papers, quick);
}

TEST(papers, what_is_not_run_is_not_undetermined) {
  const std::vector<verdict> verdicts = quick_verdicts_of_rdt("Table 1: Midimew, 65536");
  ASSERT_EQ(verdicts.size(), 1u);
  EXPECT_EQ(verdicts[0].result, ruling::not_run);
  EXPECT_EQ(verdicts[0].command, "toriscope reproduce rdt --item 'Table 1: Midimew, 65536'");
}

TEST(papers, networks_of_4096_nodes_are_quick) {
  const std::vector<verdict> verdicts = quick_verdicts_of_rdt("Table 1: Midimew, 4096");
  EXPECT_FALSE(verdicts.empty());
  for (const verdict& v : verdicts) EXPECT_NE(v.result, ruling::not_run) << v.item;
}

TEST(papers, a_costly_item_is_judged_once) {
  const scratch_directory scratch;
  reproduction_settings settings;
  settings.directory = scratch.path();
  unsigned calls = 0;
  paper p{"p", "Title", "Author"};
  p.add({"Table 1",
         [&calls](evidence&) {
           ++calls;
           return std::vector<verdict>{
               judge_number("Table 1: a", provenance::built, 1, 1.25, tolerance::as_printed(0), "why")};
         },
         {},
         true});
  const std::string first = verdicts_as_json(reproduce({p}, settings));
  EXPECT_EQ(verdicts_as_json(reproduce({p}, settings)), first) << "killed and started again, it goes on";
  EXPECT_EQ(calls, 1u);
  const std::filesystem::directory_iterator kept(scratch.file("items"));
  for (const char* const altered : {"", "[{", "{}", R"([{"paper": "p"}])"}) {
    std::ofstream(kept->path()) << altered;
    EXPECT_EQ(verdicts_as_json(reproduce({p}, settings)), first) << altered;
  }
  EXPECT_EQ(calls, 5u) << "judged anew";
  EXPECT_EQ(verdicts_as_json(reproduce({p}, settings)), first);
  EXPECT_EQ(calls, 5u);
  paper other = p;
  other.name = "q";
  EXPECT_EQ(reproduce({other}, settings)[0].paper, "q");
  EXPECT_EQ(calls, 6u) << "an item of the same name in another paper";
}

/// Points have a store of their own, and what takes no time is judged again.
TEST(papers, costly_items_without_curves_are_kept_and_no_others) {
  const scratch_directory scratch;
  reproduction_settings settings;
  settings.directory = scratch.path();
  std::map<std::string, unsigned> calls;
  const auto judge = [&calls](const std::string& item) {
    return [&calls, item](evidence&) {
      ++calls[item];
      return std::vector<verdict>{judge_number(item, provenance::built, 1, 1, tolerance::as_printed(0))};
    };
  };
  paper p{"p", "Title", "Author"};
  p.add({"quick", judge("quick")});
  p.add({"costly", judge("costly"), {}, true});
  p.add({"simulated", judge("simulated"), {}, true}, {{"a curve", {{"topology", "mesh:2x2"}}, {}}});
  testing::internal::CaptureStderr();
  for (int i = 0; i < 2; ++i) reproduce({p}, settings);
  testing::internal::GetCapturedStderr();
  EXPECT_EQ(calls, (std::map<std::string, unsigned>{{"quick", 2}, {"costly", 1}, {"simulated", 2}}));
  p.items.pop_back();
  p.curves.clear();
  for (int i = 0; i < 2; ++i) reproduce({p}, {});
  EXPECT_EQ(calls, (std::map<std::string, unsigned>{{"quick", 4}, {"costly", 3}, {"simulated", 2}}))
      << "nowhere";
}

/// Nothing is asked about the curve, whose option there is not.
TEST(papers, quick_measures_no_curve_of_what_it_leaves_out) {
  paper p{"p", "Title", "Author"};
  p.add(
      "Fig. 1", {{"a curve", {{"no such option", "1"}}, {.1}}}, [](evidence&) { return verdict{}; }, true);
  reproduction_settings settings;
  settings.quick = true;
  const std::vector<verdict> verdicts = reproduce({p}, settings);
  ASSERT_EQ(verdicts.size(), 1u);
  EXPECT_EQ(verdicts[0].result, ruling::not_run);
  EXPECT_EQ(verdicts[0].source, provenance::simulated);
  EXPECT_EQ(verdicts[0].reason, "--quick leaves it out");
}

// --- static items ---

TEST(static_claims, equal_figures_are_neither_lower_nor_higher) {
  EXPECT_TRUE(is_lower(1, 2));
  EXPECT_FALSE(is_lower(2, 2));
  EXPECT_TRUE(is_higher(2, 1));
  EXPECT_FALSE(is_higher(2, 2));
}

TEST(printed_rows, up_to_three_other_readings_stand_in_full) {
  const auto others_of = [](std::vector<std::pair<analysed_network, std::string>> others) {
    printed_row row{"a TTN", {"ttn:2,2,0"}, {{quantity::diameter, 1}}};
    row.others = std::move(others);
    analysis_store analyses;
    evidence by(analyses);
    return row_item("Table 1", row).judge(by).at(0).others;
  };
  // Of a mesh as routed nothing is asked; docs/papers_table.md has TTN(2,2,0)'s.
  EXPECT_EQ(others_of({{choice_of("mesh:4x4"), "a mesh"}}), "as routed: 15; a mesh, shortest paths: 6");
  EXPECT_EQ(others_of({{{"ttn:2,2,0", "B"}, "duplex"}}),
            "as routed: 15; duplex, shortest paths: 12; duplex, as routed: 13");
  EXPECT_EQ(others_of({{{"ttn:2,2,0", "B"}, "duplex"}, {choice_of("mesh:4x4"), "a mesh"}}),
            "none of 4 others: 6 to 15");
}

/// 40/15 links in the mean between distinct nodes of a 4x4 mesh.
TEST(printed_rows, a_number_without_decimals_is_rounded_to_a_whole_one) {
  analysis_store analyses;
  evidence by(analyses);
  const printed_row row{"a mesh", choice_of("mesh:4x4"), {{quantity::mean, 3}, {quantity::mean, 2}}};
  const std::vector<verdict> verdicts = row_item("Table 1", row).judge(by);
  EXPECT_NEAR(std::get<double>(verdicts.at(0).ours), 40. / 15, 1e-12);
  EXPECT_EQ(verdicts.at(0).result, ruling::reproduced);
  EXPECT_EQ(verdicts.at(1).result, ruling::differs);
}

TEST(ttn2009, distances_are_those_that_the_text_defines) {
  analysis_store analyses;
  evidence by(analyses);
  const verdict diameter = only_one(ttn2009(), "Table 1: TTN(2,2,0), diameter", by);
  EXPECT_EQ(diameter.result, ruling::undetermined);  // shortest 14, by Eq. 5 and printed 15
  EXPECT_EQ(std::get<double>(diameter.ours), 14);
  EXPECT_THAT(diameter.reading, HasSubstr("shortest paths"));
  EXPECT_THAT(diameter.others, HasSubstr("as routed: 15"));
  EXPECT_EQ(diameter.command, "toriscope analyze --topology ttn:2,2,0");
  EXPECT_THAT(only_one(ttn2009(), "Table 1: TTN(2,2,0), average distance", by).others,
              HasSubstr("as routed, all pairs: 7.4375"));
  EXPECT_EQ(only_one(ttn2009(), "Table 1: TTN(2,3,0), average distance", by).result, ruling::undetermined)
      << "12.60 is the mean as routed, and Sect. 4.4 has it by simulation";
  const verdict torus = only_one(ttn2009(), "Table 1: 2D-Torus 16x16, average distance", by);
  EXPECT_EQ(torus.result, ruling::differs);
  EXPECT_THAT(torus.others, HasSubstr("all pairs: 8"));
  // Degree, diameter and mean distance rest on the gates; arc connectivity and bisection do not.
  const std::vector<verdict> mh3dt = judged(ttn2009(), "Table 1: MH3DT(4,4,2,2)", by);
  EXPECT_EQ(count(mh3dt, ruling::reproduced), 2u);
  EXPECT_EQ(count(mh3dt, ruling::undetermined), 3u);
  EXPECT_EQ(count(mh3dt, ruling::not_evidence), 1u);  // the cost
}

TEST(ttn2009, open_gates_leave_distances_undetermined) {
  analysis_store analyses;
  evidence by(analyses);
  for (const char* const row : {"TESH(2,2,1)", "TTN(2,2,1)", "TESH(2,2,2)"})
    for (const char* const what : {"diameter", "average distance"})
      EXPECT_EQ(only_one(ttn2009(), std::string("Table 1: ") + row + ", " + what, by).result,
                ruling::undetermined);
}

TEST(ttn2009, what_any_gates_give_is_decided) {
  analysis_store analyses;
  evidence by(analyses);
  EXPECT_EQ(only_one(ttn2009(), "Table 1: TTN(2,2,1), arc connectivity", by).result, ruling::reproduced);
  EXPECT_EQ(only_one(ttn2009(), "Table 1: TTN(2,2,1), degree", by).result, ruling::undetermined);
  EXPECT_EQ(only_one(ttn2009(), "Table 1: TESH(2,2,1), arc connectivity", by).result, ruling::undetermined);
}

/// Oracle: 75 = 5 x 15 over 14,556 places of the gates, by a program that shares nothing with this one. TTN's
/// gates give 84.
TEST(sttn2009, least_cost_over_all_gates) { EXPECT_EQ(sttn_least_cost(), 75u); }

TEST(rdt, a_network_of_another_size_says_so) {
  analysis_store analyses;
  evidence by(analyses);
  EXPECT_THAT(only_one(rdt(), "Table 1: Kautz, 4096, diameter", by).reading, HasSubstr("3072 nodes"));
  EXPECT_THAT(only_one(rdt(), "Table 1: star, 4096, diameter", by).reading, HasSubstr("5040 nodes"));
}

TEST(dally1990, table_1_by_equations) {
  analysis_store analyses;
  evidence by(analyses);
  const std::vector<verdict> verdicts = judged(dally1990(), "Table I", by);
  EXPECT_EQ(verdicts.size(), 32u);
  EXPECT_EQ(count_rulings(verdicts).of(ruling::reproduced, provenance::equation), 28u);
  EXPECT_EQ(only_one(dally1990(), "Table I: binary 10-cube, max throughput", by).result, ruling::differs);
  EXPECT_EQ(count(judged(dally1990(), "Fig. 6", by), ruling::reproduced), 4u);
  EXPECT_EQ(only_one(dally1990(), "Eq. 22 for k = 2", by).result, ruling::differs);
}

TEST(htn2012, theorems) {
  analysis_store analyses;
  evidence by(analyses);
  for (const char* const theorem : {"Theorem 1", "Theorem 2", "Theorem 3", "Theorem 4"}) {
    const verdict v = judged(htn2012(), theorem, by).front();
    EXPECT_EQ(v.result, ruling::differs) << theorem;
    EXPECT_EQ(v.source, provenance::proven);
    EXPECT_EQ(v.beneath.size(), 4u);
  }
}

/// Masks of VCs by link, of all choices that a packet has on its way.
using masks_by_link = std::map<link_id, std::set<vc_mask>>;

void follow(const topology& net, const route_request& at, masks_by_link& masks) {
  route_option options[routing_function::max_options];
  const unsigned count = net.routing->route(at, options);
  for (unsigned i = 0; i < count && at.node != at.destination; ++i) {
    const link_id l = net.wiring->ports(at.node)[options[i].out_port].out;
    masks[l].insert(options[i].vcs);
    const netlist_link& link = net.wiring->link(l);
    for (std::uint8_t vc = 0; vc < max_vcs; ++vc)
      if (options[i].vcs >> vc & 1)
        follow(net, {link.to, link.to_port, vc, at.destination, options[i].state}, masks);
  }
}

/// VCs that always go together are one class.
std::size_t classes_of(const std::set<vc_mask>& masks) {
  std::set<std::vector<bool>> classes;
  for (unsigned vc = 0; vc < max_vcs; ++vc) {
    std::vector<bool> members;
    for (const vc_mask mask : masks) members.push_back((mask >> vc & 1) != 0);
    if (std::count(members.begin(), members.end(), true) > 0) classes.insert(members);
  }
  return classes.size();
}

TEST(htn2012, packets_that_stay_in_a_module_have_two_classes) {
  for (const char* const routing : {"cs", "ls"}) {
    topology_options options;
    options.gates = "nearest";
    options.ties = "positive";
    options.vc_rule = "P3";
    options.vcs = 3;
    options.routing = routing;
    const topology net = make_topology("htn:4,2,2,0", options);
    masks_by_link masks;
    for (node_id source = 0; source < 64; ++source)
      for (node_id destination = 0; destination < 64; ++destination)
        follow(net, {source, net.wiring->local_port(source), 0, destination, 0}, masks);
    EXPECT_GT(masks.size(), 100u);
    for (const auto& [link, of_link] : masks)
      EXPECT_LE(classes_of(of_link), 2u) << routing << ", link " << link;
  }
  analysis_store analyses;
  evidence by(analyses);
  for (const char* const lemma : {"Lemma 2", "Lemma 3"}) {
    const verdict v = judged(htn2012(), lemma, by).front();
    EXPECT_EQ(v.result, ruling::reproduced);
    EXPECT_EQ(v.source, provenance::proven);
  }
}

TEST(htn2012, the_zero_load_column_depends_on_the_header_selection) {
  const verdict v = only_one(htn2012(), "Table I: Uniform, DOR zero-load latency");
  EXPECT_EQ(v.result, ruling::undetermined);
  const double ours = std::get<double>(v.ours), hops = (ours - 33) / 2;
  EXPECT_THAT(v.others, HasSubstr("3 h + 34 (Sect. IV-E gives no number): " + to_text(3 * hops + 34, v.source)));
  EXPECT_THAT(v.others, HasSubstr("4 h + 35: " + to_text(4 * hops + 35, v.source)));
}

TEST(sttn2009, no_size_no_arc_connectivity_of_tesh) {
  const verdict v = only_one(sttn2009(), "Table 1: TESH, arc connectivity");
  EXPECT_EQ(v.result, ruling::undetermined);
  EXPECT_THAT(v.reading, HasSubstr("the text gives no size"));
}

TEST(dally1990, always_ends_where_the_network_carries_no_more) {
  const verdict v = only_one(dally1990(), "Fig. 14, all loads");
  EXPECT_EQ(v.result, ruling::undetermined);
  EXPECT_THAT(v.reading, HasSubstr("0.364"));
  EXPECT_THAT(v.others, HasSubstr("4-ary 5-cube up to 0.424"));
}

/// Of the simulated latencies --quick runs those of the 1K networks, whose figure is 14, up to a load of .2.
TEST(dally1990, quick_leaves_out_large_networks_and_high_loads) {
  std::vector<std::string> quick;
  for (const paper_item& item : dally1990().items)
    if (!item.curves.empty() && item.name.find(", latency at ") != std::string::npos && !item.costly)
      quick.push_back(item.name);
  std::vector<std::string> expected;
  for (const char* const network : {"32-ary 2-cube", "4-ary 5-cube", "binary 10-cube"})
    for (const char* const load : {"0.1", "0.2"})
      expected.push_back(std::string("Fig. 14: ") + network + ", latency at " + load);
  EXPECT_THAT(quick, testing::UnorderedElementsAreArray(expected));
}

TEST(rdt, what_is_not_built_is_not_ours) {
  analysis_store analyses;
  evidence by(analyses);
  const std::vector<verdict> verdicts = judged(rdt(), "Table 1: Hypernet, 4096", by);
  ASSERT_EQ(verdicts.size(), 2u);
  for (const verdict& v : verdicts) EXPECT_EQ(v.source, provenance::none);
}

TEST(htn2012, arithmetic_is_no_evidence) {
  analysis_store analyses;
  evidence by(analyses);
  const std::vector<verdict> verdicts = judged(htn2012(), "Fig. 10", by);
  EXPECT_EQ(verdicts.size(), 15u);
  EXPECT_EQ(count(verdicts, ruling::not_evidence), 15u);
  // Of throughput, of DOR's latency, of its zero-load latency; each row of Table I.
  const std::vector<double> percents{12.601, 5.916, .360,  7.748, 9.438,  .434,  11.183, 8.004,
                                     .490,   9.118, 6.813, .157,  16.220, 1.311, 2.041};
  for (std::size_t i = 0; i < percents.size() && i < verdicts.size(); ++i)
    EXPECT_NEAR(std::get<double>(verdicts[i].ours), percents[i], .0006) << verdicts[i].item;
}

}  // namespace
}  // namespace toriscope
