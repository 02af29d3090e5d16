/** One process that starts: reads a world from the table at an endpoint, and places a pod. Says what that took. */

import { readWorld } from '../../../lib/controllers/world-snapshots/index.ts';
import { type Pod, place } from '../../../lib/placement/index.ts';
import {
  systemClock as clock,
  silentLogger as logger,
  systemRandom as random,
} from '../../../lib/platform/index.ts';
import { WorldCache } from '../../../lib/server/index.ts';
import { createStore, measuredTable, noReadCost } from '../../../lib/store/index.ts';
import { tableAt } from '../../support/store/table.ts';

const ASKED: Pod = {
  metadata: { name: 'asked', namespace: 'default', labels: { app: 'app-1' } },
  spec: { containers: [{ name: 'main', resources: { requests: { cpu: '1' } } }] },
};
const MIB = 2 ** 20;

const [endpoint = '', from = ''] = process.argv.slice(2);
const tally = noReadCost();
const table = measuredTable(tableAt(endpoint), tally);
const store = createStore({ table, clock, random, logger });
const kept = new WorldCache({ logger, makeBeside: () => ({ tell: () => {} }) });
const source = from === 'snapshot' ? { read: () => readWorld(table) } : undefined;

async function ask() {
  const [began, cpu] = [performance.now(), process.cpuUsage()];
  const { world } = await kept.current(store, source);
  const nodes = place(ASKED, world).feasible.length;
  const { user, system } = process.cpuUsage(cpu);
  return { ms: performance.now() - began, cpu: (user + system) / 1_000, nodes };
}

const first = await ask();
const cold = { ...tally };
const next = await ask();
const rss = process.memoryUsage().rss / MIB;
console.log(JSON.stringify({ first, next, rss, most: process.resourceUsage().maxRSS / 1_024, cold }));
