// SPDX-License-Identifier: Apache-2.0
// Results made by hand: three networks under three patterns, with numbers that one can foretell.

export const topologies = ['ttn:2,2,0', 'torus:4x4', 'mesh:4x4'];
export const patterns = ['uniform', 'transpose', 'tornado'];
export const rates = [0.1, 0.2, 0.3, 0.4];

/** The mean latency of a point: of its own for every point. */
export const latency = (t, p, r) => 20 + 10 * t + 3 * p + 0.5 * r * r + 0.125;

function point(t, p, r) {
  const stable = r < 3;
  return {
    rate: rates[r], runs: 3, seeds: [1, 2, 3], stable, stable_runs: stable ? 3 : 1, offered: rates[r] + 0.001, accepted: rates[r] - (stable ? 0 : 0.1),
    latency: {mean: latency(t, p, r), standard_error: 0.5, interval_95: stable ? [latency(t, p, r) - 1.25, latency(t, p, r) + 1.25] : null, min: 9, p50: 20, p90: 30, p99: 41, max: 80, zero_load_model: 19.5, network_mean: 18,
              histogram: {first: 9 + r, bin_width: 1, counts: Array.from({length: 300}, (_, i) => Math.max(0, 50 - Math.abs(i - 20)))}},
    hops: {mean: 2.5}, links: {utilisation_mean: 0.1, utilisation_max: 0.2},
    command: `toriscope run --topology ${topologies[t]} --traffic ${patterns[p]} --rate ${rates[r]}`, files: [],
  };
}

/** 64 directed links of a 4x4 torus, each with a use of its own: flits per cycle, and as share of the cycles, as if narrow. */
export const use_of_link = l => 0.01 + l / 200;
export const busy_of_link = l => 0.2 + l / 100;

function curve(t, p) {
  const torus = topologies[t] === 'torus:4x4';
  return {
    curve: 3 * t + p, label: `${topologies[t]} ${patterns[p]}`, loads: 'fixed', command: `toriscope sweep --topology ${topologies[t]}`,
    config: {topology: {spec: topologies[t], routing: 'dor'}, router: {vcs: 4, depth_flits: 8, pipeline: 'four_stage'},
             traffic: {mode: 'open', pattern: patterns[p], packet_flits: '16', file: ''}},
    summary: {zero_load_latency: 19.5 + t, saturation_throughput: 0.3 / (t + 1), saturation_upper: 0.31 / (t + 1), knee: 0.2, confidence: 0.94,
              tolerance: 0.02, latency_at_saturation: 50, accepted_at_saturation: 0.29, loads: 4, runs: 12},
    points: rates.map((_, r) => point(t, p, r)),
    observed: torus ? {rate: 0.3, seed: 1, command: 'toriscope run --observe', links: Array.from({length: 64}, (_, l) => use_of_link(l)),
                       links_busy: Array.from({length: 64}, (_, l) => busy_of_link(l)),
                       injection_ports: Array.from({length: 16}, (_, n) => n / 100), ejection_ports: Array.from({length: 16}, (_, n) => n / 50),
                       stalls: {front_cycles: 1000, moved: 700, pipeline: 100, no_output_vc: 50, lost_vc_allocation: 0, no_credit: 120, lost_switch: 30}} : null,
  };
}

export const sweep = () => ({kind: 'sweep', toriscope: '0.1.0', curves: topologies.flatMap((_, t) => patterns.map((_, p) => curve(t, p)))});

/**
 * Two sweeps, by the name of their source: [topology, VCs, saturation throughput] of each curve. The sweeps share
 * networks. Their curves are not in the order of saturation. A router of the cmesh has two terminals; the TTN has two
 * levels.
 */
const saturations = {
  monday: [['torus:4x4', 4, 0.2], ['torus:4x4', 2, 0.1], ['torus:4x4', 6, 0.15], ['cmesh:2x2,2', 2, 0.4],
           ['ttn:2,2,0', 2, 0.02]],
  tuesday: [['torus:4x4', 2, 0.12], ['torus:4x4', 4, 0.3], ['torus:4x4', 6, 0.25], ['cmesh:2x2,2', 2, 0.5]],
};

/** Two stable loads, the second at saturation, and one that is not stable. */
function curve_of_two_sources([spec, vcs, saturation]) {
  const {config, summary, points: [stable, , , unstable], ...rest} = curve(0, 0);
  const latency = {...stable.latency, mean: 30, interval_95: null};
  return {
    ...rest, config: {...config, topology: {...config.topology, spec}, router: {...config.router, vcs}},
    summary: {...summary, saturation_throughput: saturation, saturation_upper: 2 * saturation},
    points: [[0.5, stable], [1, stable], [2, unstable]].map(([f, point]) =>
      ({...point, rate: f * saturation, offered: f * saturation, latency})),
  };
}

export function two_sources() {
  const curves_of = name => saturations[name].map(curve_of_two_sources);
  const [monday, tuesday] = [curves_of('monday'), curves_of('tuesday')];
  monday[3].points[2].failure = 'deadlock in cycle 7';
  monday[4].observed = {rate: 0.02, links: Array.from({length: 1056}, () => 0.125)}; // 16 tori of 64, 32 between them
  return Object.entries({monday, tuesday}).map(([name, curves]) => [name, {kind: 'sweep', toriscope: '0.1.0', curves}]);
}

/** A text that would be a script of its own if it were markup. */
export const hostile = '</script><script>document.title="owned"</script><img src=x onerror="document.title=\'owned\'">';

export const verdicts = () => [
  {paper: 'ttn2009', item: 'diameter', printed: 12, ours: 12, tolerance: 'as printed', verdict: 'reproduced', reason: '', command: 'toriscope analyze'},
  {paper: 'ttn2009', item: `cost ${hostile}`, printed: 72, ours: 70.5, tolerance: '1 %', verdict: 'differs', reason: hostile, command: hostile},
  {paper: 'rdt', item: 'claim', printed: 'it is', ours: null, tolerance: null, verdict: 'undetermined', reason: 'seeds', command: null},
  {paper: 'rdt', item: 'word', printed: 1, ours: 1, tolerance: null, verdict: '__proto__', reason: '', command: null},
];
