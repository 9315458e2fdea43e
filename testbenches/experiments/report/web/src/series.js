// SPDX-License-Identifier: Apache-2.0
// A series is a curve without its traffic: the same network and router under several patterns. It has a name
// that says no more than what differs, and one look - colour, dashes, symbol - everywhere in the report.
import {svg} from './dom.js';

const dashes = ['solid', [8, 4], [2, 3], [10, 3, 2, 3], [16, 4]];
const symbols = ['circle', 'rect', 'triangle', 'diamond', 'path://M0 0L10 0L5 9z',
                 'path://M3 0h4v3h3v4h-3v3h-4v-3h-3v-4h3z'];
const not_of_series = new Set(['topology.spec', 'traffic.pattern']);

function flat(tree, path = '', into = {}) {
  for (const [key, value] of Object.entries(tree)) {
    const name = path ? `${path}.${key}` : key;
    if (value !== null && typeof value === 'object' && !Array.isArray(value)) flat(value, name, into);
    else into[name] = Array.isArray(value) ? value.join(',') : String(value);
  }
  return into;
}

/** Paths of the configuration that differ between curves of one topology. */
function differing_paths(curves, configs) {
  const first = new Map();
  const found = new Set();
  curves.forEach((curve, i) => {
    const seen = first.get(curve.topology);
    if (!seen) return first.set(curve.topology, configs[i]);
    for (const path of new Set([...Object.keys(seen), ...Object.keys(configs[i])]))
      if (seen[path] !== configs[i][path] && !not_of_series.has(path)) found.add(path);
  });
  return Object.keys(configs[0] ?? {}).filter(path => found.delete(path)).concat(...found);
}

const key_of = path => path.split('.').pop().replace(/_(flits|cycles|bits)$/, '').replaceAll('_', ' ');

function words_of(path, value) {
  const key = key_of(path);
  if (value === undefined || value === '') return `no ${key}`;
  if (key === 'vcs') return `${value} VCs`;
  return /^[\d.,]+$|^(true|false)$|:/.test(value) ? `${key} ${value}` : value;
}

/** Gives every curve its series; returns these in order of appearance. */
export function assign_series(curves, sources) {
  const configs = curves.map(curve => flat(curve.config));
  const paths = differing_paths(curves, configs);
  const all = new Map();
  const taken = new Set();
  curves.forEach((curve, i) => {
    const parts = paths.map(path => words_of(path, configs[i][path]));
    curve.parameters = Object.fromEntries(paths.map((path, n) => [key_of(path), parts[n]]));
    const plain = [curve.topology, ...parts].join(' · ');
    // The same configuration from two places, or twice: told apart by where it stands.
    let label = plain;
    if (taken.has(`${label}\n${curve.pattern}`)) label = `${plain} · ${sources[curve.source].name}`;
    for (let n = 2; taken.has(`${label}\n${curve.pattern}`); ++n) label = `${plain} · ${n}`;
    taken.add(`${label}\n${curve.pattern}`);
    if (!all.has(label)) all.set(label, {label, topology: curve.topology});
    curve.series = all.get(label);
  });
  const series = [...all.values()];
  give_looks(series);
  return series;
}

/** Up to eight: a colour each. More: a colour for each topology, dashes and symbols within. */
function give_looks(series) {
  const topologies = [...new Set(series.map(s => s.topology))];
  const members = new Map();
  series.forEach((s, i) => {
    const t = topologies.indexOf(s.topology);
    const nth = members.get(s.topology) ?? Math.floor(t / 8);
    members.set(s.topology, nth + 1);
    const few = series.length <= 8;
    s.colour = (few ? i : t) % 8;
    s.dash = dashes[(few ? i : nth) % dashes.length];
    s.symbol = symbols[(few ? i : nth + t) % symbols.length];
  });
}

const outlines = {
  circle: 'M5 0a5 5 0 1 0 .01 0z', rect: 'M0.5 0.5h9v9h-9z', triangle: 'M5 0L10 9.5H0z', diamond: 'M5 0L10 5L5 10L0 5z',
};

/** A line with its symbol, for legends. */
export function glyph(series, colours) {
  const colour = colours.curves[series.colour];
  const outline = outlines[series.symbol] ?? series.symbol.replace('path://', '');
  return svg('svg', {class: 'glyph', viewBox: '0 0 34 12', width: 34, height: 12, 'aria-hidden': 'true'},
    svg('path', {d: 'M0 6H34', stroke: colour, 'stroke-width': 2,
                 'stroke-dasharray': series.dash === 'solid' ? null : series.dash.join(' ')}),
    svg('path', {d: outline, fill: colour, transform: 'translate(12.5 1.5) scale(.9)'}));
}
