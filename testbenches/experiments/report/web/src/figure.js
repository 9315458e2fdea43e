// SPDX-License-Identifier: Apache-2.0
// A chart with its title, its keyboard, and its files. Charts are drawn as SVG, so that they print well.
//
//   draw(colours, file)  returns the chart's options, or null when there is nothing to show. `file` is set when the
//                        chart goes into a file of its own: it then needs a legend (legend_of) for the page is not there
import {h} from './dom.js';
import {echarts} from './echarts.js';
import {on_filter} from './model.js';
import {on_theme, paper_theme, theme} from './theme.js';

export const figures = [];
const file_width = 860;
/** What a chart in a file leaves free at its top. */
export const title_height = 36;
const font = 'system-ui, "Segoe UI", Helvetica, Arial, sans-serif';

/** What all charts have in common. The chart's height is none of the library's options: it would be the grid's. */
function framed({height, ...options}, colours, title) {
  return {
    backgroundColor: title ? colours.page : 'transparent',
    textStyle: {fontFamily: font, color: colours.text},
    animation: false,
    ...options,
    title: title ? {text: title, left: 'center', top: 8, textStyle: {fontSize: 15, fontWeight: 600, color: colours.text}}
                 : undefined,
    tooltip: options.tooltip && {
      backgroundColor: colours.page, borderColor: colours.frame_line, textStyle: {color: colours.text, fontSize: 12},
      confine: true, appendTo: 'body', transitionDuration: 0, ...options.tooltip},
  };
}

/** An axis with a name in the middle and quiet lines. */
export function axis(colours, name, more = {}) {
  return {
    name, nameLocation: 'middle', nameGap: 30, type: 'value',
    nameTextStyle: {color: colours.muted, fontSize: 12}, axisLabel: {color: colours.muted, fontSize: 11, hideOverlap: true},
    axisLine: {show: true, lineStyle: {color: colours.axis}}, axisTick: {show: true, lineStyle: {color: colours.axis}},
    splitLine: {lineStyle: {color: colours.grid}}, ...more,
  };
}

/** For files: below the chart, two in a row. */
export function legend_of(names, colours) {
  return {
    rows: Math.ceil(names.length / 2),
    legend: {bottom: 6, left: 30, right: 30, data: names, itemWidth: 34, itemHeight: 9, itemGap: 8,
             textStyle: {color: colours.text, fontSize: 11, width: 340, overflow: 'truncate'}},
  };
}

export class Figure {
  constructor({id, title, height = 320, note, draw}) {
    Object.assign(this, {id, title, height, draw});
    this.holder = h('div', {class: 'chart', tabindex: '0', role: 'img', 'aria-label': title, onkeydown: e => this.step(e)});
    this.note = h('figcaption', {}, note ?? '');
    const button = (kind, what) => h('button', {class: 'small', type: 'button', 'aria-label': `${what} of: ${title}`,
      title: `Download as ${kind.toUpperCase()}`, onclick: () => this.download(kind)}, kind.toUpperCase());
    this.element = h('figure', {class: 'card', id}, h('header', {}, h('h3', {}, title),
      h('span', {class: 'tools'}, button('svg', 'SVG'), button('png', 'PNG'))), this.holder, this.note);
    figures.push(this);
    on_filter(() => this.update());
    on_theme(() => this.update());
  }

  /** @param width  of the chart's place in the page, which is costly to ask for while the page changes */
  update(width = this.holder.clientWidth || this.element.parentElement.clientWidth) {
    const options = this.draw(theme(), false, width);
    this.element.hidden = !options;
    if (!options) return;
    const height = options.height ?? this.height;
    this.holder.style.height = `${height}px`;
    if (!this.chart) {
      this.chart = echarts.init(this.holder, null, {renderer: 'svg', width, height});
      new ResizeObserver(() => {
        if (this.holder.clientWidth && this.holder.clientWidth !== this.chart.getWidth()) this.update();
      }).observe(this.holder);
    } else if (this.chart.getWidth() !== width || this.chart.getHeight() !== height) {
      this.chart.resize({width, height});
    }
    this.chart.setOption(framed(options, theme()), {notMerge: true});
    this.position = undefined;
  }

  /** Arrow keys go from point to point (left, right) and from curve to curve (up, down); their numbers are shown. */
  step(event) {
    const move = {ArrowRight: [0, 1], ArrowLeft: [0, -1], ArrowDown: [1, 0], ArrowUp: [-1, 0]}[event.key];
    const points = s => s.silent ? [] : s.data.map((_, i) => i).filter(i => s.data[i] !== '-'); // not where a line is cut
    const all = (this.chart?.getOption().series ?? []).map((s, i) => ({i, points: points(s)})).filter(s => s.points.length);
    if (!move || !all.length) return;
    event.preventDefault();
    let [row, column] = this.position ?? [0, -1];
    row = (row + move[0] + all.length) % all.length;
    column = Math.min(Math.max(column + move[1], 0), all[row].points.length - 1);
    this.position = [row, column];
    this.chart.dispatchAction({type: 'showTip', seriesIndex: all[row].i, dataIndex: all[row].points[column]});
  }

  /** The chart by itself: {svg: text} or {png: data URL}; null when there is nothing to show. */
  file(kind) {
    const options = this.draw(paper_theme, true, file_width);
    if (!options) return null; // its height has room for the title, title_height
    const place = kind === 'png' ? h('div') : null;
    const chart = echarts.init(place, null, {renderer: kind === 'png' ? 'canvas' : 'svg', ssr: kind === 'svg',
      width: file_width, height: options.height ?? this.height, devicePixelRatio: 2});
    chart.setOption(framed(options, paper_theme, this.file_title?.() ?? this.title));
    const made = kind === 'png' ? chart.getDataURL({type: 'png', pixelRatio: 2}) : chart.renderToSVGString();
    chart.dispose();
    return made;
  }

  download(kind) {
    const made = this.file(kind);
    const link = h('a', {download: `${this.id}.${kind}`,
      href: kind === 'png' ? made : URL.createObjectURL(new Blob([made], {type: 'image/svg+xml'}))});
    link.click();
  }
}

/** Draws all of them, at the widths of an empty page. */
export function draw_figures() {
  const widths = figures.map(figure => figure.holder.clientWidth);
  figures.forEach((figure, i) => figure.update(widths[i]));
}
