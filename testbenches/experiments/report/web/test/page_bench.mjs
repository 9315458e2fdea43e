// SPDX-License-Identifier: Apache-2.0
// page_bench.mjs TORISCOPE CHROMIUM: size of a report of 100 curves with 30 points each, and how long it takes from
// navigation until all charts are drawn.
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {mkdtempSync, rmSync, statSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {Browser} from './browser.mjs';
import {sweep} from './fixture.mjs';

const [toriscope, chromium] = process.argv.slice(2);
const work = mkdtempSync(join(tmpdir(), 'toriscope-report-'));
const file = join(work, 'report.html');
try {
  const results = sweep();
  const [curve] = results.curves.filter(c => c.observed);
  results.curves = Array.from({length: 100}, (_, i) => ({...structuredClone(curve),
    config: {...curve.config, router: {vcs: 1 + i % 5, depth_flits: 4 + Math.floor(i / 5) % 5},
             traffic: {...curve.config.traffic, pattern: ['uniform', 'transpose', 'tornado', 'shuffle'][Math.floor(i / 25)]}},
    points: Array.from({length: 30}, (__, k) => ({...structuredClone(curve.points[k % 4]), rate: 0.01 * (k + 1), stable: k < 28}))}));
  writeFileSync(join(work, 'sweep.json'), JSON.stringify(results));
  execFileSync(toriscope, ['report', work, '-o', file]);
  const browser = await Browser.start(chromium);
  await browser.send('Performance.enable');
  const times = [];
  const cpu = [];
  for (let i = 0; i < 5; ++i) {
    await browser.open(`file://${file}?${i}`);
    times.push(await browser.value(`performance.getEntriesByName('toriscope-drawn')[0].startTime`));
    cpu.push((await browser.send('Performance.getMetrics')).metrics.find(m => m.name === 'ThreadTime').value * 1000);
  }
  await browser.close();
  const megabytes = statSync(file).size / 1e6;
  console.log(`100 curves of 30 points: ${megabytes.toFixed(2)} MB, drawn after ${times.map(Math.round).join(', ')} ms`
    + ` (CPU time of the page: ${cpu.map(Math.round).join(', ')} ms)`);
  assert.ok(megabytes < 5);
  assert.ok(Math.min(...times) < 2000);
} finally {
  rmSync(work, {recursive: true});
}
