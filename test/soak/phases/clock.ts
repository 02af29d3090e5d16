import { setTimeout as sleep } from 'node:timers/promises';
import { metadataOf } from '../../../lib/json/index.ts';
import { insist, type SoakClient } from '../load/soak-client.ts';
import { Findings, type Phase, slowest } from './phase.ts';

const MINUTE = 60_000;
/** How far ahead of the machine's clock the server's is, in minutes, one after the other. */
const SHIFTS = [3, -2, 8, -7, 0, 12, 2, -5, 5, 0];
/** Seconds in which a change is seen by all, beside the jump: a writer that died before a jump back is waited for. */
const PROBE = 120;
const REST = 8;

/** The server's clock jumps by minutes, forwards and back, while its timers go on; every third time it is killed then. */
export const clock: Phase = {
  name: 'clock',
  share: 0.05,
  run: async ({ service, client, load, amounts, progress }) => {
    const findings = new Findings('clock');
    const seen: number[] = [];
    const jumps: number[] = [];
    let kills = 0;
    let before = 0;
    await service.restart('data');
    for (let count = 0; count < amounts.jumps; count += 1) {
      const minutes = count === amounts.jumps - 1 ? 0 : (SHIFTS[count % SHIFTS.length] ?? 0);
      service.shiftClock(minutes * MINUTE);
      const jump = minutes - before;
      jumps.push(jump);
      before = minutes;
      const ahead = await aheadBy(client, `clock-${count}`);
      findings.expect(
        Math.abs(ahead - minutes) < 1,
        `the server's clock is ${ahead.toFixed(1)} minutes ahead, and was set ${minutes} ahead`,
      );
      await sleep(REST * 1_000);
      if (count % 3 === 2) {
        kills += 1;
        // The new process has the machine's clock: one more jump, over what a dead one left.
        await service.kill('server');
        jumps.push(-before);
        before = 0;
      }
      const within = PROBE + Math.abs(jump) * 60;
      const took = await load.probe(within);
      findings.expect(
        took !== undefined,
        `a change was not seen by all within ${within} s after a jump of ${jump} minutes`,
      );
      if (took !== undefined) seen.push(took);
      progress(`${count + 1} of ${amounts.jumps} jumps, the last of ${jump} minutes`);
    }
    return {
      done: `${amounts.jumps} jumps of the server's clock, of up to ${Math.max(...jumps)} minutes forwards and ${-Math.min(...jumps)} back; ${kills} kill -9 after a jump`,
      checked: `the clock of new objects jumps with it; a change reaches all readers after each jump (${slowest(seen)} at the latest)`,
      violations: findings.violations,
    };
  },
};

/** By how many minutes the server's clock is ahead of the machine's, as the creation of an object shows it. */
async function aheadBy(client: SoakClient, name: string): Promise<number> {
  const path = '/api/v1/namespaces/default/configmaps';
  await insist(client, 'POST', path, { metadata: { name } });
  const now = Date.now();
  const { creationTimestamp } = metadataOf(await insist(client, 'GET', `${path}/${name}`));
  return (Date.parse(String(creationTimestamp)) - now) / MINUTE;
}
