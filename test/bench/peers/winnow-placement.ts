import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { place, World } from '../../../lib/placement/index.ts';
import type { BenchCluster } from '../placement/clusters.ts';
import type { Placed } from './protocol.ts';

/** Pods between two looks at the clock, which takes a part of what a pod takes. */
const BETWEEN = 10;

// Ours of `npm run bench -- placement`: answers the command `place`.
for await (const line of createInterface({ input: process.stdin })) {
  const { file, milliseconds } = JSON.parse(line);
  console.log(JSON.stringify(placeFor(milliseconds, JSON.parse(readFileSync(file, 'utf8')))));
}

/** In one new world after the other, until the time is over. What making a world takes is not counted. */
function placeFor(milliseconds: number, cluster: BenchCluster): Placed {
  const sum = { pods: 0, microseconds: 0 };
  const most = milliseconds * 1_000;
  while (sum.microseconds < most) {
    const { pods, microseconds } = placeAll(cluster, most - sum.microseconds);
    sum.pods += pods;
    sum.microseconds += microseconds;
  }
  return sum;
}

/** Places pods until they or the time are over, and binds each where it goes. */
function placeAll({ nodes, pods, asked }: BenchCluster, most: number): Placed {
  const world = new World();
  for (const node of nodes) world.set('Node', node);
  for (const pod of pods) world.set('Pod', pod);
  const began = process.cpuUsage();
  let count = 0;
  for (const pod of asked) {
    if (count % BETWEEN === BETWEEN - 1 && microsecondsSince(began) > most) break;
    const nodeName = place(pod, world).best?.node;
    if (nodeName === undefined) throw new Error(`there is no node for ${pod.metadata?.name}`);
    world.set('Pod', { ...pod, spec: { ...pod.spec, nodeName } });
    count += 1;
  }
  return { pods: count, microseconds: microsecondsSince(began) };
}

function microsecondsSince(began: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(began);
  return user + system;
}
