// SPDX-License-Identifier: Apache-2.0
#include "traces/gtkw.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <string_view>
#include <tuple>
#include <utility>

#include "base/words.h"
#include "traces/wave_selection.h"

namespace toriscope {
namespace {

// What fits on a screen, and what GTKWave still opens at once.
constexpr std::size_t open_nodes = 2;
constexpr std::size_t max_signals = 8000;
constexpr double cycles_shown = 36;
constexpr double cycles_before_mark = 24;
constexpr double wave_pixels = 1100;

/// Trace flags of GTKWave (analyzer.h): data format and place in groups.
constexpr unsigned flag_hex = 0x22;
constexpr unsigned flag_decimal = 0x24;
constexpr unsigned flag_translated = 0x2000;
constexpr unsigned flag_comment = 0x200;
constexpr unsigned flag_closed = 0x400000;
constexpr unsigned flag_group = 0x800000;
constexpr unsigned flag_group_end = 0x1000000;

// What the files of words are called, behind the name of the save file.
constexpr const char* ending_of_states = ".vc_state.txt";
constexpr const char* ending_of_flit_kinds = ".flit_kind.txt";
std::string ending_of_vcs(unsigned long number) { return ".vcs_" + std::to_string(number) + ".txt"; }

std::string hex(unsigned number) {
  char text[16];
  std::snprintf(text, sizeof text, "%x", number);
  return text;
}

class save_file {
 public:
  save_file(const network& net, const std::vector<wave_signal>& signals, const std::vector<bool>& active,
            const std::string& wave_path)
      : net_(net),
        signals_(signals),
        active_(active),
        wave_path_(std::filesystem::absolute(wave_path).lexically_normal()),
        base_(std::filesystem::path(gtkw_name(wave_path_.string())).replace_extension()) {}

  void head(const gtkw_times& times) {
    const double period = static_cast<double>(times.period());
    // From shortly before the first thing that happens, or with the mark in the second half of what is shown,
    // as much as can be read, but not beyond the window.
    const double start =
        std::max(static_cast<double>(times.begin),
                 !times.marks.empty() ? static_cast<double>(times.marks[0]) - cycles_before_mark * period
                                      : static_cast<double>(times.first_change) - 2 * period);
    const double span =
        std::max(period, std::min(cycles_shown * period, static_cast<double>(times.end) - start));
    // GTKWave shows 200 pixels per 2^-zoom units of time.
    const double zoom = -std::log2(span * 200 / wave_pixels);
    line("[*] written by toriscope");
    line("[dumpfile] \"" + wave_path_.string() + "\"");
    line("[savefile] \"" + base_.string() + ".gtkw\"");  // so that the files may be moved together
    line("[timestart] " + std::to_string(static_cast<std::uint64_t>(start)));
    line("[size] 1600 960");
    line("[pos] -1 -1");
    std::string marks = '*' + std::to_string(zoom);
    const auto mark = [&](std::size_t number) {
      marks += ' ' + (number < times.marks.size() ? std::to_string(times.marks[number]) : "-1");
    };
    mark(0);  // the primary marker, then A to Z
    for (std::size_t named = 0; named < 26; ++named)
      mark(times.marks.size() > 1 ? named : times.marks.size());
    line(marks);
    line("[treeopen] " + std::string(net_.name()) + '.');
    line("[sst_width] 240");
    line("[signals_width] 260");
    line("[sst_expanded] 1");
  }

  void cycle() {
    line('@' + hex(flag_decimal));
    line("+{cycle} " + std::string(net_.name()) + ".cycle[63:0]");
  }

  /// All signals of one node; shown open if `open` and something happens there. Returns whether it is.
  bool node(const wave_signal* first, const wave_signal* last, bool open) {
    open = open && any_active(first, last);
    const std::string path = node_name(net_, first->node);
    const std::string top = std::string(net_.name()) + '.';
    begin_group(begins_with(path, top) ? path.substr(top.size()) : path, open);
    if (const std::string comment = net_.wiring().node_comment(first->node); !comment.empty()) {
      line('@' + hex(flag_comment));
      line('-' + comment);
    }
    overview(first, last);
    for (const wave_signal* s = first; s != last;) {
      const auto side = [](const wave_signal& t) {
        return std::make_tuple(t.port, t.outgoing, t.kind >= signal_kind::queue);
      };
      const wave_signal* const end = std::find_if(s, last, [&](const auto& t) { return side(t) != side(*s); });
      port(port_scope(*s), s, end);
      s = end;
    }
    end_group();
    return open;
  }

  void more(std::size_t left_out) {
    line('@' + hex(flag_comment));
    line("-" + std::to_string(left_out) + " more signals: in the tree (SST) on the left");
  }

  std::vector<std::pair<std::string, std::string>> files() const {
    std::vector<std::pair<std::string, std::string>> all{{base_.string() + ".gtkw", text_}};
    for (const auto& [words, name] : translations_) all.emplace_back((base_.parent_path() / name).string(), words);
    return all;
  }

 private:
  void line(const std::string& text) { text_ += text + '\n'; }

  void begin_group(const std::string& name, bool open) {
    line('@' + hex(flag_group | flag_comment | (open ? 0 : flag_closed)));
    line("-" + name);
    groups_.emplace_back(name, open);
  }

  void end_group() {
    line('@' + hex(flag_group_end | flag_comment | (groups_.back().second ? 0 : flag_closed | 0x1000)));
    line("-" + groups_.back().first);
    groups_.pop_back();
  }

  void trace(const wave_signal& s, const std::string& alias) {
    const std::string& words = file_of_words(s);
    const signal_traits& traits = traits_of(s.kind);
    const unsigned format = traits.display == wave_display::detail_in_hex ? flag_hex : flag_decimal;
    line('@' + hex(format | (words.empty() ? 0 : flag_translated)));
    if (traits.colour != wave_colour::normal)
      line("[color] " + std::to_string(static_cast<int>(traits.colour)));
    if (!words.empty()) line("^1 " + words);
    std::string name = full_name(net_, s);
    if (s.width > 1) name += '[' + std::to_string(s.width - 1) + ":0]";
    line("+{" + alias + "} " + name);
  }

  /// What passes the ports of the node: one line per link.
  void overview(const wave_signal* first, const wave_signal* last) {
    for (const wave_signal* s = first; s != last; ++s)
      if (s->kind == signal_kind::flit_tag) trace(*s, port_scope(*s) + " packet");
  }

  /// A port, or the network interface: open where something happens, with the VCs at rest among the details.
  void port(const std::string& name, const wave_signal* first, const wave_signal* last) {
    begin_group(name, any_active(first, last));
    std::vector<const wave_signal*> details;
    for (const wave_signal* s = first; s != last;) {
      const wave_signal* const end = std::find_if(s, last, [&](const auto& t) { return !share_scope(*s, t); });
      const bool at_rest = !any_active(s, end);
      for (; s != end; ++s) {
        if (at_rest || traits_of(s->kind).display != wave_display::open)
          details.push_back(s);
        else
          trace(*s, below(name, *s));
      }
    }
    if (!details.empty()) {
      begin_group(name + " details", false);
      for (const wave_signal* s : details) trace(*s, below(name, *s));
      end_group();
    }
    end_group();
  }

  bool any_active(const wave_signal* first, const wave_signal* last) const {
    const auto begin = active_.begin() + (first - signals_.data());
    return std::find(begin, begin + (last - first), true) != begin + (last - first);
  }

  /// "vc1 state" for in_x+.vc1.state below in_x+.
  std::string below(const std::string& scope, const wave_signal& s) const {
    const std::string full = scope_of(net_, s);
    return (full.size() > scope.size() ? full.substr(scope.size() + 1) + ' ' : std::string()) +
           name_of(s.kind);
  }

  /// "in_x+", also for the VCs of that port.
  std::string port_scope(const wave_signal& s) const {
    const std::string scope = scope_of(net_, s);
    return scope.substr(0, scope.find('.'));
  }

  /// The name of the file with a word for each value of a signal, in the directory of the save file. Empty: values are
  /// shown as numbers.
  const std::string& file_of_words(const wave_signal& s) {
    static const std::string none;
    switch (s.kind) {
      case signal_kind::state:
        if (states_.empty())
          states_ = file_with("0 idle\n1 ?yellow4?RC\n2 ?red4?VA\n3 ?DarkGreen?active\n", ending_of_states);
        return states_;
      case signal_kind::flit_kind:
      case signal_kind::front_kind:
        if (flit_kinds_.empty())
          flit_kinds_ = file_with("0 ?RoyalBlue4?head\n1 body\n2 ?gray30?tail\n3 ?RoyalBlue4?single\n",
                                  ending_of_flit_kinds);
        return flit_kinds_;
      case signal_kind::assigned:
      case signal_kind::owner:
        if (std::exchange(vcs_of_, s.node) != s.node)
          vcs_ = file_with(vcs_of(s.node), ending_of_vcs(port_lists_ + 1));
        return vcs_;
      default:
        return none;
    }
  }

  std::string vcs_of(node_id n) const {
    std::string words;
    const unsigned vcs = net_.config().router.vcs;
    const unsigned ports = net_.wiring().port_count(n);
    for (unsigned p = 0; p < ports; ++p)
      for (unsigned v = 0; v < vcs; ++v)
        words += std::to_string(p * vcs + v) + ' ' + net_.wiring().port_name(n, static_cast<port_id>(p)) +
                 " vc" + std::to_string(v) + '\n';
    return words;
  }

  /// A value and its word on each line; "?colour?" is the background. Nodes with the same ports share a file.
  const std::string& file_with(const std::string& words, const std::string& ending) {
    const auto [file, is_new] = translations_.try_emplace(words, base_.filename().string() + ending);
    if (is_new && begins_with(ending, ".vcs_")) ++port_lists_;
    return file->second;
  }

  const network& net_;
  const std::vector<wave_signal>& signals_;
  const std::vector<bool>& active_;
  const std::filesystem::path wave_path_;
  std::filesystem::path base_;
  std::string text_;
  std::vector<std::pair<std::string, bool>> groups_;  ///< those open: name, shown open
  std::map<std::string, std::string> translations_;   ///< words -> file name
  unsigned port_lists_ = 0;
  std::string states_, flit_kinds_, vcs_;  ///< names of files
  node_id vcs_of_ = ~node_id{0};           ///< whose VCs vcs_ has
};

}  // namespace

std::string gtkw_name(const std::string& wave_path) {
  if (wave_path.empty()) return {};
  std::filesystem::path base(wave_path);
  if (base.extension() == ".vcd" || base.extension() == ".fst") base.replace_extension();
  return base.string() + ".gtkw";
}

bool is_file_of_words(const std::string& path, const std::string& gtkw_path) {
  constexpr std::string_view extension = ".gtkw";
  if (!ends_in(gtkw_path, extension)) return false;
  const std::string base = gtkw_path.substr(0, gtkw_path.size() - extension.size());
  if (!begins_with(path, base)) return false;
  const std::string ending = path.substr(base.size());
  const std::size_t digit = std::min(ending.size(), ending.find_first_of("123456789"));
  return ending == ending_of_states || ending == ending_of_flit_kinds ||
         ending == ending_of_vcs(std::strtoul(ending.c_str() + digit, nullptr, 10));
}

std::uint64_t gtkw_times::period() const {
  if (edges > 1) return std::max<std::uint64_t>(1, (last_edge - first_edge) / (edges - 1));
  return std::max<std::uint64_t>(1, end - begin);
}

std::vector<std::pair<std::string, std::string>> gtkw_files(const network& net,
                                                            const std::vector<wave_signal>& signals,
                                                            const std::vector<bool>& active, bool with_cycle,
                                                            const gtkw_times& times,
                                                            const std::string& wave_path) {
  save_file file(net, signals, active, wave_path);
  file.head(times);
  if (with_cycle) file.cycle();
  struct of_node {
    const wave_signal *first, *last;
  };
  std::vector<of_node> nodes;
  for (const wave_signal& s : signals) {
    if (nodes.empty() || nodes.back().first->node != s.node) nodes.push_back({&s, &s});
    nodes.back().last = &s + 1;
  }
  const auto place_in = [](const std::vector<node_id>& list, const of_node& n) {
    return std::find(list.begin(), list.end(), n.first->node) - list.begin();
  };
  const std::vector<node_id>& marked = times.changed_at_mark;
  std::stable_partition(nodes.begin(), nodes.end(), [&](const of_node& n) {
    return static_cast<std::size_t>(place_in(marked, n)) < marked.size();
  });
  std::stable_sort(nodes.begin(), nodes.end(), [&](const of_node& a, const of_node& b) {
    return place_in(times.in_order, a) < place_in(times.in_order, b);
  });
  std::size_t opened = 0, left = signals.size();
  for (const of_node& n : nodes) {
    const auto more = static_cast<std::size_t>(n.last - n.first);
    if (left < signals.size() && signals.size() - left + more > max_signals) {
      file.more(left);
      break;
    }
    opened += file.node(n.first, n.last, opened < open_nodes || !times.in_order.empty());
    left -= more;
  }
  return file.files();
}

}  // namespace toriscope
