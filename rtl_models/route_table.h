// SPDX-License-Identifier: Apache-2.0
// Routing functions as tables for RTL: the files that sv/route_table.sv reads, for a set of nodes whose
// routers are built with the same parameters.
//
// A table holds what some packet can ask, found by following the packets of all nodes once, so that the
// routing function is never asked for what cannot happen. Two things keep it small:
//
//   classes  input VCs whose answers agree wherever both are asked share their rows. Mostly that is all of
//            them; a routing that looks at the link that a head came by has some more classes.
//   hashing  what a node is asked is a fraction of all {state, destination}. Where more than 2^12 words would
//            be dense, and it takes fewer bits, rows have no fixed place but hold their key (hashed_rows.h).
//
// The file has a word per line in hexadecimal, INDEX_BITS and CLASS_BITS being those of parameters():
//
//   dense     INDEX_BITS = 0: word {class, state, destination} = answer
//   hashed    4 * 2^INDEX_BITS words, way by way: {key, answer}, the key being {class, state, destination};
//             0: nothing
//   then      CLASS_BITS > 0: PORTS * VCS words, word p*VCS + v = class of input VC v of port p
//   answer    OPTIONS options, the first one in the lowest bits: {weight, next state, VCs, output port}, no VCs: no
//             option; where nothing is ever asked there is none, which the RTL takes for an error
//   ports     of the RTL: a node's local port is its last one, also when the node has fewer ports
//
//   limits    2^20 words. Time and memory: every place that any packet can reach is visited, for each
//             destination: seconds up to some thousand nodes; 16 bytes per request of the nodes asked for
#pragma once

#include <cstdint>
#include <iosfwd>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "links/flit.h"
#include "rtl_models/rtl_router.h"
#include "topologies/netlist.h"
#include "topologies/route.h"

namespace toriscope {

class route_tables {
 public:
  /// Of a table.
  static constexpr std::size_t max_words = std::size_t{1} << 20;
  /// (input VC, state, destination) that a node may be asked.
  static constexpr std::size_t max_requests = std::size_t{1} << 20;

  /// @param layout  where destination and route state stand in the flits of the network
  /// @param vcs     VCs per port
  /// @param nodes   whose tables are made
  /// @throws std::invalid_argument one line: the tables would have more than max_words words, or a node is
  /// asked more than max_requests different things
  route_tables(const netlist& wiring, const routing_function& routing, const flit_layout& layout,
               unsigned vcs, std::vector<node_id> nodes);

  /// Of the RTL for those of the nodes whose router has this configuration: ports are those of the node that has the
  /// most. @param out_depth  out_depth_of() the network
  rtl_parameters parameters(const router_config& own, bool local_credits, unsigned out_depth) const;

  /// Writes the file of a node. @throws std::out_of_range when it is none of those asked for
  void write(node_id node, std::ostream& out) const;
  /// The same to a file. @throws std::runtime_error when it cannot be written
  void write_file(node_id node, const std::string& path) const;

  /// Words of each file.
  std::size_t words() const;
  /// Different requests that a node may get, (input VC, state, destination). @throws std::out_of_range
  std::size_t requests(node_id node) const { return table_of(node).requests; }

 private:
  using answer_id = std::uint32_t;  ///< of answers_; 0: none

  /// A head in an input VC asks with {state, destination}.
  struct request {
    std::uint32_t input_vc;
    answer_id answer;
    std::uint64_t field;
  };
  /// An option of an answer; its output port is that of the RTL.
  struct weighed_option {
    route_option way;
    unsigned weight = 0;
  };
  /// A table before it is written.
  struct node_table {
    std::size_t requests = 0;
    std::vector<std::uint32_t> classes;                        ///< by input VC of the RTL
    std::vector<std::pair<std::uint64_t, answer_id>> answers;  ///< by {class, state, destination}, ascending
    std::vector<std::uint32_t> rows;                           ///< hashed: by place, 1 + index in answers
  };

  std::vector<std::vector<request>> ask(const netlist& wiring, const routing_function& routing);
  answer_id answer_of(const netlist& wiring, const routing_function& routing, const route_request& asked,
                      const route_option* options, unsigned count);
  void share_rows(node_table& table, std::vector<request>& requests, unsigned& classes) const;
  void choose_form(const std::string& network);
  bool hash_all(unsigned index_bits);
  const node_table& table_of(node_id node) const { return tables_.at(place_.at(node)); }
  unsigned key_bits() const {
    return parameters_.table.class_bits + layout_.state_bits() + layout_.destination_bits();
  }
  unsigned option_bits() const;

  flit_layout layout_;
  rtl_parameters parameters_;
  std::map<node_id, std::size_t> place_;  ///< of a node's table
  std::vector<node_table> tables_;
  std::vector<std::vector<weighed_option>> answers_{{}};
  std::unordered_map<std::string, answer_id> known_answers_;
};

}  // namespace toriscope
