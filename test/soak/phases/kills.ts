import { setTimeout as sleep } from 'node:timers/promises';
import type { Victim } from '../service/soaked-service.ts';
import { Findings, type Phase, slowest } from './phase.ts';

const VICTIMS: readonly Victim[] = ['server', 'database', 'both'];
/** Seconds between the recovery from one kill and the next kill, at least, and at most. */
const REST = [2, 12] as const;
/** Seconds in which all informers and subscribers see a change once the API answers again. */
const PROBE = 180;

/** kill -9 of the server, of its database and of both, at random moments under load. */
export const kills: Phase = {
  name: 'kills',
  share: 0.14,
  run: async ({ service, load, amounts, progress }) => {
    const findings = new Findings('kills');
    const answered: number[] = [];
    const seen: number[] = [];
    await service.restart('data');
    for (let count = 0; count < amounts.kills; count += 1) {
      await sleep((REST[0] + Math.random() * (REST[1] - REST[0])) * 1_000);
      const victim = VICTIMS[count % VICTIMS.length] ?? 'both';
      const began = performance.now();
      await service.kill(victim);
      answered.push(performance.now() - began);
      const took = await load.probe(PROBE);
      findings.expect(
        took !== undefined,
        `a change was not seen by all within ${PROBE} s after kill ${count + 1} (${victim})`,
      );
      if (took !== undefined) seen.push(took);
      progress(`${count + 1} of ${amounts.kills} kills`);
    }
    const each = VICTIMS.map((_, at) => Math.ceil((amounts.kills - at) / VICTIMS.length));
    return {
      done: `${amounts.kills} kill -9: ${each[0]} of the server, ${each[1]} of the database, ${each[2]} of both at once`,
      checked: `the API answers again (after ${slowest(answered)} at the latest); then a change reaches all readers (${slowest(seen)})`,
      violations: findings.violations,
    };
  },
};
