import { setTimeout as sleep } from 'node:timers/promises';
import { isJsonObject } from '../../../lib/json/index.ts';
import type { SoakAnswer, SoakClient } from '../load/soak-client.ts';
import { saysDiskIsFull } from '../load/soak-writer.ts';
import { Findings, type Phase, slowest } from './phase.ts';

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
const ROUNDS = 3;
/** Seconds in which a change is seen by all when there is room again. */
const PROBE = 120;

/** The disk below the table fills up under load, the database is killed while it is full, and there is room again. */
export const fullDisk: Phase = {
  name: 'full-disk',
  share: 0.06,
  run: async ({ service, client, load, seconds, progress }) => {
    const findings = new Findings('full-disk');
    const { disk } = service;
    if (disk === undefined) {
      const message = 'it was not tried: only root on Linux can mount a file system that fills up';
      findings.expect(false, message);
      return { done: 'nothing', checked: 'nothing', violations: findings.violations };
    }
    const seen: number[] = [];
    const refused = new Map<number, number>();
    await service.restart('data');
    for (let round = 0; round < ROUNDS; round += 1) {
      await disk.fill();
      const end = performance.now() + (seconds / ROUNDS) * 500;
      for (let count = 0; performance.now() < end || count < 3; count += 1) {
        await writeInto(client, findings, { name: `full-${round}-${count}`, refused });
        await sleep(500);
      }
      // The last time it has to start again with what a full disk left.
      if (round === ROUNDS - 1) await service.killServer();
      await disk.free();
      if (round === ROUNDS - 1) await service.start();
      const took = await load.probe(PROBE);
      findings.expect(
        took !== undefined,
        `a change was not seen by all within ${PROBE} s after there was room again`,
      );
      if (took !== undefined) seen.push(took);
      progress(`full ${round + 1} of ${ROUNDS} times`);
      await sleep((seconds / ROUNDS) * 200);
    }
    const answers = [...refused].map(([status, count]) => `${count} × ${status}`).join(', ');
    findings.expect(refused.size > 0, 'no write was refused while the disk was full');
    return {
      done: `the disk filled to the last byte ${ROUNDS} times; the last time the server was killed meanwhile`,
      checked: `writes are refused with a Status (${answers}); a change reaches all readers when there is room (${slowest(seen)})`,
      violations: findings.violations,
    };
  },
};

interface Written {
  readonly name: string;
  readonly refused: Map<number, number>;
}

/**
 * A write that is refused is answered 503 with a Status that names the full disk, or 504 where the time was over before
 * the database answered. What is acknowledged can be read.
 */
async function writeInto(client: SoakClient, findings: Findings, { name, refused }: Written): Promise<void> {
  const answer = await client.send('POST', CONFIG_MAPS, {
    metadata: { name },
    data: { text: 'x'.repeat(50_000) },
  });
  if (answer === undefined) return;
  const { status, body } = answer;
  if (status === 201) {
    const read = await client.send('GET', `${CONFIG_MAPS}/${name}`);
    findings.expect(
      read === undefined || read.status !== 404,
      `${name} was acknowledged on a full disk, and is not there`,
    );
    return;
  }
  refused.set(status, (refused.get(status) ?? 0) + 1);
  findings.expect(
    isRefusal(answer),
    `a write on a full disk was answered ${status}, and not by a Status that says why`,
    JSON.stringify(body),
  );
}

/** Whether the answer says why a full disk kept the write from being done. */
export function isRefusal({ status, body }: NonNullable<SoakAnswer>): boolean {
  if (!isJsonObject(body) || body.kind !== 'Status' || body.code !== status) return false;
  return (status === 503 && saysDiskIsFull(body)) || status === 504;
}
