// SPDX-License-Identifier: Apache-2.0
// All charts as files, for `toriscope report --figures`: the program opens the page with #figures and reads one
// line per file from it, "name base64".
import {h} from './dom.js';
import {figures} from './figure.js';

function base64(text) {
  const bytes = new TextEncoder().encode(text);
  let all = '';
  for (const byte of bytes) all += String.fromCharCode(byte);
  return btoa(all);
}

export function figure_files() {
  const lines = [];
  const add = (figure, name) => {
    const drawn = figure.file('svg');
    if (!drawn) return;
    lines.push(`${name}.svg ${base64(drawn)}`, `${name}.png ${figure.file('png').split(',')[1]}`);
  };
  for (const figure of figures)
    if (figure.each_file) for (const name of figure.each_file()) add(figure, name);
    else add(figure, figure.id);
  document.body.replaceChildren(h('pre', {id: 'toriscope-figures'}, lines.join('\n')));
}
