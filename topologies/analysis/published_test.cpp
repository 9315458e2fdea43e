// SPDX-License-Identifier: Apache-2.0
// Printed numbers beside ours: every one that differs has a reason, and those that must come out do.
#include <gtest/gtest.h>

#include "topologies/analysis/comparison.h"

namespace toriscope {
namespace {

const published_table& table_named(const std::string& name) {
  for (const published_table& table : published_tables())
    if (table.name == name) return table;
  throw std::invalid_argument(name);
}

std::string key(const number_verdict& v) { return v.network + " " + to_string(v.what); }

TEST(equals_printed, rounds) {
  EXPECT_TRUE(equals_printed(7.4375, 7.44, 2));
  EXPECT_TRUE(equals_printed(10.46875, 10.47, 2));
  EXPECT_FALSE(equals_printed(12.59375, 12.60, 2));
  EXPECT_TRUE(equals_printed(12.59683, 12.60, 2));
  EXPECT_FALSE(equals_printed(15, 14, 0));
}

TEST(published_paper, table_1_of_the_ttn) {
  analysis_store store;
  const comparison c = compare_with_published(table_named("ttn2009-table1"), store);
  EXPECT_EQ(c.numbers.size(), 15u * 7);
  unsigned equal = 0;
  for (const number_verdict& v : c.numbers) {
    equal += v.equal;
    if (v.equal) continue;
    EXPECT_NE(v.words, "") << key(v);
    EXPECT_EQ(v.words.find("no explanation"), std::string::npos) << key(v);
  }
  EXPECT_GE(equal, 63u);
  const auto ours = [&](const std::string& name) {
    for (const number_verdict& v : c.numbers)
      if (key(v) == name) return v;
    throw std::invalid_argument(name);
  };
  for (const char* name :
       {"TTN(2,2,0) diameter", "TTN(2,2,0) average distance", "TTN(2,3,0) average distance",
        "TESH(2,2,0) average distance", "TESH(2,2,1) diameter", "2D-Mesh 64x64 average distance",
        "2D-Torus 16x16 arc connectivity", "CCC(9) bisection width"})
    EXPECT_TRUE(ours(name).equal) << name;
  EXPECT_EQ(ours("TTN(2,3,0) bisection width").ours, 128);
  EXPECT_EQ(ours("TTN(2,3,1) bisection width").ours, 256);
  EXPECT_EQ(ours("CCC(9) diameter").ours, 20);
  EXPECT_EQ(ours("TTN(2,2,0) wiring complexity").ours, 544);
  // What explains it is found, not only said.
  EXPECT_NE(ours("TTN(2,3,1) average distance").words.find("10.5938"), std::string::npos);
  EXPECT_NE(ours("TESH(2,3,0) diameter").words.find("has 32"), std::string::npos);
}

TEST(published_paper, rdt_of_1024_nodes) {
  analysis_store store;
  for (const published_row& row : table_named("rdt-table2").rows) {
    if (row.network.find("1024") == std::string::npos) continue;
    for (const number_verdict& v : compare_row(row, false, store)) {
      EXPECT_EQ(v.equal, v.what == quantity::diameter) << key(v);
      EXPECT_TRUE(v.equal || !v.words.empty()) << key(v);
    }
  }
}

TEST(published_paper, rdt_in_small_areas) {
  analysis_store store;
  const published_table& figure = table_named("rdt-figure4");
  ASSERT_EQ(figure.claims.size(), 2u);
  EXPECT_TRUE(figure.claims[0].check(store).holds) << figure.claims[0].check(store).ours;
}

TEST(published, rows_without_a_network_say_why) {
  for (const published_table& table : published_tables())
    for (const published_row& row : table.rows) {
      if (!row.readings.empty()) continue;
      for (const published_value& value : row.values) EXPECT_NE(value.reason, "") << row.network;
    }
}

}  // namespace
}  // namespace toriscope
