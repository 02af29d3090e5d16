import { setTimeout as sleep } from 'node:timers/promises';
import { Findings, type Phase, slowest } from './phase.ts';

const MINUTE = 60_000;
/** How far ahead of the machine's clock the server's is, in minutes, one after the other: jumps of 2 to 15 minutes. */
const SHIFTS = [3, -2, 8, -7, 0, 12, 2, -5, 5, 0];
/** Seconds in which a change is seen by all, beside the jump: a writer that died before a jump back is waited for. */
const PROBE = 120;
const REST = 8;

/** The server's clock jumps by minutes, forwards and back, while its timers go on; every third time it is killed then. */
export const clock: Phase = {
  name: 'clock',
  share: 0.12,
  run: async ({ service, load, amounts, progress }) => {
    const findings = new Findings('clock');
    const seen: number[] = [];
    let kills = 0;
    let before = 0;
    await service.restart('data');
    for (let count = 0; count < amounts.jumps; count += 1) {
      const minutes = count === amounts.jumps - 1 ? 0 : (SHIFTS[count % SHIFTS.length] ?? 0);
      service.shiftClock(minutes * MINUTE);
      const jump = minutes - before;
      before = minutes;
      await sleep(REST * 1_000);
      if (count % 3 === 2) {
        kills += 1;
        // The new process has the machine's clock: one more jump, over what a dead one left.
        await service.kill('server');
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
      done: `${amounts.jumps} jumps of the server's clock, of up to 15 minutes forwards and back; ${kills} kill -9 after a jump`,
      checked: `a change reaches all readers after each jump (${slowest(seen)} at the latest)`,
      violations: findings.violations,
    };
  },
};
