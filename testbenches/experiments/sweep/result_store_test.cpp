// SPDX-License-Identifier: Apache-2.0
#include "base/json.h"
#include "testbenches/experiments/sweep/result_store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "base/error_of_test.h"
#include "base/scratch_directory.h"
#include "base/text_hash.h"
#include "testbenches/experiments/sweep/scripted_network.h"

namespace toriscope::result_store_test {
namespace {

namespace fs = std::filesystem;

class result_store_ : public ::testing::Test {
 protected:
  std::string file() const { return directory_.path() + "/" + result_store::file_name(*point_); }
  std::string contents() const {
    std::ifstream in(file(), std::ios::binary);
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  }
  std::string output() const {
    return scripted_output(*point_, [](double, std::uint64_t) { return true; });
  }

  scratch_directory directory_;
  std::vector<std::string> told_;
  result_store store_{directory_.path(), [this](const std::string& line) { told_.push_back(line); }};
  std::shared_ptr<const point> point_ = curve_search(scripted_curve(), {}).point_at(0.25, 1);
};

TEST_F(result_store_, keeps_a_result_without_its_times) {
  EXPECT_FALSE(store_.load(*point_));
  store_.save(*point_, output());
  const auto loaded = store_.load(*point_);
  ASSERT_TRUE(loaded);
  EXPECT_TRUE(loaded->stable());
  EXPECT_DOUBLE_EQ(loaded->figure("latency.mean"), 20 / 0.75);
  EXPECT_TRUE(std::isnan(loaded->figure("latency.nothing")));
  EXPECT_EQ(loaded->document()["command"], point_->command());
  EXPECT_EQ(contents().find("simulate_cpu_s"), std::string::npos);
  EXPECT_THAT(contents(), ::testing::StartsWith("{\n \"config\": {\n  \"topology\": {\n"));
  const std::string first = contents();
  store_.save(*point_, output());
  EXPECT_EQ(contents(), first);
  EXPECT_TRUE(told_.empty());
}

TEST_F(result_store_, keeps_no_result_whose_figures_are_void) {
  auto document = nlohmann::ordered_json::parse(output());
  document["results"]["failure"] = "invariant in cycle 7";
  document["failure"] = {{"kind", "invariant"}, {"since", 7}, {"detail", nlohmann::ordered_json::array()}};
  EXPECT_TRUE(store_.save(*point_, document.dump()).broken());
  EXPECT_FALSE(store_.has_file(*point_));
  document["checksum"] = hex_text(mix_text(document.dump()));
  std::ofstream(file(), std::ios::binary) << document.dump();
  EXPECT_FALSE(store_.load(*point_)) << "of an older version";
  EXPECT_THAT(told_, ::testing::ElementsAre(file() + ": invariant in cycle 7: the point is run again"));
}

TEST_F(result_store_, runs_a_point_again_whose_file_was_made_by_hand) {
  for (const auto& [value, taken] : {std::pair<nlohmann::ordered_json, bool>{3, false}, {nullptr, true}}) {
    auto document = nlohmann::ordered_json::parse(output());
    document["results"]["latency"]["histogram"] = value;
    document.erase("checksum");
    auto written = document;
    written["checksum"] = hex_text(mix_text(document.dump()));
    fs::create_directories(fs::path(file()).parent_path());
    std::ofstream(file(), std::ios::binary) << written.dump();
    EXPECT_EQ(store_.load(*point_).has_value(), taken);
    EXPECT_EQ(told_.size(), 1u);
  }
  EXPECT_THAT(told_[0], ::testing::HasSubstr("is corrupt: the point is run again"));
}

TEST_F(result_store_, notices_any_damage) {
  store_.save(*point_, output());
  const std::string whole = contents();
  std::size_t times = 0;
  for (std::size_t at = 0; at < whole.size(); at += 37) {
    if (std::isspace(static_cast<unsigned char>(whole[at]))) continue;
    std::string damaged = whole;
    damaged[at] = damaged[at] == '7' ? '8' : '7';
    // The last digit of a number may be beyond what a double holds: then nothing is damaged.
    if (nlohmann::json::parse(damaged, nullptr, false) == nlohmann::json::parse(whole)) continue;
    std::ofstream(file(), std::ios::binary) << damaged;
    EXPECT_FALSE(store_.load(*point_)) << at;
    EXPECT_EQ(told_.size(), ++times);
  }
  for (const std::size_t length : {std::size_t{0}, whole.size() / 2, whole.size() - 3}) {
    std::ofstream(file(), std::ios::binary) << whole.substr(0, length);
    EXPECT_FALSE(store_.load(*point_)) << length;
  }
  EXPECT_THAT(told_.back(), ::testing::HasSubstr("is corrupt"));
  store_.save(*point_, output());
  EXPECT_TRUE(store_.load(*point_));
}

TEST_F(result_store_, refuses_what_is_no_result_of_the_point) {
  const auto other = curve_search(scripted_curve(), {}).point_at(0.5, 1);
  EXPECT_THROW(store_.save(*other, output()), std::invalid_argument);
  EXPECT_THROW(store_.save(*point_, "{\"config\": {}"), std::invalid_argument);
  EXPECT_THROW(store_.save(*point_, ""), std::invalid_argument);
  // Another point's file under this name.
  store_.save(*point_, output());
  fs::copy_file(file(), directory_.path() + "/" + result_store::file_name(*other));
  EXPECT_FALSE(store_.load(*other));
}

TEST_F(result_store_, tidies_up_what_is_its_own) {
  store_.save(*point_, output());
  const std::string stale = directory_.path() + "/points/0123456789abcdef.json";
  const std::string torn = file() + ".host.1.tmp.part";
  const std::string nameless = directory_.path() + "/points/fedcba9876543210";
  const std::string foreign = directory_.path() + "/points/notes.txt";
  const std::string foreign_and_long = directory_.path() + "/points/notes-of-last-week.txt";
  const std::string too_short = directory_.path() + "/points/abc";
  for (const std::string& path : {stale, torn, nameless, foreign, foreign_and_long, too_short})
    std::ofstream(path) << "x";
  store_.keep_only({point_->hash()});
  EXPECT_TRUE(store_.load(*point_));
  EXPECT_FALSE(fs::exists(stale));
  EXPECT_FALSE(fs::exists(torn));
  EXPECT_FALSE(fs::exists(nameless));
  for (const std::string& path : {foreign, foreign_and_long, too_short}) EXPECT_TRUE(fs::exists(path)) << path;
}

TEST_F(result_store_, replaces_pipes) {
  ASSERT_EQ(mkfifo(file().c_str(), 0600), 0);
  EXPECT_FALSE(store_.load(*point_));
  store_.save(*point_, output());
  EXPECT_TRUE(store_.load(*point_));
}

TEST_F(result_store_, reads_no_directory) {
  fs::create_directory(file());
  EXPECT_FALSE(store_.load(*point_));
  EXPECT_EQ(error_of([&] { store_.save(*point_, output()); }), "cannot write " + file() + ": Is a directory");
}

TEST_F(result_store_, tells_which_file_cannot_be_written) {
  fs::remove_all(directory_.path() + "/points");
  std::ofstream(directory_.path() + "/points") << "a file";
  try {
    store_.save(*point_, output());
    FAIL();
  } catch (const std::runtime_error& error) {
    EXPECT_THAT(error.what(), ::testing::AllOf(::testing::StartsWith("cannot write " + file() + ": "),
                                               ::testing::Not(::testing::HasSubstr(".tmp"))));
  }
}

}  // namespace
}  // namespace toriscope::result_store_test
