// SPDX-License-Identifier: Apache-2.0
// For tests: a routing function without any sense, and its file for sv/route_table.sv, written from what that
// file says about itself and not with rtl_models/route_table.h.
#pragma once

#include <fstream>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/bits_for.h"
#include "rtl_models/rtl_router.h"

namespace toriscope {

/// One to OPTIONS options: any output ports, any VCs, any next states, as a hash of the request says. Input
/// VCs of one class get the same answers.
class random_routes final : public routing_function {
 public:
  random_routes(const rtl_parameters& parameters, unsigned seed) : parameters_(parameters), random_(seed) {
    seed_ = seed;
    const unsigned input_vcs = parameters_.ports * parameters_.vcs;
    for (unsigned i = 0; i < input_vcs; ++i) classes_.push_back(below(1u << parameters_.table.class_bits));
    asked_.resize(std::size_t{1} << parameters_.table.class_bits);
    if (parameters_.table.index_bits)
      hash_rows();
    else
      fill_rows();
    for (const unsigned c : classes_) rows_.push_back(bits(c, row_bits()));
    if (parameters_.table.class_bits == 0) rows_.resize(rows_.size() - input_vcs);
  }

  unsigned route(const route_request& r, route_option* options) const override {
    return answer(classes_[r.in_port * parameters_.vcs + r.in_vc],
                  r.state << parameters_.destination_bits | r.destination, options);
  }
  unsigned state_bits() const override { return parameters_.state_bits; }
  bool compares_queues() const override { return parameters_.table.weight_bits > 0; }
  void weigh(const route_request& r, unsigned count, unsigned* weights) const override {
    const unsigned c = classes_[r.in_port * parameters_.vcs + r.in_vc];
    for (unsigned k = 0; k < count; ++k)
      weights[k] = weight(c, r.state << parameters_.destination_bits | r.destination, k);
  }
  unsigned options_at_most() const override { return parameters_.table.options; }

  /// {state, destination} of something that a head in this input VC may ask.
  template <class Random>
  std::uint32_t a_field(unsigned input_vc, Random& random) const {
    const std::vector<std::uint32_t>& known = asked_[classes_[input_vc]];
    return known[random() % known.size()];
  }

  void write_table(const std::string& path) const {
    std::ofstream file(path);
    for (const std::string& row : rows_) {
      const std::string padded = std::string((4 - row.size() % 4) % 4, '0') + row;
      for (std::size_t at = 0; at < padded.size(); at += 4)
        file << "0123456789abcdef"[std::stoul(padded.substr(at, 4), nullptr, 2)];
      file << '\n';
    }
  }

 private:
  unsigned below(unsigned n) { return static_cast<unsigned>(random_() % n); }

  unsigned answer(unsigned c, std::uint32_t field, route_option* options) const {
    std::seed_seq mix{seed_, c, field};
    std::vector<std::uint32_t> random(1 + 3 * parameters_.table.options);
    mix.generate(random.begin(), random.end());
    const unsigned count = 1 + random.back() % parameters_.table.options;
    for (unsigned k = 0; k < count; ++k)
      options[k] = {static_cast<port_id>(random[3 * k] % parameters_.ports),
                    static_cast<vc_mask>(1 + random[3 * k + 1] % ((1u << parameters_.vcs) - 1)),
                    random[3 * k + 2] & ((1u << parameters_.state_bits) - 1)};
    return count;
  }

  unsigned weight(unsigned c, std::uint32_t field, unsigned option) const {
    return (c + 3 * field + 5 * option) & ((1u << parameters_.table.weight_bits) - 1);
  }
  /// A number as binary digits.
  static std::string bits(std::uint64_t value, unsigned count) {
    std::string text;
    while (count-- > 0) text += value >> count & 1u ? '1' : '0';
    return text;
  }
  unsigned field_bits() const { return parameters_.state_bits + parameters_.destination_bits; }
  unsigned key_bits() const { return parameters_.table.class_bits + field_bits(); }
  unsigned answer_bits() const {
    return parameters_.table.options * (parameters_.table.weight_bits + parameters_.state_bits +
                                        parameters_.vcs + bits_for(parameters_.ports));
  }
  unsigned row_bits() const { return answer_bits() + (parameters_.table.index_bits ? key_bits() : 0); }

  std::string answer_row(unsigned c, std::uint32_t field) const {
    route_option options[max_options];
    const unsigned count = answer(c, field, options);
    std::string text;
    for (unsigned k = 0; k < count; ++k)
      text = bits(weight(c, field, k), parameters_.table.weight_bits) +
             bits(options[k].state, parameters_.state_bits) + bits(options[k].vcs, parameters_.vcs) +
             bits(options[k].out_port, bits_for(parameters_.ports)) + text;
    return std::string(answer_bits() - text.size(), '0') + text;
  }

  void fill_rows() {
    for (unsigned c = 0; c < asked_.size(); ++c)
      for (std::uint32_t field = 0; field < 1u << field_bits(); ++field) {
        rows_.push_back(answer_row(c, field));
        asked_[c].push_back(field);
      }
  }

  /// Random keys, each in the first way that has room for it; no more than half full.
  void hash_rows() {
    const unsigned index_bits = parameters_.table.index_bits;
    const std::size_t ways = 4, of_way = std::size_t{1} << index_bits;
    rows_.assign(ways * of_way, std::string(row_bits(), '0'));
    std::set<std::uint64_t> known;
    while (known.size() < ways * of_way / 2) {
      const unsigned c = below(static_cast<unsigned>(asked_.size()));
      const std::uint32_t field = below(1u << field_bits());
      const std::uint64_t key = std::uint64_t{c} << field_bits() | field;
      const std::string key_text = bits(key, key_bits());
      for (unsigned w = 0; w < ways && !known.count(key); ++w) {
        unsigned index = 0;  // a bit is turned left within its piece
        for (unsigned b = 0; b < key_bits(); ++b)
          index ^= static_cast<unsigned>(key >> b & 1u) << (b % index_bits + b / index_bits * w) % index_bits;
        std::string& row = rows_[w * of_way + index];
        if (row.find('1') != std::string::npos) continue;
        row = key_text + answer_row(c, field);
        known.insert(key);
        asked_[c].push_back(field);
      }
    }
  }

  rtl_parameters parameters_;
  unsigned seed_;
  std::mt19937 random_;
  std::vector<unsigned> classes_;                  ///< by input VC
  std::vector<std::vector<std::uint32_t>> asked_;  ///< {state, destination}, by class
  std::vector<std::string> rows_;                  ///< in binary
};

}  // namespace toriscope
