// SPDX-License-Identifier: Apache-2.0
// What the networks are built of, where that differs: results of unequal networks are no comparison without it.
import {h} from './dom.js';
import {curves, series} from './model.js';
import {listed, number, times} from './numbers.js';

const columns = [
  ['nodes', 'nodes', c => c.nodes],
  ['ports', 'ports per router', c => c.ports],
  ['links', 'links per node', c => c.links / c.nodes],
  ['bisection', 'links across the bisection', null],
  ['buffer_bits', 'buffer bits per router', c => c.buffer_bits],
  ['link_bits', 'bits per link', null],
  ['pins', 'pins per router', null],
  ['bisection_bits', 'bisection bits per terminal', c => c.bisection_bits / c.terminals],
  ['wire_bits', 'wire bits × node pitches per terminal', c => c.wire_bits == null ? null : c.wire_bits / c.terminals],
];
const heads = {
  links: 'links',
  bisection_bits: 'bits across the bisection',
  wire_bits: 'wire bits × node pitches'
};

/** The columns in which curves differ. */
const differing = all => columns.filter(([key]) => new Set(all.map(c => c.cost[key])).size > 1);

/** "hypercube:6 has 1.4 times the ports per router and 1.5 times the links of torus:8x8. "; nothing where they cost the same. */
export function cost_words(name, curve, other_name, other) {
  if (!curve.cost || !other?.cost) return '';
  const known = (value, ...costs) => value && costs.every(cost => value(cost) > 0); // of none there is no multiple
  const words = columns.filter(([, , value]) => known(value, curve.cost, other.cost) && value(curve.cost) !== value(other.cost))
    .map(([, words, value]) => `${times(value(curve.cost) / value(other.cost))} the ${words}`);
  return words.length ? `${name} has ${listed(words, 9)} of ${other_name}. ` : '';
}

/** A row for each network, or for each of its configurations where these differ; null: all cost the same. */
export function cost_table() {
  const known = curves.filter(c => c.cost);
  const shown = differing(known);
  if (!shown.length) return null;
  const drawn = columns.filter(column => column[0] !== 'link_bits' && column[0] !== 'pins' && column[0] !== 'bisection_bits' && column[0] !== 'wire_bits' || shown.includes(column));
  const cost_in_words = c => JSON.stringify(c.cost);
  const rows = new Map();
  for (const {topology, label} of series) {
    const own = known.filter(c => c.topology === topology);
    const mine = known.find(c => c.series.label === label);
    if (mine) rows.set(new Set(own.map(cost_in_words)).size > 1 ? label : topology, mine.cost);
  }
  return h('div', {class: 'card scroll', id: 'cost'}, h('table', {class: 'numbers'},
    h('caption', {}, 'What they are built of. They do not cost the same: compare results with these costs in mind.'),
    h('thead', {}, h('tr', {}, h('th', {scope: 'col'}, 'network'), drawn.map(([key, name]) => h('th', {scope: 'col'}, heads[key] ?? name)))),
    h('tbody', {}, [...rows].map(([name, cost]) => h('tr', {}, h('td', {}, name),
      drawn.map(([key]) => h('td', {}, typeof cost[key] === 'number' ? number(cost[key]) : cost[key] ?? '-')))))));
}
