import { setTimeout as sleep } from 'node:timers/promises';
import { Findings, type Phase } from './phase.ts';

/** Seconds for which the line fails in a row, and then rests. */
const FAULTY = 40;
const CALM = 20;
/** Seconds in which all informers and subscribers see a change once the line is well. */
const PROBE = 120;

/** The database is at the end of a line that throttles, loses requests and answers, and is silent; the server is killed now and then. */
export const line: Phase = {
  name: 'line',
  share: 0.09,
  run: async ({ service, load, amounts, seconds, progress }) => {
    const findings = new Findings('line');
    await service.restart('line');
    let kills = 0;
    for (let second = 1; second <= seconds; second += 1) {
      await sleep(1_000);
      service.line.isFaulty = second % (FAULTY + CALM) < FAULTY;
      progress(`${service.line.faults} faults, ${kills} kills`);
      if (second % amounts.restartEvery !== 0) continue;
      // Nothing is promised of a start whose database does not answer.
      service.line.isFaulty = false;
      await service.kill('server');
      kills += 1;
    }
    service.line.isFaulty = false;
    const took = await load.probe(PROBE);
    findings.expect(
      took !== undefined,
      `a change was not seen by all within ${PROBE} s after the line was well`,
    );
    return {
      done: `${service.line.faults} requests to the database throttled, lost or not answered; ${kills} kill -9 of the server meanwhile`,
      checked: `a change reaches all readers within ${PROBE} s afterwards`,
      violations: findings.violations,
    };
  },
};
