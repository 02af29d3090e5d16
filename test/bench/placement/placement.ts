import { against, PLACEMENT_GROWTH_BAR, placementBar } from '../bars.ts';
import type { Inputs } from '../inputs/inputs.ts';
import type { Options } from '../options.ts';
import { Peer, type PeerKind } from '../peer.ts';
import { median, type Report, round } from '../report.ts';
import { goPlacementPeers, winnowPlacement } from '../toolchain.ts';
import { benchCluster, PLACEMENT_WORKLOADS, type PlacementWorkload } from './clusters.ts';
import { benchColdWorlds } from './cold-worlds.ts';

const FULL = { rounds: 3, milliseconds: 1_500 };
const QUICK = { rounds: 1, milliseconds: 300 };
const SECOND = 1e6;

/** `npm run bench -- placement [--cold]`: pods placed and bound one after the other, in pods a second of CPU time. */
export async function benchPlacement(options: Options, inputs: Inputs, report: Report): Promise<void> {
  if (options.cold) return benchColdWorlds(options, report);
  const bench = new PlacementBench(options.quick ? QUICK : FULL, inputs, report);
  const peers = await goPlacementPeers();
  for (const peer of peers) if ('missing' in peer) report.missing('placement', peer.name, peer.missing);
  const present = peers.filter((peer) => 'command' in peer);
  for (const workload of PLACEMENT_WORKLOADS) await bench.compare(workload, options.nodes, present);
}

interface Side {
  readonly peer: Peer;
  /** Pods a second, of each round. */
  readonly rounds: number[];
}

class PlacementBench {
  readonly #effort: typeof FULL;
  readonly #inputs: Inputs;
  readonly #report: Report;

  constructor(effort: typeof FULL, inputs: Inputs, report: Report) {
    this.#effort = effort;
    this.#inputs = inputs;
    this.#report = report;
  }

  async compare(
    workload: PlacementWorkload,
    sizes: readonly number[],
    peers: readonly PeerKind[],
  ): Promise<void> {
    const speeds = new Map<number, number>();
    for (const nodes of sizes) speeds.set(nodes, await this.#race(workload, nodes, peers));
    this.#tellGrowth(workload, speeds);
  }

  /** In turns. The first round warms and is not counted. */
  async #race(workload: PlacementWorkload, nodes: number, peers: readonly PeerKind[]): Promise<number> {
    const file = await this.#inputs.lines(`${workload}-${nodes}.cluster`, () => [
      JSON.stringify(benchCluster(workload, nodes)),
    ]);
    const ours = start(winnowPlacement());
    const theirs = peers.map(start);
    try {
      for (let turn = 0; turn <= this.#effort.rounds; turn++) {
        for (const { peer, rounds } of [ours, ...theirs]) {
          const { pods, microseconds } = await peer.place(file, this.#effort.milliseconds);
          if (turn > 0) rounds.push((pods * SECOND) / microseconds);
        }
      }
      for (const other of theirs) this.#tell(workload, nodes, ours, other);
      if (theirs.length === 0) this.#report.add({ bench: 'placement', workload, nodes, ours: speedOf(ours) });
      this.#report.progress(`placement: ${workload}, ${nodes} nodes`);
      return median(ours.rounds);
    } finally {
      for (const { peer } of [ours, ...theirs]) peer.stop();
    }
  }

  #tell(workload: PlacementWorkload, nodes: number, ours: Side, theirs: Side): void {
    const ratio = round(median(ours.rounds) / median(theirs.rounds));
    this.#report.add({
      bench: 'placement',
      workload,
      nodes,
      peer: theirs.peer.name,
      ours: speedOf(ours),
      theirs: speedOf(theirs),
      ratio,
      ...against(placementBar(theirs.peer.name, workload), ratio),
    });
  }

  /** How many times as long one takes in the largest cluster as in one of 1,000 nodes, or the one before it. */
  #tellGrowth(workload: PlacementWorkload, speeds: ReadonlyMap<number, number>): void {
    const [from, to] = [...speeds.keys()].sort((one, other) => one - other).slice(-2);
    if (from === undefined || to === undefined) return;
    const times = round((speeds.get(from) ?? 0) / (speeds.get(to) ?? 0));
    this.#report.add({ bench: 'placement growth', workload, from, to, times, ...growthBar(from, to, times) });
  }
}

/** The columns that say whether the bar is reached, which was set for these sizes. */
function growthBar(from: number, to: number, times: number): object {
  if (from !== 1_000 || to !== 5_000) return {};
  return { bar: PLACEMENT_GROWTH_BAR, reached: times <= PLACEMENT_GROWTH_BAR };
}

function start(kind: PeerKind): Side {
  if ('missing' in kind) throw new Error(`${kind.name} ${kind.missing}`);
  return { peer: new Peer(kind.name, kind.command), rounds: [] };
}

function speedOf({ rounds }: Side): number {
  return round(median(rounds));
}
