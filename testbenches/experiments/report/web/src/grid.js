// SPDX-License-Identifier: Apache-2.0
// How many panels stand side by side: rows without holes where that is possible, and more room for many curves.
import {patterns, series} from './model.js';

export const many_curves = 12;

export function grid_class() {
  const two = patterns.length === 2 || patterns.length === 4 || (series.length > many_curves && patterns.length > 1);
  return `grid ${patterns.length === 1 ? 'one' : two ? 'two' : 'three'}`;
}
