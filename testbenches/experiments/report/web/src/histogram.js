// SPDX-License-Identifier: Apache-2.0
// How long packets took: a panel for each traffic pattern, at a load that the reader chooses.
import {tip} from './dom.js';
import {Figure, axis, legend_of, title_height} from './figure.js';
import {saturation, shown_curves, topologies} from './model.js';
import {number} from './numbers.js';
import {glyph} from './series.js';
import {theme} from './theme.js';

export const max_curves = 8;
export const loads = [['lowest', 'lowest load'], ['half', 'half of saturation'], ['highest', 'highest stable load']];
export const chosen_load = {at: 'half'};

/** The measured point of a curve at the chosen load; undefined: none has a histogram. */
function point_of(curve) {
  const points = curve.points.filter(p => p.histogram && p.histogram.counts.length);
  if (chosen_load.at === 'lowest') return points[0];
  if (chosen_load.at === 'highest') return points.filter(p => p.stable).pop() ?? points[0];
  const half = (saturation(curve) ?? 0) / 2;
  return points.reduce((best, p) => !best || Math.abs(p.rate - half) < Math.abs(best.rate - half) ? p : best, undefined);
}

/** At most max_curves: of every network the one that saturates last, then the next of every network ... */
function chosen(all) {
  const ranks = new Map();
  for (const topology of topologies) {
    const own = all.filter(({curve}) => curve.topology === topology);
    own.sort((a, b) => (saturation(b.curve) ?? 0) - (saturation(a.curve) ?? 0)).forEach((one, rank) => ranks.set(one, rank));
  }
  const best = new Set([...all].sort((a, b) => ranks.get(a) - ranks.get(b)).slice(0, max_curves));
  return all.filter(one => best.has(one));
}

/** Steps: [latency, % of the packets per cycle of latency]. */
function steps(histogram) {
  const {first, bin_width: width, counts} = histogram;
  const all = counts.reduce((a, b) => a + b, 0) || 1;
  const rows = counts.map((n, i) => [first + i * width, 100 * n / all / width]);
  return [[first, 0], ...rows, [first + counts.length * width, 0]];
}

export const histogram_panel = (pattern, i) => new Figure({
  id: `histogram-${i}`, title: `Latencies under ${pattern} traffic`, height: 280, draw(colours, file) {
    const all = shown_curves(pattern).map(curve => ({curve, point: point_of(curve)})).filter(c => c.point);
    const drawn = chosen(all);
    if (!drawn.length) return null;
    this.note.textContent = all.length > max_curves ?
        `${max_curves} of ${
            all.length} curves, of every network those that saturate last: filter to see others.` :
        '';
    const calm = drawn.filter(d => d.point.stable); // beyond saturation latencies grow with the window
    const most = Math.max(...(calm.length ? calm : drawn).map(({point: p}) => 1.35 * (p.p99 ?? p.histogram.first + p.histogram.counts.length * p.histogram.bin_width)));
    const legend = file && legend_of(drawn.map(d => d.curve.series.label), colours);
    return {
      ...(legend || {}), height: 280 + (legend ? title_height + legend.rows * 18 : 0),
      grid: {left: 62, right: 22, top: 14 + (file ? title_height : 0), bottom: 50 + (legend ? 6 + legend.rows * 18 : 0)},
      xAxis: axis(colours, 'latency (cycles)', {min: 0, max: Math.ceil(most / 10) * 10}),
      yAxis: axis(colours, 'packets (% per cycle)', {nameGap: 42, min: 0}),
      series: drawn.map(({curve, point}) => ({
        type: 'line', step: 'end', name: curve.series.label, symbol: 'circle', symbolSize: 5, showSymbol: false, clip: true,
        lineStyle: {color: colours.curves[curve.series.colour], width: 1.5, type: curve.series.dash},
        itemStyle: {color: colours.curves[curve.series.colour]},
        areaStyle: drawn.length <= 4 ? {opacity: 0.12} : undefined, data: steps(point.histogram)})),
      tooltip: {trigger: 'axis', formatter(rows) {
        if (!rows.length) return '';
        return tip(`${number(rows[0].value[0])} cycles`, rows.map(({seriesIndex, value}) => {
          const {curve, point} = drawn[seriesIndex];
          return [`${curve.series.label} at ${number(point.rate)}`, `${number(value[1], 3)} % per cycle`];
        }), drawn.length === 1 ? glyph(drawn[0].curve.series, theme()) : null);
      }},
    };
  }});
