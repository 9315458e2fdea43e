// SPDX-License-Identifier: Apache-2.0
// What a network carries, and how fast it is, by what it costs: a point for each curve, a panel for each traffic pattern.
import {tip} from './dom.js';
import {Figure, axis, legend_of, title_height} from './figure.js';
import {curves, saturation, shown_curves, zero_load} from './model.js';
import {number} from './numbers.js';
import {glyph} from './series.js';
import {words_of} from './saturation_panel.js';
import {theme} from './theme.js';

const per_terminal = key => c => c[key] == null ? null : c[key] / c.terminals;  // wires without a layout
const resources = [
  ['wire_bits', 'wires per terminal (bits × node pitches)', per_terminal('wire_bits')],
  ['bisection_bits', 'bits across the bisection per terminal', per_terminal('bisection_bits')],
  ['pins', 'pins of a router (bits of its links)', c => c.pins],
  ['buffer_bits', 'buffers (bits per terminal)', c => c.buffer_bits * c.nodes / c.terminals],
];
const differs = ([, , cost]) => new Set(curves.filter(c => c.cost).map(c => cost(c.cost))).size > 1;

/** Those in which networks differ, as a choice has them. */
export const cost_choices = resources.filter(differs).map(([key, words]) => [key, words]);
export const chosen_cost = {key: cost_choices[0]?.[0]};

const figures = {
  saturation: {title: 'Saturation by cost', name: 'saturation throughput (flits/node/cycle)', value: saturation},
  latency: {title: 'Latency by cost', name: 'latency without load (cycles)', value: zero_load},
};

const panel = what => (pattern, i) => new Figure({
  id: `cost-${what}-${i}`, title: `${figures[what].title} under ${pattern} traffic`, draw(colours, file) {
    const [, words, cost] = resources.find(([key]) => key === chosen_cost.key);
    const {name, value} = figures[what];
    const shown = shown_curves(pattern).filter(c => c.cost && cost(c.cost) != null && value(c) != null);
    if (!shown.length) return null;
    const legend = file ? legend_of(shown.map(c => c.series.label), colours) : {rows: 0};
    return {
      height: 320 + (file ? title_height + 24 * legend.rows : 0), legend: legend.legend && {...legend.legend, itemWidth: 12, itemHeight: 11},
      grid: {left: 64, right: 30, top: 14 + (file ? title_height : 0), bottom: 50 + 24 * legend.rows},
      xAxis: axis(colours, words, {min: 0}), yAxis: axis(colours, name, {min: 0, nameGap: 44}),
      series: shown.map(c => ({type: 'scatter', name: c.series.label, symbol: c.series.symbol, symbolSize: 11,
        itemStyle: {color: colours.curves[c.series.colour]}, data: [[cost(c.cost), value(c)]]})),
      tooltip: {trigger: 'item', formatter: ({seriesIndex}) => {
        const c = shown[seriesIndex];
        return tip(c.series.label, [[words, number(cost(c.cost))], ['saturation throughput', `${words_of(c)} flits/node/cycle`],
          ['latency without load', `${number(zero_load(c))} cycles`]], glyph(c.series, theme()));
      }},
    };
  }});

export const cost_panels = [panel('saturation'), panel('latency')];
