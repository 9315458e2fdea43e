// SPDX-License-Identifier: Apache-2.0
// What was compared, and the result, in words.
import {cost_table, cost_words} from './cost.js';
import {h} from './dom.js';
import {curves, is_saturated, patterns, report, saturation, series, topologies, unstable_at, zero_load} from './model.js';
import {grid_class} from './grid.js';
import {count, listed, number, times_between} from './numbers.js';
import {glyph} from './series.js';
import {theme} from './theme.js';

const strong = text => h('strong', {}, text);

export function title() {
  if (!curves.length) return 'Printed numbers, reproduced';
  const networks = topologies.length > 4 ? `${topologies.length} networks` : listed(topologies);
  return `${networks} under ${patterns.length > 1 ? `${patterns.length} traffic patterns` : `${patterns[0]} traffic`}`;
}

function compared() {
  const runs = curves.reduce((sum, c) => sum + (c.summary.runs ?? c.points.length), 0);
  return h('p', {class: 'lead'}, 'Compared: ', strong(listed(topologies, 8)),
    ` under ${listed(patterns, 10)} traffic; ${count(curves.length, 'curve')}`
    + (series.length > topologies.length ? ` of ${series.length} configurations` : '') + `, ${count(runs, 'simulation')}. `, common());
}

/** What all curves have in common. */
function common() {
  const same = (section, key) => {
    const values = new Set(curves.map(c => JSON.stringify(c.config[section]?.[key])));
    return values.size === 1 ? curves[0].config[section]?.[key] : undefined;
  };
  const drawn = curves.every(({config: {traffic}}) => !traffic?.file && !traffic?.flows && traffic?.mode !== 'request_reply');
  const [vcs, depth, pipeline, length] = [same('router', 'vcs'), same('router', 'depth_flits'), same('router', 'pipeline'),
                                          drawn && same('traffic', 'packet_flits')];
  const words = [vcs && depth && `${vcs} VCs of ${depth} flits`, pipeline && `the pipeline ${pipeline}`, length && `packets of ${length} flit${length === '1' ? '' : 's'}`]
    .filter(Boolean);
  return words.length ? `All have ${listed(words)}.` : '';
}

/** Under a pattern, the curve of each network that saturates last, best first; named in full where it is one of several. */
function best_of_networks(pattern) {
  const known = curves.filter(c => c.pattern === pattern && saturation(c) > 0).sort((a, b) => saturation(b) - saturation(a));
  return known.filter((c, i) => known.findIndex(other => other.topology === c.topology) === i)
    .map(curve => ({curve, name: known.filter(c => c.topology === curve.topology).length > 1 ? curve.series.label : curve.topology}));
}

/** Where only one network is there: all its curves. */
function contestants(pattern) {
  if (topologies.length > 1) return best_of_networks(pattern);
  return curves.filter(c => c.pattern === pattern && saturation(c) > 0).sort((a, b) => saturation(b) - saturation(a))
    .map(curve => ({curve, name: curve.series.label}));
}

/** "1.9 to 2.1 times mesh:16x16 and at least 15 times ttn:2,2,0": each saturates between the largest load found stable
 * and the smallest found unstable. */
function against(best, all) {
  const others = all.filter(({curve}) => is_saturated(curve)); // of the others only a lower bound is known
  if (!others.length) return '';
  const shown = others.length > 3 ? [others[0], others.at(-1)] : others;
  const most = unstable_at(best.curve) ?? Infinity;
  return ': ' + listed(shown.map(({curve}) =>
    `${times_between(saturation(best.curve) / unstable_at(curve), most / saturation(curve))} `
      + (topologies.length > 1 ? curve.topology : curve.series.label)));
}

/** The main result under a pattern. */
export function result_of(pattern) {
  const all = contestants(pattern);
  const [best, ...rest] = all;
  if (!best) return ['The smallest load that was tried is not stable.'];
  const unstable = curves.filter(c => c.pattern === pattern && saturation(c) === null).map(c => c.series.label);
  const quick = curves.filter(c => c.pattern === pattern && zero_load(c) != null).sort((a, b) => zero_load(a) - zero_load(b))[0];
  const name_of = c => topologies.length > 1 ? c.topology : c.series.label;
  const tireless = all.filter(({curve}) => !is_saturated(curve));
  const flits = list => strong(`${listed([...new Set(list.map(({curve}) => number(saturation(curve), 3)))])} flits/node/cycle`);
  const ends = tireless.length
    ? [strong(listed(tireless.map(c => c.name))), ` ${tireless.length > 1 ? 'were' : 'was'} stable at all loads tried, up to `, flits(tireless)] : [];
  const leads = tireless.includes(best);
  return [
    ...(leads ? ends : [strong(best.name), ` saturates ${tireless.length ? '' : 'last, '}at `, flits([best])]),
    against(best, rest), '. ',
    ...(leads || !tireless.length ? [] : [...ends, '. ']),
    rest.length ? cost_words(best.name, best.curve, rest[0].name, rest[0].curve) : '',
    quick && rest.length ? `Without load ${name_of(quick)} has the lowest latency: ${number(zero_load(quick), 3)} cycles. ` : '',
    unstable.length ? `The smallest load that was tried is not stable for ${listed(unstable)}.` : '',
  ];
}

function card(pattern) {
  const known = contestants(pattern);
  const most = Math.max(...known.map(c => saturation(c.curve)), 1e-9);
  const bar = ({curve, name}) => h('li', {}, glyph(curve.series, theme()), h('span', {class: 'name', title: name}, name),
    h('span', {class: 'bar'}, h('i', {style: `width:${100 * saturation(curve) / most}%;background:${theme().curves[curve.series.colour]}`})),
    h('b', {}, number(saturation(curve), 3)));
  return h('article', {class: 'card result'}, h('h3', {}, pattern), h('p', {}, result_of(pattern)),
    h('ol', {'aria-label': 'saturation throughput, flits/node/cycle'}, known.slice(0, 8).map(bar)),
    known.length > 8 ? h('p', {class: 'note'}, `and ${known.length - 8} more below`) : null);
}

export function verdict_words() {
  const all = report.verdicts;
  const of = word => all.filter(v => v.verdict === word).length;
  const papers = new Set(all.map(v => v.paper)).size;
  return [`Of ${count(all.length, 'number')} and claims printed in ${count(papers, 'paper')} `, strong(`${of('reproduced')} are reproduced`),
    `, ${of('differs')} differ, and ${of('undetermined')} are not determined by the papers.`];
}

export function summary() {
  const failures = curves.filter(c => c.points.some(p => p.failure)).length;
  return h('section', {id: 'summary', 'aria-label': 'Summary'},
    curves.length ? compared() : null,
    report.verdicts.length ? h('p', {class: 'lead'}, verdict_words()) : null,
    failures ? h('p', {class: 'warning'}, `${count(failures, 'curve')} met a deadlock or a broken invariant: see the tables below.`) : null,
    report.notes.map(note => h('p', {class: 'warning'}, note)),
    curves.length ? cost_table() : null,
    curves.length ? h('div', {class: grid_class()}, patterns.map(card)) : null);
}
