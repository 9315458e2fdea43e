// SPDX-License-Identifier: Apache-2.0
#include "topologies/graphs/graphs.h"

#include <algorithm>
#include <numeric>

#include "topologies/graphs/simple_graph.h"

namespace toriscope {

namespace {

std::vector<unsigned> kautz_radices(unsigned d, unsigned k) {
  std::vector<unsigned> radices(k, d);
  radices.front() = d + 1;
  return radices;
}

/// The place of `letter` among the letters other than `before`, and back.
unsigned place_of(unsigned letter, unsigned before) { return letter > before ? letter - 1 : letter; }
unsigned letter_at(unsigned place, unsigned before) { return place >= before ? place + 1 : place; }

}  // namespace

std::shared_ptr<netlist> build_de_bruijn(unsigned d, unsigned k) {
  node_id first = 1;  // the weight of the first letter
  for (unsigned i = 1; i < k; ++i) first *= d;
  return build_simple_graph("debruijn", std::vector<unsigned>(k, d), [d, first](node_id node) {
    neighbour_list list;
    for (unsigned letter = 0; letter < d; ++letter)
      list.emplace_back("l" + std::to_string(letter), node % first * d + letter);
    for (unsigned letter = 0; letter < d; ++letter)
      list.emplace_back("r" + std::to_string(letter), node / d + letter * first);
    return list;
  });
}

node_id kautz_node(unsigned d, const std::vector<unsigned>& word) {
  node_id node = word[0];
  for (std::size_t i = 1; i < word.size(); ++i) node = node * d + place_of(word[i], word[i - 1]);
  return node;
}

std::vector<unsigned> kautz_word(unsigned d, unsigned k, node_id node) {
  std::vector<unsigned> word(k);
  for (unsigned i = k; i-- > 1; node /= d) word[i] = node % d;
  word[0] = node;
  for (unsigned i = 1; i < k; ++i) word[i] = letter_at(word[i], word[i - 1]);
  return word;
}

std::shared_ptr<netlist> build_kautz(unsigned d, unsigned k) {
  return build_simple_graph("kautz", kautz_radices(d, k), [d, k](node_id node) {
    const std::vector<unsigned> word = kautz_word(d, k, node);
    neighbour_list list;
    for (unsigned place = 0; place < d; ++place) {
      std::vector<unsigned> to(word.begin() + 1, word.end());
      to.push_back(letter_at(place, word.back()));
      list.emplace_back("l" + std::to_string(place), kautz_node(d, to));
    }
    for (unsigned place = 0; place < d; ++place) {
      std::vector<unsigned> to{letter_at(place, word.front())};
      to.insert(to.end(), word.begin(), word.end() - 1);
      list.emplace_back("r" + std::to_string(place), kautz_node(d, to));
    }
    return list;
  });
}

node_id star_node(const std::vector<unsigned>& permutation) {
  const auto n = static_cast<unsigned>(permutation.size());
  node_id node = 0;
  for (unsigned i = 0; i < n; ++i) {
    const auto smaller = std::count_if(permutation.begin() + i + 1, permutation.end(),
                                       [&](unsigned later) { return later < permutation[i]; });
    node = node * (n - i) + static_cast<node_id>(smaller);
  }
  return node;
}

std::vector<unsigned> star_permutation(unsigned n, node_id node) {
  std::vector<unsigned> rank(n);
  for (unsigned i = n; i-- > 0; node /= n - i) rank[i] = node % (n - i);
  std::vector<unsigned> unused(n);
  std::iota(unused.begin(), unused.end(), 0u);
  std::vector<unsigned> permutation;
  for (const unsigned r : rank) {
    permutation.push_back(unused[r]);
    unused.erase(unused.begin() + r);
  }
  return permutation;
}

std::shared_ptr<netlist> build_star(unsigned n) {
  std::vector<unsigned> radices;
  for (unsigned radix = n; radix >= 2; --radix) radices.push_back(radix);
  return build_simple_graph("star", radices, [n](node_id node) {
    std::vector<unsigned> permutation = star_permutation(n, node);
    neighbour_list list;
    for (unsigned i = 1; i < n; ++i) {
      std::swap(permutation[0], permutation[i]);
      list.emplace_back("s" + std::to_string(i + 1), star_node(permutation));
      std::swap(permutation[0], permutation[i]);
    }
    return list;
  });
}

std::shared_ptr<netlist> build_crossed_cube(unsigned n) {
  return build_simple_graph("crossed", std::vector<unsigned>(n, 2), [n](node_id node) {
    neighbour_list list;
    for (unsigned l = 0; l < n; ++l) {
      // Of a related pair 01-11 the odd bit changes where the even bit is 1.
      const node_id below = (node_id{1} << (l / 2 * 2)) - 1;
      const node_id crossed = (node & below & 0x55555555u) << 1;
      list.emplace_back("d" + std::to_string(l), node ^ (node_id{1} << l) ^ crossed);
    }
    return list;
  });
}

std::shared_ptr<netlist> build_midimew(unsigned nodes) {
  unsigned b = 1;
  while (2 * b * b < nodes) ++b;
  return build_simple_graph("midimew", {nodes}, [nodes, b](node_id node) {
    const auto at = [&](unsigned forth) { return (node + forth) % nodes; };
    return neighbour_list{
        {"a+", at(b - 1)}, {"a-", at(nodes - (b - 1))}, {"b+", at(b)}, {"b-", at(nodes - b)}};
  });
}

}  // namespace toriscope
