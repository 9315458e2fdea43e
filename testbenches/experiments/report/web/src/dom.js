// SPDX-License-Identifier: Apache-2.0
// Elements without a template language. Texts become text nodes: nothing that stands in the data is ever markup.

/** h('p', {class: 'note', onclick: f}, 'text', child, [children]). */
export function h(tag, attributes = {}, ...children) {
  return filled(document.createElement(tag), attributes, children);
}

/** The same for SVG. */
export function svg(tag, attributes = {}, ...children) {
  return filled(document.createElementNS('http://www.w3.org/2000/svg', tag), attributes, children);
}

function filled(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, '');
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, value);
  }
  element.append(...children.flat(Infinity).filter(child => child !== null && child !== undefined && child !== false));
  return element;
}

/** A button that copies a text, and says so. */
export function copy_button(text, what = 'Copy') {
  const button = h('button', {class: 'small', type: 'button', title: 'Copy to the clipboard', onclick: copy}, what);
  async function copy() {
    try {
      await navigator.clipboard.writeText(text);
    } catch { // pages opened from a file may not use the clipboard everywhere
      const area = h('textarea', {class: 'off-screen'});
      area.value = text;
      document.body.append(area);
      area.select();
      document.execCommand('copy');
      area.remove();
    }
    button.textContent = 'Copied';
    setTimeout(() => { button.textContent = what; }, 1200);
  }
  return button;
}

/** A labelled choice; options are [value, text]. */
export function choice(label, options, value, onchange) {
  const select = h('select', {onchange: () => onchange(select.value)},
    options.map(([v, text]) => h('option', {value: v, selected: v === value}, text)));
  return h('label', {class: 'choice'}, h('span', {}, label), select);
}

/** Rows of a tooltip: a title, and [name, value] pairs. */
export function tip(title, rows, swatch) {
  return h('div', {class: 'tip'},
    h('div', {class: 'tip-title'}, swatch ?? null, title),
    h('table', {}, rows.filter(Boolean).map(([name, value]) => h('tr', {}, h('td', {}, name), h('td', {}, value)))));
}
