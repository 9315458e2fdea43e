// SPDX-License-Identifier: Apache-2.0
// The data of the page, and what of it is shown.
import {assign_series} from './series.js';

export const report = JSON.parse(document.getElementById('toriscope-data').textContent);
export const curves = report.curves;
export const series = assign_series(curves, report.sources);
export const patterns = [...new Set(curves.map(curve => curve.pattern))];
export const topologies = [...new Set(curves.map(curve => curve.topology))];

/** The parameters in which curves differ, with their values: [name, [words]]. */
export const parameters = Object.keys(curves[0]?.parameters ?? {})
  .map(name => [name, [...new Set(curves.map(curve => curve.parameters[name]))]]).filter(([, values]) => values.length > 1);

for (const curve of curves) curve.name = `${curve.series.label}, ${curve.pattern}`;

/** What is hidden. */
const hidden = {topology: new Set(), pattern: new Set(), series: new Set(), parameter: new Set()};
let wanted = '';
const listeners = [];

export const on_filter = f => listeners.push(f);
const changed = () => listeners.forEach(f => f());

export const is_hidden = (kind, value) => hidden[kind].has(value);

export function toggle(kind, value) {
  if (!hidden[kind].delete(value)) hidden[kind].add(value);
  changed();
}

/** Words that the name of a curve must contain. */
export function search(text) {
  wanted = text.trim().toLowerCase();
  changed();
}

export function show_all() {
  Object.values(hidden).forEach(set => set.clear());
  wanted = '';
  changed();
}

export const is_shown = curve =>
  !hidden.topology.has(curve.topology) && !hidden.pattern.has(curve.pattern) && !hidden.series.has(curve.series.label) &&
  !Object.entries(curve.parameters).some(([name, value]) => hidden.parameter.has(`${name}: ${value}`)) &&
  wanted.split(/\s+/).every(word => curve.name.toLowerCase().includes(word));

export const shown_curves = pattern =>
  curves.filter(curve => (pattern === undefined || curve.pattern === pattern) && is_shown(curve));

/** The smallest load found unstable; null: none. A sweep says it; of single runs it is that of their points. */
export const unstable_at = ({summary, points}) => 'saturation_upper' in summary ? summary.saturation_upper
  : points.reduce((least, p) => p.stable ? least : Math.min(least ?? p.rate, p.rate), null);

/** The largest stable load below every load that is not; null: the smallest load is not stable. As unstable_at(). */
export function saturation(curve) {
  if ('saturation_throughput' in curve.summary) return curve.summary.saturation_throughput;
  const end = unstable_at(curve) ?? Infinity;
  return curve.points.reduce((most, p) => p.stable && p.rate < end ? Math.max(most ?? p.rate, p.rate) : most, null);
}

/** Whether any load was too much: without one, saturation() is only a lower bound. */
export const is_saturated = curve => unstable_at(curve) !== null;

export const zero_load = curve => curve.summary.zero_load_latency ?? curve.points.find(p => p.zero != null)?.zero ?? null;
