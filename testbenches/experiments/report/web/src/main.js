// SPDX-License-Identifier: Apache-2.0
// The page, from top to bottom.
import {accepted_panel, latency_panel, load_axis, network_panels} from './curve_panel.js';
import {choice, h} from './dom.js';
import {chosen_cost, cost_choices, cost_panels} from './cost_panel.js';
import {figure_files} from './figure_files.js';
import {draw_figures, figures} from './figure.js';
import {filters} from './filters.js';
import {grid_class, many_curves} from './grid.js';
import {chosen_load, histogram_panel, loads} from './histogram.js';
import {link_map} from './link_map.js';
import {curves, patterns, report, series, topologies} from './model.js';
import {runs} from './runs.js';
import {saturation_panel} from './saturation_panel.js';
import {stall_panel} from './stall_panel.js';
import {summary, title} from './summary.js';
import {choose_theme, on_theme, watch_theme} from './theme.js';
import {verdicts} from './verdicts.js';

curves.forEach((curve, i) => { curve.index = i; });

function section(id, heading, note, controls, ...content) {
  return h('section', {id}, h('h2', {}, heading), note ? h('p', {class: 'note'}, note) : null,
    controls ? h('div', {class: 'controls'}, controls) : null, content);
}

const grid = panels => h('div', {class: grid_class()}, panels.map(panel => panel.element));

function charts() {
  if (!curves.length) return [];
  const latency = patterns.map(latency_panel);
  const apart = series.length > many_curves && topologies.length > 1 ? patterns.flatMap(network_panels) : [];
  const accepted = patterns.map(accepted_panel);
  const bars = patterns.map(saturation_panel);
  const by_cost = cost_choices.length ? cost_panels.flatMap(make => patterns.map(make)) : [];
  const histograms = curves.some(c => c.points.some(p => p.histogram)) ? patterns.map(histogram_panel) : [];
  const stalls = curves.some(c => c.observed?.stalls) ? stall_panel() : null;
  const links = link_map();
  const axis_choice = choice('Load axis', [['auto', 'as fits'], ['linear', 'linear'], ['log', 'logarithmic']], 'auto', kind => {
    load_axis.kind = kind;
    [...latency, ...apart, ...accepted].forEach(f => f.update());
  });
  const cost_choice = choice('Cost', cost_choices, chosen_cost.key, key => {
    chosen_cost.key = key;
    by_cost.forEach(f => f.update());
  });
  const load_choice = choice('At the', loads, chosen_load.at, at => {
    chosen_load.at = at;
    histograms.forEach(f => f.update());
  });
  return [
    section('latency', 'Latency and throughput', 'Mean latency from creation to the tail received, with its 95 % interval; '
      + 'a point without a bar is one whose interval is unknown. Hollow points are not stable: source queues grow. A line is cut between two loads '
      + 'where latency rises by more than half and the loads are farther apart than the tolerance of the sweep.', axis_choice, grid(latency), grid(accepted)),
    apart.length ? section('networks', 'Latency, network by network', null, null, grid(apart)) : null,
    section('saturation', 'Saturation', 'The largest load found stable; the whisker ends at the smallest one found unstable.', null, grid(bars)),
    by_cost.length ? section('by-cost', 'By cost', 'What networks carry and how fast they are, by what they are built of.', cost_choice,
      grid(by_cost)) : null,
    histograms.length ? section('histograms', 'How long packets took', null, load_choice, grid(histograms)) : null,
    links ? section('link-use', 'Use of the links', null, null, links) : null,
    stalls ? section('stall-reasons', 'Why flits waited', 'Every cycle of every flit at the front of an input buffer, by what became of it.',
      null, stalls.element) : null,
  ];
}

function header() {
  const themes = h('div', {class: 'themes', role: 'group', 'aria-label': 'Colours'}, ['auto', 'light', 'dark'].map(name =>
    h('button', {type: 'button', class: 'small', 'aria-pressed': String(name === 'auto'), onclick: event => {
      themes.querySelectorAll('button').forEach(b => b.setAttribute('aria-pressed', String(b === event.target)));
      choose_theme(name);
    }}, name)));
  return h('header', {class: 'page'}, h('div', {}, h('p', {class: 'brand'}, `toriscope ${report.toriscope}`), h('h1', {}, title())),
    h('div', {class: 'tools'}, themes, h('button', {type: 'button', class: 'small', onclick: () => window.print()}, 'Print')));
}

function footer() {
  return h('footer', {}, 'From ', report.sources.map((s, i) => [i ? ', ' : '', h('code', {}, s.name), ` (${s.kind})`]),
    '. Drawn with Apache ECharts (Apache-2.0).');
}

watch_theme();
document.title = `${title()} - toriscope`;
let summed_up = summary();
document.getElementById('report').replaceChildren(header(), summed_up, ...(curves.length ? [filters()] : []),
  ...[...charts(), verdicts(), curves.length ? runs() : null, footer()].filter(Boolean));
on_theme(() => { const fresh = summary(); summed_up.replaceWith(fresh); summed_up = fresh; });
draw_figures();

globalThis.toriscope_report = {figures}; // for whoever automates the page
performance.mark('toriscope-drawn');
document.documentElement.dataset.drawn = String(Math.round(performance.now()));
if (location.hash === '#figures') figure_files();
