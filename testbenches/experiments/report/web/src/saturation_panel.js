// SPDX-License-Identifier: Apache-2.0
// The saturation throughput of every curve as a bar, a panel for each traffic pattern. The whisker ends at the smallest
// load found unstable.
import {tip} from './dom.js';
import {Figure, axis, title_height} from './figure.js';
import {is_saturated, saturation, shown_curves, unstable_at, zero_load} from './model.js';
import {number} from './numbers.js';
import {glyph} from './series.js';
import {theme} from './theme.js';

export function words_of(curve) {
  if (saturation(curve) === null)
    return curve.points.some(p => p.stable) ? `< ${number(unstable_at(curve), 3)}` : 'no stable load';
  return `${is_saturated(curve) ? '' : '≥ '}${number(saturation(curve), 3)}`;
}

function tip_of(curve) {
  const {series, summary} = curve;
  return tip(series.label, [
    ['saturation throughput', `${words_of(curve)} flits/node/cycle`],
    is_saturated(curve) && ['unstable at', `${number(unstable_at(curve))} flits/node/cycle`],
    summary.knee != null && ['knee (latency doubled)', `${number(summary.knee)} flits/node/cycle`],
    summary.latency_at_saturation != null && ['latency there', `${number(summary.latency_at_saturation)} cycles`],
    ['latency without load', `${number(zero_load(curve))} cycles`],
    summary.confidence != null && ['confidence', number(summary.confidence)],
  ], glyph(series, theme()));
}

/** Whiskers with the number behind them. */
function whiskers(curves, colours) {
  const data = curves.map((curve, row) => [saturation(curve) ?? 0, unstable_at(curve) ?? saturation(curve) ?? 0, row]);
  return {
    type: 'custom', silent: true, data, encode: {x: [0, 1], y: 2}, tooltip: {show: false}, z: 5,
    renderItem(params, api) {
      const [x1, y] = api.coord([api.value(0), api.value(2)]);
      const x2 = api.coord([api.value(1), api.value(2)])[0];
      const line = shape => ({type: 'line', shape, style: {stroke: colours.text, lineWidth: 1.3}});
      const label = {type: 'text', x: x2 + 6, y, style: {text: words_of(curves[params.dataIndex]), fill: colours.text, fontSize: 12,
                                                       verticalAlign: 'middle'}};
      const bracket = x2 > x1 ? [line({x1, y1: y, x2, y2: y}), line({x1: x2, y1: y - 4, x2, y2: y + 4})] : [];
      return {type: 'group', children: [...bracket, label]};
    },
  };
}

export const saturation_panel = (pattern, i) => new Figure({
  id: `saturation-${i}`, title: `Saturation under ${pattern} traffic`, draw(colours, file, width) {
    const curves = shown_curves(pattern);
    if (!curves.length) return null;
    const longest = Math.max(...curves.map(c => c.series.label.length));
    const left = Math.min(30 + 6.6 * longest, width * 0.42);
    return {
      height: 64 + 24 * curves.length + (file ? title_height : 0),
      grid: {left, right: 64, top: 8 + (file ? title_height : 0), bottom: 50},
      xAxis: axis(colours, 'saturation throughput (flits/node/cycle)', {min: 0, splitNumber: 4, max: ({max}) => max > 0.8 && max <= 1 ? 1 : null}),
      yAxis: {type: 'category', inverse: true, data: curves.map(c => c.series.label), axisTick: {show: false},
              axisLine: {lineStyle: {color: colours.axis}},
              axisLabel: {color: colours.text, fontSize: 12, width: left - 14, overflow: 'truncate', interval: 0}},
      series: [{type: 'bar', barMaxWidth: 15, data: curves.map(curve => ({value: saturation(curve) ?? 0,
                itemStyle: {color: colours.curves[curve.series.colour], borderRadius: [0, 3, 3, 0]}}))},
               whiskers(curves, colours)],
      tooltip: {trigger: 'item', formatter: ({dataIndex}) => tip_of(curves[dataIndex])},
    };
  }});
