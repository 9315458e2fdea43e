// SPDX-License-Identifier: Apache-2.0
// Numbers as people read them.

/** Four significant digits; a dash where there is no number. */
export function number(value, digits = 4) {
  if (value === null || value === undefined || Number.isNaN(value)) return '–';
  if (Number.isInteger(value) && Math.abs(value) < 1e6) return String(value);
  const text = value.toPrecision(digits);
  return text.includes('e') ? String(Number(text)) : text.replace(/(\.\d*?)0+$/, '$1').replace(/\.$/, '');
}

/** "1 curve", "3 curves". */
export const count = (n, noun) => `${n} ${noun}${n === 1 ? '' : 's'}`;

/** "a", "a and b", "a, b and c"; of more than `most` the rest is counted. */
export function listed(words, most = 5) {
  const shown = words.length > most ? [...words.slice(0, most - 1), `${words.length - most + 1} more`] : [...words];
  const last = shown.pop();
  return shown.length ? `${shown.join(', ')} and ${last}` : last ?? '';
}

const factor = ratio => ratio >= 9.95 ? `${Math.round(ratio)}` : ratio.toFixed(ratio < 1.095 ? 2 : 1);

/** "2.0 times", "15 times". */
export const times = ratio => `${factor(ratio)} times`;

/** "2.0 times", "1.9 to 2.1 times", "at least 3.0 times". */
export function times_between(least, most) {
  if (!Number.isFinite(most)) return `at least ${times(least)}`;
  return factor(least) === factor(most) ? times(least) : `${factor(least)} to ${times(most)}`;
}

/** 1, 2 and 5 times the powers of ten, from the last one at or below `least` to the first at or above `most`. */
export function log_ticks(least, most) {
  const all = [];
  for (let power = Math.floor(Math.log10(least)); 10 ** power <= most * 10; ++power)
    for (const f of [1, 2, 5]) all.push(Number(`${f}e${power}`));
  return all.slice(all.filter(v => v <= least).length - 1, all.findIndex(v => v >= most) + 1);
}

/** The end of an axis of loads: 1 flit per node and cycle is the most that a port takes. */
export const load_end = value => value > 0.8 && value <= 1 ? 1 : round_up(1.02 * value);

/** The end of an axis: at least `value`, and a round number. */
export function round_up(value) {
  if (!(value > 0)) return 1;
  const unit = 10 ** Math.floor(Math.log10(value));
  return [1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10].map(f => f * unit).find(v => v >= value * 0.999);
}
