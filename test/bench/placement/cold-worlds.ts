import { execFile } from 'node:child_process';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createBinder } from '../../../lib/controllers/binding/index.ts';
import { SNAPSHOT_POLICY } from '../../../lib/controllers/world-snapshots/index.ts';
import {
  systemClock as clock,
  silentLogger as logger,
  systemRandom as random,
} from '../../../lib/platform/index.ts';
import { createStore, measuredTable, noReadCost, snapshotKey, type Table } from '../../../lib/store/index.ts';
import { openTable } from '../../support/store/table.ts';
import { COLD_WORLD_BARS } from '../bars.ts';
import { functionEnvironment } from '../function-process.ts';
import type { Options } from '../options.ts';
import { median, type Report, round } from '../report.ts';
import { nodeName, PODS_A_NODE, pod, seededWorld } from './world-seed.ts';

const run = promisify(execFile);
const PROCESS = join(import.meta.dirname, 'cold-process.ts');
const HOUR = 3_600_000;

interface Started {
  readonly first: { readonly ms: number; readonly cpu: number; readonly nodes: number };
  readonly next: { readonly ms: number; readonly cpu: number };
  /** MiB when both had been asked, and at most. */
  readonly rss: number;
  readonly most: number;
  readonly cold: { readonly requests: number; readonly units: number };
}

/**
 * `npm run bench -- placement --cold`: what the first answer of a process takes that has no world yet, from the objects
 * and from what is kept of them, with half of the changes behind it that have a world kept anew.
 */
export async function benchColdWorlds({ nodes: sizes, quick }: Options, report: Report): Promise<void> {
  for (const nodes of sizes) {
    report.progress(`placement, cold: ${nodes} nodes, made once and kept`);
    const folder = await mkdtemp(join(tmpdir(), 'winnow-world-'));
    await cp(await seededWorld(nodes), folder, { recursive: true });
    const { table, endpoint, stop } = await openTable(folder);
    try {
      await keepWorld(table, nodes, report);
      await change(table, nodes, SNAPSHOT_POLICY.changes / 2);
      for (const from of ['objects', 'snapshot']) {
        const rounds: Started[] = [];
        for (let turn = 0; turn < (quick ? 1 : 3); turn += 1) rounds.push(await start(endpoint, from));
        report.add({
          bench: 'placement, cold',
          nodes,
          pods: nodes * PODS_A_NODE,
          from,
          ...figures(rounds, from, nodes),
        });
      }
    } finally {
      await stop();
      await rm(folder, { recursive: true });
    }
  }
}

/** As functions/bind does. */
async function keepWorld(inner: Table, nodes: number, report: Report): Promise<void> {
  const tally = noReadCost();
  const table = { ...inner, put: measuredTable(inner, tally).put };
  const store = createStore({ table: inner, clock, random, logger });
  const hints = { announce: async () => {} };
  const snapshots = { ...SNAPSHOT_POLICY, leastObjects: 1 };
  const binder = createBinder({
    table,
    store,
    clock,
    random,
    logger,
    hints,
    schedulerName: 'winnow',
    snapshots,
  });
  await binder.bind({ waits: true, time: HOUR });
  const header = await table.get(snapshotKey);
  if (header === undefined) throw new Error('the world was not kept');
  const { requests, units } = tally;
  report.add({ bench: 'placement, a world is kept', nodes, chunks: Number(header.chunks), requests, units });
}

/** Pods that come where others are. */
async function change(table: Table, nodes: number, changes: number): Promise<void> {
  const store = createStore({ table, clock, random, logger });
  for (let at = 0; at < changes; at += 1) {
    const name = `new-${at}`;
    const body = pod(name, at, nodeName(at % nodes));
    await store.write('core/pods', { namespace: 'default', name }, () => ({ kind: 'put', body }));
  }
}

async function start(endpoint: string, from: string): Promise<Started> {
  const { stdout } = await run(process.execPath, [PROCESS, endpoint, from], { env: functionEnvironment() });
  return JSON.parse(stdout);
}

function figures(
  rounds: readonly Started[],
  from: string,
  nodes: number,
): Readonly<Record<string, number | boolean>> {
  const of = (read: (one: Started) => number) => round(median(rounds.map(read)));
  const found = {
    ms: of(({ first }) => first.ms),
    cpu: of(({ first }) => first.cpu),
    requests: of(({ cold }) => cold.requests),
    units: of(({ cold }) => cold.units),
    'next ms': of(({ next }) => next.ms),
    'MiB at most': of(({ most }) => most),
  };
  if (from !== 'snapshot' || nodes !== COLD_WORLD_BARS.nodes) return found;
  const { ms, units, mib } = COLD_WORLD_BARS;
  return { ...found, reached: found.ms <= ms && found.units <= units && found['MiB at most'] <= mib };
}
