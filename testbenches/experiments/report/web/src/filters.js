// SPDX-License-Identifier: Apache-2.0
// What is shown: networks, patterns, and the series, which is at the same time the legend of all charts.
import {h} from './dom.js';
import {curves, is_hidden, on_filter, parameters, patterns, search, series, show_all, shown_curves, toggle, topologies} from './model.js';
import {many_curves} from './grid.js';
import {glyph} from './series.js';
import {on_theme, theme} from './theme.js';

function chips(kind, values, face = value => [value]) {
  const buttons = values.map(value => h('button', {type: 'button', class: 'chip', 'data-kind': kind, 'data-value': value,
    'aria-pressed': 'true', onclick: () => toggle(kind, value)}, face(value)));
  on_filter(() => values.forEach((value, i) => buttons[i].setAttribute('aria-pressed', String(!is_hidden(kind, value)))));
  return buttons;
}

function row(name, content) {
  return h('div', {class: 'filter', role: 'group', 'aria-label': `Show by ${name}`}, h('span', {class: 'filter-name'}, name),
    h('div', {class: 'chips'}, content));
}

export function filters() {
  const faces = new Map();
  const legend = chips('series', series.map(s => s.label), label => {
    const face = h('span', {class: 'face'});
    faces.set(label, face);
    return [face, h('span', {}, label)];
  });
  const paint = () => series.forEach(s => faces.get(s.label).replaceChildren(glyph(s, theme())));
  on_theme(paint);
  paint();

  const input = h('input', {type: 'search', placeholder: 'words of a curve', 'aria-label': 'Show curves with these words', oninput: () => search(input.value)});
  const shown = h('span', {class: 'note', role: 'status'});
  const reset = h('button', {type: 'button', class: 'small', onclick: () => { input.value = ''; show_all(); }}, 'Show all');
  const tell = () => { shown.textContent = `${shown_curves().length} of ${curves.length} curves`; };
  on_filter(tell);
  tell();

  return h('nav', {id: 'filters', class: series.length > many_curves ? 'many' : null, 'aria-label': 'Filters and legend'},
    topologies.length > 1 && series.length > topologies.length ? row('network', chips('topology', topologies)) : null,
    patterns.length > 1 ? row('traffic', chips('pattern', patterns)) : null,
    parameters.filter(([, values]) => values.length < series.length).map(([name, values]) =>
      row(name, chips('parameter', values.map(value => `${name}: ${value}`), value => [value.slice(name.length + 2)]))),
    row('curves', legend),
    h('div', {class: 'filter-end'}, input, reset, shown));
}
