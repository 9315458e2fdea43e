// SPDX-License-Identifier: Apache-2.0
// page_test.mjs TORISCOPE CHROMIUM: a report as a reader meets it, in Chromium.
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {after, before, describe, test} from 'node:test';
import {Browser} from './browser.mjs';
import {busy_of_link, hostile, latency, patterns, rates, sweep, topologies, two_sources, verdicts} from './fixture.mjs';

const [toriscope, chromium] = process.argv.slice(2);
const work = mkdtempSync(join(tmpdir(), 'toriscope-report-'));
const page = `file://${work}/report.html`;
let browser;

before(async () => {
  mkdirSync(join(work, 'results'));
  const results = sweep();
  results.curves.push({...results.curves[0], observed: {rate: 0.3, links: [0.5]},
    config: {topology: {spec: `file:${hostile}`}, traffic: {pattern: 'uniform'}}});
  const cut = results.curves.at(-1); // rises from 20 to 26 cycles, to 60, and within the tolerance to 100
  cut.points = [[0.1, 20], [0.2, 26], [0.3, 60], [0.305, 100]].map(([rate, mean]) =>
    ({...cut.points[0], rate, offered: rate, latency: {...cut.points[0].latency, mean, interval_95: null}}));
  cut.summary = {...cut.summary, saturation_throughput: 0.15, saturation_upper: null}; // all loads are stable, and low
  // Tornado: all loads are stable, and all but one above the smallest are not.
  const [tireless, never] = [results.curves[2], results.curves[8]];
  tireless.points.forEach(p => { p.stable = true; });
  Object.assign(tireless.summary, {saturation_throughput: 0.4, saturation_upper: null});
  never.points.forEach((p, r) => { p.stable = r === 1; });
  Object.assign(never.summary, {saturation_throughput: null, saturation_upper: 0.1});
  never.points[3].failure = 'deadlock in cycle 7';
  writeFileSync(join(work, 'results', 'sweep.json'), JSON.stringify(results));
  writeFileSync(join(work, 'results', 'verdicts.json'), JSON.stringify(verdicts()));
  execFileSync(toriscope, ['report', join(work, 'results'), '-o', join(work, 'report.html')]);
  browser = await Browser.start(chromium);
  await browser.open(page);
});
after(async () => {
  await browser?.close();
  rmSync(work, {recursive: true});
});

/** What a chart draws: an expression of its options o. */
const drawn = (id, expression) =>
  browser.value(`(o => ${expression})(toriscope_report.figures.find(f => f.id === '${id}').chart.getOption())`);

/** The values of the lines of a chart: [[x, y], ...] by name, with '-' where a line is cut. */
const lines_of = id => drawn(id, `Object.fromEntries(o.series
  .filter(s => s.type === 'line' && !s.silent).map(s => [s.name, s.data.map(d => d.value ?? d)]))`);

/** Picks a value where the page offers a choice. */
const choose = (select, value) => browser.value(`(() => { const s = document.querySelector('${select}');
  s.value = '${value}'; s.dispatchEvent(new Event('change')); })()`);

/** Moves the mouse to a point of a chart, in its own coordinates, and returns what the tooltip then says. */
async function tooltip_at(id, x, y) {
  const [left, top] = await browser.value(`(() => {
    const {chart, holder} = toriscope_report.figures.find(f => f.id === '${id}');
    holder.scrollIntoView({block: 'center'});
    const box = holder.getBoundingClientRect();
    const at = chart.convertToPixel({xAxisIndex: 0, yAxisIndex: 0}, [${x}, ${y}]);
    return [box.left + at[0], box.top + at[1]];
  })()`);
  await browser.mouse(left - 40, top - 40);
  await browser.value(`document.querySelectorAll('.tip').forEach(t => t.remove())`); // those of before
  await browser.mouse(left, top);
  return browser.value(`new Promise(done => {
    const seen = tries => document.querySelector('.tip') || tries === 0
      ? done([...document.querySelectorAll('.tip')].map(t => t.innerText).join('|')) : setTimeout(seen, 20, tries - 1);
    seen(100);
  })`);
}

test('opens with no error, and without the network', async () => {
  assert.deepEqual(browser.seen('Runtime.exceptionThrown'), []);
  assert.deepEqual(browser.seen('Runtime.consoleAPICalled'), []);
  assert.deepEqual(browser.seen('Log.entryAdded'), []);
  const asked = browser.seen('Network.requestWillBeSent').map(r => r.request.url).filter(url => !/^(data|blob):/.test(url));
  assert.deepEqual(asked, [page]);
  assert.ok(await browser.value('Number(document.documentElement.dataset.drawn)') > 0);
});

test('has every curve and every point', async () => {
  for (const [p] of patterns.entries()) {
    const lines = await lines_of(`latency-${p}`);
    for (const [t, topology] of topologies.entries())
      assert.deepEqual(lines[topology], rates.map((rate, r) => [rate, latency(t, p, r)]));
    assert.equal(Object.keys(lines).length, topologies.length + (p === 0 ? 1 : 0)); // the hostile one is uniform
  }
  const accepted = await lines_of('accepted-1');
  assert.deepEqual(accepted['mesh:4x4'], rates.flatMap((rate, r) => [...(r < 3 ? [] : ['-']), [+(rate + 0.001).toFixed(3), r < 3 ? rate : +(rate - 0.1).toFixed(3)]]));
});

test('says in words what was compared, and the result', async () => {
  const words = await browser.value(`document.getElementById('summary').innerText`);
  assert.match(words, /10 curves, 120 simulations\./);
  assert.match(words, /ttn:2,2,0 saturates last, at 0\.3 flits\/node\/cycle: 1\.9 to 2\.1 times torus:4x4 and 2\.9 to 3\.1 times mesh:4x4/);
  assert.match(words, /Without load ttn:2,2,0 has the lowest latency: 19\.5 cycles/);
  assert.match(words, /Of 4 numbers and claims printed in 2 papers 1 are reproduced, 1 differ, and 1 are not determined by the papers/);
});

test('says in words that all loads or none were stable, and warns', async () => {
  const words = await browser.value(`[...document.querySelectorAll('.result')][2].innerText`);
  assert.match(words, /ttn:2,2,0 was stable at all loads tried, up to 0\.4 flits\/node\/cycle: at least 2\.6 times torus:4x4\./);
  assert.match(words, /The smallest load that was tried is not stable for mesh:4x4\./);
  const low = await browser.value(`[...document.querySelectorAll('.result')][0].innerText`);
  assert.match(low, /ttn:2,2,0 saturates at 0\.3 flits\/node\/cycle: 1\.9 to 2\.1 times torus:4x4 and 2\.9 to 3\.1 times mesh:4x4\. file:/);
  assert.match(low, /> was stable at all loads tried, up to 0\.15 flits\/node\/cycle\. /);
  const bars = await browser.value(`[...document.querySelectorAll('.result')[2].querySelectorAll('.bar i')]
    .map(i => i.style.width)`);
  assert.deepEqual(bars, ['100%', '37.5%']); // 0.4 and 0.15
  const warnings = await browser.value(`[...document.querySelectorAll('#summary .warning')].map(w => w.innerText)`);
  assert.equal(warnings.length, 2);
  assert.match(warnings[0], /^1 curve met a deadlock or a broken invariant/);
  assert.match(warnings[1], /^The links of file:.* are not drawn: /);
});

test('shows numbers with units when hovered', async () => {
  const text = await tooltip_at('latency-1', rates[2], latency(2, 1, 2));
  assert.match(text, /mesh:4x4/);
  assert.match(text, /mean latency\s+45\.13 \(43\.9 \.\. 46\.4\) cycles/);
  assert.match(text, /load\s+0\.3 flits\/node\/cycle/);
  assert.match(text, /offered, measured\s+0\.301 flits\/node\/cycle/);
  assert.match(text, /50 \/ 90 \/ 99 %\s+20 \/ 30 \/ 41 cycles/);
  assert.match(text, /mean hops\s+2\.5 links/);
  assert.match(text, /stable\s+yes \(3 of 3 seeds\)/);
  const beyond = await tooltip_at('latency-1', rates[3], latency(0, 1, 3));
  assert.match(beyond, /offered, measured\s+0\.401 flits\/node\/cycle\s+accepted\s+0\.3 flits\/node\/cycle/);
  assert.match(beyond, /stable\s+no \(1 of 3 seeds\)/);
});

test('marks what is not stable, and ends axes beyond the stable points', async () => {
  const hollow = `o.series.find(s => s.name === 'mesh:4x4').data.filter(d => d !== '-')
    .map(d => 'borderColor' in (d.itemStyle ?? {}))`;
  assert.deepEqual(await drawn('latency-1', hollow), [false, false, false, true]);
  // Of the mesh, a quarter beyond its last stable point: 1.25 * 45.125 = 56.4. Of the curve that is cut, whose last
  // point is stable at 100 cycles, five times the latency without load: 5 * 19.5 = 97.5.
  assert.equal(await drawn('latency-1', 'o.yAxis[0].max'), 60);
  assert.equal(await drawn('latency-0', 'o.yAxis[0].max'), 100);
  assert.equal(await drawn('latency-1', 'o.xAxis[0].max'), 0.5); // the last point is at 0.4
  await choose('#latency select', 'log');
  assert.deepEqual(await drawn('latency-1', '[o.xAxis[0].type, o.xAxis[0].min, o.xAxis[0].max]'), ['log', 0.1, 0.5]);
  assert.match(await drawn('latency-1', 'o.xAxis[0].name'), /flits\/node\/cycle\), logarithmic$/);
  await choose('#latency select', 'auto');
  assert.equal(await drawn('latency-1', 'o.xAxis[0].type'), 'value'); // 0.3 is three times 0.1
});

test('draws saturation as a bar with its bracket', async () => {
  const bars = await drawn('saturation-2', '[o.yAxis[0].data, o.series[0].data.map(d => d.value)]');
  assert.deepEqual(bars, [topologies, [0.4, 0.15, 0]]);
  assert.deepEqual(await drawn('saturation-2', 'o.series[1].data'), [[0.4, 0.4, 0], [0.15, 0.155, 1], [0, 0.1, 2]]);
  const text = await browser.value(`document.querySelector('#saturation-2 .chart').textContent`);
  assert.ok(text.includes('≥ 0.4') && text.includes('< 0.1'), text);
  const tip = await tooltip_at('saturation-1', 0.07, 1);
  assert.match(tip, /torus:4x4\s+saturation throughput\s+0\.15 flits\/node\/cycle/);
  assert.match(tip, /unstable at\s+0\.155 flits\/node\/cycle/);
  assert.match(tip, /knee \(latency doubled\)\s+0\.2 flits\/node\/cycle\s+latency there\s+50 cycles/);
  assert.match(tip, /latency without load\s+20\.5 cycles\s+confidence\s+0\.94/);
});

test('draws no bar where the interval is unknown, and no line across what is not known', async () => {
  const bars = await drawn('latency-1', `o.series.find(s => s.name === 'errors').data`);
  assert.equal(bars.length, 9); // 3 networks, 3 stable loads each
  assert.deepEqual(bars[0], [0.1, latency(0, 1, 0) - 1.25, latency(0, 1, 0) + 1.25]);
  assert.match(await tooltip_at('latency-0', 0.2, 26), /95 % interval\s+unknown/);
  const lines = await lines_of('latency-0');
  assert.deepEqual(lines[`file:${hostile}`], [[0.1, 20], [0.2, 26], '-', [0.3, 60], [0.305, 100]]);
});

test('says what networks cost that are compared', async () => {
  const table = await browser.value(`document.getElementById('cost').innerText`);
  assert.match(table, /torus:4x4\s+16\s+5\s+32\s+8\s+10240/);
  assert.match(table, /mesh:4x4\s+16\s+5\s+24\s+4\s+8192/);
  const words = await browser.value(`document.getElementById('summary').innerText`);
  assert.match(words, /ttn:2,2,0 has 16 times the nodes, 1\.4 times the ports per router, 1\.06 times the links per node, 1\.02 times the buffer bits per router, 0\.03 times the bisection bits per terminal and 1\.1 times the wire bits × node pitches per terminal of torus:4x4/);
});

test('draws saturation and latency by cost', async () => {
  const points = id => drawn(id, 'o.series.map(s => [s.name, ...s.data[0]])');
  // Wires per terminal: 48 directed links of 64 bits and one pitch for 16 terminals; a torus has 8 rings of 2 x (3 + 3).
  const of = (all, name) => all.find(([n]) => n === name).slice(1);
  const by_wires = await points('cost-saturation-0');
  assert.deepEqual(of(by_wires, 'mesh:4x4'), [192, 0.1]);
  assert.deepEqual(of(by_wires, 'torus:4x4'), [384, 0.3 / 2]);
  assert.deepEqual(of(await points('cost-latency-1'), 'mesh:4x4'), [192, 21.5]);
  await choose('#by-cost select', 'pins');
  assert.deepEqual(of(await points('cost-saturation-0'), 'mesh:4x4'), [512, 0.1]);
  const text = await browser.value(`document.getElementById('by-cost').innerText`);
  assert.match(text, /Saturation by cost under uniform traffic/);
});

test('shows the use of a link when hovered', async () => {
  assert.equal(await drawn('links', 'o.series[1].data.length'), 64);
  const [x1, y1, x2, y2, use] = await drawn('links', 'o.series[1].data[0]');
  assert.equal(use, busy_of_link(0)); // what colours it
  // Traffic keeps to the right: the lane of link 0 is beside the middle line.
  const length = Math.hypot(x2 - x1, y2 - y1);
  const text = await tooltip_at('links', (x1 + x2) / 2 - (y2 - y1) / length * 2.4, (y1 + y2) / 2 + (x2 - x1) / length * 2.4);
  assert.match(text, /busy\s+0\.2\s/);
  assert.match(text, /utilisation\s+0\.01 flits\/cycle/);
  assert.match(text, /00 x\+ → 01/);
  const [x, y] = await drawn('links', 'o.series[2].data[5]'); // the node of row 1, column 1
  assert.match(await tooltip_at('links', x, y), /node 11\s+injection port busy\s+0\.05\s+ejection port busy\s+0\.1/);
  const caption = () => browser.value(`document.getElementById('links').innerText`);
  assert.match(await caption(), /Mean busy\s+Busiest\s+1\s+64\s+0\.515\s+0\.83/); // 0.2 + l / 100, l from 0 to 63
  assert.deepEqual(await drawn('links', '[o.visualMap[0].max, o.visualMap[0].text[0]]'), [0.83, 'busy']);
  await choose('#link-use select', '5');
  assert.match(await caption(), /torus:4x4, tornado at 0\.3 flits\/node\/cycle/);
});

test('draws all packets and all cycles as 100 %', async () => {
  const steps = Object.values(await lines_of('histogram-1'));
  assert.equal(steps.length, topologies.length);
  for (const data of steps) { // % per cycle, each until the next step; the report joins bins of one cycle
    const area = data.slice(1).reduce((sum, [x], i) => sum + data[i][1] * (x - data[i][0]), 0);
    assert.ok(Math.abs(area - 100) < 1e-6, `${area} %`);
    assert.ok(data[2][0] - data[1][0] > 1);
  }
  const shares = await drawn('stalls', 'Object.fromEntries(o.series.map(s => [s.name, s.data]))');
  const of_all = share => patterns.map(() => share); // the fixture's curve of a torus under each pattern, with 1000 cycles
  assert.deepEqual(shares, {moved: of_all(70), pipeline: of_all(10), 'no output vc': of_all(5), 'no credit': of_all(12), 'lost switch': of_all(3)});
});

test('draws latencies at the load that is chosen', async () => {
  // The histogram of load r starts at 9 + r cycles. Under tornado ttn is stable to 0.4, torus to 0.3, mesh at 0.2.
  const first_bins = async () => Object.values(await lines_of('histogram-2')).map(steps => steps[0][0]);
  assert.deepEqual(await first_bins(), [10, 9, 9]); // half of 0.4 is 0.2; half of 0.15 is nearest to 0.1
  await choose('#histograms select', 'highest');
  assert.deepEqual(await first_bins(), [12, 11, 10]);
  await choose('#histograms select', 'lowest');
  assert.deepEqual(await first_bins(), [9, 9, 9]);
});

test('is read with the keyboard', async () => {
  await browser.value(`toriscope_report.figures.find(f => f.id === 'latency-0').holder.focus()`);
  await browser.key('ArrowRight');
  await browser.key('ArrowRight');
  await browser.key('ArrowDown');
  const text = await browser.value(`[...document.querySelectorAll('.tip')].map(t => t.innerText).join('|')`);
  assert.match(text, /torus:4x4/);
  assert.match(text, /load\s+0\.2 flits/);
});

test('hides what is filtered out, and shows it again', async () => {
  const press = (kind, value) => browser.value(`document.querySelector('[data-kind="${kind}"][data-value="${value}"]').click()`);
  const status = () => browser.value(`document.querySelector('#filters [role=status]').innerText`);
  await press('series', 'mesh:4x4');
  assert.ok(!('mesh:4x4' in await lines_of('latency-2')));
  assert.ok('torus:4x4' in await lines_of('latency-2'));
  assert.equal(await status(), '7 of 10 curves');
  await press('pattern', 'tornado');
  assert.ok(await browser.value(`document.getElementById('latency-2').hidden`));
  assert.equal(await browser.value(`[...document.querySelectorAll('.run-entry')].filter(e => !e.hidden).length`), 5);
  await browser.value(`[...document.querySelectorAll('#filters button')].find(b => b.innerText === 'Show all').click()`);
  assert.equal(await status(), '10 of 10 curves');
  assert.ok('mesh:4x4' in await lines_of('latency-2'));
  const type = words => browser.value(`(() => { const i = document.querySelector('#filters input'); i.value = '${words}';
    i.dispatchEvent(new Event('input')); })()`);
  await type('torus unif');
  assert.equal(await status(), '1 of 10 curves');
  await type('');
});

test('filters verdicts', async () => {
  const shown = () => browser.value(`[...document.querySelectorAll('#verdicts tbody tr')].filter(r => !r.hidden).map(r => r.dataset.verdict)`);
  assert.equal((await shown()).length, 4);
  const cells = await browser.value(`[...document.querySelectorAll('#verdicts tbody tr')]
    .map(r => [...r.cells].map(c => c.innerText))`);
  assert.deepEqual(cells[0].slice(0, 7), ['ttn2009', 'diameter', '12', '12', 'as printed', '✓ reproduced', '']);
  assert.deepEqual(cells[1].slice(2, 6), ['72', '70.5', '1 %', '≠ differs']);
  assert.deepEqual(cells[2].slice(2, 7), ['it is', '–', '–', '? undetermined', 'seeds']);
  await choose('#verdicts label:nth-of-type(2) select', 'differs');
  assert.deepEqual(await shown(), ['differs']);
  assert.equal(await browser.value(`document.querySelector('#verdicts [role=status]').innerText`), '1 of 4');
  await choose('#verdicts label:nth-of-type(1) select', 'rdt');
  assert.deepEqual(await shown(), []);
});

test('gives the configuration and the command of a curve', async () => {
  const text = await browser.value(`(() => { const d = document.querySelector('[data-curve="3"]'); d.open = true; d.scrollIntoView();
    return new Promise(done => setTimeout(() => done(d.parentElement.innerText), 60)); })()`);
  assert.match(text, /toriscope sweep --topology torus:4x4/);
  assert.match(text, /pipeline\s+four_stage/);
  const rows = await browser.value(`[...document.querySelectorAll('[data-curve="3"] table tr')]
    .map(r => [...r.cells].map(c => c.innerText))`);
  const columns = rows[0].map((name, i) => [name, rows[1][i]]).slice(0, -1); // the last has a button
  assert.deepEqual(Object.fromEntries(columns), {
    load: '0.1', offered: '0.101', accepted: '0.1', latency: '30.13', '95 % interval': '28.9 .. 31.4', '50 %': '20',
    '90 %': '30', '99 %': '41', max: '80', hops: '2.5', 'busiest link': '0.2', stable: 'yes'});
  assert.equal(rows[4][11], 'no');
  assert.match(text, /saturation 0\.15\s+knee 0\.2\s+zero load 20\.5 cycles/);
  const copied = await browser.value(`(() => { const all = [];
    const entry = document.querySelector('[data-curve="3"]').parentElement;
    navigator.clipboard.writeText = async text => all.push(text);
    entry.querySelectorAll('button').forEach(b => b.click()); return all; })()`);
  assert.deepEqual(copied.filter(text => !text.startsWith('{')), [...rates.map(rate =>
    `toriscope run --topology torus:4x4 --traffic uniform --rate ${rate}`), 'toriscope sweep --topology torus:4x4']);
  assert.equal(JSON.parse(copied[rates.length]).router.pipeline, 'four_stage');
});

test('takes no text for markup', async () => {
  assert.ok(!(await browser.value('document.title')).startsWith('owned'));
  assert.equal(await browser.value(`document.querySelectorAll('img, #report script').length`), 0);
  assert.ok((await browser.value(`document.getElementById('verdicts').textContent`)).includes(hostile));
});

test('is light or dark as the system, or as the reader likes', async () => {
  // The system's wish reaches the page some time later.
  const look = wanted => browser.value(`new Promise(done => {
    const seen = tries => document.documentElement.dataset.theme === '${wanted}' || tries === 0
      ? done([document.documentElement.dataset.theme, getComputedStyle(document.body).backgroundColor])
      : setTimeout(seen, 20, tries - 1);
    seen(1000);
  })`);
  await browser.send('Emulation.setEmulatedMedia', {features: [{name: 'prefers-color-scheme', value: 'dark'}]});
  assert.deepEqual(await look('dark'), ['dark', 'rgb(16, 21, 27)']);
  await browser.value(`[...document.querySelectorAll('.themes button')].find(b => b.innerText === 'light').click()`);
  assert.deepEqual(await look('light'), ['light', 'rgb(246, 247, 249)']);
});

test('prints', async () => {
  const {data} = await browser.send('Page.printToPDF', {landscape: true});
  const pdf = Buffer.from(data, 'base64');
  assert.equal(pdf.subarray(0, 5).toString(), '%PDF-');
  assert.ok(pdf.length > 50000, `${pdf.length} bytes`);
});

test('hands every chart over as SVG and PNG', async () => {
  await browser.open(`${page}?#figures`);
  const lines = (await browser.value(`document.getElementById('toriscope-figures').innerText`)).trim().split('\n').map(l => l.split(' '));
  const files = new Map(lines.map(([name, text]) => [name, Buffer.from(text, 'base64')]));
  for (const p of patterns.keys())
    for (const kind of ['latency', 'accepted', 'saturation', 'histogram'])
      for (const end of ['svg', 'png']) assert.ok(files.has(`${kind}-${p}.${end}`), `${kind}-${p}.${end}`);
  for (const [p, pattern] of patterns.entries())
    assert.match(files.get(`links-${3 + p}.svg`).toString(), RegExp(`links: torus:4x4, ${pattern} at 0.3 flits`));
  const svg = files.get('latency-1.svg').toString();
  assert.match(svg, /^<svg/);
  assert.match(svg, /mesh:4x4/); // its own legend
  assert.match(svg, /mean latency \(cycles\)/);
  assert.ok(!svg.includes('NaN'));
  assert.equal(files.get('latency-1.png').subarray(1, 4).toString(), 'PNG');
});

test('many configurations: filters by parameter, a panel for each network, histograms of every network', async () => {
  const results = sweep();
  results.curves = results.curves.flatMap(c => ['4', '16'].flatMap(packet => [16, 32, 64].map(width => ({...c, config: {
    ...c.config, topology: {...c.config.topology, link_width_bits: width}, traffic: {...c.config.traffic, packet_flits: packet}}}))));
  results.curves.forEach((c, i) => { c.curve = i; });
  mkdirSync(join(work, 'many'));
  writeFileSync(join(work, 'many', 'sweep.json'), JSON.stringify(results));
  execFileSync(toriscope, ['report', join(work, 'many'), '-o', join(work, 'many.html')]);
  await browser.open(`file://${work}/many.html`);
  const names = async id => Object.keys(await lines_of(id));
  assert.equal((await names('latency-0')).length, 18);
  assert.match(await browser.value(`document.querySelector('.lead').innerText`),
    /54 curves of 18 configurations, 648 simulations\. All have 4 VCs of 8 flits and the pipeline four_stage\./);
  assert.equal((await names('latency-0-1')).length, 6);
  assert.ok((await names('latency-0-1')).every(name => name.startsWith(topologies[1])));
  assert.deepEqual(new Set((await names('histogram-0')).map(name => name.split(' ')[0])), new Set(topologies));
  await browser.value(`document.querySelector('[data-kind="parameter"][data-value="packet: packet 16"]').click()`);
  const left = await names('latency-0');
  assert.equal(left.length, 9);
  assert.ok(left.every(name => /packet 4$/.test(name)));
});

describe('two sources', () => {
  before(async () => {
    for (const [name, results] of two_sources()) {
      mkdirSync(join(work, name));
      writeFileSync(join(work, name, 'sweep.json'), JSON.stringify(results));
    }
    const [monday, tuesday, file] = ['monday', 'tuesday', 'two.html'].map(name => join(work, name));
    execFileSync(toriscope, ['report', monday, tuesday, '-o', file]);
    await browser.open(`file://${file}`);
  });

  const torus = (vcs, source) => `torus:4x4 · ${vcs} VCs${source ? ` · ${source}` : ''}`;

  test('names a curve that is there twice after its source', async () => {
    assert.deepEqual(Object.keys(await lines_of('latency-0')), [
      torus(4), torus(2), torus(6), 'cmesh:2x2,2 · 2 VCs', 'ttn:2,2,0 · 2 VCs',
      torus(2, 'tuesday'), torus(4, 'tuesday'), torus(6, 'tuesday'), 'cmesh:2x2,2 · 2 VCs · tuesday']);
  });

  test('compares the best curve of each network, and costs per terminal', async () => {
    const words = await browser.value(`document.querySelector('.result p').textContent`);
    // The torus reaches 0.3: 0.5 / 0.3. The TTN reaches 0.02.
    assert.match(words, /^cmesh:2x2,2 · 2 VCs · tuesday saturates last, at 0\.5 flits\/node\/cycle: /);
    assert.match(words, /: 0\.83 to 3\.3 times torus:4x4 and 13 to 50 times ttn:2,2,0\. /);
    // 4 directed links of 64 bits for 8 terminals, against 16 for 16.
    assert.match(words, / 0\.50 times the bisection bits per terminal .* of torus:4x4 · 4 VCs · tuesday\. /);
  });

  test('counts buffers per terminal', async () => {
    await choose('#by-cost select', 'buffer_bits');
    const bits = await drawn('cost-saturation-0', 'Object.fromEntries(o.series.map(s => [s.name, s.data[0]]))');
    // 2 VCs of 8 flits of 64 bits at 4 x (2 + 2) ports, for 8 terminals; 4 VCs at 16 x (4 + 1) ports, for 16 terminals.
    assert.deepEqual(bits['cmesh:2x2,2 · 2 VCs'], [2048, 0.4]);
    assert.deepEqual(bits[torus(4)], [10240, 0.2]);
  });

  test('has a logarithmic axis where saturations are far apart', async () => {
    assert.equal(await drawn('latency-0', 'o.xAxis[0].type'), 'log'); // 0.5 is 25 times 0.02
  });

  test('leaves out the histogram of the curve that saturates first', async () => {
    const all = Object.keys(await lines_of('latency-0'));
    assert.deepEqual(Object.keys(await lines_of('histogram-0')), all.filter(name => name !== torus(2))); // 0.1
  });

  test('says what failed', async () => {
    await browser.value(`toriscope_report.figures.find(f => f.id === 'latency-0').holder.focus()`);
    for (const key of ['Down', 'Down', 'Down', 'Right', 'Right']) await browser.key(`Arrow${key}`);
    const tip = await browser.value(`document.querySelector('.tip').innerText`);
    assert.match(tip, /^cmesh:2x2,2 · 2 VCs\s+load\s+0\.8 [^]*failed\s+deadlock in cycle 7/);
    const stable = await browser.value(`new Promise(done => {
      const run = document.querySelector('[data-curve="3"]');
      const stable = () => [...run.querySelectorAll('tbody tr')].map(r => r.cells[11].textContent);
      run.addEventListener('toggle', () => done(stable()));
      run.open = true;
    })`);
    assert.deepEqual(stable, ['yes', 'yes', 'deadlock in cycle 7']);
  });

  test('lists the use of links level by level', async () => {
    const rows = await browser.value(`[...document.querySelectorAll('#links tbody tr')]
      .map(r => [...r.cells].map(c => c.textContent))`);
    assert.deepEqual(rows, [['1', '1024', '0.125', '0.125'], ['2', '32', '0.125', '0.125']]);
  });
});

describe('single runs', () => {
  before(async () => {
    const runs = [['torus:4x4', 0.1, true], ['torus:4x4', 0.2, false], ['torus:4x4', 0.3, true],
                  ['mesh:4x4', 0.1, false], ['mesh:4x4', 0.2, true], ['ring:8', 0.1, false]];
    const files = runs.map(([spec, rate, stable], i) => {
      const file = join(work, `run-${i}.json`);
      const traffic = {pattern: 'uniform', rate_flits_per_node_cycle: rate};
      const results = {stable, offered: rate, accepted: rate, latency: {mean: 20}};
      writeFileSync(file, JSON.stringify({config: {topology: {spec}, traffic}, results}));
      return file;
    });
    const [tree, links, page] = ['tree.json', 'links.json', 'runs.html'].map(name => join(work, name));
    const run = 'run --topology fattree:2,2 --rate 0.1 --cycles 1000 --observe'.split(' ');
    execFileSync(toriscope, [...run, '--json', tree, '--link-stats', links]);
    execFileSync(toriscope, ['report', ...files, tree, links, '-o', page]);
    await browser.open(`file://${page}`);
  });

  test('have the saturation of their points, and a whisker', async () => {
    const bars = await drawn('saturation-0', 'o.series[1].data');
    assert.deepEqual(bars.slice(0, 3), [[0.1, 0.2, 0], [0, 0.1, 1], [0, 0.1, 2]]);
    const text = await browser.value(`document.querySelector('#saturation-0 .chart').textContent`);
    assert.match(text, /0\.1[^]*< 0\.1[^]*no stable load/);
  });

  test('show ports of nodes with terminals', async () => {
    const tip_of = async node => tooltip_at('links', ...await drawn('links', `o.series[2].data[${node}]`));
    assert.match(await tip_of(3), /^node [^]*injection port busy\s+0\.[^]*ejection port busy\s+0\./);
    assert.doesNotMatch(await tip_of(1), /port busy/); // an upper switch
  });
});
