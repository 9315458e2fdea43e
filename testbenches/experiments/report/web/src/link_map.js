// SPDX-License-Identifier: Apache-2.0
// Use of every link on the network's layout: modules in frames, the two directions of a wire side by side (traffic
// keeps to the right), colour and width by busy, the share of the cycles in which a link is in use.
import {choice, h, tip} from './dom.js';
import {Figure, title_height} from './figure.js';
import {curves, is_shown, on_filter, report} from './model.js';
import {number} from './numbers.js';

const margin = {left: 12, right: 112, top: 12, bottom: 12};
export const observed = curves.filter(curve => curve.observed?.links);
let current = observed[0];
/** Share of the cycles in which each link is in use; of files without it flits per cycle. */
const busy_of = curve => curve.observed.busy ?? curve.observed.links;

/** From the layout: flat lists, as the program writes them. */
function link_at(net, i) {
  const [from, to] = [net.from[i], net.to[i]];
  return {from: net.nodes[from], to: net.nodes[to], bend: net.bends[i], level: net.levels[i],
          name: `${net.names[from]} ${net.ports[net.port[i]]} → ${net.names[to]}`};
}

/** The way of a link in units of the layout, beside its middle line and clear of the nodes' circles. */
function lane([x1, y1], [x2, y2], bend) {
  const length = Math.hypot(x2 - x1, y2 - y1) || 1;
  const aside = [-(y2 - y1) / length * 2.4, (x2 - x1) / length * 2.4];
  const clear = Math.min(6, length / 4);
  const start = bend ?? [x2, y2];
  const stop = bend ?? [x1, y1];
  const toward = (a, b, by) => { const d = Math.hypot(b[0] - a[0], b[1] - a[1]) || 1;
    return [a[0] + (b[0] - a[0]) * by / d + aside[0], a[1] + (b[1] - a[1]) * by / d + aside[1]]; };
  return {p: toward([x1, y1], start, clear), q: toward([x2, y2], stop, clear),
          control: bend && [bend[0] + aside[0], bend[1] + aside[1]]};
}

function frames(net, colours) {
  return {type: 'custom', silent: true, z: 1, tooltip: {show: false}, data: net.frames,
    renderItem(params, api) {
      const [x, y] = api.coord([api.value(0), api.value(1)]);
      const [width, height] = api.size([api.value(2), api.value(3)]).map(Math.abs);
      return {type: 'rect', shape: {x, y, width, height, r: 5},
        style: {fill: api.value(4) ? colours.inner_frame : colours.frame, stroke: colours.frame_line, lineWidth: 1}};
    }};
}

function links(net, use, most) {
  const data = use.map((u, i) => { const {from, to} = link_at(net, i); return [from[0], from[1], to[0], to[1], u ?? 0]; });
  return {type: 'custom', name: 'links', z: 2, data, encode: {x: [0, 2], y: [1, 3]}, dimensions: ['x1', 'y1', 'x2', 'y2', 'use'],
    renderItem(params, api) {
      const {from, to, bend} = link_at(net, params.dataIndex);
      const way = lane(from, to, bend);
      const [x1, y1] = api.coord(way.p);
      const [x2, y2] = api.coord(way.q);
      const [cx, cy] = way.control ? api.coord(way.control) : [];
      const scale = Math.abs(api.size([30, 0])[0]) / 30;
      return {type: way.control ? 'bezierCurve' : 'line',
        shape: way.control ? {x1, y1, x2, y2, cpx1: cx, cpy1: cy} : {x1, y1, x2, y2},
        style: {stroke: api.visual('color'), lineWidth: Math.min(scale, 1.4) * (1.1 + 2.4 * api.value(4) / most), fill: 'none'},
        emphasis: {style: {lineWidth: Math.min(scale, 1.4) * 6}}};
    }};
}

function nodes(net, colours) {
  return {type: 'custom', name: 'nodes', z: 3, data: net.nodes,
    renderItem(params, api) {
      const [cx, cy] = api.coord([api.value(0), api.value(1)]);
      return {type: 'circle', shape: {cx, cy, r: Math.min(7, Math.abs(api.size([4.4, 0])[0]))},
        style: {fill: colours.node, stroke: colours.node_line, lineWidth: 1}};
    }};
}

/** Of every level: links, mean and largest busy share. */
export function by_level(net, use) {
  const levels = new Map();
  use.forEach((u, i) => {
    const row = levels.get(net.levels[i]) ?? {links: 0, sum: 0, most: 0};
    levels.set(net.levels[i], {links: row.links + 1, sum: row.sum + u, most: Math.max(row.most, u)});
  });
  return [...levels].sort((a, b) => a[0] - b[0]).map(([level, r]) => ({level, links: r.links, mean: r.sum / r.links, most: r.most}));
}

function level_table(net, use) {
  const row = (kind, cells) => h('tr', {}, cells.map(cell => h(kind, {}, String(cell))));
  return h('table', {class: 'numbers'}, h('thead', {}, row('th', ['Level', 'Links', 'Mean busy', 'Busiest'])),
    h('tbody', {}, by_level(net, use).map(r => row('td', [r.level, r.links, number(r.mean, 3), number(r.most, 3)]))));
}

function draw_links(curve, colours, file, width) {
  const net = report.networks[curve.observed.network];
  const use = busy_of(curve);
  const ports = curve.observed;
  const most = Math.max(...use, 1e-9);
  const pad = 30; // arcs pass outside of the outermost nodes
  const [w, height_units] = [net.width + 2 * pad, net.height + 2 * pad];
  const inner = Math.min(width - margin.left - margin.right, 1.7 * w, 760 * w / height_units);
  const height = inner * height_units / w;
  const top = margin.top + (file ? title_height : 0);
  const left = margin.left + (width - margin.left - margin.right - inner) / 2;
  const hidden_axis = (min, max, inverse) => ({type: 'value', min, max, inverse, show: false});
  return {
    height: height + margin.top + margin.bottom + (file ? title_height : 0),
    grid: {left, top, width: inner, height, outerBoundsMode: 'none'},
    xAxis: hidden_axis(-pad, net.width + pad, false), yAxis: hidden_axis(-pad, net.height + pad, true),
    visualMap: {type: 'continuous', calculable: true, min: 0, max: Number(most.toPrecision(3)), dimension: 4, seriesIndex: 1, precision: 3,
                right: 4, top: 'middle', itemHeight: Math.min(180, height * 0.7), itemWidth: 14, inRange: {color: colours.links},
                outOfRange: {color: [colours.grid]}, text: [ports.busy ? 'busy' : 'flits/cycle', ''], textStyle: {color: colours.text, fontSize: 11}},
    series: [frames(net, colours), links(net, use, most), nodes(net, colours)],
    tooltip: {trigger: 'item', formatter({seriesIndex, dataIndex}) {
      if (seriesIndex === 2) return tip(`node ${net.names[dataIndex]}`, ['injection', 'ejection'].map(kind =>
        ports[kind]?.[dataIndex] != null && [`${kind} port busy`, number(ports[kind][dataIndex])]));
      const link = link_at(net, dataIndex);
      return tip(link.name, [...(ports.busy ? [['busy', number(use[dataIndex])]] : []),
        ['utilisation', `${number(ports.links[dataIndex])} flits/cycle`], ['level', link.level]]);
    }},
  };
}

/** The map with its choice of a curve; null when nothing was observed. */
export function link_map() {
  if (!observed.length) return null;
  const controls = h('div', {class: 'controls'});
  const figure = new Figure({id: 'links', title: 'Use of the links', draw(colours, file, width) {
    const shown = observed.filter(is_shown);
    if (!shown.includes(current)) current = shown[0];
    if (!current) return null;
    const net = report.networks[current.observed.network];
    this.note.replaceChildren(h('p', {}, `${current.name} at ${number(current.observed.rate)} flits/node/cycle. Of the two lines between `
      + 'a pair of nodes each carries the traffic that has it on its right-hand side. Drag the ends of the colour scale to see '
      + 'only the busy links.'), level_table(net, busy_of(current)));
    return draw_links(current, colours, file, width);
  }});
  figure.file_title = () => `Use of the links: ${current.name} at ${number(current.observed.rate)} flits/node/cycle`;
  figure.each_file = function* () { // a file for every curve
    const before = current;
    for (current of observed.filter(is_shown)) yield `links-${current.index}`;
    current = before;
  };
  const list_choices = () => controls.replaceChildren(choice('Curve', observed.filter(is_shown).map(c => [String(c.index), c.name]),
    String(current?.index), value => { current = curves[value]; figure.update(); }));
  on_filter(list_choices);
  list_choices();
  return [controls, figure.element];
}
