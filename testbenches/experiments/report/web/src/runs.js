// SPDX-License-Identifier: Apache-2.0
// Every curve in numbers: what it is, the command that gives it, its configuration and its points.
import {interval_words} from './curve_panel.js';
import {copy_button, h} from './dom.js';
import {curves, is_saturated, is_shown, on_filter, saturation, zero_load} from './model.js';
import {number} from './numbers.js';
import {glyph} from './series.js';
import {on_theme, theme} from './theme.js';

const columns = [
  ['load', p => number(p.rate)], ['offered', p => number(p.offered)], ['accepted', p => number(p.accepted)],
  ['latency', p => number(p.mean)], ['95 % interval', interval_words], ['50 %', p => number(p.p50)], ['90 %', p => number(p.p90)],
  ['99 %', p => number(p.p99)], ['max', p => number(p.max)], ['hops', p => number(p.hops)], ['busiest link', p => number(p.link_max, 3)],
  ['stable', p => p.failure ?? (p.stable ? 'yes' : 'no')],
];

function points_table(curve) {
  return h('div', {class: 'scroll'}, h('table', {class: 'numbers'},
    h('caption', {}, 'Loads in flits/node/cycle, latencies in cycles, the busiest link in flits/cycle.'),
    h('thead', {}, h('tr', {}, columns.map(([name]) => h('th', {scope: 'col'}, name)), h('th', {}, ''))),
    h('tbody', {}, curve.points.map(p => h('tr', {}, columns.map(([, value]) => h('td', {}, value(p))),
      h('td', {}, p.command ? copy_button(p.command, 'Copy command') : null))))));
}

function config_tree(curve) {
  const text = JSON.stringify(curve.config, null, 1);
  return h('div', {class: 'config'}, copy_button(text, 'Copy configuration'),
    h('div', {class: 'sections'}, Object.entries(curve.config).map(([section, values]) => h('dl', {}, h('dt', {}, section),
      Object.entries(values !== null && typeof values === 'object' ? values : {'': values}).map(([key, value]) =>
        h('dd', {}, h('span', {}, key), h('code', {}, typeof value === 'string' ? value || '–' : JSON.stringify(value))))))));
}

function entry(curve) {
  const face = h('span', {class: 'face'});
  const paint = () => face.replaceChildren(glyph(curve.series, theme()));
  on_theme(paint);
  paint();
  const body = h('div', {class: 'body'});
  const element = h('details', {class: 'card run', 'data-curve': curve.index, ontoggle: () => {
    if (element.open && !body.childElementCount) body.append(points_table(curve), config_tree(curve));
  }}, h('summary', {}, face, h('strong', {}, curve.series.label), h('span', {}, curve.pattern),
    h('span', {class: 'figures'}, `saturation ${is_saturated(curve) || saturation(curve) === null ? '' : '≥ '}${number(saturation(curve), 3)}`,
      h('span', {}, `knee ${number(curve.summary.knee, 3)}`),
      h('span', {}, `zero load ${number(zero_load(curve), 3)} cycles`))),
    body);
  const command = curve.command ? h('div', {class: 'command'}, h('code', {}, curve.command), copy_button(curve.command)) : null;
  return h('div', {class: 'run-entry'}, element, command);
}

export function runs() {
  const entries = curves.map(entry);
  on_filter(() => curves.forEach((curve, i) => { entries[i].hidden = !is_shown(curve); }));
  return h('section', {id: 'runs'}, h('h2', {}, 'Configurations and commands'), entries);
}
