// SPDX-License-Identifier: Apache-2.0
// What became of the flits at the front of input VCs: the reasons why they waited (docs/observation.md).
import {tip} from './dom.js';
import {Figure, axis, title_height} from './figure.js';
import {shown_curves} from './model.js';
import {number} from './numbers.js';

const reasons = [
  ['moved', 'went on'],
  ['pipeline', 'on its way through the stages of an empty router'],
  ['no_output_vc', 'no output VC was free'],
  ['lost_vc_allocation', 'another got the output VC'],
  ['no_credit', 'no free slot downstream'],
  ['lost_switch', 'another got the switch'],
  ['link_busy', 'the port was still sending the flit before'],
  ['output_buffer', 'the buffer of the output VC was not empty'],
  ['discarded', 'dropped at a dead link'],
];

export const stall_panel = () => new Figure({
  id: 'stalls', title: 'What the flits in front were doing', draw(colours, file, width) {
    const curves = shown_curves().filter(curve => curve.observed?.stalls?.front_cycles > 0);
    if (!curves.length) return null;
    const share = (curve, reason) => 100 * (curve.observed.stalls[reason] ?? 0) / curve.observed.stalls.front_cycles;
    const used = reasons.filter(([reason]) => curves.some(curve => share(curve, reason) >= 0.05));
    const left = Math.min(40 + 6.6 * Math.max(...curves.map(c => c.name.length + 7)), width * 0.5);
    return {
      height: 110 + 26 * curves.length + (file ? title_height : 0),
      grid: {left, right: 30, top: 40 + (file ? title_height : 0), bottom: 50},
      legend: {top: 4 + (file ? title_height : 0), left: 'center', data: used.map(([reason]) => reason.replaceAll('_', ' ')), itemWidth: 18, itemHeight: 12,
               textStyle: {color: colours.text, fontSize: 12}},
      aria: {enabled: true, decal: {show: true, decals: [
        {symbol: 'none'}, {symbol: 'none'}, ...[0, Math.PI / 4, -Math.PI / 4, Math.PI / 2, 0.3].map(rotation => (
          {color: 'rgba(255,255,255,.35)', dashArrayX: [1, 0], dashArrayY: [2, 5], rotation}))]}},
      xAxis: axis(colours, 'share of the cycles with a flit in front (%)', {min: 0, max: 100}),
      yAxis: {type: 'category', inverse: true, data: curves.map(c => `${c.name}, ${number(c.observed.rate, 3)}`), axisTick: {show: false},
              axisLine: {lineStyle: {color: colours.axis}},
              axisLabel: {color: colours.text, fontSize: 12, width: left - 14, overflow: 'truncate', interval: 0}},
      series: used.map(([reason]) => ({
        type: 'bar', stack: 'all', name: reason.replaceAll('_', ' '), barMaxWidth: 16,
        itemStyle: {color: colours.reasons[reasons.findIndex(r => r[0] === reason)]}, data: curves.map(curve => share(curve, reason))})),
      tooltip: {trigger: 'item', formatter({seriesIndex, dataIndex}) {
        const [reason, words] = used[seriesIndex];
        return tip(`${reason.replaceAll('_', ' ')}: ${words}`, [
          ['curve', curves[dataIndex].name],
          ['share', `${number(share(curves[dataIndex], reason), 3)} %`],
          ['cycles', number(curves[dataIndex].observed.stalls[reason])],
          ['at load', `${number(curves[dataIndex].observed.rate)} flits/node/cycle`]]);
      }},
    };
  }});
