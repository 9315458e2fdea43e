// SPDX-License-Identifier: Apache-2.0
// Latency and accepted throughput against the load, a panel for each traffic pattern. Points of unstable loads are
// hollow; where a curve leaves the panel at the top, the network is saturated. Between two loads of which too little is
// known there is no line.
import {tip} from './dom.js';
import {Figure, axis, legend_of, title_height} from './figure.js';
import {many_curves} from './grid.js';
import {saturation, shown_curves, topologies, zero_load} from './model.js';
import {load_end, log_ticks, number, round_up} from './numbers.js';
import {glyph} from './series.js';
import {theme} from './theme.js';

/** Of the panels: 'auto', 'linear' or 'log'. */
export const load_axis = {kind: 'auto'};

const steepest_rise = 1.5; // of what a line may join; docs/sweeps.md, "joined"

/** Whether a line may join two neighbouring points of a curve. What is accepted is what is offered between stable loads. */
function joined(a, b, x, y, tolerance) {
  if (b[x] - a[x] <= tolerance * b[x]) return true;
  if (y === 'accepted' && (a.stable || b.stable)) return a.stable && b.stable;
  return b[y] <= steepest_rise * a[y];
}

/** The points, with null where no line may be. */
const with_gaps = (points, x, y, tolerance) =>
  points.flatMap((p, i) => i && !joined(points[i - 1], p, x, y, tolerance) ? [null, p] : [p]);

/** "28.9 .. 31.4": it is longer above the mean than below; or that it is not known. */
export const interval_words = point =>
  point.low == null ? 'unknown' : `${number(point.low, 3)} .. ${number(point.high, 3)}`;

/** All there is to say of a point. */
export function point_tip(curve, point) {
  return tip(curve.series.label, [
    ['load', `${number(point.rate)} flits/node/cycle`],
    ['offered, measured', `${number(point.offered)} flits/node/cycle`],
    ['accepted', `${number(point.accepted)} flits/node/cycle`],
    ['mean latency', `${number(point.mean)}${point.low == null ? '' : ` (${interval_words(point)})`} cycles`],
    point.low == null && ['95 % interval', 'unknown'],
    ['50 / 90 / 99 %', `${number(point.p50)} / ${number(point.p90)} / ${number(point.p99)} cycles`],
    point.hops != null && ['mean hops', `${number(point.hops)} links`],
    ['stable', `${point.stable ? 'yes' : 'no'}${point.runs > 1 ? ` (${point.stable_runs} of ${point.runs} seeds)` : ''}`],
    point.failure && ['failed', point.failure],
  ], glyph(curve.series, theme()));
}

/** Where the y axis ends: beyond all stable points, but at most five times the latency without load. */
function latency_end(curves) {
  const ends = curves.map(curve => {
    const stable = curve.points.filter(p => p.stable && p.mean != null).map(p => p.mean);
    const base = zero_load(curve) ?? Math.min(...curve.points.map(p => p.mean ?? Infinity));
    return Math.min(5 * base, 1.25 * Math.max(2 * base, ...stable));
  }).filter(Number.isFinite);
  return round_up(Math.max(...ends, 10));
}

/** Where the last curve leaves the panel, at its top or with its last point. */
function last_seen(points, x, y, most) {
  const out = points.findIndex(p => p[y] > most);
  if (out < 1) return points[out < 0 ? points.length - 1 : 0][x];
  const [a, b] = [points[out - 1], points[out]];
  return a[x] + (b[x] - a[x]) * (most - a[y]) / (b[y] - a[y]);
}

function load_axis_of(colours, name, log, xs, last) {
  if (!log) return axis(colours, name, {min: 0, max: load_end(last)});
  const ticks = log_ticks(Math.min(...xs), last);
  const plain = axis(colours, `${name}, logarithmic`);
  return {...plain, type: 'log', min: ticks[0], max: ticks.at(-1), axisTick: {...plain.axisTick, customValues: ticks},
          axisLabel: {...plain.axisLabel, customValues: ticks, formatter: v => number(v, 2)}};
}

function is_log(curves, x) {
  if (load_axis.kind !== 'auto') return load_axis.kind === 'log';
  const ends = curves.map(saturation).filter(v => v > 0);
  return x === 'rate' && ends.length > 1 && Math.max(...ends) > 6 * Math.min(...ends);
}

/** Error bars of all curves of a panel, as one series behind them. */
function error_bars(bars) {
  return {
    type: 'custom', name: 'errors', silent: true, clip: true, z: 1, data: bars.map(b => b.slice(0, 3)), tooltip: {show: false},
    renderItem(params, api) {
      const [x, low] = api.coord([api.value(0), api.value(1)]);
      const high = api.coord([api.value(0), api.value(2)])[1];
      const line = (x1, y1, x2, y2) => ({type: 'line', shape: {x1, y1, x2, y2},
        style: {stroke: bars[params.dataIndex][3], lineWidth: 1.2}});
      return {type: 'group', children: [line(x, low, x, high), line(x - 3, low, x + 3, low), line(x - 3, high, x + 3, high)]};
    },
  };
}

function line_of(curve, points, x, y, colours, crowded) {
  const colour = colours.curves[curve.series.colour];
  return {
    type: 'line', name: curve.series.label, symbol: curve.series.symbol, symbolSize: crowded ? 5 : 7, showAllSymbol: true, clip: true, z: 3,
    lineStyle: {color: colour, width: crowded ? 1.3 : 1.8, type: curve.series.dash}, itemStyle: {color: colour},
    emphasis: {focus: 'series', lineStyle: {width: 3}}, blur: {lineStyle: {opacity: 0.2}, itemStyle: {opacity: 0.2}},
    data: points.map(p => p ? {value: [p[x], p[y]],
      itemStyle: p.stable ? undefined : {color: colours.page, borderColor: colour, borderWidth: 1.3}} : '-'),
  };
}

/** @param x, y  names of the figures of a point; @param errors  whether y has an interval; @param topology  only this */
function panel(pattern, {id, title, x, y, x_name, y_name, errors, end, topology}) {
  return new Figure({id, title, height: 340, draw(colours, file) {
    const curves = shown_curves(pattern).filter(curve => (!topology || curve.topology === topology) && curve.points.some(p => p[x] != null && p[y] != null));
    if (!curves.length) return null;
    const log = is_log(curves, x);
    const drawn = curves.map(curve => curve.points.filter(p => p[x] != null && p[y] != null && !(log && p[x] <= 0)));
    const most = end(curves);
    const bars = errors ? drawn.flatMap((points, i) => points.filter(p => p.low != null && p.mean <= most)
      .map(p => [p[x], p.low, p.high, colours.curves[curves[i].series.colour]])) : [];
    const lines = drawn.map((points, i) => with_gaps(points, x, y, curves[i].summary.tolerance ?? 0));
    const xs = drawn.flat().map(p => p[x]);
    const last = Math.max(...drawn.filter(points => points.length).map(points => last_seen(points, x, y, most)));
    const legend = file && legend_of(curves.map(c => c.series.label), colours);
    const guide = {type: 'line', name: 'guide', silent: true, symbol: 'none', z: 0, tooltip: {show: false},
      lineStyle: {color: colours.axis, type: 'dotted', width: 1}, data: [[0, 0], [most, most]]};
    return {
      ...(legend || {}), height: 340 + (legend ? title_height + legend.rows * 18 : 0),
      grid: {left: 62, right: 22, top: 14 + (file ? title_height : 0), bottom: 50 + (legend ? 6 + legend.rows * 18 : 0)},
      xAxis: load_axis_of(colours, x_name, log, xs, last),
      yAxis: axis(colours, y_name, {nameGap: 42, min: 0, max: most}),
      series: [...curves.map((curve, i) => line_of(curve, lines[i], x, y, colours, curves.length > many_curves)), ...(bars.length ? [error_bars(bars)] : []),
               ...(errors || log ? [] : [guide])],
      tooltip: {trigger: 'item', formatter: ({seriesIndex, dataIndex}) => point_tip(curves[seriesIndex], lines[seriesIndex][dataIndex])},
    };
  }});
}

export const latency_panel = (pattern, i) => latencies(pattern, {id: `latency-${i}`, title: `Latency under ${pattern} traffic`});

/** Small multiples: a panel for each network under a pattern. */
export const network_panels = (pattern, i) => topologies.map((topology, t) => latencies(pattern, {
  id: `latency-${i}-${t}`, title: `${topology}: latency under ${pattern} traffic`, topology}));

const latencies = (pattern, what) => panel(pattern, {
  ...what, x: 'rate', y: 'mean', errors: true, end: latency_end,
  x_name: 'offered load (flits/node/cycle)', y_name: 'mean latency (cycles)'});

export const accepted_panel = (pattern, i) => panel(pattern, {
  id: `accepted-${i}`, title: `Accepted under ${pattern} traffic`, x: 'offered', y: 'accepted',
  end: curves => load_end(Math.max(...curves.flatMap(c => c.points.map(p => p.accepted ?? 0)))),
  x_name: 'offered, measured (flits/node/cycle)', y_name: 'accepted (flits/node/cycle)'});
