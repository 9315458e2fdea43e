// SPDX-License-Identifier: Apache-2.0
// Colours, light and dark. The colours of curves are Okabe and Ito's, which colour-blind people tell apart (the
// yellow left out: it fades on white), lightened for the dark; those of links go from pale to strong.

const light = {
  name: 'light', page: '#ffffff', text: '#1d2733', muted: '#5b6878', axis: '#8b97a5', grid: '#e6eaef',
  frame: '#f3f6fa', inner_frame: '#e8eef5', frame_line: '#c6d0db', node: '#ffffff', node_line: '#5b6878',
  curves: ['#0072b2', '#d55e00', '#009e73', '#b5539a', '#4d4d4d', '#c98a00', '#3a9fdc', '#8b1a3a'],
  links: ['#bcc7d3', '#f0b765', '#e8743b', '#b3242e', '#4a0d2c'],
  reasons: ['#9fb8c8', '#d4dbe2', '#d55e00', '#e9b44c', '#0072b2', '#56b4e9', '#b5539a', '#4d4d4d', '#111111'],
};
const dark = {
  name: 'dark', page: '#171d25', text: '#e6ebf1', muted: '#9aa8b8', axis: '#66748a', grid: '#2a3340',
  frame: '#1c242e', inner_frame: '#222c38', frame_line: '#3a4757', node: '#2a3543', node_line: '#8b99aa',
  curves: ['#4aa8e8', '#ff8a3c', '#2fc79b', '#e28bc6', '#c9d1da', '#e8b73a', '#8fd3ff', '#f0728f'],
  links: ['#343f4d', '#6d4a6e', '#c4496b', '#f5894f', '#fff2a8'],
  reasons: ['#5c7a8c', '#36424f', '#ff8a3c', '#e8c468', '#4aa8e8', '#8fd3ff', '#e28bc6', '#c9d1da', '#ffffff'],
};

const system = window.matchMedia('(prefers-color-scheme: dark)');
const listeners = [];
let chosen = 'auto';
let printing = false;

/** The colours in use; paper is always light. */
export function theme() {
  const is_dark = !printing && (chosen === 'dark' || (chosen === 'auto' && system.matches));
  return is_dark ? dark : light;
}

/** For files: those of papers. */
export const paper_theme = light;

/** Calls f() whenever the colours change. */
export const on_theme = f => listeners.push(f);

function changed() {
  document.documentElement.dataset.theme = theme().name;
  listeners.forEach(f => f());
}

export function choose_theme(name) {
  chosen = name;
  changed();
}

export function watch_theme() {
  system.addEventListener('change', changed);
  window.addEventListener('beforeprint', () => { printing = true; changed(); });
  window.addEventListener('afterprint', () => { printing = false; changed(); });
  document.documentElement.dataset.theme = theme().name;
}
