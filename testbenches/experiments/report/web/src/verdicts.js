// SPDX-License-Identifier: Apache-2.0
// The table of what papers print: ours beside it, and the verdict.
import {choice, copy_button, h} from './dom.js';
import {report} from './model.js';
import {number} from './numbers.js';

// A map: words of the file that is shown are looked up, such as 'constructor'.
const marks =
    new Map([['reproduced', ['✓', 'good']], ['differs', ['≠', 'bad']], ['undetermined', ['?', 'open']]]);

const value = v => typeof v === 'number' ? number(v, 6) : v === null || v === undefined ? '–' : String(v);

function table_row(v) {
  const [mark, kind] = marks.get(v.verdict) ?? ['·', 'open'];
  return h('tr', {'data-verdict': v.verdict, 'data-paper': v.paper},
    h('td', {}, v.paper), h('td', {}, v.item), h('td', {class: 'number'}, value(v.printed)), h('td', {class: 'number'}, value(v.ours)),
    h('td', {}, value(v.tolerance)), h('td', {}, h('span', {class: `verdict ${kind}`}, `${mark} ${v.verdict}`)),
    h('td', {class: 'reason'}, v.reason ?? ''), h('td', {}, v.command ? h('div', {class: 'command'}, h('code', {}, v.command), copy_button(v.command)) : null));
}

export function verdicts() {
  const all = report.verdicts;
  if (!all.length) return null;
  const rows = all.map(table_row);
  const wanted = {paper: '', verdict: '', words: ''};
  const shown = h('span', {class: 'note', role: 'status'});
  const update = () => {
    let n = 0;
    all.forEach((v, i) => {
      const fits = (!wanted.paper || v.paper === wanted.paper) && (!wanted.verdict || v.verdict === wanted.verdict) &&
        wanted.words.split(/\s+/).every(word => `${v.item} ${v.reason ?? ''}`.toLowerCase().includes(word));
      rows[i].hidden = !fits;
      n += fits;
    });
    shown.textContent = `${n} of ${all.length}`;
  };
  const by = (key, label) => {
    const counts = new Map();
    all.forEach(v => counts.set(v[key], (counts.get(v[key]) ?? 0) + 1));
    return choice(label, [['', 'all'], ...[...counts].map(([word, n]) => [word, `${word} (${n})`])], '',
      picked => { wanted[key] = picked; update(); });
  };
  const input = h('input', {type: 'search', placeholder: 'words', 'aria-label': 'Show items with these words',
    oninput: () => { wanted.words = input.value.trim().toLowerCase(); update(); }});
  update();
  const head = ['Paper', 'Item', 'Printed', 'Ours', 'Tolerance', 'Verdict', 'Reason', 'Command'];
  return h('section', {id: 'verdicts'}, h('h2', {}, 'What the papers print'),
    h('div', {class: 'controls'}, by('paper', 'Paper'), by('verdict', 'Verdict'), input, shown),
    h('div', {class: 'scroll'}, h('table', {class: 'data'}, h('thead', {}, h('tr', {}, head.map(name => h('th', {scope: 'col'}, name)))),
      h('tbody', {}, rows))));
}
